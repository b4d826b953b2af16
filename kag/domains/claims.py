"""What a graph says of a sentence: supported, contradicted, or not known. "Not in the graph" is not "false".

A sentence is read where it names two nodes and says, in words that the domain gives for an edge, how they are linked:
`Pethidine inhibits GRIN2C protein`. It is contradicted only by a rule: an edge that excludes the one claimed
(`one_sign`) leads between the same nodes, and the claimed one does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kag.domains.domain import Domain
from kag.domains.names import MOST_WORDS, Names, words_of
from kag.domains.rules import DeclaredRule
from kag.graph.engine import GraphEngine

Answer = Literal["supported", "contradicted", "not known"]
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'A-Z0-9(])")
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|n't)\b", re.IGNORECASE)
LONGEST_DRAFT = 1_000_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a sentence; `edges` decide it, `rule` names why an edge speaks against it."""

    sentence: str
    answer: Answer
    edges: tuple[str, ...] = ()
    rule: str = ""
    claims: tuple[tuple[str, str, str], ...] = ()


def check_draft(domain: Domain, graph: GraphEngine, draft: str) -> tuple[Verdict, ...]:
    """A verdict for each sentence of a draft."""
    names = Names(domain, graph)
    return tuple(check_sentence(domain, graph, names, one) for one in sentences_of(draft))


def sentences_of(draft: str) -> tuple[str, ...]:
    """The sentences of a draft."""
    lines = draft[:LONGEST_DRAFT].splitlines()
    return tuple(one.strip() for line in lines for one in _SENTENCE.split(line) if one.strip())


def check_sentence(domain: Domain, graph: GraphEngine, names: Names, sentence: str) -> Verdict:
    """The verdict on one sentence. One that denies is not read: the graph says what is, not what is not."""
    claims = tuple(dict.fromkeys(_claims(domain, graph, names, sentence)))
    if not claims or _NEGATION.search(sentence):
        return Verdict(sentence, "not known")
    links = {claim: graph.find_edges(*claim) for claim in claims}
    found = tuple(edge for edges in links.values() for edge in edges)
    if found:
        return Verdict(sentence, "supported", found, "", tuple(claim for claim, edges in links.items() if edges))
    for label, source, target in claims:
        for rule, other in _excluding(domain, label):
            against = graph.find_edges(other, source, target)
            if against:
                return Verdict(sentence, "contradicted", against, rule, claims)
    return Verdict(sentence, "not known", (), "", claims)


def _excluding(domain: Domain, label: str) -> Iterator[tuple[str, str]]:
    """The labels that cannot be where this one is, each with the rule that says so."""
    for rule in domain.rules:
        if isinstance(rule, DeclaredRule) and rule.kind == "one_sign" and label in rule.edges:
            yield from ((rule.name, other) for other in rule.edges if other != label)


def _claims(domain: Domain, graph: GraphEngine, names: Names, sentence: str) -> Iterator[tuple[str, str, str]]:
    """Each (label, source, target) that the sentence may say: a name, a phrase, and a name after it.

    Where one name is of several nodes, all that the edge may link are meant; the word after a name (`protein`) or
    before it (`the gene`) that is a label leaves only nodes of that label.
    """
    words = words_of(sentence)
    labels = {label.casefold(): label for label in domain.schema.node_labels}
    for at in range(len(words)):
        for label, turned, after in _phrases(domain, words, at):
            before = _ending_at(graph, names, words, at, labels)
            behind = _beginning_at(graph, names, words, after, labels)
            for first in before:
                for second in behind:
                    ends = (second, first) if turned else (first, second)
                    if _may_link(domain, graph, label, *ends):
                        yield label, *ends


def _phrases(domain: Domain, words: tuple[str, ...], at: int) -> list[tuple[str, bool, int]]:
    """The edges whose phrase begins at a word, only those of the longest phrase: label, turned, where it ends."""
    found = []
    for label, phrases in domain.phrases.items():
        for phrase in phrases:
            said = words_of(phrase.removeprefix("^"))
            if said and words[at : at + len(said)] == said:
                found.append((label, phrase.startswith("^"), at + len(said)))
    longest = max((end for _, _, end in found), default=0)
    return [one for one in found if one[2] == longest]


SMALL = frozenset({"the", "a", "an", "of", "both", "pathway", "in"})


def _ending_at(
    graph: GraphEngine, names: Names, words: tuple[str, ...], end: int, labels: Mapping[str, str]
) -> tuple[str, ...]:
    """The nodes whose name stands just before a place; a label between them chooses."""
    ends = [end]
    wanted = ""
    if end and words[end - 1] in labels:
        ends.append(end - 1)
    for stop in ends:
        for start in range(max(stop - MOST_WORDS, 0), stop):
            for over, nodes in names.named(words, start):
                if over == stop:
                    wanted = labels[words[stop]] if stop < end else _label_before(words, start, labels)
                    return _of_label(graph, nodes, wanted)
    return ()


def _beginning_at(
    graph: GraphEngine, names: Names, words: tuple[str, ...], start: int, labels: Mapping[str, str]
) -> tuple[str, ...]:
    """The nodes whose name begins at a place, or after small words there."""
    while start < len(words):
        for over, nodes in names.named(words, start):
            after = labels.get(words[over], "") if over < len(words) else ""
            return _of_label(graph, nodes, after or _label_before(words, start, labels))
        if words[start] not in SMALL and words[start] not in labels:
            return ()
        start += 1
    return ()


def _label_before(words: tuple[str, ...], at: int, labels: Mapping[str, str]) -> str:
    return labels.get(words[at - 1], "") if at else ""


def _of_label(graph: GraphEngine, nodes: Iterable[str], label: str) -> tuple[str, ...]:
    found = tuple(node for node in nodes if not label or graph.node(node).label == label)
    return found or tuple(nodes)


def _may_link(domain: Domain, graph: GraphEngine, label: str, source: str, target: str) -> bool:
    allowed = domain.schema.ends(label)
    ends = graph.node(source).label, graph.node(target).label
    return not allowed or any(s in ("*", ends[0]) and t in ("*", ends[1]) for s, t in allowed)
