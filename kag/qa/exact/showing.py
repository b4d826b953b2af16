"""`Showing`: where the pages show a thing, and that it is one that was asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from kag.core.evidence import Evidence
from kag.qa.exact.evaluate import Evaluator, Selection, is_link
from kag.qa.exact.facts import Item, call_out, heading, hosts, mark, marks, plural, quoted
from kag.qa.exact.labels import bare, called, calls, captions, numbered, place_of, unnumbered
from kag.qa.exact.properties import PROPERTIES, is_whole_list, stated
from kag.qa.exact.things import FLOATS, Thing, Things, groups
from kag.qa.questions.structured_query import MANY, Condition, Query
from kag.qa.quote import beginning, evidence


class Showing:
    """Evidence for the things that a query selects."""

    def __init__(self, evaluator: Evaluator, query: Query, selection: Selection) -> None:
        self.evaluator, self.query, self.found = evaluator, query, selection
        self.things, self.paper = evaluator.things, evaluator.paper

    def item(self, thing: Thing) -> Item:
        """A thing as one of a list: what it is called, and where that is shown."""
        return Item(self.called(thing), self.places(thing))

    def called(self, thing: Thing) -> str:
        """Return a thing's name in a list."""
        if thing.kind == "reference":
            uncited = not numbered(self.paper) and not self._cited(thing)
            title = stated(self.things, thing, "title") if uncited else ""  # a label that no text uses is none
            return title or calls(self.paper, self.things.node(thing))
        if thing.kind == "section":
            return self.things.section(thing).title
        if thing.kind in FLOATS:
            node = self.things.node(thing)
            caption = next(iter(captions(self.paper, node)), None)
            unnamed = caption is not None and not node.number and not node.label
            return caption.plain if unnamed and caption else called(self.paper, node)
        if thing.kind in ("paragraph", "footnote", "mention"):
            return " ".join(place.quote for place in self.base(thing)[:1])
        return str(thing.part[0]) if thing.kind == "page" else thing.words

    def value(self, thing: Thing) -> str:
        """Return a thing's value in the answer as data."""
        related = any(isinstance(one, Condition) and one.relation in ("cites", "refers to") for one in self.query.where)
        return unnumbered(self.things.section(thing)) if thing.kind == "section" and related else self.called(thing)

    def base(self, thing: Thing) -> tuple[Evidence, ...]:
        """Return the place at which a thing is printed."""
        match thing.kind:
            case "section":
                return heading(self.paper, self.things.section(thing))
            case "mention":
                return (evidence(self.paper, thing.iri, *thing.part),)
            case "author" if len(thing.part) > 1:  # of the paper: characters of the line of authors
                return (evidence(self.paper, thing.iri, *thing.part),)
            case "author":
                return (evidence(self.paper, thing.iri),)
            case "reference" | "paragraph":
                return (beginning(self.paper, thing.iri),)
            case kind if kind in FLOATS:
                place = place_of(self.paper, self.things.node(thing))
                return (place,) if place else ()
            case "journal":
                return tuple(quoted(self.paper, one.iri, thing.words) for one in self.things.in_journal(thing)[:1])
        place = mark(self.paper, thing.iri) if thing.iri in self.paper.nodes else None
        return (place,) if place else ()

    def mark(self, thing: Thing) -> Evidence | None:
        """Return the place that represents a thing when it is counted."""
        if thing.kind in ("reference", "paragraph", "footnote", "page"):
            return next(iter(marks(self.paper, [thing.iri])), None)
        return next(iter(self.base(thing)), None)

    def places(self, thing: Thing) -> tuple[Evidence, ...]:
        """Return the evidence that a thing fits the query: citations, years; else its own place."""
        links = [place for one in self.query.where if isinstance(one, Condition) for place in self.shown(one, thing)]
        stands = self.base(thing) if thing.kind != "reference" or not links else ()
        called = numbered(self.paper) or any(place.node != thing.iri for place in links)
        label = () if called or thing.kind != "reference" else self._cited(thing)
        return tuple(dict.fromkeys((*stands, *links, *label)))

    def _cited(self, thing: Thing) -> tuple[Evidence, ...]:
        """The first call-out of an entry, by which the text calls it."""
        found = hosts(self.paper, [thing.iri], cites=True)[:1]
        return tuple(place for host in found if (place := self.call_out(host, thing)))

    def shown(self, condition: Condition, thing: Thing) -> list[Evidence]:
        """Return the evidence that a condition holds of a thing; none for a negated condition."""
        if condition.negated or condition.high == 0:
            return []
        if condition.relation in PROPERTIES and thing.kind == "reference":
            return [evidence(self.paper, thing.iri)]  # the whole entry: a year alone says nothing
        if condition.of is None or not (is_link(condition) or condition.relation == "beside"):
            return []
        linked = self.evaluator.conditions.shown(
            condition, thing, self.evaluator.others(condition.of).things, self.found.beside
        )
        texts = [(host, other) for other, hosts in linked.items() for host in hosts]
        if condition.relation == "beside":
            return self._beside(thing, {other.iri for _, other in texts}, {host for host, _ in texts})
        pointed = condition.relation in ("cited in", "referred to in")
        if pointed:
            texts = texts[:1] if condition.low == 1 else texts
        texts.sort(key=lambda pair: self.paper.place(pair[0]))
        found = (call_out(self.paper, host, self.targets(thing if pointed else other)) for host, other in texts)
        return [place for place in dict.fromkeys(found) if place]

    def call_out(self, host: str, thing: Thing) -> Evidence | None:
        """Return the place at which a text points to a thing."""
        return call_out(self.paper, host, self.targets(thing))

    def shown_all(self, condition: Condition, thing: Thing) -> list[Evidence]:
        """All texts that show a link to a thing, and not only the first."""
        return self.shown(replace(condition, low=min(condition.low, 0)), thing)

    def targets(self, thing: Thing) -> list[str]:
        """The nodes that a call-out of a thing points to."""
        return [node.iri for node in self.things.parts(thing)] if thing.kind in FLOATS else [thing.iri]

    def _beside(self, thing: Thing, others: Collection[str], hosts: Iterable[str]) -> list[Evidence]:
        """Return the citations of a thing at the same place as those of others."""
        return [
            evidence(self.paper, host, mention.start, mention.end)
            for host in sorted(hosts, key=self.paper.place)
            for group in groups(self.paper, host)
            if any(target in others for mention in group for target in mention.targets)
            for mention in group
            if thing.iri in mention.targets
        ]


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


