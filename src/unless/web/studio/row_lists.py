"""The Rows screen: rows of a split that meet filters, sorted and searched, a page at a time.

In: a session and what is wanted. Out: plain data. Values are shown as the table writes them: dates as dates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.region_rows import deciding_rules
from unless.explain.words.language import language
from unless.logic.graded import grade_of
from unless.logic.program import label_text
from unless.logic.readings import typed_value
from unless.logic.rules import Column
from unless.table.cells import MISSING
from unless.web.explained_row import LANGUAGE
from unless.web.studio.segment_groups import segment_groups
from unless.web.studio.shown_cells import read_cells_of, shown_cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.table.cells import Cells
    from unless.web.session import Session

    Rows = NDArray[np.bool_]

COMPARED = ("=<", ">=")


@dataclass(frozen=True)
class RowFilter:
    """Which rows are wanted: those of a split that also meet what else is given; `column` with what it must be.

    `is_wrong` asks for rows whose predicted label is not the actual one; `by` and `segment` ask for a segment of a
    column; `sort` names a column, with - before it for the largest first.
    """

    split: str
    rule: str | None = None
    actual: int | None = None
    predicted: int | None = None
    flips: bool = False
    is_wrong: bool = False
    search: str = ""
    column: str | None = None
    op: str = "is"
    value: str = ""
    sort: str = ""
    by: str | None = None
    segment: int = 0


def page(session: Session, wanted: RowFilter, offset: int, limit: int) -> dict[str, Any]:
    """List some of the rows wanted."""
    opened, program = session.need_table(), session.current
    view = None if program is None else session.on_table(program).view
    numbers = rows_wanted(session, view, wanted)
    names = [name for name in opened.table.names if opened.guesses[name].usable]
    identifiers = [name for name in opened.identifiers if name in names]
    shown = numbers[offset : offset + limit]
    columns = [shown_cells(session, name, shown).to_list() for name in names]
    rules = None if view is None else deciding_rules(view)
    chances = None if view is None else shown_probabilities(view)
    return {
        "n_rows": len(numbers),
        "n_wrong": None if view is None or view.actual is None else int((view.actual != view.predicted)[numbers].sum()),
        "offset": offset,
        "columns": names,
        "identifiers": identifiers,
        "numbers": [name for name in names if session.settings.kinds[name] == "numerical"],
        "used": [] if view is None else list(view.program.used_columns),
        "segment": None if wanted.by is None else _segment(session, wanted)[0],
        "probable": None if view is None or chances is None else {"label": probable_label(view)},
        "rows": [
            {
                "row": row,
                "predicted": None if view is None else view.predicted_text(row),
                "actual": None if view is None else view.actual_text(row),
                "rule": None if rules is None else str(rules[row]),
                "probability": None if chances is None else float(chances[row]),
                "values": list(values),
            }
            for row, *values in zip(shown.tolist(), *columns, strict=True)
        ],
    }


def rows_wanted(session: Session, view: View | None, wanted: RowFilter) -> NDArray[np.intp]:
    """Return the numbers of the rows wanted, in order."""
    found = np.flatnonzero(is_wanted(session, view, wanted))
    if not wanted.sort:
        return found
    name, down = wanted.sort.removeprefix("-"), wanted.sort.startswith("-")
    keys = _sort_keys(session, view, name)[found]
    # Blank cells come last in either direction.
    blank = keys == np.inf
    order = np.argsort(np.where(blank, np.inf, -keys if down else keys), kind="stable")
    return found[order]


def _sort_keys(session: Session, view: View | None, name: str) -> NDArray[np.float64]:
    chances = shown_probabilities(view) if view is not None and name == "probability" else None
    if chances is not None:
        return chances
    cells = read_cells_of(session, name)
    keys = np.full(cells.n_rows, np.inf)
    if cells.words is not None and len(cells.words.lexicon):
        ranks = np.argsort(np.argsort(np.array([word.lower() for word in cells.words.lexicon]), kind="stable"))
        is_word = cells.words.codes != MISSING
        # Words come after all numbers.
        keys[is_word] = 1e300 + ranks[cells.words.codes[is_word]] * 1e290
    if cells.numbers is not None:
        is_number = ~np.isnan(cells.numbers)
        keys[is_number] = cells.numbers[is_number]
    return keys


def probable_label(view: View) -> str | None:
    """Name the label whose probability is shown, None if it is that of each row's predicted one: see `row_risk`."""
    cards = grade_of(view.program).cards
    return label_text(cards[0].label) if len(cards) == 1 else None


