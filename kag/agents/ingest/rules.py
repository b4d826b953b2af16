"""Find the documents at some paths, and read each by rules of its form and its domain.

Structured documents: workflows, graphs, tables of biology; a file's own faults are reported and not mended. The run of
a paper: the paper, what it cites and, where its entity layer is there, what it reports on. A story in prose:
characters and places; events, speakers and causes are left to a model. Plain texts of any domain by its phrases:
`Metformin treats diabetes` where the domain says what `treats` links. A sentence is read where a phrase of an edge is
between two names: a name is a run of words that begins with a capital or has a digit, or, behind `the gene`, the word
there; its label is from such a word, else from the edge. Where both leave it open, nothing is drafted.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kag.agents.ingest.values import Document, Draft, Drafted
from kag.core.errors import SourceError
from kag.core.files import own_folder, read_regular, shown, source_bytes, text_of_source
from kag.export.parts import authors, references
from kag.kgrag.domain import Domain
from kag.kgrag.files import GraphFile, check_graph, read_graph
from kag.kgrag.science import PRIMEKG, read_primekg
from kag.kgrag.story.cast import cast_of
from kag.qa.paper import PaperGraph, local_name
from kag.rdf.namespaces import FABIO, PRISM
from kag.rdf.published import PublishedGraph
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import GraphSnapshot, Link
from kag.retrieval.property_graph.schema import ANY, Issue
from kag.text.sentences import sentences

TEXTS = (".txt", ".md")
FILES = (".json", ".jsonl", ".yml", ".yaml", ".ga", ".cwl", ".graphml", ".csv")
LARGEST = 64 * 1024**2
"""Bytes of a document."""
LAYERS = ("knowledge_graph.ttl", "entity_graph.ttl", "claim_graph.ttl")
RUN = "run"


def documents_at(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """The name and path of each document at some paths, in order of the names; raises `SourceError`."""
    found: dict[str, Path] = {}
    for path in paths:
        for name, file in _at(path):
            if name in found and found[name].resolve() != file.resolve():
                message = f"{shown(found[name])} and {shown(file)} would both be {name!r}"
                raise SourceError(message, hint="Rename one of them, or give them to different --out folders.")
            found[name] = file
    if not found:
        kinds = ", ".join((*TEXTS, *FILES))
        raise SourceError(f"no documents at {', '.join(map(shown, paths))}", hint=f"Give files ({kinds}) or runs.")
    return sorted(found.items())


def _at(path: Path, inside: str = "") -> Iterator[tuple[str, Path]]:
    """The documents at a path; those in folders of a folder have the folders' names before their own."""
    if not own_folder(path):
        if not path.exists():
            raise SourceError(f"{shown(path)}: no such file or folder", hint="Check the path.")
        yield name_of(path.name), path
        return
    if (path / LAYERS[0]).is_file():
        yield name_of(re.sub(r"_\d{8}T\d{6}Z?(?:-\d+)?\Z", "", path.name)), path
        return
    for inner in sorted(path.iterdir()):
        if inner.name.startswith("."):
            continue
        if own_folder(inner):
            yield from _at(inner, f"{inside}{inner.name}_")
        elif inner.suffix.lower() in (*TEXTS, *FILES):
            yield name_of(inside + inner.name), inner


def name_of(file: str) -> str:
    """The name of a document: that of its file, of letters, digits and `.-_` only.

    >>> name_of("Chapter 1: a storm.txt")
    'Chapter_1_a_storm.txt'
    """
    return re.sub(r"[^\w.-]+", "_", file).strip("._")[:120] or "document"


def read_document(name: str, path: Path) -> Document:
    """A document that is read; raises `SourceError`."""
    if own_folder(path):
        return _run_document(name, path)
    data = source_bytes(path, LARGEST)
    text = text_of_source(data, path).replace("\r\n", "\n").replace("\r", "\n")
    form = "text" if path.suffix.lower() in TEXTS else path.suffix.lower().removeprefix(".") or "text"
    return Document(name, text, _digest([data]), form, path)


