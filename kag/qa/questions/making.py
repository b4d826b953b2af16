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


def tells(one: Thing, names: tuple[str, ...]) -> bool:
    """Whether a thing has these properties."""
    kind = "paper" if one.own else one.query.kind
    return set(names) <= _KNOWN.get(kind, frozenset()) and (one.own or one.simple) and not one.query.get


def get(one: Thing, names: tuple[str, ...]) -> Queries | None:
    """The properties of a thing; the title of a section is the section, that of a float its caption."""
    if not tells(one, names):
        return None
    query = Query("paper") if one.own else one.query
    properties = tuple("caption" if name == "title" and query.kind in FLOATS else name for name in names)
    if properties == ("author",):
        return authors(one)
    return (query,) if properties == ("title",) and query.kind in _TITLES else (replace(query, get=properties),)


def of_every_work(query: Query) -> bool:
    """Whether it asks something of all works that a library cites: "each paper" is one of the library."""
    return query.kind == "work" and bool(query.get) and not (query.where or query.place)


def authors(one: Thing) -> Queries | None:
    if not tells(one, ("author",)):
        return None
    own = one.own or one.query == Query("paper")
    return (Query("author", () if own else (Condition("in", one.query),)),)


def caption(one: Thing) -> Queries | None:
    """Return the query for the caption of a figure or table, or for the formula."""
    return (replace(one.query, get=("caption",)),) if one.query.kind in FLOATS and one.definite and one.simple else None


def entry(one: Thing) -> Queries | None:
    """A cited work that is named, as the list has it."""
    return (replace(one.query, get=("text",)),) if one.query.kind in CITED and one.named and one.simple else None


def split_up(one: Thing, ask: Literal["list", "count"] = "list") -> Queries | None:
    """Return the query for the parts of the paper or of a section."""
    if one.own:
        return (Query("section", (Condition("depth", low=1, high=1),), ask=ask),)
    named = one.query.kind == "section" and one.definite and one.simple
    return (Query("section", (Condition("in", one.query, direct=True),), ask=ask),) if named else None


def there(one: Thing) -> Queries | None:
    """Whether the paper has such a thing, or so many of it."""
    if one.most or one.only or one.each or one.own:
        return None
    if one.simple:
        return (replace(one.query, ask="whether"),)
    held = Condition("holds", one.query, None, one.low, one.high)
    return None if one.named else (Query("paper", (held,), ask="whether"),)


def true(one: Thing, facts: tuple[Fact, ...]) -> Queries | None:
    """Whether something holds of one thing."""
    found = narrowed(one.query, facts) if one.simple and one.definite else None
    return (replace(found, ask="whether"),) if found else None


def is_listed(one: Thing, *, asked: bool) -> Iterator[Query]:
    """Return the query for a question that names only a thing; `asked` is whether "list" or the like stands before
    it."""
    query = one.query
    if one.own or one.most or one.only or one.each or one.low < 1:
        return
    single = one.named or (query.place and query.place.at == query.place.to and not query.order)
    if one.high < MANY:  # "list three references"
        if one.low == one.high and not query.place and asked:
            yield replace(query, place=Place(at=1, to=one.high))
    elif one.low == 1 and asked and one.named and query.kind in CITED and _is_one(query):
        yield replace(query, get=("text",))
    elif one.low == 1 and asked and single and query.kind in FLOATS:
        yield replace(query, get=("caption",))
    elif one.low == 1 and (not one.named or query.kind == "paper" or not _is_one(query)):
        yield query


def _is_one(query: Query) -> bool:
    """Whether it is named by more than who wrote it."""
    return not any(isinstance(one, Condition) and one.relation == "author" for one in query.where)
