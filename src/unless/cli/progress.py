"""What `unless learn` says while it learns, and when that is cut short or refused.

In: what a learner tells of its progress, its errors. Out: a line on the terminal, sentences that name the option.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.learn.fold.foldrpp import Progress
    from unless.learn.optimise.grow import Step


@contextmanager
def saying_which_option() -> Iterator[None]:
    """Say which option is out of the range that the classifier states for its parameter."""
    try:
        yield
    except ValueError as error:
        found = re.match(r"The '(\w+)' parameter of \w+ (must be .*?)( or None)?\. Got (.*) instead\.$", str(error))
        if found is None:
            raise
        from unless.errors import DataError

        name, accepted, _, given = found.groups()
        msg = f"--{name.replace('_', '-')} is {given}; it {accepted}."
        raise DataError(msg) from None


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
def showing_steps() -> Iterator[Callable[[Step], None] | None]:
    """Show how the objective falls, on a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status("learning; Ctrl-C keeps the best program so far") as status:
        yield lambda step: status.update(
            f"{step.n_rules} rules, {step.n_literals} literals, objective {step.objective:,.0f}; "
            "Ctrl-C keeps the best program so far"
        )


@contextmanager
def showing_rules() -> Iterator[Callable[[Progress], None] | None]:
    """Show the rule being learned, on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("learning rule 1", total=1.0)

        def on_rule(progress: Any) -> None:
            done = 1.0 - progress.n_left / max(1, progress.n_all)
            bar.update(
                task,
                completed=done,
                description=f"learning rule {progress.n_rules + 1}, {progress.n_left:,} rows left",
            )

        yield on_rule
