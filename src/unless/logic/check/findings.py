"""What an editor of rules should know: clauses that cannot matter, and tests of what was never seen.

In: a program, and perhaps what the training data held. Out: `Finding` values, in the order of the clauses; none of
them is an error. Every finding is certain: where a clause might matter for some row, with any value, word or missing
cell, nothing is said. Kinds:

    dead        the clause never holds
    unreached   no rule calls the predicate, directly or through others
    needless    the exception, or the condition, never makes a difference where it is asked
    redundant   the test always holds where it stands
    shadowed    whenever the clause holds, another one already decides
    identical   the same clause stands above
    unseen      a column, word or range of numbers that the data does not have
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, get_args
from typing import Literal as OneOf

from unless.logic.check.regions import Box, Region, Verdicts, everywhere
from unless.logic.forms.outline import literal_phrase, points_phrase
from unless.logic.program import Call, Clause, label_text, same_label
from unless.logic.rules import NUMBER_OPS
from unless.logic.text.printer import clause_text, quote, spelling_of
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from unless.logic.program import Program
    from unless.logic.rules import Literal

    Rivals = dict[tuple[str | None, str], list[tuple[int, Clause]]]

FindingKind = OneOf["dead", "unreached", "needless", "redundant", "shadowed", "identical", "unseen"]
KINDS: tuple[str, ...] = get_args(FindingKind)

MAX_CLAUSES = 1000
"""In a longer program clauses are judged one by one, not against each other: nobody edits it by hand."""

MAX_BOXES = 64
"""A helper that is asked in more boxes than this is taken to be asked everywhere: checks stay quick."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the data holds of a column: its words, and its least and greatest number if it has any."""

    words: Collection[str] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to think about in a clause; `line` is that of the text it was read from, else 0."""

    kind: FindingKind
    index: int
    line: int
    clause: str
    sentence: str

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else f"clause {self.index + 1}"
        return f"{where}: {self.sentence}"


def check(program: Program, seen: Mapping[str, Seen] | None = None) -> tuple[Finding, ...]:
    """Find what cannot matter in a program, and with `seen` what its data never holds.

    >>> from unless.logic.text.parser import parse
    >>> for finding in check(parse("low(X,'yes') :- age(X,N), N > 30.0, N =< 20.0.")):
    ...     print(finding)
    line 1: age > 30 and age ≤ 20 cannot both hold, so this clause never does.
    """
    return tuple(_Checker(program, seen).findings())


class _Checker:
    """Checks the clauses of one program."""

    def __init__(self, program: Program, seen: Mapping[str, Seen] | None) -> None:
        self.program = program
        self.seen = seen
        self.is_long = len(program.clauses) > MAX_CLAUSES
        self.spelling = spelling_of(program)
        self.all_rows = everywhere(program)
        self.reached = _reached(program)
        self.boxes = _asking_boxes(program, self.all_rows)
        self.dead = {i: sentence for i, c in enumerate(program.clauses) if (sentence := self._dead(c)) is not None}
        self.rivals = self._all_rivals()

    def findings(self) -> Iterator[Finding]:
        for index, clause in enumerate(self.program.clauses):
            for kind, sentence in self._clause(index, clause):
                text = clause_text(clause, self.spelling)
                yield Finding(kind, index, clause.line, text, sentence)

    def _clause(self, index: int, clause: Clause) -> Iterator[tuple[FindingKind, str]]:
        if clause.name is not None and clause.name not in self.reached:
            yield "unreached", f"no rule calls {clause.name}, so this clause changes nothing."
        if index in self.dead:
            yield "dead", self.dead[index]
        else:
            yield from self._living(index, clause)
        yield from self._unseen(clause)

    def _living(self, index: int, clause: Clause) -> Iterator[tuple[FindingKind, str]]:
        if self.is_long:
            yield from self._redundant(clause)
            return
        shadow = self._shadow(index, clause)
        if shadow is not None:
            yield shadow
        elif clause.name in self.reached and self._never_asked(clause):
            yield (
                "needless",
                f"{clause.name} is only asked where this clause cannot hold, so it never matters.",
            )
        yield from self._redundant(clause)
        yield from self._needless_calls(clause)

    def _dead(self, clause: Clause) -> str | None:
        """Say why a clause never holds, or return None."""
        found = self._contradiction(clause)
        if found is not None or self.is_long:
            return found
        for call in clause.calls:
            if Call(call.name, not call.negated) in clause.body:
                return f"{call.name} cannot hold and not hold, so this clause never does."
        verdicts = Verdicts(self.program, self.all_rows.where(clause.literals))
        for call in clause.calls:
            if verdicts.goal(call) is False:
                if call.negated:
                    return f"wherever the rest of this clause holds, {call.name} does, so this clause never holds."
                return f"{call.name} cannot hold together with the rest, so this clause never holds."
        for points in clause.points:
            if verdicts.goal(points) is False:
                return f"{points_phrase(points)} cannot hold here, so this clause never does."
        return None

    def _contradiction(self, clause: Clause) -> str | None:
        if not self.all_rows.where(clause.literals).is_empty:
            return None
        literals = list(clause.literals)
        for one in literals:
            if self.all_rows.where([one]).is_empty:
                return f"no value makes {literal_phrase(one)} true, so this clause never holds."
        for pair in combinations(literals, 2):
            if self.all_rows.where(pair).is_empty:
                first, second = map(literal_phrase, pair)
                return f"{first} and {second} cannot both hold, so this clause never does."
        return None

    def _shadow(self, index: int, clause: Clause) -> tuple[FindingKind, str] | None:
        """Find a clause that holds whenever this one does and makes it superfluous."""
        box = self.all_rows.where(clause.literals)
        verdicts = Verdicts(self.program, box, tuple(clause.calls))
        for i, other in self._rivals(clause):
            if i == index:
                continue
            if other == clause:
                if i < index:
                    return "identical", f"the same clause stands at {self._where(i)}."
            elif verdicts.holds_always(other) and (i < index or not self._covers(clause, other)):
                return "shadowed", self._shadow_sentence(clause, i, other)
        return None

    def _shadow_sentence(self, clause: Clause, i: int, other: Clause) -> str:
        if clause.name is None and not same_label(clause.label, other.label):
            return (
                f"whenever this clause holds, so does that at {self._where(i)}, "
                f"and {other.label!r} comes before {clause.label!r}."
            )
        return f"whenever this clause holds, so does that at {self._where(i)}, so it adds nothing."

    def _covers(self, other: Clause, clause: Clause) -> bool:
        """Tell whether one clause holds wherever another of the same head does."""
        verdicts = Verdicts(self.program, self.all_rows.where(clause.literals), tuple(clause.calls))
        same = other.name == clause.name and same_label(other.label, clause.label)
        return same and verdicts.holds_always(other)

    def _rivals(self, clause: Clause) -> list[tuple[int, Clause]]:
        """Return the clauses that, holding too, leave this one nothing to decide; dead ones are none."""
        return self.rivals[clause.name, "" if clause.label is None else label_text(clause.label)]

    def _all_rivals(self) -> Rivals:
        found: Rivals = {}
        living = [(i, clause) for i, clause in enumerate(self.program.clauses) if i not in self.dead]
        for name in self.program.helpers:
            found[name, ""] = [pair for pair in living if pair[1].name == name]
        earlier: list[tuple[int, Clause]] = []
        for label in self.program.target.labels:
            same = [p for p in living if p[1].name is None and same_label(p[1].label, label)]
            earlier = sorted([*earlier, *same], key=lambda pair: pair[0])
            found[None, label_text(label)] = earlier
        return found

    def _never_asked(self, clause: Clause) -> bool:
        assert clause.name is not None
        return all(Verdicts(self.program, box).clause(clause) is False for box in self.boxes[clause.name])

    def _redundant(self, clause: Clause) -> Iterator[tuple[FindingKind, str]]:
        for literal in clause.literals:
            rest = [other for other in clause.literals if other.column == literal.column and other != literal]
            said = next((o for o in rest if self.all_rows.where([o]).verdict(literal) is True), None)
            if said is not None:
                yield (
                    "redundant",
                    f"{literal_phrase(literal)} says nothing that {literal_phrase(said)} does not say.",
                )
            elif self.all_rows.verdict(literal) is True:
                yield "redundant", f"{literal_phrase(literal)} holds for every row."
            elif self._known_where_asked(clause, literal):
                yield "redundant", f"{literal_phrase(literal)} always holds where {clause.name} is asked."

    def _known_where_asked(self, clause: Clause, literal: Literal) -> bool:
        # A clause with one goal must keep it: that it always holds is said of its caller.
        if clause.name is None or len(clause.body) == 1 or not self.boxes[clause.name]:
            return False
        return all(box.verdict(literal) is True for box in self.boxes[clause.name])

    def _needless_calls(self, clause: Clause) -> Iterator[tuple[FindingKind, str]]:
        boxes = [box.where(clause.literals) for box in self._boxes(clause)]
        boxes = [box for box in boxes if not box.is_empty]
        verdicts = [Verdicts(self.program, box) for box in boxes]
        for call in clause.calls:
            if verdicts and all(v.goal(call) is True for v in verdicts):
                never = f"{call.name} never holds" if call.negated else f"{call.name} always holds"
                yield "needless", f"{never} where this clause asks for it, so asking makes no difference."
        for points in clause.points:
            if verdicts and all(v.goal(points) is True for v in verdicts):
                yield "needless", f"{points_phrase(points)} always holds here, so asking makes no difference."

    def _boxes(self, clause: Clause) -> list[Box]:
        return [self.all_rows] if clause.name is None else self.boxes.get(clause.name, [])

    def _where(self, index: int) -> str:
        line = self.program.clauses[index].line
        return f"line {line}" if line else f"clause {index + 1}"

    def _unseen(self, clause: Clause) -> Iterator[tuple[FindingKind, str]]:
        if self.seen is None:
            return
        for literal in clause.literals:
            sentence = _unseen_sentence(literal, self.seen.get(literal.column))
            if sentence:
                yield "unseen", sentence


def _unseen_sentence(literal: Literal, seen: Seen | None) -> str:
    if seen is None:
        return f"the data has no column {literal.column!r}."
    if literal.op not in NUMBER_OPS:
        known = literal.value in seen.words
        return "" if known else f"the word {quote(str(literal.value))} does not occur in column {literal.column!r}."
    if seen.low is None or seen.high is None:
        return f"column {literal.column!r} holds no number in the data."
    low, high = float(seen.low), float(seen.high)
    numbers = Region(low, high, others=False, missing=False)
    verdict = Box({literal.column: numbers}).verdict(literal)
    if verdict is None:
        return ""
    share = "all" if verdict else "none"
    return (
        f"the numbers of column {literal.column!r} go from {number_word(low)} to {number_word(high)}: "
        f"{literal_phrase(literal)} holds for {share} of them."
    )


def _reached(program: Program) -> set[str]:
    """Name the helper predicates that the rules call, directly or through others."""
    reached: set[str] = set()
    waiting = [name for clause in program.clauses if clause.name is None for name in clause.called]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [called for clause in program.helpers[name] for called in clause.called]
    return reached


def _asking_boxes(program: Program, all_rows: Box) -> dict[str, list[Box]]:
    """Return, for each helper predicate, the boxes in which its truth can make a difference."""
    boxes: dict[str, list[Box]] = {name: [] for name in program.helpers}
    callers = [None, *reversed(program.order)]  # a caller before what it calls
    for name in callers:
        outer = [all_rows] if name is None else boxes[name]
        clauses = [clause for clause in program.clauses if clause.name == name]
        for clause in clauses:
            inner = [box for o in outer if not (box := o.where(clause.literals)).is_empty]
            for called in clause.called:
                new = [box for box in inner if box not in boxes[called]]
                boxes[called] += new
                if len(boxes[called]) > MAX_BOXES:
                    boxes[called] = [all_rows]
    return boxes
