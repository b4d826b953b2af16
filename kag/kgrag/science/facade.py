"""A field of science in its own words: what there is, how it is linked, and who reports it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kag.kgrag.facade import DomainGraph
from kag.retrieval.property_graph.elements import Growth
from kag.retrieval.property_graph.schema import Checked

CITATIONS = ("circular_citation", "self_citation")


@dataclass(frozen=True, slots=True)
class GeneWay:
    """The proteins that a gene encodes, and the pathways that it, or one of them, is involved in."""

    protein_ids: tuple[str, ...]
    pathways: tuple[str, ...]


class ScienceGraph(DomainGraph):
    """A field of science. Its methods add and ask in the words of the domain; `graph` is the engine beneath."""

    given = "science"

    def add_gene(self, name: str, *, symbol: str | None = None, description: str | None = None, id: str = "") -> str:
        """Add a gene."""
        return self.add("Gene", {"name": name, "symbol": symbol, "description": description}, id)

    def add_protein(self, name: str, *, function: str | None = None, id: str = "") -> str:
        """Add a protein."""
        return self.add("Protein", {"name": name, "function": function}, id)

    def add_chemical(self, name: str, *, formula: str | None = None, id: str = "") -> str:
        """Add a chemical."""
        return self.add("Chemical", {"name": name, "formula": formula}, id)

    def add_disease(self, name: str, *, category: str | None = None, id: str = "") -> str:
        """Add a disease."""
        return self.add("Disease", {"name": name, "category": category}, id)

    def add_pathway(self, name: str, *, description: str | None = None, id: str = "") -> str:
        """Add a pathway."""
        return self.add("Pathway", {"name": name, "description": description}, id)

    def add_paper(
        self,
        title: str,
        *,
        authors: Iterable[str] = (),
        year: int | None = None,
        doi: str | None = None,
        id: str = "",
    ) -> str:
        """Add a paper."""
        return self.add("Paper", {"title": title, "authors": list(authors), "year": year, "doi": doi}, id)

    def link_encoding(self, gene: str, protein: str) -> str:
        """A gene encodes a protein."""
        return self.link("encodes", gene, protein)

    def link_interaction(self, a: str, b: str) -> str:
        """A protein, or a chemical, interacts with a protein."""
        return self.link("interacts_with", a, b)

    def link_inhibition(self, chemical: str, protein: str) -> str:
        """A chemical inhibits a protein."""
        return self.link("inhibits", chemical, protein)

    def link_activation(self, chemical: str, protein: str) -> str:
        """A chemical activates a protein."""
        return self.link("activates", chemical, protein)

    def link_association(self, entity: str, disease: str) -> str:
        """Something is associated with a disease."""
        return self.link("associated_with", entity, disease)

    def link_pathway_membership(self, entity: str, pathway: str) -> str:
        """Something is involved in a pathway."""
        return self.link("involved_in", entity, pathway)

    def link_citation(self, citing: str, cited: str) -> str:
        """A paper cites another."""
        return self.link("cites", citing, cited)

    def link_reported_entity(self, paper: str, entity: str) -> str:
        """A paper reports on something."""
        return self.link("reports_on", paper, entity)

    def get_protein_interactions(self, protein: str) -> tuple[str, ...]:
        """What interacts with a protein."""
        return self.graph.neighbors(protein, edge_labels=["interacts_with"])

    def get_gene_protein_pathway(self, gene: str) -> GeneWay:
        """The proteins of a gene, and the pathways of both."""
        proteins = self.graph.neighbors(gene, direction="out", edge_labels=["encodes"])
        pathways = self.graph.along((gene, *proteins), ("involved_in",))
        return GeneWay(proteins, pathways)

    def find_chemical_targets(self, chemical: str) -> tuple[str, ...]:
        """The proteins that a chemical acts on."""
        labels = ["inhibits", "activates", "interacts_with"]
        return self.graph.neighbors(chemical, direction="out", edge_labels=labels)

    def get_disease_related_entities(self, disease: str) -> tuple[str, ...]:
        """What is associated with a disease, or treats or palliates it."""
        labels = ["associated_with", "treats", "palliates"]
        return self.graph.neighbors(disease, direction="in", edge_labels=labels)

    def validate_no_circular_citations(self) -> Checked:
        """Papers that cite each other in a circle, or themselves."""
        return self.validate(*CITATIONS)

    def validate_signs(self) -> Checked:
        """Pairs of which one is said to inhibit and to activate the other."""
        return self.validate("sign_conflict")

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """The seeds, what is one hop from them, and the papers that theirs cite."""
        how = growth or self.domain.growth
        near = self.graph.any_of([list(seeds)], how).node_ids
        papers = [node for node in near if self.graph.node(node).label == "Paper"]
        found = tuple(dict.fromkeys((*near, *self.graph.along(papers, ("cites",)))))
        return found[: how.max_nodes] if how.max_nodes else found
