"""A person's own wording: `#pred` templates in s(CASP)'s syntax, kept in the model file.

    #pred age(P_,V_) :: "the age of person @(P_) is @(V_)".
    #pred not ab4(P_) :: "exception 4 does not apply to person @(P_)".
    #pred A_ =< B_ :: "@(A_) is at most @(B_)".
    #pred not age(P_,V_) :: html([]).

A template is about the target, a column, the words among a column's numbers, a helper, or a comparison; the first that
matches a claim words it. What s(CASP) accepts and then gets wrong is refused here: a variable used twice (it prints
"anything" the second time), a `~` (it crashes), a constant spelled like a variable (it never matches).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

from unless.errors import ProgramError
from unless.logic.rules import Value
from unless.logic.terms import Variable

Subject = OneOf["target", "column", "words", "helper", "compared"]
MENTION = re.compile(r"@\((\w+)(?::([^)]*))?\)|\{\{(\w+)\}\}")


Argument = Variable | Value


@dataclass(frozen=True, slots=True)
class Template:
    """How to word one claim. `name` is a column, a helper or an operator; `text` None hides the claim."""

    subject: Subject
    name: str
    negated: bool
    arguments: tuple[Argument, ...]
    text: str | None

    def __post_init__(self) -> None:
        variables = [a.name for a in self.arguments if isinstance(a, Variable) and a.name != "_"]
        mentioned = [found.group(1) or found.group(3) for found in MENTION.finditer(self.text or "")]
        for name in variables:
            if variables.count(name) > 1 or mentioned.count(name) > 1:
                raise ProgramError(self._problem(f"uses {name} twice; s(CASP) fills in only the first"))
            if name in self.arguments:
                raise ProgramError(
                    self._problem(f"has the word {name!r} and a variable of that name; rename the variable")
                )
        for name in mentioned:
            if name not in variables:
                raise ProgramError(self._problem(f"mentions {name}, which its head does not have"))
        if "~" in (self.text or ""):
            raise ProgramError(self._problem("holds a ~, which s(CASP) cannot print"))

    def _problem(self, what: str) -> str:
        return f"the #pred template of {self.name!r} {what}."

    def matches(self, subject: Subject, name: str, negated: bool, arguments: tuple[Value | None, ...]) -> bool:
        """Tell whether the template words a claim."""
        return (
            (self.subject, self.name, self.negated) == (subject, name, negated)
            and len(self.arguments) == len(arguments)
            and all(isinstance(a, Variable) or a == b for a, b in zip(self.arguments, arguments, strict=True))
        )

    def fill(self, arguments: tuple[str, ...]) -> str:
        """Write the text with the arguments as given, already spelled."""
        spelled = {a.name: b for a, b in zip(self.arguments, arguments, strict=True) if isinstance(a, Variable)}

        def mention(found: re.Match[str]) -> str:
            value = spelled[found.group(1) or found.group(3)]
            return f"the {found.group(2)} {value}" if found.group(2) else value

        assert self.text is not None
        return MENTION.sub(mention, self.text)
