"""What an edit did, in sentences: "Rule 1: income above 30,000 becomes income above 20,000.".

In: the program before and after, and the words of a language. Out: a few sentences, found by comparing what the two
say, so that a change by hand is said like one by a form. Rules that only moved are said to have moved.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from unless.explain.words.conditions import Conditions
from unless.explain.words.language import capital
from unless.explain.words.program_lines import points_below, rule_sentence
from unless.logic.forms.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program

MOST = 4
"""So many sentences are said; a program that changed more is another program."""


def edit_sentences(before: Program, after: Program, words: Language) -> list[str]:
    """Say what is different."""
    if before == after:
        return [words.say("edited", "nothing")]
    found = list(_between(outline(before), outline(after), words))
    texts = [[_text_of(rule, words) for rule in outline(program)] for program in (before, after)]
    if texts[0] != texts[1] and sorted(texts[0]) == sorted(texts[1]):
        found = [words.say("edited", "moved")]
    return found[:MOST] or [words.say("edited", "same")]


def _text_of(entry: Entry, words: Language) -> str:
    """Say an entry with all below it, without numbers."""
    return "\n".join(
        [words.label(entry.label), *_parts(entry, words), *(f"-{_text_of(below, words)}" for below in entry.entries)]
    )


def _parts(entry: Entry, words: Language) -> list[str]:
    """Return the conditions of an entry, the lines of its points one by one."""
    conditions = Conditions(words)
    table = points_below(entry, conditions)
    said = [conditions.condition(condition) for condition in entry.conditions if condition is not table]
    if table is not None:
        said.append(conditions.needed(table))
        said += [
            words.say("points", "award", points=points, case=case)
            for points, case in conditions.awards(table)
        ]  # fmt: skip
    return said


def _changed(before: Entry, after: Entry, words: Language) -> Iterator[str]:
    """Say what is different in a rule or exception, and then in its exceptions."""
    name = _name(after, words)
    parts = _parts(before, words), _parts(after, words)
    gone = [part for part in parts[0] if part not in parts[1]]
    come = [part for part in parts[1] if part not in parts[0]]
    if words.label(before.label) != words.label(after.label):
        gone, come = [rule_sentence(before, words)], [rule_sentence(after, words)]
    for old, new in zip(gone, come, strict=False):
        yield words.say("edited", "becomes", name=name, old=old, new=new)
    yield from (words.say("edited", "less", name=name, old=part) for part in gone[len(come) :])
    yield from (words.say("edited", "more", name=name, new=part) for part in come[len(gone) :])
    yield from _between(before.entries, after.entries, words)


def _between(before: Sequence[Entry], after: Sequence[Entry], words: Language) -> Iterator[str]:
    """Say what changed where it stands, what is gone, and what is new."""
    old, new = ([_text_of(entry, words) for entry in entries] for entries in (before, after))
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        gone, come = before[i:j], after[k:m]
        for one, other in zip(gone, come, strict=False):
            yield from _changed(one, other, words)
        yield from (_whole("removed", entry, words) for entry in gone[len(come) :])
        yield from (_whole("added", entry, words) for entry in come[len(gone) :])


def _whole(what: str, entry: Entry, words: Language) -> str:
    if entry.kind == "rule":
        return words.say("edited", f"rule_{what}", number=entry.number, text=rule_sentence(entry, words))
    text = words.say("program", "exception", body=Conditions(words).body(entry))
    return words.say("edited", f"exception_{what}", number=entry.number, text=text)


def _name(entry: Entry, words: Language) -> str:
    return capital(words.say("recourse", "rule" if entry.kind == "rule" else "exception", number=entry.number))
