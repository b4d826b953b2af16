"""Citations linked in the file itself: links are more certain than rules over words.

Rules have read the texts before. Where they found a call-out that a link covers, the link decides what it leads to;
where they found none, the link is one. What no link covers stays as the rules read it, the middle of a range, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rdflib import URIRef

from kag.core.types import Link
from kag.indexing.enrich.bibliography import entry_tails
from kag.indexing.enrich.mentions import HOSTS, add_crossref, add_mention
from kag.rdf.namespaces import C4O, CITO, DEO, DOCO, KAG
from kag.rdf.workspace import Workspace

_CITES, _POINTER, _DENOTES = CITO.cites, C4O.InTextReferencePointer, C4O.denotes
_REFERS, _MENTION = KAG.refersTo, KAG.hasMention
_START, _END, _DESCRIBES, _HEADER = KAG.startOffset, KAG.endOffset, KAG.describes, KAG.containsAsHeader
_ENTRY, _CAPTION, _TITLE = DEO.BibliographicReference, DEO.Caption, DOCO.SectionTitle
_KINDS = {DOCO.Figure: "figure", DOCO.Table: "table", DOCO.Formula: "equation", DOCO.Section: "section"}
_NUMBERS = (KAG.citationNumber, KAG.floatNumber)
_BETWEEN = re.compile(r"[\s,;(\[]{0,3}")  # the two links of "Smith et al. (2010)"
_RANGE = re.compile(r"[\s)\]]{0,3}(?:[–—‐−-]{1,2}|to|through)[\s(\[]{0,3}")
_LAST_NUMBER = re.compile(r"(\d{1,4})\W*$")
_LEADER = re.compile(r"(?:\.\s?){6}")  # of a table of contents
_LONGEST_RANGE = 50
_BY_PLACE = frozenset({"pdf"})
_AGREE = 0.9  # of the links to points under call-outs must lead to what these name, to be believed at all


@dataclass(frozen=True, slots=True)
class Linked:
    """Characters `start` to `end` of a host's text, and the nodes they are linked to: entries, or none of them."""

    start: int
    end: int
    targets: tuple[URIRef, ...]
    cites: bool


def correct(workspace: Workspace) -> int:
    """Lead the call-outs that rules found to where they are linked; returns how many the rules read otherwise.

    What a link names it means; where it only leads to a point of a page, words that name something say more.
    """
    otherwise = 0
    for host, links in _linked(workspace):
        for mention in workspace.links(host, _MENTION):
            over = _over(links, *_span(workspace, mention))
            cites = workspace.is_a(mention, _POINTER)
            known = {target for link in over if link.cites == cites for target in link.targets}
            found = _leads(workspace, mention)
            if not over or (known and known <= found):
                continue
            otherwise += bool(found - known)
            if found and _by_place(workspace):
                continue
            _lead(workspace, host, mention, found, known)
            if not known:
                _forget(workspace, host, mention)
    return otherwise


def apply(workspace: Workspace) -> int:
    """Make a call-out of each link that no call-out covers; returns the triples added."""
    by_number = {
        (cls, number): node
        for cls in (_ENTRY, *_KINDS)
        for node in reversed(workspace.of_type(cls))
        for number in (workspace.text(node, name) for name in _NUMBERS)
        if number
    }
    added = 0
    for host, links in _linked(workspace):
        text = workspace.text(host)
        mentions = workspace.links(host, _MENTION)
        covered = {link for mention in mentions for link in _over(links, *_span(workspace, mention))}
        alone = [link for link in links if link not in covered]
        for link in _with_ranges(workspace, alone, text, by_number):
            place = (host, link.start, text[link.start : link.end])
            if link.cites:
                added += sum(workspace.add(host, _CITES, target) for target in link.targets)
                added += add_mention(workspace, place, _POINTER, _DENOTES, link.targets)
            else:
                named = next(name for cls, name in _KINDS.items() if workspace.is_a(link.targets[0], cls))
                added += add_crossref(workspace, place, named, link.targets)
    return added


# what is linked ---------------------------------------------------------------------------------


