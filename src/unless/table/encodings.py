"""Text in any of the usual encodings becomes text in UTF-8, with line feeds.

In: the content of a file of text. Out: the same content where it is UTF-8 already, which nearly every file is;
otherwise one in memory, and a note that says how it was read. What is no text, or UTF-8 with a broken byte in it, is
refused with the line.
"""

from __future__ import annotations

import codecs
import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.table.other_files import refuse_other_files

if TYPE_CHECKING:
    from unless.table.content import Content

log = logging.getLogger("unless")

UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
GLANCE = 4096
"""So many bytes tell UTF-16 and the ends of lines."""
BLOCK = 1 << 24
"""So many bytes are looked at a time."""
WINDOWS, LATIN = "Windows-1252", "Latin-1"
STRANGE = re.compile(r"[^\W\d_][\xb3\xb9\xbc\xbe\xbf][^\W\d_]|[\xc0-\xd6\xd8-\xf6\xf8-\xff]{4}")
"""Signs within words, or four letters in a row with an accent each: the text of another code page than the one read."""
END_OF_WORD = re.compile(r"[\s;,|\"]")


def as_utf8(content: Content) -> Content:
    """Return a text in UTF-8 whose lines end with line feeds."""
    start = content.bytes(0, GLANCE)
    refuse_other_files(content.origin, start)
    encoding = _wide(start)
    if encoding is None and b"\0" in start:
        msg = (
            f"{content.origin} holds a null byte: it is no text, nor any other table that can be read (spreadsheets, "
            "Parquet, Arrow, SQLite, DuckDB)."
        )
        raise DataError(msg)
    if encoding is None and (wrong := _first_wrong(content)) is not None:
        encoding = _old_encoding(content, wrong)
    has_only_returns = b"\r" in start and b"\n" not in start
    if encoding is None and not has_only_returns:
        return content
    data = content.bytes(0)
    if encoding is not None:
        text = _decoded(content.origin, data, encoding)
        strange = STRANGE.search(text) if encoding in (WINDOWS, LATIN) else None
        if strange is None:
            log.warning("%s is not in UTF-8: it is read as %s.", content.origin, encoding)
        else:
            log.warning(
                "%s is not in UTF-8: it is read as %s, in which some words look strange, such as %r. If they are "
                "wrong, save it as UTF-8.", content.origin, encoding, _word_at(text, strange.start()),
            )  # fmt: skip
        data = text.encode("utf-8")
    if has_only_returns or (b"\r" in data[:GLANCE] and b"\n" not in data[:GLANCE]):
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return replace(content, path="", data=data)


def _word_at(text: str, index: int) -> str:
    """Return the word that a character is in, or a part of a long one."""
    before, after = text[max(index - 20, 0) : index], text[index : index + 20]
    return END_OF_WORD.split(before)[-1] + END_OF_WORD.split(after)[0]


def _wide(start: bytes) -> str | None:
    """Tell UTF-32 and UTF-16 by their marks, or UTF-16 by every other byte, which is null in most texts."""
    if start[:4] in UTF32_MARKS:
        return "UTF-32"
    if start[:2] in UTF16_MARKS:
        return "UTF-16"
    half = len(start) // 2
    if half and start[1::2].count(0) > 0.9 * half and not start[0::2].count(0):
        return "UTF-16-LE"
    if half and start[0::2].count(0) > 0.9 * half and not start[1::2].count(0):
        return "UTF-16-BE"
    return None


def _first_wrong(content: Content) -> int | None:
    """Return the first byte that is not UTF-8, None if all are."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    with content.open() as file:
        while True:
            block = file.read(BLOCK)
            held = len(decoder.getstate()[0])
            is_plain = block and not held and block.isascii()  # seen sooner than decoded
            try:
                if not is_plain:
                    decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return done - held + error.start
            if not block:
                return None
            done += len(block)


def _old_encoding(content: Content, wrong: int) -> str:
    """Return the encoding of a text that is not UTF-8; refuse UTF-8 that is merely broken."""
    data = content.bytes(0)
    if not data.decode("utf-8", errors="ignore").isascii():
        line = data.count(b"\n", 0, wrong) + 1
        msg = (
            f"{content.origin}, line {line}: byte {data[wrong]:#04x} is not UTF-8, as the rest of the file is. "
            "Hint: the file was put together from texts of several encodings, or is damaged there."
        )
        raise DataError(msg)
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return LATIN
    return WINDOWS


def _decoded(origin: str, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        msg = f"{origin} begins like {encoding}, but byte {error.start} is not: {error.reason}."
        raise DataError(msg) from None
