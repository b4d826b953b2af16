"""The parts of a paper as plain values, for scripts, data frames and graph libraries.

They hold texts in plain words and numbers, no nodes of a graph; each says where it is printed: `node` is the IRI that
evidence names as well, `page` begins at 1, `boxes` are (left, top, right, bottom) in thousandths of the page. A list
of them is what `pandas.DataFrame` takes; `as_dict()` gives JSON values. All come in reading order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from kag.core.display import OneLine, html_table
from kag.core.errors import MissingExtra
from kag.export.references import BibliographicRecord, bibliography, csl_item
from kag.indexing.enrich.author_list import split_authors
from kag.qa.paper import Boxes, Mention, Node, PaperGraph
from kag.qa.paper import Section as SectionNode
from kag.qa.printed_table import stored_cells
from kag.rdf.namespaces import DCTERMS, FOAF, KAG, PRO
from kag.text.cells import distinct
from kag.text.plain import plain
from kag.text.sentences import sentences

if TYPE_CHECKING:
    import pandas

_APART = frozenset(("Figure", "Table", "Caption", "FigureLabel", "BibliographicReference"))


class Part(OneLine):
    """Common fields of all parts of a paper."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """The fields as a plain dict, for JSON and data frames."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]  # all that derive from it are dataclasses


@dataclass(frozen=True, slots=True, repr=False)
class Section(Part):
    """A section: `depth` is 1 at the top, `path` the titles from there, `types` what it is for ("Introduction").

    `title` and `path` are without numbers: `number` has it as printed ("2.1").

    `text` are its own paragraphs and formulas in plain words, parted by empty lines: not those of its subsections, no
    captions, tables or references, which are parts of their own. `printed` is false where the page gives no title.
    """

    shown: ClassVar[tuple[str, ...]] = ("number", "title", "page", "types", "text")

    number: str
    title: str
    depth: int
    path: tuple[str, ...]
    types: tuple[str, ...]
    text: str
    printed: bool
    page: int
    node: str


@dataclass(frozen=True, slots=True, repr=False)
class Figure(Part):
    """A figure: `label` is "Figure 3" as printed, `image` its file relative to the folder of the paper.

    `description` is what a model said of the picture, if one was asked (`vision`): never the authors' words.
    """

    shown: ClassVar[tuple[str, ...]] = ("label", "caption", "page")

    number: str
    label: str
    caption: str
    image: str
    description: str
    page: int
    boxes: Boxes
    node: str


@dataclass(frozen=True, slots=True, repr=False)
class Table(Part):
    """A table: `columns` names each column once, `grid` are all cells, of which `header_rows` rows are the head.

    A cell that spans several places is in each of them. Columns of several header rows are called "A / B"; one without
    a name is "column 3", and one with a name that was there before "Mean (2)".
    """

    shown: ClassVar[tuple[str, ...]] = ("label", "caption", "columns", "page")

    number: str
    label: str
    caption: str
    columns: tuple[str, ...]
    grid: tuple[tuple[str, ...], ...]
    header_rows: int
    page: int
    boxes: Boxes
    node: str

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows below the head, each as column -> words."""
        return [dict(zip(self.columns, row, strict=False)) for row in self.grid[self.header_rows :]]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows below the head as a `pandas.DataFrame` of strings; raises `MissingExtra` without pandas."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("pandas is not installed", hint="Run: pip install pandas") from error
        return pandas.DataFrame(self.rows, columns=list(self.columns), dtype="str")

    def _repr_html_(self) -> str:
        title = f"{self.label} {self.caption.removeprefix(self.label).lstrip(' .:')}".strip()
        return html_table(self.columns, self.grid[self.header_rows :], title)


@dataclass(frozen=True, slots=True, repr=False)
class Reference(Part):
    """An entry of the reference list; what was not read in it is empty (`year`: None).

    `number` is the printed one, or the place in the list; `authors` are "Family, Given"; `key` is unique in the paper;
    `text` is the entry as printed; `csl` is the CSL-JSON item, as citation processors and Zotero take it.
    """

    shown: ClassVar[tuple[str, ...]] = ("number", "authors", "year", "title")

    number: int
    key: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    container: str
    doi: str
    url: str
    text: str
    page: int
    boxes: Boxes
    node: str
    csl: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Citation(Part):
    """A call-out in the text: `surface` as printed ("[1, 3]"), `references` the numbers of the entries it means.

    It stands in the text of `node`, characters `start` to `end`; `sentence` is around it, in plain words, and
    `section` the titles from the top.
    """

    shown: ClassVar[tuple[str, ...]] = ("surface", "references", "sentence", "page")

    surface: str
    references: tuple[int, ...]
    sentence: str
    section: tuple[str, ...]
    page: int
    node: str
    start: int
    end: int


def authors(paper: PaperGraph) -> tuple[str, ...]:
    """The paper's authors in the order of the page, as far as the graph has them."""
    known = paper.graph.values(paper.document, str(DCTERMS.creator))
    printed = (name for node in paper.of_kind("ListOfAuthors") for name in split_authors(node.text))
    ordered = [name for name in printed if name in known]
    return tuple(dict.fromkeys([*(ordered if set(ordered) == set(known) else _by_rank(paper)), *ordered, *known]))


def _by_rank(paper: PaperGraph) -> list[str]:
    """The names of those who hold the role of an author of the paper, by its rank."""
    ranked = []
    for role in paper.graph.sources(str(PRO.relatesToDocument), paper.document):
        names = [
            paper.graph.value(person, str(FOAF.name)) for person in paper.graph.sources(str(PRO.holdsRoleInTime), role)
        ]
        ranked += [(int(paper.graph.value(role, str(KAG.rank)) or 0), name) for name in names]
    return [name for _, name in sorted(ranked)]


