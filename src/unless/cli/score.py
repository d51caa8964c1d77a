"""`unless score`: how well a program predicts the labels of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from unless.cli.arguments import (
    AsJson,
    DataFile,
    LabelColumn,
    ModelFile,
    TrainingData,
    labels_text,
    print_json,
    read_data,
)

if TYPE_CHECKING:
    from unless.evaluate.scores import Scores


def score(
    model: ModelFile,
    data: DataFile,
    target: LabelColumn = None,
    training: TrainingData = None,
    as_json: AsJson = False,
) -> None:
    """Compare the program's predictions with the labels of a table; with --training, its probabilities too."""
    from unless.evaluate.predict import predict
    from unless.evaluate.scores import score as score_labels
    from unless.logic.program import label_text
    from unless.logic.text.files import load

    program = load(model)
    table, _ = read_data(data)
    actual = labels_text(table, target or program.target.column)
    predicted = [label_text(label) for label in predict(program, table)]
    result = score_labels(actual, predicted, label_text(program.target.labels[0]))
    trust = None
    if training is not None:
        from unless.evaluate.reliability import reliability, reliability_text

        trust = reliability(program, read_data(training)[0], table, target)
    if as_json:
        print_json(result.as_dict() | ({} if trust is None else {"reliability": trust.as_dict()}))
        return
    typer.echo(scores_text(result))
    if trust is not None:
        typer.echo(reliability_text(trust))


def scores_text(scores: Scores) -> str:
    """Write scores as a few lines."""
    return (
        f"rows {scores.n_rows}   accuracy {scores.accuracy:.4f}   "
        f"precision {scores.precision:.4f}   recall {scores.recall:.4f}   F1 {scores.f1:.4f}\n"
        f"{scores.positive!r} predicted: {scores.tp} right, {scores.fp} wrong; "
        f"not predicted: {scores.tn} right, {scores.fn} wrong"
    )
