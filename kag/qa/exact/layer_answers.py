"""Answers about properties: of one thing as a sentence, of several as a list."""

from __future__ import annotations

from collections.abc import Callable

from kag.core.evidence import Claim, Evidence
from kag.qa.exact.evaluate import Evaluator, Selection
from kag.qa.exact.facts import Found, Item, heading, listing, marks, nothing, sentence, stating
from kag.qa.exact.labels import calls, numbered, place_of, without_label
from kag.qa.exact.properties import STATED, has_sign, stated
from kag.qa.exact.resolve import UNSURE, Undecided
from kag.qa.exact.showing import Showing, name_of
from kag.qa.exact.things import FLOATS, Thing, Things, caption_nodes
from kag.qa.paper import Node, PaperGraph
from kag.qa.questions.structured_query import Query
from kag.qa.quote import beginning, evidence, find_quote
from kag.rdf.namespaces import PRISM
from kag.text.plain import plain

_VERBS = {  # what is searched, how it is said
    "title": ("title", "The title of {name} is {value}."),
    "year": ("year", "{name} is from {value}."),
    "doi": ("DOI", "The DOI of {name} is {value}."),
    "journal": ("journal", "{name} is in {value}."),
    "volume": ("volume", "{name} is in volume {value}."),
    "pages": ("pages", "{name} is on pages {value}."),
    "author": ("authors", ""),
}


