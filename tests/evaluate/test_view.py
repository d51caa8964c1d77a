"""Views: what coverage, comparison and the studio share agrees with what each says alone."""

from collections import Counter

import numpy as np
import pytest

from studio import BIRDS, LABELS, ROWS
from unless.errors import ProgramError
from unless.evaluate.compare import compare
from unless.evaluate.coverage import coverage, covered_rows, view_coverage
from unless.evaluate.predict import predict
from unless.evaluate.view import View
from unless.logic.text.parser import parse
from unless.table.columns import RawColumn, cells
from unless.table.frames import raw_table
from unless.table.labels import one_against_rest

LABELLED = [{**row, "flies": label} for row, label in zip(ROWS, LABELS, strict=True)]


def view() -> View:
    return View(parse(BIRDS), raw_table(LABELLED))


def test_a_view_tells_what_predict_tells() -> None:
    assert view().predicted_texts().tolist() == predict(parse(BIRDS), ROWS)
    assert view().accuracy() == 1.0
    assert view().scores("yes").as_dict()["tp"] == 2


def test_each_line_of_the_coverage_covers_the_rows_that_it_counts() -> None:
    for line in coverage(parse(BIRDS), LABELLED).lines:
        rows = covered_rows(view(), line.number)
        assert int(rows.sum()) == line.covered
        assert tuple(np.flatnonzero(rows)[:3].tolist()) == line.examples


def test_coverage_of_parts_adds_up_to_coverage_of_the_whole() -> None:
    whole, some = view_coverage(view()), np.array([True, False, True, False])
    parts = [view_coverage(view(), rows) for rows in (some, ~some)]
    for i, line in enumerate(whole.lines):
        assert line.covered == sum(part.lines[i].covered for part in parts)
        assert line.right == sum(part.lines[i].right or 0 for part in parts)


@pytest.mark.parametrize("number", ["9", "1.9", "1.1.1.1", "x"])
def test_rules_that_are_not_there_are_refused(number: str) -> None:
    with pytest.raises(ProgramError, match="no rule"):
        covered_rows(view(), number)


def test_columns_are_read_once_when_the_reader_remembers() -> None:
    read: list[str] = []

    def remembering(column, kind, missing, reading):
        read.append(column.name)
        return cells(column, kind, missing, reading)

    looked = View(parse(BIRDS), raw_table(LABELLED), read=remembering)
    assert (looked.predicted == looked.predicted).all()
    assert sorted(read) == ["age", "bird", "name"]


def test_flips_read_their_values_when_asked() -> None:
    flips = compare(parse(BIRDS), parse(BIRDS.replace("'penguin'", "'robin'")), LABELLED).flips
    assert [dict(flip.values) for flip in flips] == [ROWS[0], ROWS[1]]


def test_some_rows_of_a_table_are_those_rows() -> None:
    some = raw_table(LABELLED).take(np.array([2, 0]))
    assert some.n_rows == 2
    read = cells(some.column("age"), "numerical")
    assert [read.value(0), read.value(1)] == [101.5, 2.0]


def test_one_label_is_kept_and_the_others_become_the_rest() -> None:
    import polars as pl

    column = RawColumn("y", text=pl.Series(["a", "b", None, "c", "a"]))
    rest = one_against_rest(column, "a", "not a").text
    assert rest is not None
    assert rest.to_list() == ["a", "not a", None, "not a", "a"]


def test_labels_are_confused_as_a_count_by_hand_says() -> None:
    """Labels that the program does not know are counted under the word of the table."""
    rows = [{**row, "flies": label} for row, label in zip(ROWS * 2, [*LABELS, "no", "yes", "maybe", "no"], strict=True)]
    by_hand = Counter(zip((row["flies"] for row in rows), predict(parse(BIRDS), rows), strict=True))
    counts = View(parse(BIRDS), raw_table(rows)).confusion()
    assert set(counts) == {"maybe", "no", "yes"} == set(counts["yes"])
    assert {(a, b): n for a, row in counts.items() for b, n in row.items() if n} == by_hand
