"""Words that are perhaps not meant as they are written: those that stand for missing, and those that look alike.

In: the words of a column with their numbers of rows. Out: findings, with the fix to type. Blanks at both ends are no
part of a word (see `columns`); what differs by inner blanks, case or accents is pointed out and never merged, because
only the user knows.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import polars as pl

from unless.logic.values import BLANKS
from unless.table.columns import as_text
from unless.table.identifiers import ColumnFinding, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.table.columns import RawColumn
    from unless.table.frames import RawTable

PERHAPS_MISSING = frozenset(
    {"?", "-", "--", ".", "*", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "unknown", "missing", "not available"}
    | {"k.a.", "k. a.", "keine angabe", "unbekannt", "fehlt", "n.v.", "n/v", "nicht bekannt"}
    | {"#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "#nv", "#wert!", "#bezug!", "#zahl!"}
)
"""Words that often mean missing, in lower case, and what spreadsheets write for cells that they cannot work out."""
PLUS, MINUS = frozenset({"+", "++", "+++"}), frozenset({"-", "--"})
"""Words for positive and negative, as laboratories write them."""
ANSWERS = {
    **dict.fromkeys(("y", "yes", "j", "ja", "t", "true", "wahr"), "yes"),
    **dict.fromkeys(("n", "no", "nein", "f", "false", "falsch"), "no"),
}
"""Words for yes and no, in lower case."""
SHOWN = 3
RARE = 20
"""A header that was pasted in stands once in so many rows at most."""
DIFFERENT = 0.9
"""Where fewer rows than this share differ, they may be alike by chance: the table may have few values."""
MANY_VALUES, FINE = 30, 0.5
"""It has more where two columns have more values than the first, and than this share of the different rows."""
LONGEST = 1000
"""What is longer is a text, not a word."""


def perhaps_missing(words: Iterable[str]) -> list[str]:
    """Return the words that often mean missing, sorted; a minus beside a plus means negative."""
    words = frozenset(words)
    meant = MINUS if words & PLUS else frozenset()
    return sorted(word for word in words - meant if word.casefold() in PERHAPS_MISSING)


def missing_words(column: str, counts: Mapping[str, int]) -> ColumnFinding | None:
    """Offer words as missing, with how many rows have them."""
    found = perhaps_missing(counts)
    if not found:
        return None
    shown = ", ".join(f"{word!r} in {counts[word]} row{'s' * (counts[word] != 1)}" for word in found)
    fix = option("missing", ",".join(found), lists=True)
    gaps = {"words": {word: counts[word] for word in found}}
    return ColumnFinding(column, "missing words", f"perhaps missing: {shown}", fix, "perhaps_missing", gaps)


def look_alike(column: str, words: Iterable[str]) -> ColumnFinding | None:
    """Point out words that differ by case, accents or inner blanks only, or say yes and no in several ways."""
    short = [word for word in words if len(word) <= LONGEST]
    looks = {word: bare(word) for word in short}
    answers = {word: ANSWERS.get(text, "") for word, text in looks.items() if text not in PERHAPS_MISSING}
    is_answer = all(answers.values()) and len({*map(looks.__getitem__, answers)}) > 2
    groups: dict[str, list[str]] = {}
    for word in short:
        groups.setdefault(answers.get(word, word) if is_answer else looks[word], []).append(word)
    twins = sorted(sorted(group) for group in groups.values() if len(group) > 1)
    if not twins:
        return None
    phrase, said = (
        ("same_answer", "yes and no in several words") if is_answer else ("look_alike", "words that look alike")
    )
    shown = "; ".join(" and ".join(map(repr, group)) for group in twins[:SHOWN])
    more = f"; {len(twins) - SHOWN} more" if len(twins) > SHOWN else ""
    gaps = {"groups": twins[:SHOWN], "more": max(len(twins) - SHOWN, 0)}
    return ColumnFinding(column, "look alike", f"{said}: {shown}{more}", "", phrase, gaps)


def near_numbers(
    column: str, n_numbers: int, counts: Mapping[str, int], *, has_dates: bool = False
) -> ColumnFinding | None:
    """Point out words with digits in them where a column holds numbers, such as '1200*' and '<1', or dates."""
    offered = frozenset(perhaps_missing(counts))
    short = (word for word in counts if len(word) <= LONGEST and word not in offered)
    found = sorted(word for word in short if any(c.isdigit() for c in word))
    if not n_numbers or not found:
        return None
    n_rows = sum(counts[word] for word in found)
    shown = ", ".join(map(repr, found[:SHOWN]))
    phrase, what = ("near_dates", "dates") if has_dates else ("near_numbers", "numbers")
    in_one = "; a column is read in one format, so dates in another are words" if has_dates else ""
    evidence = f"words with digits among the {what}, in {n_rows} row{'s' * (n_rows != 1)}: {shown}{in_one}"
    return ColumnFinding(column, "near numbers", evidence, "", phrase, {"words": found[:SHOWN], "rows": n_rows})


def repeated_headers(table: RawTable) -> int:
    """Count the rows in which most columns hold their own names; one alone may be called like one of its words."""
    texts = {name: table.columns[name].text for name in table.names}
    own = [as_text(text).str.strip_chars(BLANKS) == name for name, text in texts.items() if text is not None]
    own = [found.fill_null(value=False) for found in own if found.any()]
    if 2 * len(own) <= len(texts):
        return 0
    n_names = sum((found.cast(pl.Int32) for found in own), start=pl.repeat(0, table.n_rows, dtype=pl.Int32, eager=True))
    return int((2 * n_names > len(texts)).sum())


def repeated_rows(table: RawTable) -> int:
    """Count the rows that are the same as one before in every column; none where rows are often alike by chance."""
    parts = [part for name in table.names for part in (table.columns[name].text, table.columns[name].numbers)]
    return copied_rows(pl.DataFrame({str(i): part for i, part in enumerate(parts) if part is not None}))


def copied_rows(rows: pl.DataFrame) -> int:
    """Count the same, of columns of any values or codes."""
    n_different = rows.n_unique() if rows.width else rows.height
    by_chance = n_different < DIFFERENT * rows.height and not _has_fine_columns(rows, n_different)
    return 0 if by_chance else rows.height - n_different


def _has_fine_columns(rows: pl.DataFrame, n_different: int) -> bool:
    """Tell whether two columns have so many values that chance would hardly give rows the same of both.

    One that repeats another, rank by rank, is not a second one.
    """
    fewest = max(MANY_VALUES, FINE * n_different)
    fine = [column for column in rows.iter_columns() if column.n_unique() > fewest]
    return len({column.rank("dense").to_numpy().tobytes() for column in fine}) > 1


def own_name(column: str, counts: Mapping[str, int], n_headers: int) -> ColumnFinding | None:
    """Point out that a column holds its own name in a few rows: a header that was pasted in once more."""
    n_rows = min(counts.get(column, 0), n_headers)
    if not n_rows or RARE * n_rows > sum(counts.values()) + RARE:
        return None
    evidence = f"its own name in {n_rows} row{'s' * (n_rows != 1)}, perhaps the header once more"
    return ColumnFinding(column, "own name", evidence, "", "own_name", {"rows": n_rows})


def bare(word: str) -> str:
    """Return a word without case, accents and runs of blanks."""
    apart = unicodedata.normalize("NFKD", " ".join(word.split()))
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


def trimmed_cells(column: RawColumn) -> int:
    """Count the cells with blanks at their ends, of those that are not blank."""
    if column.text is None:
        return 0
    distinct = column.text.drop_nulls().cast(pl.String).alias("text").value_counts(name="n")
    bare = distinct["text"].str.strip_chars(BLANKS)
    return int(distinct["n"].filter((bare != distinct["text"]) & (bare != "")).sum())
