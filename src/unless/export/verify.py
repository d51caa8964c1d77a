"""Replaying an export on its real engine before it is written: what differs from the program is refused.

In: a program, a target, perhaps the user's rows. Out: a `Replayed`, which has the rows and what the engine said of
them, or an `EngineError` that says where the engine differs, or that it is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version as metadata_version
from typing import TYPE_CHECKING, Any

from unless.errors import DisagreementError, EngineError
from unless.export.from_program import decision_form
from unless.export.options import ExportOptions
from unless.export.replay.answers import agree, expected_answer
from unless.export.targets import dialect_of, export_program, find_target
from unless.export.vectors import Vectors, mixed_vectors, text_vectors, typed_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.export.replay.answers import EngineAnswer
    from unless.logic.program import Program

N_VECTORS = 5000
MAKERS = {"text": text_vectors, "typed": typed_vectors, "mixed": mixed_vectors}


@dataclass(frozen=True)
class Replayed:
    """Rows that an engine was given, with what the program says of each, by kind; and how many it could not hold."""

    engine: str
    rows: dict[str, Vectors]
    answers: dict[str, list[EngineAnswer]]
    n_left_out: int = 0

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return sum(map(len, self.answers.values()))


def verify(
    program: Program, to: str, text: str, options: ExportOptions | None = None, *,
    n_rows: int = N_VECTORS, further: Sequence[Vectors] = (),
) -> Replayed:  # fmt: skip
    """Replay an export, and refuse what differs; `further` are rows of the user's."""
    target = find_target(to)
    if not target.replayer:
        return _parsed(to, text)
    engine = import_module(f"unless.export.{target.replayer}")
    made = {kind: MAKERS[kind](program, n_rows) for kind in engine.KINDS}
    made |= {f"table {n}": vectors for n, vectors in enumerate(further, 1)}
    version = engine.version()
    options = options or ExportOptions()
    text = _as_select(program, to, text, options)
    rows, answers, left_out = {}, {}, 0
    for kind, vectors in made.items():
        kept = held(engine, vectors)
        left_out += len(vectors.rows) - len(kept.rows)
        rows[kind] = kept
        answers[kind] = check_rows(program, text, options, engine, kept)
    return Replayed(version, rows, answers, left_out)


def _as_select(program: Program, to: str, text: str, options: ExportOptions) -> str:
    """Return what is replayed: of a view the SELECT in it, of an expression a SELECT around it."""
    if not to.startswith("sql:") or options.shape == "select":
        return text
    if options.shape == "view":
        return export_program(program, to, table=options.table)
    predicted, *others = decision_form(program).answers
    more = "".join(f", NULL AS {name}" for name in others)
    return f"SELECT *, {text.rstrip()} AS {predicted}{more} FROM {dialect_of(to).table(options.table)}"


def _parsed(to: str, text: str) -> Replayed:
    """Check the syntax of SQL whose engine runs elsewhere."""
    title = dialect_of(to).title
    try:
        import sqlglot
    except ImportError:
        msg = (
            f"no {title} runs here, and its syntax is checked by sqlglot, which is not installed (pip install sqlglot)."
        )
        raise EngineError(msg) from None
    try:
        sqlglot.parse_one(text, read=dialect_of(to).name)
    except RecursionError:
        msg = f"the SQL is nested deeper than sqlglot reads, so its syntax for {title} was not checked."
        raise EngineError(msg) from None
    except sqlglot.errors.SqlglotError as error:
        msg = f"sqlglot does not take the SQL for {title}: {str(error)[:300]}"
        raise DisagreementError(msg) from None
    return Replayed(f"sqlglot {metadata_version('sqlglot')} (syntax alone: no {title} runs here)", {}, {})


def held(engine: Any, vectors: Vectors) -> Vectors:
    """Leave out the rows that an engine cannot hold, or misreads before the export sees them."""
    if not hasattr(engine, "can_hold"):
        return vectors
    kept = tuple(row for row, can in zip(vectors.rows, engine.can_hold(vectors), strict=True) if can)
    return Vectors(vectors.columns, kept, vectors.typed)


def says_probabilities(engine: Any, program: Program) -> bool:
    """Tell whether exports for an engine say the probability of a program; not all do, for more cards than some."""
    return program.grade is None or len(program.grade.cards) <= getattr(engine, "MOST_CARDS", len(program.grade.cards))


def check_rows(
    program: Program, text: str, options: ExportOptions, engine: Any, vectors: Vectors
) -> list[EngineAnswer]:
    """Replay rows on an engine, and return what it says, which is what the program says."""
    found = engine.replay(program, text, vectors, options)
    whole = options.shape != "expression"
    rules, grades = whole, whole and says_probabilities(engine, program)
    for row, said in zip(vectors.as_dicts(), found, strict=True):
        wanted = expected_answer(program, row)
        if not agree(wanted, said, rules=rules, grades=grades):
            msg = f"{engine.version()} says {said} of {row}, and the program {wanted}; nothing is written."
            raise DisagreementError(msg)
    return list(found)
