"""Write the map of the package: `python docs/write_architecture.py` writes architecture.md and its picture.

The layers come from pyproject.toml, the sentences from the headers of the modules, the counts from their imports (see
`rooms`). Written by hand are the two walks and the table of changes; a test checks that every file they name is there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from draw_architecture import picture
from rooms import FRONT, between_rooms, layers, read_modules, rooms

from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooms import Module

HERE = Path(__file__).parent

HEAD = """\
# Architecture

This page is written by `docs/write_architecture.py` from the source: the layers of pyproject.toml, the headers of the
modules, their imports. A test compares it with what the script writes now, so it leaves out no room and no module.

![How data walks through the package, and its rooms in layers](pictures/architecture.svg)

A room is a folder of `src/unless`, or a module at its root. A room imports only from rooms below it; two rooms in one
layer do not know each other. import-linter checks this, without exceptions, and a test finds cycles between modules,
imports inside functions included. [Why these rooms](decisions/0008-rooms-and-the-one-road.md) is half a page.

## How data walks

**A table in, a program out.** Learning is one road, for tables in memory, files of any number and size, and clusters:

1. `table/` reads any frame (`table/frames.py`) or file (`table/formats.py`; in pieces, `table/pieces.py`), decides
   which columns are numerical (`table/kinds.py`), and gives `Cells`: numbers, words, missing. Nothing later sees a
   data frame.
2. `learn/task.py` is what is to be learned: the source of rows, the label, weights, rules to keep. `learn/front.py`
   takes a task and a learner, and is the only place that puts the following steps together.
3. `learn/rows/` turns cells into codes, small integers in order (`learn/rows/codes.py`), and counts how many rows of
   each class have each code (`learn/rows/counts.py`). Learners do not know where the rows are, here or on a cluster.
4. A learner asks for counts and gives nested rules: `learn/fold/` one rule after the other, `learn/optimise/` a whole
   program at once.
5. `logic/forms/flatten.py` names the exceptions: a `Program`. `logic/text/printer.py` writes it: the model file.

**A program and a table in, labels and proofs out.** What was learned is not needed any more, only its text:

1. `logic/text/parser.py` reads the program; `logic/holds.py` says what it means, row by row.
2. `evaluate/truth.py` says the same of whole columns, `evaluate/predict.py` gives labels, `evaluate/coverage.py`,
   `evaluate/scores.py` and `evaluate/compare.py` give figures. All are plain values.
3. `explain/proof/prover.py` proves one row's label; `explain/proof/ask.py` answers questions.
4. `explain/words/` puts claims into sentences of a language; `explain/faces/` makes text, HTML, JSON and pictures of
   them.
5. `cli/`, `web/` and `estimators/` only hand on: to a terminal, a browser, scikit-learn.

## Where to put a change

| you want | begin in | and then |
|---|---|---|
"""

CHANGES = (
    (
        "an operator",
        "`logic/rules.py` (the table of operators)",
        "`explain/words/en.toml` and `explain/words/de.toml` (how it is said), `make grammar`; one that tests words "
        "and is no equality also `logic/text/parser.py`, `logic/text/printer.py`, `evaluate/truth.py`, "
        "`logic/reason/regions.py`",
    ),
    (
        "a kind of column",
        "`table/kinds.py` (when a column is of it), `table/columns.py` (its cells)",
        "`logic/values.py` (one cell), `learn/rows/codes.py` (its order)",
    ),
    ("a file format", "`table/formats.py` (its row)", "nothing: whole files and pieces are read alike"),
    ("a metric", "`evaluate/scores.py` (its row)", "`explain/words/en.toml` and `explain/words/de.toml` (its name)"),
    (
        "a learner",
        "a module in `learn/`, and its row in `learn/learners.py`",
        "a class in `estimators/`, if scikit-learn's users are to have it; the command, the page and the bench find it",
    ),
    (
        "a constraint on rules",
        "`learn/constraints.py`",
        "`learn/learners.py` (the setting, and so the option), `learn/optimise/fit.py` (what may be tried), "
        "`estimators/unless_classifier.py` (the parameter), `logic/kept_constraints.py` and "
        "`logic/text/constraint_lines.py` (how it stands in the model file)",
    ),
    ("a language", "a copy of `explain/words/en.toml`", "nothing: it is found by its name"),
    (
        "a way to show a value",
        "a module in `explain/faces/`",
        "`showing.py`'s table in `__init__.py`, if values ask for it",
    ),
    (
        "a page of the studio",
        "`web/static/`",
        "a module in `web/studio/` (what it shows), `web/studio_routes.py` (its route)",
    ),
    (
        "a target of exports",
        "a module with `write` in `export/` (SQL: in `export/sql/`), and its row in `export/targets.py`",
        "a module with `replay` in `export/replay/`, if its engine can run beside the tests",
    ),
    ("a command", "a module in `cli/`, and its line in `cli/app.py`", "`make docs`"),
    ("a learner to measure", "`bench/contestants.py`", "nothing"),
)
"""What a newcomer may want, the file to begin in, and the files that follow. Paths are below `src/unless`."""

COUNTED = """
## Who imports whom

