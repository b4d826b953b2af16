"""The front matter's data: keywords, affiliations, dates, licence, addresses."""

from __future__ import annotations

import re
from typing import Any

from kag.core.evidence import Evidence
from kag.qa.exact.facts import Found, Item, counting, listing, stating
from kag.qa.exact.labels import is_person
from kag.qa.paper import Node, PaperGraph
from kag.qa.questions.structured_query import Condition, Query
from kag.qa.quote import cuts_word, evidence, find_quote
from kag.rdf.namespaces import KAG
from kag.text.plain import plain

_LISTS = {
    "keywords": "The keywords are:",
    "affiliations": "The authors' affiliations are:",
    "emails": "The addresses are:",
}
_EVENT = re.compile(
    r"\b(?:received|submitted|revised|accepted|published|available)(?:\s(?:online|on|in|date|version|revised|form))*"
    r"\s?[:,]?\s?",
    re.I,
)
_CORRESPONDENCE = re.compile(
    r"\b(?:corresponding authors?|correspondence)(?: (?:to|address|should be (?:addressed|sent) to))?\s?[:–—]?\s"
    r"(?P<who>[^\n]{3,200})",
    re.I,
)
_LONGEST_DATE = 40  # characters
_FIRST = 80  # nodes that may be front matter


_GET = {"affiliation": "affiliations", "email": "emails", "correspondence": "correspondence", "licence": "licence"}
_DATES = ("submitted", "received", "accepted", "revised", "published")


def is_front(query: Query) -> bool:
    """Whether a query is for what only the record of the front matter has."""
    if query.kind == "author" and query.get == ("affiliation",):
        return True
    return query.kind == "keyword" or (query.kind == "paper" and any(name in (*_GET, *_DATES) for name in query.get))


def tell_front(query: Query, paper: PaperGraph) -> Found | None:
    """Return a fact of the front matter as printed; None if the pages have no readable one."""
    if query.kind == "author":
        return _affiliations_of(query, paper)
    if query.where or query.order or query.place or len(query.get) > 1 or query.ask not in ("list", "count"):
        return None
    if query.kind == "keyword":
        return _list(paper, "keywords", counted=query.ask == "count")
    if query.ask == "count":
        return None
    name = query.get[0]
    if name in _DATES:
        return _date(paper, "submitted" if name == "received" else name)
    if _GET[name] in _LISTS:
        return _list(paper, _GET[name])
    return _correspondence(paper) if name == "correspondence" else _licence(paper)


FRONT = {
    "authors?": [{"name?": str, "affiliations?": [str]}],
    "keywords?": [str],
    "affiliations?": [str],
    "emails?": [str],
    "dates?": dict,
    "licence?": str,
}
"""What answers look at in the record of the front matter."""


def record(paper: PaperGraph) -> dict[str, Any]:
    """Return the front matter of a graph; empty if it has none."""
    ref = paper.graph.value(paper.document, str(KAG.hasContentRef))
    if ref not in paper.content or paper.content[ref].kind != "front_matter":
        return {}
    stored: dict[str, Any] = paper.content.data(ref, FRONT)
    return stored


def _front(paper: PaperGraph) -> list[Node]:
    return [node for node in paper.nodes.values() if node.text][:_FIRST]


def _list(paper: PaperGraph, what: str, *, counted: bool = False) -> Found | None:
    values = [str(value) for value in record(paper).get(what, ())]
    places = {value: _printed(paper, value) for value in values}
    items = [Item(value, (place,)) for value, place in places.items() if place]
    if not items or len(items) < len(values):
        return None
    if counted:
        return counting("The paper has", what.removesuffix("s"), [item.evidence[0] for item in items], what)
    return listing(_LISTS[what], items, what)


def _affiliations_of(query: Query, paper: PaperGraph) -> Found | None:
    """The affiliations of one author, who is named or at a place in the list."""
    people = record(paper).get("authors", ())
    name = query.where[0].name if query.where and isinstance(query.where[0], Condition) else None
    if name is not None:
        people = [person for person in people if is_person(str(person.get("name", "")), name.text)]
    elif query.place is not None:
        at = query.place.at - 1 if query.place.at > 0 else query.place.at
        people = people[at:][:1]
    found = [str(value) for person in people[:1] for value in person.get("affiliations", ())]
    places = [place for value in found if (place := _printed(paper, value))]
    if len(people) != 1 or not found or len(places) < len(found) or any(map(_is_cut, found)):
        return None
    who = str(people[0]["name"])
    own = _printed(paper, who)
    return listing(f"The affiliations of {who} are:" if len(found) > 1 else f"The affiliation of {who} is:",
                   [Item(value, (place,)) for value, place in zip(found, places, strict=True)], "affiliations",
                   own=[own] if own else ())  # fmt: skip


def _is_cut(affiliation: str) -> bool:
    """Whether an affiliation was not read whole, or with something else: an open bracket, an address."""
    return affiliation.count("(") != affiliation.count(")") or "mail" in affiliation or not affiliation[:1].isupper()


def _printed(paper: PaperGraph, value: str) -> Evidence | None:
    """Return the place at which the first pages print a value, preferably as whole words."""
    cut = None
    for node in _front(paper):
        span = find_quote(node.text, value)
        if span and not cuts_word(node.text, *span):
            return evidence(paper, node.iri, *span)
        cut = cut or (span and evidence(paper, node.iri, *span))
    return cut


def _date(paper: PaperGraph, event: str) -> Found | None:
    wanted = record(paper).get("dates", {}).get(event)
    for node in _front(paper) if wanted else ():
        for match in _EVENT.finditer(node.text):
            end = _end(node.text, match, {event: str(wanted)})
            if end:
                place = evidence(paper, node.iri, match.start(), end)
                value = " ".join(node.text[match.end() : end].split())
                return stating(f"The paper was {match[0].split()[0].lower().rstrip(':,')}: {value}.", value, [place])
    return None


def _end(text: str, match: re.Match[str], wanted: dict[str, str]) -> int:
    """Return the end of the date behind the words of an event, by the shortest complete reading; 0 for none."""
    from kag.indexing.enrich.front_record import dates  # it loads the models of the write side

    ends = range(match.end() + 1, min(len(text), match.end() + _LONGEST_DATE) + 1)
    return next(
        (end for end in ends if dates(text[match.start() : end]) == wanted and not text[end : end + 1].isalnum()), 0
    )


def _licence(paper: PaperGraph) -> Found | None:
    """The notice that names the licence, as it is printed."""
    from kag.indexing.enrich.front_record import licence

    stated = record(paper).get("licence")
    notice = next((node for node in _front(paper) if stated and licence(node.text) == stated), None)
    return stating(notice.plain, notice.plain, [evidence(paper, notice.iri)]) if notice else None


def _correspondence(paper: PaperGraph) -> Found | None:
    """Return the corresponding author, as printed in the note: it has to contain a name or an address."""
    from kag.indexing.enrich.front_record import MAX_NOTICE

    for node in (node for node in _front(paper) if node.kind != "SectionTitle"):
        match = _CORRESPONDENCE.search(node.text) if len(node.text) <= MAX_NOTICE else None
        if match and ("@" in match["who"] or match["who"][0].isupper()):
            place = evidence(paper, node.iri, *match.span())
            return stating(plain(place.quote), plain(match["who"]).strip(), [place])
    return None
