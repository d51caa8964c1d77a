"""Running s(CASP): find it, give it rows in batches, ask what must succeed, and say clearly what went wrong.

The label is predicted by `prove` first, because s(CASP) answers only the question that succeeds, and a question that
fails may take for ever. An answer "no" to a question that must succeed is a disagreement, an error of its own that is
never hidden. Rows go in batches: in one program of many rows each question is slower, and each process costs its start.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from itertools import islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DisagreementError, EngineError
from unless.explain.proof.prover import prove_values, with_risk
from unless.explain.scasp.reader import read_reasons
from unless.explain.scasp.writer import EngineProgram, facts_text, related_text
from unless.logic.graded import graded_columns
from unless.logic.holds import read_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unless.explain.proof.tree import Proof
    from unless.logic.program import Program
    from unless.logic.terms import Atom, Term

    Related = tuple[Term | None, Sequence[Atom]]

OPTIONS = ("-i", "-s1", "--tree", "--json=-", "--width=0", "--unknown=fail")
"""Queries on standard input, the first answer to each, with its tree, as JSON on one line."""

OLDEST = (1, 1, 0)
BATCH = 10
TIMEOUT = 60.0
PACK = (
    "run swipl -g 'pack_install(scasp,[interactive(false)])' -t halt (any SWI-Prolog 9, Debian 12's 9.0.4 included; "
    "newer ones also have: swipl pack install scasp)."
)
INSTALL = f"Install SWI-Prolog (Debian: apt install swi-prolog-nox), then {PACK}"
TOO_DEEP = "the proof of s(CASP) is nested too deep to be read. Hint: use the engine of unless."
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def prove_by_scasp(
    program: Program,
    row: Mapping[str, object],
    *,
    row_name: int | str | None = None,
    all_rules: bool = False,
    timeout: float = TIMEOUT,
) -> Proof:
    """Prove which label a row has, by s(CASP); `timeout` is in seconds."""
    proofs = prove_all_by_scasp(program, [row], row_names=[row_name], all_rules=all_rules, timeout=timeout)
    return next(iter(proofs))


def prove_all_by_scasp(
    program: Program,
    rows: Iterable[Mapping[str, object]],
    *,
    row_names: Iterable[int | str | None] | None = None,
    all_rules: bool = False,
    timeout: float = TIMEOUT,
    batch: int = BATCH,
    related: Iterable[Related] | None = None,
) -> Iterator[Proof]:
    """Prove many rows by s(CASP), `batch` of them in a process; `timeout` is in seconds for each batch.

    `related` are, where the program speaks of relations, what each row is called in facts, and the facts about it.
    """
    engine = EngineProgram(program)
    command = find_scasp()
    left, names = iter(rows), repeat(None) if row_names is None else iter(row_names)
    about = iter(related) if related is not None else None
    while some := list(islice(left, batch)):
        values = [read_row(program, row, graded_columns(program)) for row in some]
        used = [{name: one[name] for name in program.used_columns} for one in values]
        expected = [prove_values(program, one, row_name=next(names), all_rules=all_rules) for one in used]
        facts = list(islice(about, batch)) if about else []
        yield from map(with_risk, _prove_batch(engine, expected, command, timeout, facts), values)


def find_scasp() -> list[str]:
    """Find the command that runs s(CASP)."""
    if found := shutil.which("scasp"):
        return [found]
    if found := shutil.which("swipl"):
        return [found, "-g", "use_module(library(scasp/main)),main", "-t", "halt", "--"]
    msg = f"s(CASP) is not installed: neither scasp nor swipl is on the PATH. {INSTALL}"
    raise EngineError(msg)


def _prove_batch(
    engine: EngineProgram, proofs: Sequence[Proof], command: list[str], timeout: float, related: Sequence[Related]
) -> list[Proof]:
    queries = [engine.query(proof, row) for row, proof in enumerate(proofs)]
    text = engine.text + facts_text(engine.program, {row: proof.values for row, proof in enumerate(proofs)})
    text += "".join(related_text(row, individual, facts) for row, (individual, facts) in enumerate(related))
    answers = iter(ask_engine([*command, *engine.options], text, [query for query in queries if query], timeout))
    # An empty query: no clause concludes anything, so there is nothing to ask.
    return [
        _read(engine, proof, query, next(answers)) if query else proof
        for query, proof in zip(queries, proofs, strict=True)
    ]


def ask_engine(command: list[str], text: str, queries: Sequence[str], timeout: float) -> list[dict[str, Any]]:
    """Run s(CASP) once and return its answer to each query."""
    if not queries:
        return []
    with tempfile.TemporaryDirectory(prefix="unless-") as directory:
        file = Path(directory) / "program.pl"
        file.write_text(text, encoding="utf-8")
        asked = "".join(f"{query}.\n" for query in queries)
        try:
            done = subprocess.run(
                [*command, *OPTIONS, str(file)],
                input=asked.encode(),
                capture_output=True,
                timeout=timeout,
                check=False,
                # Other locales make s(CASP) write what is not JSON.
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
        except subprocess.TimeoutExpired:
            msg = (
                f"s(CASP) had no answer after {timeout:g} s. "
                "Hint: give it more time by --timeout, or use the engine of unless, which gives the same proofs."
            )
            raise EngineError(msg) from None
        except OSError as error:
            msg = f"cannot run {command[0]}: {error.strerror or error}."
            raise EngineError(msg) from None
    return _answers(command, done, len(queries))


def _answers(command: list[str], done: subprocess.CompletedProcess[bytes], n_queries: int) -> list[dict[str, Any]]:
    complaint = done.stderr.decode("utf-8", "replace").strip()
    try:
        # Not splitlines: a word may hold any of the other line ends.
        answers = [json.loads(line) for line in done.stdout.decode().split("\n") if line.strip()]
    except (UnicodeDecodeError, json.JSONDecodeError):
        answers = []
    except RecursionError:
        msg = "the proof of s(CASP) is nested too deep to be read. Hint: use the engine of unless."
        raise EngineError(msg) from None
    if len(answers) == n_queries and all(isinstance(answer, dict) for answer in answers):
        _check_version(str(answers[0].get("solver")))
        return answers
    _check_version(_version_text(command))
    first = complaint.split("\n")[0] if complaint else "nothing on standard error"
    msg = (
        f"s(CASP) answered {len(answers)} of {n_queries} queries (exit code {done.returncode}); it says: {first[:300]}"
    )
    raise EngineError(msg)


def _version_text(command: list[str]) -> str:
    """Ask s(CASP) for its version."""
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _check_version(text: str) -> None:
    found = VERSION.search(text)
    oldest = ".".join(map(str, OLDEST))
    if found is None and "does not exist" in text:
        msg = f"SWI-Prolog is here, but s(CASP), a pack of it, is not: {PACK}"
        raise EngineError(msg)
    if found is None:
        first = text.strip().split("\n")[0][:200]
        msg = f"s(CASP) did not run; asked for its version it says {first!r}. {INSTALL}"
        raise EngineError(msg)
    if tuple(map(int, found.groups())) < OLDEST:
        msg = f"s(CASP) {found.group()} is too old; {oldest} or later is needed. {INSTALL}"
        raise EngineError(msg)


def _read(engine: EngineProgram, expected: Proof, query: str, answer: Mapping[str, Any]) -> Proof:
    """Read the tree of an answer as a proof of the same label."""
    tree = tree_of(answer, query, f"predicts {expected.label!r}", expected)
    try:
        return replace(expected, reasons=read_reasons(engine, expected, tree))
    except RecursionError:
        raise EngineError(TOO_DEEP) from None


def tree_of(answer: Mapping[str, Any], query: str, says: str, expected: Proof) -> Any:
    """Return the tree of an answer; that there is none is a disagreement, since only what must succeed is asked."""
    if answer["answers"]:
        return answer["answers"][0]["tree"]
    facts = {name: value for name, value in expected.values.items() if value is not None}
    msg = (
        f"unless {says} and s(CASP) does not prove {query}. This is a defect of unless: "
        f"please report it with the model file and this row: {facts}."
    )
    raise DisagreementError(msg)
