"""What `unless learn` says when it is done: the table, the size, rows it had not seen, the rules, what to do next.

In: what was learned, from what, in which time. Out: lines that fit a screen, or the same as plain data. Where the
program itself goes to standard output, this goes to standard error, so that it can be piped.
"""

from __future__ import annotations

import shlex
import shutil
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.logic.forms.outline import outline
from unless.logic.program import label_text
from unless.logic.rules import Scorecard
from unless.table.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.learn.task import Learned
    from unless.logic.rules import Rule
    from unless.logic.unseen_rows import Unseen

ROOM = 41
"""Beside a command longer than this there is no room to say what it is for."""
MAX_TAKEN = 3
"""Of more columns than these that hold numbers and words only their number is said."""
TAKEN_AS = " holds numbers and words "
MAX_LINES = 14
"""Rules in words that take more lines than this are left to `unless rules`."""


@dataclass(frozen=True)
class Summary:
    """A finished run; `notes` are sentences about columns, `data`, `model` and `beside` the files that were named.

    Where there are no rows that it had not seen, `unchecked` says why.
    """

    learned: Learned
    seconds: float
    unseen: Unseen | None = None
    unchecked: str | None = None
    notes: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    model: str | None = None
    beside: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int, int]:
        """Count rules and exceptions as they are read, and conditions; a set of words is one condition."""
        rules = outline(self.learned.program)
        n_exceptions = sum(entry.kind == "exception" for rule in rules for entry in rule.walk())
        return len(rules), n_exceptions, sum(map(_conditions, self.learned.rules))

    def sized(self, concluding: str = "") -> str:
        """Say how large the program is; `concluding` says what the rules are for."""
        rules, exceptions, conditions = self.size
        parts = [counted(rules, "rule") + concluding, counted(exceptions, "exception") if exceptions else ""]
        return ", ".join(filter(None, (*parts, counted(conditions, "condition"))))

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
        taken = [note for note in self.notes if TAKEN_AS in note]
        for note in [*(note for note in self.notes if note not in taken), *taken[:MAX_TAKEN]]:
            yield from wrapped(f"note: {note}", "  ")
        if len(taken) > MAX_TAKEN:
            yield f"  note: so do {counted(len(taken) - MAX_TAKEN, 'further column')}."
        yield self._learned()
        yield from self._seen()
        yield from self._rules()
        yield from self._next()

    def _labels(self) -> list[tuple[str, int]]:
        classes = (label_text(plain_label(label)) for label in self.learned.classes)
        return list(zip(classes, self.learned.label_counts, strict=True))

    def _table(self) -> Iterator[str]:
        program, labels = self.learned.program, self._labels()
        said = ", ".join(f"{label} {n:,}" for label, n in labels[:6]) + (", ..." if len(labels) > 6 else "")
        rows, columns = counted(sum(self.learned.label_counts), "row"), counted(len(program.columns), "column")
        files = ", ".join(self.data) or "examples"
        yield from wrapped(f"{files}: {rows}, {columns}, predicting {program.target.column} ({said}).")

    def _learned(self) -> str:
        labels = self.learned.program.target.labels
        concluding = f" for '{label_text(labels[0])}'" if len(labels) == 1 else ""
        return f"Learned {self.sized(concluding)} in {self.seconds:.1f} s."

    def _seen(self) -> Iterator[str]:
        if self.unseen is None:
            if self.unchecked is not None:
                yield from wrapped(f"Not checked on rows it had not seen: {self.unchecked}.")
            return
        low, high = self.unseen.interval
        n = self.unseen.n_folds
        how = f"{n} folds" if n > 1 else f"a held-out fifth, {counted(self.unseen.n_rows, 'row')}"
        always = self.unseen.n_commonest / self.unseen.n_rows
        said = f"On rows it had not seen ({how}): {percent(self.unseen.accuracy)} % right, "
        said += f"{percent(low)} to {percent(high)}; always '{label_text(self.unseen.commonest)}' is right "
        said += f"{percent(always)} %." + ("" if self.unseen.auc is None else f" AUC {self.unseen.auc:.3f}.")
        yield from wrapped(said)

    def _rules(self) -> Iterator[str]:
        """Say the rules in words, if they fit; a program on standard output says them itself."""
        if self.model is None:
            return
        from unless.explain.faces.plain_text import program_english

        said = program_english(self.learned.program, width=_width() - 2)
        lines = [f"  {line}" for line in said.split("\n")]
        if len(lines) <= MAX_LINES:
            yield from ("", *lines)
        else:
            yield f"The rules in words: unless rules {shlex.quote(self.model)} --english"

    def _next(self) -> Iterator[str]:
        model = shlex.quote(self.model or "MODEL.lp")
        if len(self.data) != 1:
            return
        data = shlex.quote(self.data[0])
        commands = [
            (f"unless explain {model} {data} --row 0", "why a row is decided so"),
            (f"unless studio {data} --model {model}", "read and edit it in the browser"),
        ]
        if self.beside:
            related = " ".join(f"--related {shlex.quote(each)}" for each in self.beside)
            commands = [(f"{commands[0][0]} {related}", commands[0][1])]
        width = max(len(command) for command, _ in commands)
        yield ""
        for start, (command, purpose) in zip(("Next: ", "      "), commands, strict=False):
            line = f"{start}{command:<{width}}  {purpose}"
            yield line if width <= ROOM else f"{start}{command}"


def counted(n: int, what: str) -> str:
    """Count things, with the right ending."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def percent(share: float) -> str:
    """Write a share in percent."""
    return "100" if share == 1.0 else f"{100 * share:.1f}"


def wrapped(text: str, indent: str = "") -> list[str]:
    """Break a line where the screen ends; what goes on below stands further in than the text began."""
    own = indent + text[: len(text) - len(text.lstrip())]
    # At blanks only: an option such as --keep-column is there to be typed, and looking for hyphens takes time with
    # the square of the longest word.
    lines = textwrap.wrap(
        text.strip(), _width(), initial_indent=own, subsequent_indent=own + "  ", break_on_hyphens=False
    )
    return lines or [""]


def _width() -> int:
    return min(max(shutil.get_terminal_size((80, 24)).columns, 40), 100)


def _conditions(rule: Rule) -> int:
    own = sum(len(part.awards) if isinstance(part, Scorecard) else 1 for part in rule.body)
    return own + sum(map(_conditions, rule.exceptions))
