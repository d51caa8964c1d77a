"""The learners: their settings, and where each is at home. The one registry.

A learner is a row of `LEARNERS`: a frozen dataclass of settings. The command's options, the page, the bench, the
estimators' checks and the sentences of refusal are made from its fields; the code that learns is loaded when it is
first asked to. To add a learner: its settings here, and a function `(TrainingData, settings, Watch) -> Learned`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from typing import Literal as OneOf

from unless.learn.settings import (
    LearnerSettings,
    columns,
    either,
    flag,
    listed,
    mapping,
    number,
    of_type,
    setting,
    words,
)
from unless.logic.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Rule

PointsChoice: TypeAlias = bool | OneOf["auto"]
A_NUMBER = of_type("a number", Real, Decimal)
WEIGHTS = either(words("balanced"), mapping("a weight by label, such as {'late': 5}", A_NUMBER), None)


@dataclass(frozen=True, kw_only=True)
class UnlessSettings(LearnerSettings):
    """A whole program, optimised at once (docs/unless-classifier.md)."""

    name: ClassVar[str] = "unless"
    title: ClassVar[str] = "unless"
    home: ClassVar[tuple[str, str]] = ("unless.learn.optimise.optimised_program", "learn_optimised")
    needs_rows_here: ClassVar[bool] = True
    keeps_checkpoints: ClassVar[bool] = False
    has_frontier: ClassVar[bool] = True
    for_two_labels: ClassVar[tuple[str, ...]] = ("monotonic_cst", "locked")

    size_penalty: float = setting(
        1.0, number(0, excluding="low"), "number", "Larger gives a shorter program; 1 is usual.", metavar="P"
    )
    max_rules: int | None = setting(
        None, either(number(1, whole=True), None), "whole", "Rules and exceptions at most.", metavar="N"
    )
    max_literals: int = setting(
        5, number(1, 200, whole=True), "whole", "Conditions of a rule at most.", metavar="N"
    )  # fmt: skip
    max_depth: int = setting(2, number(0, whole=True), "whole", "Exceptions above one another.", metavar="N")
    points: PointsChoice = setting(
        "auto",
        either(flag(), words("auto")),
        "switch",
        "Whether rules may be scorecards; inner folds decide if not given.",
    )
    time_limit: float | None = setting(
        None, either(number(0), None), "number", "Then keep the best program so far.", metavar="SECONDS"
    )
    forbidden: Sequence[str] = setting(
        (), columns(), "names", "Columns that no rule may test.", metavar="A,B", option="forbid"
    )
    apart: Sequence[tuple[str, str]] = setting(
        (),
        listed("a list of pairs of columns"),
        "pairs",
        "Two columns that no rule may combine; repeatable.",
        metavar="A,B",
    )
    allow_not_equal: bool = setting(
        True, flag(), "switch", "Whether rules may say that a word is not there.", option="not_equal"
    )
    monotonic_cst: Mapping[str, int] | None = setting(
        None,
        either(mapping("a direction by column, such as {'age': 1}"), None),
        "directions",
        "More only speaks for (+1) or against (-1) the label of the rules.",
        metavar="A=+1,B=-1",
        option="monotonic",
    )
    locked: str | Program | Sequence[Rule] | None = setting(
        None,
        either(of_type("a program, its text", str, Program), listed("a list of rules"), None),
        "rules",
        "Rules to keep as they are.",
        metavar="FILE.lp",
        option="keep",
    )
    class_weight: Any = setting(None, WEIGHTS, "mark", "Both labels weigh the same.", option="balanced")
    costs: Mapping[Any, float] | None = setting(
        None,
        either(mapping("what an error costs by label, such as {'late': 5}", A_NUMBER), None),
        "costs",
        "What an error on rows of a label costs; 1 if not given; repeatable.",
        metavar="LABEL=COST",
        option="cost_of",
    )


@dataclass(frozen=True, kw_only=True)
class FoldRPPSettings(LearnerSettings):
    """FOLD-R++, and FOLD-RM for more than two labels (docs/how-it-works.md)."""

    name: ClassVar[str] = "fold-r++"
    title: ClassVar[str] = "FOLD-R++"
    home: ClassVar[tuple[str, str]] = ("unless.learn.fold.fold_program", "learn_foldrpp")

    ratio: float = setting(
        0.5, number(0, 1), "number", "Negatives that a rule leaves to exceptions, per positive; 0.5 if not given."
    )
    heuristic: str = setting(
        "gain",
        words("gain", "mgi"),
        "word",
        "How literals are chosen: gain or mgi (FOLD-SE's); of fold-r: foil or information.",
        metavar="gain|mgi|foil|information",
    )
    tail: float = setting(
        0.0,
        number(0, 1, excluding="high"),
        "number",
        "Rows that a rule covers at least, of all rows.",
        metavar="SHARE",
    )
    class_weight: Any = setting(None, WEIGHTS, "mark", "Both labels weigh the same.", option="balanced")


@dataclass(frozen=True, kw_only=True)
class FoldRSettings(LearnerSettings):
    """FOLD-R, the forerunner of FOLD-R++ (docs/fold-r.md)."""

    name: ClassVar[str] = "fold-r"
    title: ClassVar[str] = "FOLD-R"
    home: ClassVar[tuple[str, str]] = ("unless.learn.fold.fold_program", "learn_foldr")
    takes_many_labels: ClassVar[bool] = False
    needs_rows_here: ClassVar[bool] = True

    heuristic: str = setting(
        "foil",
        words("foil", "information"),
        "word",
        "How FOLD-R chooses literals: FOIL's gain, or FOLD-R++'s with ratio 0.",
        metavar="foil|information",
    )
    class_weight: Any = setting(None, WEIGHTS, "mark", "Both labels weigh the same.", option="balanced")


LEARNERS: dict[str, type[LearnerSettings]] = {
    settings.name: settings for settings in (UnlessSettings, FoldRPPSettings, FoldRSettings)
}
