import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import WORLD, dense_programs
from unless.evaluate.coverage import coverage
from unless.explain.faces.markup import element
from unless.explain.faces.picture import WIDTH, picture
from unless.explain.faces.text_width import text_width, wrap
from unless.explain.words.brief import brief_entry
from unless.explain.words.language import language, languages
from unless.logic.forms.outline import outline
from unless.logic.text.parser import parse

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = parse(r"""
%@ unless 1
%@ target t = '<script>alert(1)</script> & "co" ]]>': 'a<b' else 'else & all'
%@ categorical c = 'a column name that is long and goes on and on, longer than any line of the picture could ever be'
%@ numerical n = 'Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww'
t(X,'a<b') :- c(X,'収入収入収入収入収入収入収入収入収入収入収入収入収入収入収入収入収入収入収入'), not ab1(X).
ab1(X) :- n(X,N), N > 1.2345678901234567e-7, not ab2(X).
ab2(X) :- c(X,'\x1\ and \x0\ and <style>'), good(X).
good(X) :- n_is(X,'"quotes"').
""")


def boxes(svg):
    root = ElementTree.fromstring(svg)
    return root, list(root.iter(f"{SVG}rect")), list(root.iter(f"{SVG}text"))


def check_fits(svg):
    """All rectangles and texts are inside the page, and every text inside its width."""
    root, rects, texts = boxes(svg)
    height = int(root.get("height"))
    for rect in rects:
        x, y = int(rect.get("x", 0)), int(rect.get("y", 0))
        assert x + int(rect.get("width")) <= WIDTH
        assert y + int(rect.get("height")) <= height
    for text in texts:
        size = 20 if text.get("class") == "head" else 12 if "small" in text.get("class", "") else 14
        reach = text_width(text.text or "", size) * (0.5 if text.get("text-anchor") else 1)
        assert int(text.get("x")) + reach <= WIDTH
        assert int(text.get("y")) <= height


def test_a_hostile_program_is_drawn_and_nothing_gets_in():
    svg = picture(HOSTILE)
    check_fits(svg)
    assert "<script" not in svg
    assert svg.count("<style>") == 1
    assert "a<b if" in [text.text for text in boxes(svg)[2]]


def test_the_same_program_gives_the_same_picture():
    rows = [{**row, "t": "x"} for row in WORLD]
    program = parse("t(X,'x') :- n(X,N), N > 1.0, not ab1(X). ab1(X) :- c(X,'a').")
    figures = coverage(program, rows)
    assert picture(program, figures) == picture(parse(str(program)), coverage(program, rows))
    texts = [text.text for text in boxes(picture(program, figures))[2]]
    assert "1 rule, 1 exception, on 44 rows" in texts
    assert "15 rows" in texts
    assert "100 % right" in texts


def test_a_program_without_rules_is_drawn():
    svg = picture(parse("%@ unless 1\n%@ target t: 'a' else 'b'\n%@ numerical n\n"))
    assert "else b" in svg
    assert "0 rules" in svg


def test_a_picture_asks_for_nothing_from_elsewhere():
    assert re.findall(r"https?://[^\"]*", picture(HOSTILE)) == ["http://www.w3.org/2000/svg"]


def test_the_picture_of_the_docs_is_the_one_that_is_drawn():
    pictures = Path(__file__).parents[2] / "docs" / "pictures"
    script = runpy.run_path(str(pictures / "draw.py"))
    assert (pictures / "loans.svg").read_text(encoding="utf-8") == script["draw_loans"]()


@settings(max_examples=30)
@given(dense_programs, st.booleans(), st.sampled_from(languages()))
def test_every_picture_fits(program, has_figures, lang):
    check_fits(picture(program, coverage(program, WORLD) if has_figures else None, lang=lang))


@settings(max_examples=60)
@given(st.text(max_size=60), st.integers(60, 200))
def test_wrapped_lines_fit_and_keep_every_letter(text, width):
    lines = wrap(text, width, 14, 1000)
    assert all(text_width(line, 14) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_what_is_too_long_is_cut():
    lines = wrap("word " * 100, 100, 14, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (element("b", "<", element("i", "&")), "<b>&lt;<i>&amp;</i></b>"),
        (element("a", 1, title='"'), '<a title="&quot;">1</a>'),
        (element("rect", class_=None), "<rect/>"),
        (element("p", "\x00\ud800"), "<p>\ufffd\ufffd</p>"),
    ],
)
def test_markup_escapes(made, text):
    assert made == text


def test_a_rule_without_conditions_is_no_condition():
    """The picture and the figures said "yes if in any case"."""
    program = parse("""
    %@ target t: 'yes' else 'no'
    %@ numerical n
    t(X,'yes') :- not ab1(X).
    ab1(X) :- n(X,N), N > 1.0.
    """)
    texts = [text.strip() for text in re.findall(r">([^<>]+)<", str(picture(program)))]
    assert "yes," in texts
    assert "yes if" not in texts
    assert brief_entry(outline(program)[0], language("en")) == "yes, in any case"
