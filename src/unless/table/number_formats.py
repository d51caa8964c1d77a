"""Numbers written with separators, currencies and units: read in whole columns, and recognised from all their texts.

Reading is the columnar twin of `logic.number_texts`. Recognising goes by skeletons: what a text looks like once every
digit is a 9 (`-9.999,99 €`), each with the number of rows that have it. A skeleton is itself a number in the formats
that read its texts, so no second theory of formats is needed; and the skeletons of parts of a table add up to those of
the whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from unless.logic.number_texts import BLANK, CURRENCIES, EXAMPLES, MARKS, NumberFormat

Skeletons = Mapping[str, int]

MANY = 256
"""A column with more skeletons than this has no format."""
OTHER = "*"
"""Stands for too many skeletons."""
WHOLE, THREE_DECIMALS, PLAIN = "9", "9.999", "9.9"
"""The skeletons of plain numbers: without a point, with what may be a point between thousands, any other."""
NUMBER_LIKE = rf"^[^0-9]{{0,8}}[0-9](?:[0-9]|[.,'\u2019]|{BLANK})*(?:[eE][-+]?[0-9]{{1,2}})?[^0-9]{{0,16}}$"
MAY_BE_THOUSANDS = re.compile(r"^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$")
THOUSANDS_IN_LINES = re.compile(MAY_BE_THOUSANDS.pattern, re.MULTILINE)
FIRST_ZERO, LONG = re.compile(r"^([^0-9]*)0"), re.compile("9{4,}")
DIGITS = str.maketrans("012345678", "9" * 9)
# Compiled when units are looked for: predicting never does.
UNIT = (
    rf"\(?[-+\u2212]?{BLANK}*(?P<before>[^0-9()+\-\u2212]*?)(?P<gap>{BLANK}*)[-+\u2212]?"
    rf"[0-9](?:(?:[0-9.,'\u2019]|{BLANK})*[0-9])?"
    rf"(?P<space>{BLANK}*)-?(?P<after>[^0-9()]*?){BLANK}*-?\)?"
)
DASH = re.compile(rf"[0-9]{BLANK}+[-\u2212]{BLANK}")
"""A dash behind a number, as answers of a questionnaire have it; a minus has no blanks on both sides."""
UNIT_WORDS = """
% ‰ ° km m cm mm kg g mg t l ml h min s ms d w wk wks mo y yo yr yrs °C °F K W kW MW Wh kWh MWh V A Hz kB MB GB TB
m² km² m³ km/h m/s mph lb lbs oz ft in mi px pt x
"""
UNITS = frozenset(UNIT_WORDS.split())
"""Units that may stand right behind a number; any word may that has a blank before it. Not k and M, which multiply: a
cell without them would be read as thousands."""
MULTIPLIERS = frozenset({"k", "K", "M"})
LONGEST_UNIT = 16
SEVERAL = 6
"""More different words behind numbers than this are no units: 12 High Street, 7 Mill Lane."""
MOST = 0.9
"""A unit is one when at least this share of the cells has it."""


@dataclass(frozen=True, slots=True)
class FormatChoice:
    """The formats that read the most texts of a column, each giving other numbers, the likelier first.

    `n_bare` of the rows that they read lack the unit that the others have.
    """

    options: tuple[NumberFormat, ...]
    n_read: int
    n_bare: int = 0


def read_formatted(text: pl.Series, form: NumberFormat) -> pl.Series:
    """Read texts without blanks around them as numbers; null where they are none."""
    is_bare = text.str.contains(form.bare_pattern).fill_null(value=False)
    if is_bare.all():
        return _value(text, form)
    read = _read_signed(text.set(is_bare, None), form)
    return read if not is_bare.any() else read.zip_with(~is_bare, _value(text, form))


def _value(number: pl.Series, form: NumberFormat) -> pl.Series:
    """Read bare numbers, without sign and unit; null where that is not what they are."""
    thousands, decimal = EXAMPLES[form.example]
    if thousands in (",", "."):
        number = number.str.replace_all(thousands, "", literal=True)
    elif thousands:
        number = number.str.replace_all(MARKS[thousands], "")
    if decimal != ".":
        number = number.str.replace(decimal, ".", literal=True)
    read = number.cast(pl.Float64, strict=False)
    if read.null_count() > number.null_count():  # a point at the end, or before the exponent
        read = number.str.replace(r"\.($|[eE])", "$1").cast(pl.Float64, strict=False)
    return read


def _read_signed(text: pl.Series, form: NumberFormat) -> pl.Series:
    """Read texts with signs, brackets and units."""
    parts = text.str.extract_groups(form.pattern).struct.unnest()
    opened, first, second, number, third, fourth, closed = (parts.to_series(i) for i in range(7))
    signs = [each.is_not_null().cast(pl.Int8) for each in (opened, first, second, third, fourth)]
    n_signs = signs[0] + signs[1] + signs[2] + signs[3] + signs[4]
    value = _value(number, form)
    is_plus = (first == "+").fill_null(value=False) | (second == "+").fill_null(value=False)
    value = value.zip_with((n_signs == 0) | is_plus, -value)
    return value.set((n_signs > 1) | (opened.is_null() != closed.is_null()), None)


def plain_skeletons(texts: pl.Series, n_rows: pl.Series) -> dict[str, int]:
    """Return the skeletons of texts that all are plain numbers."""
    has_point = texts.str.contains(".", literal=True)
    n = int(n_rows.sum())
    if not has_point.any():
        return {WHOLE: n} if n else {}
    texts, n_rows = texts.filter(has_point), n_rows.filter(has_point)
    may_be_thousands = texts.str.contains(MAY_BE_THOUSANDS.pattern)
    pointed, thousands = int(n_rows.sum()), int(n_rows.filter(may_be_thousands).sum())
    found = {WHOLE: n - pointed, THREE_DECIMALS: thousands, PLAIN: pointed - thousands}
    return {skeleton: n for skeleton, n in found.items() if n}


def skeletons(texts: pl.Series, n_rows: pl.Series) -> dict[str, int]:
    """Return the skeletons of the texts, without blanks around them, that have one number in them."""
    is_like = texts.str.contains(NUMBER_LIKE)
    if not is_like.any():
        return {}
    texts, n_rows = texts.filter(is_like), n_rows.filter(is_like)
    # The first digit stays where it is a zero: 0,123 has no thousands.
    bones = texts.str.replace(r"^([^0-9]*)0", "${1}\x00").str.replace_many(list("012345678"), ["9"] * 9)
    bones = bones.str.replace_all("9{4,}", "9999").str.replace("\x00", "0", literal=True)
    counted = pl.DataFrame({"bone": bones, "n": n_rows}).group_by("bone").agg(pl.col("n").sum())
    return limited(dict(zip(counted["bone"].to_list(), counted["n"].to_list(), strict=True)))


def plain_few(counted: Skeletons) -> dict[str, int]:
    """Do the same as `plain_skeletons`, text by text."""
    found: Counter[str] = Counter()
    for text, n in counted.items():
        found[WHOLE if "." not in text else THREE_DECIMALS if MAY_BE_THOUSANDS.match(text) else PLAIN] += n
    return dict(found)


def plain_in_lines(lines: str) -> dict[str, int]:
    """Do the same of lines of which each is a plain number."""
    n, pointed = lines.count("\n"), lines.count(".")
    thousands = len(THOUSANDS_IN_LINES.findall(lines)) if pointed else 0
    found = {WHOLE: n - pointed, THREE_DECIMALS: thousands, PLAIN: pointed - thousands}
    return {skeleton: n for skeleton, n in found.items() if n}


def skeletons_of_few(counted: Skeletons) -> dict[str, int]:
    """Do the same as `skeletons`, text by text."""
    found: Counter[str] = Counter()
    is_like = re.compile(NUMBER_LIKE).match
    for text, n in counted.items():
        if is_like(text):
            bone = FIRST_ZERO.sub("\\1\x00", text).translate(DIGITS)
            found[LONG.sub("9999", bone).replace("\x00", "0")] += n
    return limited(dict(found))


def limited(found: dict[str, int]) -> dict[str, int]:
    """Return skeletons, or only that there are too many."""
    return {OTHER: sum(found.values())} if OTHER in found or len(found) > MANY else found


def join_skeletons(some: Skeletons, others: Skeletons) -> dict[str, int]:
    """Add up the skeletons of two parts of a table."""
    return limited(dict(Counter(some) + Counter(others)))


def choose_format(found: Skeletons, decimals: frozenset[str] = frozenset(), unit_share: float = MOST) -> FormatChoice:
    """Choose how the numbers with these skeletons are written; at least `unit_share` of them must have a unit.

    Where formats read the same numbers, the one with the decimal mark of the table comes first.
    """
    if not found or OTHER in found:
        return FormatChoice((), 0)
    before, after = _unit(found, unit_share)
    by_values: dict[tuple[float | None, ...], NumberFormat] = {}
    most = 0
    examples = sorted(EXAMPLES, key=lambda example: len(decimals) == 1 and EXAMPLES[example][1] not in decimals)
    # Without a mark between digits all formats read the same, and the first is taken: the others need not be made.
    is_marked = re.search(rf"[.,'\u2019]|{BLANK}", "".join(found)) is not None
    for example in examples if is_marked else examples[:1]:
        form = NumberFormat(example, before, after)
        values = tuple(form.read(skeleton) for skeleton in found)
        n_read = sum(n for n, value in zip(found.values(), values, strict=True) if value is not None)
        if n_read > most:
            most, by_values = n_read, {}
        if n_read and n_read == most:
            by_values.setdefault(values, form)
    return FormatChoice(tuple(by_values.values()), most, _n_bare(found, before or after, [*by_values]))


def _n_bare(found: Skeletons, unit: str, values: list[tuple[float | None, ...]]) -> int:
    """Count the rows that are read without the unit."""
    if not unit or not values:
        return 0
    return sum(
        n
        for (skeleton, n), value in zip(found.items(), values[0], strict=True)
        if value is not None and unit.strip() not in skeleton
    )


def unit_in(text: str) -> str | None:
    """Return the unit or currency of a number, "" where it has none, and None where the text is something else.

    >>> unit_in("64 Jahre"), unit_in("€ 5"), unit_in("19"), unit_in("4.5M"), unit_in("Kunde 12"), unit_in("1 - never")
    ('Jahre', '€', '', 'M', None, None)
    """
    parts = re.fullmatch(UNIT, text)
    if parts is None or DASH.search(text):
        return None
    before, after = parts["before"], (" " if parts["space"] else "") + parts["after"]
    is_unit = after in MULTIPLIERS or _is_unit(before, after if after.strip() else "")
    return (before or after).strip() if is_unit else None


def rows_with_units(found: Skeletons) -> int:
    """Count the rows with numbers that have several units, or one and none; 0 where they have the same, or too many."""
    units: Counter[str] = Counter()
    for skeleton, n in found.items():
        unit = unit_in(skeleton)
        if unit is not None:
            units[unit] += n
    return units.total() if 1 < len(units) <= SEVERAL else 0


def has_mark(skeleton: str, mark: str) -> bool:
    """Tell whether a mark stands behind a digit: the point of a unit, as in `Fr.`, does not."""
    return f"9{mark}" in skeleton or f"0{mark}" in skeleton


def _unit(found: Skeletons, share: float) -> tuple[str, str]:
    """Return the currency or unit of a share of the skeletons at least, before and after the number, with blanks."""
    units: Counter[tuple[str, str]] = Counter()
    written: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for skeleton, n in found.items():
        parts = re.fullmatch(UNIT, skeleton)
        if parts is None:
            continue
        before, after = parts["before"].strip(), parts["after"].strip()
        units[before, after] += n
        with_blanks = (
            before + (" " if before and parts["gap"] else ""),
            (" " if after and parts["space"] else "") + after,
        )
        written.setdefault((before, after), Counter())[with_blanks] += n
    if not units:
        return "", ""
    unit = max(units, key=lambda each: (units[each], each))
    if not any(unit) or units[unit] < share * units.total():
        return "", ""
    is_only = not set(units) - {unit, ("", "")}
    before, after = max(written[unit], key=lambda each: (written[unit][each], each))
    return (before, after) if _is_unit(before, after) and (is_only or _is_well_known(unit)) else ("", "")


def _is_well_known(unit: tuple[str, str]) -> bool:
    """Tell whether a unit is one even beside others; one letter may be a part of a code, as in 7A and 7B."""
    known = CURRENCIES | {each for each in UNITS if len(each) > 1 or not each.isalpha()}
    return all(not part or part in known for part in unit)


def _is_unit(before: str, after: str) -> bool:
    if before and (before.strip() not in CURRENCIES or (after and after.strip() not in CURRENCIES | {"%"})):
        return False
    word = after.strip()
    if not word or word in UNITS | CURRENCIES:
        return True
    return after[0] == " " and len(word) <= LONGEST_UNIT and word[0].isalpha()
