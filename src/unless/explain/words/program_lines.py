"""A whole program as lines of plain language: each rule, and below it what it holds unless.

In: a program and the words of a language. Out: `ProgramLine`s in reading order. An exception is said where it is first
needed and named afterwards; the tests of one column are said together ("more than 3 and at most 5").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.explain.words.language import capital
from unless.explain.words.sentences import MAX_DEPTH
from unless.logic.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.logic.program import Clause, Points, Program
    from unless.logic.rules import Literal


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line about a clause (by number) or a helper with several clauses (none)."""

    depth: int
    text: str
    number: int | None = None


def program_lines(program: Program, words: Language) -> Iterator[ProgramLine]:
    """Say what the target is and when, rule by rule."""
    yield from _opening(program, words)
    said: set[str] = set()
    for number, clause in enumerate(program.clauses, 1):
        if clause.name is None:
            yield from _rule(program, words, number, clause, said)


def _opening(program: Program, words: Language) -> Iterator[ProgramLine]:
    target = program.target
    column, default = words.column(target.column), words.label(target.default)
    if not any(clause.name is None for clause in program.clauses):
        yield ProgramLine(0, capital(words.say("program", "no_rules", column=column, default=default)))
        return
    labels = words.listed([words.label(label) for label in target.labels], "list_or")
    opening = words.say("program", "opening", column=column, labels=labels, default=default)
    yield ProgramLine(0, capital(opening))
    if len(target.labels) > 1:
        yield ProgramLine(0, words.say("program", "precedence"))


def _rule(program: Program, words: Language, number: int, clause: Clause, said: set[str]) -> Iterator[ProgramLine]:
    """Say one rule and, without recursion, the helpers below it."""
    assert clause.label is not None
    column, value = words.column(program.target.column), words.label(clause.label)
    head = words.say("program", "rule", number=number, column=column, value=value)
    if any(clause.literals) or any(clause.points):
        head = words.say("program", "if", claim=head, tests=_tests(program, clause, words))
    yield ProgramLine(0, head, number)
    stack: list[tuple[int, Call | str | int]] = [(1, part) for part in reversed(_below(program, clause))]
    while stack:
        depth, item = stack.pop()
        shown = min(depth, MAX_DEPTH)
        if isinstance(item, int):
            clause = program.clauses[item - 1]
            yield ProgramLine(shown, _tests(program, clause, words), item)
            stack.extend((depth + 1, part) for part in reversed(_below(program, clause)))
            continue
        name = item if isinstance(item, str) else item.name
        numbers = program.helper_clauses[name]
        text = _helper(program, words, item, numbers)
        if name in said:
            yield ProgramLine(shown, words.say("plain", "again", claim=text))
            continue
        said.add(name)
        alone = len(numbers) == 1
        yield ProgramLine(shown, text, numbers[0] if alone else None)
        below = _below(program, program.clauses[numbers[0] - 1]) if alone else list(numbers)
        stack.extend((depth + 1, part) for part in reversed(below))


def _below(program: Program, clause: Clause) -> list[Call | str | int]:
    """Return what is said below a clause: the helpers it calls, and the cases of points that are no plain tests."""
    cases = (case for points in clause.points for _, case in points.awards)
    return [*clause.calls, *dict.fromkeys(case for case in cases if _plain_case(program, case) is None)]


def _plain_case(program: Program, case: str) -> tuple[str, Clause] | None:
    """Return a case that is said where its points are: "if" its tests hold, or "unless" those that it denies do."""
    first, *others = program.helpers[case]
    if others:
        return None
    if not any(first.called):
        return "award_if", first
    match first.body:
        case (Call(name, True),):
            denied, *others = program.helpers[name]
            return None if others or any(denied.called) else ("award_unless", denied)
    return None


def _helper(program: Program, words: Language, item: Call | str, numbers: tuple[int, ...]) -> str:
    if isinstance(item, str):
        section, key, name = "points", "case", item
    else:
        section, key, name = "program", "unless" if item.negated else "only_if", item.name
    if len(numbers) > 1:
        return words.say(section, f"{key}_any", name=name)
    return words.say(section, key, name=name, tests=_tests(program, program.clauses[numbers[0] - 1], words))


def _tests(program: Program, clause: Clause, words: Language) -> str:
    """Say the tests of a clause, those of one column together, then its points."""
    by_column: dict[str, list[Literal]] = {}
    for literal in clause.literals:
        by_column.setdefault(literal.column, []).append(literal)
    said = [_test(column, literals, words) for column, literals in by_column.items()]
    said += [_points(program, points, words) for points in clause.points]
    return words.listed(said) if said else words.say("program", "always")


def _test(column: str, literals: list[Literal], words: Language) -> str:
    bounds = [words.say("plain.bound", literal.op, bound=words.value(literal.value)) for literal in literals]
    return words.say("program", "test", column=words.column(column), bound=words.listed(bounds))


def _points(program: Program, points: Points, words: Language) -> str:
    awards = []
    for worth, case in points.awards:
        how, clause = _plain_case(program, case) or ("award_if", None)
        tests = case if clause is None else _tests(program, clause, words)
        awards.append(words.say("points", how, points=worth, tests=tests))
    return words.say("points", "goal", threshold=points.threshold, awards="; ".join(awards))
