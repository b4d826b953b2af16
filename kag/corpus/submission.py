"""`Submission`: what a corpus takes from one run folder, checked before anything is changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kag.core.content import Place
from kag.core.errors import CorpusError
from kag.core.files import read_object, read_regular
from kag.core.works import WORKS, is_whole_doi, work_key
from kag.corpus import graphs
from kag.indexing.enrich.author_list import split_authors
from kag.indexing.run import CONTENT, FILES, GRAPH, SUMMARY, layers_of
from kag.layers.gate import check_layer
from kag.rdf.namespaces import BIRO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM, paper_base
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC, LAYERS, layer_graph
from kag.rdf.published import PublishedGraph
from kag.rdf.shacl import Validator
from kag.sources.names import safe_paper_id

_LONGEST = 1 << 23  # characters of a triple: the engine takes 16 MiB as UTF-8
_ENGINE = (SyntaxError, MemoryError)  # for what is no Turtle, and for texts it has no room for
_BROKEN = (ValueError, KeyError, TypeError, OverflowError, OSError, RecursionError, *_ENGINE)
_AGAIN = "Index the paper again, then give the new run."


class Mention(NamedTuple):
    """A node that leads to a work: a reference, or the paper itself (`own`).

    `title` is the work's key without its DOI, empty when title, year or author is not known; `doi` says that the
    work is named by one.
    """

    node: str
    work: str
    title: str
    doi: bool
    own: bool


@dataclass(frozen=True, slots=True)
class Submission:
    """A paper as it goes into a corpus; `triples` are lines of N-Triples as its store spells them.

    `version` names the bytes of its files. `layers` are the graphs over the document's by their names in the dataset.
    """

    paper_id: str
    version: str
    iri: str
    title: str
    year: str
    doi: str
    pages: int
    triples: tuple[str, ...]
    places: tuple[Place, ...]
    mentions: tuple[Mention, ...]
    references: int = 0  # entries of its list, whether or not the work is known
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def graphs(self) -> dict[str, tuple[str, ...]]:
        """All graphs of the paper by name."""
        return {self.iri: self.triples, **self.layers}


@cache
def _shapes() -> Validator:
    return Validator(load_shapes(DOC))


def files_of(run: Path) -> tuple[str, ...]:
    """The files of a run that a corpus keeps."""
    return (*FILES, *layers_of(run).values())


def version_of(run: Path) -> str:
    """The first 16 hex digits of a SHA-256 over the names and bytes of a run's files; raises `CorpusError`."""
    digest = hashlib.sha256()
    for name in files_of(run):
        try:
            digest.update(f"{name} {hashlib.sha256(read_regular(run / name)).hexdigest()}\n".encode())
        except OSError as error:
            hint = "Give a folder that `kag index` wrote, whole."
            raise CorpusError(f"{run / name}: {error.strerror}", hint=hint) from error
    return digest.hexdigest()[:16]


def read_submission(run: Path, *, validate: bool = True) -> Submission:
    """Read a run folder; raises `CorpusError` when it is damaged, breaks the shapes or is not about one paper."""
    version = version_of(run)
    try:
        summary = read_object(run / SUMMARY)
        paper_id, pages = str(summary["paper"]), int(summary["source"]["pages"])
        turtle = read_regular(run / GRAPH)
        triples, graph = _triples(turtle), PublishedGraph.parse(turtle)
        places = _places(read_regular(run / CONTENT))
        layers = {name: _triples(read_regular(run / file)) for name, file in layers_of(run).items()}
    except _BROKEN as error:
        raise CorpusError(f"{run} is damaged: {type(error).__name__} {error}", hint=_AGAIN) from error
    iri = _document(run, paper_id, graph)
    issues = () if not validate else _shapes().report(_split(line) for line in triples).issues
    if issues:
        raise CorpusError(f"{run} breaks the shapes: {issues[0].message}", hint=_AGAIN)
    _check_layers(run, iri, triples, layers, shapes=validate)
    return Submission(
        paper_id,
        version,
        iri,
        graph.value(iri, str(DCTERMS.title)),
        graph.value(iri, str(FABIO.hasPublicationYear)),
        graph.value(iri, str(PRISM.doi)),
        pages,
        graphs.as_stored(triples),
        places,
        tuple(_mentions(graph, iri)),
        len(graph.of_class(str(DEO.BibliographicReference))),
        {layer_graph(iri, name): graphs.as_stored(lines) for name, lines in layers.items() if lines},
    )


