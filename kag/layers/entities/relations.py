"""Relations between the entities of an abstract, by their positions and the words between them.

A pair of entities is a sequence of one token for the model (`related.crf`: multinomial logistic regression, trained on
BioRED by `scripts/benchmarks/train_entities.py`); its labels are "none" and the kinds of relations.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from kag.layers.entities.identifiers import BIORED
from kag.layers.entities.lexicon import Tokens, tokens
from kag.layers.entities.trained import FOLDER
from kag.layers.values import Entity, Mention, Passage, Relation
from kag.text.crf import Crf, read

NONE = "none"
KINDS = frozenset(BIORED.values())
LEAST = 0.4
"""The least probability of any relation."""
_FAR = 40  # tokens between mentions that are looked at
_BOUNDS = (1, 2, 3, 5, 8, 13, 21)


class Place(NamedTuple):
    """A mention by its tokens, the entity it is of, and that entity's kind."""

    start: int
    end: int
    entity: str
    kind: str


class Related(NamedTuple):
    """Two entities, in the order of the alphabet, the likeliest relation and how likely any is."""

    one: str
    other: str
    kind: str
    score: float


def related(row: Tokens, places: Sequence[Place], model: Crf, least: float = LEAST) -> Iterator[Related]:
    """Return the pairs of entities of a text with a relation above the threshold `least`."""
    pairs = sorted(pair_attributes(row, places).items())
    scores = [model.summed([model.known(attributes)]) for _, attributes in pairs]
    at = model.labels.index(NONE)
    for (pair, _), marginals in zip(pairs, model.marginals(scores), strict=True):
        row_of = marginals[0].copy()
        any_of = 1.0 - float(row_of[at])
        if any_of >= least:
            row_of[at] = 0.0
            yield Related(*pair, model.labels[int(row_of.argmax())], any_of)


def find_relations(passages: Sequence[Passage], entities: Sequence[Entity]) -> tuple[Relation, ...]:
    """Return the relations between genes, diseases, chemicals, variants and so on of a title and abstract, the most
    certain first.

    A relation joins the two mentions that stand nearest to each other; the model knows abstracts only.
    """
    text, shifts = "", {}
    for passage in passages:
        if passage.kind in ("title", "abstract"):
            shifts[passage.node] = len(text)
            text += f"{passage.text} "
    mentions = {
        f"{n}": [mention for mention in entity.mentions if mention.node in shifts]
        for n, entity in enumerate(entities)
        if entity.kind in KINDS
    }
    row = tokens(text)
    places = [_placed(row, shifts, mention, name) for name, some in mentions.items() for mention in some]
    relations = []
    for pair in related(row, places, read(FOLDER / "related.crf"), LEAST):
        head, tail = _nearest(mentions[pair.one], mentions[pair.other], shifts)
        relations.append(Relation(pair.kind, head, tail, round(pair.score, 3), "related"))
    return tuple(sorted(relations, key=lambda one: (-one.score, one.head.start, one.tail.start)))


def _placed(row: Tokens, shifts: Mapping[str, int], mention: Mention, name: str) -> Place:
    shift = shifts[mention.node]
    first = bisect_right(row.starts, mention.start + shift) - 1
    return Place(first, bisect_left(row.ends, mention.end + shift) + 1, name, mention.kind)


def _nearest(ones: Sequence[Mention], others: Sequence[Mention], shifts: Mapping[str, int]) -> tuple[Mention, Mention]:
    def apart(pair: tuple[Mention, Mention]) -> int:
        return abs(shifts[pair[0].node] + pair[0].start - shifts[pair[1].node] - pair[1].start)

    return min(((mention, other) for mention in ones for other in others), key=apart)


def pair_attributes(row: Tokens, places: Sequence[Place]) -> Mapping[tuple[str, str], list[str]]:
    """Return the features of each pair of entities with different names."""
    sentence_of = {n: at for at, (first, last) in enumerate(row.sentences) for n in range(first, last)}
    mentions: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        mentions[place.entity].append(place)
    entities = sorted(mentions)
    found = {}
    for one, other in combinations(entities, 2):
        found[one, other] = _seen(row, mentions[one], mentions[other], sentence_of, len(entities))
    return found


def _seen(
    row: Tokens, ones: Sequence[Place], others: Sequence[Place], sentence_of: Mapping[int, int], entities: int
) -> list[str]:
    kinds = "-".join(sorted((ones[0].kind, others[0].kind)))
    meetings = [
        (one, other)
        for one in ones
        for other in others
        if sentence_of.get(one.start) == sentence_of.get(other.start) and one.start in sentence_of
    ]
    meet = {sentence_of[one.start] for one, _ in meetings}
    last = len(row.sentences) - 1
    counts = sorted((len(ones), len(others)))
    features = [
        f"meet={min(len(meet), 4)}",
        f"few={min(counts[0], 4)}",
        f"many={_bucket(counts[1])}",
        f"of={_bucket(entities)}",
        f"first={0 in meet}",
        f"last={last in meet or last - 1 in meet}",
        f"begins={_begins(ones)}-{_begins(others)}",
        f"meet={min(len(meet), 2)},few={min(counts[0], 3)}",
        f"meet={min(len(meet), 2)},of={_bucket(entities)}",
    ]
    if meetings:
        features += _between(row, *min(meetings, key=_distance))
    return [kinds, *features, *(f"{kinds}|{feature}" for feature in features)]


def _begins(places: Sequence[Place]) -> str:
    return "title" if places[0].start < 25 else "later"


def _distance(pair: tuple[Place, Place]) -> int:
    one, other = sorted(pair)
    return max(0, other.start - one.end)


def _between(row: Tokens, one: Place, other: Place) -> list[str]:
    one, other = sorted((one, other))
    between = [word.lower() for word in row.words[one.end : other.start]][:_FAR]
    around = [
        word.lower() for word in (*row.words[max(0, one.start - 3) : one.start], *row.words[other.end : other.end + 3])
    ]
    return [
        f"far={_bucket(len(between))}",
        f"order={one.kind}",
        *(f"b={word[:6]}" for word in sorted(set(between)) if word[0].isalpha()),
        *(f"a={word[:6]}" for word in sorted(set(around)) if word[0].isalpha()),
    ]


def _bucket(number: int) -> int:
    return sum(number >= bound for bound in _BOUNDS)
