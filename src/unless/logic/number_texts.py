"""Numbers as offices write them: which of `,` `.` and blanks separate what, signs, brackets, currencies and units.

A format is written as the number 1234.56 would be in the column: `1.234,56`, `$1,234.56`, `1 234,56 €`, `1234.56 km`.
In: the text of a format. Out: a `NumberFormat`, which reads a text as a number, exactly, and says a number as such a
text, so that what is said reads back as the same number. Whatever the format, a minus may stand in front or behind, or
be brackets around, and the currency or unit may be absent. Percent stays as written: 0,80 % is the number 0.8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

BLANK = "[\t \xa0\u2007\u2009\u202f]"
"""What stands for a blank inside a number or before its unit."""
MARKS = {"": "", ",": ",", ".": r"\.", " ": "[ \xa0\u2007\u2009\u202f]", "'": "['\u2019]"}
"""How thousands may be separated, as a pattern."""
MINUS = "[-\u2212]"
SIGN = "[-+\u2212]"
EXAMPLES = {
    "1234.56": ("", "."),
    "1,234.56": (",", "."),
    "1234,56": ("", ","),
    "1.234,56": (".", ","),
    "1 234,56": (" ", ","),
    "1 234.56": (" ", "."),
    "1'234.56": ("'", "."),
    "1'234,56": ("'", ","),
}
"""The ways to write a number, by example, with the separators of thousands and of decimals; the likelier first."""
SHORT = {"1234": "1234.56", "1,234": "1,234.56", "1.234": "1.234,56", "1 234": "1 234.56", "1'234": "1'234.56"}
"""Examples without decimals, which may be typed too."""
CURRENCIES = frozenset(
    [
        "€",
        "$",
        "£",
        "¥",
        "₹",
        "₽",
        "₩",
        "₺",
        "zł",
        "Kč",
        "kr",
        "kr.",
        "Fr",
        "Fr.",
        "Rs",
        "Rs.",
        "R$",
        "US$",
        "A$",
        "C$",
        "Ft",
        "EUR",
        "USD",
        "GBP",
        "CHF",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "CZK",
        "HUF",
        "JPY",
        "CNY",
        "INR",
        "AUD",
        "CAD",
        "NZD",
        "BRL",
        "MXN",
        "TRY",
        "ZAR",
    ]
)
"""Signs and names of money: an amount that has decimals has two."""
WRITTEN = re.compile(r"([^0-9]*)(1[ ,.']?234(?:[.,]56)?)([^0-9]*)")


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written; `before` and `after` are its currency or unit, blanks included."""

    example: str
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """Return the format as it is typed and kept."""
        return f"{self.before}{self.example}{self.after}"

    @cached_property
    def pattern(self) -> str:
        """Return what such a text looks like, in groups: bracket, sign, sign, number, minus, minus, bracket.

        Regular expressions of Python and of polars read it alike.
        """
        number = self._number_pattern
        before, after = (f"(?:{_escaped(unit.strip())})?" if unit.strip() else "" for unit in (self.before, self.after))
        return (
            rf"^(\()?{BLANK}*({SIGN})?{BLANK}*{before}{BLANK}*({SIGN})?{BLANK}*({number})"
            rf"{BLANK}*({MINUS})?{BLANK}*{after}{BLANK}*({MINUS})?{BLANK}*(\))?$"
        )

    @property
    def bare_pattern(self) -> str:
        """Return what a number without sign and unit looks like."""
        return f"^(?:{self._number_pattern})$"

    @property
    def _number_pattern(self) -> str:
        thousands, decimal = EXAMPLES[self.example]
        digits = "[0-9]+" if not thousands else f"[1-9][0-9]{{0,2}}(?:{MARKS[thousands]}[0-9]{{3}})+|[0-9]+"
        if thousands == ",":  # lakhs and crores: 12,34,567
            digits = f"[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}|{digits}"
        point = re.escape(decimal)
        return f"(?:{digits})(?:{point}[0-9]*)?(?:[eE][-+]?[0-9]+)?|{point}[0-9]+"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @property
    def _is_money(self) -> bool:
        return not CURRENCIES.isdisjoint((self.before.strip(), self.after.strip()))

    def read(self, text: str) -> float | None:
        """Read a text without blanks around it; None where it is no such number."""
        found = self._compiled.match(text)
        if found is None or text.endswith("\n"):
            return None
        opened, first, second, number, third, fourth, closed = found.groups()
        signs = [sign for sign in (opened, first, second, third, fourth) if sign is not None]
        if len(signs) > 1 or (opened is None) != (closed is None):
            return None
        thousands, decimal = EXAMPLES[self.example]
        if thousands:
            number = re.sub(MARKS[thousands], "", number)
        value = float(number.replace(decimal, "."))
        return -value if signs and signs[0] != "+" else value

    def say(self, number: float) -> str:
        """Write a number in this format, so that it reads back as the same number.

        >>> number_format("1.234,56 €").say(68649.2), number_format("1.234,56 km").say(68649.2)
        ('68.649,20 €', '68.649,2 km')
        """
        thousands, decimal = EXAMPLES[self.example]
        text = repr(abs(number))
        whole, _, rest = text.removesuffix(".0").partition(".")
        if thousands and whole.isdigit():
            whole = f"{int(whole):,}".replace(",", thousands)
        if rest.isdigit() and self._is_money:
            rest = rest.ljust(2, "0")
        sign = "-" if number < 0 else ""
        return f"{sign}{self.before}{whole}{decimal + rest if rest else ''}{self.after}"


def _escaped(unit: str) -> str:
    """Escape a unit for both kinds of regular expressions."""
    return "".join(f"\\{c}" if c in r"\.+*?()|[]{}^$-" else c for c in unit)


@lru_cache(maxsize=256)
def number_format(text: str) -> NumberFormat | None:
    """Read a format, None where the text is none.

    >>> number_format("1.234,56 €").read("-2.000,5 €"), number_format("1,234").text
    (-2000.5, '1,234.56')
    """
    found = WRITTEN.fullmatch(text)
    if found is None:
        return None
    before, example, after = found.groups()
    example = SHORT.get(example, example)
    if example not in EXAMPLES or any(c in before + after for c in "()-+\u2212\n"):
        return None
    return NumberFormat(example, before.lstrip(), after.rstrip())