def properties_answer(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """The properties that a query asks of its things; raises `Undecided` for one that such things do not have."""
    if not selection.things:
        return nothing(f"{query.kind}s that fit the question")
    parts = [_one_property(query, evaluator, selection, name) for name in query.get]
    if any(part is None for part in parts):
        return None
    whole = [part for part in parts if part]
    claims = tuple(dict.fromkeys(claim for part in whole for claim in part.claims))
    answer = next((part for part in whole if part.claims), whole[0])
    return Found(claims, answer.value, tuple(search for part in whole for search in part.searches))


def _one_property(query: Query, evaluator: Evaluator, selection: Selection, name: str) -> Found | None:
    answers = [
        _of_thing(evaluator, thing, name, selection, alone=len(selection.things) == 1) for thing in selection.things
    ]
    if len(answers) == 1 or any(part is None for part in answers):
        return answers[0] if len(answers) == 1 else None
    return _several(answers, name, selection.sure)


def _several(answers: list[Found | None], name: str, sure: float) -> Found:
    """A property of several things: one item each; not sure where one of them does not say it."""
    items: list[Item] = []
    for part in answers:
        for claim in part.claims if part else ():
            values = part.value if part and isinstance(part.value, list) else [str(part.value)] if part else []
            items += [Item(value, _carrying(value, claim.evidence)) for value in values]
    silent = any(part is None or not part.claims for part in answers)
    values = list(dict.fromkeys(item.text for item in items))
    lead = "Numbers:" if name == "number" else "Found:"  # a count says "Found:", too
    return listing(lead, items, f"{name} of what fits the question", values=values,
                   confidence=UNSURE if silent else sure)  # fmt: skip


def _carrying(value: str, places: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The places but for the years that only stood for a name."""
    return tuple(place for place in places if place.quote == value or not place.quote.isdigit())


def _of_thing(evaluator: Evaluator, thing: Thing, name: str, selection: Selection, *, alone: bool) -> Found | None:
    reader = _READERS.get((thing.kind, name)) or _READERS.get(("float" if thing.kind in FLOATS else thing.kind, name))
    if reader is None:
        raise Undecided(f"{name} of a {thing.kind}")
    given = reader(evaluator, thing, name)
    if selection.sure == 1.0 or given is None:
        return given
    claims = tuple(
        Claim(claim.text, claim.evidence, min(claim.confidence, selection.sure), claim.count) for claim in given.claims
    )
    return Found(claims, given.value, given.searches)


# references -----------------------------------------------------------------------------------------


def _entry(evaluator: Evaluator, thing: Thing, name: str) -> Found | None:
    """One property of an entry."""
    things, paper = evaluator.things, evaluator.paper
    called, entry = name_of(things, thing), things.node(thing)
    words, verb = _VERBS[name]
    value = _pages(paper, entry) if name == "pages" else stated(things, thing, name)
    if not value and has_sign(things, thing, name):
        return None  # printed, and not read
    if not value:
        return nothing(f"{words} of {called}")
    if name == "author":
        items = [Item(author.words, (evidence(paper, entry.iri),)) for author in things.authors_of(thing)]
        return listing(f"The authors of {called} are:", items, called)
    places = (evidence(paper, entry.iri),) if name == "pages" else _places(things, thing, called, value)
    return stating(verb.format(name=called, value=value), value, places)


def _pages(paper: PaperGraph, entry: Node) -> str:
    first, last = (paper.graph.value(entry.iri, str(term)) for term in (PRISM.startingPage, PRISM.endingPage))
    return f"{first}–{last}" if first and last else first


def _places(things: Things, thing: Thing, name: str, value: str) -> list[Evidence]:
    """Return the places of an entry's value next to its name: its beginning, and the year in its name."""
    paper, entry, year = things.paper, things.node(thing), stated(things, thing, "year")
    wanted = [value, year] if year and year != value and year in name else [value]
    spans = [find_quote(entry.text, words) for words in wanted]
    found = [evidence(paper, entry.iri, *span) for span in spans if span]
    return [*(found if spans[0] else [evidence(paper, entry.iri)]), *marks(paper, [entry.iri])]


def _text(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    """The entry as it is printed."""
    text = " ".join(evaluator.things.node(thing).plain.split())
    name = name_of(evaluator.things, thing)
    return stating(f"{name}: {sentence(text)}", text, (evidence(evaluator.paper, thing.iri),))


def _number(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    """The number that an entry or a float is printed with; entries of a list without numbers have none."""
    paper, node = evaluator.paper, evaluator.things.node(thing)
    if thing.kind == "reference" and not numbered(paper):
        raise Undecided("number")
    name = f"Reference {calls(paper, node)}" if thing.kind == "reference" else name_of(evaluator.things, thing)
    place = beginning(paper, node.iri) if thing.kind == "reference" else place_of(paper, node)
    return stating(f"Found: {name[0].lower()}{name[1:]}.", node.number, (place,)) if place and node.number else None


# sections and floats --------------------------------------------------------------------------------


def _page(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    """Return the page on which a section begins or a float is printed."""
    name, page = name_of(evaluator.things, thing), evaluator.links.page(thing)
    if thing.kind == "section":
        places = heading(evaluator.paper, evaluator.things.section(thing))
        return stating(f"{name} begins on page {page}.", page, places)
    place = place_of(evaluator.paper, evaluator.things.node(thing))
    return stating(f"{name} is on page {page}.", page, (place,)) if place else nothing(f"page of {name}")


def _heading(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    title = evaluator.things.section(thing).title
    return stating(f"Found: {sentence(title)}", title, heading(evaluator.paper, evaluator.things.section(thing)))


def _parent(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    """Return the section that directly contains a section or a float."""
    things, section = evaluator.things, evaluator.paper.section_of(thing.iri)
    above = evaluator.paper.sections.get(section.parent) if section and thing.kind == "section" else section
    name = name_of(things, thing)
    if above is None or above.synthetic:
        return nothing(f"section that contains {name}")
    own = heading(evaluator.paper, things.section(thing)) if thing.kind == "section" else ()
    places = (*heading(evaluator.paper, above), *own)
    return stating(f"{name} is in the section {above.title}.", above.title, places)


def _caption(evaluator: Evaluator, thing: Thing, _: str) -> Found | None:
    """Return the captions of a float; a formula is its own."""
    paper, name = evaluator.paper, name_of(evaluator.things, thing)
    nodes = caption_nodes(paper, evaluator.things.parts(thing))
    words = " ".join(filter(None, (without_label(caption) for caption in nodes)))
    if words:
        places = tuple(evidence(paper, caption.iri) for caption in nodes)
        return Found((Claim(f"{name}: {sentence(words)}", places),), words)
    if thing.kind == "formula" and not nodes:
        text = plain(evaluator.things.node(thing).text)
        return stating(f"{name}: {text}", text, (evidence(paper, thing.iri),))
    return nothing(f"caption of {name}")


# the paper, and what has no properties but its name ---------------------------------------------------


def _of_paper(evaluator: Evaluator, thing: Thing, name: str) -> Found | None:
    """The paper's title, DOI, year or journal with the first printed node that has it."""
    paper = evaluator.paper
    values = (paper.title,) if name == "title" else paper.graph.values(paper.document, str(STATED[name]))
    for value in filter(None, values):
        for node in list(paper.nodes.values())[:60]:
            span = (0, len(node.text)) if node.plain == value else find_quote(node.text, value)
            if span:
                words = "DOI" if name == "doi" else name
                return stating(f"The {words} of the paper is {value}.", value, (evidence(paper, node.iri, *span),))
    return None


def _creators(evaluator: Evaluator, thing: Thing, name: str) -> Found | None:
    selection = Selection(evaluator.things.all("author"))
    items = [Showing(evaluator, Query("author"), selection).item(one) for one in selection.things]
    return listing("The authors of the paper are:", items, "authors") if items else None


_READERS: dict[tuple[str, str], Callable[[Evaluator, Thing, str], Found | None]] = {
    **{("reference", name): _entry for name in _VERBS},
    ("reference", "text"): _text,
    ("reference", "number"): _number,
    ("float", "number"): _number,
    ("section", "page"): _page,
    ("float", "page"): _page,
    ("section", "title"): _heading,
    ("section", "parent"): _parent,
    ("float", "parent"): _parent,
    **{("float", name): _caption for name in ("caption", "title", "text")},
    **{("paper", name): _of_paper for name in ("title", "doi", "year", "journal")},
    ("paper", "author"): _creators,
}
