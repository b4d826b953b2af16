"""Answers on the reference list: how long it is, what an entry says, which entries an author or a year has."""

from __future__ import annotations

import re
from collections.abc import Callable

from kag.rdf.namespaces import DCTERMS, FABIO, KAG, PRISM
from kag.read.exact import naming, wording
from kag.read.exact.facts import Found, Item, counting, listing, marks, nothing, quoted, sentence, stating
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import label, works
from kag.read.paper import Node, Paper
from kag.read.quote import beginning, evidence, find_quote
from kag.values.evidence import Evidence

_PROPERTIES = {  # what is searched, how it is said, where it stands
    "title": ("title", "The title of {name} is {value}.", DCTERMS.title),
    "year": ("year", "{name} is from {value}.", FABIO.hasPublicationYear),
    "doi": ("DOI", "The DOI of {name} is {value}.", PRISM.doi),
    "journal": ("journal", "{name} is in {value}.", PRISM.publicationName),
    "volume": ("volume", "{name} is in volume {value}.", PRISM.volume),
    "author": ("authors", "", KAG.authorList),
}

_CUT = re.compile(r"\bet\.? ?al\b|\band others\b|…|\.\.\.")  # a list of authors that does not name them all


def numbered(paper: Paper) -> bool:
    """Whether the paper cites by number: most of its call-outs have no letters, or its entries print their number."""
    surfaces = [
        mention.surface for host, found in paper.mentions.items() for mention in found if _cites(paper, mention.targets)
    ]
    if surfaces:
        lettered = sum(any(char.isalpha() for char in surface.replace("mathrm", "")) for surface in surfaces)
        return 2 * lettered < len(surfaces)
    entries = list(paper.references.values())[:10]
    return any(entry.text.lstrip("[( ").startswith(entry.number) for entry in entries) or not entries


def _cites(paper: Paper, targets: tuple[str, ...]) -> bool:
    return any(paper.nodes[target].kind == "BibliographicReference" for target in targets if target in paper.nodes)


def calls(paper: Paper, entry: Node) -> str:
    """What the paper calls an entry: its number, or "Kay et al. 1999" where entries are not numbered."""
    return entry.number if numbered(paper) else label(paper, entry) or entry.number


def about_paper(intent: Intent, paper: Paper) -> Found | None:
    """The length of the reference list, or its entries."""
    entries = list(paper.references.values())
    if intent.ask == "count":
        places = marks(paper, (entry.iri for entry in entries))
        return counting("The reference list has", "entry", places, "reference list")
    entries = entries[: intent.limit] if intent.limit else entries
    items = [_item(paper, entry) for entry in entries]
    return listing("The references are:" if not intent.limit else "The first references are:", items, "reference list")


def _item(paper: Paper, entry: Node) -> Item:
    """An entry by number and title, as far as it has one."""
    title = paper.graph.value(entry.iri, str(DCTERMS.title))
    place = quoted(paper, entry.iri, title) if title else beginning(paper, entry.iri)
    words = title if title and place.quote else place.quote
    return Item(f"[{entry.number}] {' '.join(words.split())}", (place,))


def about_work(intent: Intent, paper: Paper) -> Found | None:
    """One property of a cited work, or its entry."""
    assert intent.anchor is not None
    found = works(paper, intent.anchor)
    if not found:
        return nothing(f"reference {intent.anchor.text}") if intent.anchor.sub in ("number", "label") else None
    if len(found) > 1:
        return None
    entry = found[0]
    name = f"Reference {entry.number}" if numbered(paper) else label(paper, entry)
    if intent.subject == "entry":
        text = " ".join(entry.plain.split())
        return stating(f"{name}: {sentence(text)}", text, (evidence(paper, entry.iri),))
    if intent.subject == "pages":
        return _pages(paper, entry, name)
    words, said, term = _PROPERTIES[intent.subject]
    value = paper.graph.value(entry.iri, str(term))
    if not value:
        return nothing(f"{words} of {name}")
    if intent.subject == "author":
        return _authors(intent, paper, entry, name, [author.strip() for author in value.split(";") if author.strip()])
    return stating(said.format(name=name, value=value), value, _places(paper, entry, name, value))


