"""The command line: thin commands over the library, one module each.

What it needs is loaded when it is run, so that Ctrl-C is answered while it is still being loaded, too.
"""

from __future__ import annotations

import sys

__all__ = ["main", "run"]


def run() -> None:
    """Run the command line; Ctrl-C before a command begins is answered here."""
    try:
        from unless.cli.app import run as begin

        begin()
    except KeyboardInterrupt:
        sys.stderr.write("unless: interrupted.\n")
        sys.exit(130)


def main() -> None:
    """Run the command line in a process that goes on; it ends by SystemExit."""
    from unless.cli.app import main as begin

    begin()
