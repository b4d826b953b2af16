"""Printed names of a paper's parts: headings with and without their number, cited works, figures and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kag.core.evidence import Evidence
from kag.qa.exact.facts import Item, mark, quoted
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
    """Return the sections with a printed heading, in reading order."""
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
    """Return the year of an entry, with the letter that distinguishes two works of it."""
    stated = paper.graph.value(node.iri, str(FABIO.hasPublicationYear))
    lettered = re.search(rf"\b{re.escape(stated)}([a-z])\b", node.text) if stated else None
    return stated + (lettered[1] if lettered else "")


def label(paper: PaperGraph, node: Node) -> str:
    """Return the most frequent label of an entry in the text's citations; authors and year without any.

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
        commonest = max(surfaces, key=lambda surface: (surfaces[surface], surface))
        whole = f"{names[0]} {when}" if len(names) == 1 else commonest
        return whole if whole.endswith(f" {commonest}") else commonest  # "Core Team 2017" of the R Core Team
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
    """Return the printed name of an entry: its number, or "Kay et al. 1999" if entries are not numbered."""
    return entry.number if numbered(paper) else label(paper, entry) or entry.number


def item_of(paper: PaperGraph, entry: Node) -> Item:
    """An entry by number and title, as far as it has one."""
    title = paper.graph.value(entry.iri, str(DCTERMS.title))
    place = quoted(paper, entry.iri, title) if title else beginning(paper, entry.iri)
    words = title if title and place.quote else place.quote
    return Item(f"[{entry.number}] {' '.join(words.split())}", (place,))


KINDS = {"figure": "Figure", "table": "Table", "equation": "Formula"}
_SUPPLEMENT = re.compile(r"supplement|\bbox\b", re.I)  # what is no figure or table of the paper's own count
_OF_A_FIGURE = re.compile(r"-s\d+$")  # a figure supplement: "2-s1"
_OF_A_PART = re.compile(r"(?:ap{1,2}endix|box)\b", re.I)  # a number that begins so has its part's name in it
_FLOAT_LABEL = re.compile(
    r"^\W*(?:(?:ap{1,2}endix|box)(?:\s+\w{1,2})?(?:\s*[—–-]+\s*|\s+)(?=fig|tab))?"
    r"(?:(?:supplementary|supporting|extended data)\s+)?(?:fig(?:ure)?|tab(?:le)?|scheme|chart|plate|box"
    r"|video|algorithm)\b\.?\s*"
    r"(?:[A-Z]?\.?\d+(?:\.\d+)*[a-z]?|[IVXL]+|[A-Z])?\b(?:\s*(?:-|—|–)\s*(?:figure supplement|source "
    r"data)\s*\d+)?[\s.:|,;–—-]*",
    re.I,
)


def called(paper: PaperGraph, node: Node) -> str:
    """Return the printed name of a float: "Figure 3", "Appendix 1—Figure 2"; "Equation 2" for a numbered formula."""
    if node.label and (_OF_A_PART.match(node.number) or _OF_A_FIGURE.search(node.number)):
        return node.label
    kind = next((name for name, cls in KINDS.items() if cls == node.kind), "figure").capitalize()
    name = re.match(r"\W*([a-z]+)", node.label.lower())
    if name and name[1].rstrip("s") in ("scheme", "chart", "plate", "box"):
        kind = name[1].rstrip("s").capitalize()
    return f"{kind} {node.number}".strip() if node.number else node.label or kind


def captions(paper: PaperGraph, node: Node) -> tuple[Node, ...]:
    """The captions that describe a float, in reading order."""
    return tuple(paper.nodes[iri] for iri in paper.sources(node.iri, KAG.describes))


def distinct(paper: PaperGraph, iris: Iterable[str]) -> list[str]:
    """Floats in reading order, one for each name: a figure in several pictures is one figure."""
    found: dict[str, str] = {}
    for node in sorted((paper.nodes[iri] for iri in iris), key=lambda node: (node.order, node.iri)):
        found.setdefault(called(paper, node) if node.number else node.iri, node.iri)
    return list(found.values())


def captioned(paper: PaperGraph, kind: str) -> list[Node]:
    """Return the floats of a kind with a number or a caption; a bare picture is not a figure of the paper."""
    nodes = [paper.nodes[iri] for iri in distinct(paper, (node.iri for node in paper.of_kind(KINDS[kind])))]
    named = [node for node in nodes if node.number or captions(paper, node) or kind == "equation"]
    numbered = [node for node in named if node.number] if kind == "equation" else []
    return [node for node in (numbered or named) if not _SUPPLEMENT.search(_shown_label(paper, node))]


def _shown_label(paper: PaperGraph, node: Node) -> str:
    first = next(iter(captions(paper, node)), None)
    match = _FLOAT_LABEL.match(first.plain) if first else None
    return f"{node.label} {match[0] if match else ''}"


def place_of(paper: PaperGraph, node: Node) -> Evidence | None:
    """Return the quotable node of a float: its caption, else its own text."""
    first = next(iter(captions(paper, node)), node)
    return mark(paper, first.iri)


def without_label(caption: Node) -> str:
    """Return a caption's text behind its label."""
    return _FLOAT_LABEL.sub("", caption.plain, count=1).strip()


def is_person(author: str, asked: str) -> bool:
    """Whether an author ("Family, Given" or "Given Family") is who is asked for, by family name and initials.

    >>> is_person("Kay, Ada B", "A. Kay"), is_person("Kay, Ada B", "Kay"), is_person("Kay, Ada B", "B. Kay")
    (True, True, False)
    """
    family, _, given = author.partition(",") if "," in author else (author.split()[-1], "", author.rpartition(" ")[0])
    names, wanted = key_words(family), key_words(asked)
    size = len(names)
    if not names or names not in (wanted[:size], wanted[-size:]):
        return False
    words = re.findall(r"[^\W\d_]+", asked.replace("'", ""))
    rest = words[:-size] if names == wanted[-size:] else words[size:]
    return _initials(re.findall(r"[^\W\d_]+", given)).startswith(_initials(rest))


def key_words(name: str) -> list[str]:
    """The words of a name, evened out."""
    return [key(word) for word in re.findall(r"[^\W\d_]+", name.replace("'", "").replace("’", ""))]


def _initials(words: list[str]) -> str:
    """The first letters of given names; "AB" is two of them."""
    return "".join(word if word.isupper() and len(word) < 4 else word[:1].upper() for word in words)
