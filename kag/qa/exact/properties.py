"""Properties of a paper's parts: title, year, authors, length, ..., and where they are printed.

A property that the paper does not print is told apart from one that was not read: an entry whose text has the name
that is asked for, but no list of authors, cannot say whether that is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kag.indexing.enrich.sections import title_types
from kag.qa.exact.facts import is_text
from kag.qa.exact.labels import bare, is_person, key, key_words
from kag.qa.exact.resolve import PLAIN
from kag.qa.exact.things import FLOATS, Thing, Things, caption_nodes
from kag.qa.questions.structured_query import Condition, Name
from kag.rdf.namespaces import DCTERMS, FABIO, KAG, PRISM
from kag.text.words import tokens

CUT = re.compile(r"\bet\.? ?al\b|\band others\b|…|\.\.\.")  # a list of authors that does not name them all
STATED = {
    "title": DCTERMS.title,
    "year": FABIO.hasPublicationYear,
    "doi": PRISM.doi,
    "journal": PRISM.publicationName,
    "volume": PRISM.volume,
    "pages": PRISM.startingPage,
    "author": KAG.authorList,
    "number": KAG.citationNumber,
}
SMALL = frozenset(["a", "an", "and", "de", "der", "des", "et", "for", "in", "la", "of", "on", "the", "und"])
_SIGNS = {  # what an entry prints that may be a property that was not read
    "year": re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b"),
    "doi": re.compile(r"\b10\.\d{4,}/"),
    "volume": re.compile(r"\d+\s*(?:\(\d+\))?\s*[:;,]\s*\w?\d+"),
    "pages": re.compile(r"\d\s*[-–]+\s*\w?\d"),
}


def stated(things: Things, thing: Thing, name: str) -> str:
    """A property of an entry as the graph states it; "" for none."""
    return things.paper.graph.value(thing.iri, str(STATED[name])) if name in STATED else ""


def title_of(things: Things, thing: Thing) -> str:
    """The title, heading or caption of a thing; "" for one that has none."""
    if thing.kind == "section":
        return things.section(thing).title
    if thing.kind == "reference":
        return stated(things, thing, "title")
    if thing.kind in FLOATS:
        return " ".join(caption.plain for caption in caption_nodes(things.paper, things.parts(thing)))
    return things.paper.title if thing.kind == "paper" else thing.words


def text_of(things: Things, thing: Thing) -> str:
    """All that a thing prints."""
    paper = things.paper
    if thing.kind == "section":
        return " ".join(paper.nodes[iri].plain for iri in paper.within(thing.iri))
    if thing.kind == "paragraph":
        return " ".join(paper.nodes[iri].plain for iri in paper.chain_of(thing.iri))
    if thing.kind in FLOATS:
        return " ".join([title_of(things, thing), *(node.plain for node in things.parts(thing))])
    return paper.nodes[thing.iri].plain if thing.iri in paper.nodes and not thing.words else thing.words


def year_of(things: Things, thing: Thing) -> int | None:
    """The year of an entry; None where none was read."""
    year = stated(things, thing, "year")
    return int(year) if year.isdecimal() else None


def depth_of(things: Things, thing: Thing) -> int | None:
    """Return the depth of a section, 1 for the top level."""
    return things.section(thing).depth if thing.kind == "section" else None


def number_of(things: Things, thing: Thing) -> int | None:
    """Return the whole number of a thing's label; None without one."""
    if thing.kind == "page":
        return thing.part[0]
    printed = things.section(thing).number if thing.kind == "section" else things.node(thing).number
    return int(printed) if printed.isdecimal() else None


def length_of(things: Things, thing: Thing) -> int:
    """Return the length in characters: for a section the running text of it and its subsections, for others their
    text."""
    paper = things.paper
    if thing.kind == "section":
        return sum(len(paper.nodes[iri].text) for iri in paper.within(thing.iri) if is_text(paper, iri))
    if thing.kind == "paragraph":
        return sum(len(paper.nodes[iri].text) for iri in paper.chain_of(thing.iri))
    return len(text_of(things, thing))


MEASURES: dict[str, Callable[[Things, Thing], int | None]] = {
    "year": year_of,
    "depth": depth_of,
    "number": number_of,
    "length": length_of,
}


def is_so(things: Things, thing: Thing, condition: Condition) -> bool | None:
    """Whether a property satisfies a condition; None if the paper does not state it."""
    if condition.relation in MEASURES:
        value = MEASURES[condition.relation](things, thing)
        return None if value is None else condition.low <= value <= condition.high
    return _BY_WORDS[condition.relation](things, thing, condition.name or Name(""))


