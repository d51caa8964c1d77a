"""What requests hold: checked by pydantic, described in the OpenAPI schema. Answers are plain data of the library."""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any
from typing import Literal as OneOf

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, StrictBool

from unless.learn.learners import LEARNERS
from unless.learn.settings import descriptions
from unless.logic.program import MAX_CHARACTERS

MAX_NAME = 10_000


def _cell(value: Any) -> Any:
    """Refuse what is no cell in one sentence: a union would complain about each of its kinds."""
    if isinstance(value, float) and not isfinite(value):
        msg = f"{value} is no number of JSON; a missing value is null"
        raise ValueError(msg)
    if not isinstance(value, bool | int | float | str | None):
        msg = "a cell is a number, text, true or false, or null for missing"
        raise ValueError(msg)
    return value


Text = Annotated[str, Field(max_length=1_000_000)]
Name = Annotated[str, Field(max_length=MAX_NAME)]
Cell = Annotated[StrictBool | FiniteFloat | Text | None, BeforeValidator(_cell)]
"""A number, text, true or false; null is missing."""
Pair = Annotated[list[Name], Field(min_length=2, max_length=2)]
Row = Annotated[dict[Name, Cell], Field(max_length=10_000)]
ProgramText = Annotated[str, Field(max_length=MAX_CHARACTERS, description="The text of a program, as in a model file.")]
Split = OneOf["all", "training", "held_out"]
Learner = OneOf["unless", "fold-r++"]


def accepted(learner: str, name: str) -> Any:
    """Check a value by what the learner's setting accepts."""
    accepts = descriptions(LEARNERS[learner])[name].accepts

    def check(value: Any) -> Any:
        if not accepts.test(value):
            msg = f"{name} is {value!r}; accepted: {accepts.words}"
            raise ValueError(msg)
        return value

    return AfterValidator(check)


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SettingsChange(_Request):
    """How the table is read and what is learned; what is left out stays as it is."""

    kinds: Annotated[dict[Name, OneOf["numerical", "categorical"]], Field(max_length=10_000)] | None = None
    left_out: Annotated[list[Name], Field(max_length=10_000)] | None = None
    missing: Annotated[list[Name], Field(max_length=1_000)] | None = None
    target: Name | None = None
    positive: Name | None = None
    learner: Learner | None = None
    ratio: Annotated[FiniteFloat, accepted("fold-r++", "ratio")] | None = None
    size_penalty: Annotated[FiniteFloat, accepted("unless", "size_penalty")] | None = None
    max_rules: Annotated[int, Field(ge=0, le=1_000, description="0 for no limit.")] | None = None
    forbidden: Annotated[list[Name], Field(max_length=10_000)] | None = None
    directions: Annotated[dict[Name, OneOf[-1, 1]], Field(max_length=10_000)] | None = None
    never_together: (
        Annotated[list[Annotated[list[Name], Field(min_length=2, max_length=2)]], Field(max_length=1_000)] | None
    ) = None
    costs: Annotated[dict[Name, Annotated[FiniteFloat, Field(gt=0)]], Field(max_length=1_000)] | None = None
    keep_locked: bool | None = None
    held_out: Annotated[FiniteFloat, Field(ge=0.0, le=0.9)] | None = None
    how_apart: OneOf["share", "newest", "groups", "folds"] | None = None
    apart_column: Name | None = None


class StepRequest(_Request):
    """A change, made while looking at a revision of the draft."""

    revision: int | None = None


class DraftRequest(StepRequest):
    """The text in the editor."""

    text: ProgramText


class VersionRequest(StepRequest):
    """A version to keep: its name, why, and who decided."""

    name: Annotated[str, Field(max_length=200)]
    comment: Annotated[str, Field(max_length=5_000)] = ""
    by: Annotated[str, Field(max_length=200)] = ""


class WhatIfRequest(_Request):
    """A row with values that a person changed."""

    row: Row


class ErrorDetail(BaseModel):
    """Why a request was not answered."""

    kind: str
    message: str
    line: int | None = None
    column: int | None = None
    expected: list[str] | None = None


class ErrorAnswer(BaseModel):
    """An answer that says what went wrong."""

    error: ErrorDetail
