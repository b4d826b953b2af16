"""Claims of different papers put side by side: which say the same, which support or contradict each other.

Pairs are those that share rare words. Whether one bears the other is what a checker says (`kag.values.verdict`), which
is handed in; a contradiction needs more than its word: the two must deny or compare differently in nearly the same
words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from kag.layers.values import Claim
from kag.text.search_text import stems
from kag.values.verdict import Case, Context, Hear, Quote, Verdict

STATED = frozenset(("result", "conclusion", "hypothesis"))
SHARED = 0.3  # least share of a claim's words, weighed by rarity, that a pair has in common
ALIKE = 0.65  # least such share, both ways, of claims that say the same
AGAINST = 0.5  # least such share, of one, of claims that contradict each other
SURE = 0.6  # least probability of a support by the checker
MOST = 10  # claims that one is put beside
_COMMON = 0.2  # share of claims from which on a word brings no pair together
_OPPOSED = frozenset((frozenset(("more", "less")), frozenset(("more", "equal")), frozenset(("less", "equal"))))


@dataclass(frozen=True, slots=True)
class Link:
    """`first` (of paper `from_paper`) stands to `second` (of `to_paper`) as `kind` says: "same", "supports" or
    "contradicts"; `score` is how sure the named checker is of that, in [0, 1]."""

    from_paper: str
    first: Claim
    to_paper: str
    second: Claim
    kind: str
    score: float
    checker: str


@dataclass(frozen=True, slots=True)
class _Stated:
    paper: str
    claim: Claim
    words: frozenset[str]


def compare_claims(papers: Mapping[str, Sequence[Claim]], hear: Hear) -> tuple[Link, ...]:
    """What claims of different papers say to each other, in the order of the papers."""
    stated = [
        _Stated(paper, claim, frozenset(stems(claim.sentence.text)))
        for paper, claims in papers.items()
        for claim in claims
        if claim.role in STATED
    ]
    pairs = _pairs(stated)
    heard = [*hear([_case(stated[a], stated[b]) for a, b, _, _ in pairs])]
    back = [*hear([_case(stated[b], stated[a]) for a, b, _, _ in pairs])]
    found = []
    for (a, b, ours, theirs), one, other in zip(pairs, heard, back, strict=True):
        found += _links(stated[a], stated[b], (ours, theirs), one, other)
    return tuple(found)


def _case(claim: _Stated, evidence: _Stated) -> Case:
    return claim.claim.sentence.text, (Quote(evidence.claim.sentence.text),), Context()


def _pairs(stated: Sequence[_Stated]) -> list[tuple[int, int, float, float]]:
    """Pairs of claims of different papers with the share of each one's words that the other has."""
    counts = Counter(word for one in stated for word in one.words)
    weight = {word: log((len(stated) + 1) / count) for word, count in counts.items()}
    holders: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(stated):
        for word in one.words:
            if counts[word] > 1 and (counts[word] <= max(2, _COMMON * len(stated))):
                holders[word].append(at)
    total = [sum(weight[word] for word in one.words) or 1.0 for one in stated]
    found = {(min(at, other), max(at, other)) for at in range(len(stated)) for other in _near(at, stated, holders)}
    pairs = []
    for a, b in sorted(found):
        common = sum(weight[word] for word in stated[a].words & stated[b].words)
        if max(common / total[a], common / total[b]) >= SHARED:
            pairs.append((a, b, common / total[a], common / total[b]))
    return pairs


def _near(at: int, stated: Sequence[_Stated], holders: Mapping[str, Sequence[int]]) -> list[int]:
    """The claims of other papers that share most rare words with one."""
    shared = Counter(other for word in stated[at].words for other in holders.get(word, ()))
    others = [item for item in shared.items() if stated[item[0]].paper != stated[at].paper]
    return [other for other, _ in sorted(others, key=lambda item: (-item[1], item[0]))[:MOST]]


def _links(
    a: _Stated, b: _Stated, alike: tuple[float, float], one: Verdict | None, other: Verdict | None
) -> list[Link]:
    """What a pair is, given what the checker says of `a` by `b`, and of `b` by `a`."""
    known = [verdict for verdict in (one, other) if verdict]
    if not known:
        return []
    if opposed(a.claim, b.claim):
        against = [verdict for verdict in known if verdict.status == "contradicted"]
        score = max((1 - verdict.score for verdict in against), default=0.0)
        return [_link(a, b, "contradicts", score, against[0].checker)] if against and max(alike) >= AGAINST else []
    borne = [
        verdict is not None and verdict.status == "supported" and verdict.score >= SURE for verdict in (one, other)
    ]
    if all(borne) and min(alike) >= ALIKE:
        return [_link(a, b, "same", min(verdict.score for verdict in known), known[0].checker)]
    found = []
    if borne[0] and one:
        found.append(_link(b, a, "supports", one.score, one.checker))
    if borne[1] and other:
        found.append(_link(a, b, "supports", other.score, other.checker))
    return found


def opposed(a: Claim, b: Claim) -> bool:
    """Whether one denies or compares otherwise than the other."""
    ways = frozenset((a.direction, b.direction))
    return (a.polarity != b.polarity) != (ways in _OPPOSED)


def _link(a: _Stated, b: _Stated, kind: str, score: float, checker: str) -> Link:
    return Link(a.paper, a.claim, b.paper, b.claim, kind, round(score, 3), checker)
