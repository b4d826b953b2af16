"""`Query`: what a question asks for, as a small algebra over the things of a paper or of a library.

A query is a kind of thing, conditions on it, an order, a place in that order, and what is told of what is left. A thing
named in a question is itself a query with the condition "is", so that every condition can hold of any query:

    Which references are cited only in the Introduction?
        Query("reference", (Condition("cited in", Query("section", (Condition("is", name=Name("Introduction")),)),
                                     only=True),))
    title of the reference after reference 3
        Query("reference", place=Place("after", of=Query("reference", (Condition("is", name=Name("3", "number")),))),
             get=("title",))
    How many sections cite more than two references of 2009?
        Query("section", (Condition("cites", Query("reference", (Condition("year", low=2009, high=2009),)), low=3),),
             ask="count")

Nothing here knows how things are printed, stored or asked for in words: the reader makes queries of words, and one
evaluator over a paper and one over a library make things of queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "paper",
    "section",
    "paragraph",
    "figure",
    "table",
    "formula",
    "float",  # any of the three
    "reference",  # an entry of one paper's list
    "work",  # what entries of several papers are one work
    "mention",  # a call-out in the text
    "footnote",
    "author",
    "keyword",
    "journal",
    "page",
    "column",
    "row",
    "cell",
]
Relation = Literal[
    "is",  # the thing of this name
    "in",  # stands in (a section, a page, a paper, a table); `direct` not deeper than one level
    "holds",  # the other way round
    "cites",  # a section, paragraph, caption or paper cites a reference or work
    "cited in",  # the other way round
    "refers to",  # the text points to a float, formula or section
    "referred to in",
    "beside",  # cited by the same call-outs
    "year",
    "author",
    "first author",
    "venue",
    "title",  # has these words in its title, heading or caption
    "keyword",
    "role",  # a section that plays this part (methods, results, ...)
    "depth",  # of a section, 1 for the top level
    "number",  # what is printed as its number
    "has",  # says it at all: doi, year, title, caption, ...
    "text",  # has these words anywhere in its text
]
MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Name:
    """A question's name for a thing: the words, and how they name it.

    number      "3", "S1", "2.1"          title     the whole title, heading or keyword
    words       words of its title        label     "Kay and Lee (2009)", "Kay et al. 2009a"
    doi, id     an identifier             role      "the methods", for whichever section plays this part
    """

    text: str
    way: Literal["number", "title", "words", "label", "doi", "id", "role"] = "title"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a thing.

    For a relation to others `of` says which, and between `low` and `high` of these must stand in it ("cited in more
    than two sections"; none for "no figure": both 0); `only` that none stands in it which is not such a thing. For
    "year", "depth" and "number" `low` and `high` bound the value; for the others of words `name` has these.
    `negated` turns the whole.
    """

    relation: Relation
    of: Query | None = None
    name: Name | None = None
    low: int = 1
    high: int = MANY
    only: bool = False
    direct: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of these conditions holds."""

    conditions: tuple[Condition | AnyOf, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """An order: "print" (as printed), a property ("year", "number", "length", "title"), or the number of `of` in a
    relation to it ("cited in" mentions: the most cited)."""

    by: str = "print"
    of: Query | None = None
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A position in an order: the `at`-th to the `to`-th ("first three": 1 to 3; from the end with negative numbers:
    "last": -1 to -1), or the next after or before another thing.

    `level` keeps those that are level with the last one kept: "most cited" names all that share the first place.
    """

    way: Literal["at", "after", "before"] = "at"
    at: int = 1
    to: int = 1
    of: Query | None = None
    level: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A structured query.

    `ask`: the things (list), how many (count), whether there is one (whether), which of several has more (compare:
    `among` are these, `order` by what). `get` are properties told instead of the thing itself: title, year, doi,
    journal, volume, pages, author, page, text, caption, number, parent, unit, affiliation, email, submitted, accepted,
    revised, published, licence, ... `each` asks for one answer for each thing of a kind ("for each paper").
    """

    kind: Kind
    where: tuple[Condition | AnyOf, ...] = ()
    order: Order | None = None
    place: Place | None = None
    ask: Literal["list", "count", "whether", "compare"] = "list"
    get: tuple[str, ...] = ()
    among: tuple[Query, ...] = ()
    each: Kind | None = None
