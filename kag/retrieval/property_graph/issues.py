"""What a check found: issues, each with its rule, place and fix. Checks report, they do not raise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One broken rule. `nodes` and `edges` are the ids that it is about, the one to look at first being first."""

    rule: str
    severity: Severity
    message: str
    fix: str
    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    prop: str = ""
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """File and line where they are known, else the first node or edge."""
        if self.file:
            return f"{self.file}:{self.line}" if self.line else self.file
        return next(iter((*self.nodes, *self.edges)), "")

    def __str__(self) -> str:
        return f"{self.severity} {self.rule} {self.where}: {self.message} {self.fix}"

    def as_record(self) -> dict[str, Any]:
        """As JSON, without what is not known."""
        said = {"rule": self.rule, "severity": self.severity, "message": self.message, "fix": self.fix}
        about = {"nodes": list(self.nodes), "edges": list(self.edges), "prop": self.prop}
        return said | {k: v for k, v in {**about, "file": self.file, "line": self.line}.items() if v}


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check. Warnings alone leave it well."""

    issues: tuple[Issue, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is an error."""
        return not self.errors

    @property
    def errors(self) -> tuple[Issue, ...]:
        """Those of severity error."""
        return tuple(issue for issue in self.issues if issue.severity == "error")

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """Those of severity warning."""
        return tuple(issue for issue in self.issues if issue.severity == "warning")

    def of(self, *rules: str) -> Checked:
        """What these rules found."""
        return Checked(tuple(issue for issue in self.issues if issue.rule in rules))

    def __add__(self, other: Checked) -> Checked:
        """Both; what both say comes once."""
        return Checked(tuple(dict.fromkeys((*self.issues, *other.issues))))


def in_file(issues: Iterable[Issue], file: str, lines: dict[str, int]) -> tuple[Issue, ...]:
    """The issues with the file and, where one is known for what they are about, the line."""
    found = []
    for issue in issues:
        line = issue.line or next((lines[name] for name in (*issue.nodes, *issue.edges) if name in lines), 0)
        found.append(replace(issue, file=issue.file or file, line=line))
    return tuple(found)
