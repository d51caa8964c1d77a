"""`unless demo`: loan decisions drawn from a planted theory, and what each learner makes of them, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import AsJson, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from unless.cli.learned import Summary
    from unless.learn.settings import LearnerSettings
    from unless.logic.program import Program

N_TRAINING = 1500
SHOWN = 6
"""So many lines of each program are shown."""

NEXT = """\
Next: unless demo --save loans.csv                      this table as a file
      unless learn loans.csv --target loan -o loans.lp  learn from a file
      unless explain loans.lp loans.csv --row 6         why a row is decided so"""


def demo(
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.csv", help="Also write the table to a file.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn loan decisions that were drawn from a planted theory, and compare."""
    from unless.datasets import NOISE, loans, planted_theory
    from unless.learn.learners import FoldRPPSettings, UnlessSettings
    from unless.logic.text.files import write_text

    table = loans()
    if save is not None:
        write_text(save, table.write_csv())
    training, held_out = table.head(N_TRAINING), table.tail(table.height - N_TRAINING)
    planted = planted_theory()
    found = [(each.title, *_tried(each, training, held_out)) for each in (UnlessSettings(), FoldRPPSettings())]
    if as_json:
        print_json({"planted": str(planted), "learners": [_data(*each) for each in found]})
        return
    typer.echo(f"Planted, with {NOISE:.0%} noise and some cells missing:".replace("%", " %"))
    for line in _rules(planted):
        typer.echo(line)
    typer.echo(f"Learned from {training.height:,} decisions, right on {held_out.height:,} held-out ones:")
    for title, summary, accuracy in found:
        typer.echo(f"{title}: {100 * accuracy:.1f} % right, by {summary.sized()}")
        for line in _rules(summary.learned.program):
            typer.echo(line)
    typer.echo(NEXT)


def _rules(program: Program) -> Iterator[str]:
    """Say a program, as far as there is room."""
    from unless.cli.learned import wrapped
    from unless.logic.text.remarks import remarks

    lines = [line for sentence in remarks(program).values() for line in wrapped(sentence, "  ")]
    yield from lines if len(lines) <= SHOWN else (*lines[: SHOWN - 1], "    ...")


def _data(title: str, summary: Summary, accuracy: float) -> dict[str, Any]:
    held_out = {"held_out_accuracy": accuracy}
    return {"learner": title, "program": str(summary.learned.program), **summary.as_dict(), **held_out}


def _tried(settings: LearnerSettings, training: pl.DataFrame, held_out: pl.DataFrame) -> tuple[Summary, float]:
    """Learn from some loans, and return the share of the others that is right."""
    from time import perf_counter

    from unless.cli.learned import Summary
    from unless.evaluate.predict import predict
    from unless.learn.front import learn, table_task
    from unless.table.kind_choice import kinds_by_name
    from unless.table.kinds import KindRule

    kinds = kinds_by_name(["purpose", "housing", "history"], ["income", "debt_ratio", "years_in_job"])
    start = perf_counter()
    task = table_task(training.drop("loan"), training["loan"], kinds=KindRule("dtype", kinds), positive="approved")
    learned = learn(task, settings)
    predicted = predict(learned.program, held_out)
    n_right = sum(a == b for a, b in zip(held_out["loan"], predicted, strict=True))
    return Summary(learned, perf_counter() - start), n_right / held_out.height
