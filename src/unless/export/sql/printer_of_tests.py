"""The form becomes SQL: layers that read cells, work out named tests and decide, then the answers; or one expression.

Every test is written with its guard (`n IS NOT NULL AND n <= 3`), so that NULL never gets further than a guard. A row
that `unless` refuses, because a number is infinite, has no label: NULL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.export.raw_cells import is_long
from unless.export.sql.written_formats import FormatReader
from unless.export.two_valued import And, Compared, Equal, IsBlank, IsNumber, IsWord, Named, Negation, Or, Reaches
from unless.logic.graded import JUST, moved
from unless.logic.program import label_text, same_label
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.export.sql.dialect import Layer, SqlDialect
    from unless.export.two_valued import DecisionForm, PointsCard, Test
    from unless.logic.rules import Column, Label

LONGEST = 900_000
"""Characters of an expression, beyond which engines give up."""
MOST_JOINED = 200
"""So many tests stand side by side; more are put into brackets, since engines take a chain for a deep tree."""
NEVER, ALWAYS = "(1 = 0)", "(1 = 1)"


def check_length(expression: str) -> None:
    """Refuse an expression that is too long."""
    if len(expression) > LONGEST:
        msg = "the program is too large for one expression; export it as select or view."
        raise DataError(msg)


def _chain(word: str, parts: Iterable[str]) -> str:
    """Join parts by a word, in brackets where there are many."""
    parts = list(parts)
    while len(parts) > MOST_JOINED:
        starts = range(0, len(parts), MOST_JOINED)
        parts = [f"({word.join(parts[start : start + MOST_JOINED])})" for start in starts]
    return word.join(parts)


@dataclass(frozen=True)
class SqlPrinter:
    """Prints one form in one dialect; `inline` writes everything out where it is used, for an expression."""

    form: DecisionForm
    dialect: SqlDialect
    inline: bool = False
    prefix: str = field(init=False)
    written: dict[str, str] = field(init=False, default_factory=dict)
    """What stands for each part: a name, or where it is inline an expression."""
    codes: dict[str, dict[str, int]] = field(init=False, default_factory=dict)
    """The numbers of words, in columns whose text stands there as a number."""

    def __post_init__(self) -> None:
        names = [column.name.lower() for column in self.form.columns]
        if self.dialect.folds_case and len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            msg = f"two columns are called {twice!r} but for capitals; {self.dialect.title} takes them for one."
            raise DataError(msg)
        prefix = "unless_"
        while any(name.lower().startswith(prefix) for name in self.form.taken):
            prefix += "_"
        object.__setattr__(self, "prefix", prefix)

    # Layers.

    def layers(self) -> list[Layer]:
        """Return the layers: perhaps columns, then texts and typed numbers, numbers, named tests."""
        found: list[Layer] = [{}, {}, {}, {}]
        for number, column in enumerate(self.form.columns, 1):
            self._read(column, number, found)
        for names in self.form.levels:
            found.append({})
            for name in names:
                self._add(
                    found[-1], f"t{list(self.form.named).index(name) + 1}", name, self.test(self.form.named[name])
                )
        raw = [self.dialect.quoted(column.name) for column in self.form.columns]
        columns = {name: name for name in raw} if self.dialect.asks_columns_first else {}
        return [layer for layer in (columns, *found) if layer]

    def _add(self, layer: Layer, alias: str, part: str, expression: str) -> None:
        if self.inline:
            check_length(expression)
            self.written[part] = f"({expression})"
        else:
            layer[f"{self.prefix}{alias}"] = expression
            self.written[part] = f"{self.prefix}{alias}"

    def _read(self, column: Column, number: int, found: list[Layer]) -> None:
        """Add what is needed of a column: `d` is its typed number, `s` its text, `n` its number."""
        dialect, name, asked = self.dialect, column.name, self.form.asked[column.name]
        raw = dialect.quoted(name)
        numerical = column.kind == "numerical"
        if numerical or IsNumber in asked or IsBlank in asked:
            self._add(found[0], f"d{number}", f"typed {name}", dialect.typed(raw))
        if dialect.looks_once and not self.inline and not column.reading:
            self._look_once(column, number, found)
        elif numerical or IsWord in asked or IsBlank in asked:
            self._add(found[0], f"s{number}", f"text {name}", self._known(raw, dialect.stripped(raw)))
        if numerical:
            typed, text = self.written[f"typed {name}"], self.written[f"text {name}"]
            read = self._formatted(column, number, text, found) if column.reading else self._number(name)
            whole = f"CASE WHEN {typed} IS NOT NULL THEN {typed} ELSE {read} END" if column.reading else read
            self._add(found[3], f"n{number}", f"number {name}", whole)

    def _look_once(self, column: Column, number: int, found: list[Layer]) -> None:
        """Add `w`, the text as it is; of words `k`, their number; of numbers `q`, the cast, and `s`, other texts.

        Where `q` is the number, `s` is empty, which no text without blanks is.
        """
        dialect, name, missing = self.dialect, column.name, self.form.missing
        raw = dialect.quoted(name)
        self._add(found[0], f"w{number}", f"words {name}", dialect.words(raw))
        text = self.written[f"words {name}"]
        if column.kind != "numerical":
            self.codes[name] = {word: code for code, word in enumerate(self.form.words.get(name, ()), 1)}
            known = {word: code for word, code in self.codes[name].items() if word not in missing}
            self._add(found[1], f"k{number}", f"text {name}", dialect.coded(text, known, missing))
            return
        self._add(found[1], f"q{number}", f"quick {name}", dialect.to_number(text))
        quick = f"{self.written[f'quick {name}']} IS NOT NULL AND {dialect.quick_number(text, missing)}"
        rest = self._known(text, dialect.strip(text))
        self._add(found[2], f"s{number}", f"text {name}", f"CASE WHEN {quick} THEN '' ELSE {rest} END")

    def _formatted(self, column: Column, number: int, text: str, found: list[Layer]) -> str:
        """Read a text in the format of its column; its parts go into layers of their own, days behind the rest."""

        def add(name: str, expression: str) -> str:
            part = f"{name} of {column.name}"
            self._add(
                found[2 if name.endswith("days") or name[1:] in ("w", "u") else 1], f"{name}{number}", part, expression
            )
            return self.written[part]

        return FormatReader(self.dialect, text, add).number(column)

    def _known(self, raw: str, stripped: str) -> str:
        """Make NULL of a text that means missing."""
        dialect, missing = self.dialect, self.form.missing
        whole = [word for word in missing if word.strip(BLANKS) != word]
        for word in ("", *(word for word in missing if word not in whole)):
            stripped = f"NULLIF({stripped}, {dialect.text(word)})"
        # A word with blanks at its ends is missing only where a cell is written so.
        if not whole:
            return stripped
        listed = ", ".join(map(dialect.text, whole))
        return f"CASE WHEN {dialect.as_written(raw)} IN ({listed}) THEN NULL ELSE {stripped} END"

    def _number(self, name: str) -> str:
        dialect, typed, text = self.dialect, self.written[f"typed {name}"], self.written[f"text {name}"]
        quick = self.written.get(f"quick {name}")
        at_once = f"WHEN {text} = '' THEN {quick} " if quick else ""
        return (
            f"CASE WHEN {typed} IS NOT NULL THEN {typed} {at_once}"
            f"WHEN {dialect.is_number_text(text)} THEN {dialect.to_number(text)} END"
        )

    # Tests.

    def test(self, test: Test) -> str:  # noqa: PLR0911  (a case for each kind of test)
        """Write a test; it is never NULL."""
        match test:
            case IsNumber(column):
                return f"{self._number_of(column)} IS NOT NULL"
            case IsWord(column):
                return self._is_word(column)
            case IsBlank(column):
                return f"({self._number_of(column)} IS NULL AND {self.written[f'text {column}']} IS NULL)"
            case Compared(column, op, number):
                return f"{self._number_of(column)} {'=' if op == '==' else op} {self.dialect.number(number)}"
            case Equal(column, word):
                code = self.codes.get(column, {}).get(word)
                return f"{self.written[f'text {column}']} = {self.dialect.text(word) if code is None else code}"
            case Named(name):
                return self.written[name]
            case _:
                return self._joined(test)

    def _joined(self, test: Test) -> str:
        match test:
            case And(tests):
                return f"({_chain(' AND ', map(self.test, tests))})" if tests else ALWAYS
            case Or(tests):
                return f"({_chain(' OR ', map(self.test, tests))})" if tests else NEVER
            case Negation(inner):
                return f"NOT ({self.test(inner)})"
            case Reaches(awards, threshold):
                return f"({self._points(awards)}) >= {threshold}"
            case _:
                raise AssertionError(test)

    def _number_of(self, column: str) -> str:
        number = self.written.get(f"number {column}")
        return self.written[f"typed {column}"] if number is None else number

    def _is_word(self, column: str) -> str:
        text = f"{self.written[f'text {column}']} IS NOT NULL"
        number = self.written.get(f"number {column}")
        return text if number is None else f"({text} AND {number} IS NULL)"

    def _points(self, awards: Iterable[tuple[int, Test]]) -> str:
        return (
            _chain(" + ", (f"CASE WHEN {self.test(test)} THEN {points} ELSE 0 END" for points, test in awards)) or "0"
        )

    # Decisions.

    def refused(self) -> str:
        """Test whether a number is infinite."""
        numbers = (f"abs({self.written[f'number {c.name}']})" for c in self.form.columns if c.kind == "numerical")
        return " OR ".join(f"{number} = {self.dialect.infinity}" for number in numbers)

    def decision(self) -> str:
        """Write which rule decides, counted from 1 in the order in which they are asked; 0 is none."""
        refused = self.refused()
        cases = [f"WHEN {refused} THEN NULL"] if refused else []
        cases += [f"WHEN {self.test(rule.test)} THEN {n}" for n, rule in enumerate(self.form.rules, 1)]
        return f"CASE {' '.join(cases)} ELSE 0 END" if cases else "0"

    def predicted(self, decision: str) -> str:
        """Write the label of a decision."""
        constants = self.constants()
        labels = [self.form.default, *(rule.label for rule in self.form.rules)]
        return self._by_decision(decision, [constants[label_text(label)] for label in labels])

    def constants(self) -> dict[str, str]:
        """Map the labels, as text, to constants of one type: text, where they are of several or too long for one."""
        labels = [self.form.default, *(rule.label for rule in self.form.rules)]
        kinds = {bool if isinstance(x, bool) else str if isinstance(x, str) else float for x in labels}
        as_text = len(kinds) > 1 or any(map(is_long, labels))
        return {label_text(x): self.dialect.text(label_text(x)) if as_text else self.dialect.label(x) for x in labels}

    def rule(self, decision: str) -> str:
        """Write the number of the rule that decides, as people count them; NULL where none does."""
        return self._by_decision(decision, ["NULL", *(self.dialect.text(rule.number) for rule in self.form.rules)])

    def _by_decision(self, decision: str, values: list[str]) -> str:
        if set(values) == {"NULL"}:
            return f"CASE WHEN {decision} IS NULL THEN NULL ELSE {self.dialect.text('')} END"
        cases = " ".join(f"WHEN {n} THEN {value}" for n, value in enumerate(values))
        return f"CASE {decision} {cases} END"

    # Probabilities.

    def card_points(self, card: PointsCard, decision: str) -> str:
        """Write the points of a card."""
        more = f" + CASE WHEN {self._decides(card.label, decision)} THEN {card.decided} ELSE 0 END"
        return self._points(card.awards) + (more if card.decided else "")

    def _decides(self, label: Label, decision: str) -> str:
        labels = [self.form.default, *(rule.label for rule in self.form.rules)]
        numbers = [str(n) for n, each in enumerate(labels) if same_label(each, label)]
        return f"{decision} IN ({', '.join(numbers)})" if numbers else NEVER

    def probability(self, decision: str, points: list[str]) -> str:
        """Write the probability that goes with a decision."""
        cards = self.form.cards
        if len(cards) == 1:
            by_side = [self._table(cards[0], points[0], side) for side in (True, False)]
            said = f"CASE WHEN {self._decides(cards[0].label, decision)} THEN {by_side[0]} ELSE {by_side[1]} END"
        else:
            cases = " ".join(
                f"WHEN {self._decides(card.label, decision)} THEN {self._share(points, i)}"
                for i, card in enumerate(cards)
            )
            said = f"CASE {cases} END"
        return f"CASE WHEN {decision} IS NULL THEN NULL ELSE {said} END"

    def as_they_are(self, card: PointsCard, decision: str, points: str) -> str:
        """Write what a card's points say of rows as they are."""
        said = self._by_points(points, card.as_they_are or {})
        return f"CASE WHEN {decision} IS NULL THEN NULL ELSE {said} END"

    def _table(self, card: PointsCard, points: str, is_decided: bool) -> str:
        return self._by_points(points, {n: moved(p, is_decided) for n, p in card.probabilities.items()})

    def curve(self, card: PointsCard, points: str) -> str:
        """Write what a card's points amount to, before labels are weighed against one another."""
        return self._by_points(points, card.probabilities)

    def _by_points(self, points: str, probabilities: Mapping[int, float]) -> str:
        rows = " ".join(f"WHEN {n} THEN {self.dialect.number(p)}" for n, p in probabilities.items())
        return f"CASE {points} {rows} END"

    def _share(self, curves: list[str], mine: int) -> str:
        whole = f"({' + '.join(curves)})"
        equal = self.dialect.number(1.0 / len(curves))
        share = [f"CASE WHEN {whole} > 0 THEN {curve} / {whole} ELSE {equal} END" for curve in curves]
        others = [each for i, each in enumerate(share) if i != mine]
        largest = self.dialect.greatest(others) if len(others) > 1 else others[0]
        moved_up = self.dialect.greatest([share[mine], f"{largest} + {self.dialect.number(JUST)}"])
        return f"{moved_up} / ({' + '.join([*share[:mine], moved_up, *share[mine + 1 :]])})"
