"""`Links`: how things of a paper stand to each other, in both directions, each with the texts that show it.

A text belongs to the innermost of the sections in question: asked which sections cite a work, a subsection takes the
call-out; asked of a named section, or of the top-level ones, all that stands below counts as theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from kag.qa.exact.facts import is_text
from kag.qa.exact.things import FLOATS, Thing, Things, caption_nodes
from kag.qa.paper import CITES, REFERS, Mention, Node, PaperGraph

Shown = dict[Thing, list[str]]  # what a thing is linked to, each with the texts that say so
INVERSE = {
    "cited in": "cites",
    "referred to in": "refers to",
    "cites": "cited in",
    "refers to": "referred to in",
    "in": "holds",
    "holds": "in",
    "beside": "beside",
}
_POINTS = {"cites": CITES, "cited in": CITES, "refers to": REFERS, "referred to in": REFERS}
_BETWEEN = re.compile(r"[\s;,.&()\[\]–—-]{0,6}(?:and\b\s?|see also\b\s?)?")  # between call-outs that are one
_POINTED = ("cited in", "referred to in")


class Links:
    """The relations between the things of a paper."""

    def __init__(self, things: Things) -> None:
        self.things, self.paper = things, things.paper

    def links(
        self, relation: str, thing: Thing, among: Collection[Thing], beside: Collection[Thing], *, direct: bool = False
    ) -> Shown:
        """Those `among` others that a thing stands in a relation to; `beside` are the things in question with it."""
        if relation == "beside":
            return {other: texts for other, texts in self._beside(thing).items() if other in among}
        if relation in ("in", "holds"):
            inside = relation == "in"
            homes = self._homes(among if inside else beside, direct=direct)
            return {
                other: []
                for other in among
                if (self.stands(thing, other, homes, direct) if inside else self.stands(other, thing, homes, direct))
            }
        if relation in _POINTED:
            homes = self._homes(among, direct=direct)
            found = {other: self._pointing(relation, other, thing, homes) for other in among}
        else:
            homes = self._homes(beside, direct=direct)
            found = {other: self._pointing(INVERSE[relation], thing, other, homes) for other in among}
        return {other: texts for other, texts in found.items() if texts}

    def everywhere(self, relation: str, thing: Thing) -> list[str]:
        """All texts, captions and tables that point to a thing; its own caption does not count."""
        targets = self._nodes(thing)
        found = self.paper.sources(targets[0], _POINTS[relation]) if targets else ()
        more = (host for target in targets[1:] for host in self.paper.sources(target, _POINTS[relation]))
        own = {node.iri for node in self._floats_of(thing)}
        return [host for host in dict.fromkeys((*found, *more)) if host not in own]

    def outside(self, relation: str, thing: Thing, among: Collection[Thing], *, direct: bool) -> bool:
        """Whether any text, caption or table that points to a thing belongs to none of these."""
        homes = self._homes(among, direct=direct)
        shown = {host for other in among for host in self._pointing(relation, other, thing, homes, everywhere=True)}
        if among and next(iter(among)).kind == "mention":
            shown = {other.iri for other in among}
        return any(host not in shown for host in self.everywhere(relation, thing))

    # places ---------------------------------------------------------------------------------------

    def stands(self, thing: Thing, other: Thing, homes: Callable[[str], str], direct: bool) -> bool:
        """Whether a thing stands in another: in a section, on a page, in a paragraph, a table or an entry."""
        if thing == other:
            return False
        match other.kind:
            case "paper":
                return True
            case "page":
                return self.page(thing) == other.part[0]
            case "section" if thing.kind == "section":
                above = self._above(thing.iri)
                return other.iri in (above[:1] if direct else above)
            case "section":
                return any(homes(node) == other.iri for node in self._nodes(thing))
            case "paragraph":
                return thing.kind == "mention" and thing.iri in self.paper.chain_of(other.iri)
            case "reference":
                return thing.kind == "author" and thing.iri == other.iri
            case "table":
                return thing.kind in ("row", "column", "cell") and thing.iri == other.iri
        return False

    def page(self, thing: Thing) -> int:
        """The page on which a thing begins; 0 for what is on none."""
        if thing.kind == "page":
            return thing.part[0]
        if thing.kind == "section":
            return self.things.section(thing).page
        return self.things.node(thing).page if thing.iri in self.paper.nodes else 0

    def _above(self, section: str) -> list[str]:
        """The sections that a section is in, innermost first."""
        found: list[str] = []
        while (section := self.paper.sections[section].parent) and section not in found:
            found.append(section)
        return found

    def _homes(self, sections: Iterable[Thing], *, direct: bool) -> Callable[[str], str]:
        """To which of these sections each node belongs: the innermost; `direct`: only the one it stands in itself."""
        known = {one.iri for one in sections if one.kind == "section"}

        def home(node: str) -> str:
            section = self.paper.section_of(node)
            chain = [section.iri, *(() if direct else self._above(section.iri))] if section else []
            return next((iri for iri in chain if iri in known), "")

        return home

    # call-outs ------------------------------------------------------------------------------------

    def _pointing(
        self, relation: str, place: Thing, target: Thing, homes: Callable[[str], str], *, everywhere: bool = False
    ) -> list[str]:
        """The texts of a place that point to a target."""
        nodes = self._nodes(target)
        if place.kind == "mention":
            calls = self._targets.get(place, frozenset())
            return [place.iri] if calls.intersection(nodes) else []
        if place.kind == "paper":
            return self.everywhere(relation, target) or (nodes[:1] if relation == "cited in" else [])
        hosts = self.everywhere(relation, target) if everywhere else self._sources(relation, target)
        match place.kind:
            case "section":
                return [host for host in hosts if homes(host) == place.iri]
            case "paragraph":
                return [host for host in hosts if host in self.paper.chain_of(place.iri)]
            case "page":
                return [host for host in hosts if self.paper.nodes[host].page == place.part[0]]
            case "footnote":
                return [host for host in hosts if host == place.iri]
            case kind if kind in FLOATS:
                own = {node.iri for node in self._floats_of(place)}
                return [host for host in self.everywhere(relation, target) if host in own]
        return []

    def _sources(self, relation: str, target: Thing) -> list[str]:
        """The running text that points to a target, in reading order."""
        key = (relation, target)
        if key not in self._running:
            found = {host for iri in self._nodes(target) for host in self.paper.sources(iri, _POINTS[relation])}
            self._running[key] = [iri for iri in self.paper.nodes if iri in found and is_text(self.paper, iri)]
        return self._running[key]

    @cached_property
    def _running(self) -> dict[tuple[str, Thing], list[str]]:
        return {}

    @cached_property
    def _targets(self) -> Mapping[Thing, frozenset[str]]:
        """What each call-out points to."""
        return {
            Thing("mention", host, (one.start, one.end)): frozenset(one.targets) for host, one in self.things.call_outs
        }

    def are_called_out(self, relation: str, thing: Thing) -> bool:
        """Whether each text that points to a thing keeps the call-out it does so with, as older graphs do not."""
        nodes = set(self._nodes(thing))
        hosts = {mention.iri for mention, targets in self._targets.items() if targets & nodes}
        return hosts.issuperset(self._sources(relation, thing))

    def _nodes(self, thing: Thing) -> list[str]:
        """The nodes that stand for a thing when it is pointed to, or looked for in a section."""
        if thing.kind in FLOATS:
            return [node.iri for node in self.things.parts(thing)]
        if thing.kind == "section":
            return [thing.iri, self.things.section(thing).header]
        if thing.kind == "journal":
            return [one.iri for one in self.things.in_journal(thing)]
        return [thing.iri] if thing.iri else []

    def _floats_of(self, thing: Thing) -> list[Node]:
        if thing.kind not in FLOATS:
            return []
        nodes = self.things.parts(thing)
        return [*nodes, *caption_nodes(self.paper, nodes)]

    def _beside(self, thing: Thing) -> Shown:
        """The entries cited in the same place as one: by the same call-out, or by one right beside it."""
        found: Shown = {}
        for host in self._sources("cited in", thing):
            for group in groups(self.paper, host):
                cited = [target for mention in group for target in mention.targets]
                if thing.iri in cited:
                    for target in dict.fromkeys(cited):
                        if target != thing.iri:
                            found.setdefault(Thing("reference", target), []).append(host)
        return found


def groups(paper: PaperGraph, host: str) -> list[list[Mention]]:
    """The call-outs of a text, those in one place together."""
    text = paper.nodes[host].text
    found: list[list[Mention]] = []
    for mention in paper.mentions.get(host, ()):
        if found and _BETWEEN.fullmatch(text[found[-1][-1].end : mention.start]):
            found[-1].append(mention)
        else:
            found.append([mention])
    return found
