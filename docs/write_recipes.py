"""Run the recipes and write their pages: `python docs/write_recipes.py [NAME ...]` makes recipes/NAME.md of NAME.sh.

A recipe is a Bash script that anybody can run. Lines that begin with `#:` are the page's text, in Markdown; what stands
between them is shown, run in an empty folder, and followed by what it printed. Remarks for
this script: `#= first 12` or `#= last 12` shows so many lines, `#= quiet` none, `#= hidden` not even the commands, and
`#= exit 1` expects that exit code. The header says what a recipe needs: `# tables: hmda` (of UNLESS_DATA), `# programs:
psql`, and `# checked: by running` (else by the digest of the script that the page was written from).
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

RECIPES = Path(__file__).parent / "recipes"
ROOT = RECIPES.parent.parent
MARK = "\036"


@dataclass(frozen=True)
class Step:
    """A piece of a recipe: text of the page, or commands with how their output is shown."""

    text: str = ""
    commands: str = ""
    shown: str = ""
    exit_code: int = 0


@dataclass(frozen=True)
class Recipe:
    """A script, read: what it needs, and its steps."""

    name: str
    source: str
    tables: tuple[str, ...]
    programs: tuple[str, ...]
    is_run: bool
    steps: tuple[Step, ...]

    @property
    def digest(self) -> str:
        """Return what changes with the script."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return self.steps[0].text.splitlines()[0].removeprefix("# ")


def read(path: Path) -> Recipe:
    """Read a script."""
    source = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (tables|programs|checked): (.*)$", source, re.MULTILINE))
    return Recipe(
        path.stem,
        source,
        tuple(head.get("tables", "").split()),
        tuple(head.get("programs", "").split()),
        head.get("checked") == "by running",
        tuple(_steps(source[source.index("#: ") :])),
    )


def _steps(body: str) -> list[Step]:
    steps = []
    for part in re.split(r"(^#:.*(?:\n#:.*)*\n)", body, flags=re.MULTILINE):
        if part.startswith("#:"):
            steps.append(Step(text=re.sub(r"^#: ?", "", part, flags=re.MULTILINE)))
        else:
            steps += [_commands(group) for group in _groups(part)]
    return steps


def _groups(part: str) -> list[str]:
    """Split commands at empty lines, but not those inside a here-document."""
    groups, ends = [""], ""
    for line in part.splitlines():
        begins = re.search(r"<<'(\w+)'", line)
        ends = "" if line == ends else begins[1] if begins else ends
        if line or ends:
            groups[-1] += f"{line}\n"
        elif groups[-1]:
            groups.append("")
    return [group for group in groups if group]


def _commands(group: str) -> Step:
    said = dict(re.findall(r"^#= (first|last|quiet|hidden|exit)(.*)$", group, re.MULTILINE))
    shown = next((f"{how} {said[how]}".strip() for how in ("first", "last", "quiet", "hidden") if how in said), "")
    commands = re.sub(r"^#= .*\n", "", group, flags=re.MULTILINE).strip("\n")
    return Step(commands=commands, shown=shown, exit_code=int(said.get("exit", 0)))


def missing(recipe: Recipe) -> list[str]:
    """Name what this machine lacks for a recipe."""
    data = os.environ.get("UNLESS_DATA")
    found = {path.name.split(".")[0] for path in Path(data).rglob("*.csv*")} if data else set()
    lacks = [f"the table {name} (in the folder that UNLESS_DATA names)" for name in recipe.tables if name not in found]
    return lacks + [name for name in recipe.programs if not _is_there(name)]


def _is_there(program: str) -> bool:
    if program.startswith("import:"):
        question = [sys.executable, "-c", f"import {program.removeprefix('import:')}"]
        return subprocess.run(question, capture_output=True, check=False).returncode == 0
    if program == "scasp":
        question = ["swipl", "-g", "use_module(library(scasp/main))", "-t", "halt", "--", "--version"]
        found = shutil.which("swipl") and subprocess.run(question, capture_output=True, check=False)
        return bool(found) and b"does not exist" not in found.stderr
    return shutil.which(program) is not None


