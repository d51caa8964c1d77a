"""The desk of a program: all boards that its subproblems are solved on, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unless.learn.optimise.body.boards import make_body_board, make_descents
from unless.learn.optimise.body.scorecard_board import make_board, make_cards, make_polish_board

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.body.boards import BodyBoard, Descents
    from unless.learn.optimise.body.scorecard_board import Cards, DraftBoard, PolishBoard


class DeskBoards(NamedTuple):
    """The boards that a subproblem is solved on: of its body, of descents, of scorecards drafted, polished, kept."""

    board: BodyBoard
    down: Descents
    draft: DraftBoard
    polish: PolishBoard
    cards: Cards


class Desk(DeskBoards):
    """All boards of subproblems; for one thread at a time."""


def make_desk(bins: Bins, n_literals: int, width: int, *, has_drafts: bool, has_scores: bool) -> Desk:
    """Return empty boards for bodies of so many literals, or given ones of `width`; scorecards get room if asked."""
    shape, none = (bins.n_rows, bins.n_bins), (0, 0)
    return Desk(
        make_body_board(*shape, len(bins.books), width),
        make_descents(*shape, n_literals),
        make_board(*shape if has_drafts else none),
        make_polish_board(*shape if has_scores else none),
        make_cards(bins.n_rows),
    )
