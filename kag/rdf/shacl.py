"""SHACL validation fast enough to run after every change: the compiled engine, whole graph or neighbourhood.

The engine (`shacl`, compiled, text in) is used here and nowhere else; `kag.rdf.pyshacl_validator` is its check. A
`Session` sends it only the nodes that the changes can affect with the triples they need (`kag.rdf.paths`), so
its report equals the full one, and falls back to the full one where that cannot be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import shacl
from rdflib import Graph

from kag.core.errors import BadValue, OntologyError
from kag.core.report import Issue, Report
from kag.rdf.neighbours import Neighbours, Triple, affected, needed
from kag.rdf.ntriples import lines, texts
from kag.rdf.paths import SUBCLASS, Reach, Unsupported, marked, reach_of
from kag.rdf.workspace import Workspace

MANY = 0.1
"""Share of the graph from which on looking at the changes costs more than looking at everything."""
BLANK = "_:"
"""A blank node in an issue: engines rename them, so only that it is one is kept."""

_FILE = "graph.nt"


class Validator:
    """Shapes compiled once.

    Raises `OntologyError` when the shapes graph holds no shape or a malformed one. `reach` is None when the
    shapes use what `kag.rdf.paths` does not analyse: sessions then always validate in full.
    """

    def __init__(self, shapes: Graph) -> None:
        self._shapes = _compiled(shapes)
        self.reach = _reach(shapes)
        self._marked = None if self.reach is None else _compiled(marked(shapes, self.reach))

    def full(self, graph: Graph) -> Report:
        """The report on a whole graph; raises `BadValue` when it holds an IRI that is none."""
        return Report.of(self.whole(texts(graph)))

    def whole(self, triples: Iterable[Triple]) -> list[Issue]:
        """The issues of a graph, in no order. It goes by way of a file: the engine copies a text several times."""
        with TemporaryDirectory(prefix="kag-") as place:
            path = Path(place, _FILE)
            with path.open("w", encoding="utf-8", newline="") as file:
                file.writelines(_lines(triples))
            return _issues(lambda: self._shapes.validate_file(str(path)))

    def part(self, triples: Iterable[Triple]) -> list[Issue]:
        """The issues of the nodes that are marked as targets (`kag.rdf.neighbours.needed`), in no order."""
        marked = self._marked
        if marked is None:
            return []
        return _issues(lambda: marked.validate_text("".join(_lines(triples)), format="ntriples"))


def _compiled(shapes: Graph) -> shacl.Shapes:
    try:
        compiled = shacl.Shapes.from_text("\n".join(lines(shapes)), format="ntriples")
    except (ValueError, BadValue) as error:
        raise OntologyError(f"the shapes cannot be read: {error}", hint="Restore the file in ontology/.") from error
    if len(compiled) == 0:
        raise OntologyError("the shapes graph holds no shape", hint="Give a graph that has a sh:NodeShape.")
    return compiled


def _reach(shapes: Graph) -> Reach | None:
    try:
        return reach_of(shapes)
    except Unsupported:
        return None


def _issues(validate: Callable[[], shacl.Report]) -> list[Issue]:
    try:
        results = validate().results
    except ValueError as error:
        said = str(error).rpartition(f"{_FILE}: ")[2]  # without the place where the file was
        raise BadValue(f"the graph cannot be read: {said}", hint="Remove or rewrite the term named.") from error
    return [
        Issue(
            focus=_plain(result.focus_node),
            path=result.path or "",
            component=result.component,
            message=" ".join(sorted(result.messages)),
            value=_plain(result.value or ""),
            severity=result.severity,
        )
        for result in results
    ]


def _plain(text: str) -> str:
    return BLANK if text.startswith("_:") else text


class Session:
    """Reports on a workspace's graph while it changes; each costs what changed since the last."""

    def __init__(self, validator: Validator, workspace: Workspace) -> None:
        self._validator = validator
        self._workspace = workspace
        self._issues: dict[str, tuple[Issue, ...]] = {}
        self._graph: Neighbours | None = None  # made when it is first needed
        self._size = 0

    @property
    def started(self) -> bool:
        """Whether there was a report before."""
        return self._size > 0

    def report(self) -> Report:
        """The same as `Validator.full` on the workspace's graph; the changes are then forgotten.

        Sees what was done through the workspace, not edits of `workspace.graph` itself.
        Raises `BadValue` when the graph holds an IRI that is none; the changes are then kept.
        """
        reach = self._validator.reach
        changes = self._workspace.changes
        few = reach is not None and changes is not None and len(changes) < MANY * self._size
        known, self._graph = self._index() if few else None, None  # kept only when all goes well
        if known is not None and reach is not None and self._updated(known, reach):
            self._graph = known
        else:
            self._start_over()
        self._workspace.validated()
        return Report(tuple(chain.from_iterable(self._issues[focus] for focus in sorted(self._issues))))

    def _index(self) -> Neighbours | None:
        """The index of the graph as last seen, or as it is now; None when there can be none."""
        if self._graph is not None:
            return self._graph
        return None if any(map(_reaches_far, self._workspace.texts())) else Neighbours(self._workspace.texts())

    def _updated(self, known: Neighbours, reach: Reach) -> bool:
        """Bring index and issues up to date; False when what a change reaches cannot be known."""
        added, removed = self._changes()
        if any(_reaches_far(change) for change in chain(added, removed)):
            return False
        for change in chain(added, removed):  # walks go through the graph before and the graph after
            known.add(change)
        fresh = affected(known, chain(added, removed), reach)
        for change in removed:
            known.remove(change)
        issues = self._validator.part(needed(known, fresh, reach)) if fresh else []
        for focus in fresh:
            self._issues.pop(focus, None)
        self._issues.update(_by_focus(issues))
        return True

    def _changes(self) -> tuple[list[Triple], list[Triple]]:
        """What was added and what removed since the last report."""
        added, removed = list[Triple](), list[Triple]()
        for triple in self._workspace.changes or ():
            (added if self._workspace.holds(triple) else removed).append(triple)
        return added, removed

    def _start_over(self) -> None:
        """Validate everything."""
        self._issues = _by_focus(self._validator.whole(self._workspace.texts()))
        self._size = len(self._workspace.graph)


def _reaches_far(triple: Triple) -> bool:
    """Whether a triple rules out incremental work: classes of classes, and blank nodes, which get renamed."""
    subject, predicate, value = triple
    return predicate == SUBCLASS or subject.startswith("_:") or value.startswith("_:")


def _lines(triples: Iterable[Triple]) -> Iterator[str]:
    return (f"{subject} {predicate} {value} .\n" for subject, predicate, value in triples)


def _by_focus(issues: Iterable[Issue]) -> dict[str, tuple[Issue, ...]]:
    groups: dict[str, set[Issue]] = {}
    for issue in issues:
        groups.setdefault(issue.focus, set()).add(issue)
    return {focus: tuple(sorted(group)) for focus, group in groups.items()}
