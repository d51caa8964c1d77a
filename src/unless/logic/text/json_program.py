"""A program as JSON and back: the same program, for those who have a JSON reader and no parser of logic programs.

    {"format": "unless program", "version": 1,
     "target": {"column": "loan", "labels": ["approved"], "default": "denied"},
     "columns": [{"name": "age", "kind": "numerical"}], "missing": ["?"],
     "clauses": [{"concludes": "approved", "body": [{"column": "age", "op": ">", "value": 30.0}, {"call": "ab1",
     "negated": true}]}, {"defines": "ab1", "body": [{"points": [{"points": 2, "call": "old"}, ...], "threshold": 3}]}]}

`grade`, `unseen`, `templates` and `constraints` are there where the program has them. The law is that of the text: what
is read is equal to what was written. A field that is not known is refused, so that no condition is lost in silence.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, ProgramSyntaxError, listing
from unless.logic.clause import Call, Clause, Goal, Points, as_dict
from unless.logic.grade import Award, Band, Blank, Both, Card, CellCondition, Decided, Grade, GradeCondition
from unless.logic.kept_constraints import Constraints
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Label, Literal, OneOf
from unless.logic.templates import Template
from unless.logic.terms import Variable
from unless.logic.text.parser import parse
from unless.logic.unseen_rows import SAVED, Unseen

if TYPE_CHECKING:
    from collections.abc import Collection

FORMAT = "unless program"
VERSION = 1


def program_json(program: Program) -> str:
    """Write a program as JSON."""
    return json.dumps(program_data(program), ensure_ascii=False, indent=1) + "\n"


def program_data(program: Program) -> dict[str, Any]:
    """Return a program as plain data."""
    target = program.target
    whole: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "target": {"column": target.column, "labels": list(target.labels), "default": target.default},
        "columns": [_column_data(column) for column in program.columns],
        "missing": list(program.missing),
        "clauses": [_clause_data(clause) for clause in program.clauses],
    }
    if program.grade is not None:
        whole["grade"] = _grade_data(program.grade)
    if program.unseen is not None:
        whole["unseen"] = {name: getattr(program.unseen, name) for name in SAVED}
    if program.templates:
        whole["templates"] = [_template_data(template) for template in program.templates]
    if program.constraints:
        whole["constraints"] = program.constraints.as_dict()
    return whole


def _column_data(column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if column.values:
        found["values"] = list(column.values)
    return found | ({"reading": column.reading} if column.reading else {})


def _clause_data(clause: Clause) -> dict[str, Any]:
    head = {"concludes": clause.label} if clause.name is None else {"defines": clause.name}
    return {**head, "body": [as_dict(goal) for goal in clause.body]}


def _grade_data(grade: Grade) -> dict[str, Any]:
    cards = [
        {
            "label": card.label,
            "slope": card.slope,
            "offset": card.offset,
            "awards": [
                {"points": a.points, "unless" if a.unless else "if": _condition_data(a.condition)} for a in card.awards
            ],
            "bands": [{"from": b.low, "to": b.high, "rows": b.n_rows, "of_label": b.n_label} for b in card.bands],
        }
        for card in grade.cards
    ]
    return {"mark": grade.mark, "is_weighed": grade.is_weighed, "cost_ratio": grade.cost_ratio, "cards": cards}


def _condition_data(condition: GradeCondition) -> dict[str, Any]:
    match condition:
        case Decided():
            return {"decided": True}
        case Both(first, second):
            return {"both": [_condition_data(first), _condition_data(second)]}
        case Blank(column):
            return {"column": column, "blank": True}
        case OneOf(column, words, negated):
            return {"column": column, "in": list(words), "negated": negated}
        case Literal():
            found: dict[str, Any] = as_dict(condition)
            return found


def _template_data(template: Template) -> dict[str, Any]:
    arguments = [{"variable": a.name} if isinstance(a, Variable) else a for a in template.arguments]
    return {
        "subject": template.subject,
        "name": template.name,
        "negated": template.negated,
        "arguments": arguments,
        "text": template.text,
    }


def read_program_json(text: str) -> Program:
    """Read a program that was written as JSON."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"line {error.lineno}, column {error.colno}: this is no JSON ({error.msg})."
        raise DataError(msg) from None
    except (ValueError, RecursionError):
        msg = (
            "this JSON holds a number of thousands of digits, or thousands of brackets in one another: no program does."
        )
        raise DataError(msg) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT or whole.get("version") != VERSION:
        msg = f"this JSON is no program; accepted: an object with format {FORMAT!r} and version {VERSION}."
        raise DataError(msg)
    try:
        program = _program(whole)
        is_sound = _comes_back(program)
    except KeyError as error:
        msg = f"this JSON is no whole program: a field {error} is missing. Hint: write it by unless export --to json."
        raise DataError(msg) from None
    except (TypeError, AttributeError, OverflowError):
        msg = "this JSON is no whole program: it has a text, a number or a list where another of these is due. "
        msg += "Hint: write it by unless export --to json."
        raise DataError(msg) from None
    if not is_sound:
        msg = "this JSON holds what no model file can, such as a list in place of a text. "
        msg += "Hint: write it by unless export --to json."
        raise DataError(msg)
    return program


