"""Edits that the page's forms ask for, each one step that can be undone: by `logic.edits`, said in words.

In: what is to change, as checked data, and the moment that it is to change. Out: the next moment, and the sentence that
says what is different. A locked rule is not changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any
from typing import Literal as OneOf

from pydantic import BaseModel, ConfigDict, Field

from unless.errors import DataError
from unless.explain.words.conditions import Conditions
from unless.explain.words.edit_words import edit_sentences
from unless.explain.words.language import language
from unless.explain.words.program_lines import rule_sentence
from unless.logic.edits import rule_parts, whole_rules
from unless.logic.edits.found_parts import entry_of
from unless.web.explained_row import LANGUAGE
from unless.web.studio.locked_rules import rule_text
from unless.web.studio.program_work import parsed
from unless.web.studio.timeline import OffRule
from unless.web.studio.value_forms import ValuesForm, bounds_of, column_of, values_of_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.program import Program
    from unless.web.session import Session
    from unless.web.studio.timeline import Moment

Number = Annotated[str, Field(max_length=100, pattern=r"^\d{1,9}(\.\d{1,9}){0,20}$")]
Name = Annotated[str, Field(max_length=10_000)]
What = OneOf[
    "test", "drop", "points", "needed", "case", "add case", "drop case", "exception", "rule", "remove", "up", "down",
    "off", "on", "lock", "unlock",
]  # fmt: skip


class FormEdit(BaseModel):
    """One edit: what is done to which rule, and with what; `case` counts from 0, as the page shows them."""

    model_config = ConfigDict(extra="forbid")

    do: What
    rule: Number | None = None
    column: Name | None = None
    values: ValuesForm | None = None
    case: Annotated[int, Field(ge=0, le=10_000)] | None = None
    points: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    label: Annotated[int, Field(ge=0, le=10_000)] | None = None
    tests: Annotated[dict[Name, ValuesForm], Field(max_length=50)] | None = None
    revision: int | None = None


def apply_edit(session: Session, edit: FormEdit) -> str:
    """Change the draft, and say what is different."""
    with session.lock:
        session.timeline.check(edit.revision)
        moment, said = _moment(session.timeline.now, session.need_current(), edit)
        session.step(moment, said, edit.revision)
    return said


def preview_edit(session: Session, edit: FormEdit) -> tuple[str, str]:
    """Return the text of the draft after an edit that is not made yet, and what would be different."""
    with session.lock:
        moment, said = _moment(session.timeline.now, session.need_current(), edit)
    return moment.text or "", said


def typed_bounds(session: Session, edit: FormEdit) -> dict[str, Any]:
    """Read the bounds that an edit names: those of its column, or of the last of its tests."""
    tests = edit.tests or ({} if edit.column is None or edit.values is None else {edit.column: edit.values})
    program = session.need_current()
    return bounds_of(session, program, *list(tests.items())[-1]) if tests else {}


def _moment(now: Moment, program: Program, edit: FormEdit) -> tuple[Moment, str]:
    if edit.do in ("lock", "unlock"):
        return _locked(now, program, edit)
    if edit.do == "on":
        return _switched_on(now, program, edit)
    _refuse_locked(now, program, edit)
    changed = EDITS[edit.do](program, edit)
    said = " ".join(edit_sentences(program, changed, language(LANGUAGE)))
    moment = _with_draft(now, changed)
    if edit.do == "off":
        text = rule_words(program, _need(edit.rule, "rule"))
        off = OffRule(text, _need(edit.rule, "rule"), str(program))
        return replace(moment, off=(*now.off, off)), f"Switched off {edit.rule}: {text}."
    return moment, said


def _with_draft(now: Moment, changed: Program) -> Moment:
    text = str(changed)
    return replace(now, draft=None if text == now.program else text)


def _switched_on(now: Moment, program: Program, edit: FormEdit) -> tuple[Moment, str]:
    index = _need(edit.case, "case")
    if index >= len(now.off):
        msg = "nothing like that is switched off."
        raise DataError(msg)
    off = now.off[index]
    piece = whole_rules.switch_off(parsed(off.before), off.number)[1]
    changed = whole_rules.switch_on(program, piece)
    kept = tuple(each for i, each in enumerate(now.off) if i != index)
    return replace(_with_draft(now, changed), off=kept), f"Switched on again: {off.text}."


def _locked(now: Moment, program: Program, edit: FormEdit) -> tuple[Moment, str]:
    number = _need(edit.rule, "rule")
    text, first = rule_text(program, number), number.split(".", maxsplit=1)[0]
    if edit.do == "unlock":
        return replace(now, locked=tuple(t for t in now.locked if t != text)), f"Unlocked rule {first}."
    whole_rules.only_rules(program, [first])  # rules in order cannot be locked: say so now
    return replace(now, locked=tuple(dict.fromkeys((*now.locked, text)))), f"Locked rule {first}."


def _refuse_locked(now: Moment, program: Program, edit: FormEdit) -> None:
    if edit.rule is not None and rule_text(program, edit.rule) in now.locked:
        msg = f"rule {edit.rule.split('.', maxsplit=1)[0]} is locked; unlock it to change it."
        raise DataError(msg)


def rule_words(program: Program, number: str) -> str:
    """Say a rule or exception in a few words."""
    entry, words = entry_of(program, number), language(LANGUAGE)
    if entry.kind == "rule":
        return rule_sentence(entry, words)
    return words.say("program", "exception", body=Conditions(words, is_short=True).body(entry))


def _need(value: Any, what: str) -> Any:
    if value is None:
        msg = f"this edit needs {what!r}."
        raise DataError(msg)
    return value


def _values(program: Program, edit: FormEdit) -> tuple[str, Any]:
    name = _need(edit.column, "column")
    return name, values_of_form(_need(edit.values, "values"), column_of(program, name))


def _tests(program: Program, edit: FormEdit) -> dict[str, Any]:
    asked = _need(edit.tests, "tests")
    return {name: values_of_form(form, column_of(program, name)) for name, form in asked.items()}


def _test(program: Program, edit: FormEdit) -> Program:
    return rule_parts.change_test(program, _need(edit.rule, "rule"), *_values(program, edit))


def _drop(program: Program, edit: FormEdit) -> Program:
    number = _need(edit.rule, "rule")
    if edit.column is not None:
        return rule_parts.drop_test(program, number, edit.column)
    conditions, index = entry_of(program, number).conditions, _need(edit.case, "case")
    if index >= len(conditions):
        msg = f"{number} has {len(conditions)} conditions."
        raise DataError(msg)
    return rule_parts.drop_other(program, number, conditions[index])


def _case(program: Program, edit: FormEdit) -> Program:
    number, case = _need(edit.rule, "rule"), _need(edit.case, "case")
    return rule_parts.change_case(program, number, case, *_values(program, edit))


def _points(program: Program, edit: FormEdit) -> Program:
    number, case = _need(edit.rule, "rule"), _need(edit.case, "case")
    return rule_parts.change_points(program, number, case, _need(edit.points, "points"))


def _add_case(program: Program, edit: FormEdit) -> Program:
    number, points = _need(edit.rule, "rule"), _need(edit.points, "points")
    return rule_parts.add_case(program, number, points, *_values(program, edit))


def _rule(program: Program, edit: FormEdit) -> Program:
    labels = program.target.labels
    index = edit.label or 0
    if index >= len(labels):
        msg = f"there is no label {index}; rules conclude {len(labels)} of them."
        raise DataError(msg)
    return whole_rules.add_rule(program, labels[index], _tests(program, edit))


EDITS: dict[str, Callable[[Program, FormEdit], Program]] = {
    "test": _test,
    "drop": _drop,
    "case": _case,
    "points": _points,
    "needed": lambda p, e: rule_parts.change_needed(p, _need(e.rule, "rule"), _need(e.points, "points")),
    "add case": _add_case,
    "drop case": lambda p, e: rule_parts.drop_case(p, _need(e.rule, "rule"), _need(e.case, "case")),
    "exception": lambda p, e: whole_rules.add_exception(p, _need(e.rule, "rule"), _tests(p, e)),
    "rule": _rule,
    "remove": lambda p, e: whole_rules.remove_entry(p, _need(e.rule, "rule")),
    "up": lambda p, e: whole_rules.move_rule(p, _need(e.rule, "rule"), -1),
    "down": lambda p, e: whole_rules.move_rule(p, _need(e.rule, "rule"), 1),
    "off": lambda p, e: whole_rules.switch_off(p, _need(e.rule, "rule"))[0],
}
"""What each edit does to the program."""