def noun_of(query: Query) -> str:
    """What a query counts, in one word."""
    if query.kind == "section" and any(
        isinstance(one, Condition)
        and (
            (one.relation == "in" and one.of is not None and one.of.kind == "section")
            or (one.relation == "depth" and one.low > 1)
        )
        for one in query.where
    ):
        return "subsection"
    if query.kind == "reference" and not query.where and not query.place:
        return "entry"
    return _NOUNS.get(query.kind, query.kind)


def name_of(things: Things, thing: Thing) -> str:
    """Return a thing's name in a sentence."""
    if thing.kind == "section":
        return things.section(thing).title
    if thing.kind == "reference":
        entry = things.node(thing)
        return f"Reference {entry.number}" if numbered(things.paper) else calls(things.paper, entry)
    return called(things.paper, things.node(thing)) if thing.kind in FLOATS else thing.words or thing.kind


def lead_of(query: Query, evaluator: Evaluator) -> Lead:
    """The words for a query's result."""
    things, noun = evaluator.things, noun_of(query)
    pivot = pivot_of(query)
    if pivot is not None and pivot.of is not None and (query.kind, pivot.relation) in _RELATED:
        found = evaluator.others(pivot.of).things
        first = min(found, key=things.order, default=None)
        if first is None:
            return _found(query, noun, things)
        title = name_of(things, first)
        words = {"of": title, "bare": _asked_as(pivot.of, title) if first.kind == "section" else title, "noun": noun}
        list_, count, searched = (part.format(**words) for part in _RELATED[query.kind, pivot.relation])
        if query.kind in ("section", "paragraph") and first.kind != "section":
            count = count.replace(title, "It")  # what is counted does not print the name of what it points to
        own = heading(things.paper, things.section(first)) if first.kind == "section" else ()
        if query.kind == "author" and first.kind == "reference" and not is_whole_list(things, first):
            list_ = list_.replace("The authors", "The first authors")  # the entry ends its list with "et al."
        if query.kind == "reference" and not numbered(things.paper):
            list_ = list_.removesuffix(" references") + ":"
        return Lead(list_, count, searched, noun, own, ", " if list_.endswith("references") else "; ")
    if is_of_paper(query):
        list_, count, searched = (
            part.format(noun=noun, paper=things.paper.id)
            for part in _OF_PAPER.get(query.kind, ("", "The paper has", "{noun}s"))
        )
        return Lead(list_.replace("The ref", "The first ref") if query.place else list_, count, searched, noun)
    return _found(query, noun, things)


def _asked_as(query: Query, title: str) -> str:
    """Return a section's name if it has no printed title; "It" if the question does not name it either."""
    names = [one.name for one in query.where if isinstance(one, Condition) and one.relation == "is" and one.name]
    return "It" if any(name.way == "number" for name in names) else bare(title)


def _found(query: Query, noun: str, things: Things) -> Lead:
    by_number = query.kind == "page" or (query.kind == "reference" and numbered(things.paper))
    searched = f"{plural(noun, 2)} that fit the question"
    return Lead(f"Found: {query.kind}s" if by_number else "Found:", "Found:", searched, noun,
                joint=", " if by_number else "; ")  # fmt: skip


def pivot_of(query: Query) -> Condition | None:
    """The one plain condition of a query that ties its things to others that are named; None where there is more."""
    rest = [one for one in query.where if not _is_named(one)]
    if len(rest) != 1 or query.order or (query.place and query.kind != "author") or not isinstance(rest[0], Condition):
        return None
    condition = rest[0]
    plain = (
        not condition.only
        and not condition.negated
        and (condition.low, condition.high) == (1, MANY)
        and condition.of is not None
    )
    return (
        condition
        if plain and condition.of and condition.of.where and any(_is_named(each) for each in condition.of.where)
        else None
    )


def _is_named(one: object) -> bool:
    return isinstance(one, Condition) and one.relation == "is" and not one.negated


def is_of_paper(query: Query) -> bool:
    """Whether a query is for all things of a kind, or the first of the reference list, or sections of a depth."""
    first = query.place is None or (query.kind == "reference" and query.place.way == "at" and query.place.at == 1)
    depth = query.kind == "section" and all(
        isinstance(one, Condition) and one.relation == "depth" for one in query.where
    )
    return first and query.order is None and (depth or not query.where)
