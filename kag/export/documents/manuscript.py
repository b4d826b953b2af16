"""`manuscript`: a paper's graph as a clean document: front matter, nested sections, floats with captions, entries.

What a page end cut in two is one paragraph again; blocks that were left out of the graph (running heads) are not in
it. All writers of documents (Markdown, HTML, JATS) walk through this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kag.core.types import Table
from kag.export.documents.runs import Run, runs_of
from kag.export.parts import authors
from kag.qa.paper import Node, PaperGraph
from kag.qa.paper import Section as SectionNode
from kag.qa.printed_table import printed_table
from kag.rdf.namespaces import FABIO, KAG, PRISM
from kag.text.plain import plain

_ROLES = {"ListOfAuthors": "authors", "ListOfOrganizations": "affiliation", "Footnote": "note"}
_TAG = re.compile(r"\\tag\s*\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Display:
    """A display formula: LaTeX without delimiters, its printed number or ""."""

    node: Node
    latex: str
    number: str


@dataclass(frozen=True, slots=True)
class Text:
    """A printed text of one node. `role` is "text", "authors", "affiliation", "note" or "title"."""

    node: Node
    runs: tuple[Run, ...]
    role: str = "text"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Texts that are read as one, with the formulas between them."""

    parts: tuple[Text | Display, ...]

    @property
    def first(self) -> Text | Display:
        return self.parts[0]


@dataclass(frozen=True, slots=True)
class Float:
    """A figure or table with its captions; `grid` is None for a figure, `header_rows` rows of it are its head."""

    node: Node
    captions: tuple[Text, ...]
    grid: Table | None = None
    header_rows: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the reference list: `label` is its printed number, `runs` the text behind it."""

    node: Node
    label: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section: `title` is None where the page prints none; items and subsections are in reading order."""

    id: str
    title: Text | None
    level: int
    types: tuple[str, ...]
    items: tuple[Item, ...]


Item = Paragraph | Display | Float | Entry | Section
Links = Mapping[str, Sequence[str]]
"""Where the pictures of a figure lie, a panel each, by its IRI: paths beside the document, or data URIs."""


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A paper as a document; `ids` name the nodes that can be link targets, `front` comes before all sections."""

    paper: str
    title: Text | None
    authors: tuple[str, ...]
    doi: str
    year: str
    front: tuple[Item, ...]
    body: tuple[Item, ...]
    ids: dict[str, str] = field(repr=False)
    kinds: dict[str, str] = field(repr=False)


def manuscript(paper: PaperGraph) -> Manuscript:
    """Return the document of a paper's graph. Raises `RunError` if stored cells are damaged."""
    return _Walk(paper).whole()


@dataclass(slots=True, weakref_slot=True)
class _Ids:
    """Names that are good in XML and in a link, each once."""

    taken: dict[str, str] = field(default_factory=dict)

    def of(self, iri: str, base: str) -> str:
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", iri.removeprefix(base))
        name = name if name[:1].isalpha() else f"n{name}"
        free, number = name, 1
        while free in self.taken and self.taken[free] != iri:
            number += 1
            free = f"{name}.{number}"
        self.taken[free] = iri
        return free


