"""Answers on call-outs: how often a work is cited, which is cited most, what is cited beside it, whether at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from kag.read.exact.bibliography import calls, numbered
from kag.read.exact.facts import Found, Item, answering, call_out, counting, hosts, is_text, listing, nothing, stating
from kag.read.exact.floats import absent, called
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import bare, floats, sections, works
from kag.read.paper import Mention, Node, Paper
from kag.read.quote import evidence
from kag.values.evidence import Evidence

_BETWEEN = re.compile(r"[\s;,.&()\[\]–—-]{0,6}(?:and\b\s?|see also\b\s?)?")  # between call-outs that are one
Call = tuple[str, Mention]


def call_outs(paper: Paper, targets: Iterable[str]) -> list[Call]:
    """The call-outs of the running text that point to any of the targets, in reading order, each with its host."""
    wanted = set(targets)
    return [
        (host, mention)
        for host, mentions in paper.mentions.items()
        if is_text(paper, host)
        for mention in mentions
        if wanted.intersection(mention.targets) and 0 <= mention.start < mention.end <= len(paper.nodes[host].text)
    ]


def times(paper: Paper, texts: Sequence[str], targets: Sequence[str], lead: str, searched: str) -> Found | None:
    """How often targets are pointed to; None where a text that points to them keeps no call-out to count."""
    found = call_outs(paper, targets)
    if {host for host, _ in found} != set(texts):
        return None
    return counting(lead, "time", [_place(paper, call) for call in found], searched)


def _place(paper: Paper, call: Call) -> Evidence:
    host, mention = call
    return evidence(paper, host, mention.start, mention.end)


def _entry(intent: Intent, paper: Paper) -> Node | Found | None:
    """The one entry that is named; what is said where there is none, None where several fit."""
    assert intent.anchor is not None
    found = works(paper, intent.anchor)
    if found:
        return found[0] if len(found) == 1 else None
    return nothing(f"reference {intent.anchor.text}") if intent.anchor.sub in ("number", "label") else None


def name_of(paper: Paper, entry: Node) -> str:
    """What an entry is called in a sentence."""
    return f"Reference {entry.number}" if numbered(paper) else calls(paper, entry)


def popular(intent: Intent, paper: Paper) -> Found | None:
    """The work with most call-outs in the running text; several when they have as many."""
    entries = {entry.iri: entry for entry in paper.references.values()}
    found = call_outs(paper, entries)
    count = Counter(target for _, mention in found for target in mention.targets if target in entries)
    most = max(count.values(), default=0)
    if most < 2:
        return None
    best = [entry for iri, entry in entries.items() if count[iri] == most]
    places = {entry.iri: tuple(_place(paper, call) for call in found if entry.iri in call[1].targets) for entry in best}
    if len(best) == 1:
        lead = f"{name_of(paper, best[0])} is cited most often, namely"
        return Found(counting(lead, "time", places[best[0].iri], "citations").claims, calls(paper, best[0]))
    items = [Item(calls(paper, entry), places[entry.iri]) for entry in best]
    return listing("Cited most often are references", items, "citations", joint=", ")


def companions(intent: Intent, paper: Paper) -> Found | None:
    """The works cited in the same place as one: in the same call-out or one that stands right beside it."""
    entry = _entry(intent, paper)
    if not isinstance(entry, Node):
        return entry
    found: dict[str, list[Evidence]] = {}
    for host in hosts(paper, [entry.iri], cites=True):
        for group in _groups(paper, host):
            beside = [target for mention in group for target in mention.targets]
            if entry.iri in beside:
                for mention in group:
                    for target in mention.targets:
                        found.setdefault(target, []).append(_place(paper, (host, mention)))
    others = [
        Item(calls(paper, other), tuple(found[other.iri]))
        for other in paper.references.values()
        if other.iri in found and other.iri != entry.iri
    ]
    name = name_of(paper, entry)
    own = found.get(entry.iri, ())
    return listing(f"Together with {name} are cited references", others, f"call-outs of {name}", own=own, joint=", ")


def _groups(paper: Paper, host: str) -> list[list[Mention]]:
    """The call-outs of a text, those in one place together."""
    text = paper.nodes[host].text
    groups: list[list[Mention]] = []
    for mention in paper.mentions.get(host, ()):
        beside = groups and _BETWEEN.fullmatch(text[groups[-1][-1].end : mention.start])
        if beside:
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def whether(intent: Intent, paper: Paper) -> Found | None:
    """Whether a work or float is pointed to, or a float stands, in a section or anywhere in the running text."""
    assert intent.anchor is not None
    target = _entry(intent, paper) if intent.anchor.kind == "work" else _float(intent, paper)
    if not isinstance(target, Node):
        return target
    name = name_of(paper, target) if intent.anchor.kind == "work" else called(paper, target)
    inside = None if intent.other is None else sections(paper, intent.other)
    if inside is not None and len(inside) != 1:
        return None
    where = f" in {bare(inside[0].title)}" if inside else ""
    if intent.relation == "contains":
        holds = bool(inside) and target.iri in set(paper.within(inside[0].iri)) if inside else True
        return answering(f"{name} is{where}", holds, [evidence(paper, target.iri)], f"{name}{where}")
    texts = hosts(paper, [target.iri], cites=intent.relation == "cites")
    if inside:
        within = set(paper.within(inside[0].iri))
        texts = [host for host in texts if host in within]
    places = [place for host in texts if (place := call_out(paper, host, [target.iri]))]
    said = "cited" if intent.relation == "cites" else "referred to"
    return answering(f"{name} is {said}{where}", bool(places), places, f"call-outs of {name}{where}")


def _float(intent: Intent, paper: Paper) -> Node | Found | None:
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    return found[0] if found else absent(intent.anchor)


def named(intent: Intent, paper: Paper) -> Found | None:
    """Which figure or table shows a thing: its label, by the words of its caption."""
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    caption = paper.caption_of(found[0].iri) if len({node.number for node in found}) == 1 else None
    if caption is None:
        return None
    name = called(paper, found[0])
    return stating(f"{name}: {caption.plain}", name, [evidence(paper, caption.iri)])
