"""Verdicts of a graph on sentences: supported, contradicted, or not known. Not in the graph is not false.

A sentence is read where it names nodes and says how they are linked, in the words that the domain gives for an edge:
`Pethidine inhibits GRIN2C protein and NISCH protein`. It is supported if all that it says is in the graph. It is
contradicted if a rule allows no such edge beside those that are there (`against`), or if it denies one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from kag.kgrag.domain import Domain
from kag.kgrag.names import Names, words_of
from kag.kgrag.rules import DeclaredRule, out_of_order
from kag.retrieval.property_graph.engine import GraphEngine

Claim = tuple[str, str, str]
"""Label, source and target of an edge that somebody says there is."""
Against = tuple[str, tuple[str, ...]]
"""The name of a rule, and the edges that decide."""


def against(domain: Domain, graph: GraphEngine, claim: Claim) -> Against | None:
    """The first rule that an edge, added to the graph, would break, with the edges that break it; None: nothing.

    Of rules whose breach is a warning only `one_sign` speaks against an edge.
    """
    label, source, target = claim
    for rule in domain.rules:
        if not isinstance(rule, DeclaredRule) or label not in rule.edges or rule.kind not in KINDS:
            continue
        found = next(KINDS[rule.kind](rule, graph, claim), None)
        if found is not None and (rule.severity == "error" or rule.kind == "one_sign"):
            return rule.name, found
    if label in domain.single:
        others = tuple(e.id for e in graph.edges_of(source, direction="out", edge_labels=[label]) if e.target != target)
        return (f"single {label}", others) if others else None
    return None


def _one_sign(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """An edge of another label of the rule between the same two."""
    label, source, target = claim
    for edge in rule.edges:
        found = graph.find_edges(edge, source, target) if edge != label else ()
        if found:
            yield found


def _acyclic(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """A way back from the target to the source."""
    _, source, target = claim
    way = graph.shortest_links(target, source, edge_labels=rule.edges, direction="out") if source != target else None
    if way:
        yield tuple(edge.id for edge in way)


def _no_self(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """The edge itself, where both ends are one."""
    if claim[1] == claim[2]:
        yield ()


def _at_most_one(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """Such an edge of the same node with another one."""
    _, source, target = claim
    for node, other, side in ((source, target, "out"), (target, source, "in")):
        known = graph.node(node)
        if rule.direction not in (side, "both") or (rule.node not in ("", "*", known.label)):
            continue
        if rule.unless and known.props.get(rule.unless):
            continue
        links = graph.edges_of(node, direction=rule.direction, edge_labels=rule.edges)
        found = tuple(link.id for link in links if link.other(node) != other)
        if found:
            yield found


def _ordered(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """The wrong order of the two."""
    source, target = (graph.node(end).props for end in claim[1:])
    if out_of_order(rule, source, target):
        yield ()


KINDS: Mapping[str, Callable[[DeclaredRule, GraphEngine, Claim], Iterator[tuple[str, ...]]]] = {
    "one_sign": _one_sign,
    "acyclic": _acyclic,
    "no_self": _no_self,
    "at_most_one": _at_most_one,
    "ordered": _ordered,
}


Answer = Literal["supported", "contradicted", "not known"]
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'A-Z0-9(])")
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\s*\b(?:(?:do|does|did|can) not|cannot|(?:do|does|did)n['’]t|(?<=is )not|(?<=are )not|never)\b", re.IGNORECASE
)
DENIED = "denied"
"""What is told as the rule where a sentence denies an edge that is there."""
LONGEST_DRAFT = 1_000_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a sentence; `edges` decide it, `rule` names why an edge contradicts it."""

    sentence: str
    answer: Answer
    edges: tuple[str, ...] = ()
    rule: str = ""
    claims: tuple[Claim, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        decided = {"edges": list(self.edges), "rule": self.rule, "claims": [list(claim) for claim in self.claims]}
        return {"sentence": self.sentence, "answer": self.answer, **decided}


def check_draft(domain: Domain, graph: GraphEngine, draft: str) -> tuple[Verdict, ...]:
    """A verdict for each sentence of a draft."""
    names = Names(domain, graph)
    return tuple(check_sentence(domain, graph, names, one) for one in sentences_of(draft))


def sentences_of(draft: str) -> tuple[str, ...]:
    """The sentences of a draft."""
    lines = draft[:LONGEST_DRAFT].splitlines()
    return tuple(one.strip() for line in lines for one in _SENTENCE.split(line) if one.strip())


def check_sentence(domain: Domain, graph: GraphEngine, names: Names, sentence: str) -> Verdict:
    """Return the verdict on one sentence. A negated sentence is read only if it makes one statement."""
    denials = _NEGATION.findall(sentence)
    affirmed, count = _DENIAL.subn("", sentence) if len(denials) == 1 else (sentence, 0)
    groups = tuple(dict.fromkeys(_claims(domain, graph, names, affirmed)))
    claims = tuple(dict.fromkeys(claim for group in groups for claim in group))
    if not groups or (denials and (count != 1 or len(groups) > 1)):
        return Verdict(sentence, "not known")
    edges = [tuple(edge for claim in group for edge in graph.find_edges(*claim)) for group in groups]
    if denials:
        denied = Verdict(sentence, "contradicted", edges[0], DENIED, claims)
        return denied if edges[0] else Verdict(sentence, "not known", (), "", claims)
    if all(edges):
        known = tuple(claim for claim in claims if graph.find_edges(*claim))
        return Verdict(sentence, "supported", tuple(dict.fromkeys(e for some in edges for e in some)), "", known)
    for group, there in zip(groups, edges, strict=True):
        found = [against(domain, graph, claim) for claim in group] if not there else [None]
        if found[0] is not None and all(found):
            return Verdict(sentence, "contradicted", found[0][1], found[0][0], group)
    return Verdict(sentence, "not known", (), "", claims)


def _claims(domain: Domain, graph: GraphEngine, names: Names, sentence: str) -> Iterator[tuple[Claim, ...]]:
    """Yield all (label, source, target) that the sentence states, each with its alternatives: names before a phrase,
    and names behind it.

    Where one name is of several nodes, all that the edge may link are meant; the word after a name (`protein`) or
    before it (`the gene`) that is a label leaves only nodes of that label.
    """
    words = words_of(sentence)
    listed = _Listed(domain, graph, names, words)
    phrases: dict[tuple[int, int], list[tuple[str, bool]]] = {}
    for at in range(len(words)):
        for label, turned, after in _phrases(domain, words, at):
            phrases.setdefault((at, after), []).append((label, turned))
    starts, ends = {at for at, _ in phrases}, {after for _, after in phrases}
    for (at, after), alternatives in phrases.items():
        for subjects, objects in product(listed.before(at, ends), listed.behind(after, starts)):
            group = []
            for label, turned in alternatives:
                pairs = product(objects, subjects) if turned else product(subjects, objects)
                group += [(label, *pair) for pair in pairs if _may_link(domain, graph, label, *pair)]
            if group:
                yield tuple(group)


def _phrases(domain: Domain, words: tuple[str, ...], at: int) -> list[tuple[str, bool, int]]:
    """The edges whose phrase begins at a word, only those of the longest phrase: label, turned, where it ends."""
    found = []
    for label, phrases in domain.phrases.items():
        for phrase in phrases:
            phrase_words = words_of(phrase.removeprefix("^"))
            if phrase_words and words[at : at + len(phrase_words)] == phrase_words:
                found.append((label, phrase.startswith("^"), at + len(phrase_words)))
    longest = max((end for _, _, end in found), default=0)
    return [one for one in found if one[2] == longest]


SMALL = frozenset({"the", "a", "an", "of", "both", "pathway", "in"})
JOINTS = frozenset(("and", ",", "or"))


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in a sentence: its words with the label behind it, and its nodes."""

    start: int
    end: int
    nodes: tuple[str, ...]


class _Listed:
    """The lists of names before and behind the phrases of a sentence."""

    def __init__(self, domain: Domain, graph: GraphEngine, names: Names, words: tuple[str, ...]) -> None:
        self._words, self._graph = words, graph
        self._labels = {label.casefold(): label for label in domain.schema.node_labels}
        self._names = [self._name(at, end, nodes) for at in range(len(words)) for end, nodes in names.named(words, at)]

    def _name(self, start: int, end: int, nodes: tuple[str, ...]) -> _Name:
        behind = self._labels.get(self._words[end], "") if end < len(self._words) else ""
        label = behind or (self._labels.get(self._words[start - 1], "") if start else "")
        wanted = tuple(node for node in nodes if not label or self._graph.node(node).label == label)
        return _Name(start, end + bool(behind), wanted or nodes)

    def before(self, end: int, others: Container[int]) -> list[tuple[str, ...]]:
        """The nodes of each name of a list that ends at a place, the last first; not of one behind another phrase."""
        found: list[tuple[str, ...]] = []
        while name := next((one for one in self._names if one.end == end), None):
            begin = name.start
            while begin and self._is_small(begin - 1):
                begin -= 1
            if found and begin in others:
                break
            found.append(name.nodes)
            end = begin
            while end and self._words[end - 1] in JOINTS:
                end -= 1
            if end == begin:
                break
        return found

    def behind(self, start: int, others: Container[int]) -> list[tuple[str, ...]]:
        """The nodes of each name of a list that begins at a place; not of one before another phrase."""
        found: list[tuple[str, ...]] = []
        while name := self._name_at(start):
            if found and name.end in others:
                break
            found.append(name.nodes)
            start = name.end
            while start < len(self._words) and self._words[start] in JOINTS:
                start += 1
            if start == name.end:
                break
        return found

    def _name_at(self, start: int) -> _Name | None:
        """The longest name at a place, or behind small words there."""
        while start < len(self._words):
            name = next((one for one in self._names if one.start == start), None)
            if name is not None or not self._is_small(start):
                return name
            start += 1
        return None

    def _is_small(self, at: int) -> bool:
        return self._words[at] in SMALL or self._words[at] in self._labels


def _may_link(domain: Domain, graph: GraphEngine, label: str, source: str, target: str) -> bool:
    allowed = domain.schema.ends(label)
    ends = graph.node(source).label, graph.node(target).label
    return not allowed or any(s in ("*", ends[0]) and t in ("*", ends[1]) for s, t in allowed)
