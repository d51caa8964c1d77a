"""A reader's test: what a person sees of the programs of every learner has no helper in it, and no stray number.

The programs are the golden ones, of every learner on every table; the rows are made from what the programs test, so
that each test holds for some and fails for others. Where UNLESS_DATA names a folder, rows of the real tables are read
too.
"""

import random
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from golden_programs import CASES, GOLDEN, is_there, read_table
from unless import load, prove
from unless.evaluate.audit import audit
from unless.evaluate.coverage import coverage
from unless.evaluate.recourse_rows import TableRecourse
from unless.evaluate.view import View
from unless.explain.faces.audit_report import AuditReport
from unless.explain.faces.coverage_table import coverage_cells
from unless.explain.faces.difference_report import DifferenceReport
from unless.explain.faces.html_pages import program_page, proofs_page
from unless.explain.faces.json_data import program_data, proof_data
from unless.explain.faces.picture import NARROW, WIDTH, picture
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.faces.recourse_report import RecourseReport
from unless.explain.faces.report import view_report
from unless.explain.words.language import languages
from unless.logic.forms.outline import outline
from unless.logic.program import label_text
from unless.logic.reason.difference import difference
from unless.table.frames import raw_table
from visible_words import Visible, fixed_words, long_words

PROGRAMS = sorted(GOLDEN.glob("*/*.lp")) + sorted((Path(__file__).parents[2] / "examples").glob("*.lp"))
N_ROWS = 12
FEW_CLAUSES = 30
MADE_BY = "Erstellt mit unless"
LONG = re.compile(r"\d[.,]0*[1-9]\d{7,}")
"""A number with more decimals than anybody reads, such as 2.5176000000000003."""
NUMBERED = re.compile(r"\b(?:rules?|exceptions?|Regel|Ausnahme) (\d+(?:\.\d+)*)")


def rows_for(program):
    """Make rows around what a program tests: each number beside its threshold, each word, some unseen, some missing."""
    dice = random.Random(0)
    values = {column.name: [None, "unseen"] for column in program.columns}
    for clause in program.clauses:
        for literal in clause.literals:
            is_word = isinstance(literal.value, str)
            values[literal.column] += [literal.value] * 3 if is_word else [literal.value, literal.value + 1 / 3]
    target = program.target
    labels = [label_text(label) for label in (*target.labels, target.default)]
    return [
        {name: dice.choice(found) for name, found in values.items()} | {target.column: dice.choice(labels)}
        for _ in range(N_ROWS)
    ]


def seen(program, rows, lang):
    """Yield everything that a person sees, by name."""
    table = raw_table(rows)
    view = View(program, table)
    proofs = [prove(program, view.row(i), row_name=i, all_rules=i % 2 == 0) for i in range(table.n_rows)]
    figures = coverage(program, table)
    yield "program", program_english(program, lang=lang)
    yield "program's data", "\n".join(program_data(program, lang=lang)["rules"])
    for full in (False, True):
        yield f"proofs, full {full}", "\n".join(proof_english(proof, lang=lang, full=full) for proof in proofs)
    yield "proofs' data", "\n".join(line for proof in proofs for line in proof_data(proof, lang=lang)["sentences"])
    yield "pages", visible(program_page(program, lang=lang)) + visible(proofs_page(proofs[:3], lang=lang))
    yield "table", "\n".join(" ".join(cells[:2]) for cells in coverage_cells(figures, lang=lang))
    for width in (WIDTH, NARROW):
        drawn = ElementTree.fromstring(picture(program, figures, lang=lang, width=width))
        yield f"picture, {width}", "\n".join(part.text or "" for part in drawn.iter() if part.tag.endswith("text"))
    yield "report", visible(view_report(view, "t", range(3), lang=lang))
    if program.clauses and len(program.clauses) <= FEW_CLAUSES:
        yield from reasoned(program, table, lang)


def reasoned(program, table, lang):
    """Yield what is said of all possible rows: ways to a label, groups, and what an edit changes."""
    asked, want = TableRecourse(program, table), program.target.labels[0]
    for i in range(3):
        report = RecourseReport(program, asked.row(i), want, asked.ways(i, want, 2), i)
        yield "recourse", report.text(lang=lang)
    groups = audit(program, table, program.used_columns[0], want)
    yield "audit", AuditReport(program, [groups]).text(lang=lang)
    heads = [i for i, clause in enumerate(program.clauses) if clause.name is None]
    without = replace(program, clauses=tuple(c for i, c in enumerate(program.clauses) if i != heads[-1]), grade=None)
    found = difference(program, without, most=3, seconds=2.0)
    yield "difference", DifferenceReport(program, without, found).text(lang=lang)


def visible(page):
    return "\n".join(Visible(page).said)


def own_words(program, rows):
    """Return the words of the data: columns, words, labels, as they are and as they are said."""
    found = [program.target.column, *(str(column.name) for column in program.columns)]
    found += [str(value) for row in rows for value in row.values()]
    found += [str(literal.value) for clause in program.clauses for literal in clause.literals]
    found += [label_text(label) for label in (*program.target.labels, program.target.default)]
    return " ".join(found + [word.replace("_", " ").replace("-", " ") for word in found])


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: f"{file.parent.name}/{file.stem}")
@pytest.mark.parametrize("lang", languages())
def test_readers_see_no_helper_and_no_number_that_is_not_there(file, lang):
    program = load(file)
    rows = rows_for(program)
    data = set(re.findall(r"\w+", own_words(program, rows)))
    helpers = {name for name in program.helpers if name not in data}
    helpers |= {f"worth{i}" for i in range(1, 40)} - data
    numbers = {entry.number for rule in outline(program) for entry in rule.walk()}
    english = fixed_words("en") - fixed_words("de") - set(long_words(own_words(program, rows)))
    for face, text in seen(program, rows, lang):
        words = set(re.findall(r"\w+", text))
        assert not helpers & words, face
        assert set(NUMBERED.findall(text)) <= numbers, face
        assert not LONG.search(text), face
        if lang == "de":
            assert not english & set(long_words(text.replace(MADE_BY, ""))), face


def test_the_check_would_find_a_helper_and_a_stray_number():
    program = load(GOLDEN / "unless" / "adult.default.lp")
    assert set(program.helpers) <= set(re.findall(r"\w+", str(program)))
    assert NUMBERED.findall("rule 11 and exception 1.2, Regel 3") == ["11", "1.2", "3"]


REAL = [case for case in CASES if case[2] == "default" and is_there(case[1])]


@pytest.mark.parametrize(("learner", "table", "case", "options"), REAL, ids=str)
def test_rows_of_real_tables_are_read_alike(learner, table, case, options):
    program = load(GOLDEN / learner / f"{table}.{case}.lp")
    features, _, _ = read_table(table)
    raw = raw_table(features[:N_ROWS] if not hasattr(features, "head") else features.head(N_ROWS))
    rows = [dict(View(program, raw).row(i).items()) for i in range(raw.n_rows)]
    data = set(re.findall(r"\w+", own_words(program, rows)))
    helpers = {name for name in program.helpers if name not in data}
    numbers = {entry.number for rule in outline(program) for entry in rule.walk()}
    for row in rows:
        proof = prove(program, row, row_name=1)
        for lang in languages():
            text = proof_english(proof, lang=lang) + proof_english(proof, lang=lang, full=True)
            assert label_text(proof.label) in text
            assert not helpers & set(re.findall(r"\w+", text))
            assert set(NUMBERED.findall(text)) <= numbers
