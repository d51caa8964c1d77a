"""How an exported Python module reads cells: what is the same for all programs. Text, never run here."""

from __future__ import annotations

CELLS = '''
def _cell(row, name, numerical, read):
    """Read a cell: a number, a word, or None where it is missing."""
    cell = row.get(name)
    kind = type(cell).__name__
    if kind in ("bool", "bool_"):
        cell = "True" if cell else "False"
    if isinstance(cell, str):
        word = cell.strip(BLANKS)
        if not word or word in MISSING or cell in MISSING:
            return None
        number = read(word) if numerical else None
        return word if number is None else _finite(name, number)
    if cell is None or kind in ("NAType", "NaTType"):
        return None
    if not hasattr(cell, "__float__"):
        raise TypeError(f"column {name!r} holds a {kind}; accepted: a number, text, or missing.")
    number = float(cell)
    if number != number:
        return None
    if numerical:
        return _finite(name, number)
    return number + 0.0 if abs(number) != float("inf") else repr(number)


def _finite(name, number):
    if abs(number) == float("inf"):
        raise ValueError(f"column {name!r} holds an infinite number, {number}; numbers must be finite.")
    return number + 0.0


def _plain(text):
    """Read a text as a number, or return None."""
    unsigned = text.lower().removeprefix("-" if text[0] == "-" else "+")
    digits, e, power = unsigned.partition("e")
    whole, _, rest = digits.partition(".")
    if not _is_digits(whole + rest) or (e and not _is_digits(power[power[:1] in ("+", "-"):])):
        return None
    return float(text)


def _is_digits(text):
    return text != "" and all(letter in "0123456789" for letter in text)
'''

FORMATS = '''
def _formatted(form):
    """Return what reads the texts of a format."""
    kinds = {"number": _amount, "date": _date, "duration": _duration, "part": lambda form, text: _plain(text)}
    return lambda text: kinds[form["kind"]](form, text)


def _dated(row, name, form):
    """Turn a date, a time or a duration in a column of dates into its number, or into its text."""
    cell = row.get(name)
    kinds = [kind.__name__ for kind in type(cell).__mro__]
    moment = None
    if "NaTType" in kinds or not {"date", "time", "timedelta"} & set(kinds):
        return row
    if "timedelta" in kinds:
        moment = cell.total_seconds() if form["kind"] == "duration" else None
    elif form["kind"] == "date" and "date" in kinds:
        if "datetime" in kinds and cell.tzinfo is not None:
            cell = (cell - cell.utcoffset()).replace(tzinfo=None)
        moment = _date(form, cell.isoformat(" ") if "datetime" in kinds else cell.isoformat())
    elif form["kind"] == "duration" and "time" in kinds:
        moment = _duration(form, cell.isoformat())
    return {**row, name: str(row[name]) if moment is None else moment}


def _amount(form, text):
    found = None if text.endswith("\\n") else re.match(form["pattern"], text)
    if found is None:
        return None
    opened, first, second, number, third, fourth, closed = found.groups()
    signs = [sign for sign in (opened, first, second, third, fourth) if sign is not None]
    if len(signs) > 1 or (opened is None) != (closed is None):
        return None
    if form["marks"]:
        number = re.sub(form["marks"], "", number)
    value = float(number.replace(form["decimal"], "."))
    return -value if signs and signs[0] != "+" else value


def _date(form, text):
    found = None if text.endswith("\\n") else re.match(form["pattern"], text)
    if found is None:
        return _iso(form, text)
    groups = found.groups()
    parts = dict(zip(form["order"], groups[:3]))
    month = MONTHS.get(parts["m"].lower(), 0) if form["named"] else int(parts["m"])
    year, day = int(parts["y"] or 0), int(parts["d"] or 1)
    if form["century"] is not None:
        year += 1900 if year >= form["century"] else 2000
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= _days_in(year, month)):
        return None
    days = _days(year, month, day)
    if form["unit"] != 1:
        return float(days)
    hour, minute, second, zone = groups[3:]
    whole, _, rest = (second or "0").partition(".")
    hour, minute, whole = int(hour or 0), int(minute or 0), int(whole)
    if hour > 23 or minute > 59 or whole > 59:
        return None
    ahead = 0
    if zone not in (None, "Z"):
        ahead = (-1 if zone[0] == "-" else 1) * (int(zone[1:3]) * 3600 + int(zone[3:].strip(":") or 0) * 60)
    seconds = days * 86400 + hour * 3600 + minute * 60 + whole - ahead
    return float(seconds * 1000000 + int(rest.ljust(6, "0"))) / 1000000


def _iso(form, text):
    """Read a date as ISO writes it where the format of the column does not fit."""
    if len(text) < 10 or text[4] != "-" or "iso" not in form:
        return None
    whole = form["iso"][len(text) != 10]
    if (form["pattern"], form["unit"]) == (whole["pattern"], whole["unit"]):
        return None
    number = _date(whole, text)
    return None if number is None else number * whole["unit"] / form["unit"]


def _days_in(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _days(year, month, day):
    """Count the days since 1970-01-01."""
    year -= month <= 2
    era, age = year // 400, year % 400
    of_year = (153 * (month + (9 if month <= 2 else -3)) + 2) // 5 + day - 1
    return era * 146097 + age * 365 + age // 4 - age // 100 + of_year - 719468


def _calendar(days):
    """Return year, month and day of a number of days since 1970-01-01."""
    days += 719468
    era, of_era = days // 146097, days % 146097
    age = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * age + age // 4 - age // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    month += 3 if month < 10 else -9
    return age + era * 400 + (month <= 2), month, day


def _duration(form, text):
    found = None if text.endswith("\\n") else re.match(form["pattern"], text)
    if found is None:
        return None
    sign, days, hours, minutes, seconds = found.groups()
    if days is None and hours is None:
        return None
    whole, _, rest = (seconds or "0").partition(".")
    total = int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(whole)
    number = float(total * 1000000 + int(rest.ljust(6, "0"))) / 1000000
    return -number if sign else number


def _part(row, form):
    """Return the part of a date that a row has only as the date."""
    source, of = form["source"], form["form"]
    date = _cell(_dated(row, source, of), source, True, _formatted(of))
    if not isinstance(date, float) or abs(date) > 1e15:
        return None
    micros = round(date * of["unit"] * 1000000)
    days, within = micros // 86400000000, micros % 86400000000
    if not -719162 <= days <= 2932896:
        return None
    year, month, day = _calendar(days)
    if form["at"]:
        at = [int(part) for part in form["at"].split("-")]
        return float(at[0] - year - ((at[1], at[2]) < (month, day)))
    if form["part"] == "weekday":
        return WEEKDAYS[(days + 3) % 7]
    found = {"year": year, "quarter": (month + 2) // 3, "month": month, "day": day, "hour": within // 3600000000}
    return float(found[form["part"]])
'''