def _in_title(things: Things, thing: Thing, name: Name) -> bool | None:
    title = title_of(things, thing)
    if thing.kind == "reference" and not title:
        return None if _says(things.node(thing).plain, name) else False
    return _says(title, name)


def _in_text(things: Things, thing: Thing, name: Name) -> bool | None:
    return _says(text_of(things, thing), name)


def _says(text: str, name: Name) -> bool:
    """Whether a text has the words of a name: one after another where it is put as a title, else in any order."""
    if name.way == "words":
        wanted = {token.text for token in tokens(name.text, stem=True)} - PLAIN
        return bool(wanted) and wanted <= {token.text for token in tokens(text, stem=True)}
    words, wanted_words = (re.findall(r"\w+", each.casefold()) for each in (text, name.text))
    size = len(wanted_words)
    return size > 0 and any(words[at : at + size] == wanted_words for at in range(len(words) - size + 1))


def _has_role(things: Things, thing: Thing, name: Name) -> bool | None:
    types = {str(cls).rpartition("/")[2] for cls in title_types(name.text)}
    if not types or thing.kind != "section":
        return None
    return types <= set(things.section(thing).types) or key(bare(things.section(thing).title)) == key(name.text)


def _in_venue(things: Things, thing: Thing, name: Name) -> bool | None:
    journal = stated(things, thing, "journal")
    if journal:
        return is_journal(journal, name.text)
    return None if key(name.text) in key(things.node(thing).plain) else False


def is_journal(printed: str, name: str) -> bool:
    """Whether a printed journal is the one of a name, either abbreviated."""
    return key(printed) == key(name) or is_short_for(printed, name) or is_short_for(name, printed)


def is_short_for(short: str, name: str) -> bool:
    """Whether a title is a journal's abbreviated one (ISO 4): small words left out, each other word cut or contracted.

    >>> is_short_for("Proc. Natl. Acad. Sci.", "Proceedings of the National Academy of Sciences")
    True
    """
    texts = (short.casefold(), name.casefold())
    cut, whole = ([word for word in re.findall(r"\w+", text) if word not in SMALL] for text in texts)
    return len(cut) == len(whole) > 1 and all(map(_is_cut, cut, whole))


def _is_cut(short: str, word: str) -> bool:
    letters = iter(word)
    return short[0] == word[0] and all(letter in letters for letter in short)


def _by(things: Things, thing: Thing, name: Name) -> bool | None:
    listed = authors(things, thing)
    if any(is_person(author, name.text) for author in listed):
        return True
    whole = is_whole_list(things, thing)
    longest = max(key_words(name.text), key=len, default="")
    return False if whole or longest not in key_words(things.node(thing).plain) else None


def _first_by(things: Things, thing: Thing, name: Name) -> bool | None:
    listed = authors(things, thing)
    return is_person(listed[0], name.text) if listed else None


def _has(things: Things, thing: Thing, name: Name) -> bool | None:
    """Whether a thing states a property; None if it prints an unread candidate."""
    what = name.text.casefold()
    if what in ("caption", "title") and thing.kind != "reference":
        return bool(title_of(things, thing))
    if what == "number" and thing.kind != "reference":
        return bool(things.section(thing).number if thing.kind == "section" else things.node(thing).number)
    if thing.kind != "reference" or what not in STATED:
        return None
    if stated(things, thing, what):
        return True
    return None if what not in _SIGNS or has_sign(things, thing, what) else False


def has_sign(things: Things, thing: Thing, name: str) -> bool:
    """Whether an entry prints what may be a property that was not read."""
    return name in _SIGNS and bool(_SIGNS[name].search(things.node(thing).plain))


_BY_WORDS: dict[str, Callable[[Things, Thing, Name], bool | None]] = {
    "title": _in_title,
    "text": _in_text,
    "role": _has_role,
    "venue": _in_venue,
    "author": _by,
    "first author": _first_by,
    "has": _has,
}
PROPERTIES = frozenset([*MEASURES, *_BY_WORDS]) - {"length"}


def authors(things: Things, thing: Thing) -> list[str]:
    """The authors that an entry, or the paper, names."""
    found = things.authors_of(thing) if thing.kind == "reference" else things.all("author")
    return [author.words for author in found]


def is_whole_list(things: Things, thing: Thing) -> bool:
    """Whether all authors of an entry are known."""
    return bool(authors(things, thing)) and not CUT.search(things.node(thing).text)