def _places(paper: Paper, entry: Node, name: str, value: str) -> list[Evidence]:
    """Where an entry has a value, beside the words that name the entry: its beginning, and the year in its name."""
    year = paper.graph.value(entry.iri, str(FABIO.hasPublicationYear))
    wanted = [value, year] if year and year != value and year in name else [value]
    spans = [find_quote(entry.text, words) for words in wanted]
    found = [evidence(paper, entry.iri, *span) for span in spans if span]
    return [*(found if spans[0] else [evidence(paper, entry.iri)]), *marks(paper, [entry.iri])]


def _authors(intent: Intent, paper: Paper, entry: Node, name: str, authors: list[str]) -> Found:
    if intent.ask == "count":
        return nothing(f"number of authors of {name}")
    items = [Item(author, (evidence(paper, entry.iri),)) for author in authors]
    chosen = wording.place_of_author(intent.words)
    if chosen:
        return _one_author(items, chosen, name, whole=not _CUT.search(entry.text))
    return listing(f"The authors of {name} are:", items, name)


def _pages(paper: Paper, entry: Node, name: str) -> Found:
    first, last = (paper.graph.value(entry.iri, str(term)) for term in (PRISM.startingPage, PRISM.endingPage))
    if not first:
        return nothing(f"pages of {name}")
    value = f"{first}–{last}" if last else first
    return stating(f"{name} is on pages {value}.", value, (evidence(paper, entry.iri),))


def paper_property(intent: Intent, paper: Paper) -> Found | None:
    """The title, authors, year, DOI or journal of the paper itself, where a page prints it."""
    readers: dict[str, Callable[[], Found | None]] = {
        "paper title": lambda: _front(paper, "title", [paper.title] if paper.title else []),
        "paper author": lambda: _creators(intent, paper),
        "paper doi": lambda: _front(paper, "DOI", list(paper.graph.values(paper.document, str(PRISM.doi)))),
        "paper year": lambda: _front(
            paper, "year", list(paper.graph.values(paper.document, str(FABIO.hasPublicationYear)))
        ),
        "paper journal": lambda: _front(
            paper, "journal", list(paper.graph.values(paper.document, str(PRISM.publicationName)))
        ),
    }
    reader = readers.get(intent.subject)
    return reader() if reader else None


def _front(paper: Paper, words: str, values: list[str]) -> Found | None:
    """A value of the paper with the first printed node that has it."""
    for value in values:
        for node in list(paper.nodes.values())[:60]:
            span = (0, len(node.text)) if node.plain == value else find_quote(node.text, value)
            if span:
                return stating(f"The {words} of the paper is {value}.", value, (evidence(paper, node.iri, *span),))
    return None


def _creators(intent: Intent, paper: Paper) -> Found | None:
    """The authors in the order in which the line of authors names them."""
    creators = paper.graph.values(paper.document, str(DCTERMS.creator))
    placed: list[tuple[int, int, str, Evidence]] = []
    for creator in creators:
        for node in paper.of_kind("ListOfAuthors"):
            place = quoted(paper, node.iri, creator)
            if place.quote and creator.split()[-1].casefold() in place.quote.casefold():
                placed.append((node.order, place.start, creator, place))
                break
    if not placed or len(placed) < len(creators):
        return None
    placed.sort(key=lambda row: row[:3])
    items = [Item(row[2], (row[3],)) for row in placed]
    if intent.ask == "count":
        return counting("The paper has", "author", [row[3] for row in placed], "authors")
    chosen = wording.place_of_author(intent.words)
    if chosen:
        return _one_author(items, chosen, "the paper")
    return listing("The authors of the paper are:", items, "authors")


def _one_author(items: list[Item], place: str, name: str, *, whole: bool = True) -> Found:
    """The author at a place; a list that ends in "et al." (not `whole`) does not tell the last."""
    at = -1 if place == "last" else naming.ORDINALS.index(place)
    if not -1 <= at < len(items) or (at < 0 and not whole):
        return nothing(f"{place} author of {name}")
    return stating(sentence(f"The {place} author of {name} is {items[at].text}"), items[at].text, items[at].evidence)
