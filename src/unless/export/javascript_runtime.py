"""How an exported JavaScript module reads cells: what is the same for all programs. Text, never run here."""

from __future__ import annotations

CELLS = r"""
/** Read a cell: a number, a word, or null where it is missing. */
function readCell(row, name, numerical, read) {
  let cell = Object.hasOwn(row, name) ? row[name] : null;
  if (typeof cell === "boolean") cell = cell ? "True" : "False";
  if (typeof cell === "string") {
    const word = strip(cell);
    if (word === "" || MISSING.includes(word) || MISSING.includes(cell)) return null;
    const number = numerical ? read(word) : null;
    return number === null ? word : finite(name, number);
  }
  if (cell === null || cell === undefined) return null;
  if (typeof cell === "bigint") cell = Number(cell);
  if (typeof cell !== "number")
    throw new TypeError(`column ${JSON.stringify(name)} holds a ${typeof cell}; accepted: a number, text, or missing.`);
  if (Number.isNaN(cell)) return null;
  if (numerical) return finite(name, cell);
  return Number.isFinite(cell) ? cell : cell > 0 ? "inf" : "-inf";
}

function finite(name, number) {
  if (!Number.isFinite(number))
    throw new RangeError(`column ${JSON.stringify(name)} holds an infinite number, ${number}; numbers must be finite.`);
  return number;
}

function strip(text) {
  let start = 0, end = text.length;
  while (start < end && BLANKS.includes(text[start])) start += 1;
  while (end > start && BLANKS.includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** Read a text as a number, or return null. */
function plain(text) {
  return /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : null;
}
"""

FORMATS = r"""
/** Return what reads the texts of a format. */
function formatted(form) {
  const kinds = { number: amount, date: dateNumber, duration, part: (form, text) => plain(text) };
  return (text) => kinds[form.kind](form, text);
}

/** Turn a Date in a column of dates into its number. */
function dated(row, name, form) {
  const cell = Object.hasOwn(row, name) ? row[name] : null;
  if (!(cell instanceof Date)) return row;
  const text = Number.isNaN(cell.getTime()) ? null : cell.toISOString().replace("T", " ").replace("Z", "");
  return { ...row, [name]: text !== null && form.kind === "date" ? dateNumber(form, text) : text };
}

function matched(form, text) {
  return text.endsWith("\n") ? null : new RegExp(form.pattern).exec(text);
}

function amount(form, text) {
  const found = matched(form, text);
  if (found === null) return null;
  const [, opened, first, second, digits, third, fourth, closed] = found;
  const signs = [opened, first, second, third, fourth].filter((sign) => sign !== undefined);
  if (signs.length > 1 || (opened === undefined) !== (closed === undefined)) return null;
  const number = form.marks === "" ? digits : digits.replace(new RegExp(form.marks, "g"), "");
  const value = Number(number.replace(form.decimal, "."));
  return signs.length > 0 && signs[0] !== "+" ? -value : value;
}

function dateNumber(form, text) {
  const found = matched(form, text);
  if (found === null) return iso(form, text);
  const groups = found.slice(1);
  const parts = {};
  [...form.order].forEach((part, i) => { parts[part] = groups[i]; });
  const called = parts.m.toLowerCase();
  const month = !form.named ? Number(parts.m) : Object.hasOwn(MONTHS, called) ? MONTHS[called] : 0;
  let year = Number(parts.y || 0);
  const day = Number(parts.d || 1);
  if (form.century !== null) year += year >= form.century ? 1900 : 2000;
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return null;
  const days = daysSince(year, month, day);
  if (form.unit !== 1) return days;
  const [hour, minute, second, zone] = groups.slice(3);
  const [whole, rest = ""] = (second || "0").split(".");
  const clock = [Number(hour || 0), Number(minute || 0), Number(whole)];
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return null;
  let ahead = 0;
  if (zone !== undefined && zone !== "Z") {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(":", ""));
    ahead = (zone[0] === "-" ? -60 : 60) * minutes;
  }
  const seconds = days * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2] - ahead;
  return (seconds * 1000000 + Number(rest.padEnd(6, "0"))) / 1000000;
}

/** Read a date as ISO writes it where the format of the column does not fit. */
function iso(form, text) {
  const letters = [...text];
  if (letters.length < 10 || letters[4] !== "-" || form.iso === undefined) return null;
  const whole = form.iso[letters.length === 10 ? 0 : 1];
  if (form.pattern === whole.pattern && form.unit === whole.unit) return null;
  const number = dateNumber(whole, text);
  return number === null ? null : (number * whole.unit) / form.unit;
}

function daysIn(year, month) {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

/** Count the days since 1970-01-01. */
function daysSince(year, month, day) {
  if (month <= 2) year -= 1;
  const era = Math.floor(year / 400), age = year - era * 400;
  const ofYear = Math.floor((153 * (month + (month <= 2 ? 9 : -3)) + 2) / 5) + day - 1;
  return era * 146097 + age * 365 + Math.floor(age / 4) - Math.floor(age / 100) + ofYear - 719468;
}

/** Return year, month and day of a number of days since 1970-01-01. */
function calendar(days) {
  days += 719468;
  const era = Math.floor(days / 146097), ofEra = days - era * 146097;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36524) + Math.floor(ofEra / 146096);
  const age = Math.floor((ofEra - leaps) / 365);
  const ofYear = ofEra - (365 * age + Math.floor(age / 4) - Math.floor(age / 100));
  let month = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  month += month < 10 ? 3 : -9;
  return [age + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

function duration(form, text) {
  const found = matched(form, text);
  if (found === null) return null;
  const [, sign, days, hours, minutes, seconds] = found;
  if (days === undefined && hours === undefined) return null;
  const [whole, rest = ""] = (seconds || "0").split(".");
  const total = Number(days || 0) * 86400 + Number(hours || 0) * 3600 + Number(minutes || 0) * 60 + Number(whole);
  const number = Number(BigInt(total) * 1000000n + BigInt(rest.padEnd(6, "0"))) / 1000000;
  return sign === undefined ? number : -number;
}

/** Round to a whole number, halves to the even one. */
function even(number) {
  const low = Math.floor(number), over = number - low;
  return over > 0.5 || (over === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** Return the part of a date that a row has only as the date. */
function datePart(row, form) {
  const { source, form: of } = form;
  const date = readCell(dated(row, source, of), source, true, formatted(of));
  if (typeof date !== "number") return null;
  const micros = even(date * of.unit * 1000000);
  const days = Math.floor(micros / 86400000000);
  if (!(days >= -719162 && days <= 2932896)) return null;
  const [year, month, day] = calendar(days);
  if (form.at !== "") {
    const at = form.at.split("-").map(Number);
    return at[0] - year - (at[1] < month || (at[1] === month && at[2] < day) ? 1 : 0);
  }
  if (form.part === "weekday") return WEEKDAYS[(((days + 3) % 7) + 7) % 7];
  const hour = Math.floor((micros - days * 86400000000) / 3600000000);
  return { year, quarter: Math.floor((month + 2) / 3), month, day, hour }[form.part];
}
"""
