"""A workflow while it is read: a snapshot in the making, the lines of its parts, and what was wrong in the file.

Ids are `task:`, `data:`, `schedule:`, `condition:` and the name in the file. What a file names twice is kept as it was
first, and told; what it names but does not have is told, and an edge to it is not made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, checked_name, checked_props
from kag.retrieval.property_graph.schema import Issue, in_file

KINDS = {"task": "Task", "data": "DataAsset", "schedule": "Schedule", "condition": "Condition"}


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """A workflow read from a file: the graph, the line of each node, and the issues of the file itself."""

    format: str
    snapshot: GraphSnapshot
    issues: tuple[Issue, ...]
    lines: Mapping[str, int] = field(default_factory=dict)
    file: str = ""


class Draft:
    """The draft that a reader fills."""

    def __init__(self, format: str, file: str) -> None:
        self.format, self.file = format, file
        self._nodes: dict[str, Node] = {}
        self._edges: dict[tuple[str, str, str], Link] = {}
        self._issues: list[Issue] = []
        self._lines: dict[str, int] = {}

    def __contains__(self, node: str) -> bool:
        return node in self._nodes

    def add(self, kind: str, name: str, line: int = 0, /, **props: Any) -> str:
        """A node, by its kind and name; one that is there stays as it is. What is None is left out."""
        node = f"{kind}:{_short(name)}"
        if node not in self._nodes:
            checked = checked_props({key: value for key, value in props.items() if value is not None})
            self._nodes[node] = Node(checked_name(node, "id"), KINDS[kind], checked)
            self._lines[node] = line
        return node

    def link(self, label: str, source: str, target: str) -> None:
        """An edge, once, where both ends are there."""
        if source in self._nodes and target in self._nodes:
            key = label, source, target
            self._edges.setdefault(key, Link(f"e{len(self._edges)}", label, source, target))

    def props(self, node: str) -> Mapping[str, Any]:
        """Return the properties of a node."""
        return self._nodes[node].props

    def twice(self, name: str, line: int, what: str = "task") -> None:
        """An id that the file has twice."""
        node = f"{what}:{_short(name)}"
        message = f"The id {name!r:.80} is there twice, first in line {self._lines.get(node, 0) or '?'}."
        fix = "Rename one of the two: most programs keep one and lose the other without a word."
        self.tell("duplicate_id", message, fix, (node,), line)

    def missing(self, task: str, name: str, line: int, *, warn: bool = False) -> None:
        """A task that another one waits for, and that is not there."""
        message = f"{task!r:.80} waits for {name!r:.80}, which is not here."
        fix = "Correct the name, or take it out."
        self.tell("dangling_dependency", message, fix, (task, f"task:{_short(name)}"), line, warn=warn)

    def unmade(self, task: str, name: str, line: int) -> None:
        """Return data that a task reads and nothing makes or declares; the rules of the domain report it."""
        self.link("consumes", task, self.add("data", name, line, name=name, external=False))

    def tell(self, rule: str, message: str, fix: str, nodes: tuple[str, ...], line: int, *, warn: bool = False) -> None:
        """Something that is wrong in the file."""
        self._issues.append(Issue(rule, "warning" if warn else "error", message, fix, nodes, line=line))

    def done(self) -> WorkflowFile:
        """Return the finished draft."""
        snapshot = GraphSnapshot(tuple(self._nodes.values()), tuple(self._edges.values()))
        found = [self._softened(issue) for issue in self._issues]
        issues = dict.fromkeys(in_file(found, self.file, self._lines))
        return WorkflowFile(self.format, snapshot, tuple(issues), self._lines, self.file)

    def _softened(self, issue: Issue) -> Issue:
        """An issue that may only follow from an id that is there twice (one of the two is then not) is a warning."""
        follows = issue.rule in ("dangling_dependency", "one_sided_link")
        again = any(one.rule == "duplicate_id" for one in self._issues)
        return replace(issue, severity="warning") if follows and again else issue


def _short(name: str) -> str:
    """A name that can be an id: line ends in it are spaces; raises `BadValue` for one that is far too long."""
    if len(name) > 4000:
        raise BadValue(f"a name of {len(name)} characters", hint="Give names of 4,000 characters at most.")
    return " ".join(name.split()) if not name.isprintable() else name
