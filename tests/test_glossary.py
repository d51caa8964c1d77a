"""One word per thing (docs/glossary.md): what people read has none of the words that say the same otherwise.

Read are the language file, the messages and help of the package (every string of some words in its code), the page's
scripts, and the pages of the docs that are not made from the code.
"""

import ast
import re
from pathlib import Path

import pytest

import unless
from visible_words import file_of

SOURCE, ROOT = Path(unless.__file__).parent, Path(__file__).parents[1]
OTHERWISE = {
    "told": "predicted",
    "true labels?": "actual label",
    "ground truth": "actual label",
    "gold labels?": "actual label",
    "confusion matrix": "confusion table",
    "hold-?outs?": "held-out rows",
    "out-of-sample": "unseen rows",
    "test set": "held-out rows",
    "training set": "training rows",
    "majority (class|label)": "commonest label",
    "data ?points?": "row",
    "antecedents?": "condition",
    "consequents?": "label",
    "path of programs": "frontier",
    "counterfactuals?": "recourse",
}
"""Words that people use for what the glossary calls otherwise."""
OF_OTHERS = re.compile("scikit-learn|interpret|Orange|imodels|DiCE|counterfactual explanations|H2O")
"""Where others are spoken of, their words may be said."""
MADE = {"reference.md", "architecture.md", "CHANGELOG.md", "glossary.md"}
LEARN = SOURCE / "learn"


def messages():
    """Yield each string of several words in the code but for docstrings, with where it stands."""
    for file in sorted(SOURCE.rglob("*.py")):
        if file.is_relative_to(LEARN):
            continue
        tree = ast.parse(file.read_text("utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
            if is_text and " " in node.value:
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", node.value


def pages():
    """Yield the paragraphs of the pages that people wrote."""
    folders = (ROOT / "docs", ROOT / "docs" / "tutorials", ROOT / "docs" / "recipes")
    files = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *(f for d in folders for f in d.glob("*.md"))]
    for file in files:
        if file.name not in MADE:
            for paragraph in file.read_text("utf-8").split("\n\n"):
                yield file.name, paragraph


@pytest.fixture(scope="module")
def shown():
    """Return all that people read, with where it stands."""
    scripts = sorted((SOURCE / "web" / "static").glob("*.js"))
    lines = [(file.name, line) for file in scripts for line in file.read_text("utf-8").splitlines()]
    return [*file_of("en").items(), *messages(), *lines, *pages()]


@pytest.mark.parametrize("word", OTHERWISE)
def test_what_people_read_has_the_words_of_the_glossary(word, shown):
    said = re.compile(rf"\b{word}\b", re.IGNORECASE)
    found = [(at, text) for at, text in shown if said.search(text) and not OF_OTHERS.search(text)]
    assert not found, f"say {OTHERWISE[word]!r}"


def test_the_words_to_be_said_are_in_the_glossary():
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    for word in OTHERWISE.values():
        assert all(part in glossary for part in word.split()), word