def run(recipe: Recipe) -> list[str]:
    """Run the commands of a recipe in an empty folder; return the output of each step."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / ".steps"
        script.write_text("".join(_marked(i, step) for i, step in enumerate(recipe.steps)), encoding="utf-8")
        ran = subprocess.run(
            ["bash", str(script)], cwd=_work(folder), env=_environment(folder), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=1800,
        )  # fmt: skip
    pieces = re.split(rf"{MARK}(\d+) (\d+)\n", ran.stdout)
    outputs = [""] * len(recipe.steps)
    for output, index, code in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False):
        step = recipe.steps[int(index)]
        if int(code) != step.exit_code:
            msg = f"{recipe.name}: exit code {code}, {step.exit_code} was expected of:\n{step.commands}\n{output}"
            raise RuntimeError(msg)
        outputs[int(index)] = output
    return outputs


def _marked(index: int, step: Step) -> str:
    """Let the shell say after a step where its output ends and how it went."""
    if not step.commands:
        return ""
    return f"{step.commands}\nprintf '{MARK}%s %s\\n' {index} $?\n"


def _work(folder: Path) -> Path:
    work = folder / "work"
    work.mkdir()
    (work / "examples").symlink_to(ROOT / "examples")
    (work / "benchmarks").symlink_to(ROOT / "benchmarks")
    return work


def _environment(folder: Path) -> dict[str, str]:
    """Let `unless` and `python` be those that run this script."""
    commands = folder / "bin"
    commands.mkdir()
    for name, start in (("unless", "-m unless"), ("python", "")):
        (commands / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {start} "$@"\n')
        (commands / name).chmod(0o755)
    path = os.pathsep.join([str(commands), str(Path(sys.executable).parent), os.environ["PATH"]])
    source = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PATH": path, "PYTHONPATH": source, "COLUMNS": "100", "NO_COLOR": "1"}


def page(recipe: Recipe, outputs: list[str]) -> str:
    """Return the page: its text, commands and what they printed."""
    foot = f"\n<!-- Written by docs/write_recipes.py from {recipe.name}.sh, {recipe.digest}. -->\n"
    shown = [pair for pair in zip(recipe.steps, outputs, strict=True) if pair[0].shown != "hidden"]
    parts = [_part(step, output) for step, output in shown]
    return "\n".join(parts) + f"\nThe whole of it as a script: [{recipe.name}.sh]({recipe.name}.sh).\n{foot}"


def _part(step: Step, output: str) -> str:
    if not step.commands:
        return step.text
    python = re.fullmatch(r"python - <<'PY'\n(.*)\nPY", step.commands, re.DOTALL)
    fence = f"```py\n{python[1]}\n```\n" if python else f"```sh\n{step.commands}\n```\n"
    said = _shown(output, step.shown)
    if step.exit_code:
        said = [*said, f"(exit code {step.exit_code})"]
    around = "````" if any(line.startswith("```") for line in said) else "```"
    return fence + (f"\n{around}text\n" + "\n".join(said) + f"\n{around}\n" if said else "")


def _shown(output: str, how: str) -> list[str]:
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    word, _, number = how.partition(" ")
    if word == "quiet":
        return []
    count = int(number) if number else len(lines)
    if len(lines) <= count:
        return lines
    return [*lines[:count], "..."] if word == "first" else ["...", *lines[-count:]]


def recipes() -> list[Recipe]:
    """Read all recipes."""
    return [read(path) for path in sorted(RECIPES.glob("*.sh"))]


def main(names: list[str]) -> int:
    """Write the pages of the recipes that are named, or of all; say what is skipped and why."""
    for recipe in recipes():
        if names and recipe.name not in names:
            continue
        lacks = missing(recipe)
        if lacks:
            sys.stderr.write(f"{recipe.name}: skipped, there is no {' and no '.join(lacks)}\n")
            continue
        (RECIPES / f"{recipe.name}.md").write_text(page(recipe, run(recipe)), encoding="utf-8")
        sys.stderr.write(f"{recipe.name}: written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
