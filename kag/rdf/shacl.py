"""SHACL validation fast enough to run after every change: the compiled engine, whole graph or neighbourhood.

The engine (`shacl`, compiled, text in) is used here and nowhere else; `kag.rdf.referee` is its check. A
`Session` sends it only the nodes that the changes can affect with the triples they need (`kag.rdf.paths`), so
its report equals the full one, and falls back to the full one where that cannot be known.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import shacl
from rdflib import Graph, Literal

from kag.errors import BadValue, OntologyError
from kag.rdf.neighbours import Neighbours, Triple, affected, needed
from kag.rdf.ntriples import lines, term, texts
from kag.rdf.paths import SUBCLASS, Reach, Unsupported, reach_of
from kag.rdf.workspace import Workspace
from kag.report import Issue, Report

BLANK = "_:"
"""A blank node in an issue: engines rename them, so only that it is one is kept."""


class Validator:
    """Shapes compiled once.

    Raises `OntologyError` when the shapes graph holds no shape or a malformed one. `reach` is None when the
    shapes use what `kag.rdf.paths` does not analyse: sessions then always validate in full.
    """

    def __init__(self, shapes: Graph) -> None:
        try:
            self._shapes = shacl.Shapes.from_text("\n".join(lines(shapes)), format="ntriples")
        except (ValueError, BadValue) as error:
            raise OntologyError(f"the shapes cannot be read: {error}", hint="Restore the file in ontology/.") from error
        if len(self._shapes) == 0:
            raise OntologyError("the shapes graph holds no shape", hint="Give a graph that has a sh:NodeShape.")
        self.reach = _reach(shapes)

    def full(self, graph: Graph) -> Report:
        """The report on a whole graph; raises `BadValue` when it holds an IRI that is none."""
        return Report.of(self.check("\n".join(lines(graph))))

    def check(self, ntriples: str) -> list[Issue]:
        """The issues of a graph in N-Triples, in no order; raises `BadValue` when it cannot be read."""
        try:
            results = self._shapes.validate_text(ntriples, format="ntriples").results
        except ValueError as error:
            raise BadValue(f"the graph cannot be read: {error}", hint="Remove or rewrite the term named.") from error
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


def _reach(shapes: Graph) -> Reach | None:
    try:
        return reach_of(shapes)
    except Unsupported:
        return None


def _plain(text: str) -> str:
    return BLANK if text.startswith("_:") else text


class Session:
    """Reports on a workspace's graph while it changes; each costs what changed since the last."""

    def __init__(self, validator: Validator, workspace: Workspace) -> None:
        self._validator = validator
        self._workspace = workspace
        self._graph: Neighbours | None = None
        self._issues: dict[str, tuple[Issue, ...]] = {}

    def report(self) -> Report:
        """The same as `Validator.full` on the workspace's graph; the changes are then forgotten.

        Sees what was done through the workspace, not edits of `workspace.graph` itself.

        Raises `BadValue` when the graph holds an IRI that is none; the changes are then kept.
        """
        known, reach = self._graph, self._validator.reach
        fresh = None if known is None or reach is None else self._affected(known, reach)
        if fresh is None or known is None or reach is None:
            self._start_over()
        else:
            self._look_again(known, reach, fresh)
        self._workspace.validated()
        return Report(tuple(chain.from_iterable(self._issues[focus] for focus in sorted(self._issues))))

    def _affected(self, known: Neighbours, reach: Reach) -> set[str] | None:
        """Bring the index up to date; returns the nodes to look at, None when that cannot be known."""
        added, removed = self._changes()
        self._graph = None  # until it is up to date again
        for change in added:
            known.add(change)
        if any(_reaches_far(change) for change in chain(added, removed)):
            return None
        found = affected(known, chain(added, removed), reach)
        for change in removed:
            known.remove(change)
        self._graph = known
        return found

    def _changes(self) -> tuple[list[Triple], list[Triple]]:
        """What was added and what removed since the last report."""
        added, removed = list[Triple](), list[Triple]()
        for subject, predicate, value in self._workspace.changes:
            text = term(value)
            is_there = (subject, predicate, value) in self._workspace.graph
            if not is_there and isinstance(value, Literal):  # rdflib may hold the same RDF term in another form
                is_there = any(text == term(other) for other in self._workspace.graph.objects(subject, predicate))
            (added if is_there else removed).append((term(subject), term(predicate), text))
        return added, removed

    def _start_over(self) -> None:
        triples = set(texts(self._workspace.graph))
        self._issues = _by_focus(self._validator.check(_text(triples)))
        self._graph = None if any(map(_reaches_far, triples)) else Neighbours(triples)

    def _look_again(self, known: Neighbours, reach: Reach, fresh: set[str]) -> None:
        for focus in fresh:
            self._issues.pop(focus, None)
        if fresh:
            issues = self._validator.check(_text(needed(known, fresh, reach)))
            self._issues.update(_by_focus(issue for issue in issues if issue.focus in fresh))


def _reaches_far(triple: Triple) -> bool:
    """Whether a triple rules out incremental work: classes of classes, and blank nodes, which get renamed."""
    subject, predicate, value = triple
    return predicate == SUBCLASS or subject.startswith("_:") or value.startswith("_:")


def _text(triples: Iterable[Triple]) -> str:
    return "".join([f"{subject} {predicate} {value} .\n" for subject, predicate, value in triples])


def _by_focus(issues: Iterable[Issue]) -> dict[str, tuple[Issue, ...]]:
    groups: dict[str, set[Issue]] = {}
    for issue in issues:
        groups.setdefault(issue.focus, set()).add(issue)
    return {focus: tuple(sorted(group)) for focus, group in groups.items()}
