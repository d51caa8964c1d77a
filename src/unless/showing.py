"""How values show themselves: asked for by the values, written by rooms above them.

A program or a proof can be printed and looks well in a notebook, but the rooms that define them know no words and no
HTML. `unless/__init__.py`, which knows all rooms, fills `WRITERS`; a writer is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

WRITERS: dict[str, tuple[str, str]] = {}
"""What is written, by name: the module and the function that write it."""


def show(what: str, value: object, **options: Any) -> str:
    """Write a value for people, such as `show("proof as text", proof)`."""
    module, name = WRITERS[what]
    written: str = getattr(import_module(module), name)(value, **options)
    return written