def _check_layers(
    run: Path, iri: str, triples: Iterable[str], layers: Mapping[str, tuple[str, ...]], *, shapes: bool
) -> None:
    """Raise `CorpusError` if a layer has nodes of another paper, or breaks its shapes."""
    below = [_split(line) for line in triples] if shapes and layers else []
    base = f"<{iri.rpartition('/')[0]}/"
    for name, lines in layers.items():
        own = [_split(line) for line in lines]
        strange = next((subject for subject, _, _ in own if not subject.startswith(base)), None)
        if strange:
            raise CorpusError(f"{run}: the {name} layer speaks of {strange}, no node of the paper", hint=_AGAIN)
        issues = check_layer(LAYERS[name], own, below).issues if shapes else ()
        if issues:
            raise CorpusError(f"{run}: the {name} layer breaks its shapes: {issues[0].message}", hint=_AGAIN)
        below += own


def _triples(turtle: bytes) -> tuple[str, ...]:
    import pyoxigraph  # a compiled library: imported when first needed

    quads = pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)
    lines = sorted({f"{quad.subject} {quad.predicate} {quad.object}" for quad in quads})
    if any(line.startswith("_:") or " _:" in line[: line.find('"')] for line in lines):
        raise ValueError("a blank node, which has another name each time it is read")
    if any(len(line) > _LONGEST for line in lines):
        raise ValueError(f"a text of more than {_LONGEST} characters, which the store has no room for")
    return tuple(lines)


def _split(line: str) -> tuple[str, str, str]:
    subject, predicate, value = line.split(" ", 2)
    return subject, predicate, value


def _places(lines: bytes) -> tuple[Place, ...]:
    found: list[Place] = []
    start = 0
    for line in lines.splitlines(keepends=True):
        found.append(Place(str(json.loads(line)["ref"]), start, len(line)))
        start += len(line)
    return tuple(found)


def _document(run: Path, paper_id: str, graph: PublishedGraph) -> str:
    """Return the paper's IRI; all subjects must be its own nodes or works, so that papers cannot make statements for
    each other."""
    base = paper_base(paper_id)
    strange = next((name for name in graph if not name.startswith((base, WORKS))), None)
    papers = graph.of_class(str(FABIO.ResearchPaper))
    if safe_paper_id(paper_id) != paper_id or len(papers) != 1 or strange:
        what = f"{strange} is not a node of it" if strange else f"it has {len(papers)} papers"
        raise CorpusError(f"{run} is not a graph of the paper {paper_id[:80]!r}: {what}", hint=_AGAIN)
    return papers[0]


def _mentions(graph: PublishedGraph, iri: str) -> Any:
    for node in graph.of_class(str(DEO.BibliographicReference)):
        work = graph.value(node, str(BIRO.references))
        if work:
            author = graph.value(node, str(KAG.authorList)).partition(";")[0].partition(",")[0]
            yield _mention(graph, node, work, author, own=False)
    own = graph.value(iri, str(KAG.realizes))
    if own:
        lists = (graph.value(node, str(KAG.fullText)) for node in graph.of_class(str(DOCO.ListOfAuthors)))
        first = next((name for text in lists for name in split_authors(text)), "")
        yield _mention(graph, iri, own, first.split()[-1] if first else "", own=True)


def _mention(graph: PublishedGraph, node: str, work: str, author: str, *, own: bool) -> Mention:
    title, year = graph.value(node, str(DCTERMS.title)), graph.value(node, str(FABIO.hasPublicationYear))
    key = work_key(title=title, year=year, first_author=author) or ""
    return Mention(node, work, key, is_whole_doi(graph.value(node, str(PRISM.doi))), own)
