"""What queries are made of: properties of a thing, whether there is one, what a thing is divided into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from kag.qa.questions.links import CITED, FLOATS, Fact, Thing, narrowed
from kag.qa.questions.structured_query import MANY, Condition, Place, Query

Queries = tuple[Query, ...]
_REFERENCE = frozenset({"title", "year", "doi", "journal", "volume", "pages", "author", "number", "text", "page"})
_KNOWN: dict[str, frozenset[str]] = {
    "reference": _REFERENCE,
    "work": _REFERENCE,
    "paper": _REFERENCE - {"number", "text", "page"},
    "section": frozenset({"title", "page", "number"}),
    "paragraph": frozenset({"page", "text"}),
    "row": frozenset({"title"}),
    "column": frozenset({"title", "unit"}),
    "author": frozenset({"title"}),
    "keyword": frozenset({"title"}),
    "journal": frozenset({"title"}),
} | dict.fromkeys(FLOATS, frozenset({"title", "caption", "page", "number"}))
_TITLES = frozenset({"section", "author", "keyword", "row", "column", "journal"})


def tells(thing: Thing, names: tuple[str, ...]) -> bool:
    """Whether a thing has these properties."""
    kind = "paper" if thing.own else thing.query.kind
    return set(names) <= _KNOWN.get(kind, frozenset()) and (thing.own or thing.simple) and not thing.query.get


def get(thing: Thing, names: tuple[str, ...]) -> Queries | None:
    """The properties of a thing; the title of a section is the section, that of a float its caption."""
    if not tells(thing, names):
        return None
    query = Query("paper") if thing.own else thing.query
    properties = tuple("caption" if name == "title" and query.kind in FLOATS else name for name in names)
    if properties == ("author",):
        return authors(thing)
    return (query,) if properties == ("title",) and query.kind in _TITLES else (replace(query, get=properties),)


def of_every_work(query: Query) -> bool:
    """Whether it asks something of all works that a library cites: "each paper" is one of the library."""
    return query.kind == "work" and bool(query.get) and not (query.where or query.place)


def authors(thing: Thing) -> Queries | None:
    if not tells(thing, ("author",)):
        return None
    own = thing.own or thing.query == Query("paper")
    return (Query("author", () if own else (Condition("in", thing.query),)),)


def caption(thing: Thing) -> Queries | None:
    """Return the query for the caption of a figure or table, or for the formula."""
    return (
        (replace(thing.query, get=("caption",)),)
        if thing.query.kind in FLOATS and thing.definite and thing.simple
        else None
    )


def entry(thing: Thing) -> Queries | None:
    """A cited work that is named, as the list has it."""
    return (
        (replace(thing.query, get=("text",)),) if thing.query.kind in CITED and thing.named and thing.simple else None
    )


def split_up(thing: Thing, ask: Literal["list", "count"] = "list") -> Queries | None:
    """Return the query for the parts of the paper or of a section."""
    if thing.own:
        return (Query("section", (Condition("depth", low=1, high=1),), ask=ask),)
    named = thing.query.kind == "section" and thing.definite and thing.simple
    return (Query("section", (Condition("in", thing.query, direct=True),), ask=ask),) if named else None


def there(thing: Thing) -> Queries | None:
    """Whether the paper has such a thing, or so many of it."""
    if thing.most or thing.only or thing.each or thing.own:
        return None
    if thing.simple:
        return (replace(thing.query, ask="whether"),)
    held = Condition("holds", thing.query, None, thing.low, thing.high)
    return None if thing.named else (Query("paper", (held,), ask="whether"),)


def true(thing: Thing, facts: tuple[Fact, ...]) -> Queries | None:
    """Whether something holds of one thing."""
    found = narrowed(thing.query, facts) if thing.simple and thing.definite else None
    return (replace(found, ask="whether"),) if found else None


def is_listed(thing: Thing, *, asked: bool) -> Iterator[Query]:
    """Return the query for a question that names only a thing; `asked` is whether "list" or the like stands before
    it."""
    query = thing.query
    if thing.own or thing.most or thing.only or thing.each or thing.low < 1:
        return
    single = thing.named or (query.place and query.place.at == query.place.to and not query.order)
    if thing.high < MANY:  # "list three references"
        if thing.low == thing.high and not query.place and asked:
            yield replace(query, place=Place(at=1, to=thing.high))
    elif thing.low == 1 and asked and thing.named and query.kind in CITED and _is_one(query):
        yield replace(query, get=("text",))
    elif thing.low == 1 and asked and single and query.kind in FLOATS:
        yield replace(query, get=("caption",))
    elif thing.low == 1 and (not thing.named or query.kind == "paper" or not _is_one(query)):
        yield query


def _is_one(query: Query) -> bool:
    """Whether it is named by more than who wrote it."""
    return not any(isinstance(one, Condition) and one.relation == "author" for one in query.where)
