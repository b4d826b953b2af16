"""`Report`: the result of every check in kag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from kag.core.display import OneLine


@dataclass(frozen=True, slots=True, repr=False, order=True)
class Issue(OneLine):
    """One thing that is wrong.

    `focus`, `path` and `value` are in N-Triples syntax (`<iri>`, `"literal"`), `path` and `value`
    empty where the constraint has none. `component` is the SHACL constraint component's local name
    or, for other checks, the check's name. `message` says what to do about it.
    """

    shown: ClassVar[tuple[str, ...]] = ("component", "focus", "message")

    focus: str
    path: str
    component: str
    message: str
    value: str = ""
    severity: str = "Violation"


@dataclass(frozen=True, slots=True, repr=False)
class Report(OneLine):
    """The outcome of a check: issues in sorted order, none when it conforms."""

    shown: ClassVar[tuple[str, ...]] = ("conforms", "issues")

    issues: tuple[Issue, ...]

    @classmethod
    def of(cls, issues: Iterable[Issue]) -> Report:
        return cls(tuple(sorted(set(issues))))

    @property
    def conforms(self) -> bool:
        """True when nothing of severity Violation was found (SHACL section 3.1)."""
        return not any(issue.severity == "Violation" for issue in self.issues)