def sections(paper: PaperGraph) -> tuple[Section, ...]:
    """All sections, a subsection behind the one that it is in."""
    return tuple(
        Section(
            number=section.number,
            title=unnumbered(section),
            depth=section.depth,
            path=unnumbered_path(paper, section),
            types=section.types,
            text=_text(paper, section),
            printed=not section.synthetic,
            page=section.page,
            node=section.iri,
        )
        for section in paper.sections.values()
    )


def unnumbered(section: SectionNode) -> str:
    """The title of a section without its printed number; a title that is only a number stays."""
    number = section.number.strip()
    if not number or not section.title.casefold().startswith(number.casefold()):
        return section.title
    rest = section.title[len(number) :]
    return (rest.lstrip(" .:)\t\u2014\u2013-") if not rest[:1].isalnum() else "") or section.title


def unnumbered_path(paper: PaperGraph, section: SectionNode | None) -> tuple[str, ...]:
    """The titles of a section and those around it, from the top, without their numbers."""
    titles: list[str] = []
    while section is not None:
        titles.append(unnumbered(section))
        section = paper.sections.get(section.parent)
    return tuple(reversed(titles))


def _text(paper: PaperGraph, section: SectionNode) -> str:
    """The paragraphs of a section; what a page end cut in two is put together again."""
    nodes = [paper.nodes[iri] for iri in section.contents if paper.nodes[iri].kind not in _APART]
    chains = {paper.chain_of(node.iri): None for node in nodes}
    texts = (" ".join(filter(None, (paper.nodes[iri].plain.strip() for iri in chain))) for chain in chains)
    return "\n\n".join(filter(None, texts))


def figures(paper: PaperGraph) -> tuple[Figure, ...]:
    """All figures, schemes and charts."""
    return tuple(
        Figure(
            node.number,
            node.label,
            _caption(paper, node),
            paper.graph.value(node.iri, str(KAG.imagePath)),
            paper.graph.value(node.iri, str(KAG.imageDescription)),
            node.page,
            node.boxes,
            node.iri,
        )
        for node in paper.of_kind("Figure")
    )


def _caption(paper: PaperGraph, node: Node) -> str:
    caption = paper.caption_of(node.iri)
    return caption.plain if caption else ""


def tables(paper: PaperGraph) -> tuple[Table, ...]:
    """All tables with their cells. Raises `RunError` where the stored cells are damaged."""
    return tuple(_table(paper, node) for node in paper.of_kind("Table"))


def _table(paper: PaperGraph, node: Node) -> Table:
    stored, details = stored_cells(paper, node)
    if stored is None:  # a graph of before cells were kept, or a table that is only a picture
        stored = [line.split(" | ") for line in node.text.splitlines() if line.strip()]
    grid = tuple(tuple(plain(str("" if cell is None else cell)) for cell in row) for row in stored)
    paths: Sequence[Sequence[str]] = details.get("columns", ()) if details.get("header_rows") else ()
    names = [plain(" / ".join(path)) for path in paths] + [""] * max(map(len, grid), default=0)
    width = max(map(len, (*grid, paths)), default=0)
    columns = distinct([name or f"column {place}" for place, name in enumerate(names[:width], start=1)])
    header = details.get("header_rows", 0)
    caption = _caption(paper, node)
    return Table(node.number, node.label, caption, tuple(columns), grid, header, node.page, node.boxes, node.iri)


def references(paper: PaperGraph) -> tuple[Reference, ...]:
    """The reference list by number."""
    found = bibliography(paper.graph, paper.content)
    return tuple(_reference(record, paper.nodes[record.node]) for record in found if record.node in paper.nodes)


def _reference(record: BibliographicRecord, node: Node) -> Reference:
    people = (", ".join(filter(None, (person.family, person.given))) for person in record.authors)
    return Reference(
        number=record.number,
        key=record.key,
        title=record.title,
        authors=tuple(people),
        year=int(record.year) if record.year.isdecimal() and len(record.year) < 10 else None,
        container=record.container,
        doi=record.doi,
        url=record.url,
        text=node.plain,
        page=node.page,
        boxes=node.boxes,
        node=node.iri,
        csl=csl_item(record),
    )


def citations(paper: PaperGraph) -> tuple[Citation, ...]:
    """All call-outs that mean entries of the reference list."""
    entries = {
        node.iri: int(node.number) for node in paper.of_kind("BibliographicReference") if node.number.isdecimal()
    }
    return tuple(
        citation for host, mentions in paper.mentions.items() for citation in _in_host(paper, host, mentions, entries)
    )


def _in_host(
    paper: PaperGraph, host: str, mentions: Sequence[Mention], entries: Mapping[str, int]
) -> Iterator[Citation]:
    """The call-outs in the text of one node; each of its sentences is read once."""
    node, section = paper.nodes[host], paper.section_of(host)
    spans = sentences(node.text)
    begins = [start for start, _ in spans]
    words: dict[int, str] = {}
    for mention in mentions:
        numbers = tuple(entries[iri] for iri in mention.targets if iri in entries)
        if numbers:
            place = max(bisect_right(begins, mention.start) - 1, 0)
            if place not in words:
                around = node.text[slice(*spans[place])] if spans else mention.surface
                words[place] = " ".join(plain(around).split())
            yield Citation(
                surface=mention.surface,
                references=numbers,
                sentence=words[place],
                section=unnumbered_path(paper, section),
                page=node.page,
                node=host,
                start=mention.start,
                end=mention.end,
            )
