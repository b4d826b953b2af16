"""`PaperParts`: a paper's metadata, and its parts as values."""

from __future__ import annotations

from functools import cached_property

from kag.core.errors import BadValue
from kag.core.works import doi_iri
from kag.export import parts
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import FABIO, PRISM


def paper_url(paper: PaperGraph) -> str:
    """The address that was given with a paper, else that of its DOI or of its arXiv stamp; "" without any."""
    terms = (FABIO.hasURL, PRISM.doi, FABIO.hasArXivId)
    given, doi, arxiv = (paper.graph.value(paper.document, str(term)) for term in terms)
    return given or (doi_iri(doi) if doi else f"https://arxiv.org/abs/{arxiv}" if arxiv else "")


class PaperParts:
    """The parts of the paper behind a graph: tuples of values in reading order. What is read is kept."""

    def __init__(self, graph: PaperGraph) -> None:
        self._graph = graph

    @property
    def id(self) -> str:
        """The paper's name in evidence: that of its folder, or the one that was given."""
        return self._graph.id

    @property
    def title(self) -> str:
        """The title in plain words; "" when the pages have none."""
        return self._graph.title

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """The authors as printed, in their order."""
        return parts.authors(self._graph)

    @property
    def year(self) -> int | None:
        """The printed year of publication; None without one."""
        year = self._graph.graph.value(self._graph.document, str(FABIO.hasPublicationYear))
        return int(year) if year.isdecimal() and len(year) < 10 else None

    @property
    def doi(self) -> str:
        """The DOI that its first page prints, or ""."""
        return self._graph.graph.value(self._graph.document, str(PRISM.doi))

    @property
    def url(self) -> str:
        """The address that was given with the paper, else that of its DOI or of its arXiv stamp, or ""."""
        return paper_url(self._graph)

    @property
    def journal(self) -> str:
        """The journal that its first page or its publisher's file names, or ""."""
        return self._graph.graph.value(self._graph.document, str(PRISM.publicationName))

    @property
    def abstract(self) -> str:
        """The abstract in plain words, parts of a structured one in their order; "" when there is none."""
        first = next((section for section in self.sections if "Abstract" in section.types), None)
        whole = [section.text for section in self.sections if first and section.path[: len(first.path)] == first.path]
        return "\n\n".join(filter(None, whole))

    @cached_property
    def sections(self) -> tuple[parts.Section, ...]:
        """The sections, each with its own text; a subsection behind the one that it is in."""
        return parts.sections(self._graph)

    def section(self, name: str) -> parts.Section:
        """The first section with this number, title (with its number or without) or type, in any capitals.

        Raises `BadValue` where there is none.
        """
        wanted = name.strip().casefold()
        for of in (_titles, _types):
            for one in self.sections:
                if wanted and wanted in of(one):
                    return one
        titles = ", ".join(repr(f"{one.number} {one.title}".strip()) for one in self.sections)
        raise BadValue(f"{self.id} has no section {name!r}", hint=f"Its sections: {titles}.")

    @cached_property
    def figures(self) -> tuple[parts.Figure, ...]:
        """The figures with their captions."""
        return parts.figures(self._graph)

    @cached_property
    def tables(self) -> tuple[parts.Table, ...]:
        """The tables; `Table.rows` are dicts of column -> words."""
        return parts.tables(self._graph)

    @cached_property
    def references(self) -> tuple[parts.Reference, ...]:
        """The reference list; `Reference.csl` is an entry as CSL-JSON."""
        return parts.references(self._graph)

    @cached_property
    def citations(self) -> tuple[parts.Citation, ...]:
        """The call-outs in the text that mean entries of the reference list."""
        return parts.citations(self._graph)


def _titles(section: parts.Section) -> tuple[str, ...]:
    title, number = section.title.casefold(), section.number.casefold()
    return number, title, f"{number} {title}", f"{number}. {title}"


def _types(section: parts.Section) -> tuple[str, ...]:
    return tuple(kind.casefold() for kind in section.types)
