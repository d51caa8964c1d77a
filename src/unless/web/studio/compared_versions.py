"""Two versions compared on all rows that there can be: equal, proved, or the regions in which they differ.

In: a session and the names of two versions; `program` is the one in use, `draft` the one that is worked on. Out: plain
data of the exact difference, counted on the open table where there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.evaluate.difference_counts import difference_on
from unless.explain.faces.difference_report import DifferenceReport
from unless.explain.words.edit_words import edit_sentences
from unless.explain.words.language import language
from unless.logic.reason.difference import difference
from unless.web.explained_row import LANGUAGE
from unless.web.studio.program_work import parsed
from unless.web.studio.versions import DRAFT, IN_USE

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.web.session import Session

SECONDS = 10.0


def compared(session: Session, old: str, new: str) -> dict[str, Any]:
    """Compare two versions by name."""
    before, after = named(session, old), named(session, new)
    if session.opened is None:
        found, n_rows = difference(before, after, seconds=SECONDS), None
    else:
        table = session.opened.table
        found, n_rows = difference_on(before, after, table, seconds=SECONDS), table.n_rows
    report = DifferenceReport(before, after, found, n_rows)
    said = edit_sentences(before, after, language(LANGUAGE))
    return {**report.data(lang=LANGUAGE), "said": said, "summary": report.text(lang=LANGUAGE), "of": [old, new]}


def named(session: Session, name: str) -> Program:
    """Return the program of a version, the one in use, or the draft."""
    if name == IN_USE:
        return session.need_program()
    if name == DRAFT:
        draft = session.draft
        if draft is None:
            msg = "there is no draft."
            raise DataError(msg)
        return parsed(draft)
    return parsed(session.versions.find(name).program)
