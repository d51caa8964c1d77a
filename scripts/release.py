"""Everything between a commit and an upload, one step after the other; the first that fails ends it.

    python scripts/release.py                     # all steps
    python scripts/release.py --list
    python scripts/release.py build try           # these alone

Distributions go to dist/, what describes them to build/release: their digests, the bill of materials (CycloneDX), the
list of licences and the answer of the audit. Nothing is uploaded. Needs the extras `test`, `lint`, `docs` and
`release`. Where a step cannot run (no network for the audit, no actionlint), the last lines say so; --strict makes that
a failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PAPERS = ROOT / "build" / "release"
PYTHON = sys.executable
EXTRAS = ("background", "dask", "excel", "export", "reason", "remote", "serve", "sql", "studio")
"""The extras for users whose licences are listed."""


class NotHereError(Exception):
    """A step cannot run on this machine."""


def run(*command: str | Path, out: Path | None = None) -> None:
    """Run a command in the repository; its output may go to a file."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    said = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE if out else None, check=True).stdout
    if out:
        out.write_bytes(said)


def tool(name: str) -> str:
    """Return the path of a command that stands beside Python, or anywhere."""
    found = shutil.which(name, path=f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        msg = f"{name} is not installed"
        raise NotHereError(msg)
    return found


def committed() -> None:
    """Refuse to release what is not committed."""
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    if changed:
        msg = f"not committed:\n{changed}"
        raise SystemExit(msg)


def lint() -> None:
    """Check style, types and layers."""
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "mypy")
    run(tool("lint-imports"))


def workflows() -> None:
    """Check the workflows: nothing dangerous, nothing misspelt."""
    run(tool("zizmor"), "--offline", "--quiet", ".github")
    run(tool("actionlint"))


def tests() -> None:
    """Run all tests; those of the pages are among them."""
    run(PYTHON, "-m", "pytest", "-q", "-n", "auto")


def docs() -> None:
    """Check that the pages made from the code are those that the code makes, and build the site."""
    run(PYTHON, "-m", "pytest", "-q", "tests/test_docs.py", "tests/cli/test_docs_cli.py")
    site()


def site() -> None:
    """Build the documentation site; any warning is an error."""
    tool("mkdocs")
    run("make", "site", f"PYTHON={PYTHON}")


def build() -> None:
    """Build twice, compare bytes and contents."""
    run(PYTHON, "scripts/build_twice.py", DIST, out=PAPERS / "SHA256SUMS")


def check() -> None:
    """Ask twine whether the index will take them."""
    run(PYTHON, "-m", "twine", "check", "--strict", *sorted(DIST.glob("unless*")))


def try_it() -> None:
    """Install into fresh environments and use; then make the bill of materials of what was installed."""
    with tempfile.TemporaryDirectory() as temporary:
        installed = Path(temporary, "venv")
        run(PYTHON, "scripts/try_installed.py", DIST, installed)
        run(
            PYTHON, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON", "-o",
            PAPERS / "unless.cdx.json", installed / "bin" / "python",
        )  # fmt: skip


def licences() -> None:
    """List the licences; refuse those that are not on the list."""
    run(PYTHON, "scripts/licences.py", *EXTRAS, out=PAPERS / "licences.md")


def audit() -> None:
    """Ask whether any version of the lock is known to be vulnerable."""
    command = [
        PYTHON,
        "-m",
        "pip_audit",
        "--no-deps",
        "--disable-pip",
        "-r",
        "constraints.txt",
        "--progress-spinner",
        "off",
    ]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    (PAPERS / "audit.txt").write_text(said.stdout + said.stderr, encoding="utf-8")
    if "Found" in said.stderr:
        raise SystemExit(said.stdout + said.stderr)
    unknown = said.stdout.count("could not be audited")
    if unknown or said.returncode:
        last = (said.stderr.strip() or "it says nothing").splitlines()[-1]
        msg = f"the index knows nothing about {unknown} packages" if unknown else f"pip-audit could not ask: {last}"
        raise NotHereError(msg)
    print(said.stderr.strip())


STEPS = {
    "committed": committed, "lint": lint, "workflows": workflows, "tests": tests, "docs": docs, "site": site,
    "build": build, "check": check, "try": try_it, "licences": licences, "audit": audit,
}  # fmt: skip


def main() -> int:
    """Run the steps; say at the end what was not done."""
    parser = argparse.ArgumentParser(description="Everything between a commit and an upload.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--list", action="store_true", help="list the steps")
    parser.add_argument("--strict", action="store_true", help="fail where a step cannot run")
    options = parser.parse_args()
    if unknown := set(options.steps) - set(STEPS):
        parser.error(f"no step {', '.join(sorted(unknown))}; steps: {', '.join(STEPS)}")
    if options.list:
        print("\n".join(f"{name:10} {step.__doc__}" for name, step in STEPS.items()))
        return 0
    # Whoever wants all steps wants the tests once: those of the pages are among them.
    names = options.steps or [name for name in STEPS if name != "docs"]
    PAPERS.mkdir(parents=True, exist_ok=True)
    missing = []
    for name in names:
        begin = time.monotonic()
        try:
            STEPS[name]()
        except NotHereError as error:
            missing.append(f"{name}: NOT DONE, {error}")
        except subprocess.CalledProcessError as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            return 1
        print(f"= {name}: {time.monotonic() - begin:.0f} s", flush=True)
    print("\n".join([f"Done: {', '.join(names)}.", *missing]))
    return int(bool(missing) and options.strict)


if __name__ == "__main__":
    sys.exit(main())
