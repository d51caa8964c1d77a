"""What a server offers, as OpenAPI 3.1: rows and examples are made from each program's own columns.

In: the programs that are served. Out: plain data. Limits that stand here are those of `row_requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from unless import __version__
from unless.logic.program import MAX_CHARACTERS, label_text
from unless.web.column_facts import example_row
from unless.web.row_requests import MAX_EXPLAINED, MAX_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.web.column_facts import ColumnFacts
    from unless.web.served_program import ServedProgram

Data = dict[str, Any]
CELL = ["number", "string", "boolean", "null"]
PROBLEMS = {
    "400": "The body cannot be read.",
    "401": "The server asks for its token.",
    "403": "The request comes from another site.",
    "404": "There is no such model.",
    "413": "The body is too long.",
    "422": "The request cannot be answered: the message says why.",
    "503": "Too many requests at once, or the answer took too long.",
}
ERROR: Data = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message"],
            "properties": {
                "kind": {"type": "string"},
                "message": {"type": "string"},
                "line": {"type": "integer"},
                "column": {"type": "integer"},
                "expected": {"type": "array", "items": {"type": "string"}},
            },
        }
    },
}
ABOUT: Data = {
    "model": {"type": "string", "description": "The name of the model file."},
    "version": {"type": "string", "description": "The first digits of a digest of the program's text."},
    "target": {"type": "string", "description": "The column that is predicted."},
}


def openapi(programs: Iterable[ServedProgram], *, strict: bool) -> Data:
    """Describe a server."""
    served = list(programs)
    paths: Data = {}
    schemas: Data = {"Error": ERROR}
    for each in served:
        schemas[f"Row-{_token(each.name)}"] = row_schema(each)
        schemas[f"Answer-{_token(each.name)}"] = answer_schema(each)
        for prefix in prefixes(each, alone=len(served) == 1):
            paths |= _paths(each, prefix, strict=strict)
    paths |= {
        "/models": {"get": _operation("List the models, their versions, and files that cannot be read.", {})},
        "/health": {"get": _operation("Say that the server is up.", {})},
        "/metrics": {"get": _operation("Give counts in the text form that Prometheus reads.", None)},
    }
    titles = ", ".join(f"{each.name} ({each.program.target.column})" for each in served)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"unless: {titles}", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def prefixes(served: ServedProgram, *, alone: bool) -> list[str]:
    """Return under which paths a program answers; one that is alone has a short one, too."""
    return [*(["/api"] if alone else []), f"/models/{quote(served.name, safe='')}"]


def row_schema(served: ServedProgram) -> Data:
    """Describe a row of a program."""
    facts = served.facts
    properties = {each.source: column_schema(each) for each in facts.values()}
    needed = [each.source for each in facts.values() if each.is_needed]
    return {
        "type": "object",
        "properties": properties,
        "required": list(dict.fromkeys(needed)),
        "additionalProperties": True,
        "description": "A value per column; columns that the program does not test are ignored.",
        "examples": [example_row(facts)],
    }


def column_schema(facts: ColumnFacts) -> Data:
    """Describe the cells of a column."""
    schema: Data = {"type": CELL, "description": facts.described(), "x-kind": facts.kind}
    if facts.words:
        schema["x-words"] = list(facts.words)
    if facts.thresholds:
        schema["x-thresholds"] = list(facts.thresholds)
    if facts.examples:
        schema["examples"] = facts.examples
    return schema


def answer_schema(served: ServedProgram) -> Data:
    """Describe the answer to one row."""
    target = served.program.target
    labels = list({label_text(label): label for label in (*target.labels, target.default)}.values())
    properties: Data = {
        "label": {"enum": labels, "description": f"The label of {target.column} that is predicted."},
        "rule": {
            "type": ["string", "null"],
            "description": "The rule that decided, as people count (2), or the exception that stopped one (2.1); null "
            "where no rule applies.",
        },
        "reason": {"type": "string", "description": "Why, in a sentence."},
        "warnings": {"type": "array", "items": {"type": "string"}, "description": "What is odd about the row."},
    }
    if served.program.grade is not None:
        share = {"type": "number", "minimum": 0, "maximum": 1}
        properties["probability"] = {**share, "description": "The probability of the label that is predicted."}
        properties["probabilities"] = {"type": "object", "additionalProperties": share}
        if served.program.grade.cost_ratio is not None:
            said = "The probabilities among rows as they are; those above are of rows as weighed in learning."
            properties["as_they_are"] = {"type": "object", "additionalProperties": share, "description": said}
    return {"type": "object", "required": ["label", "rule", "reason"], "properties": properties}


def _paths(served: ServedProgram, prefix: str, *, strict: bool) -> Data:
    row = {"$ref": f"#/components/schemas/Row-{_token(served.name)}"}
    answer = {"$ref": f"#/components/schemas/Answer-{_token(served.name)}"}
    example = {"rows": [example_row(served.facts)]}
    odd = "refused" if strict else "answered with a warning"
    odd_row = answer_schema(served)["properties"]["warnings"]
    explained = {"type": "object", "properties": {"warnings": odd_row}, "additionalProperties": True}
    compared = _body(_rows(row, MAX_ROWS, program=True))
    return {
        f"{prefix}/predict": {"post": _operation(
            f"Predict the label of each row, with its probability, the rule that decided and a reason. A value of the "
            f"wrong kind is {odd}.", _answers(answer), _body(_rows(row, MAX_ROWS), example),
        )},
        f"{prefix}/explain": {"post": _operation(
            "Give the label of each row with its proof, for and against.", _answers(explained),
            _body(_rows(row, MAX_EXPLAINED), example),
        )},
        f"{prefix}/program": {"get": _operation("Read the program: as data, as text, and in plain language.", {})},
        f"{prefix}/compare": {"post": _operation(
            "Compare the program with another one on some rows: scores before and after, rows that flip.", {}, compared
        )},
    }  # fmt: skip


def _rows(row: Data, most: int, *, program: bool = False) -> Data:
    properties: Data = {"rows": {"type": "array", "items": row, "maxItems": most}}
    needed = ["rows"]
    if program:
        text = {
            "type": "string",
            "maxLength": MAX_CHARACTERS,
            "description": "The text of a program, as in a model file.",
        }
        properties |= {"program": text, "limit": {"type": "integer", "minimum": 0, "maximum": MAX_EXPLAINED}}
        needed = ["program", "rows"]
    return {"type": "object", "required": needed, "properties": properties, "additionalProperties": False}


def _answers(each: Data) -> Data:
    remarks = {"type": "array", "items": {"type": "string"}, "description": "What must be known of all probabilities."}
    properties = {**ABOUT, "answers": {"type": "array", "items": each}, "warnings": remarks}
    return {"type": "object", "required": [*ABOUT, "answers"], "properties": properties}


def _body(schema: Data, example: Data | None = None) -> Data:
    content: Data = {"schema": schema}
    if example is not None:
        content["example"] = example
    return {"required": True, "content": {"application/json": content}}


def _operation(summary: str, answer: Data | None, body: Data | None = None) -> Data:
    kind = "text/plain" if answer is None else "application/json"
    ok = {"description": "Answered.", "content": {kind: {"schema": {"type": "string"} if answer is None else answer}}}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    refused = {status: {"description": meaning, "content": error} for status, meaning in PROBLEMS.items()}
    found: Data = {"summary": summary, "responses": {"200": ok, **refused}}
    return found if body is None else {**found, "requestBody": body}


def _token(name: str) -> str:
    """Spell a name as components of OpenAPI may be: letters, digits, dot, dash and underscore."""
    return "".join(c if c.isascii() and (c.isalnum() or c in ".-_") else f"_{ord(c):x}_" for c in name)