def _linked(workspace: Workspace) -> list[tuple[URIRef, list[Linked]]]:
    """The texts that the file links from, each with its links, in order.

    Links of the reference list and of a table of contents call nothing out.
    """
    if not any(block.links for block in workspace.document.blocks):
        return []
    made_from = _made_from(workspace)
    tails = {tail: entry for entry in workspace.of_type(_ENTRY) for tail in entry_tails(workspace, entry)}
    found: list[tuple[URIRef, list[Linked]]] = []
    for host in workspace.of_type(*HOSTS):
        text = workspace.text(host)
        contents = host in tails or _LEADER.search(text)
        if links := [] if contents else sorted(_links_of(workspace, host, made_from, tails), key=_place):
            found.append((host, _joined(links, text)))
    return _believed(workspace, found) if _by_place(workspace) else found


def _believed(workspace: Workspace, found: Sequence[tuple[URIRef, list[Linked]]]) -> list[tuple[URIRef, list[Linked]]]:
    """The links of those kinds, citing or not, that mostly lead to what the words under them name."""
    same: Counter[bool] = Counter()
    judged: Counter[bool] = Counter()
    for host, links in found:
        for mention in workspace.links(host, _MENTION):
            named, cites = _leads(workspace, mention), workspace.is_a(mention, _POINTER)
            for link in _over(links, *_span(workspace, mention)) if named else ():
                judged[link.cites] += 1
                same[link.cites] += link.cites == cites and named.issuperset(link.targets)
    kinds = {cites for cites in (True, False) if same[cites] >= _AGREE * judged[cites]}
    return [(host, [link for link in links if link.cites in kinds]) for host, links in found]


def _made_from(workspace: Workspace) -> Mapping[str, list[tuple[int, URIRef]]]:
    """The nodes that each block became, with the characters where they begin."""
    nodes: defaultdict[str, list[tuple[int, URIRef]]] = defaultdict(list)
    for node in workspace.of_type(_ENTRY, _TITLE, *_KINDS, *HOSTS):
        for block in workspace.source_blocks(node):
            nodes[block.id].append((_part(node), node))
    return {block: sorted(places) for block, places in nodes.items()}


def _part(node: URIRef) -> int:
    """The character of its block at which a node begins that was made from a part of it."""
    start = node.rpartition("/")[2].partition("-")[2]
    return int(start) if start.isdigit() else 0


def _links_of(
    workspace: Workspace,
    host: URIRef,
    made_from: Mapping[str, list[tuple[int, URIRef]]],
    tails: Mapping[URIRef, URIRef],
) -> Iterator[Linked]:
    """The links in a host's text that lead to what can be cited or referred to, but for a caption's own label."""
    text = workspace.text(host)
    own = workspace.links(host, _DESCRIBES)
    for block in workspace.source_blocks(host):
        at = text.find(block.text) if block.links else -1
        by = at if at >= 0 else -_part(host)
        for link in block.links:
            start, end = link.start + by, link.end + by
            surface = text[start:end] if 0 <= start < end <= len(text) else ""
            target = _target(workspace, link, made_from, tails)
            if target and surface.strip() and not (start < 3 and target in own):
                start += len(surface) - len(surface.lstrip())
                yield Linked(start, start + len(surface.strip()), (target,), workspace.is_a(target, _ENTRY))


def _target(
    workspace: Workspace, link: Link, made_from: Mapping[str, list[tuple[int, URIRef]]], tails: Mapping[URIRef, URIRef]
) -> URIRef | None:
    """The entry, float, formula or section that a link leads to; None where it leads to something else."""
    places = [node for start, node in made_from.get(link.block, ()) if start <= link.at]
    if not places:
        return None
    node = tails.get(places[-1], places[-1])
    if workspace.is_a(node, _TITLE):
        return next(iter(workspace.sources(_HEADER, node)), None)
    if workspace.is_a(node, _CAPTION):
        return next(iter(workspace.links(node, _DESCRIBES)), None)
    return node if any(workspace.is_a(node, cls) for cls in (_ENTRY, *_KINDS)) else None


