// A form for one condition: bounds of a number or date with a slider over the values, words with their counts.

import { studio } from "./api.js";
import { count, h, later, plural, problem, show } from "./dom.js";
import { flipSentence } from "./effect.js";

let serial = 0;

// `column` may be null: then it is chosen first from `columns`. `edit(column, values)` makes the edit that is sent.
export function conditionForm({ column, columns, values, title, edit, apply, cancel, extra }) {
  const id = `form-${serial += 1}`;
  const body = h("div", { class: "condition-body" });
  const messages = h("p", { class: "preview", "aria-live": "polite" });
  let read = () => null;
  let chosen = column;
  const preview = later(150, async () => {
    const asked = chosen && read();
    if (!asked) return;
    try {
      const { said, effect, problem: wrong } = await studio.preview(edit(chosen, asked));
      if (wrong) show(messages, h("span", { class: "worse" }, wrong));
      else show(messages, said, " ", flipSentence(effect), effect.splits.length ? "." : null);
    } catch (error) {
      show(messages, problem(error.message));
    }
  });
  const load = async () => {
    show(body, h("p", { class: "quiet" }, "Loading …"));
    try {
      const choices = await studio.values(chosen);
      const fields = choices.kind === "categorical" ? wordFields(choices, values, id, preview) : numberFields(choices, values, id, preview);
      read = fields.read;
      show(body, fields.element);
      body.querySelector("input:not(:disabled)")?.focus();
    } catch (error) {
      show(body, problem(error.message));
    }
  };
  const picker = column === null && h("div", {}, h("label", { for: `${id}-column` }, "Column"),
    h("select", { id: `${id}-column`, onchange: (event) => { chosen = event.target.value; values = null; load(); } },
      h("option", { value: "" }, "choose …"), columns.map((name) => h("option", { value: name }, name))));
  const form = h("form", { class: "condition", "aria-label": title, onsubmit: (event) => {
    event.preventDefault();
    const asked = chosen && read();
    if (!asked) show(messages, problem(chosen ? "Choose at least one value." : "Choose a column first."));
    else apply(edit(chosen, asked), (text) => show(messages, problem(text)));
  } }, h("h3", {}, title), extra?.(preview), picker, body, messages,
  h("p", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Apply"),
    h("button", { type: "button", onclick: cancel }, "Cancel")));
  form.addEventListener("gather", (event) => event.detail(chosen ? read() : null));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    cancel();
  });
  if (column !== null) load();
  return form;
}

function wordFields(choices, values, id, changed) {
  const chosen = new Set(values?.words ?? []);
  const known = new Set(choices.words.map(({ word }) => word));
  const rows = [...choices.words, ...[...chosen].filter((word) => !known.has(word)).map((word) => ({ word, n: 0 }))];
  const most = Math.max(1, ...rows.map(({ n }) => n));
  const list = h("ul", { class: "choices" }, rows.map(({ word, n }, i) => h("li", { "data-word": word.toLowerCase(), vars: { "--share": n / most } },
    h("input", { type: "checkbox", id: `${id}-w${i}`, checked: chosen.has(word), onchange: (event) => {
      if (event.target.checked) chosen.add(word);
      else chosen.delete(word);
      changed();
    } }), h("label", { for: `${id}-w${i}` }, word), h("span", { class: "quiet" }, count(n)))));
  const filter = rows.length > 12 && h("input", { type: "search", "aria-label": "Search the words", placeholder: "search the words", oninput: (event) => {
    const text = event.target.value.toLowerCase();
    for (const item of list.children) item.hidden = !item.dataset.word.includes(text);
  } });
  const mode = { all_but: Boolean(values?.all_but) };
  const radio = (allBut, text) => h("label", {}, h("input", { type: "radio", name: `${id}-mode`, checked: mode.all_but === allBut,
    onchange: () => { mode.all_but = allBut; changed(); } }), text);
  const element = h("div", {}, h("fieldset", { class: "choice" }, h("legend", {}, "The value"), radio(false, "is one of"),
    radio(true, "is none of (blank passes too)")), filter, list);
  return { element, read: () => (chosen.size ? { words: [...chosen], all_but: mode.all_but } : null) };
}

function numberFields(choices, values, id, changed) {
  const cuts = choices.cuts;
  const low = boundField("low", "Above", cuts, values, id, choices, changed);
  const high = boundField("high", "At most", cuts, values, id, choices, changed);
  if (values === null || (values.low === null && values.high === null && !values.words.length)) low.enable(true);
  const words = choices.words.length > 0 && wordBoxes(choices, values, id, changed);
  const blank = h("input", { type: "checkbox", id: `${id}-blank`, checked: Boolean(values?.blank), onchange: changed });
  const element = h("div", {}, histogram(cuts), low.element, high.element,
    words && words.element,
    h("p", { class: "one" }, blank, h("label", { for: `${id}-blank` },
      choices.words.length ? "blank and all other words pass too" : `blank passes too (${plural(choices.n_missing, "row")})`)));
  return { element, read: () => {
    const asked = { ...low.read(), ...high.read(), words: words ? words.read() : [], blank: blank.checked };
    return asked.low === undefined && asked.high === undefined && !asked.words.length ? null : asked;
  } };
}

