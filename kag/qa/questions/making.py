"""What wishes are made of: properties of a thing, whether there is one, what a thing is divided into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from kag.qa.questions.links import CITED, FLOATS, Fact, Thing, narrowed
from kag.qa.questions.structured_query import MANY, Condition, Place, Wish

Wishes = tuple[Wish, ...]
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
    kind = "paper" if one.own else one.wish.kind
    return set(names) <= _KNOWN.get(kind, frozenset()) and (one.own or one.simple) and not one.wish.get


def get(one: Thing, names: tuple[str, ...]) -> Wishes | None:
    """The properties of a thing; the title of a section is the section, that of a float its caption."""
    if not tells(one, names):
        return None
    wish = Wish("paper") if one.own else one.wish
    told = tuple("caption" if name == "title" and wish.kind in FLOATS else name for name in names)
    if told == ("author",):
        return authors(one)
    return (wish,) if told == ("title",) and wish.kind in _TITLES else (replace(wish, get=told),)


def of_every_work(wish: Wish) -> bool:
    """Whether it asks something of all works that a library cites: "each paper" is one of the library."""
    return wish.kind == "work" and bool(wish.get) and not (wish.where or wish.place)


def authors(one: Thing) -> Wishes | None:
    if not tells(one, ("author",)):
        return None
    own = one.own or one.wish == Wish("paper")
    return (Wish("author", () if own else (Condition("in", one.wish),)),)


def caption(one: Thing) -> Wishes | None:
    """What a figure or table shows, or the formula."""
    return (replace(one.wish, get=("caption",)),) if one.wish.kind in FLOATS and one.definite and one.simple else None


def entry(one: Thing) -> Wishes | None:
    """A cited work that is named, as the list has it."""
    return (replace(one.wish, get=("text",)),) if one.wish.kind in CITED and one.named and one.simple else None


def split_up(one: Thing, ask: Literal["list", "count"] = "list") -> Wishes | None:
    """What the paper or a section is divided into."""
    if one.own:
        return (Wish("section", (Condition("depth", low=1, high=1),), ask=ask),)
    named = one.wish.kind == "section" and one.definite and one.simple
    return (Wish("section", (Condition("in", one.wish, direct=True),), ask=ask),) if named else None


def there(one: Thing) -> Wishes | None:
    """Whether the paper has such a thing, or so many of it."""
    if one.most or one.only or one.each or one.own:
        return None
    if one.simple:
        return (replace(one.wish, ask="whether"),)
    held = Condition("holds", one.wish, None, one.low, one.high)
    return None if one.named else (Wish("paper", (held,), ask="whether"),)


def true(one: Thing, said: tuple[Fact, ...]) -> Wishes | None:
    """Whether something holds of one thing."""
    found = narrowed(one.wish, said) if one.simple and one.definite else None
    return (replace(found, ask="whether"),) if found else None


def is_listed(one: Thing, *, asked: bool) -> Iterator[Wish]:
    """What is told where a thing is all that is said; `asked` is whether "list" or the like stands before it."""
    wish = one.wish
    if one.own or one.most or one.only or one.each or one.low < 1:
        return
    single = one.named or (wish.place and wish.place.at == wish.place.to and not wish.order)
    if one.high < MANY:  # "list three references"
        if one.low == one.high and not wish.place and asked:
            yield replace(wish, place=Place(at=1, to=one.high))
    elif one.low == 1 and asked and one.named and wish.kind in CITED and _is_one(wish):
        yield replace(wish, get=("text",))
    elif one.low == 1 and asked and single and wish.kind in FLOATS:
        yield replace(wish, get=("caption",))
    elif one.low == 1 and (not one.named or wish.kind == "paper" or not _is_one(wish)):
        yield wish


def _is_one(wish: Wish) -> bool:
    """Whether it is named by more than who wrote it."""
    return not any(isinstance(one, Condition) and one.relation == "author" for one in wish.where)