def _run_document(name: str, path: Path) -> Document:
    """A run of a paper: its text is what is printed in it, one piece behind the other."""
    parts = [source_bytes(path / layer, LARGEST) for layer in LAYERS if (path / layer).is_file()]
    return Document(name, printed(PaperGraph.load(path))[0], _digest(parts), RUN, path)


def printed(paper: PaperGraph) -> tuple[str, dict[str, tuple[int, int]]]:
    """All that is printed in a paper, and the characters of each node in that text."""
    pieces, places, at = [], dict[str, tuple[int, int]](), 0
    for node in paper.nodes.values():
        if node.text and node.iri not in places:
            pieces.append(node.text)
            places[node.iri] = at, at + len(node.text)
            at += len(node.text) + 2
    return "\n\n".join(pieces), places


def _digest(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.hexdigest()


LONGEST_TITLE = 300


def read_paper(document: Document, domain: Domain) -> tuple[Contribution, ...]:
    """The draft of a paper's run; raises `RunError` and `SourceError`."""
    paper = PaperGraph.load(document.path)
    text, places = printed(paper)
    draft = Draft(document, "rule:paper")
    title = paper.title or document.name
    at = text.find(title)
    span = (at, at + len(title)) if at >= 0 else (0, min(len(text), LONGEST_TITLE))
    this = draft.node("Paper", title, span, _about(paper, title))
    for reference in references(paper):
        fields = {
            "doi": reference.doi,
            "year": reference.year,
            "authors": list(reference.authors),
            "container": reference.container,
        }
        props = {
            "title": (reference.title or reference.text)[:LONGEST_TITLE],
            **{key: value for key, value in fields.items() if value},
        }
        where = places.get(reference.node, span)
        cited = draft.node("Paper", reference.title or f"reference {reference.number}", where, props)
        draft.edge("cites", this, cited, where, {"number": reference.number})
    for label, names in _entities(document, domain):
        found = [(text.find(name), name) for name in names]
        start, printed_as = min((one for one in found if one[0] >= 0), default=(0, ""))
        where = (start, start + len(printed_as)) if printed_as else span
        props = {"name": names[0], **({"aliases": names[1:]} if names[1:] else {})}
        draft.edge("reports_on", this, draft.node(label, names[0], where, props), where)
    return draft.entries


def _about(paper: PaperGraph, title: str) -> dict[str, Any]:
    """Return the graph's statements about the paper itself."""
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    fields: Mapping[str, Any] = {
        "doi": paper.graph.value(paper.document, str(PRISM.doi)), "authors": list(authors(paper)),
        "year": int(year) if year.isdecimal() and len(year) < 10 else None,
    }  # fmt: skip
    return {"title": title, **{key: value for key, value in fields.items() if value}}


def _entities(document: Document, domain: Domain) -> Iterator[tuple[str, list[str]]]:
    """The entities of the paper's entity layer that the domain has a label for: the label, and the names."""
    path = document.path / LAYERS[1]
    if not path.is_file():
        return
    try:
        graph = PublishedGraph.parse(read_regular(path))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {error}"[:300], hint="Read the paper's layers again.") from error
    labels = {label.casefold(): label for label in domain.schema.node_labels}
    for iri in sorted(graph):
        names_by_property = {local_name(key): values for key, values in graph.properties(iri).items()}
        kind = next(iter(names_by_property.get("kind", ())), "")
        names = [*names_by_property.get("prefLabel", ()), *sorted(names_by_property.get("altLabel", ()))]
        if kind.casefold() in labels and names:
            yield labels[kind.casefold()], names


def read_story(document: Document) -> tuple[Contribution, ...]:
    """Draft the characters and places of a story; events and their relations are left to a model."""
    draft = Draft(document, "rule:story")
    cast = cast_of(document.text)
    printed: dict[str, list[tuple[int, int]]] = {}
    for mention in cast.mentions:
        printed.setdefault(mention.name, []).append((mention.start, mention.end))
    for character in cast.characters:
        spans = sorted(span for name in (character.name, *character.aliases) for span in printed[name])
        props: dict[str, object] = {"name": character.name}
        props |= {"aliases": sorted(character.aliases)} if character.aliases else {}
        props |= {"gender": character.gender} if character.gender else {}
        _drafted(draft, "Character", spans, props)
    for place in cast.places():
        _drafted(draft, "Location", printed[place], {"name": place})
    return draft.entries


def _drafted(draft: Draft, label: str, spans: Sequence[tuple[int, int]], props: Mapping[str, object]) -> None:
    """Draft a node with all places where it is printed."""
    node = draft.node(label, str(props["name"]), spans[0], props)
    for span in spans[1:]:
        draft.again(node, span)


PRIMEKG_WORDS: Mapping[str, str] = {
    "gene_protein": "Gene", "drug": "Chemical", "disease": "Disease", "pathway": "Pathway",
    "indication": "treats", "disease_protein": "associated_with", "pathway_protein": "involved_in",
}  # fmt: skip
"""What the science domain calls the labels and relations of PrimeKG that are the same thing."""


def read_structured(document: Document, domain: Domain, rules: str) -> Drafted:
    """The draft of a structured file; `rules` is how its domain was named. Raises `SourceError`."""
    read = _read(document, domain, rules)
    author = f"rule:{read.format}"
    draft = Draft(document, author)
    lines = _lines(document.text)
    for node in read.snapshot.nodes:
        draft.node(node.label, "", _line(lines, read.lines.get(node.id, 0)), node.props, _own(document, node.id))
    for edge in read.snapshot.edges:
        place = read.lines.get(edge.id) or read.lines.get(edge.source, 0)
        ends = _own(document, edge.source), _own(document, edge.target)
        draft.edge(edge.label, *ends, _line(lines, place), edge.props, _own(document, edge.id))
    issues = tuple(_named(document, issue) for issue in check_graph(read, rules).issues)
    return Drafted(draft.entries, issues=issues)


def _own(document: Document, id: str) -> str:
    return f"{document.name}/{id}"


def _named(document: Document, issue: Issue) -> Issue:
    """An issue about the ids that the draft has; its file is the document."""
    nodes, edges = (tuple(_own(document, one) for one in ids) for ids in (issue.nodes, issue.edges))
    return replace(issue, nodes=nodes, edges=edges, file=document.name)


def _read(document: Document, domain: Domain, rules: str) -> GraphFile:
    if document.form == "csv":
        return _table(document)
    return read_graph(document.path, "" if domain.name == "workflow" else rules)


def _table(document: Document) -> GraphFile:
    """A table of edges in the form of PrimeKG's, its words put into those of the science domain."""
    head = next(csv.reader(io.StringIO(document.text[:10_000])), [])
    if not set(PRIMEKG) <= set(head):
        message, hint = f"{document.name}: is no table of edges that is known", f"Give columns {', '.join(PRIMEKG)}."
        raise SourceError(message, hint=hint)
    snapshot = read_primekg(Path(document.path))
    nodes = tuple(replace(node, label=PRIMEKG_WORDS.get(node.label, node.label)) for node in snapshot.nodes)
    labels = {node.id: node.label for node in nodes}
    return GraphFile(
        "primekg", GraphSnapshot(nodes, tuple(_turned(link, labels) for link in snapshot.edges)), "science"
    )


def _turned(edge: Link, labels: Mapping[str, str]) -> Link:
    """An edge in the words and direction of the science domain: the thing before its disease or pathway."""
    label = PRIMEKG_WORDS.get(edge.label, edge.label)
    swap = labels[edge.source] in ("Disease", "Pathway") and labels[edge.target] not in ("Disease", "Pathway")
    ends = (edge.target, edge.source) if swap and label != edge.label else (edge.source, edge.target)
    return Link(edge.id, label, *ends, edge.props)


def _lines(text: str) -> list[int]:
    """The character at which each line begins; the first line is 1."""
    starts = [0, 0]
    for at, sign in enumerate(text):
        if sign == "\n":
            starts.append(at + 1)
    return [*starts, len(text) + 1]


def _line(starts: list[int], line: int) -> tuple[int, int]:
    """The characters of a line; of the whole text where no line is known."""
    if 0 < line < len(starts) - 1:
        return starts[line], starts[line + 1] - 1
    return 0, starts[-1] - 1


_NAME = r"[A-Z0-9][\w'’/+-]*(?: (?:of |de |van )?[A-Z0-9][\w'’/+-]*){0,5}|[a-z]+\d[\w-]*"
_DENIAL = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|may|might|could|whether|if)\b|n't\b", re.IGNORECASE)
_ARTICLE = frozenset(
    {"The", "A", "An", "This", "That", "These", "Those", "It", "He", "She", "They", "We", "In", "On", "At"}
)


