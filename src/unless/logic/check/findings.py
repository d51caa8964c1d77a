"""What an editor of rules should know: clauses that cannot matter, tests of what was never seen, broken constraints.

In: a program, and perhaps what the training data held. Out: `Finding` values, in the order of the clauses, then of the
lines of the grade; none of them is an error. A finding names its reason and what that is about; `explain.words` has the
sentence. Every finding is certain: where a clause might matter for some row, with any value, word or missing cell,
nothing is said. Kinds:

    dead        the clause never holds
    unreached   no rule calls the predicate, directly or through others
    needless    the exception, or the condition, never makes a difference where it is asked
    redundant   the test always holds where it stands
    shadowed    whenever the clause holds, another one already decides, or others together do
    identical   the same clause stands above
    unseen      a column, word or range of numbers that the data does not have
    forbidden   a test of a column that the program's constraints forbid
    combined    two columns in one rule, or in the points for a label, that are kept apart
    contrary    a test by which more of a column speaks the other way than it may
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias, get_args
from typing import Literal as OneOf

from unless.logic.check.broken_constraints import Broken, BrokenKind, broken_constraints
from unless.logic.check.needless import needless_clauses
from unless.logic.clause import Call, Clause
from unless.logic.program import label_text, same_label
from unless.logic.reason.regions import Box, Region, Verdicts, everywhere
from unless.logic.rules import NUMBER_OPS
from unless.logic.text.model_text import award_text
from unless.logic.text.printer import clause_text, spelling_of
from unless.showing import show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from unless.logic.clause import Points
    from unless.logic.program import Program
    from unless.logic.rules import Label, Literal

    About: TypeAlias = "Literal | Points | ClauseAt | Label"
    Found: TypeAlias = "tuple[FindingKind, Reason]"
    Rivals = dict[tuple[str | None, str], list[tuple[int, Clause]]]

ClauseKind = OneOf["dead", "unreached", "needless", "redundant", "shadowed", "identical", "unseen"]
FindingKind: TypeAlias = ClauseKind | BrokenKind
KINDS: tuple[str, ...] = (*get_args(ClauseKind), *get_args(BrokenKind))

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
class ClauseAt:
    """Where a clause stands: its index in the program, and its line in the text it was read from, else 0.

    A line of the grade has no index.
    """

    index: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is found: the key of a sentence, and what fills its gaps."""

    key: str
    about: Mapping[str, About]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to think about in a clause, or in a line of the grade."""

    kind: FindingKind
    at: ClauseAt
    clause: str
    reason: Reason

    def __str__(self) -> str:
        return show("finding as text", self)

    @property
    def sentence(self) -> str:
        """Say in English what was found."""
        return show("finding in a sentence", self)

    def as_dict(self, *, lang: str = "en") -> dict[str, Any]:
        """Return everything as plain data, for JSON; the sentence in any language that there are words for."""
        sentence = show("finding in a sentence", self, lang=lang)
        return {"kind": self.kind, **asdict(self.at), "clause": self.clause, "sentence": sentence}


def check(program: Program, seen: Mapping[str, Seen] | None = None) -> tuple[Finding, ...]:
    """Find what cannot matter in a program, and what breaks its constraints; with `seen` what its data never holds.

    >>> from unless.logic.text.parser import parse
    >>> for finding in check(parse("low(X,'yes') :- age(X,N), N > 30.0, N =< 20.0.")):
    ...     print(finding)
    line 1: age > 30 and age ≤ 20 cannot both hold, so this clause never does.
    """
    return tuple(_Checker(program, seen).findings())


def check_constraints(program: Program) -> tuple[Finding, ...]:
    """Find what breaks the constraints of a program: rules, then lines of its grade."""
    return tuple(_broken(program, each) for each in broken_constraints(program))


def _broken(program: Program, broken: Broken) -> Finding:
    reason = Reason(broken.key, broken.about)
    if isinstance(broken.at, tuple):
        return Finding(broken.kind, ClauseAt(None, broken.at[1].line), award_text(program, *broken.at), reason)
    index = next(i for i, clause in enumerate(program.clauses) if clause is broken.at)
    text = clause_text(broken.at, spelling_of(program))
    return Finding(broken.kind, ClauseAt(index, broken.at.line), text, reason)


class _Checker:
    """Checks the clauses of one program."""

    def __init__(self, program: Program, seen: Mapping[str, Seen] | None) -> None:
        self.program = program
        self.seen = seen
        self.is_long = len(program.clauses) > MAX_CLAUSES
        self.spelling = spelling_of(program)
        self.all_rows = everywhere(program)
        self.reached = _reached(program)
        self.boxes = _asked_boxes(program, self.all_rows)
        self.dead = {i: reason for i, c in enumerate(program.clauses) if (reason := self._dead(c)) is not None}
        self.rivals = self._all_rivals()

    def findings(self) -> Iterator[Finding]:
        found = [list(self._clause(index, clause)) for index, clause in enumerate(self.program.clauses)]
        superfluous = {i for i, each in enumerate(found) if any(_is_superfluous(*one) for one in each)}
        for i, alone in needless_clauses(self.program, superfluous).items():
            found[i].insert(0, ("shadowed", _why("others_together" if alone else "others_gone")))
        broken = check_constraints(self.program)
        for index, clause in enumerate(self.program.clauses):
            for kind, reason in found[index]:
                yield Finding(kind, self._at(index), clause_text(clause, self.spelling), reason)
            yield from (each for each in broken if each.at.index == index)
        yield from (each for each in broken if each.at.index is None)

    def _clause(self, index: int, clause: Clause) -> Iterator[Found]:
        if clause.name is not None and clause.name not in self.reached:
            yield "unreached", _why("unreached", name=clause.name)
        if index in self.dead:
            yield "dead", self.dead[index]
        else:
            yield from self._living(index, clause)
        yield from self._unseen(clause)

    def _living(self, index: int, clause: Clause) -> Iterator[Found]:
        if self.is_long:
            yield from self._redundant(clause)
            return
        shadow = self._shadow(index, clause)
        if shadow is not None:
            yield shadow
        elif clause.name is not None and clause.name in self.reached and self._never_asked(clause):
            yield "needless", _why("never_asked", name=clause.name)
        yield from self._redundant(clause)
        yield from self._needless_calls(clause)

    def _dead(self, clause: Clause) -> Reason | None:
        """Say why a clause never holds, or return None."""
        found = self._contradiction(clause)
        if found is not None or self.is_long:
            return found
        for call in clause.calls:
            if Call(call.name, not call.negated) in clause.body:
                return _why("asked_both_ways", name=call.name)
        verdicts = Verdicts(self.program, self.all_rows.where(clause.literals))
        for call in clause.calls:
            if verdicts.goal(call) is False:
                return _why("always_excepted" if call.negated else "never_together", name=call.name)
        for points in clause.points:
            if verdicts.goal(points) is False:
                return _why("points_never", test=points)
        return None

    def _contradiction(self, clause: Clause) -> Reason | None:
        if not self.all_rows.where(clause.literals).is_empty:
            return None
        literals = list(clause.literals)
        for one in literals:
            if self.all_rows.where([one]).is_empty:
                return _why("never_true", test=one)
        for pair in combinations(literals, 2):
            if self.all_rows.where(pair).is_empty:
                return _why("never_both", test=pair[0], other=pair[1])
        return None

    def _shadow(self, index: int, clause: Clause) -> Found | None:
        """Find a clause that holds whenever this one does and makes it superfluous."""
        box = self.all_rows.where(clause.literals)
        verdicts = Verdicts(self.program, box, tuple(clause.calls))
        for i, other in self._rivals(clause):
            if i == index:
                continue
            if other == clause:
                if i < index:
                    return "identical", _why("identical", where=self._at(i))
            elif verdicts.holds_always(other) and (i < index or not self._covers(clause, other)):
                return "shadowed", self._shadow_reason(clause, i, other)
        return None

    def _shadow_reason(self, clause: Clause, i: int, other: Clause) -> Reason:
        if clause.label is None or other.label is None or same_label(clause.label, other.label):
            return _why("adds_nothing", where=self._at(i))
        return _why("comes_later", where=self._at(i), first=other.label, label=clause.label)

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

    def _redundant(self, clause: Clause) -> Iterator[Found]:
        for literal in clause.literals:
            rest = [other for other in clause.literals if other.column == literal.column and other != literal]
            said = next((o for o in rest if self.all_rows.where([o]).verdict(literal) is True), None)
            if said is not None:
                yield "redundant", _why("said_already", test=literal, other=said)
            elif self.all_rows.verdict(literal) is True:
                yield "redundant", _why("always_true", test=literal)
            elif clause.name is not None and self._known_where_asked(clause.name, clause, literal):
                yield "redundant", _why("true_where_asked", test=literal, name=clause.name)

    def _known_where_asked(self, name: str, clause: Clause, literal: Literal) -> bool:
        # A clause with one goal must keep it: that it always holds is said of its caller.
        if len(clause.body) == 1 or not self.boxes[name]:
            return False
        return all(box.verdict(literal) is True for box in self.boxes[name])

    def _needless_calls(self, clause: Clause) -> Iterator[Found]:
        boxes = [box.where(clause.literals) for box in self._boxes(clause)]
        boxes = [box for box in boxes if not box.is_empty]
        verdicts = [Verdicts(self.program, box) for box in boxes]
        for call in clause.calls:
            if verdicts and all(v.goal(call) is True for v in verdicts):
                yield "needless", _why("never_excepts" if call.negated else "always_holds", name=call.name)
        for points in clause.points:
            if verdicts and all(v.goal(points) is True for v in verdicts):
                yield "needless", _why("points_always", test=points)

    def _boxes(self, clause: Clause) -> list[Box]:
        return [self.all_rows] if clause.name is None else self.boxes.get(clause.name, [])

    def _at(self, index: int) -> ClauseAt:
        return ClauseAt(index, self.program.clauses[index].line)

    def _unseen(self, clause: Clause) -> Iterator[Found]:
        if self.seen is None:
            return
        for literal in clause.literals:
            reason = _unseen_reason(literal, self.seen.get(literal.column))
            if reason is not None:
                yield "unseen", reason


def _is_superfluous(kind: FindingKind, reason: Reason) -> bool:
    """Tell whether a finding means that the program decides the same without the clause."""
    return kind in ("dead", "unreached", "shadowed", "identical") or reason.key == "never_asked"


def _why(key: str, **about: About) -> Reason:
    return Reason(key, about)


def _unseen_reason(literal: Literal, seen: Seen | None) -> Reason | None:
    column = literal.column
    if seen is None:
        return _why("no_column", column=column)
    if literal.op not in NUMBER_OPS:
        return None if literal.value in seen.words else _why("no_word", word=literal.value, column=column)
    if seen.low is None or seen.high is None:
        return _why("no_number", column=column)
    low, high = float(seen.low), float(seen.high)
    verdict = Box({column: Region(low, high, others=False, missing=False)}).verdict(literal)
    if verdict is None:
        return None
    return _why("all_numbers" if verdict else "no_numbers", column=column, low=low, high=high, test=literal)


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


def _asked_boxes(program: Program, all_rows: Box) -> dict[str, list[Box]]:
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
