"""`python -m unless` is `unless`."""

from unless.cli import run

run()