def read_phrases(document: Document, domain: Domain) -> tuple[Contribution, ...]:
    """The draft of a text."""
    draft, known = Draft(document, "rule:phrases"), dict[tuple[str, str], str]()
    for begin, end in sentences(document.text):
        sentence = document.text[begin:end]
        if _DENIAL.search(sentence):
            continue
        for label, ends in _links(domain, sentence):
            ids = []
            for kind, name, at in ends:
                span = begin + at, begin + at + len(name)
                key = kind, name.casefold()
                if key in known:
                    draft.again(known[key], span)
                else:
                    key_name = next(iter(domain.names.get(kind, ("name",))))
                    known[key] = draft.node(kind, name, span, {key_name: name})
                ids.append(known[key])
            draft.edge(label, ids[0], ids[1], (begin, end))
    return draft.entries


def _links(domain: Domain, sentence: str) -> Iterator[tuple[str, list[tuple[str, str, int]]]]:
    """Return the edges that a sentence states, each with label, name and place of both ends."""
    kinds = {label.casefold(): label for label in domain.schema.node_labels}
    words = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True)) or "(?!)"
    for label, phrases in domain.phrases.items():
        for phrase in phrases:
            pattern = re.escape(phrase.removeprefix("^"))
            form = rf"(?:\b(?P<k1>{words})\s+)?(?P<n1>{_NAME})(?:\s+(?P<k2>{words}))?\s+{pattern}\s+"
            form += (
                rf"(?:the\s+|a\s+)?(?:(?P<k3>{words})\s+)?(?P<n2>{_NAME}|[a-z][\w-]+)(?:\s+(?P<k4>{words}))?(?=\W|\Z)"
            )
            for match in re.finditer(form, sentence):
                first = (kinds.get(match["k1"] or match["k2"] or "", ""), match["n1"], match.start("n1"))
                second = (kinds.get(match["k3"] or match["k4"] or "", ""), match["n2"], match.start("n2"))
                ends = (second, first) if phrase.startswith("^") else (first, second)
                typed = _typed(domain, label, ends)
                if typed and not {match["n1"], match["n2"]} & _ARTICLE:
                    yield label, typed


def _typed(
    domain: Domain, label: str, ends: tuple[tuple[str, str, int], tuple[str, str, int]]
) -> list[tuple[str, str, int]]:
    """The ends with their labels, where words and the edge leave one choice; else nothing."""
    fits = [
        (s, t)
        for s, t in domain.schema.ends(label)
        if ANY not in (s, t) and ends[0][0] in ("", s) and ends[1][0] in ("", t)
    ]
    if len(fits) != 1:
        return []
    return [(kind, name, at) for kind, (_, name, at) in zip(fits[0], ends, strict=True)]


TEXT = "text"


@dataclass(frozen=True, slots=True)
class RuleReader:
    """Rules alone. `rules` is how the domain was named: one that comes with the project, or a TOML file."""

    rules: str

    def read(self, document: Document, domain: Domain, rules: Sequence[Contribution] = ()) -> Drafted:
        """The draft of a document; raises `SourceError` where its form is none that is known."""
        if document.form == RUN:
            return Drafted(read_paper(document, domain))
        if document.form != TEXT:
            return read_structured(document, domain, self.rules)
        story = domain.name == "story"
        return Drafted(read_story(document) if story else read_phrases(document, domain))