def _comes_back(program: Program) -> bool:
    """Tell whether the text of a program is read as the same one: the text is the model."""
    try:
        return parse(str(program)) == program
    except ProgramSyntaxError:
        return False


def _known(data: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """Return an object as it is, if it has no field but those."""
    strange = [name for name in data if name not in fields]
    if strange:
        msg = f"the JSON of a program has a field {strange[0]!r} that is not known; there are {listing(fields)}."
        raise DataError(msg)
    return data


def _label(value: Any) -> Label:
    if not isinstance(value, str | int | float):
        msg = f"the JSON of a program has the label {value!r}; accepted: a text, a number, true or false."
        raise DataError(msg)
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        msg = f"the JSON of a program has {value!r} where it says what is negated; accepted: true or false."
        raise DataError(msg)
    return value


def _program(whole: dict[str, Any]) -> Program:
    fields = (
        "format",
        "version",
        "target",
        "columns",
        "missing",
        "clauses",
        "grade",
        "unseen",
        "templates",
        "constraints",
    )
    _known(whole, fields)
    target = _known(whole["target"], ("column", "labels", "default"))
    grade, unseen = whole.get("grade"), whole.get("unseen")
    return Program(
        Target(target["column"], tuple(map(_label, target["labels"])), _label(target["default"])),
        tuple(_column(data) for data in whole["columns"]),
        tuple(_clause(data) for data in whole["clauses"]),
        tuple(whole.get("missing", ())),
        tuple(_template(data) for data in whole.get("templates", ())),
        None if grade is None else _grade(grade),
        None if unseen is None else Unseen(**_known(unseen, SAVED)),
        constraints=_constraints(whole.get("constraints", {})),
    )


def _constraints(data: dict[str, Any]) -> Constraints:
    _known(data, ("forbid", "apart", "monotonic"))
    apart: Any = tuple(tuple(pair) for pair in data.get("apart", ()))
    return Constraints(tuple(data.get("forbid", ())), apart, tuple(data.get("monotonic", {}).items()))


def _column(data: dict[str, Any]) -> Column:
    _known(data, ("name", "kind", "values", "reading"))
    if data["kind"] not in ("numerical", "categorical"):
        msg = f"column {data['name']!r} is {data['kind']!r}; accepted: numerical, categorical."
        raise DataError(msg)
    return Column(data["name"], data["kind"], tuple(data.get("values", ())), data.get("reading", ""))


def _clause(data: dict[str, Any]) -> Clause:
    _known(data, ("concludes", "defines", "body"))
    concluded = _label(data["concludes"]) if "defines" not in data else None
    return Clause(data.get("defines"), concluded, tuple(_goal(goal) for goal in data["body"]))


def _goal(data: dict[str, Any]) -> Goal:
    if "call" in data:
        return Call(data["call"], _flag(_known(data, ("call", "negated"))["negated"]))
    if "points" in data:
        awards = tuple((a["points"], _known(a, ("points", "call"))["call"]) for a in data["points"])
        return Points(awards, _known(data, ("points", "threshold"))["threshold"])
    return Literal(**_known(data, ("column", "op", "value")))


def _grade(data: dict[str, Any]) -> Grade:
    _known(data, ("mark", "is_weighed", "cost_ratio", "cards"))
    cards = tuple(
        Card(
            _label(_known(card, ("label", "awards", "slope", "offset", "bands"))["label"]),
            tuple(map(_award, card["awards"])),
            card["slope"],
            card["offset"],
            tuple(map(_band, card["bands"])),
        )
        for card in data["cards"]
    )
    return Grade(data["mark"], cards, data["is_weighed"], data.get("cost_ratio"))


def _award(data: dict[str, Any]) -> Award:
    when = "unless" if "unless" in data else "if"
    return Award(data["points"], _condition(_known(data, ("points", when))[when]), when == "unless")


def _band(data: dict[str, Any]) -> Band:
    _known(data, ("from", "to", "rows", "of_label"))
    return Band(data["from"], data["to"], data["rows"], data["of_label"])


def _condition(data: dict[str, Any]) -> GradeCondition:
    if data.get("decided") is True:
        _known(data, ("decided",))
        return Decided()
    if "both" in data:
        parts = _known(data, ("both",))["both"]
        if len(parts) != 2:
            msg = f"a line of the grade has {len(parts)} conditions under 'both'; accepted: two."
            raise DataError(msg)
        return Both(*map(_cell_condition, parts))
    return _cell_condition(data)


def _cell_condition(data: dict[str, Any]) -> CellCondition:
    if data.get("blank") is True:
        return Blank(_known(data, ("column", "blank"))["column"])
    if "in" in data:
        _known(data, ("column", "in", "negated"))
        return OneOf(data["column"], tuple(data["in"]), _flag(data["negated"]))
    return Literal(**_known(data, ("column", "op", "value")))


def _template(data: dict[str, Any]) -> Template:
    arguments = tuple(Variable(a["variable"]) if isinstance(a, dict) else a for a in data["arguments"])
    return Template(data["subject"], data["name"], _flag(data["negated"]), arguments, data["text"])
