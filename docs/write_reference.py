"""Write the Python reference from the docstrings: `python docs/write_reference.py` writes reference.md beside it.

In: the public names of `unless`, the modules that the other pages import from or name, and `ALSO`. Out: for each its
signature and docstring, and for a class those of its public methods and properties. What classes share is described
once, at their base. What a page uses can therefore be looked up here, and nothing is typed by hand but the head.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import textwrap
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import unless
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

HERE = Path(__file__).parent
WRITTEN = {"architecture.md", "reference.md"}
"""Pages that are no reason for a module to be here."""

ALSO = (
    "unless.errors",
    "unless.evaluate.predict",
    "unless.evaluate.scores",
    "unless.explain.faces.picture",
    "unless.learn.front",
    "unless.learn.learners",
    "unless.learn.task",
)
"""Modules that no page imports from, and that callers need all the same."""

HEAD = """\
# Python reference

This page is written by `docs/write_reference.py` from the docstrings; their examples are run by a test. First the names
that `unless` itself has, then the modules that the other pages use, with all that is public in them. A name that is not
here may change at any time; [Architecture](architecture.md) says where it stands.
"""

DEFINED = r"^(?P<names>[\w, ]+) :(?P<kind>.*)\n?(?P<meaning>(?: {4}.*\n?)*)"
"""What a name or several stand for, as docstrings write it: the kind on the same line, the meaning indented below."""

LINE = 100
"""Signatures that are longer than this are written one parameter a line."""


def page() -> str:
    """Return the page as Markdown."""
    return HEAD + "".join(_contents()) + "".join(_public()) + "".join(map(_module, modules()))


def modules() -> list[str]:
    """List the modules of the reference: those that pages import from or name in full, and `ALSO`."""
    pages = [HERE.parent / "README.md", *(page for page in sorted(HERE.rglob("*.md")) if page.name not in WRITTEN)]
    named = {name for page in pages for name in re.findall(r"\bunless(?:\.[a-z_]+)+", page.read_text(encoding="utf-8"))}
    return sorted({found for name in {*named, *ALSO} if (found := _module_of(name))} - {"unless"})


def _module_of(name: str) -> str:
    """Return the module that a dotted name falls into; a folder without names of its own is none."""
    while name and not (path := HERE.parent / "src" / name.replace(".", "/")).with_suffix(".py").exists():
        if (path / "__init__.py").exists():
            return name if _members(importlib.import_module(name)) else ""
        name = name.rpartition(".")[0]
    return name


def _contents() -> Iterator[str]:
    yield "\n| | |\n|---|---|\n"
    yield f"| [`unless`](#unless) | {', '.join(f'`{name}`' for name in unless.__all__)} |\n"
    for name in modules():
        module = importlib.import_module(name)
        yield f"| [`{name}`](#{_anchor(name)}) | {', '.join(f'`{member}`' for member in _members(module))} |\n"


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-").lower()


def _public() -> Iterator[str]:
    yield "\n## `unless`\n"
    public = {name: getattr(unless, name) for name in unless.__all__}
    shared = {base.__name__: base for value in public.values() for base in _bases(value)}
    for name, value in (public | shared).items():
        yield f"\n### `{name}`\n\nfrom `{value.__module__}`\n\n{_described(name, value)}"


def _module(name: str) -> str:
    module = importlib.import_module(name)
    members = "".join(_member(member, value) for member, value in _members(module).items())
    return f"\n## `{name}`\n\n{_text(module)}\n{members}"


def _member(name: str, value: Any) -> str:
    if getattr(unless, name, None) is value and name in unless.__all__:
        return f"\n### `{name}`\n\nsee [`unless.{name}`](#{name.lower()}).\n"
    return f"\n### `{name}`\n\n{_described(name, value)}"


def _members(module: ModuleType) -> dict[str, Any]:
    """Return the public functions and classes of a module: those that it defines, or that its `__all__` names."""
    listed = getattr(module, "__all__", None)
    found = {name: value for name, value in vars(module).items() if inspect.isclass(value) or inspect.isroutine(value)}
    if listed is not None:
        return {name: found[name] for name in listed if name in found}
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("_") and value.__module__ == module.__name__ and inspect.getdoc(value)
    }


def _described(name: str, value: Any) -> str:
    """Write the signature and the docstring of a function or class, and what a class offers."""
    text = f"{_code(name + _signature(value))}\n{_text(value)}\n"
    if inspect.isclass(value):
        text += "".join(_inherited(value)) + "".join(_offer(*member) for member in _offers(value).items())
    return text


def _offers(owner: type) -> dict[str, Any]:
    """Return the public methods and properties that a class itself has, in the order of the source."""
    return {name: value for name, value in vars(owner).items() if not name.startswith("_") and _is_offered(value)}


def _bases(value: Any) -> list[type]:
    """Return the classes of ours that a class builds on and that offer something, the nearest first."""
    above = inspect.getmro(value)[1:] if inspect.isclass(value) else ()
    return [base for base in above if base.__module__.startswith("unless.") and _offers(base)]


def _inherited(owner: type) -> Iterator[str]:
    for base in _bases(owner):
        names = [
            name for name in _offers(base) if getattr(owner, name) is getattr(base, name) or name not in vars(owner)
        ]
        if names:
            listed = ", ".join(f"`{name}`" for name in names)
            yield f"\nFrom [`{base.__name__}`](#{base.__name__.lower()}): {listed}.\n"


def _is_offered(value: Any) -> bool:
    return isinstance(value, property | cached_property | staticmethod | classmethod) or inspect.isfunction(value)


def _offer(name: str, value: Any) -> str:
    if isinstance(value, property | cached_property):
        shown = f".{name}{_returns(value.fget if isinstance(value, property) else value.func)}"
    else:
        is_bound = not isinstance(value, staticmethod)
        function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        shown = f".{name}{_signature(function, skip=is_bound)}"
    return f"\n{_code(shown)}\n{_text(value)}\n"


def _returns(function: Callable[..., Any] | None) -> str:
    annotation = "" if function is None else inspect.signature(function).return_annotation
    return "" if annotation in {"", inspect.Signature.empty} else f": {_annotation(annotation)}"


def _signature(value: Any, *, skip: bool = False) -> str:
    """Write the parameters as the source has them, without the object itself."""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return ""
    parts, starred = [], False
    for parameter in list(signature.parameters.values())[skip:]:
        if parameter.name.startswith("_"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or parameter.kind in {parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL}
        parts.append(_parameter(parameter))
    returned = signature.return_annotation
    tail = "" if inspect.isclass(value) or returned is signature.empty else f" -> {_annotation(returned)}"
    line = f"({', '.join(parts)}){tail}"
    return line if len(line) <= LINE else "(\n" + "".join(f"    {part},\n" for part in parts) + f"){tail}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return text
    equals = " = " if parameter.annotation is not parameter.empty else "="
    return f"{text}{equals}{_default(parameter.default)}"


def _annotation(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _default(value: Any) -> str:
    """Write a default, sets in order; one that has no text of its own, such as a factory, is an ellipsis."""
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(repr, value)))}}})"
    written = repr(value)
    return "..." if written.startswith("<") else written


def _code(text: str) -> str:
    return f"```py\n{text}\n```\n"


def _text(value: Any) -> str:
    """Return a docstring as Markdown: examples and indented or underlined parts stay as they were typed."""
    text = inspect.getdoc(value) or ""
    if dataclasses.is_dataclass(value) and text.startswith(f"{value.__name__}("):
        return ""
    return "\n\n".join(map(_paragraph, _paragraphs(text)))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs; the underlined head of a section is one of its own."""
    for part in text.split("\n\n"):
        underlined = re.match(r"(\w[\w ]*)\n-{3,}\n", part)
        if underlined:
            yield f"**{underlined[1]}**"
        yield part[underlined.end() if underlined else 0 :].rstrip()


def _paragraph(text: str) -> str:
    if text.startswith(">>> "):
        return f"```pycon\n{text}\n```"
    if text.startswith("    "):
        return f"```text\n{textwrap.dedent(text)}\n```"
    if re.match(r"[\w, ]+ :( |$)", text, re.MULTILINE):
        return re.sub(DEFINED, _definition, text, flags=re.MULTILINE).rstrip()
    return text


def _definition(found: re.Match[str]) -> str:
    names = ", ".join(f"`{name.strip()}`" for name in found["names"].split(","))
    meaning = " ".join(found["meaning"].split())
    kind = found["kind"].strip()
    return f"- {names}{f' ({kind})' if kind and meaning else ''}: {meaning or kind}\n"


if __name__ == "__main__":
    write_text(HERE / "reference.md", page())
