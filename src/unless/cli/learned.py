"""What `unless learn` says when it is done: the table, the size, rows it had not seen, the rules, what to do next.

In: what was learned, from what, in which time. Out: lines that fit a screen, or the same as plain data. Where the
program itself goes to standard output, this goes to standard error, so that it can be piped.
"""

from __future__ import annotations

import re
import shlex
import shutil
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unless.logic.forms.outline import outline
from unless.logic.program import label_text
from unless.logic.rules import Scorecard
from unless.table.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.explain.words.language import Language
    from unless.learn.task import Learned
    from unless.logic.rules import Label, Rule
    from unless.logic.unseen_rows import Unseen, UnseenLabels

ROOM = 41
"""Beside a command longer than this there is no room to say what it is for."""
MAX_LABELS = 12
"""Of labels that are never predicted, so many are named."""
MAX_LINES = 14
"""Rules in words that take more lines than this are left to `unless rules`."""
TYPED = re.compile(r"--[a-z-]+ '[^']*'")
"""An option with what stands behind it in quotes."""
HELD = "\x00"
"""Stands for a blank at which no line ends."""


@dataclass(frozen=True)
class Summary:
    """A finished run; `notes` are sentences about columns, `data`, `model` and `beside` the files that were named.

    `directions` are +1 or -1 by column: more of it may only speak for the label of the rules, or against it.

    Where there are no rows that it had not seen, `unchecked` says why. `lang` is the language that it is said in, and
    that the notes are in already.
    """

    learned: Learned
    seconds: float
    unseen: Unseen | None = None
    unchecked: str | None = None
    notes: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    model: str | None = None
    beside: tuple[str, ...] = ()
    directions: Mapping[str, int] = field(default_factory=dict)
    lang: str = "en"

    @property
    def words(self) -> Language:
        """The words of the language."""
        from unless.explain.words.language import language

        return language(self.lang)

    @property
    def size(self) -> tuple[int, int, int]:
        """Count rules and exceptions as they are read, and conditions; a set of words is one condition."""
        rules = outline(self.learned.program)
        n_exceptions = sum(entry.kind == "exception" for rule in rules for entry in rule.walk())
        return len(rules), n_exceptions, sum(map(_conditions, self.learned.rules))

    def sized(self, *, for_label: bool = False) -> str:
        """Say how large the program is, and perhaps which label the rules are for, where it is one."""
        words, (n_rules, n_exceptions, n_conditions) = self.words, self.size
        rules, labels = words.count("rules", n_rules), self.learned.program.target.labels
        if for_label and len(labels) == 1:
            rules = words.say("learned", "rules_for", rules=rules, label=words.quoted(label_text(labels[0])))
        exceptions = [words.count("exceptions", n_exceptions)] if n_exceptions else []
        return ", ".join([rules, *exceptions, words.count("conditions", n_conditions)])

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the program as plain data."""
        rules, exceptions, conditions = self.size
        return {
            "table": {"rows": sum(self.learned.label_counts), "labels": dict(self._labels())},
            "size": {"rules": rules, "exceptions": exceptions, "conditions": conditions},
            "seconds": round(self.seconds, 3),
            "unseen": None if self.unseen is None else self.unseen.as_dict(),
            "why_no_unseen": self.unchecked,
            "warnings": list(self.notes),
        }

    def lines(self) -> Iterator[str]:
        """Say it."""
        yield from self._table()
        yield from self._notes()
        seconds = self.words.decimal(self.seconds, 1)
        yield self.words.say("learned", "size", size=self.sized(for_label=True), seconds=seconds)
        yield from self._never()
        yield from directions_said(self.learned.program.target.labels[0], self.directions, self.lang)
        yield from self._seen()
        yield from self._rules()
        yield from self._next()

    def _labels(self) -> list[tuple[str, int]]:
        classes = (label_text(plain_label(label)) for label in self.learned.classes)
        return list(zip(classes, self.learned.label_counts, strict=True))

    def _table(self) -> Iterator[str]:
        words, program, labels = self.words, self.learned.program, self._labels()
        said = ", ".join(
            words.say("learned", "label", label=words.label(label), n=words.whole(n)) for label, n in labels[:6]
        )
        if len(labels) > 6:
            said = words.say("learned", "more_labels", labels=said)
        gaps = {
            "files": ", ".join(self.data) or words.say("learned", "examples"),
            "rows": words.count("rows", sum(self.learned.label_counts)),
            "columns": words.count("columns", len(program.columns)),
        }
        yield from wrapped(words.say("learned", "table", target=program.target.column, labels=said, **gaps))

    def _never(self) -> Iterator[str]:
        """Name the labels of several that no row gets; where no row gets but one label, a note has said so."""
        words, target = self.words, self.learned.program.target
        predicted = {label_text(label) for label in (*target.labels, target.default)}
        never = [
            words.say("learned", "never_label", label=words.label(label), rows=words.count("rows", n))
            for label, n in self._labels()
            if label not in predicted
        ]
        if len(never) > MAX_LABELS:
            never[MAX_LABELS:] = [words.say("learned", "never_more", n=words.whole(len(never) - MAX_LABELS))]
        if never and outline(self.learned.program):
            yield from wrapped(words.say("learned", "never", labels=words.listed(never)))

    def _notes(self) -> Iterator[str]:
        for note in self.notes:
            yield from wrapped(self.words.say("learned", "note", note=note), "  ")

    def _seen(self) -> Iterator[str]:
        words, unseen = self.words, self.unseen
        if unseen is None:
            if self.unchecked is not None:
                reason = words.say("learned.unchecked", self.unchecked)
                yield from wrapped(words.say("learned", "not_checked", reason=reason))
            return
        low, high = (self._bare_percent(end) for end in unseen.interval)
        how = words.say("learned", "folds", n=unseen.n_folds)
        if unseen.n_folds == 1:
            how = words.say("learned", "held_out", rows=words.count("rows", unseen.n_rows))
        said = words.say(
            "learned", "unseen", how=how, accuracy=words.percent(unseen.accuracy), low=low, high=high,
            label=words.quoted(label_text(unseen.commonest)), always=words.percent(unseen.n_commonest / unseen.n_rows),
        )  # fmt: skip
        if unseen.auc is not None:
            said = words.say("learned", "unseen_auc", unseen=said, auc=words.decimal(unseen.auc, 3))
        if unseen.by_label is None and unseen.beats_commonest is False and outline(self.learned.program):
            label, rows = words.quoted(label_text(unseen.commonest)), words.count("rows", unseen.n_rows)
            said = f"{said} {words.say('learned', 'no_better', label=label, rows=rows)}"
        yield from wrapped(" ".join([said, *self._by_label(unseen.by_label)]))

    def _by_label(self, found: UnseenLabels | None) -> Iterator[str]:
        """Say what was asked for where labels weigh differently: accuracy alone would look worse than no rule."""
        if found is None:
            return
        words = self.words
        if len(found.labels) == 2:
            yield self._found(found)
        balanced, always = (words.percent(share) for share in (found.balanced_accuracy, found.one_label))
        yield words.say("learned", "balanced", balanced=balanced, always=always)
        if found.cheapest is not None and found.mean_cost is not None:
            label, least = found.cheapest
            gaps = {"cost": words.decimal(found.mean_cost, 3), "always": words.decimal(least, 3)}
            yield words.say("learned", "cost", label=words.quoted(label_text(label)), **gaps)

    def _found(self, counted: UnseenLabels) -> str:
        """Say how many rows of the label of the rules were found, and how many were taken for it."""
        words, label = self.words, label_text(self.learned.program.target.labels[0])
        right, n, predicted = counted.found([label_text(each) for each in counted.labels].index(label))
        gaps = {"n": words.whole(n), "right": words.whole(right), "predicted": words.whole(predicted)}
        return words.say("learned", "found", label=words.quoted(label), **gaps)

    def _bare_percent(self, share: float) -> str:
        return "100" if share == 1.0 else self.words.decimal(100 * share, 1)

    def _rules(self) -> Iterator[str]:
        """Say the rules in words, if they fit; a program on standard output says them itself."""
        if self.model is None:
            return
        from unless.explain.faces.plain_text import program_english

        said = program_english(self.learned.program, lang=self.lang, width=_width() - 2)
        lines = [f"  {line}" for line in said.split("\n")]
        if len(lines) <= MAX_LINES:
            yield from ("", *lines)
        else:
            asked = "--english" if self.lang == "en" else f"--language {self.lang}"
            command = f"unless rules {shlex.quote(self.model)} {asked}"
            yield self.words.say("learned", "in_words", command=command)

    def _next(self) -> Iterator[str]:
        model = shlex.quote(self.model or "MODEL.lp")
        if len(self.data) != 1:
            return
        data, asked = shlex.quote(self.data[0]), "" if self.lang == "en" else f" --language {self.lang}"
        commands = [
            (f"unless explain {model} {data} --row 0{asked}", self.words.say("learned", "explain")),
            (f"unless studio {data} --model {model}", self.words.say("learned", "studio")),
        ]
        if self.beside:
            related = " ".join(f"--related {shlex.quote(each)}" for each in self.beside)
            commands = [(f"{commands[0][0]} {related}", commands[0][1])]
        program = self.learned.program
        if program.grade is not None and program.grade.columns and not outline(program):
            ranks = self.words.say("learned", "ranks")
            commands = [(f"unless rules {model} --grade{asked}", ranks), *commands]
        if not self.model:  # then the commands below have no file yet
            yield from ("", *wrapped(self.words.say("learned", "not_kept")))
        width, start = max(len(command) for command, _ in commands), self.words.say("learned", "next")
        yield ""
        for i, (command, purpose) in enumerate(commands):
            begun = start if i == 0 else " " * len(start)
            yield f"{begun}{command:<{width}}  {purpose}" if width <= ROOM else f"{begun}{command}"


def directions_said(label: Label, directions: Mapping[str, int], lang: str = "en") -> Iterator[str]:
    """Say which columns may only speak for a label, and which only against it, so that a wrong sign shows."""
    from unless.explain.words.constraint_sentences import direction_sentences
    from unless.explain.words.language import language

    for sentence in direction_sentences(label, directions, language(lang)):
        yield from wrapped(sentence)


def wrapped(text: str, indent: str = "") -> list[str]:
    """Break a line where the screen ends; what goes on below stands further in than the text began."""
    own = indent + text[: len(text) - len(text.lstrip())]
    # At blanks only: an option such as --keep-column is there to be typed, and looking for hyphens takes time with
    # the square of the longest word.
    # And not inside what stands in quotes behind an option, which is typed as it is shown.
    kept = TYPED.sub(lambda typed: typed[0].replace(" ", HELD), text.strip())
    lines = textwrap.wrap(kept, _width(), initial_indent=own, subsequent_indent=own + "  ", break_on_hyphens=False)
    return [line.replace(HELD, " ") for line in lines] or [""]


def _width() -> int:
    return min(max(shutil.get_terminal_size((80, 24)).columns, 40), 100)


def _conditions(rule: Rule) -> int:
    own = sum(len(part.awards) if isinstance(part, Scorecard) else 1 for part in rule.body)
    return own + sum(map(_conditions, rule.exceptions))
