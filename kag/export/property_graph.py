"""Papers as a property graph of papers and chunks, the schema that programs for retrieval over Neo4j use.

    (:Paper {paperId, title, year, url, doi, pdf_path})
    (:Chunk {chunkId, text, section, kind, pages, position, embedding})
    (:Chunk)-[:BELONGS_TO]->(:Paper)   (:Chunk)-[:NEXT]->(:Chunk)   (:Paper)-[:CITES]->(:Paper)
    (:Chunk)-[:SIMILAR {score}]->(:Chunk)   the nearest of each, by likeness

    (:Paper)-[:ADDRESSES_TASK|USES_DATASET|EXPLAINS_MODEL {node}]->(:Task|Dataset|Model)
    (:Model)-[:DERIVED_FROM {paper, node}]->(:Model)

Tasks, datasets and models are those that the layers of a paper name as its own; `node` is the IRI of the text that
names it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kag.core.errors import SourceError
from kag.export.paper_parts import paper_url
from kag.indexing.run import digest_of
from kag.layers.entities.identifiers import BIORED, CRAFT
from kag.layers.source import passages
from kag.layers.values import Entity, Mention
from kag.qa.chunks import chunks, citations
from kag.qa.compare import OWN, layer_findings
from kag.qa.paper import PaperGraph, local_name
from kag.rdf.namespaces import FABIO, PRISM, RDF
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.property_graph.as_cypher import to_cypher
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node

if TYPE_CHECKING:
    from kag.retrieval.vectors import Embedder, Vectors

Label = Literal["Task", "Dataset", "Model"]
LABELS: Mapping[str, Label] = {"task": "Task", "dataset": "Dataset", "method": "Model"}
"""Kinds of entities, and what the property graph calls them."""
_MATTER = frozenset((*BIORED.values(), *CRAFT.values(), "material", "device"))  # kinds of what laboratories study
_COMPUTING = frozenset((*LABELS, "metric"))
_CAPITALS = 2  # of a dataset's name: "ImageNet", not "Hence" or "35"
_OFTEN = 3  # mentions of a task or a model that is the paper's own
_WORDS = re.compile(r"[^\W_]+")
_TITLED = re.compile(r"\b[A-Z][a-z]+\b")
_PLURAL = re.compile(r"(?<=\w\w[a-z])(?<![siu])(?<!aye)s$")  # not of "analysis", "corpus", "naive Bayes"


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a paper names as its own subject; `node` is the IRI of the text that names it first."""

    paper: str
    label: Label
    name: str
    node: str = field(default="", compare=False)


def subjects(paper: PaperGraph) -> Iterator[Named]:
    """Yield the subjects of a paper; none if its run has no layers. Raises `RunError` if one is damaged."""
    findings = layer_findings(paper)
    head = (
        {passage.node for passage in passages(paper.graph) if passage.kind in ("title", "abstract")}
        if findings.entities
        else set()
    )
    claimed = {_place(mention) for claim in findings.claims if claim.role in OWN for mention in claim.about}
    kinds = Counter(entity.kind for entity in findings.entities for _ in entity.mentions)
    of_matter = sum(kinds[one] for one in _COMPUTING) < sum(kinds[one] for one in _MATTER)
    own = [entity for entity in findings.entities if _own(entity, head, claimed)]
    datasets = {entity.name for entity in own if entity.kind == "dataset"}
    labels = (
        _named(paper.id, entity)
        for entity in own
        if (_is_dataset(entity.name, datasets) if entity.kind == "dataset" else not of_matter)
    )
    yield from dict.fromkeys(labels)


def _is_dataset(name: str, others: Iterable[str]) -> bool:
    """Whether a name can be that of one dataset: with two capitals, and not two of the others joined."""
    words = _WORDS.findall(name)
    inside = [other for other in others if other != name and set(_WORDS.findall(other)) <= set(words)]
    return sum(sign.isupper() for sign in name) >= _CAPITALS and len(inside) < 2


def _own(entity: Entity, head: set[str], claimed: set[tuple[str, int, int]]) -> bool:
    if entity.kind not in LABELS:
        return False
    named = any(mention.node in head for mention in entity.mentions)
    if entity.kind == "dataset":
        return named or any(_place(mention) in claimed for mention in entity.mentions)
    return named and len(entity.mentions) >= _OFTEN


def _named(paper: str, entity: Entity) -> Named:
    label = LABELS[entity.kind]
    name = entity.name if label == "Dataset" else plain_name(entity.name)
    return Named(paper, label, name, entity.mentions[0].node)


