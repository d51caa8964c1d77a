"""Text becomes a tree, or an error that shows the line, a caret and what was expected.

The grammars are `program.lark` and `background.lark`, run by lark's LALR parser; the tables of the first are kept in
`program.json` (see `lalr_tables`). Nothing in a text is executed, and time and memory are linear in its length, which
is limited.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from unless.errors import ProgramError, ProgramSyntaxError, half_character
from unless.logic.program import MAX_CHARACTERS
from unless.logic.rules import NUMBER_OPS, OPERATORS
from unless.logic.text.lalr_tables import parser_from_tables

WORDING = {
    "NAME": "a name",
    "VARIABLE": "a variable such as X",
    "NUMBER": "a number",
    "QUOTED": "a word in quotes",
    "STRING": "a text in double quotes",
    "DOUBLE": "a word in double quotes",
    "DIRECTIVE": "a directive",
    "AT_LEAST": "at_least",
    "STAR": "'*'",
    "OPERATOR": f"an operator ({', '.join(NUMBER_OPS)})",
    "LPAR": "'('",
    "RPAR": "')'",
    "COMMA": "','",
    "DOT": "'.'",
    "COLON": "':'",
    "EQUAL": "'='",
    "NOT": "not",
    "ELSE": "else",
    "TRUE": "true",
    "FALSE": "false",
    "$END": "the end of the text",
    "<END-OF-FILE>": "the end of the text",
    "IF": "':-'",
    "ASK": "?-",
    "HEADER": "a header line (%@)",
    "CONSTRAINT": "a constraint (%@ forbid, %@ apart, %@ monotonic)",
    "GRADE": "a line of the grade (%@ grade)",
    "UNSEEN": "a line of unseen rows (%@ unseen)",
    "PRED": "#pred",
    "SAYS": "'::'",
    "UNLESS": "unless",
    "TARGET": "target",
    "CATEGORICAL": "categorical",
    "NUMERICAL": "numerical",
    "MISSING": "missing",
    "READ": "read",
    "RELATIONS": "relations",
    "RELATED": "related",
    "VALUES": "values",
    "HTML": "html([])",
    "LSQB": "'['",
    "RSQB": "']'",
}

UNSAID = {"COMMENT", "WHITE"}
"""What may stand anywhere, and so is never what was expected."""

GRAMMARS = {
    "start": "text/program.lark",
    "query": "text/program.lark",
    "background": "background/background.lark",
}
"""What can be read, and by which grammar."""

COMPARISONS = {
    "text/program.lark": tuple(NUMBER_OPS),
    "background/background.lark": tuple(spelling for each in OPERATORS.values() for spelling in each.spellings),
}
"""The operators that a grammar knows: words are compared only in background knowledge, and there as others write."""

FOLDER = Path(__file__).parents[1]
TABLES = {"text/program.lark": FOLDER / "text/program.json"}
"""Where the tables of a grammar stand; `make grammar` writes them."""

ADDING = (
    r"^[ \t]*(?:at_least\(N, ?\[\]\) :- N =< 0\.\s+at_least\(N, ?\[P\*C\|Cs\]\) :- call\(C\), at_least\(N-P, ?Cs\)\.\s+"
    r"at_least\(N, ?\[P\*C\|Cs\]\) :- not call\(C\), at_least\(N, ?Cs\)\."
    r"|at_least\([^:.]*\)\s+:-\s+at_least[0-9]+\(X\)\."
    r"|at_least[0-9]+\(X\)\s+:-\s+(?:not\s+)?[a-z]\w*\(X\)(?:,\s*(?:not\s+)?[a-z]\w*\(X\))*\.)"
)
"""How s(CASP) adds up points: made from the program (see `sums`), and no part of it."""
ESCAPED = re.compile(r"\\(x[0-9a-fA-F]+\\|.)|''|\"\"")
SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def read_tree(text: str, what: str = "start", of: str = "") -> Tree[Token]:
    """Read the tree of a program, or of another `what` of the grammars; errors say which text it is (`of`)."""
    if len(text) > MAX_CHARACTERS:
        msg = f"the text has {len(text):,} characters; a program has at most {MAX_CHARACTERS:,}."
        raise ProgramError(msg)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ProgramError(half_character(error)) from None
    try:
        return _parser(GRAMMARS[what]).parse(without_sums(text), start=what)
    except UnexpectedInput as error:
        raise _syntax_error(error, text, what, of) from None


def without_sums(text: str) -> str:
    """Put blanks where the clauses stand by which s(CASP) adds up points: what follows stays where it is.

    No word of a program begins a line, so nothing else is meant. In the grammar they would cost every start some time.
    """
    if "at_least" not in text:
        return text
    return re.sub(ADDING, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.MULTILINE)


@cache
def _parser(name: str) -> Lark:
    path = TABLES.get(name)
    ready = None if path is None else parser_from_tables(path.read_text(encoding="utf-8"), grammar_text(name))
    return ready or build_parser(name)


def build_parser(name: str) -> Lark:
    """Work out the parser of a grammar."""
    starts = [what for what, grammar in GRAMMARS.items() if grammar == name]
    return Lark(grammar_text(name), parser="lalr", start=starts, propagate_positions=True)


def grammar_text(name: str) -> str:
    """Read a grammar, and add the operators to it."""
    operators = " | ".join(map(json.dumps, COMPARISONS[name]))
    return f"{(FOLDER / name).read_text(encoding='utf-8')}\nOPERATOR: {operators}\n"


def _syntax_error(error: UnexpectedInput, text: str, what: str, of: str) -> ProgramSyntaxError:
    lines, part = text.split("\n"), "question" if what == "query" else "clause"
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        line, column, problem = len(lines), len(lines[-1]) + 1, f"the text ends in the middle of a {part}"
        expected = error.expected if isinstance(error, UnexpectedEOF) else error.accepts or error.expected
    elif isinstance(error, UnexpectedToken):
        line, column = error.line, error.column
        problem = f"unexpected {str(error.token)[:40]!r}"
        expected = error.accepts or error.expected
    else:
        assert isinstance(error, UnexpectedCharacters)
        line, column, problem = error.line, error.column, f"unexpected {text[error.pos_in_stream or 0]!r}"
        expected = error.allowed or set()
    shown = lines[line - 1]
    problem += _hint(shown, column)
    wording = sorted({_wording(name, what) for name in expected if name not in UNSAID})
    return ProgramSyntaxError(problem, shown, line, column, wording, of)


def _wording(name: str, what: str) -> str:
    """Say a terminal of a grammar: in our words, or as it is written."""
    written = {each.name: each.pattern.value for each in _parser(GRAMMARS[what]).terminals}
    return WORDING.get(name) or f"'{written[name]}'"


def _hint(line: str, column: int) -> str:
    """Recognise common slips of the pen."""
    near = line[max(0, column - 2) : column + 1]
    if "<=" in near:
        return "; 'at most' is written =<"
    if "\\+" in near:
        return "; negation is written not"
    if line[column - 1 : column] == "+":
        return "; points are written at_least(2, [1*old(X), 1*ill(X)])"
    if "==" in near or "!=" in near or "\\=" in near:
        return "; equality is written age(X,'word'), inequality not age(X,'word')"
    if near.count("'") or line.count("'") % 2:
        return "; a quote may be open, or want a backslash before it"
    return ""


def unquote(token: str) -> str:
    """Return the text of a quoted atom, or of a text in double quotes."""
    quote = token[0]

    def plain(match: re.Match[str]) -> str:
        escape = match.group(1)
        if escape is None:
            # The quote that surrounds the text stands doubled for itself; the other one means just that.
            return quote if match.group() == quote * 2 else match.group()
        if escape[0] == "x" and len(escape) > 1:
            return _character(escape[1:-1])
        return SIMPLE_ESCAPES.get(escape, escape)

    return ESCAPED.sub(plain, token[1:-1])


def _character(code: str) -> str:
    if len(code) > 6 or int(code, 16) > 0x10FFFF:
        msg = f"\\x{code[:12]}\\ is not a character."
        raise ProgramError(msg)
    return chr(int(code, 16))
