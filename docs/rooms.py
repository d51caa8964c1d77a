"""The rooms of the package and who imports whom, read from its source: what the map and the house rules rest on.

In: the files of `src/unless` and the layers in pyproject.toml. Out: `Module`s, layers, counts, cycles. Nothing is
imported but `unless` itself. An import counts wherever it stands, inside a function too; one that only type checkers
see does not. A public name taken from `unless` counts as an import of the module that defines it.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import unless

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
FRONT = "the front door"
"""The room of `unless/__init__.py` and `unless/__main__.py`, which stand above all layers."""


@dataclass(frozen=True)
class Module:
    """One file of the package: its dotted name, its path below `src`, what it says it is, and what it imports."""

    name: str
    path: str
    header: str
    imports: frozenset[str]

    @property
    def room(self) -> str:
        """Return the first name below `unless`: a folder, or a module at the root."""
        parts = self.name.split(".")
        return FRONT if self.name in {"unless", "unless.__main__"} else parts[1]

    @property
    def is_package(self) -> bool:
        """Say whether this is the `__init__.py` of a folder."""
        return self.path.endswith("__init__.py")


def read_modules(source: Path = SOURCE, *, types: bool = False) -> dict[str, Module]:
    """Read every module of the package, by dotted name; with `types`, imports for type checkers count too."""
    paths = {_dotted(path.relative_to(source)): path for path in sorted((source / "unless").rglob("*.py"))}
    return {name: _read(name, path, source, paths.keys(), types=types) for name, path in paths.items()}


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _read(name: str, path: Path, source: Path, known: Sequence[str] | object, *, types: bool) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    header = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    imported = {_module_of(target, known) for target in _targets(tree, package, types=types)}
    return Module(name, path.relative_to(source).as_posix(), header, frozenset(imported - {name, ""}))


def _targets(node: ast.AST, package: str, *, types: bool) -> Iterator[str]:
    """Yield the dotted names that are imported below a node, those for type checkers aside unless asked for."""
    for child in ast.iter_child_nodes(node) if types else _run_time_children(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - child.level + 1] if child.level else []
            base = ".".join([*above, *([child.module] if child.module else [])])
            yield from (f"{base}.{alias.name}" for alias in child.names)
        else:
            yield from _targets(child, package, types=types)


def _run_time_children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        yield from node.orelse
    else:
        yield from ast.iter_child_nodes(node)


def _module_of(target: str, known: Sequence[str] | object) -> str:
    """Return the module of ours that a dotted name falls into, or nothing."""
    package, _, name = target.rpartition(".")
    if package == "unless" and name in unless._HOMES:
        return unless._HOMES[name]
    while target and target not in known:  # type: ignore[operator]
        target = target.rpartition(".")[0]
    return target


def layers() -> list[list[str]]:
    """Return the rooms, layer by layer from the top, as import-linter checks them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (found,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip().removeprefix("unless.") for room in layer.split("|")] for layer in found]


def rooms(modules: Mapping[str, Module]) -> list[list[str]]:
    """Return the layers of the map, the front door first; a room without a layer is an error, and the reverse."""
    drawn = [[FRONT], *layers()]
    there, named = {module.room for module in modules.values()}, {room for layer in drawn for room in layer}
    if there != named:
        msg = f"the layers in pyproject.toml and the folders of src/unless differ: {', '.join(sorted(there ^ named))}."
        raise ValueError(msg)
    return drawn


def between_rooms(modules: Mapping[str, Module]) -> Counter[tuple[str, str]]:
    """Count, for each pair of rooms, the modules of the one that the modules of the other import."""
    pairs = ((module.room, modules[name].room) for module in modules.values() for name in module.imports)
    return Counter(pair for pair in pairs if pair[0] != pair[1])


def cycles(modules: Mapping[str, Module]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""
    reached = {name: _reach(name, modules) for name in modules}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in modules}
    return sorted(list(group) for group in groups if group)


def _reach(start: str, modules: Mapping[str, Module]) -> frozenset[str]:
    found: set[str] = set()
    ahead = [*modules[start].imports]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += modules[name].imports
    return frozenset(found)
