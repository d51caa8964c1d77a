"""Words and numbers as Prolog reads them."""

from __future__ import annotations


def quoted(text: str) -> str:
    """Write any text as an atom."""
    letters = (c if c.isascii() and (c.isalnum() or c in " _-.,:;()<>=") else f"\\x{ord(c):x}\\" for c in text)
    return f"'{''.join(letters)}'"


def number_text(number: float) -> str:
    """Write a number as Prolog reads it: with a point."""
    text = repr(number)
    whole, e, power = text.partition("e")
    return text if "." in whole else f"{whole}.0{e}{power}"
