"""What a paper calls its parts: headings with and without their number, labels of cited works, how it cites at all."""

from __future__ import annotations

import re
from collections import Counter

from kag.qa.exact.facts import Item, quoted
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.quote import beginning
from kag.rdf.namespaces import DCTERMS, FABIO, KAG
from kag.text.plain import plain
from kag.text.search_text import search_text

_LEADING = re.compile(
    r"(?:(?:section|chapter)\s+)?(?:"
    r"\d{1,2}(?:\.\d{1,2})*(?:[.):]\s+|[.):](?=[^\W\d_])|\s+(?=[^\W\d_]))"
    r"|[ivx]{1,5}[.)]\s+|[a-h](?:\.\d{1,2})*[.):]\s+|appendix\s+[a-h\d]\s*[.:]\s*)",
    re.I,
)
_LABEL = re.compile(r"(?P<names>[^\W\d_][^\d;]{1,80}?),? (?P<year>(?:1[5-9]|20)\d\d[a-z]?|n\.d\.[a-z]?)")


def bare(title: str) -> str:
    """A heading without its number; without both where it is numbered twice.

    >>> bare("3.2. Energy")
    'Energy'
    """
    while match := _LEADING.match(title):
        title = title[match.end() :]
    return title.strip()


def unnumbered(section: Section) -> str:
    """A section's title without the number it was read with."""
    rest = section.title.removeprefix(section.number) if section.number else section.title
    return rest.lstrip(".):\u00a0 ") if rest[:1] in tuple(".):\u00a0 ") and rest.strip(".): ") else section.title


def key(text: str) -> str:
    """Letters and digits in small letters: the same for two spellings of a title."""
    return re.sub(r"[\W_]+", "", search_text(text).text)


def printed(paper: PaperGraph) -> tuple[Section, ...]:
    """The sections whose heading stands on a page, in reading order."""
    return tuple(section for section in paper.sections.values() if not section.synthetic and section.title)


def number_of(section: Section) -> str:
    """The number that a section is printed with, or that its heading begins with; "" for none."""
    stated = section.number or (match[0] if (match := _LEADING.match(section.title)) else "")
    return stated.strip().rstrip(".):").strip()


def families(paper: PaperGraph, node: Node) -> list[str]:
    """The authors' family names of an entry."""
    listed = paper.graph.value(node.iri, str(KAG.authorList))
    return [author.split(",")[0].strip() for author in listed.split(";") if author.strip()]


def year(paper: PaperGraph, node: Node) -> str:
    """The year of an entry, with the letter that tells two works of it apart."""
    stated = paper.graph.value(node.iri, str(FABIO.hasPublicationYear))
    lettered = re.search(rf"\b{re.escape(stated)}([a-z])\b", node.text) if stated else None
    return stated + (lettered[1] if lettered else "")


def label(paper: PaperGraph, node: Node) -> str:
    """How the text names an entry, as its call-outs do most often; made of authors and year where none does.

    "Kay 1999", "Kay and Lee 1999", "Kay et al. 1999".
    """
    surfaces = Counter(
        cleaned
        for mentions in paper.mentions.values()
        for mention in mentions
        if mention.targets == (node.iri,) and (cleaned := _as_label(mention.surface))
    )
    names, when = families(paper, node), year(paper, node)
    if surfaces:
        said = max(surfaces, key=lambda surface: (surfaces[surface], surface))
        whole = f"{names[0]} {when}" if len(names) == 1 else said
        return whole if whole.endswith(f" {said}") else said  # "Core Team 2017" of the R Core Team
    if not names:
        return when
    return f"{' and '.join(names) if len(names) < 3 else names[0] + ' et al.'} {when}".strip()


def _as_label(surface: str) -> str:
    """A call-out of names and a year without the marks between them; empty when it is anything else."""
    words = " ".join(re.sub(r"[()\[\]]", " ", plain(surface)).replace("&", "and").split())
    match = _LABEL.fullmatch(words)
    return f"{match['names'].rstrip(' ,')} {match['year']}" if match else ""


def numbered(paper: PaperGraph) -> bool:
    """Whether the paper cites by number: most of its call-outs have no letters, or its entries print their number."""
    surfaces = [
        mention.surface for host, found in paper.mentions.items() for mention in found if _cites(paper, mention.targets)
    ]
    if surfaces:
        lettered = sum(any(char.isalpha() for char in surface.replace("mathrm", "")) for surface in surfaces)
        return 2 * lettered < len(surfaces)
    entries = list(paper.references.values())[:10]
    return any(entry.text.lstrip("[( ").startswith(entry.number) for entry in entries) or not entries


def _cites(paper: PaperGraph, targets: tuple[str, ...]) -> bool:
    return any(paper.nodes[target].kind == "BibliographicReference" for target in targets if target in paper.nodes)


def calls(paper: PaperGraph, entry: Node) -> str:
    """What the paper calls an entry: its number, or "Kay et al. 1999" where entries are not numbered."""
    return entry.number if numbered(paper) else label(paper, entry) or entry.number


def item_of(paper: PaperGraph, entry: Node) -> Item:
    """An entry by number and title, as far as it has one."""
    title = paper.graph.value(entry.iri, str(DCTERMS.title))
    place = quoted(paper, entry.iri, title) if title else beginning(paper, entry.iri)
    words = title if title and place.quote else place.quote
    return Item(f"[{entry.number}] {' '.join(words.split())}", (place,))
