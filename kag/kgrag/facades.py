"""The facade of a domain over a graph, typed where there is one for it; drafts checked by it."""

from __future__ import annotations

from dataclasses import dataclass

from kag.kgrag.claims import Answer, Verdict
from kag.kgrag.domain import Domain
from kag.kgrag.facade import DomainGraph
from kag.kgrag.science.facade import ScienceGraph
from kag.kgrag.story.facade import StoryGraph
from kag.kgrag.workflow.facade import WorkflowGraph
from kag.retrieval.property_graph.engine import GraphEngine

TYPED: dict[str, type[DomainGraph]] = {"story": StoryGraph, "science": ScienceGraph, "workflow": WorkflowGraph}


@dataclass(frozen=True, slots=True)
class Consistency:
    """What a graph says of each sentence of a draft. Well, as long as nothing is contradicted."""

    verdicts: tuple[Verdict, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is contradicted."""
        return not self.of("contradicted")

    def of(self, answer: Answer) -> tuple[Verdict, ...]:
        """The verdicts of one kind."""
        return tuple(one for one in self.verdicts if one.answer == answer)


def facade_of(domain: Domain, graph: GraphEngine) -> DomainGraph:
    """The facade of a domain over a graph; one named as a given domain has the methods of that one."""
    return TYPED.get(domain.name, DomainGraph)(graph, domain)


def check_consistency(draft: str, graph: GraphEngine, domain: Domain) -> Consistency:
    """Each sentence of a draft against a graph: supported, contradicted, or not known, with what decides."""
    return Consistency(facade_of(domain, graph).check_consistency(draft))