def _joined(links: Sequence[Linked], text: str) -> list[Linked]:
    """The links, those of the same characters as one, and those in a row that lead to the same."""
    joined: list[Linked] = []
    for link in links:
        last = joined[-1] if joined else None
        if last and last.cites == link.cites and (last.start, last.end) == (link.start, link.end):
            joined[-1] = replace(last, targets=tuple(dict.fromkeys((*last.targets, *link.targets))))
        elif last and last.targets == link.targets and _BETWEEN.fullmatch(text, last.end, max(last.end, link.start)):
            joined[-1] = replace(last, end=max(last.end, link.end))
        else:
            joined.append(link)
    return joined


def _with_ranges(
    workspace: Workspace, links: Sequence[Linked], text: str, by_number: Mapping[tuple[URIRef, str], URIRef]
) -> list[Linked]:
    """The links, the two ends of a range as one with all between them, where both ends are what is printed there."""
    found: list[Linked] = []
    for link in links:
        last = found[-1] if found else None
        if last and last.cites == link.cites and _RANGE.fullmatch(text, last.end, link.start):
            ends = [_number(workspace, one, text) for one in (last, link)]
            cls = _class(workspace, link)
            numbers = range(ends[0], ends[1] + 1) if all(ends) and cls == _class(workspace, last) else range(0)
            if 1 < len(numbers) <= _LONGEST_RANGE:
                between = [by_number[cls, str(n)] for n in numbers[1:-1] if (cls, str(n)) in by_number]
                found[-1] = replace(last, end=link.end, targets=(*last.targets, *between, *link.targets))
                continue
        found.append(link)
    return found


def _class(workspace: Workspace, link: Linked) -> URIRef:
    return next(cls for cls in (_ENTRY, *_KINDS) if workspace.is_a(link.targets[-1], cls))


def _number(workspace: Workspace, link: Linked, text: str) -> int:
    """The number that is printed at a link and that its target has; 0 where they are not the same."""
    printed = _LAST_NUMBER.search(text, link.start, link.end)
    numbers = {workspace.text(link.targets[-1], name) for name in _NUMBERS}
    return int(printed[1]) if printed and printed[1] in numbers else 0


def _by_place(workspace: Workspace) -> bool:
    """Whether the paper's links lead to points of pages, near which what they mean has to be looked for."""
    return workspace.document.source in _BY_PLACE


def _place(link: Linked) -> tuple[int, int]:
    return link.start, link.end


def _over(links: Sequence[Linked], start: int, end: int) -> list[Linked]:
    """The links of any of these characters."""
    return [link for link in links if link.start < end and start < link.end]


# call-outs in the graph -------------------------------------------------------------------------


def _leads(workspace: Workspace, mention: URIRef) -> set[URIRef]:
    """Return the targets of a cross-reference mention."""
    return {*workspace.links(mention, _DENOTES), *workspace.links(mention, _REFERS)}


def _span(workspace: Workspace, mention: URIRef) -> tuple[int, int]:
    return workspace.number(mention, _START) or 0, workspace.number(mention, _END) or 0


def _lead(workspace: Workspace, host: URIRef, mention: URIRef, found: set[URIRef], known: set[URIRef]) -> None:
    """Link a mention and its host to the given nodes, unless another mention there leads to one of them."""
    host_property, property_ = (_CITES, _DENOTES) if workspace.is_a(mention, _POINTER) else (_REFERS, _REFERS)
    for target in known - found:
        workspace.add(host, host_property, target)
        workspace.add(mention, property_, target)
    for target in found - known:
        workspace.remove(mention, property_, target)
        others = workspace.sources(property_, target)
        if not any(link in others for link in workspace.links(host, _MENTION)):
            workspace.remove(host, host_property, target)


def _forget(workspace: Workspace, host: URIRef, mention: URIRef) -> None:
    """Remove a call-out that is none."""
    workspace.remove(host, _MENTION, mention)
    for _, property_, value in list(workspace.graph.triples((mention, None, None))):
        workspace.remove(mention, URIRef(str(property_)), value)
