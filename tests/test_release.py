"""What a release is made of: one version, a lock, licences, a page for the index, workflows, hooks."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import unless

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def script(name):
    """Load a script as a module, without leaving it among the modules."""
    spec = importlib.util.spec_from_file_location(Path(name).stem, ROOT / name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    del sys.modules[spec.name]
    return module


def test_there_is_one_version():
    light = tomllib.loads(read("packaging/light/pyproject.toml"))
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/unless/__init__.py"
    assert light["tool"]["hatch"]["version"]["path"] == "../../src/unless/__init__.py"
    assert "version" in PROJECT["project"]["dynamic"]
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1] == unless.__version__
    released = re.findall(r"^## (\d+\.\d+\.\d+)", read("CHANGELOG.md"), re.MULTILINE)
    assert released[0] == unless.__version__


# What is installed.


def test_the_lock_has_every_dependency_within_its_bounds():
    locked = {}
    for line in read("constraints.txt").splitlines():
        pinned = Requirement(line)
        locked.setdefault(canonicalize_name(pinned.name), []).append(next(iter(pinned.specifier)).version)
    extras = PROJECT["project"]["optional-dependencies"].values()
    for requirement in map(Requirement, chain(PROJECT["project"]["dependencies"], *extras)):
        if requirement.name != "unless":
            versions = locked.get(canonicalize_name(requirement.name), [])
            assert versions, f"{requirement.name} is not in constraints.txt; run: make lock"
            assert all(requirement.specifier.contains(version) for version in versions), (
                f"{requirement}; run: make lock"
            )
    assert "://" not in read("constraints.txt")


TOOLS = {"bench", "docs", "lint", "release", "site", "test"}
"""Extras of which nothing is used in the work of others. XGBoost, in `bench`, brings a proprietary part of NVIDIA's."""


def test_every_licence_is_on_the_list():
    licences = script("scripts/licences.py")
    extras = set(PROJECT["project"]["optional-dependencies"]) - TOOLS
    found = licences.licences(frozenset(extras))
    assert {"numpy", "scipy", "lark"} <= {each.name for each in found}
    assert not [each for each in found if not each.allowed]


@pytest.mark.parametrize(
    ("stated", "allowed"),
    [
        ("MIT", True),
        ("MIT AND PSF-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("not stated", False),
    ],
)
def test_licences_are_read_as_expressions(stated, allowed):
    assert script("scripts/licences.py").Licence("some", "1", stated).allowed is allowed


# The page of the index.


def test_the_page_of_the_index_has_no_links_that_lead_nowhere(monkeypatch):
    """hatchling is there when a distribution is built; here its base class is enough."""
    monkeypatch.setitem(
        sys.modules, "hatchling.metadata.plugin.interface", SimpleNamespace(MetadataHookInterface=object)
    )
    page = script("packaging/package_page.py").page
    text = "![a](docs/a.svg) [b](docs/b.md#c) [d](https://e.f)"
    assert page(text, "", "1.2.3") == " b [d](https://e.f)"
    whole = "![a](https://h/raw/v1.2.3/docs/a.svg) [b](https://h/blob/v1.2.3/docs/b.md#c) [d](https://e.f)"
    assert page(text, "https://h", "1.2.3") == whole


# Workflows and hooks.


def beside_python(name):
    return shutil.which(name, path=f"{Path(sys.executable).parent}") or shutil.which(name)


@pytest.mark.parametrize(("name", "options"), [("zizmor", ("--offline", "--quiet", ".github")), ("actionlint", ())])
def test_linters_take_the_workflows(name, options):
    command = beside_python(name)
    if command is None:
        pytest.skip(f"{name} is not installed")
    said = subprocess.run([command, *options], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_actions_are_named_by_their_digests():
    used = [line for flow in FLOWS for line in flow.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert len(used) > 10
    for line in used:
        assert re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_workflows_name_scripts_extras_and_steps_that_there_are():
    text = "".join(flow.read_text(encoding="utf-8") for flow in FLOWS)
    for name in re.findall(r"python ((?:scripts|trials|docs)/\S+)", text):
        assert (ROOT / name).exists(), name
    for extras in re.findall(r"'\.\[(.*?)\]'", text):
        assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])
    steps = script("scripts/release.py").STEPS
    for line in re.findall(r"scripts/release\.py(?: --strict)?((?: [a-z]+)*)$", text, re.MULTILINE):
        assert set(line.split()) <= set(steps)


def test_classifiers_are_the_pythons_that_are_tested():
    (versions,) = re.findall(r"python: \[(.*)\]", read(".github/workflows/tests.yml"))
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert classified == re.findall(r"3\.\d+", versions)
    assert PROJECT["project"]["requires-python"] == f">={classified[0]}"


def test_hooks_run_the_linters_of_make_check():
    hooks = read(".pre-commit-config.yaml")
    check = re.search(r"^check:.*?\n\n", read("Makefile"), re.MULTILINE | re.DOTALL)[0]
    for linter in ("ruff check", "ruff format", "mypy", "lint-imports", "zizmor"):
        assert linter in hooks
        assert linter in check
