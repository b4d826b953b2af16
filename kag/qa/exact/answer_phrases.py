"""How a result is introduced: the first words of a list, of a count, and what was looked through.

A wish with one plain condition is told by it ("Introduction cites references 1, 2"), one on the paper as such by its
kind; any other is told without repeating its conditions, which the evidence could not carry.
"""

from __future__ import annotations

from dataclasses import dataclass

from kag.core.evidence import Evidence
from kag.qa.exact.evaluate import Evaluator
from kag.qa.exact.facts import heading, plural
from kag.qa.exact.labels import bare, called, calls, numbered
from kag.qa.exact.things import FLOATS, Thing, Things
from kag.qa.questions.structured_query import MANY, Condition, Wish


@dataclass(frozen=True, slots=True)
class Lead:
    """`list` and `count` are the first words of each, `noun` is what is counted, `own` evidence for the words."""

    list: str
    count: str
    searched: str
    noun: str
    own: tuple[Evidence, ...] = ()
    joint: str = "; "


_REFERS = ("{of} refers to", "{bare} refers to", "{noun}s that {of} refers to")
_CONTAINS = ("{of} contains", "{bare} contains", "{noun}s that {of} contains")
_CITED = ("{of} is cited in:", "{of} is cited in", "citations of {of}")
_REFERRED = ("{of} is referred to in:", "{of} is referred to in", "text that refers to {of}")
_RELATED = {
    ("section", "in"): ("{of} has these subsections:", "{bare} has", "subsections of {of}"),
    ("reference", "cited in"): ("{of} cites references", "{bare} cites", "citations in {of}"),
    **{(kind, "referred to in"): _REFERS for kind in FLOATS},
    **{(kind, "in"): _CONTAINS for kind in FLOATS},
    ("section", "cites"): _CITED,
    ("paragraph", "cites"): _CITED,
    ("mention", "cites"): ("", "{of} is cited", "citations of {of}"),
    ("section", "refers to"): _REFERRED,
    ("paragraph", "refers to"): _REFERRED,
    ("mention", "refers to"): ("", "{of} is referred to", "text that refers to {of}"),
    ("paragraph", "in"): ("", "{bare} has", "paragraphs of {of}"),
    ("reference", "beside"): ("Together with {of} are cited references", "Together with {of} are cited",
                              "call-outs of {of}"),
    ("author", "in"): ("The authors of {of} are:", "", "{of}"),
}  # fmt: skip
_OF_PAPER = {
    "section": ("The paper has these sections:", "The paper has", "sections of {paper}"),
    "reference": ("The references are:", "The reference list has", "reference list"),
    "author": ("The authors of the paper are:", "The paper has", "authors"),
    **dict.fromkeys(FLOATS, ("The {noun}s are:", "The paper has", "{noun}s of {paper}")),
}
_NOUNS = {"formula": "equation", "mention": "time", "work": "reference", "float": "float"}


def noun_of(wish: Wish) -> str:
    """What a wish counts, in one word."""
    if wish.kind == "section" and any(
        isinstance(one, Condition)
        and (
            (one.relation == "in" and one.of is not None and one.of.kind == "section")
            or (one.relation == "depth" and one.low > 1)
        )
        for one in wish.where
    ):
        return "subsection"
    if wish.kind == "reference" and not wish.where and not wish.place:
        return "entry"
    return _NOUNS.get(wish.kind, wish.kind)


def name_of(things: Things, thing: Thing) -> str:
    """What a thing is called in a sentence."""
    if thing.kind == "section":
        return things.section(thing).title
    if thing.kind == "reference":
        entry = things.node(thing)
        return f"Reference {entry.number}" if numbered(things.paper) else calls(things.paper, entry)
    return called(things.paper, things.node(thing)) if thing.kind in FLOATS else thing.words or thing.kind


def lead_of(wish: Wish, evaluator: Evaluator) -> Lead:
    """The words for a wish's result."""
    things, noun = evaluator.things, noun_of(wish)
    pivot = pivot_of(wish)
    if pivot is not None and pivot.of is not None and (wish.kind, pivot.relation) in _RELATED:
        found = evaluator.others(pivot.of).things
        first = min(found, key=things.order, default=None)
        if first is None:
            return _found(wish, noun, things)
        title = name_of(things, first)
        words = {"of": title, "bare": _asked_as(pivot.of, title) if first.kind == "section" else title, "noun": noun}
        list_, count, searched = (part.format(**words) for part in _RELATED[wish.kind, pivot.relation])
        if wish.kind in ("section", "paragraph") and first.kind != "section":
            count = count.replace(title, "It")  # what is counted does not print the name of what it points to
        own = heading(things.paper, things.section(first)) if first.kind == "section" else ()
        if wish.kind == "reference" and not numbered(things.paper):
            list_ = list_.removesuffix(" references") + ":"
        return Lead(list_, count, searched, noun, own, ", " if list_.endswith("references") else "; ")
    if is_of_paper(wish):
        list_, count, searched = (
            part.format(noun=noun, paper=things.paper.id)
            for part in _OF_PAPER.get(wish.kind, ("", "The paper has", "{noun}s"))
        )
        return Lead(list_.replace("The ref", "The first ref") if wish.place else list_, count, searched, noun)
    return _found(wish, noun, things)


def _asked_as(wish: Wish, title: str) -> str:
    """What a section is called where nothing shows its title; where the question does not either, "It"."""
    names = [one.name for one in wish.where if isinstance(one, Condition) and one.relation == "is" and one.name]
    return "It" if any(name.way == "number" for name in names) else bare(title)


def _found(wish: Wish, noun: str, things: Things) -> Lead:
    by_number = wish.kind == "page" or (wish.kind == "reference" and numbered(things.paper))
    searched = f"{plural(noun, 2)} that fit the question"
    return Lead(f"Found: {wish.kind}s" if by_number else "Found:", "Found:", searched, noun,
                joint=", " if by_number else "; ")  # fmt: skip


def pivot_of(wish: Wish) -> Condition | None:
    """The one plain condition of a wish that ties its things to others that are named; None where there is more."""
    rest = [one for one in wish.where if not _is_named(one)]
    if len(rest) != 1 or wish.order or (wish.place and wish.kind != "author") or not isinstance(rest[0], Condition):
        return None
    one = rest[0]
    plain = not one.only and not one.negated and (one.low, one.high) == (1, MANY) and one.of is not None
    return one if plain and one.of and one.of.where and any(_is_named(each) for each in one.of.where) else None


def _is_named(one: object) -> bool:
    return isinstance(one, Condition) and one.relation == "is" and not one.negated


def is_of_paper(wish: Wish) -> bool:
    """Whether a wish is for all things of a kind, or the first of the reference list, or sections of a depth."""
    first = wish.place is None or (wish.kind == "reference" and wish.place.way == "at" and wish.place.at == 1)
    depth = wish.kind == "section" and all(isinstance(one, Condition) and one.relation == "depth" for one in wish.where)
    return first and wish.order is None and (depth or not wish.where)