function wordBoxes(choices, values, id, changed) {
  const chosen = new Set(values && !values.all_but ? values.words : []);
  const element = h("fieldset", { class: "choice" }, h("legend", {}, "or is"), choices.words.slice(0, 12).map(({ word, n }) =>
    h("label", {}, h("input", { type: "checkbox", checked: chosen.has(word), onchange: (event) => {
      if (event.target.checked) chosen.add(word);
      else chosen.delete(word);
      changed();
    } }), `${word} (${count(n)})`)));
  return { element, read: () => [...chosen] };
}

// One bound: switched on or off, a slider over the values, a field to type in, and how many rows are beyond.
function boundField(side, name, cuts, values, id, choices, changed) {
  const on = values !== null && values[side] !== null && values[side] !== undefined;
  const switched = h("input", { type: "checkbox", id: `${id}-${side}-on`, checked: on, onchange: () => enable(switched.checked) });
  const text = h("input", { id: `${id}-${side}`, "aria-label": `${name}, value`, size: "14", autocomplete: "off",
    inputmode: choices.is_date ? null : "decimal", placeholder: choices.reading || "a number",
    value: on ? values[`${side}_text`] : "" });
  const slider = h("input", { type: "range", min: "0", max: String(Math.max(0, cuts.length - 1)), step: "1", "aria-label": `${name}, slider`,
    value: String(on ? nearest(cuts, values[side]) : Math.floor(cuts.length / 2)) });
  const rows = h("output", { class: "quiet", for: `${id}-${side}` });
  const isIn = on ? values[`${side}_in`] : side === "high";
  const say = () => {
    const cut = cuts[Number(slider.value)];
    if (!cut || !switched.checked) rows.textContent = "";
    else {
      const beyond = side === "high" ? cut.below : choices.n_numbers - cut.below;
      rows.textContent = text.value === cut.text ? `${plural(beyond, "row")} ${side === "high" ? "at most" : "above"} ${cut.said}` : "";
    }
    slider.setAttribute("aria-valuetext", cut ? cut.said : "none");
  };
  const enable = (to) => {
    switched.checked = to;
    text.disabled = slider.disabled = !to;
    if (to && !text.value && cuts.length) text.value = cuts[Number(slider.value)].text;
    say();
    changed();
  };
  slider.addEventListener("input", () => { text.value = cuts[Number(slider.value)].text; say(); changed(); });
  text.addEventListener("input", () => {
    const number = Number(text.value);
    if (text.value && !choices.is_date && !Number.isNaN(number)) slider.value = String(nearest(cuts, number));
    else if (choices.is_date) {
      const at = cuts.findIndex((cut) => cut.text >= text.value);
      if (at >= 0) slider.value = String(at);
    }
    say();
    changed();
  });
  text.disabled = slider.disabled = !on;
  say();
  const element = h("div", { class: "bound" }, switched, h("label", { for: `${id}-${side}-on` }, on && values[`${side}_in`] && side === "low" ? "At least"
    : on && !values[`${side}_in`] && side === "high" ? "Below" : name), slider, text, rows);
  return { element, enable, read: () => (switched.checked && text.value.trim() ? { [side]: text.value.trim(), [`${side}_in`]: isIn } : {}) };
}

function nearest(cuts, number) {
  let best = 0;
  cuts.forEach((cut, i) => { if (Math.abs(cut.value - number) < Math.abs(cuts[best].value - number)) best = i; });
  return best;
}

// How many rows lie between the steps of the slider.
function histogram(cuts) {
  if (cuts.length < 3) return null;
  const bins = Array.from({ length: 32 }, () => 0);
  cuts.forEach((cut, i) => { bins[Math.floor((i * bins.length) / cuts.length)] += cut.below - (i ? cuts[i - 1].below : 0); });
  const most = Math.max(...bins, 1);
  return h("div", { class: "histogram wide", role: "img", "aria-label": `Rows from ${cuts[0].said} to ${cuts[cuts.length - 1].said}` },
    h("div", { class: "bars" }, bins.map((n) => h("i", { vars: { "--share": n / most } }))),
    h("span", {}, cuts[0].said), h("span", {}, cuts[cuts.length - 1].said));
}
