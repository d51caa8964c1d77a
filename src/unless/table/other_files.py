"""Files that are no table, or hold one in a wrapping that is not opened here: said by what they are.

In: the first bytes of a file. Out: nothing, or a refusal that says what the file is and what to do. Without it a page
of the web that is called .xls would be read as a text of one column, and an archive as one with null bytes.
"""

from __future__ import annotations

from unless.errors import DataError

PACKED = {
    b"BZh": "packed by bzip2",
    b"\xfd7zXZ\0": "packed by xz",
    b"\x28\xb5\x2f\xfd": "packed by zstd",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a": "a RAR archive",
}
"""How files begin that want unpacking; gzip is unpacked here."""
TAR_AT, TAR = 257, b"ustar"
OTHERS = {
    b"%pdf-": ("a PDF", "save the table that it shows as CSV or xlsx"),
    b"<!doctype html": ("a page of the web", "open it with a spreadsheet program and save it as CSV or xlsx"),
    b"<html": ("a page of the web", "open it with a spreadsheet program and save it as CSV or xlsx"),
    b"<table": ("a page of the web", "open it with a spreadsheet program and save it as CSV or xlsx"),
    b"<?xml": ("XML", "open it with a spreadsheet program and save it as CSV or xlsx"),
    b"[{": ("JSON", "write it as CSV or Parquet"),
    b'{"': ("JSON", "write it as CSV or Parquet"),
}
"""How other files begin, in small letters; what they are, and what helps."""


def refuse_other_files(origin: str, start: bytes) -> None:
    """Refuse by its first bytes what is no table of text."""
    packed = next((what for magic, what in PACKED.items() if start.startswith(magic)), "")
    if start[TAR_AT:].startswith(TAR):
        packed = "a tar archive"
    if packed:
        other = "" if "archive" in packed else ", or pack it by gzip, which is read"
        msg = f"{origin} is {packed}. Hint: unpack it first{other}."
        raise DataError(msg)
    begin = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for magic, (what, advice) in OTHERS.items():
        if begin.startswith(magic):
            msg = f"{origin} is {what}, whatever its name says; a table is wanted. Hint: {advice}."
            raise DataError(msg)


def no_spreadsheet(origin: str, inside: list[str] | None) -> DataError:
    """Say what a file is that begins as spreadsheets do, and is none: `inside` are the files in it, None if damaged."""
    if inside is None:
        return DataError(
            f"cannot read {origin} as a spreadsheet: it is damaged or cut off. Hint: save, copy or download it again."
        )
    shown = f" with {inside[0]!r} in it" if len(inside) == 1 else f" of {len(inside)} files"
    return DataError(f"{origin} is a zip archive{shown}, and no spreadsheet. Hint: unpack it first.")