def derived(named: Iterable[Named]) -> Iterator[tuple[Named, Named]]:
    """Return the models of a paper whose names contain another model of it, and that model.

    A name says so where it is the other one with words before it ("convolutional neural network", "neural network"), or
    a proper name with more behind it ("BERT-large", "BERT"). Of several the longest is taken.
    """
    models: dict[str, list[Named]] = {}
    for one in named:
        if one.label == "Model":
            models.setdefault(one.paper, []).append(one)
    for some in models.values():
        words = {one: tuple(_WORDS.findall(one.name)) for one in some}
        for one in some:
            longer = sorted(some, key=lambda other: -len(words[other]))
            base = next((other for other in longer if _is_derived(words[one], words[other])), None)
            if base is not None:
                yield one, base


def _is_derived(name: tuple[str, ...], base: tuple[str, ...]) -> bool:
    if not base or len(name) <= len(base):
        return False
    proper = base[0] != base[0].lower()
    return name[-len(base) :] == base or (proper and name[: len(base)] == base)


def _place(mention: Mention) -> tuple[str, int, int]:
    return mention.node, mention.start, mention.end


def plain_name(name: str) -> str:
    """The name that a task or a model has in all papers, whether it is printed as a title or in the plural.

    >>> plain_name("Convolutional Neural Networks"), plain_name("BERT transformer"), plain_name("ResNet")
    ('convolutional neural network', 'BERT transformer', 'ResNet')
    """
    words = " ".join(name.split())
    lower = _TITLED.sub(lambda word: word[0].lower(), words) if " " in words else words
    return _PLURAL.sub("", lower)


NODES: Mapping[str, tuple[str, ...]] = {
    "Paper": ("paperId", "title", "year", "url", "doi", "pdf_path"),
    "Chunk": ("chunkId", "text", "section", "kind", "pages", "position", "embedding"),
    "Task": ("name",),
    "Dataset": ("name",),
    "Model": ("name",),
}
"""Labels and their properties; the first is the key."""

LINKS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "BELONGS_TO": ("Chunk", "Paper", ()),
    "NEXT": ("Chunk", "Chunk", ()),
    "SIMILAR": ("Chunk", "Chunk", ("score",)),
    "CITES": ("Paper", "Paper", ()),
    "ADDRESSES_TASK": ("Paper", "Task", ("node",)),
    "USES_DATASET": ("Paper", "Dataset", ("node",)),
    "EXPLAINS_MODEL": ("Paper", "Model", ("node",)),
    "DERIVED_FROM": ("Model", "Model", ("paper", "node")),
}
"""Relationships: from which label, to which, and their properties."""

NUMBERS = {"year": "int", "position": "int", "score": "double", "embedding": "double[]"}
"""The properties that are no texts."""

_OF = {"Task": "ADDRESSES_TASK", "Dataset": "USES_DATASET", "Model": "EXPLAINS_MODEL"}


def paper_graph(
    papers: Mapping[str, PaperGraph],
    similar: int = 5,
    named: Iterable[Named] | None = None,
    embed: Embedder | None = None,
    pdfs: Mapping[str, str] | None = None,
) -> GraphSnapshot:
    """The graph of papers; each chunk leads to the `similar` chunks that are most alike. Raises `MissingExtra`.

    With `embed` each chunk has its vector, and it is vectors that are compared. `pdfs` are paths by SHA-256: a paper
    that was made from one of them has it as `pdf_path`.

    Entries of reference lists are no chunks here: CITES says what they say of papers that are there. What the papers
    are about is what their layers name, or `named`.
    """
    nodes: list[Node] = []
    links: list[Link] = []
    found: list[Chunk] = []
    vectors: list[Vectors] = []
    for paper in papers.values():
        nodes.append(_paper(paper, pdfs or {}))
        own = [chunk for chunk in chunks(paper) if chunk.kind is not ChunkKind.RECORD]
        rows = embed([chunk.text for chunk in own]) if embed and own else None
        vectors += [] if rows is None else list(rows)
        embedded = [None] * len(own) if rows is None else [[round(float(one), 6) for one in row] for row in rows]
        nodes += [
            _chunk(chunk, place, row) for place, (chunk, row) in enumerate(zip(own, embedded, strict=True), start=1)
        ]
        links += [_link("BELONGS_TO", chunk.id, paper.id) for chunk in own]
        links += [_link("NEXT", one.id, other.id) for one, other in pairwise(own)]
        found += own
    cited = dict.fromkeys((citation.document, citation.cited) for citation in citations(papers.values()))
    links += [_link("CITES", citing, other) for citing, other in cited]
    links += [_link("SIMILAR", one, other, score=score) for one, other, score in _similar(found, similar, vectors)]
    if named is None:
        named = (subject for paper in papers.values() for subject in subjects(paper))
    about = tuple(dict.fromkeys(named))
    for one in about:
        nodes.append(Node(f"{one.label} {one.name}", one.label, {"name": one.name}))
        links.append(_link(_OF[one.label], one.paper, f"{one.label} {one.name}", node=one.node))
    for one, other in derived(about):
        ends = f"{one.label} {one.name}", f"{other.label} {other.name}"
        props = {"paper": one.paper, "node": one.node}
        links.append(Link(f"DERIVED_FROM {one.paper} {' '.join(ends)}", "DERIVED_FROM", *ends, props))
    return GraphSnapshot(tuple({node.id: node for node in nodes}.values()), tuple(links)).canonical()


