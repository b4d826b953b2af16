"""The science domain: genes, proteins, chemicals, diseases, pathways and papers; and biology graphs in tables."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import shown, source_bytes
from kag.kgrag.facade import DomainGraph
from kag.retrieval.property_graph.elements import GraphSnapshot, Growth, Link, Node
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
        self, title: str, *, authors: Iterable[str] = (), year: int | None = None, doi: str | None = None, id: str = ""
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
        """Return the interactions of a protein."""
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
        """Return the entities that are associated with a disease, or treat or palliate it."""
        labels = ["associated_with", "treats", "palliates"]
        return self.graph.neighbors(disease, direction="in", edge_labels=labels)

    def validate_no_circular_citations(self) -> Checked:
        """Papers that cite each other in a circle, or themselves."""
        return self.validate(*CITATIONS)

    def validate_signs(self) -> Checked:
        """Find pairs of which one both inhibits and activates the other."""
        return self.validate("sign_conflict")

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """The seeds, what is one hop from them, and the papers that theirs cite."""
        how = growth or self.domain.growth
        near = self.graph.any_of([list(seeds)], how).node_ids
        papers = [node for node in near if self.graph.node(node).label == "Paper"]
        found = tuple(dict.fromkeys((*near, *self.graph.along(papers, ("cites",)))))
        return found[: how.max_nodes] if how.max_nodes else found


PRIMEKG = ("relation", "x_id", "x_type", "x_name", "y_id", "y_type", "y_name")
MOST = 8 * 1024**3
"""Bytes that a packed file may become."""


def read_primekg(path: Path) -> GraphSnapshot:
    """PrimeKG's `kg.csv`: a row is an edge with both of its ends. It has each edge both ways: one is kept."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], Link] = {}
    for line, row in _rows(path, ","):
        if any(not row.get(key) for key in PRIMEKG):
            raise _wrong(path, line, f"no {next(key for key in PRIMEKG if not row.get(key))}", ", ".join(PRIMEKG))
        ends = []
        for side in "xy":
            name = f"{row[f'{side}_type']}::{row[f'{side}_id']}"
            props = {"name": row[f"{side}_name"], "source": row.get(f"{side}_source", "")}
            nodes.setdefault(name, Node(name, word(row[f"{side}_type"]), props))
            ends.append(name)
        key = row["relation"], ends[0], ends[1]
        if (row["relation"], ends[1], ends[0]) not in edges and key not in edges:
            props = {"display": row.get("display_relation", "")}
            edges[key] = Link(f"e{len(edges)}", word(row["relation"]), ends[0], ends[1], props)
    return GraphSnapshot(tuple(nodes.values()), tuple(edges.values()))


def word(name: str) -> str:
    """A name of a kind as a label.

    >>> word("Biological Process"), word("effect/phenotype")
    ('Biological_Process', 'effect_phenotype')
    """
    return re.sub(r"\W+", "_", name).strip("_") or "thing"


def _rows(path: Path, separator: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a table with their lines; a packed one is unpacked."""
    data = source_bytes(path)
    raw = gzip.GzipFile(fileobj=io.BytesIO(data)) if data[:2] == b"\x1f\x8b" else io.BytesIO(data)
    reader = csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8-sig", newline=""), delimiter=separator)
    try:
        for row in reader:
            if raw.tell() > MOST:
                raise _wrong(path, reader.line_num, "unpacks to too much", "a smaller file")
            yield reader.line_num, {str(key): value for key, value in row.items() if isinstance(value, str)}
    except (csv.Error, UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise _wrong(path, reader.line_num, str(error)[:100], "a table in UTF-8") from error


def _wrong(path: Path, line: int, what: str, wanted: str) -> SourceError:
    return SourceError(f"{shown(path)}:{line}: {what}", hint=f"Give {wanted}.")
