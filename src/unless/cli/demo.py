"""`unless demo`: learn from an embedded table and show what was planted beside what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import polars as pl

    from unless.logic.program import Program

NEXT = """\
What to try next:
  unless demo --save loans.csv                       write this table to a file
  unless learn loans.csv --target loan -o loans.lp   learn a program from a file
  unless score loans.lp loans.csv                    how well it predicts
  unless predict loans.lp loans.csv                  a label for each row
Then open loans.lp in an editor, change a rule, and score it again."""


def demo(
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.csv", help="Also write the table to a file.", show_default=False),
    ] = None,
) -> None:
    """Learn loan decisions that were drawn from a planted theory, and compare."""
    from unless.datasets import NOISE, loans, planted_theory
    from unless.evaluate.predict import predict
    from unless.evaluate.scores import score
    from unless.explain.faces.score_text import scores_text
    from unless.logic.text.files import write_text
    from unless.logic.text.printer import clause_lines

    table = loans()
    if save is not None:
        write_text(save, table.write_csv())
    train, test = table.head(1500), table.tail(500)
    program = learned_program(train)
    typer.echo(
        f"{train.height} loan decisions, drawn from this theory with {NOISE:.0%} noise and some cells missing:\n"
    )
    for line in clause_lines(planted_theory()):
        typer.echo(f"  {line}")
    typer.echo("\nLearned from them by FOLD-R++:\n")
    for line in clause_lines(program):
        typer.echo(f"  {line}")
    predicted = [str(label) for label in predict(program, test)]
    typer.echo(f"\nOn {test.height} further decisions:\n")
    typer.echo("  " + scores_text(score(test["loan"].to_list(), predicted, "approved")).replace("\n", "\n  "))
    typer.echo("\n" + NEXT)


def learned_program(table: pl.DataFrame) -> Program:
    """Learn from the loans by FOLD-R++."""
    from unless.learn.front import learn, table_task
    from unless.learn.hiding import hiding
    from unless.learn.learners import FoldRPPSettings
    from unless.table.kinds import KindRule, kinds_by_name

    kinds = kinds_by_name(["purpose", "housing", "history"], ["income", "debt_ratio", "years_in_job"])
    with hiding("scipy"):
        task = table_task(table.drop("loan"), table["loan"], kinds=KindRule("dtype", kinds), positive="approved")
        return learn(task, FoldRPPSettings()).program
