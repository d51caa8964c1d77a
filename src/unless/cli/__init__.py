"""The command line: thin commands over the library, one module each."""

from unless.cli.app import main, run

__all__ = ["main", "run"]
