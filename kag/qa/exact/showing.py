"""`Showing`: where the pages show a thing, and that it is one that was asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from kag.core.evidence import Evidence
from kag.qa.exact.conditions import is_link
from kag.qa.exact.evaluate import Evaluator, Selection
from kag.qa.exact.facts import Item, call_out, heading, hosts, mark, marks, quoted
from kag.qa.exact.labels import called, calls, captions, numbered, place_of, unnumbered
from kag.qa.exact.links import groups
from kag.qa.exact.properties import PROPERTIES, stated
from kag.qa.exact.things import FLOATS, Thing
from kag.qa.questions.structured_query import Condition, Wish
from kag.qa.quote import beginning, evidence


class Showing:
    """Evidence for the things that a wish selects."""

    def __init__(self, evaluator: Evaluator, wish: Wish, found: Selection) -> None:
        self.evaluator, self.wish, self.found = evaluator, wish, found
        self.things, self.paper = evaluator.things, evaluator.paper

    def item(self, thing: Thing) -> Item:
        """A thing as one of a list: what it is called, and where that is shown."""
        return Item(self.called(thing), self.places(thing))

    def called(self, thing: Thing) -> str:
        """What a thing is called in a list."""
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
        """What a thing is called in the answer as data."""
        related = any(isinstance(one, Condition) and one.relation in ("cites", "refers to") for one in self.wish.where)
        return unnumbered(self.things.section(thing)) if thing.kind == "section" and related else self.called(thing)

    def base(self, thing: Thing) -> tuple[Evidence, ...]:
        """Where a thing is printed."""
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
        """The place that stands for a thing when it is counted."""
        if thing.kind in ("reference", "paragraph", "footnote", "page"):
            return next(iter(marks(self.paper, [thing.iri])), None)
        return next(iter(self.base(thing)), None)

    def places(self, thing: Thing) -> tuple[Evidence, ...]:
        """Where it is shown that a thing is one that was asked for: call-outs, years; else where it is printed."""
        links = [place for one in self.wish.where if isinstance(one, Condition) for place in self.shown(one, thing)]
        stands = self.base(thing) if thing.kind != "reference" or not links else ()
        called = numbered(self.paper) or any(place.node != thing.iri for place in links)
        label = () if called or thing.kind != "reference" else self._cited(thing)
        return tuple(dict.fromkeys((*stands, *links, *label)))

    def _cited(self, thing: Thing) -> tuple[Evidence, ...]:
        """The first call-out of an entry, by which the text calls it."""
        found = hosts(self.paper, [thing.iri], cites=True)[:1]
        return tuple(place for host in found if (place := self.call_out(host, thing)))

    def shown(self, condition: Condition, thing: Thing) -> list[Evidence]:
        """What shows that a condition holds of a thing; nothing for what it is not."""
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
        """Where a text points to a thing."""
        return call_out(self.paper, host, self.targets(thing))

    def shown_all(self, condition: Condition, thing: Thing) -> list[Evidence]:
        """All texts that show a link to a thing, and not only the first."""
        return self.shown(replace(condition, low=min(condition.low, 0)), thing)

    def targets(self, thing: Thing) -> list[str]:
        """The nodes that a call-out of a thing points to."""
        return [node.iri for node in self.things.parts(thing)] if thing.kind in FLOATS else [thing.iri]

    def _beside(self, thing: Thing, others: Collection[str], hosts: Iterable[str]) -> list[Evidence]:
        """The call-outs of a thing that stand in one place with those of others."""
        return [
            evidence(self.paper, host, mention.start, mention.end)
            for host in sorted(hosts, key=self.paper.place)
            for group in groups(self.paper, host)
            if any(target in others for mention in group for target in mention.targets)
            for mention in group
            if thing.iri in mention.targets
        ]
