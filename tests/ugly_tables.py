"""One tidy table and the ugly files that offices make of it: each file has one trap, or all that go together.

`python tests/ugly_tables.py --write` writes `tests/ugly/TRAP.csv` anew. Each must be read as the tidy table is, and so
give the same program up to the lines that say how it is read.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import random
import sys
from pathlib import Path

UGLY = Path(__file__).parent / "ugly"
TIDY = "tidy"
TOWNS = ("Ulm", "Bonn", "Köln", "Paris", "New York")


def rows():
    """Make the tidy table: amounts, percentages, towns, dates, and a decision that hangs on all of them."""
    chance = random.Random(21)
    for number in range(120):
        amount = round(chance.choice([chance.uniform(-900, 900), chance.uniform(1000, 95000)]), 2)
        rate = round(chance.uniform(0.1, 30), 2)
        town = chance.choice(TOWNS)
        start = dt.date(2021, 1, 1) + dt.timedelta(days=chance.randrange(900))
        minutes = chance.randrange(30, 3000)
        good = amount < 40000 and rate < 20 and not (town == "Paris" and start > dt.date(2022, 6, 1)) and minutes > 200
        yield {
            "number": number, "amount": amount, "rate": rate, "town": town, "start": start, "minutes": minutes,
            "decision": "granted" if good else "refused",
        }  # fmt: skip


def plain(row):
    """Write a row as the tidy table does."""
    names = ("amount", "rate", "town", "start", "minutes", "decision")
    return {name: str(row[name]) for name in names}


def grouped(number, thousands, decimal, digits=2):
    """Write a number with separators."""
    return f"{number:,.{digits}f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands)


def bracketed(number):
    return f"({-number:.2f})" if number < 0 else f"{number:.2f}"


def trailing(number):
    return f"{-number:.2f}-" if number < 0 else f"{number:.2f}"


def padded(word, number):
    return [word, f"{word} ", f" {word}", f"\t{word}\xa0"][number % 4]


def comma(number):
    return f"{number:.2f}".replace(".", ",")


TRAPS = {
    "thousands": lambda row: {"amount": grouped(row["amount"], ",", ".")},
    "decimal-comma": lambda row: {"amount": comma(row["amount"]), "rate": comma(row["rate"])},
    "german": lambda row: {"amount": grouped(row["amount"], ".", ","), "rate": comma(row["rate"]) + " %"},
    "french": lambda row: {"amount": grouped(row["amount"], "\u202f", ",") + " €"},
    "swiss": lambda row: {"amount": "CHF " + grouped(row["amount"], "’", ".")},
    "dollars": lambda row: {"amount": ("-$" if row["amount"] < 0 else "$") + grouped(abs(row["amount"]), ",", ".")},
    "percent": lambda row: {"rate": f"{row['rate']}%"},
    "brackets": lambda row: {"amount": bracketed(row["amount"])},
    "trailing-minus": lambda row: {"amount": trailing(row["amount"])},
    "real-minus": lambda row: {"amount": str(row["amount"]).replace("-", "\u2212")},
    "units": lambda row: {"minutes": f"{row['minutes']} min", "rate": f"{row['rate']} km/h"},
    "blanks": lambda row: {name: padded(row[name], row["number"]) for name in ("town", "decision")},
    "dates-dotted": lambda row: {"start": f"{row['start']:%d.%m.%Y}"},
    "dates-short": lambda row: {"start": f"{row['start'].day}.{row['start'].month}.{row['start'].year}"},
    "dates-american": lambda row: {"start": f"{row['start']:%m/%d/%Y}"},
    "dates-british": lambda row: {"start": f"{row['start']:%d/%m/%Y}"},
    "dates-slashed": lambda row: {"start": f"{row['start']:%Y/%m/%d}"},
    "identifiers": lambda row: {"row": str(row["number"] + 1), "Antrags Nr.": f"A-{10200 + 7 * row['number']}"},
    "constants": lambda row: {"country": "DE", "nothing": ""},
    "all": lambda row: {
        "lfd. Nr.": str(row["number"] + 1), "amount": grouped(row["amount"], ".", ",") + " €",
        "rate": comma(row["rate"]) + " %", "town": padded(row["town"], row["number"]),
        "start": f"{row['start']:%d.%m.%Y}", "minutes": f"{row['minutes']} min", "country": "DE",
    },
}  # fmt: skip


def text(trap):
    """Write the table with a trap as CSV."""
    change = TRAPS.get(trap, lambda row: {})
    found = [{**change(row), **plain(row), **change(row)} for row in rows()]
    written = io.StringIO()
    writer = csv.DictWriter(written, list(found[0]), delimiter=";", lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return written.getvalue()


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    UGLY.mkdir(exist_ok=True)
    for trap in (TIDY, *TRAPS):
        (UGLY / f"{trap}.csv").write_text(text(trap), encoding="utf-8")
