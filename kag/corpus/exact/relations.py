"""Relations between things as graph patterns, each in both directions; `?m` is the call-out that shows one.

All but one hold inside a paper; a work, a journal and a paper are cited where an entry of a list leads to them.
"""

from __future__ import annotations

from dataclasses import replace

from kag.corpus.exact.things import FLOATS, Slot, Unfit, same_work, slot
from kag.qa.questions.structured_query import Kind, Relation

_TEXTS = ("section", "paragraph", *FLOATS)  # what has text in which call-outs stand
_ENTRIES = ("reference", "work", "journal")
_PARTS = ("section", "paragraph", "reference", *FLOATS)  # what stands in a section, or on a page
_OF_PAPERS = (*_PARTS, "mention", "work", "journal", "author", "keyword", "page")
_INVERSE: dict[Relation, Relation] = {"cited in": "cites", "referred to in": "refers to", "holds": "in"}
RELATIONS = ("in", "holds", "cites", "cited in", "refers to", "referred to in", "beside")


def other(relation: Relation, one: Slot, kind: Kind, tag: str) -> Slot:
    """The variables of a thing that stands in a relation to another."""
    if relation in ("cites", "cited in") and "paper" in (one.kind, kind):
        cited = kind if relation == "cites" else one.kind
        return slot(kind, tag, None if cited == "paper" else one)
    found = slot(kind, tag, one)
    if "page" in (one.kind, kind) and relation in ("in", "holds") and "paper" not in (one.kind, kind):
        return replace(found, id=one.node if found.is_node else found.id, node=one.node)  # it is printed there itself
    return found


def related(relation: Relation, one: Slot, two: Slot, *, direct: bool) -> tuple[str, str]:
    """The pattern of two things in a relation, and the variable of what shows it ("" for the things alone).

    Raises `Unfit` for a relation that things of these kinds never stand in.
    """
    if relation in _INVERSE:
        return related(_INVERSE[relation], two, one, direct=direct)
    made = {"cites": _cites, "refers to": _refers, "in": _inside, "beside": _beside}.get(relation)
    if made is None:
        raise Unfit(relation)
    return made(one, two, direct)


def texts(one: Slot, host: str, *, direct: bool) -> str:
    """The pattern of the nodes that hold a thing's text."""
    if one.kind == "section":
        return f"{one.node} {'kag:contains' if direct else 'kag:contains+'} {host} ."
    if one.kind == "paragraph":
        return f"{host} kag:continues* {one.node} ."
    if one.kind in FLOATS:
        return f"{host} kag:describes? {one.node} ."
    if one.kind == "paper":
        return f"{host} kag:fullText ?t{host[1:]} ."
    raise Unfit(one.kind)


def _cites(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind == "paper":
        entry = slot("reference", f"{two.tag}r", one)
        found, shown = _cites(one, entry, direct)
        raw, own, work = f"?a{two.tag}", f"?b{two.tag}", f"?x{two.tag}"
        cited = f"{one.says(f'{entry.node} biro:references {raw}')} {same_work(raw, work)}"
        names = f"{two.says(f'{two.node} kag:realizes {own}')} {same_work(own, work + 'o')}"
        return f"{found} {cited} {names} FILTER({work} = {work}o && {one.graph} != {two.graph})", shown or entry.node
    if two.kind not in _ENTRIES:
        raise Unfit(two.kind)
    if one.kind == "paper":
        return one.says(f"{two.node} a deo:BibliographicReference"), two.node
    if one.kind == "mention":
        return one.says(f"{one.node} c4o:denotes {two.node}"), ""
    if one.kind == "page":
        raise Unfit(one.kind)
    host, call = f"?o{one.tag}{two.tag}", f"?m{one.tag}{two.tag}"
    found = f"{texts(one, host, direct=direct)} {host} kag:hasMention {call} . {call} c4o:denotes {two.node} ."
    return one.says(found), call


def _refers(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind not in ("section", *FLOATS):
        raise Unfit(two.kind)
    host = f"?o{one.tag}{two.tag}"
    found = f"{texts(one, host, direct=direct)} {host} kag:refersTo {two.node} ."
    own = "" if one.kind == "paragraph" else f"FILTER NOT EXISTS {{ {host} kag:describes {two.node} }}"
    return one.says(f"{found} {own}"), host


def _inside(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind == "paper" and one.kind in _OF_PAPERS:
        top = direct and one.kind == "section"
        return one.says(f"{two.node} kag:contains {one.node}") if top else "", ""
    if two.kind == "section" and one.kind in _PARTS:
        step = "kag:contains" if direct else "kag:contains+"
        return one.says(f"{two.node} {step} {one.node}"), ""
    if two.kind in _TEXTS and one.kind == "mention":
        host = f"?o{one.tag}{two.tag}"
        return one.says(f"{texts(two, host, direct=direct)} {host} kag:hasMention {one.node}"), ""
    if two.kind == "page" and one.kind in _PARTS:
        return "", ""  # they share their node
    raise Unfit(f"{one.kind} in {two.kind}")


def _beside(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    """Entries of one call-out; works of one list."""
    if one.kind == two.kind == "work":
        return f"FILTER({one.id} != {two.id})", two.node
    if one.kind == two.kind == "reference":
        call = f"?m{one.tag}{two.tag}"
        return one.says(f"{call} c4o:denotes {one.node} , {two.node} . FILTER({one.node} != {two.node})"), call
    raise Unfit("beside")
