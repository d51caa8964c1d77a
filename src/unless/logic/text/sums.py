"""How s(CASP) adds up points: clauses at the end of a model file, made from its scorecards and no part of the program.

In: a program. Out: for each sum a clause whose head is the goal as it is written, and a chain of `at_least1`,
`at_least2`, ... below it: one for each number of points that may still be wanted before a case is looked at, those
with the same answers being one. Each looks at one case and goes on to one other, so that proving and refuting take a
step for each case. General clauses over lists are three lines, but s(CASP) needs minutes to find out that the points of
four cases are not too few; they are written where a chain would be longer than anybody wants in a file.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unless.logic.clause import Points
    from unless.logic.program import Program

    _Link = tuple[str, int, int]

GENERAL = """\
at_least(N, []) :- N =< 0.
at_least(N, [P*C|Cs]) :- call(C), at_least(N-P, Cs).
at_least(N, [P*C|Cs]) :- not call(C), at_least(N, Cs)."""
MAX_CLAUSES = 150
"""A chain of more clauses than this is not written."""

ALWAYS, NEVER = -1, -2
"""In place of a link: nothing more is wanted, or more than can still be had."""


def points_text(points: Points) -> str:
    """Write a sum of points as a goal."""
    awards = ", ".join(f"{n}*{case}(X)" for n, case in points.awards)
    return f"at_least({points.threshold}, [{awards}])"


def sum_lines(program: Program) -> list[str]:
    """Write how the sums of a program are added up; nothing where it has none."""
    lines: list[str] = []
    n_links = 0
    for points in dict.fromkeys(points for clause in program.clauses for points in clause.points):
        links, first = _links(points)
        lines += _chain_lines(points, links, first, n_links)
        n_links += len(links)
        if len(lines) > MAX_CLAUSES:
            return [GENERAL]
    return lines


def _links(points: Points) -> tuple[list[_Link], int]:
    """Return the links of a sum, each after those it goes on to, and the first one to ask."""
    rest = [0, *accumulate(n for n, _ in reversed(points.awards))][::-1]
    wanted = [{points.threshold}]
    for n, _ in points.awards:
        wanted.append({left for each in wanted[-1] for left in (each, each - n) if left > 0})
    links: dict[_Link, int] = {}
    below: dict[int, int] = {}
    for index in range(len(points.awards) - 1, -1, -1):
        n, case = points.awards[index]
        here = {}
        for want in sorted(wanted[index]):
            with_it, without = (_next(left, rest[index + 1], below) for left in (want - n, want))
            link = (case, with_it, without)
            here[want] = with_it if with_it == without else links.setdefault(link, len(links))
        below = here
    return list(links), _next(points.threshold, rest[0], below)


def _next(want: int, rest: int, below: Mapping[int, int]) -> int:
    if want <= 0:
        return ALWAYS
    return NEVER if want > rest else below[want]


def _chain_lines(points: Points, links: Sequence[_Link], first: int, n_before: int) -> Iterator[str]:
    """Write the clauses of one sum, the first link on top."""

    def asked(link: int) -> str:
        return f"at_least{n_before + len(links) - link}(X)"

    if first == NEVER:
        return  # nobody can have so many points
    yield f"{points_text(points)} :- {asked(first)}."
    for link in range(len(links) - 1, -1, -1):
        case, *further = links[link]
        for goal, after in zip((f"{case}(X)", f"not {case}(X)"), further, strict=True):
            if after != NEVER:
                yield f"{asked(link)} :- {goal}{'' if after == ALWAYS else f', {asked(after)}'}."
