"""Try to make s(CASP), the real engine, execute something: by names, words, labels, templates, rows and questions.

    python trials/injection.py --times 60

Each goal or directive that is smuggled in would touch a file, if it ran. A payload stands in programs and rows that are
proved by the engine, in the model file that people give to s(CASP) themselves, in texts of programs and in questions.
It must end in a proof that is our own prover's, or in a refusal; the file must never be there.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from record import next_seed, record
from targets import loans_program, loans_table

from unless import parse, prove
from unless.errors import EngineError, UnlessError
from unless.explain.proof.ask import ask
from unless.explain.scasp.engine import find_scasp, prove_by_scasp
from unless.logic.clause import Clause
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal
from unless.logic.templates import Template
from unless.logic.terms import Variable

SHAPES = [
    "'), {goal}, x('", "\\'), {goal}, x(\\'", "\\\\'), {goal}, x('", "\n:- initialization({goal}).\n", "\r:- {goal}.\r",
    "x.\n:- {goal}.\n", "*/ :- {goal}. /*", '"), {goal}, y("', "]). :- {goal}. x([", "%\n:- {goal}.", "\u2028:- {goal}.\u2028",
    "\x85:- {goal}.", "\\x27\\), {goal}, x('", "{{{goal}}}", "@({goal})", "{goal}", "X, {goal}", "end_of_file.\n:- {goal}.",
    "'.\n?- {goal}.\n%", "\n#include('/etc/passwd').\n:- {goal}.", "\v:- {goal}.\f", "'\\\n), {goal}, x('", "~w~n{goal}",
    "\ufeff:- {goal}.", "a''), {goal}, x(''b", "0'', {goal}, x(0'a", "`{goal}`", "|: {goal}.", "\n\n{goal}.\n\n",
]  # fmt: skip
QUESTIONS = [
    "{goal}",
    "loan(3,Y), {goal}",
    "?- {goal}.",
    "loan(X,'approved'), not {goal}",
    "{goal} :- loan(3,Y)",
    "X = {goal}",
]
TEXTS = [":- {goal}.", ":- initialization({goal}).", "?- {goal}.", "loan(X,'approved') :- {goal}.", "#pred a(X) :: {goal}.",
         "loan(X,'approved') :- income(X,N), N > ({goal}).", "%@ target {goal}", ":- use_module(library(process)).",
         "#include('/etc/passwd').", "#abducible {goal}.", "goal_expansion(_, {goal}).", "term_expansion(_, {goal})."]  # fmt: skip


def goals(mark: Path) -> list[str]:
    """Return goals that leave a file, were they executed."""
    return [f"shell('touch {mark}')", f"open('{mark}',write,_)", f"tell('{mark}')", f'shell("touch {mark}")']


def hostile_program(draw: list[str]) -> Program:
    """Return a program with payloads wherever a program takes text of a person."""
    column, word, label, default, text, number = draw
    clauses = (Clause(None, label, (Literal(column, "=", word),)), Clause(None, label, (Literal(number, ">", 1.0),)))
    templates = (Template("column", column, False, (Variable("P_"), Variable("V_")), text.replace("~", "")),)
    columns = (Column(column, "categorical"), Column(number, "numerical"))
    return Program(Target(f"t {column}", (label,), default), columns, clauses, (word + "?",), templates)


def try_program(mark: Path, rng: random.Random) -> None:
    """Prove a row by the engine, and let the engine load the model file."""
    goal = rng.choice(goals(mark))
    draw = [f"{n}{shape.format(goal=goal)}" for n, shape in enumerate(rng.choices(SHAPES, k=6))]
    draw = [text if rng.random() < 0.7 else text[1:] or "x" for text in draw]
    try:
        program = hostile_program(draw)
        text = str(program)
        assert parse(text) == program
        row = {draw[0]: draw[1], draw[5]: 2.5 if rng.random() < 0.5 else rng.choice(SHAPES).format(goal=goal)}
        assert prove_by_scasp(program, row).label == prove(program, row).label
    except EngineError:
        raise  # it was not tried
    except UnlessError:
        return
    file = mark.parent / "model.lp"
    file.write_text(text, encoding="utf-8")
    alone = [*find_scasp(), "-s1", "--query=true", str(file)]
    for command in (alone, ["swipl", "-g", "halt", "-t", "halt", str(file)]):
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)


def try_texts(mark: Path) -> int:
    """Read texts of programs and ask questions with goals in them: none is executed; return how many were tried."""
    tried = 0
    whole = str(loans_program())
    for goal, text in itertools.product(goals(mark), TEXTS):
        tried += 1
        try:
            program = parse(f"{whole}\n{text.format(goal=goal)}\n")
            prove_by_scasp(program, {"income": 1.0, "housing": "owner", "debt_ratio": 0.1, "history": "clean"})
        except EngineError:
            raise  # it was not tried
        except UnlessError:
            continue
    for goal, question in itertools.product(goals(mark), QUESTIONS):
        tried += 1
        try:
            list(ask(loans_program(), loans_table(), question.format(goal=goal)))
        except UnlessError:
            continue
    return tried


def main() -> None:
    """Read the arguments and try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=60, help="how many programs")
    parser.add_argument("--seed", type=int, help="of the first program; else those never tried")
    asked = parser.parse_args()
    first = next_seed("injection") if asked.seed is None else asked.seed
    with tempfile.TemporaryDirectory(prefix="unless-injection-") as folder:
        os.chdir(folder)
        mark = Path(folder) / "executed"
        tried, failed = try_texts(mark), int(mark.exists())
        for seed in range(first, first + asked.times):
            mark.unlink(missing_ok=True)
            try:
                try_program(mark, random.Random(seed))
                is_well = not mark.exists()
            except Exception as error:  # whatever it is, it is a finding
                is_well = False
                print(f"{seed}: {type(error).__name__} {str(error)[:500]}", file=sys.stderr)
            tried, failed = tried + 1, failed + (not is_well)
            if mark.exists():
                print(f"{seed}: EXECUTED", file=sys.stderr)
        left = [entry for entry in os.listdir(folder) if entry not in {"model.lp", "executed"}]
    counts = {"tried": tried, "failed": failed + len(left)}
    what = "goals and directives are smuggled into s(CASP), the real engine: none is executed"
    seeds = (first, first + asked.times - 1)
    record("injection", what, counts, command="python trials/injection.py", seeds=seeds)
    print(counts, left)


if __name__ == "__main__":
    main()
