"""Build the distributions twice from the last commit, compare every byte, and check what is in them.

    python scripts/build_twice.py [FOLDER]     # dist by default

Each build starts from a fresh export of the commit, in a folder of another name, so nothing that is not committed gets
in and no path or time of the machine is left; the date in the archives is the commit's. `unless` becomes a source
distribution and a wheel made from it, `unless-light` a wheel: its modules are those of `unless`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BESIDE = {
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", ".gitignore", "packaging/package_page.py",
    "pyproject.toml",
}  # fmt: skip
"""What the source distribution has beside the package."""
DESCRIBED = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}


class DifferentError(Exception):
    """The two builds are not the same, or not what they should be."""


def git(*command: str) -> bytes:
    """Ask git about the repository."""
    return subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, check=True).stdout


def package_files() -> set[str]:
    """List the committed files of the package: unless/errors.py and so on."""
    names = git("ls-tree", "-r", "--name-only", "HEAD", "src/unless").decode().splitlines()
    return {name.removeprefix("src/") for name in names}


def build(folder: Path, out: Path) -> None:
    """Export the commit into a folder and build there."""
    folder.mkdir()
    with tarfile.open(fileobj=BytesIO(git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    epoch = git("log", "-1", "--format=%ct").decode().strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "PIP_CONSTRAINT": str(folder / "constraints.txt")}
    for command in (["."], ["--wheel", "packaging/light"]):
        subprocess.run(
            [sys.executable, "-m", "build", "--outdir", str(out), *command],
            cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def check_contents(folder: Path) -> None:
    """Refuse archives that have more or less than they should."""
    package = package_files()
    for file in sorted(folder.iterdir()):
        if file.suffix == ".whl":
            found = set(zipfile.ZipFile(file).namelist())
            stem = "-".join(file.name.split("-")[:2])
            expected = package | {f"{stem}.dist-info/{name}" for name in DESCRIBED}
        else:
            stem = file.name.removesuffix(".tar.gz")
            with tarfile.open(file) as archive:
                found = {member.name.removeprefix(f"{stem}/") for member in archive if member.isfile()}
            expected = BESIDE | {f"src/{name}" for name in package}
        if found != expected:
            msg = f"{file.name} has {sorted(found - expected)} too many and lacks {sorted(expected - found)}"
            raise DifferentError(msg)


def main() -> int:
    """Build, compare, check, and put the files with their digests into the folder."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()
    with tempfile.TemporaryDirectory() as temporary:
        first, second = Path(temporary, "first"), Path(temporary, "second-build")
        for folder in (first, second):
            build(folder, folder.with_suffix(".dist"))
        one, two = digests(first.with_suffix(".dist")), digests(second.with_suffix(".dist"))
        if one != two:
            msg = f"two builds of one commit differ: {one} and {two}"
            raise DifferentError(msg)
        check_contents(first.with_suffix(".dist"))
        out.mkdir(exist_ok=True)
        for old in [*out.glob("unless*.whl"), *out.glob("unless*.tar.gz")]:
            old.unlink()
        for file in first.with_suffix(".dist").iterdir():
            (out / file.name).write_bytes(file.read_bytes())
    for name, digest in one.items():
        print(f"{digest}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