A room imports from those in whose columns its row has a number: how many imports of one module by another there are.
In all there are {edges} pairs of rooms and {pairs} imports. Those inside functions are counted, those for type checkers
are not. `__init__.py` is left out: it names the homes of the public names as text, loads them when they are used, and
so may know all rooms; rooms take from it only what the version is, and public names, which are counted at their homes.

"""


def page(modules: Mapping[str, Module]) -> str:
    """Return the page as Markdown."""
    changes = "".join(f"| {want} | {begin} | {then} |\n" for want, begin, then in CHANGES)
    return HEAD + changes + "".join(_decisions()) + "".join(_imports(modules)) + "".join(_listing(modules))


def _decisions() -> Iterator[str]:
    yield "\n## Why it is so\n\nDecisions that a newcomer might ask about, each half a page:\n\n"
    for file in sorted((HERE / "decisions").glob("*.md")):
        title = file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        number, _, said = title.partition(". ")
        yield f"{number}. [{said}](decisions/{file.name})\n"


def _imports(modules: Mapping[str, Module]) -> Iterator[str]:
    counts, order = between_rooms(modules), [room for layer in layers() for room in layer]
    counts = {pair: n for pair, n in counts.items() if FRONT not in pair}
    yield COUNTED.format(edges=len(counts), pairs=sum(counts.values()))
    yield f"| | {' | '.join(order)} |\n|---|{'---|' * len(order)}\n"
    for room in order:
        yield f"| **{room}** | {' | '.join(str(counts.get((room, other), '')) for other in order)} |\n"


def _listing(modules: Mapping[str, Module]) -> Iterator[str]:
    yield "\n## Every room and module, from the top\n"
    for layer in rooms(modules):
        for room in layer:
            yield from _room(room, [module for module in modules.values() if module.room == room])


def _room(room: str, inside: list[Module]) -> Iterator[str]:
    yield f"\n### {room if room == FRONT else f'`{room}`'}\n\n"
    if room != FRONT and inside[0].is_package:
        yield f"{inside[0].header}\n\n"
        inside = inside[1:]
    yield "| | |\n|---|---|\n"
    for module in sorted(inside, key=_own_first):
        yield f"| {_link(module)} | {_cell(module.header)} |\n"


def _own_first(module: Module) -> tuple[bool, str]:
    return (module.path.count("/") > 2, module.path)


def _link(module: Module) -> str:
    shown = module.path.removeprefix("unless/")
    if module.is_package and module.room != FRONT:
        return f"**[`{shown.removesuffix('__init__.py')}`](../src/{module.path})**"
    return f"[`{shown}`](../src/{module.path})"


def _cell(header: str) -> str:
    return header.replace("|", "\\|")


if __name__ == "__main__":
    read = read_modules()
    write_text(HERE / "architecture.md", page(read))
    write_text(HERE / "pictures" / "architecture.svg", picture(read))