class _Walk:
    def __init__(self, paper: PaperGraph) -> None:
        self._paper = paper
        self._done: set[str] = set()

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {node.iri: number for number, node in self._paper.references.items()}

    def whole(self) -> Manuscript:
        paper, ids = self._paper, _Ids()
        title = next(iter(paper.of_kind("Title")), None)
        if title:
            self._done.add(title.iri)
        inside = {iri for section in paper.sections.values() for iri in (*section.contents, section.header)}
        outside = [iri for iri in paper.nodes if iri not in inside]
        tops = [section for section in paper.sections.values() if not section.parent]
        front = [section for section in tops if "FrontMatter" in section.types]
        begin = [
            *self._items([*outside, *(iri for section in front for iri in (*section.contents, *section.sections))], 1)
        ]
        body = [self._section(section, 1) for section in tops if section not in front]
        graph = paper.graph
        return Manuscript(
            paper=paper.id,
            title=self._text(title, "title") if title else None,
            authors=authors(paper),
            doi=graph.value(paper.document, str(PRISM.doi)),
            year=graph.value(paper.document, str(FABIO.hasPublicationYear)),
            front=tuple(begin),
            body=tuple(body),
            ids={iri: ids.of(iri, paper.base) for iri in (*paper.nodes, *paper.sections)},
            kinds={**dict.fromkeys(paper.sections, "Section"), **{n.iri: n.kind for n in paper.nodes.values()}},
        )

    def _section(self, section: SectionNode, level: int) -> Section:
        header = self._paper.nodes.get(section.header)
        if header:
            self._done.add(header.iri)
        title = self._text(header) if header and not section.synthetic else None
        items = tuple(self._items([*section.contents, *section.sections], level + 1))
        return Section(section.iri, title, level, section.types, items)

    def _items(self, iris: Sequence[str], level: int) -> Iterator[Item]:
        """Yield the content of a section, each node once; captions go with their floats."""
        paper = self._paper
        listed = sorted(iris, key=paper.place)
        for place, iri in enumerate(listed):
            if iri in paper.sections:
                yield self._section(paper.sections[iri], level)
            elif iri not in self._done and not self._goes_with_a_float(iri):
                yield self._item(paper.nodes[iri], listed[place:])

    def _goes_with_a_float(self, iri: str) -> bool:
        floats = self._paper.targets(iri, KAG.describes)
        return any(
            float_ in self._paper.nodes and self._paper.nodes[float_].kind in ("Figure", "Table") for float_ in floats
        )

    def _item(self, node: Node, listed: Sequence[str]) -> Item:
        self._done.add(node.iri)
        if node.kind in ("Figure", "Table"):
            return self._float(node)
        if node.kind == "Formula":
            return _display(node)
        if node.kind == "BibliographicReference":
            return self._entry(node)
        if node.kind == "Paragraph":
            return Paragraph(tuple(self._chain(node, listed)))
        return Paragraph((self._text(node, _ROLES.get(node.kind, "text")),))

    def _chain(self, node: Node, listed: Sequence[str]) -> Iterator[Text | Display]:
        """Return the parts of a paragraph in this section, with the formulas between them."""
        chain = [iri for iri in self._paper.chain_of(node.iri) if iri in listed and self._is_text(iri)]
        last = max((listed.index(iri) for iri in chain), default=0)
        yield self._text(node)
        for iri in listed[1 : last + 1]:
            one = self._paper.nodes.get(iri)
            if one and iri not in self._done and (iri in chain or one.kind == "Formula"):
                self._done.add(iri)
                yield _display(one) if one.kind == "Formula" else self._text(one)

    def _is_text(self, iri: str) -> bool:
        return self._paper.nodes[iri].kind == "Paragraph"

    def _text(self, node: Node, role: str = "text") -> Text:
        text = node.text.lstrip("# ") if node.kind in ("SectionTitle", "Title") else node.text
        moved = len(node.text) - len(text)
        mentions = self._paper.mentions.get(node.iri, ()) if not moved else ()
        return Text(node, runs_of(text, mentions, self._numbers), role)

    def _float(self, node: Node) -> Float:
        paper = self._paper
        found = sorted(paper.graph.sources(str(KAG.describes), node.iri), key=paper.place)
        captions = [paper.nodes[iri] for iri in found if iri in paper.nodes and iri not in self._done]
        self._done.update(caption.iri for caption in captions)
        texts = tuple(self._text(caption) for caption in captions)
        if node.kind == "Figure":
            return Float(node, texts)
        return Float(node, texts, *printed_table(paper, node))

    def _entry(self, node: Node) -> Entry:
        text = node.text.lstrip()
        label = _PRINTED_NUMBER.match(text)
        if label and label["number"] == node.number:
            return Entry(node, label[0].strip(), runs_of(text[label.end() :]))
        return Entry(node, "", runs_of(text))


_PRINTED_NUMBER = re.compile(r"[\[(]?(?P<number>\d{1,5})[\]).]{0,2}[ \t]+")


def _display(node: Node) -> Display:
    """Return a formula without its delimiters, and its number if LaTeX has one."""
    text = node.text.strip()
    for opening, closing in (("\\[", "\\]"), ("$$", "$$"), ("\\(", "\\)")):
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) == (1 + (opening == closing)):
            text = text[len(opening) : -len(closing)].strip()
            break
    tag = _TAG.search(text)
    if tag and tag.end() == len(text):
        return Display(node, text[: tag.start()].strip(), tag[1].strip())
    return Display(node, text, "")


def cell_runs(text: str) -> tuple[Run, ...]:
    """The runs of a cell."""
    return runs_of(text)


def label_of(float_: Float) -> tuple[str, tuple[Run, ...]]:
    """The label of a float as its caption prints it ("Figure 1."), and the rest of the caption's first text."""
    if not float_.captions:
        return "", ()
    runs = float_.captions[0].runs
    label = float_.node.label and plain(float_.node.label)
    first = runs[0].words if runs and not (runs[0].latex or runs[0].script or runs[0].to) else ""
    if not label or not first.lower().startswith(label.lower()):
        return "", runs
    stop = 1 if first[len(label) : len(label) + 1] in (".", ":") else 0
    rest = first[len(label) + stop :]
    if not stop and rest[:1].isalnum():
        return "", runs
    head = (Run(rest.lstrip()),) if rest.strip() else ()
    return first[: len(label) + stop], (*head, *runs[1:])
