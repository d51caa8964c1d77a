"""The pages are what the source says: the map and the reference are up to date, names and links lead somewhere."""

from __future__ import annotations

import csv
import doctest
import importlib
import re
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import unless
from unless.explain.faces.text_width import text_width

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "unless"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), ROOT / "benchmarks" / "README.md"]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def script():
    """Return a function that loads a script of docs as it is when it is run there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield importlib.import_module
    for name in ("rooms", "draw_architecture", "write_architecture", "write_reference"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def modules(script):
    return script("rooms").read_modules()


def test_every_page_is_linked_from_another():
    """Seven decisions could be found by nobody who read the pages: only the site's navigation named them."""
    linked = set()
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if (page.parent / target).resolve() != page.resolve():
                linked.add((page.parent / target).resolve())
    assert [name_of(page) for page in PAGES if page.resolve() not in linked] == ["README.md"]


# The map.


def test_the_map_is_up_to_date(script, modules):
    architecture = script("write_architecture")
    assert (DOCS / "architecture.md").read_text(encoding="utf-8") == architecture.page(modules), "run: make docs"
    drawn = (DOCS / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == architecture.picture(modules), "run: make docs"


def test_the_map_has_every_module_and_every_room():
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    for path in PACKAGE.rglob("*.py"):
        assert f"](../{name_of(path)})" in page or path.parent.parent == PACKAGE, path
    picture = ElementTree.parse(DOCS / "pictures" / "architecture.svg")
    words = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    for room in PACKAGE.iterdir():
        if room.suffix == ".py" or (room / "__init__.py").exists():
            assert room.stem in words or room.stem.startswith("__"), room


def test_the_picture_fits_into_its_page():
    """Nothing is drawn beyond the right edge, and every step of a walk stands in a room that there is."""
    picture = ElementTree.parse(DOCS / "pictures" / "architecture.svg").getroot()
    for box in picture.iter("{http://www.w3.org/2000/svg}rect"):
        assert float(box.get("x", 0)) + float(box.get("width")) <= float(picture.get("width"))


def test_no_name_of_a_room_is_written_over():
    """What stands in `explain` was written over its name."""
    picture = ElementTree.parse(DOCS / "pictures" / "architecture.svg").getroot()
    texts = list(picture.iter("{http://www.w3.org/2000/svg}text"))
    names = {(text.get("y"), int(text.get("x"))): text.text for text in texts if text.get("class") == "name"}
    sizes = [text for text in texts if text.get("text-anchor") == "end"]
    assert len(sizes) == len(names)
    for size in sizes:
        right = int(size.get("x"))
        left = max(x for y, x in names if y == size.get("y") and x < right)
        assert text_width(names[size.get("y"), left], 15) + text_width(size.text, 12) < right - left


def test_steps_of_the_walks_are_rooms(script):
    drawing = script("draw_architecture")
    rooms = {room for layer in script("rooms").layers() for room in layer}
    steps = {room for _, _, walk in drawing.WALKS for _, room in walk} - {""}
    assert steps | drawing.HUES.keys() <= rooms


def test_a_room_outside_the_layers_is_refused(script, modules):
    """The map once left out six rooms because nothing compared it with the folders."""
    rooms = script("rooms")
    new = rooms.Module("unless.attic.box", "unless/attic/box.py", "Things.", frozenset())
    with pytest.raises(ValueError, match="attic"):
        rooms.rooms({**modules, new.name: new})


def test_imports_are_seen_wherever_they_stand(script, tmp_path):
    texts = {
        "__init__": "",
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import unless.d\nfrom unless import b",
        "b": "def f():\n    from unless.c import anything",
        "c": "from . import a",
        "d": "import unless.a\nfrom unless import parse",
    }
    (tmp_path / "unless").mkdir()
    for name, text in texts.items():
        (tmp_path / "unless" / f"{name}.py").write_text(text)
    rooms = script("rooms")
    modules = rooms.read_modules(tmp_path)
    assert modules["unless.a"].imports == {"unless.b"}
    assert modules["unless.d"].imports >= {"unless.a"}
    assert rooms.cycles({k: v for k, v in modules.items() if k != "unless.d"}) == [["unless.a", "unless.b", "unless.c"]]


# The reference.


def test_the_reference_is_up_to_date(script):
    pytest.importorskip("fastapi")
    pytest.importorskip("dask.distributed")
    page = script("write_reference").page()
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == page, "run: make docs"


def test_the_reference_has_every_public_name():
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name in unless.__all__:
        assert f"\n### `{name}`\n" in page
    assert " at 0x" not in page


def modules_with_examples():
    for path in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("module", list(modules_with_examples()))
def test_examples_in_docstrings_are_right(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


# Names and links.


def files_named(text):
    """List what a page names as a file or folder in code: `learn/rows/`, `unless/errors.py`, `__init__.py`."""
    return re.findall(r"`((?:\w+/)*\w+\.py|(?:\w+/)+(?:\w+\.\w+)?)`", text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_a_page_names_are_there(page):
    """The name may leave out the folders above, as headers of modules do; it must end in what it says."""
    ours = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for top in ("src", "docs", "benchmarks", "examples", "scripts", "tests", "trials")
        for path in (ROOT / top).rglob("*")
    ]
    named = files_named(page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any(path.endswith(f"/{name.rstrip('/')}") for path in ours)]
    assert not missing


def test_every_change_begins_in_a_file_that_is_there(script):
    for want, begin, _ in script("write_architecture").CHANGES:
        named = files_named(begin)
        assert named, want
        for name in named:
            assert (PACKAGE / name).exists(), name


def packages_of(requirements):
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in requirements}
    return names - {"unless"}


def test_every_dependency_has_its_reason():
    """The page of dependencies names exactly those of pyproject.toml, each with its extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (DOCS / "dependencies.md").read_text(encoding="utf-8").splitlines()
    found, extra = {}, None
    for first, second, *_ in ([cell.strip() for cell in line.split("|")[1:]] for line in lines if line.startswith("|")):
        if first in {"package", "extra"} or "---" in first:
            continue
        extra = None if first and not first.startswith("`") else first.strip("`") or extra
        found.setdefault(extra, set()).update([first] if extra is None else second.split(", "))
    expected = {None: project["dependencies"], **project["optional-dependencies"]}
    assert found == {extra: packages_of(requirements) for extra, requirements in expected.items()}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_names_of_ours_that_a_page_writes_in_full_are_there(page):
    pytest.importorskip("fastapi")
    for name in sorted(set(re.findall(r"\bunless(?:\.[A-Za-z_]\w*)+", page.read_text(encoding="utf-8")))):
        assert is_ours(name), name


def is_ours(name):
    """Say whether a dotted name is a module of the package, or something in one."""
    module, _, last = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return hasattr(importlib.import_module(module), last)
    return True


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-").lower() for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_rules_of_adult_in_the_readme_are_those_of_its_golden_program():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```\n(% .*?)^```$", text, re.MULTILINE | re.DOTALL)
    learned = (ROOT / "tests" / "golden" / "unless" / "adult.default.lp").read_text()
    rules = shown.strip().split("\n\n")
    assert len(rules) == 2
    assert [rule for rule in rules if f"{rule}\n\n" not in learned] == []


@pytest.mark.parametrize("into", ["graders", "graders-two-folds"])
def test_the_means_of_the_benchmarks_are_those_of_their_tables(into):
    """A thousand lines of tables hid the means; they are a file of their own now, written by the same command."""
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    page = page[page.index(f"<!-- {into}: begin") : page.index(f"<!-- {into}: end")]
    with (ROOT / "benchmarks" / f"{into}.csv").open(encoding="utf-8") as file:
        tables = list(csv.DictReader(file))
    for where, part in re.findall(r"^Means over the tables of `(.*?)`(.*?)(?=^Means|^Table)", page, re.DOTALL | re.M):
        for found in re.finditer(r"^\| (.*?) \| (\d+) \| (.*) \|$", part, re.MULTILINE):
            mine = [line for line in tables if (line["set"], line["learner"]) == (where, found[1])]
            assert len(mine) == int(found[2])
            accuracy, auc = (float(cell.split()[0]) for cell in found[3].split("|")[:2])
            assert accuracy == pytest.approx(sum(float(line["accuracy"]) for line in mine) / len(mine), abs=0.0001)
            assert auc == pytest.approx(sum(float(line["AUC"]) for line in mine) / len(mine), abs=0.0001)


def test_the_questions_in_the_readme_are_those_on_record():
    """How many fuzzed questions were answered stood on the first page, and nowhere else."""
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    said = re.search(r"Of ([\d,]+) questions.*?, ([\d,]+) were answered.*?, (\d+) failed", text)
    trust = (DOCS / "trust.md").read_text(encoding="utf-8")
    assert f"proved | {' | '.join(said.groups())} |" in trust


def test_the_means_in_the_readme_are_those_of_the_benchmarks():
    """The first page of the site had those of a release before, of seven tables where the README had 39."""
    measured = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    measured = measured[measured.index("<!-- graders-two-folds: begin") : measured.index("<!-- graders-two-folds: end")]
    means = {}
    for found in re.finditer(r"^\| (unless|XGBoost|LightGBM) \| (\d+) \| (.*) \|$", measured, re.MULTILINE):
        accuracy, auc, loss, _, conditions, *_ = (
            float(cell.split()[0].replace(",", "")) for cell in found[3].split("|")[:5]
        )
        means[found[2], found[1]] = (conditions, accuracy, auc, loss)
    shown, tables = {}, ""
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("`unless`", "unless")
    for found in re.finditer(r"^\| (\d+ )?[^|]*\| (unless|XGBoost|LightGBM) \| (.*) \|$", text, re.MULTILINE):
        tables = (found[1] or tables).strip()
        shown[tables, found[2]] = tuple(float(cell.replace(",", "")) for cell in found[3].split("|"))
    assert shown.keys() == means.keys()
    for key, figures in shown.items():
        assert figures[1:] == pytest.approx(means[key][1:], abs=0.00051, rel=0.0)
        assert figures[0] == pytest.approx(means[key][0], abs=0.51, rel=0.0)
