"""The parts of a paper that a question names: a figure or table by number, or a section such as funding or limitations.

Such a part is shown as it is printed, above the ranked passages; what it says of the question is for the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kag.core.evidence import Passage
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.passage_ranking import node_passage

MAX_PARAGRAPHS = 4  # of a section that is shown
_FLOAT = re.compile(r"\b(?P<kind>fig(?:ure)?s?|tables?)\b\.?\s*(?P<number>[A-Z]?\d+)", re.I)
_RUN_IN = 60  # characters in which a paragraph names its own topic: "Funding. This work ..."
_TEXT = ("Paragraph", "Footnote", "List", "ListItem")


@dataclass(frozen=True, slots=True)
class _Part:
    """`asked` is how questions name it, `types` are DEO classes of such sections, `titles` what headings call it."""

    asked: re.Pattern[str]
    types: frozenset[str]
    titles: re.Pattern[str]


def _part(asked: str, types: str, titles: str) -> _Part:
    words = re.compile(rf"\b(?:{titles})", re.I)
    return _Part(re.compile(rf"\b(?:{asked})", re.I), frozenset(types.split()), words)


_PARTS = (
    _part(
        r"fund(?:ed|ing|ers?)\b|financ\w+ support|grants?\b|who paid|sponsor", "",
        r"funding|financial (?:support|disclosure)|grants?\b|support\b|acknowledge?ments?",
    ),
    _part(
        r"(?:data|code|software|scripts?|materials?)\b.{0,30}\b(?:availab|access|shared?\b|found\b|deposit|public|download)"
        r"|where (?:is|are|can).{0,30}\b(?:data|code|software)\b|\bavailability\b", "",
        r"(?:data|code|software|material).{0,20}(?:availab|access|sharing|statement|deposition)|availability|accession",
    ),
    _part(r"limitations?\b|limits of (?:the|this)|weakness|shortcoming", "", r"(?:study |strengths and )?limitation"),
    _part(r"ethic\w*|informed consent|irb\b|approv(?:ed|al) by", "", r"ethic|consent|institutional review"),
    _part(
        r"(?:conflicts?|competing|declared?) (?:of )?interests?|disclosures?\b", "",
        r"(?:conflicts?|competing|declaration).{0,8} (?:of )?interest|disclosure",
    ),
    _part(r"contributions? of (?:the |each )?authors?|author contributions?|who (?:wrote|contributed)", "",
          r"authors?['’]? contribution|contributions? of authors|credit authorship"),
    _part(r"acknowledge?ments?|who (?:is|are|do they) thank", "Acknowledgements", r"acknowledge?ment"),
    _part(r"conclu(?:de|sions?)\b|take-?home|bottom line", "Conclusion", r"conclu|summary and outlook"),
    _part(
        r"future (?:work|research|directions?)|next steps?", "FutureWork", r"future (?:work|research|direction)|outlook"
    ),
    _part(r"supplement\w+|supporting inf", "SupplementaryInformationDescription", r"supplement|supporting info"),
    _part(
        r"abstract\b|summari[sz]e|summary of (?:the|this)|what is (?:the|this) (?:paper|study|article) about",
        "Abstract", r"abstract|summary$",
    ),
)  # fmt: skip


def named_parts(question: str, paper: PaperGraph) -> tuple[Passage, ...]:
    """The figures, tables and sections that a question names, as passages in the order of the question."""
    floats = [passage for node in _floats(question, paper) for passage in (node_passage(paper, node),) if passage]
    if floats:
        return tuple(floats)
    for part in _PARTS:
        if part.asked.search(question):
            nodes = _nodes(part, paper)
            return tuple(passage for node in nodes for passage in (node_passage(paper, node),) if passage)
    return ()


def _floats(question: str, paper: PaperGraph) -> Iterator[Node]:
    """The figures and tables that a question names by number; the caption of a figure stands for it."""
    for match in _FLOAT.finditer(question):
        kind = "Table" if match["kind"].lower().startswith("tab") else "Figure"
        node = next((node for node in paper.of_kind(kind) if node.number.lower() == match["number"].lower()), None)
        if node is not None:
            yield node if kind == "Table" and node.text.strip() else paper.caption_of(node.iri) or node


def _nodes(part: _Part, paper: PaperGraph) -> list[Node]:
    """The paragraphs of a part's sections by title; else those that begin with its name; else of sections by type."""
    titled = [section for section in paper.sections.values() if part.titles.match(_bare(section.title))]
    nodes = [node for section in titled for node in _contents(section, paper)]
    nodes = nodes or [
        node
        for node in paper.nodes.values()
        if node.kind in _TEXT and part.titles.match(_bare(node.plain[:_RUN_IN])) and _is_run_in(node.plain)
    ]
    typed = [section for section in paper.sections.values() if not part.types.isdisjoint(section.types)]
    nodes = nodes or [node for section in typed for node in _contents(section, paper)]
    return nodes[:MAX_PARAGRAPHS]


def _contents(section: Section, paper: PaperGraph) -> Iterator[Node]:
    chains = paper.chains
    yield from (
        paper.nodes[iri] for iri in paper.within(section.iri) if iri in chains and paper.nodes[iri].kind in _TEXT
    )


def _bare(title: str) -> str:
    """A title without its number and marks."""
    return re.sub(r"^(?:[\W_]|\d|[IVX]+\.)+", "", title)


def _is_run_in(text: str) -> bool:
    """Whether a paragraph begins with a heading of its own: a few words before a stop, a colon or a dash."""
    return bool(re.match(r"[\W\d]*(?:\w+['’]?[ -]){0,4}\w+\s?[.:–—]", text))
