"""The Columns screen: what each column holds, how it is read, what is odd, and its values against the label.

In: a session. Out: plain data. The picture against the label is the one of `unless look`: a bar for each value or, of
many numbers, for parts of the rows of about equal size from low to high, with the rows that have the label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.table.hygiene import perhaps_missing
from unless.web.open_table import is_unlabelled

if TYPE_CHECKING:
    from unless.web.session import Session


def columns(session: Session) -> dict[str, Any]:
    """Describe the columns, and say which label their pictures show."""
    label = pictured_label(session)
    described = [_column(session, name, label) for name in session.need_table().guesses]
    return {"columns": described, "label": label, "label_share": _share(session, label)}


def pictured_label(session: Session) -> str | None:
    """Return the label that pictures show: the one that rules conclude, else the rarer of two or the commonest."""
    opened, settings = session.need_table(), session.settings
    if settings.target is None or not opened.guesses[settings.target].usable:
        return None
    labels = opened.summary(settings.target, "categorical", ())
    known = [each["word"] for each in labels["words"]]
    if settings.positive in known or not known:
        return settings.positive if known else None
    return str(known[-1] if labels["n_distinct"] == 2 else known[0])


def _share(session: Session, label: str | None) -> float | None:
    """Return the share of the label among all rows, to compare bars with."""
    if label is None:
        return None
    opened = session.need_table()
    assert session.settings.target is not None
    return float(opened.has_word(session.settings.target, label).mean())


def _column(session: Session, name: str, label: str | None) -> dict[str, Any]:
    opened, settings = session.need_table(), session.settings
    guess, kind = opened.guesses[name], settings.kinds[name]
    note = guess.note  # it stands beside the column's name
    for own in (f"column {name!r} is ", f"column {name!r} ", f"column {name!r}: "):
        note = note.replace(own, "")
    entry: dict[str, Any] = {"name": name, "note": note, "usable": guess.usable}
    entry |= {"kind": kind, "guess": guess.kind, "left_out": name in settings.left_out, "bars": []}
    entry |= {"reading": opened.readings.get(name, "") if guess.usable and kind == "numerical" else ""}
    entry |= {
        "odd": [
            {"what": found.what, "evidence": found.evidence, "fix": found.fix} for found in opened.odd.get(name, ())
        ]
    }
    try:
        entry |= opened.summary(name, kind, settings.missing)
        if "(mixed)" in note and not entry["n_words"]:  # its words mean missing by now
            entry["note"] = ""
        entry |= {"perhaps_missing": perhaps_missing(each["word"] for each in entry["words"])}
        if name == settings.target:
            labels = opened.summary(name, "categorical", ())
            entry |= {"labels": labels["words"], "n_labels": labels["n_distinct"]}
            entry["n_unlabelled"] = int(is_unlabelled(opened.table.column(name), settings.missing).sum())
            entry["perhaps_missing"] = perhaps_missing(each["word"] for each in labels["words"])
        elif label is not None and guess.usable:
            assert settings.target is not None
            bars = opened.picture(name, kind, settings.missing, (settings.target, label))
            entry |= {"bars": [bar._asdict() for bar in bars]}
    except DataError as error:
        entry |= {"note": str(error), "usable": False}
    return entry
