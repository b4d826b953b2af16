"""Questions whether an edge is there: "Does A inhibit B?" Yes, no by a rule, or the graph does not say."""

from __future__ import annotations

from itertools import product

from kag.kgrag.against import Claim, against
from kag.kgrag.asking.answers import LONGEST, Asking
from kag.kgrag.asking.cues import DENYING, Cue
from kag.kgrag.claims import Verdict
from kag.kgrag.names import Mention, spelled

BEGINNINGS = frozenset(("is", "are", "was", "were", "do", "does", "did", "can", "has", "have"))


def whether(asking: Asking, question: str) -> Verdict | None:
    """The verdict on what is asked; None where it is no such question, or not all of it is read."""
    words = [word.casefold() for word in spelled(question[:LONGEST])]
    names = asking.mentions(question)
    if not words or words[0] not in BEGINNINGS or len(names) != 2 or DENYING & set(words):
        return None
    said, unread = asking.cues.read(words, [at for name in names for at in range(name.start, name.end)])
    verbs = [cue for cue in said if cue.edges]
    if unread or len(verbs) != 1:
        return None
    claims = _claims(asking, names[0], names[1], verbs[0])
    edges = tuple(edge for claim in claims for edge in asking.graph.find_edges(*claim))
    if edges:
        return Verdict(question, "supported", edges, "", claims)
    found = [against(asking.domain, asking.graph, claim) for claim in claims]
    if found and found[0] is not None and all(found):
        return Verdict(question, "contradicted", found[0][1], found[0][0], claims)
    return Verdict(question, "not known", (), "", claims)


def _claims(asking: Asking, one: Mention, other: Mention, verb: Cue) -> tuple[Claim, ...]:
    """The edges that are asked for: from the first to the second, turned for a passive, or where only that can be."""
    found: list[Claim] = []
    nodes = asking.graph.tables.nodes
    for label, first, second in product(sorted(verb.edges), one.nodes, other.nodes):
        if first == second:
            continue
        steps = asking.ways.steps.get(nodes[first].label, ())
        on = (label, nodes[second].label) in steps
        back = (f"^{label}", nodes[second].label) in steps
        between = one.end <= verb.start and verb.end <= other.start
        if on and not (back and between and verb.forward is False):
            found.append((label, first, second))
        if back and not (on and between and verb.forward is not False):
            found.append((label, second, first))
    return tuple(found)