def shown_probabilities(view: View) -> NDArray[np.float64] | None:
    """Return for each row the probability that is shown beside its label; None without a grade or its columns."""
    found = view.probabilities
    if not found:
        return None
    label = probable_label(view)
    if label is not None:
        return found[label]
    columns = [list(found).index(label_text(each)) for each in view.labels]
    by_label = np.column_stack(list(found.values()))
    return np.asarray(by_label[np.arange(len(by_label)), np.array(columns)[view.predicted]])


def is_wanted(session: Session, view: View | None, wanted: RowFilter) -> Rows:
    """Tell of each row whether it is wanted."""
    rows = session.rows(wanted.split).copy()
    if wanted.column is not None:
        rows &= _column_is(session, wanted)
    if wanted.by is not None:
        rows &= _segment(session, wanted)[1]
    if wanted.search:
        rows &= _found(session, wanted.search)
    if view is None:
        return rows
    if wanted.rule is not None:
        rows &= session.covered(view.program, wanted.rule)
    if wanted.predicted is not None:
        rows &= view.predicted == wanted.predicted
    if wanted.actual is not None and view.actual is not None:
        rows &= view.actual == (wanted.actual if wanted.actual < len(view.labels) else -1)
    if wanted.is_wrong and view.actual is not None:
        rows &= view.actual != view.predicted
    in_use = session.program
    if wanted.flips and session.draft is not None and in_use is not None:
        before = session.on_table(in_use).view
        rows &= before.predicted_texts() != view.predicted_texts()
    return rows


def _segment(session: Session, wanted: RowFilter) -> tuple[str, Rows]:
    """Return the name and the rows of a segment, as the Affected screen has them."""
    assert wanted.by is not None
    groups = segment_groups(session, wanted.by, session.rows(wanted.split))
    if not 0 <= wanted.segment < len(groups):
        msg = f"column {wanted.by!r} has {len(groups)} segments, and there is no number {wanted.segment}."
        raise DataError(msg)
    key, rows = groups[wanted.segment]
    return language(LANGUAGE).value(key.word) if key.text is None else key.text, rows


def _column_is(session: Session, wanted: RowFilter) -> Rows:
    """Return the rows whose cell is a word or number, has a text in it, is blank, at most or at least something."""
    assert wanted.column is not None
    cells, opened = read_cells_of(session, wanted.column), session.need_table()
    if wanted.op == "blank":
        return cells.blank()
    if not wanted.value.strip():
        msg = f"type what column {wanted.column!r} is to be, or choose 'is blank'."
        raise DataError(msg)
    if wanted.op == "has":
        return _has_text(session, wanted.column, wanted.value)
    kind, reading = session.settings.kinds[wanted.column], opened.readings.get(wanted.column, "")
    value = typed_value(Column(wanted.column, kind, reading=reading), wanted.value)
    if isinstance(value, float):
        compared = {"is": np.equal, "=<": np.less_equal, ">=": np.greater_equal}[wanted.op]
        return np.zeros(cells.n_rows, dtype=bool) if cells.numbers is None else compared(cells.numbers, value)
    if wanted.op in COMPARED:
        hint = f"; it is written like {reading}" if reading else ""
        msg = f"{wanted.value!r} is no number of column {wanted.column!r}{hint}."
        raise DataError(msg)
    return _words_where(cells, lambda word: word == value)


def _has_text(session: Session, name: str, text: str) -> Rows:
    """Return the rows that have a text in the cell of a column as the table writes it, in capitals or not."""
    opened = session.need_table()
    cells = opened.read(opened.table.columns[name], "categorical", session.settings.missing)
    return _words_where(cells, lambda word: text.lower() in word.lower())


def _words_where(cells: Cells, is_meant: Callable[[str], bool]) -> Rows:
    """Return the rows whose word is meant."""
    if cells.words is None:
        return np.zeros(cells.n_rows, dtype=bool)
    matching = np.array([*map(is_meant, cells.words.lexicon), False])  # the last is of missing
    return np.asarray(matching[np.where(cells.words.codes == MISSING, -1, cells.words.codes)])


def _found(session: Session, text: str) -> Rows:
    """Return the rows that have a text in some cell, or are the row with that number."""
    opened = session.need_table()
    found = np.zeros(opened.table.n_rows, dtype=bool)
    if text.isdecimal() and int(text) < len(found):
        found[int(text)] = True
    for name in opened.table.names:
        if opened.guesses[name].usable:
            found |= _has_text(session, name, text)
    return found
