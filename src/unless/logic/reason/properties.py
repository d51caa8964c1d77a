"""Properties of a program that are proved for all rows, written as sentences.

    never depends on sex                       no two rows that differ in sex only get different labels
    approved only rises with income            a larger income, all else equal, never loses the label; also: only falls
    nobody with age below 18 is approved       no such row gets the label (everybody with ...: all of them do)
    same as last-year.lp where housing is owner    the two programs decide alike; without `where`, for all rows

Each may end in `where` and conditions: `age below 18 and town is not Rome`. In: a sentence and a program. Out: a
`Property`, which asks an engine, and gives a row (or two) that breaks it, a proof that none does, or not decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.clause import Clause
from unless.logic.column_names import no_column, resolved_name
from unless.logic.readings import read_value, source_column
from unless.logic.reason.questions import NO, All, BodyHolds, Decides, Differs, Not, Within
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.recourse import label_named
from unless.logic.reason.regions import Region
from unless.logic.renamed_columns import called_like
from unless.logic.rules import Literal
from unless.logic.text.files import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.questions import Question, RowAnswer

    Asked = Callable[[Engine], RowAnswer]

ACCEPTED = (
    "never depends on COLUMN; LABEL only rises with COLUMN; LABEL only falls with COLUMN; "
    "nobody with CONDITIONS is LABEL; everybody with CONDITIONS is LABEL"
)
OF_FILES = "; same as FILE"
SENTENCES = (
    (re.compile(r"never depends on (?P<column>.+)"), "depends"),
    (re.compile(r"(?P<label>.+) only (?P<way>rises|falls) with (?P<column>.+)"), "monotone"),
    (re.compile(r"(?P<who>nobody|everybody)(?: with| where)? (?P<where>.+) is (?P<label>.+?)"), "group"),
    (re.compile(r"same as (?P<file>.+)"), "same"),
)
OPERATORS = (
    (" is not | ?!= ?", "!="), (" at most | ?(?:=<|<=) ?", "=<"), (" at least | ?>= ?", ">="),
    (" below | under | ?< ?", "<"), (" above | over | ?> ?", ">"), (" is | ?= ?", "="),
)  # fmt: skip
"""How tests are written; the longer ones first, because the shorter are parts of them."""
QUOTED = re.compile(r"(?<=[\s=<>])(['\"])(.*?)\1(?=\s|$)")
"""A word in quotes may hold anything, ` and ` too: a number between two null characters stands for it meanwhile."""
MISSING = Region(1.0, 0.0, others=False, missing=True)


@dataclass(frozen=True)
class Property:
    """A sentence about all rows. Two may differ in `column`, or a part of it; `other` is a program to compare with."""

    sentence: str
    program: Program
    literals: tuple[Literal, ...]
    asked: Asked
    column: str | None = None
    other: Program | None = None

    def counterexample(self, *, seconds: float = 10.0) -> RowAnswer:
        """Look for rows that break it; the answer no is the proof that it holds."""
        programs = [self.program] if self.other is None else [self.program, self.other]
        return self.asked(Engine(programs, self.literals, seconds=seconds))


def read_property(sentence: str, program: Program, folder: Path | None = Path()) -> Property:
    """Read a sentence about a program; files are looked for in a folder, and where there is none, not read."""
    quoted = [found[2] for found in QUOTED.finditer(str(sentence))]
    numbers = count()
    masked = QUOTED.sub(lambda _: f"\0{next(numbers)}\0", str(sentence))
    text = " ".join(str(sentence).split())
    for pattern, kind in SENTENCES:
        main, where = _split_where(" ".join(masked.split()), pattern)
        found = pattern.fullmatch(main)
        if found is not None:
            return _Reader(text, program, folder, quoted).property(kind, found.groupdict(), where)
    accepted = ACCEPTED if folder is None else ACCEPTED + OF_FILES
    msg = f"the property {text!r} is none that can be proved; accepted: {accepted}; perhaps 'where CONDITIONS'."
    raise DataError(msg)


def never_depends(program: Program, column: str) -> Property:
    """Return the property that a label never depends on a column, whatever words its name has."""
    sentence = f"never depends on {column}"
    return Property(sentence, program, (), lambda engine: _depends(engine, program, column, All(())), column)


def _split_where(text: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    if "who" in pattern.groupindex:
        return text, ""
    main, _, where = text.partition(" where ")
    return main, where


def _depends(engine: Engine, program: Program, column: str, given: Question) -> RowAnswer:
    answer = NO
    for label in program.target.labels:
        decides = Decides(program, label)
        answer = engine.find_pair(All((decides, given)), All((Not(decides), given)), column)
        if answer.verdict != "no":
            break
    return answer


class _Reader:
    """Reads the parts of one sentence."""

    def __init__(self, sentence: str, program: Program, folder: Path | None, quoted: Sequence[str]) -> None:
        self.sentence = sentence
        self.quoted = quoted
        self.program = program
        self.folder = folder
        self.columns = {column.name: column for column in program.columns}

    def property(self, kind: str, parts: dict[str, str], where: str) -> Property:
        """Make the property of a kind of sentence."""
        literals, given = self._conditions(parts.get("where") or where)
        self._refuse_empty(literals, given)
        if kind == "same":
            return self._same(self._unmasked(parts["file"]), literals, given)
        if kind == "group":
            label = label_named(self.program, self._unmasked(parts["label"]))
            wrong: Question = Decides(self.program, label)
            wrong = Not(wrong) if parts["who"] == "everybody" else wrong
            return self._made(literals, lambda engine: engine.find(All((wrong, given))))
        column = self._column(parts["column"])
        if kind == "depends":
            return self._independent(column, literals, given)
        self._refuse_words(column, f"{parts['way'].removesuffix('s')} with")
        self._refuse_parts(column)
        label = label_named(self.program, self._unmasked(parts["label"]))
        has = All((Decides(self.program, label), given))
        loses = All((Not(Decides(self.program, label)), given))
        one, other = (has, loses) if parts["way"] == "rises" else (loses, has)
        return self._made(literals, lambda engine: engine.find_pair(one, other, column, rising=True), column)

    def _independent(self, column: str, literals: tuple[Literal, ...], given: Question) -> Property:
        """Ask about a column, and of a date about its parts: where decisions depend on none, they do on no date."""
        names = (column, *self._tested_parts(column))

        def asked(engine: Engine) -> RowAnswer:
            answers = (_depends(engine, self.program, name, given) for name in names)
            return next((answer for answer in answers if answer.verdict != "no"), NO)

        return self._made(literals, asked, column)

    def _tested_parts(self, column: str) -> list[str]:
        """Name the parts of a date that the program tests: they change with it."""
        parts = (each for each in self.program.columns if each.name != column and source_column(each) == column)
        return [part.name for part in parts if part.name in self.program.used_columns]

    def _refuse_parts(self, column: str) -> None:
        """Refuse to say that a label rises with a date whose parts the program tests, which do not rise with it."""
        for part in self._tested_parts(column):
            msg = (
                f"in {self.sentence!r}: the program tests {part!r}, which is a part of {column!r} and changes with it, "
                f"so nothing is proved of a later date alone. Hint: ask whether it 'never depends on {column}'."
            )
            raise DataError(msg)

    def _made(self, literals: tuple[Literal, ...], asked: Asked, column: str | None = None) -> Property:
        return Property(self.sentence, self.program, literals, asked, column)

    def _same(self, name: str, literals: tuple[Literal, ...], given: Question) -> Property:
        from unless.logic.reason.difference import check_comparable

        if self.folder is None:
            msg = f"{self.sentence!r} asks for the file {name!r}, and no files are read here; `unless test` reads them."
            raise DataError(msg)
        other = called_like(load(self.folder / name), self.program)
        check_comparable(self.program, other)
        question = All((Differs(self.program, other), given))
        return Property(self.sentence, self.program, literals, lambda engine: engine.find(question), None, other)

    def _conditions(self, text: str) -> tuple[tuple[Literal, ...], Question]:
        """Read conditions that are joined by and."""
        literals: list[Literal] = []
        questions: list[Question] = []
        for part in filter(None, re.split(r" and ", text)):
            column, op, value = self._parts_of(part)
            if value == "blank" and op in ("=", "!="):
                blank: Question = Within(column, MISSING)
                literals.append(Literal(column, "!=", ""))  # so that the column has cells
                questions.append(blank if op == "=" else Not(blank))
                continue
            tests = self._tests(part, column, "=" if op == "!=" else op, value)
            literals += tests
            holds = BodyHolds(self.program, Clause(None, self.program.target.labels[0], tests))
            questions.append(Not(holds) if op == "!=" else holds)
        return tuple(literals), All(tuple(questions))

    def _tests(self, part: str, column: str, op: str, value: str) -> tuple[Literal, ...]:
        """Return the tests that together say a condition: a number that is equal is neither less nor more."""
        word = self._unmasked(value)
        number = self._number(column, word)
        if op == "=" and number is None:
            self._refuse_unquoted(column, word, is_quoted=word != value)
            return (Literal(column, "=", word),)
        self._refuse_words(column, "be compared with")
        if number is None:
            msg = f"in {self.sentence!r}: {self._unmasked(part)!r} compares with {word!r}, which is no number."
            raise DataError(msg)
        return tuple(Literal(column, each, number) for each in ((">=", "=<") if op == "=" else (op,)))

    def _refuse_unquoted(self, column: str, word: str, *, is_quoted: bool) -> None:
        """Refuse what is hardly meant for a word: `3 or 4`, or a slip among numbers. Of such words all is proved."""
        literals = (literal for clause in self.program.clauses for literal in clause.literals)
        is_asked = any(literal.column == column and literal.value == word for literal in literals)
        if not is_quoted and not is_asked and (self.program.kinds[column] == "numerical" or " or " in word):
            what = "no number and no" if self.program.kinds[column] == "numerical" else "no"
            msg = f"in {self.sentence!r}: {word!r} is {what} word that the program asks of {column!r}"
            msg += "; if it is a word, write it in quotes. Conditions are joined by 'and' only."
            raise DataError(msg)

    def _unmasked(self, text: str) -> str:
        """Put what stood in quotes back, without them."""
        return re.sub(r"\0(\d+)\0", lambda found: self.quoted[int(found[1])], text)

    def _number(self, column: str, value: str) -> float | None:
        """Read a number as the column writes it, 1.234,56 or a date, else plain."""
        found = read_value(self.columns[column], value)
        return found if isinstance(found, float) else None

    def _refuse_words(self, column: str, what: str) -> None:
        if self.program.kinds[column] == "categorical":
            msg = f"in {self.sentence!r}: {column!r} holds words only; nothing can {what} them."
            raise DataError(msg)

    def _refuse_empty(self, literals: tuple[Literal, ...], given: Question) -> None:
        """Refuse conditions that no row can meet: of such rows anything would be proved."""
        if literals and Engine([self.program], literals).find(given).verdict == "no":
            msg = f"in {self.sentence!r}: no row can meet these conditions together, so there is nothing to prove."
            raise DataError(msg)

    def _parts_of(self, part: str) -> tuple[str, str, str]:
        for spelled, op in OPERATORS:
            found = re.fullmatch(rf"(.+?)(?:{spelled})(.+)", part)
            if found is not None:
                return self._column(found[1]), op, found[2]
        shown = f"in {self.sentence!r}: {self._unmasked(part)!r}"
        msg = f"{shown} is no condition; write such as 'age below 18' or 'town is Rome'."
        raise DataError(msg)

    def _column(self, name: str) -> str:
        """Find a column by its name, with blanks for its _ or the other way round."""
        name = self._unmasked(name)
        for known in self.program.kinds:
            spaced = known.replace("_", " ")
            if name in (known, spaced, spaced.replace("-", " "), known.replace(" ", "_")):
                return known
        called = resolved_name(name, self.program.kinds)
        if called not in self.program.kinds:
            raise DataError(f"in {self.sentence!r}: " + no_column(name, self.program.kinds, "the program"))
        return called
