r"""The grade of a program as text: the `%@ grade` lines at the end of a model file, which s(CASP) ignores.

    %@ grade of 5d3f0a9b2c1e                                the clauses it was made for
    %@ grade 'late' curve 0.25 -2.5                         probability 1 / (1 + exp(-(0.25 * points - 2.5)))
    %@ grade 'late' points 3 if age > 40.0                  also: town = 'here', town in 'here', 'there',
    %@ grade 'late' points -2 if income is blank            two of these with `and` between them,
    %@ grade 'late' points 2 unless income > 900.0          for all that a condition does not hold for
    %@ grade 'late' points 4 if decided                     the program's own decision
    %@ grade 'late' band 5 .. 8: 62 of 181                  of 181 training rows with 5 to 8 points 62 were late

Columns are written as their predicates, numbers as Python's `repr`. Lines that are read come back as equal values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unless.errors import ProgramError, unknown_column
from unless.logic.grade import Award, Band, Blank, Both, Card, Decided, Grade
from unless.logic.program import label_text
from unless.logic.rules import NUMBER_OPS, Literal, OneOf, word_op
from unless.logic.text.syntax import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lark import Token

    from unless.logic.grade import CellCondition, GradeCondition
    from unless.logic.rules import Column, Label
    from unless.logic.text.written import ProgramText

QUOTED = r"'(?:[^'\\]|''|\\(?:[\\'\"abfnrtv0]|x[0-9a-fA-F]+\\))*'"
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
WHOLE = r"-?[0-9]{1,9}"
OPS = "|".join(sorted(map(re.escape, NUMBER_OPS), key=len, reverse=True))

OF = re.compile(rf"of\s+(?P<mark>[0-9a-f]{{4,64}})(?P<weighed>\s+weighed(?:\s+by\s+(?P<ratio>{NUMBER}))?)?")
CURVE = re.compile(rf"curve\s+(?P<slope>{NUMBER})\s+(?P<offset>{NUMBER})")
POINTS = re.compile(rf"points\s+(?P<points>{WHOLE})\s+(?P<when>if|unless)\s+(?P<condition>.+)")
BAND = re.compile(
    rf"band\s+(?P<low>{WHOLE})\s*\.\.\s*(?P<high>{WHOLE})\s*:\s*(?P<label>[0-9]{{1,18}})\s+of\s+(?P<rows>[0-9]{{1,18}})"
)
LABELLED = re.compile(rf"(?P<label>{QUOTED}|{NUMBER}|true|false)\s+(?P<rest>\S.*)")
COMPARED = re.compile(rf"(?P<name>[a-z]\w*)\s*(?P<op>{OPS})\s*(?P<number>{NUMBER})", re.ASCII)
EQUALS = re.compile(rf"(?P<name>[a-z]\w*)\s*(?P<not>!?)=\s*(?P<word>{QUOTED})", re.ASCII)
AMONG = re.compile(rf"(?P<name>[a-z]\w*)\s+(?P<not>(?:not\s+)?)in\s+(?P<words>{QUOTED}(?:\s*,\s*{QUOTED})*)", re.ASCII)
BLANK = re.compile(r"(?P<name>[a-z]\w*)\s+is\s+blank", re.ASCII)

SHAPES = (
    "of MARK", "of MARK weighed by RATIO", "LABEL curve SLOPE OFFSET", "LABEL points N if CONDITION",
    "LABEL points N unless CONDITION",
    "LABEL band LOW .. HIGH: N of ROWS",
)  # fmt: skip
AND = re.compile(r"\s+and\s+")
CONDITIONS = (
    "age > 40.0", "town = 'here'", "town in 'here', 'there'", "town not in 'here', 'there'",
    "age is blank", "age > 40.0 and town = 'here'", "decided",
)  # fmt: skip


def read_grade(lines: Sequence[Token], columns: Mapping[str, Column], reader: ProgramText) -> Grade | None:
    """Read the grade from its lines; `columns` are those of the header, by predicate."""
    if not lines:
        return None
    found = _GradeReader(columns, reader)
    for line in lines:
        try:
            found.read(line)
        except ProgramError as error:
            raise reader.error(line, str(error).rstrip(".")) from None
    return found.grade(lines[-1])


def read_label(text: str) -> Label:
    """Read a label, whose type its spelling says."""
    if text.startswith("'"):
        return unquote(text)
    if text in ("true", "false"):
        return text == "true"
    return float(text) if re.search(r"[.eE]", text) else int(text)


class _GradeReader:
    """Collects what the lines say, label by label."""

    def __init__(self, columns: Mapping[str, Column], reader: ProgramText) -> None:
        self.labels: dict[str, Label] = {}
        self.columns, self.reader = columns, reader
        self.mark, self.is_weighed, self.cost_ratio = "", False, ""
        self.curves: dict[str, tuple[float, float]] = {}
        self.awards: dict[str, list[Award]] = {}
        self.bands: dict[str, list[Band]] = {}

    def read(self, line: Token) -> None:
        """Read one line."""
        said = str(line).split("grade", 1)[1].strip()
        if match := OF.fullmatch(said):
            if self.mark:
                raise self.reader.error(line, "a second line says what the grade is of")
            self.mark, self.is_weighed = match["mark"], match["weighed"] is not None
            self.cost_ratio = match["ratio"] or ""
            return
        labelled = LABELLED.fullmatch(said)
        if labelled is None:
            raise self.reader.error(line, "this line of a grade cannot be read", *SHAPES)
        label, rest = self._label(labelled["label"]), labelled["rest"].strip()
        if match := CURVE.fullmatch(rest):
            if label in self.curves:
                raise self.reader.error(line, f"the grade of {label!r} has a second curve")
            self.curves[label] = float(match["slope"]), float(match["offset"])
        elif match := POINTS.fullmatch(rest):
            condition, is_unless = self._condition(line, match["condition"]), match["when"] == "unless"
            self.awards.setdefault(label, []).append(Award(int(match["points"]), condition, is_unless, line.line or 0))
        elif match := BAND.fullmatch(rest):
            band = Band(int(match["low"]), int(match["high"]), int(match["rows"]), int(match["label"]))
            self.bands.setdefault(label, []).append(band)
        else:
            raise self.reader.error(line, "this line of a grade cannot be read", *SHAPES)

    def grade(self, line: Token) -> Grade:
        """Put the cards together, in the order of their curves."""
        for text in (*self.awards, *self.bands):
            if text not in self.curves:
                raise self.reader.error(line, f"the grade of {text!r} has no curve")
        cards = (
            Card(self.labels[text], tuple(self.awards.get(text, ())), *curve, tuple(self.bands.get(text, ())))
            for text, curve in self.curves.items()
        )
        return Grade(self.mark, tuple(cards), self.is_weighed, float(self.cost_ratio) if self.cost_ratio else None)

    def _label(self, text: str) -> str:
        """Read a label; return its text."""
        label = read_label(text)
        self.labels[label_text(label)] = label
        return label_text(label)

    def _condition(self, line: Token, text: str) -> GradeCondition:
        text = text.strip()
        if text == "decided":
            return Decided()
        matches = _split(text)
        if matches is None:
            raise self.reader.error(line, f"{text!r} is not a condition of a grade", *CONDITIONS)
        conditions = [self._cell_condition(line, match) for match in matches]
        return conditions[0] if len(conditions) == 1 else Both(conditions[0], conditions[1])

    def _cell_condition(self, line: Token, match: re.Match[str]) -> CellCondition:
        column, found = self._column(line, match["name"]), match.groupdict()
        if "number" in found:
            return Literal(column, match["op"], float(match["number"]))  # type: ignore[arg-type]
        if "word" in found:
            return Literal(column, word_op(negated=bool(match["not"])), unquote(match["word"]))
        if "words" in found:
            return OneOf(column, tuple(map(unquote, re.findall(QUOTED, match["words"]))), bool(match["not"]))
        return Blank(column)

    def _column(self, line: Token, predicate: str) -> str:
        if predicate not in self.columns:
            raise self.reader.error(line, unknown_column(predicate, tuple(self.columns), "the program"))
        return self.columns[predicate].name


def _split(text: str) -> list[re.Match[str]] | None:
    """Return the one or two conditions of a line; None if it is neither. A quoted word may have an `and` in it."""
    found = _longest(text, 0)
    if found is None or found.end() == len(text):
        return None if found is None else [found]
    between = AND.match(text, found.end())
    second = None if between is None else _longest(text, between.end())
    return None if second is None or second.end() < len(text) else [found, second]


def _longest(text: str, start: int) -> re.Match[str] | None:
    """Return the condition that stands at a place and reaches furthest."""
    found = [match for shape in (COMPARED, EQUALS, AMONG, BLANK) if (match := shape.match(text, start))]
    return max(found, key=lambda match: match.end(), default=None)
