"""What `unless learn` says while it learns, and when that is cut short.

In: what a learner says of its progress. Out: a line on the terminal; nothing where standard error is no terminal.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def saying_what_is_kept(checkpoint: str | None) -> Iterator[None]:
    """Say, when learning is interrupted, that it can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is not None:
            typer.echo(f"unless: finished rules are kept in {checkpoint}; the same command resumes.", err=True)
        raise


@contextmanager
def saying_warnings() -> Iterator[None]:
    """Say what the library warns of in plain lines, without the lines of code that it comes from."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for one in caught:
        typer.echo(f"unless: {one.message}", err=True)


@contextmanager
def showing_progress() -> Iterator[Callable[[Any], None] | None]:
    """Show how far learning is, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("learning") as status:
        yield lambda progress: status.update(_said(progress))


@contextmanager
def showing_folds() -> Iterator[Callable[[int, int], None] | None]:
    """Show which fold is held out, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("checking on rows it has not seen") as status:
        yield lambda fold, n: status.update(f"checking on rows it has not seen, {fold} of {n}")


def _said(progress: Any) -> str:
    """Say how far a learner is: of rows to cover (FOLD), or of an objective that falls (the optimised learner)."""
    if hasattr(progress, "n_left"):
        return f"learning rule {progress.n_rules + 1}, {progress.n_left:,} of {progress.n_all:,} rows left"
    return (
        f"{progress.n_rules} rules, {progress.n_literals} literals, objective {progress.objective:,.0f}; "
        "Ctrl-C keeps the best program so far"
    )