def _paper(paper: PaperGraph, pdfs: Mapping[str, str]) -> Node:
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    properties = {
        "paperId": paper.id,
        "title": paper.title,
        "year": int(year) if year.isdecimal() and len(year) < 10 else None,
        "url": paper_url(paper),
        "doi": paper.graph.value(paper.document, str(PRISM.doi)),
        "pdf_path": pdfs.get(digest_of(paper.path), "") if paper.path and pdfs else "",
    }
    return Node(paper.id, "Paper", {name: value for name, value in properties.items() if value not in ("", None)})


def pdfs_at(paths: Iterable[Path]) -> dict[str, str]:
    """PDF files, and those in folders, by the SHA-256 of their bytes; raises `SourceError` where there are none."""
    found: dict[str, str] = {}
    for path in paths:
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix.lower() == ".pdf")
        if not files:
            raise SourceError(f"{path}: no PDF", hint="Give a PDF, or a folder with some.")
        for file in files:
            with file.open("rb") as opened:
                found.setdefault(hashlib.file_digest(opened, "sha256").hexdigest(), str(file))
    return found


def _chunk(chunk: Chunk, place: int, vector: list[float] | None) -> Node:
    properties = {
        "chunkId": chunk.id,
        "text": chunk.text,
        "section": chunk.topic,
        "kind": chunk.metadata.get("kind", ""),
        "pages": chunk.metadata.get("pages", ""),
        "position": place,
        "embedding": vector,
    }
    return Node(chunk.id, "Chunk", {name: value for name, value in properties.items() if value not in ("", None)})


def _link(label: str, source: str, target: str, **props: str | float) -> Link:
    return Link(f"{label} {source} {target}", label, source, target, props)


def _similar(found: Sequence[Chunk], most: int, vectors: Sequence[Vectors]) -> Iterator[tuple[str, str, float]]:
    """Of each chunk the most alike, the nearest first, with their likeness in [0, 1]; each has its own list."""
    if most < 1 or len(found) < 2:
        return
    from kag.retrieval.graph.build import GraphOptions, likeness_edges
    from kag.retrieval.graph.entities import entities
    from kag.retrieval.vectors import np

    rows = np.array(vectors, dtype=np.float32) if vectors else None
    near: dict[str, list[tuple[float, str]]] = {}
    for edge in likeness_edges(found, rows, GraphOptions(share=0.0, nearest=most), entities):
        score = round(float(edge.weight), 4)
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            near.setdefault(one, []).append((-score, other))
    for one in sorted(near):
        yield from ((one, other, -score) for score, other in sorted(near[one])[:most] if score < 0)


def script(graph: GraphSnapshot) -> str:
    """Return statements for `cypher-shell` and an empty database: a constraint a label, nodes and relationships."""
    once = [
        f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;\n"
        for label in NODES
    ]
    return "".join(once) + to_cypher(graph)


Nodes = list[tuple[str, dict[str, Any]]]
Edges = list[tuple[str, str, dict[str, Any]]]


def network(paper: PaperGraph) -> tuple[Nodes, Edges]:
    """The nodes and the links between them, in the order of their IRIs.

    A node has `kind` (a class's local name), `page` (0 where it has none) and `text` (plain words: of a section its
    title, of the paper its title); an edge `label`, the property's local name ("contains", "cites").
    """
    graph = paper.graph
    names = sorted(graph)
    nodes = [(iri, _about(paper, iri)) for iri in names]
    edges = [
        (iri, value, {"label": local_name(predicate)})
        for iri in names
        for predicate, values in sorted(graph.properties(iri).items())
        if graph.is_link(predicate)
        for value in values
        if value in graph
    ]
    return nodes, edges


def _about(paper: PaperGraph, iri: str) -> dict[str, Any]:
    if iri == paper.document:
        return {"kind": "Document", "page": 0, "text": paper.title}
    if section := paper.sections.get(iri):
        return {"kind": "Section", "page": section.page, "text": section.title}
    if node := paper.nodes.get(iri):
        return {"kind": node.kind, "page": node.page, "text": node.plain}
    classes = paper.graph.values(iri, str(RDF.type))
    surface = paper.graph.value(iri, "http://purl.org/spar/c4o/hasContent")
    return {"kind": local_name(classes[0]) if classes else "", "page": 0, "text": surface}
