"""Each guard that a printer writes is needed: without it the engine says something else, and verify notices."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from export_programs import guarded, weighed
from real_engines import engine_of
from unless.errors import DisagreementError, EngineError
from unless.export.targets import TARGETS, export_program
from unless.export.verify import verify

SQL = {
    "number and word guards": (r"\w+ IS NOT NULL AND (?=\w+ (<=|>|=) )", ""),
    "a word that is a number": (r"\((\w+ IS NOT NULL) AND \w+ IS NULL\)", r"\1"),
    "missing words": (r", '\?'\)", ", 'never')"),
    "missing words as written": (r"IN \(' none '", "IN (' never '"),
    "numbers that mean missing": (r" AND NOT \(\w+ = '?9\.0[^)]*\)", ""),
    "infinite numbers": (r"CASE WHEN abs.*? THEN NULL", "CASE WHEN 1 = 0 THEN NULL"),
    "negations": (r"NOT \(", "("),
}
NAN = (r"NULLIF\((CASE WHEN (?:typeof|pg_typeof|\().*?END), (CAST\('NaN' AS DOUBLE\)|'NaN'::float8)\)", r"\1")
MUTATIONS = {
    "sql:duckdb": {
        **SQL,
        "NaN": NAN,
        "blanks": (r"chr\(9\)( \|\| chr\(\d+\))*", "' '"),
        "missing among words": (r" WHEN '\?' THEN NULL", ""),
        "missing among words, as written": (r" WHEN ' none ' THEN NULL", ""),
        "missing numbers as written": (r" AND NOT starts_with\(\w+, '7 '\)", ""),
        "words behind blanks": (r"\w+ >= '!' AND \w+ < chr\(127\) AND (?=ascii)", ""),
        "words before blanks": (r" AND ascii\(substr\(\w+, -1\)\) BETWEEN 33 AND 126 THEN 0", " THEN 0"),
        "numbers for DuckDB alone": (r" AND NOT contains\(\w+, '_'\)", ""),
        "how numbers begin": (r"\(\w+ >= '0' AND .*? < '-:'\)", "(1 = 1)"),
        "whether a text is cast": (r"unless_q\d IS NOT NULL AND", ""),
        "which texts are numbers": (r"regexp_full_match\((\w+), '[^']*'\)", r"TRY_CAST(\1 AS DOUBLE) IS NOT NULL"),
    },
    "sql:postgres": {
        **SQL,
        "NaN": NAN,
        "blanks": (r"btrim\((\(CAST\(\S+ AS text\) COLLATE \"C\"\)), E'[^']*'\)", r"\1"),
        "which texts are numbers": (r"WHEN (\w+) ~ '\^\[\+-\]\?\(\[0-9\]\+[^']*'", r"WHEN \1 ~ '^[0-9]'"),
        "casts that fail": (r"WHEN (\w+) ~ '\^\[\+-\]\?\(\[0-9\]\{0,255[^']*'", r"WHEN \1 IS NOT NULL"),
    },
    "sql:sqlite": {
        **SQL,
        "blanks": (r"trim\((\S+), char\([0-9,]*\)\)", r"\1"),
        "letters in numbers": (r"NOT GLOB '\*\[\^0-9\.\]\*'", "NOT GLOB '*[^0-9._]*'"),
        "which texts are numbers": (r"WHEN \(substr.*? THEN CAST", "WHEN CAST(unless_s3 AS REAL) <> 0 THEN CAST"),
        "types of cells": (r"typeof\(\S+\) IN \('integer', 'real'\)", "1 = 1"),
    },
    "python": {
        "number guards": (r"isinstance\(c\d, float\) and ", ""),
        "blanks": (r"cell\.strip\(BLANKS\)", "cell"),
        "missing words": (r"word in MISSING or ", ""),
        "missing words as written": (r" or cell in MISSING", ""),
        "numbers that mean missing": (r" and not \(c\d == 9\.0\)", ""),
        "which texts are numbers": (r"return text != \"\" and all\(.*\)", "return text != ''"),
        "NaN": (r"if number != number:", "if False:"),
        "infinite numbers": (r"if abs\(number\) == float\(\"inf\"\):", "if False:"),
        "truth values": (r"if kind in \(\"bool\", \"bool_\"\):", "if False:"),
    },
    "javascript": {
        "number guards": (r"typeof c\d === \"number\" && ", ""),
        "blanks": (r"const word = strip\(cell\);", "const word = cell;"),
        "missing words": (r"MISSING\.includes\(word\) \|\| ", ""),
        "missing words as written": (r" \|\| MISSING\.includes\(cell\)", ""),
        "numbers that mean missing": (r" && !\(c\d === 9(\.0)?\)", ""),
        "which texts are numbers": (r"/\^\[\+-\]\?\(\[0-9\].*?/\.test\(text\)", "!Number.isNaN(Number(text))"),
        "NaN": (r"if \(Number\.isNaN\(cell\)\) return null;", ""),
        "infinite numbers": (r"if \(!Number\.isFinite\(number\)\)", "if (false)"),
        "truth values": (r"if \(typeof cell === \"boolean\"\).*", ""),
    },
    "prolog": {
        "number guards": (r"number\(C\d\), ", ""),
        "NaN": (r"float_class\(Raw, nan\), ", "fail, "),
        "blanks": (r"strip\(All, Blanks, Codes\)", "Codes = All"),
        "missing words": (r"missing_word\(Word\) ; ", ""),
        "missing words as written": (r" ; missing_word\(Written\)", ""),
        "which texts are numbers": (r"phrase\(number_text\(Sign", "phrase(loose(Sign"),
        "infinite numbers": (r"abs\(Number\) < inf", "true"),
    },
    "clingo": {
        "thresholds": (r"S(\d+) <= (\d+)", r"S\1 < \2"),
        "negations": (r"not test", "test"),
        "words": (r'word\(X, "city", "Rome"\)', 'word(X, "city", _)'),
    },
    "pmml": {
        "number guards": (r"<Apply function=\"isNotMissing\"><FieldRef field=\"(age|pay)\"/></Apply>",
                          '<Apply function="equal"><Constant dataType="integer">1</Constant>'
                          '<Constant dataType="integer">1</Constant></Apply>'),
    },
}  # fmt: skip


@pytest.mark.parametrize(("to", "guard"), [(to, guard) for to, guards in MUTATIONS.items() for guard in guards])
def test_a_missing_guard_is_noticed(to, guard):
    engine_of(to)
    program = guarded()
    text = export_program(program, to)
    mutant = re.sub(*MUTATIONS[to][guard], text)
    assert mutant != text
    with pytest.raises(EngineError):
        verify(program, to, mutant, n_rows=5500)


@pytest.mark.parametrize("to", [name for name, target in TARGETS.items() if target.replayer and name != "json"])
def test_the_probability_among_rows_as_they_are_is_replayed(to):
    """Exports had that of rows as weighed alone: 82 % for a patient whose risk is 12 %."""
    engine_of(to)
    program = weighed()
    otherwise = replace(program, grade=replace(program.grade, cost_ratio=7.25))  # the other probability is the same
    with pytest.raises(DisagreementError, match="nothing is written"):
        verify(program, to, export_program(otherwise, to), n_rows=100)
