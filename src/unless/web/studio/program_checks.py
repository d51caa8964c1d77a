"""The tests of a program: rows with the label expected, and properties proved for all rows; kept with the table.

In: a session, sentences and rows. Out: what came out of each, in words. The tests are run on the program that is worked
on, so an edit that breaks one is seen before it is used. No sentence makes the studio read a file of this machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from unless.errors import DataError, UnlessError
from unless.evaluate.record_cases import recorded
from unless.explain.faces.checks_report import ChecksReport
from unless.logic.reason.cases import read_checks
from unless.web.explained_row import LANGUAGE
from unless.web.studio.timeline import StaleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.program import Program
    from unless.web.session import Session

MOST = 200
SECONDS = 5.0


class CheckRequest(BaseModel):
    """A test to add: a property as a sentence, or a row with the label expected."""

    model_config = ConfigDict(extra="forbid")

    property: Annotated[str, Field(max_length=2_000)] | None = None
    row: Annotated[int, Field(ge=0)] | None = None
    expect: Annotated[str, Field(max_length=10_000)] | None = None


def run_checks(session: Session, step: Callable[[], object] = bool) -> dict[str, Any]:
    """Run all tests on the program that is worked on; a test that cannot be read any more says why.

    `step` is called before each test, and may raise.
    """
    program = session.need_current()
    found: list[dict[str, Any]] = []
    for kind in ("cases", "properties"):
        for i, each in enumerate(session.checks[kind]):
            step()
            found.append(_outcome(program, kind, each) | {"index": i})
    counts = {name: sum(each["outcome"] == name for each in found) for name in ("passed", "failed", "not decided")}
    return {"checks": found, **counts}


def _outcome(program: Program, kind: str, data: Any) -> dict[str, Any]:
    named = {"list": kind, "kind": "case" if kind == "cases" else "property", "called": _name_of(data)}
    try:
        (check,) = read_checks({kind: [data]}, program, None)
        (shown,) = ChecksReport(program, [check.run(SECONDS)]).data(lang=LANGUAGE)
    except UnlessError as error:
        return {**named, "name": _name_of(data), "outcome": "failed", "reason": str(error)}
    expected = f": {data['expect']} expected" if kind == "cases" else ""
    return {**named, "name": shown["name"] + expected, "outcome": shown["outcome"], "reason": shown["reason"]}


def add_check(session: Session, asked: CheckRequest) -> None:
    """Add a property or a row, after reading it once."""
    program = session.need_program()
    cases, properties = list(session.checks["cases"]), list(session.checks["properties"])
    if len(cases) + len(properties) >= MOST:
        msg = f"there are {MOST} tests; remove some first."
        raise DataError(msg)
    if asked.property is not None:
        text = " ".join(asked.property.split())
        read_checks({"properties": [text]}, program, None)
        properties = list(dict.fromkeys([*properties, text]))
    elif asked.row is not None and asked.expect is not None:
        view = session.on_table(program).view
        if asked.row >= view.table.n_rows:
            msg = f"there is no row {asked.row}."
            raise DataError(msg)
        case = {"name": f"row {asked.row}", "row": view.row(asked.row), "expect": asked.expect}
        cases = [*(each for each in cases if each["name"] != case["name"]), case]
        read_checks({"cases": cases}, program)
    else:
        msg = "a test is a property, or a row with the label that is expected."
        raise DataError(msg)
    session.keep_checks({"cases": cases, "properties": properties})


def record_checks(session: Session) -> None:
    """Add some rows for each rule, as they are decided now."""
    program = session.need_program()
    new = [
        {k: v for k, v in case.items() if k != "rule"} for case in recorded(program, session.need_table().table)
    ]  # fmt: skip
    names = {case["name"] for case in new}
    kept = [case for case in session.checks["cases"] if case["name"] not in names]
    session.keep_checks({**session.checks, "cases": [*kept, *new][:MOST]})


def remove_check(session: Session, kind: str, index: int, name: str) -> None:
    """Remove one test: the one that the page names, which in another tab may have got another number, or be gone."""
    with session.lock:
        checks = session.checks[kind]
        if index >= len(checks) or _name_of(checks[index]) != name:
            msg = f"the tests have changed meanwhile, so {name!r} was not removed; here they are as they are now."
            raise StaleError(msg)
        session.keep_checks({**session.checks, kind: [each for i, each in enumerate(checks) if i != index]})


def _name_of(data: Any) -> str:
    """Return what a test is called: a case by its name, a property by its sentence."""
    return str(data.get("name", "case")) if isinstance(data, dict) else str(data)


def checks_file(session: Session) -> str:
    """Write the tests as a file that `unless test` reads."""
    return json.dumps(session.checks, indent=2, ensure_ascii=False) + "\n"
