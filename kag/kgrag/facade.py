"""Common base of the typed facades: a graph, its domain, and the hooks that retrieval calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kag.core.errors import BadValue
from kag.kgrag.asking.answers import Asking, GraphAnswer, whether
from kag.kgrag.claims import Verdict, check_draft
from kag.kgrag.domain import Domain, given_domain
from kag.kgrag.rules import DeclaredRule, value_fault
from kag.retrieval.property_graph.elements import GraphSnapshot, Growth
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import Checked


@dataclass(frozen=True, slots=True)
class DomainAnswer:
    """An answer in words, and the nodes that decide it."""

    text: str
    nodes: tuple[str, ...]


class DomainGraph:
    """A graph whose nodes and edges are added in the words of a domain. `graph` is the engine beneath."""

    given: ClassVar[str] = ""

    def __init__(self, graph: GraphEngine | None = None, domain: Domain | None = None) -> None:
        self.graph = graph if graph is not None else GraphEngine()
        self.domain = domain or (given_domain(self.given) if self.given else Domain("any"))
        self._asking: tuple[tuple[int, int], Asking] | None = None
        self._unheard: Callable[[], None] = lambda: None

    @property
    def asking(self) -> Asking:
        """The graph as questions are put to it: made at the first question, and again after an edit."""
        size = len(self.graph), len(self.graph.tables.links)
        if self._asking is None or self._asking[0] != size:
            asking = Asking(self.domain, self.graph)
            self._asking = size, asking
            self._unheard()
            self._unheard = self.graph.listen(self._edited)
        return self._asking[1]

    def _edited(self, changes: object) -> None:
        self._asking = None

    def ask(self, question: str, about: Sequence[str] = ()) -> GraphAnswer | None:
        """The nodes that answer a question, with ways to them, where it can be read as walks; else None.

        `about` are ids of nodes that it is about, where it names none of them.
        """
        return self.asking.answer(question, about)

    def add(self, label: str, props: Mapping[str, Any], id: str = "") -> str:
        """Add a node of any label of the domain; what is None is left out. Raises `BadValue`."""
        known = self.domain.schema.node_labels
        if known and label not in known:
            raise BadValue(f"unknown node label {label!r:.60}", hint=f"Labels are: {', '.join(sorted(known))}.")
        return self.graph.create_node(label, {k: v for k, v in props.items() if v is not None}, id)

    def link(self, label: str, source: str, target: str, props: Mapping[str, Any] | None = None, id: str = "") -> str:
        """Add an edge of any label of the domain between nodes that it may link. Raises `BadValue`, `UnknownNode`."""
        schema = self.domain.schema
        if schema.edge_labels and label not in schema.edge_labels:
            raise BadValue(
                f"unknown edge label {label!r:.60}", hint=f"Labels are: {', '.join(sorted(schema.edge_labels))}."
            )
        ends = self.graph.node(source).label, self.graph.node(target).label
        allowed = schema.ends(label)
        if allowed and not any(s in ("*", ends[0]) and t in ("*", ends[1]) for s, t in allowed):
            wanted = " or ".join(f"{s} to {t}" for s, t in allowed)
            raise BadValue(f"{label} cannot lead from {ends[0]} to {ends[1]}", hint=f"It leads from {wanted}.")
        declared = (rule for rule in self.domain.rules if isinstance(rule, DeclaredRule) and rule.kind == "valid")
        for rule in declared:
            if label in rule.edges and (fault := value_fault(rule, props or {})):
                raise BadValue(f"{rule.prop} of {label} {fault}", hint=rule.fix)
        return self.graph.create_edge(label, source, target, props, id)

    def answer(self, question: str) -> DomainAnswer | None:
        """The answer in words: yes or no where an edge or a rule decides; a domain may know more. Else None."""
        verdict = whether(self.asking, question)
        if verdict is None or verdict.answer == "not known":
            return None
        text = "yes" if verdict.answer == "supported" else f"no, by the rule {verdict.rule}"
        ends = (end for edge in map(self.graph.edge, verdict.edges) for end in (edge.source, edge.target))
        return DomainAnswer(text, tuple(dict.fromkeys((*ends, *(end for _, *both in verdict.claims for end in both)))))

    def validate(self, *rules: str) -> Checked:
        """All rules of the domain, or those of these names."""
        return self.domain.validate(self.graph, *rules)

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """Return the seeds and those that the domain adds."""
        return self.graph.any_of([list(seeds)], growth or self.domain.growth).node_ids

    def build_metadata_filter(self, part: GraphSnapshot) -> dict[str, list[str]]:
        """The ids of a slice under the keys by which passages are filtered."""
        found: dict[str, list[str]] = {}
        for node in part.nodes:
            if node.label in self.domain.metadata:
                found.setdefault(self.domain.metadata[node.label], []).append(node.id)
        return {key: sorted(ids) for key, ids in sorted(found.items())}

    def check_consistency(self, draft: str) -> tuple[Verdict, ...]:
        """Each sentence of a draft: supported, contradicted, or not known to the graph, with what decides."""
        return check_draft(self.domain, self.graph, draft)
