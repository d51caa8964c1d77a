"""A program as SQL: a SELECT over a table, a view, or one expression."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from unless.errors import DataError, listing
from unless.export.from_program import decision_form, probability_note
from unless.export.sql.printer_of_tests import SqlPrinter, check_length
from unless.export.sql.written_formats import READERS, can_read, is_readable
from unless.logic.date_parts import date_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer, SqlDialect
    from unless.export.two_valued import DecisionForm
    from unless.logic.program import Program
    from unless.logic.rules import Column

SHAPES = ("select", "view", "expression")


def write_sql(program: Program, dialect: SqlDialect, options: ExportOptions) -> str:
    """Write a program in a dialect."""
    if options.shape not in SHAPES:
        msg = f"SQL has no form {options.shape!r}; forms: {listing(SHAPES)}."
        raise DataError(msg)
    form = decision_form(program)
    check_readings(form, dialect.title, partial(can_read, dialect))
    if options.shape == "expression":
        return expression(form, dialect) + "\n"
    written, note = select(form, dialect, options.table), probability_note(program)
    if options.shape == "view":
        written = dialect.view(f"{options.table}_predicted", written)
    return f"-- {note}\n{written};\n" if note else f"{written};\n"


def check_readings(form: DecisionForm, title: str, reads: Callable[[Column], bool] = lambda _: False) -> None:
    """Refuse columns whose cells are written in a format that cannot be read there."""
    for column in form.columns:
        if column.reading and not reads(column):
            what = "is made from a date" if date_part(column.reading) else f"is written as {column.reading!r}"
            msg = (
                f"column {column.name!r} {what}, which {title} does not read; accepted there: numbers and words. "
                f"Hint: export to {_readers(form)}, or learn from a table with plain numbers."
            )
            raise DataError(msg)


def _readers(form: DecisionForm) -> str:
    """Name the targets that read the formats of all columns: Python and JavaScript do, and some databases."""
    able = READERS if all(is_readable(column) for column in form.columns if column.reading) else ()
    return f"{', '.join([*able, 'python'])} or javascript"


def select(form: DecisionForm, dialect: SqlDialect, table: str) -> str:
    """Write the columns of a table with the label, the rule and, where the program is graded, the probabilities."""
    printer = SqlPrinter(form, dialect)
    layers, decision = _decided(printer)
    predicted, rule, *probabilities = form.answers
    answers = {predicted: printer.predicted(decision), rule: printer.rule(decision)}
    if form.cards:
        points = [f"{printer.prefix}points{i}" for i in range(1, len(form.cards) + 1)]
        layers.append({n: printer.card_points(c, decision) for n, c in zip(points, form.cards, strict=True)})
        if len(form.cards) > 1:
            curves = [f"{name}_curve" for name in points]
            cards = zip(curves, form.cards, points, strict=True)
            layers.append({curve: printer.curve(card, name) for curve, card, name in cards})
            points = curves
        said = [printer.probability(decision, points)]
        if form.plain_card:
            said.append(printer.as_they_are(form.plain_card, decision, points[0]))
        answers |= dict(zip(probabilities, said, strict=True))
    check_columns(layers, dialect)
    return dialect.stacked(dialect.table(table), layers, answers)


def check_columns(layers: list[Layer], dialect: SqlDialect) -> None:
    """Refuse a program with more parts than a query of an engine may have columns."""
    n_columns = sum(map(len, layers))
    if dialect.most_columns and n_columns > dialect.most_columns:
        msg = (
            f"the program is worked out in {n_columns:,} parts, columns of one query, of which {dialect.title} takes "
            f"{dialect.most_columns:,}. Hint: export it to sql:duckdb, python or javascript, or learn fewer rules."
        )
        raise DataError(msg)


def expression(form: DecisionForm, dialect: SqlDialect) -> str:
    """Write the label as one expression over the columns of a table."""
    if dialect.asks_its_row:
        return _query_of_row(form, dialect)
    printer = SqlPrinter(form, dialect, inline=True)
    printer.layers()
    written = printer.predicted(f"({printer.decision()})")
    check_length(written)
    return written


def _query_of_row(form: DecisionForm, dialect: SqlDialect) -> str:
    printer = SqlPrinter(form, dialect)
    layers, decision = _decided(printer)
    check_columns(layers, dialect)
    return dialect.of_row(layers, printer.predicted(decision))


def _decided(printer: SqlPrinter) -> tuple[list[Layer], str]:
    """Return the layers up to the decision, and its name."""
    decision = f"{printer.prefix}decision"
    return [*printer.layers(), {decision: printer.decision()}], decision
