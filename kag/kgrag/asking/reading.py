"""A question read as walks from the nodes that it names to the nodes that it asks for.

Between a name and what is asked for the graph allows only some walks; the words choose among them (`search`). Which
words are names is chosen with it: the reading that leaves least unread and unsaid is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from kag.kgrag.asking.cues import DENYING, Cue, Cues
from kag.kgrag.asking.search import UNREAD, Found, Steps, Ways, search
from kag.kgrag.asking.sides import Sides, sides_of
from kag.kgrag.names import Mention

MOST_NAMES = 6
MOST_WALKS = 3


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps from the nodes of a name: labels of edges, `^` against their direction; the label where they end.

    `also` are steps that the words say as well; `denied`: what they lead to is no answer.
    """

    nodes: tuple[str, ...]
    steps: Steps
    end: str
    also: tuple[Steps, ...] = ()
    denied: bool = False

    @property
    def paths(self) -> tuple[Steps, ...]:
        """All steps that the words may say."""
        return (self.steps, *self.also)


@dataclass(frozen=True, slots=True)
class Reading:
    """Walks whose ends are the answers: what all have in common, or, without `every`, what any leads to.

    `unread` are words that said nothing; `sure`: there are none, and no other walk is said as well.
    """

    walks: tuple[Walk, ...]
    every: bool = True
    unread: tuple[str, ...] = ()
    cost: int = 0
    sure: bool = False


def read_question(
    words: Sequence[str], mentions: Sequence[Mention], labels: Mapping[str, str], cues: Cues, ways: Ways
) -> tuple[Reading, ...]:
    """The readings of a question, the best first; `labels` are those of the nodes that it may name."""
    lowered = tuple(word.casefold() for word in words)
    found: list[Reading] = []
    for names in _choices(mentions, words, cues):
        said, unread = cues.read(lowered, [at for name in names for at in range(name.start, name.end)])
        if said:
            found += _readings(lowered, names, said, unread, labels, ways)
    return tuple(sorted(found, key=lambda one: (one.cost, sum(len(walk.steps) for walk in one.walks))))


def _choices(mentions: Sequence[Mention], words: Sequence[str], cues: Cues) -> Iterator[tuple[Mention, ...]]:
    """Sets of names that do not overlap, the largest first: some may be mere words of the question."""
    whole = longest(one for one in mentions if not _mere_words(one, words, cues)) or longest(mentions)
    for size in range(min(len(whole), MOST_WALKS), 0, -1):
        yield from combinations(whole[:MOST_NAMES], size)


def _mere_words(mention: Mention, words: Sequence[str], cues: Cues) -> bool:
    """Whether a name is no more than words of the question, such as of a thing called `film`; capitals tell."""
    spelled = words[mention.start : mention.end]
    if mention.exact and any(word[:1].isupper() or word[:1].isdigit() for word in spelled):
        return False
    return not cues.read([word.casefold() for word in spelled])[1]


def longest(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Those that do not overlap: spelled as the name is before others, then the longest, then the first."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda m: (not m.exact, -m.length, m.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda m: m.start))


def _readings(
    words: Sequence[str],
    names: Sequence[Mention],
    said: Sequence[Cue],
    unread: Sequence[int],
    labels: Mapping[str, str],
    ways: Ways,
) -> Iterator[Reading]:
    """The readings with these names: one for each label that the nodes of the first have."""
    each = [_walks(name, sides, labels, ways) for name, sides in zip(names, sides_of(words, names, said), strict=True)]
    every = not any("or" in words[one.end : other.start] for one, other in pairwise(names))
    denials = {
        at: place
        for place, (one, other) in enumerate(pairwise(names), start=1)
        for at in range(one.end, other.start)
        if words[at] in DENYING
    }
    for first in each[0] if all(each) else ():
        rest = [next((one for one in walks if one[1].end == first[1].end), walks[0]) for walks in each[1:]]
        found = [one for one, _ in (first, *rest)]
        left = sorted(({at for one in found for at in one.state.unread} | set(unread)) - denials.keys())
        cost = UNREAD * len(set(unread) - denials.keys()) + sum(one.cost for one in found)
        walks = [replace(walk, denied=place in denials.values()) for place, (_, walk) in enumerate((first, *rest))]
        yield Reading(
            tuple(walks),
            every,
            tuple(words[at] for at in left),
            cost,
            not left and not any(one.others for one in found) and not any(cue.faint for cue in said),
        )


def _walks(name: Mention, sides: Sides, labels: Mapping[str, str], ways: Ways) -> list[tuple[Found, Walk]]:
    """The best walk from the nodes of a name for each label that they have, the cheapest first."""
    walks = []
    for label in dict.fromkeys(labels[node] for node in name.nodes):
        found = search(label, sides, ways)
        if found is not None:
            nodes = tuple(node for node in name.nodes if labels[node] == label)
            walks.append((found, Walk(nodes, found.state.steps, found.state.label, found.others)))
    return sorted(walks, key=lambda one: one[0].cost)
