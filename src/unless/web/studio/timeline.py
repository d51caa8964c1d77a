"""What was done to a program, step by step: the way back, the way forward, and a number that grows with every step.

In: moments (the program in use, the draft of the next one, what is locked or switched off) with a sentence that says
what led there. Out: the moment now, undo and redo. Typing in the editor is one step until something else is done. Two
pages that work on one table tell by the revision that the other one was faster.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from unless.errors import UnlessError
from unless.web.studio.kept_apart import KeptApart, kept_apart_of

MOST = 200
"""How many steps can be undone."""
TYPED = "Typed in the editor."


class StaleError(UnlessError):
    """Another page has changed the draft since this one last looked."""

    status = 409


class NoStepError(UnlessError):
    """There is nothing to undo or redo."""

    status = 409


@dataclass(frozen=True, slots=True)
class OffRule:
    """A rule that is switched off: what it says, its number, and the program that had it, to put it back by."""

    text: str
    number: str
    before: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to edit; `locked` are the clauses of the rules to keep when learning again.

    `apart` is how rows were kept apart when the program was learned.
    """

    program: str | None = None
    draft: str | None = None
    locked: tuple[str, ...] = ()
    off: tuple[OffRule, ...] = ()
    apart: KeptApart | None = None

    @property
    def text(self) -> str | None:
        """Return the text that is worked on: the draft, else the program."""
        return self.program if self.draft is None else self.draft


class Timeline:
    """Moments, one after the other."""

    def __init__(self) -> None:
        self.now = Moment()
        self.past: list[tuple[Moment, str]] = []
        self.future: list[tuple[Moment, str]] = []
        self.revision = 0

    def check(self, revision: int | None) -> None:
        """Refuse a change that was made looking at an earlier moment."""
        if revision is not None and revision != self.revision:
            msg = "another tab changed the draft meanwhile. Here is how it looks now; do it again if it still fits."
            raise StaleError(msg)

    def change(self, moment: Moment, said: str) -> None:
        """Go on to a moment."""
        if moment == self.now:
            return
        typing = said == TYPED and self.past and self.past[-1][1] == TYPED and moment.draft is not None
        if not typing:
            self.past = [*self.past, (self.now, said)][-MOST:]
        self.now, self.future = moment, []
        self.revision += 1

    def undo(self) -> str:
        """Go one step back, and return what is undone."""
        if not self.past:
            msg = "there is nothing to undo; the table was opened here."
            raise NoStepError(msg)
        before, said = self.past.pop()
        self.future.append((self.now, said))
        self.now = before
        self.revision += 1
        return said

    def redo(self) -> str:
        """Go one step forward again, and return what is done again."""
        if not self.future:
            msg = "there is nothing to do again."
            raise NoStepError(msg)
        after, said = self.future.pop()
        self.past.append((self.now, said))
        self.now = after
        self.revision += 1
        return said

    def data(self) -> dict[str, Any]:
        """Return everything as plain data, each long text once."""
        texts: dict[str, int] = {}

        def plain(moment: Moment) -> dict[str, Any]:
            data = asdict(moment)
            for name in ("program", "draft"):
                text = data[name]
                data[name] = None if text is None else texts.setdefault(text, len(texts))
            for off in data["off"]:
                off["before"] = texts.setdefault(off["before"], len(texts))
            return data

        steps = {
            name: [{"moment": plain(moment), "said": said} for moment, said in moments]
            for name, moments in (("past", self.past), ("future", self.future))
        }
        return {"now": plain(self.now), **steps, "revision": self.revision, "texts": list(texts)}

    @staticmethod
    def of(data: dict[str, Any]) -> Timeline:
        """Read it back."""
        found, texts = Timeline(), data["texts"]
        found.now = _moment(data["now"], texts)
        found.past = [(_moment(step["moment"], texts), step["said"]) for step in data["past"]]
        found.future = [(_moment(step["moment"], texts), step["said"]) for step in data["future"]]
        found.revision = data["revision"]
        return found


def _moment(data: dict[str, Any], texts: list[str]) -> Moment:
    off = tuple(OffRule(each["text"], each["number"], texts[each["before"]]) for each in data["off"])
    program, draft = (None if data[name] is None else texts[data[name]] for name in ("program", "draft"))
    return Moment(program, draft, tuple(data["locked"]), off, kept_apart_of(data["apart"]))
