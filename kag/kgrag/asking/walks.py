"""A question read as walks from the nodes that it names to the nodes that it asks for.

The graph allows only some walks between labels; the words of the question choose among them. The words before a name
are read backwards, those after it forwards, and the walk that leaves least unread and unsaid is taken. Costs are whole
numbers that only order."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from kag.kgrag.asking.cues import ASKING, BE, DENYING, Cue, Cues
from kag.kgrag.names import Mention

POINTING = ("this", "that", "these", "those")
JOINTS = ("and", "or", "but", ",", "nor")


@dataclass(frozen=True, slots=True)
class Sides:
    """The cues on both sides of a name, the nearest first, and the labels that are asked for; none: any.

    `asked_behind`: what is asked for stands behind the name.
    """

    before: tuple[Cue, ...]
    behind: tuple[Cue, ...]
    asked: frozenset[str] = frozenset()
    asked_behind: bool = False

    @property
    def says(self) -> bool:
        """Whether the question names an edge."""
        return any(cue.edges for cue in (*self.before, *self.behind))


def sides_of(words: Sequence[str], names: Sequence[Mention], cues: Sequence[Cue]) -> tuple[Sides, ...]:
    """The cues of each name. Between two names an "and" divides them, else all are the second's.

    A name without a verb of its own has what stands before the one before it ("inhibit both A and B"), or what
    stands behind the last ("do A and B need").
    """
    asked = _asked(words, names, cues)
    wanted = asked.labels if asked else frozenset()
    borders = [0, *(_border(words, mention, other) for mention, other in pairwise(names)), len(words)]
    steps: list[Sides] = []
    for place, name in enumerate(names):
        begin, end = borders[place], borders[place + 1]
        before = tuple(cue for cue in reversed(cues) if begin <= cue.start and cue.end <= name.start)
        behind = tuple(cue for cue in cues if name.end <= cue.start and cue.end <= end)
        if steps and not any(cue.edges for cue in before):
            before = (*before, *steps[-1].before)
        elif steps and asked is not None and asked in steps[0].before:
            before = (*before, asked)
        steps.append(Sides(_last(asked, before), _last(asked, behind), wanted, asked in behind))
    return tuple(sides if sides.says else replace(sides, behind=steps[-1].behind) for sides in steps)


def _last(asked: Cue | None, side: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Put the requested kind at the end of a walk, wherever it stands."""
    return (*(cue for cue in side if cue != asked), asked) if asked in side and asked else side


def _border(words: Sequence[str], mention: Mention, other: Mention) -> int:
    return next((at for at in range(mention.end, other.start) if words[at] in JOINTS), mention.end)


def _asked(words: Sequence[str], names: Sequence[Mention], cues: Sequence[Cue]) -> Cue | None:
    """Words for what is asked: "who", the kind after "which", or the first kind named.

    "Who is the language of X" asks for a language.

    What stands beside a name ("the gene X") says what the name is of, and is asked for only behind a "which".
    """
    kinds = [cue for cue in cues if cue.labels]
    behind: Cue | None = None
    for at, word in enumerate(words):
        if word in ASKING:
            own = next((cue for cue in kinds if cue.start == at), None)
            if own:
                kind_cue = _asked_kind(words, kinds, at)
                return kind_cue if kind_cue and not kind_cue.labels & own.labels else own
            behind = behind or next((cue for cue in cues if cue.start > at), None)
            if behind in kinds and not _beside(words, names, behind):
                return behind
    if behind is not None and behind not in kinds:
        return None
    pointed = [cue for cue in kinds if cue.start and words[cue.start - 1] in POINTING]
    plain = [cue for cue in kinds if not cue.edges]
    return next((cue for cue in (*pointed, *plain, *kinds) if not _beside(words, names, cue)), None)


def _asked_kind(words: Sequence[str], kinds: Sequence[Cue], at: int) -> Cue | None:
    """The kind that is asked for in "who is the KIND of"."""
    behind = next((cue for cue in kinds if cue.start > at and tuple(words[cue.end : cue.end + 1]) == ("of",)), None)
    between = words[at + 1 : behind.start] if behind else ()
    return behind if between and between[0] in BE and all(word == "the" for word in between[1:]) else None


def _beside(words: Sequence[str], names: Sequence[Mention], cue: Cue | None) -> bool:
    """Whether only articles stand between a cue and a name."""
    spans = (
        [(cue.end, mention.start) if cue.end <= mention.start else (mention.end, cue.start) for mention in names]
        if cue
        else []
    )
    return any(all(word in ("the", "a", "an") for word in words[start:end]) for start, end in spans)


UNREAD, UNSAID, FORTH, BACK, TURNED, AGAIN, LATE, UNASKED = 6, 5, 3, 2, 2, 1, 1, 8
"""A word that no step says; a step that no word says, the same where the next, said, leads back, or where it leads back
itself ("the same director"), or a role in which nobody was reached; a step against the voice of its verb; a word that
says the last step again; one behind the name read before those before it, where what is asked for stands behind; an end
that is not asked for."""
STEPS = 4
MOST_STATES = 20_000
MOST_TIED = 5
Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ways:
    """Steps between labels: `^` is against an edge's direction."""

    steps: Mapping[str, tuple[tuple[str, str], ...]]

    @classmethod
    def of(cls, ends: Iterable[tuple[str, str, str]]) -> Ways:
        """From (edge label, label of its source, label of its target)."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for label, source, target in sorted(set(ends)):
            found.setdefault(source, {})[label, target] = None
            found.setdefault(target, {})[f"^{label}", source] = None
        return cls({label: tuple(steps) for label, steps in found.items()})


@dataclass(frozen=True, slots=True)
class State:
    """A walk in the making: the label that it is at, its steps, how many cues of each side are read, which are not.

    `owed`: its last step was unsaid, and paid for as if the next one, said, will lead the same way back.
    """

    label: str
    steps: Steps = ()
    before: int = 0
    behind: int = 0
    unread: tuple[int, ...] = ()
    owed: bool = False
    done: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The cheapest walk from a label, and the steps of others that are as long and cost as little."""

    state: State
    cost: int
    others: tuple[Steps, ...] = ()


def search(start: str, sides: Sides, ways: Ways) -> Found | None:
    """The cheapest walk from a label on which all cues are read or paid for (Dijkstra 1959)."""
    border: list[tuple[int, int, int, State]] = [(0, 0, 0, State(start))]
    seen: set[State] = set()
    best: dict[Steps, tuple[int, State]] = {}
    for number in range(1, MOST_STATES):
        if not border:
            break
        cost, hops, _, state = heapq.heappop(border)
        if best and (cost, hops) > _size(best):
            break
        if state.done:
            best.setdefault(state.steps, (cost, state))
        key = replace(state, unread=())
        if state.done or key in seen:
            continue
        seen.add(key)
        for place, (more, after) in enumerate(_moves(state, sides, ways)):
            heapq.heappush(border, (cost + more, len(after.steps), number * 1000 + place, after))
    if not best:
        return None
    (cost, state), *others = list(best.values())[: MOST_TIED + 1]
    return Found(state, cost, tuple(other.steps for _, other in others))


def _size(best: Mapping[Steps, tuple[int, State]]) -> tuple[int, int]:
    cost, state = next(iter(best.values()))
    return cost, len(state.steps)


def _moves(state: State, sides: Sides, ways: Ways) -> Iterator[tuple[int, State]]:
    """Yield the possible next steps with their cost."""
    if state.before < len(sides.before):
        cue = sides.before[state.before]
        yield from _read(replace(state, before=state.before + 1), cue, True, ways)
    if state.behind < len(sides.behind):
        cue = sides.behind[state.behind]
        late = LATE if cue.edges and sides.asked_behind and state.before < len(sides.before) else 0
        for cost, after in _read(replace(state, behind=state.behind + 1), cue, False, ways):
            yield cost + late, after
    for step, label in _steps(state, ways):
        back = bool(state.steps) and step == turned(state.steps[-1]) and not state.owed
        yield (BACK if back else FORTH) + _debt(state, step), _after(state, step, label, owed=not back)
    if state.steps and state.before == len(sides.before) and state.behind == len(sides.behind):
        unasked = UNASKED if sides.asked and state.label not in sides.asked else 0
        yield unasked + _debt(state), replace(state, owed=False, done=True)


def _debt(state: State, step: str = "") -> int:
    """Return the extra cost of an implicit step if the next one does not lead back."""
    return UNSAID - FORTH if state.owed and (not step or step != turned(state.steps[-1])) else 0


def _read(state: State, cue: Cue, before: bool, ways: Ways) -> Iterator[tuple[int, State]]:
    """A cue read: as the kind of node here, as the last step again, as a step, or not at all."""
    if state.label in cue.labels:
        reached = not cue.edges or not state.steps or state.steps[-1].removeprefix("^") in cue.edges
        yield (0 if reached else FORTH), state
    if state.steps and state.steps[-1].removeprefix("^") in cue.edges:
        yield AGAIN, state
    for step, label in _steps(state, ways):
        if step.removeprefix("^") in cue.edges:
            against = label == state.label and cue.forward is not None and _against(step, cue.forward, before)
            yield (TURNED if against else 0) + _debt(state, step), _after(state, step, label)
    yield UNREAD * (cue.end - cue.start), replace(state, unread=(*state.unread, *range(cue.start, cue.end)))


def _steps(state: State, ways: Ways) -> tuple[tuple[str, str], ...]:
    return ways.steps.get(state.label, ()) if len(state.steps) < STEPS else ()


def _after(state: State, step: str, label: str, *, owed: bool = False) -> State:
    return replace(state, label=label, steps=(*state.steps, step), owed=owed)


def turned(step: str) -> str:
    """The step back.

    >>> turned("inhibits"), turned("^inhibits")
    ('^inhibits', 'inhibits')
    """
    return step[1:] if step.startswith("^") else f"^{step}"


def _against(step: str, forward: bool, before: bool) -> bool:
    """Whether a step is against the voice: "which tasks need X" leads back from X, "which does X need" leads on."""
    return step.startswith("^") is not (before is forward)


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
        """Return all steps that the words may mean."""
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
    readings: list[Reading] = []
    for names in _choices(mentions, words, cues):
        found_cues, unread = cues.read(lowered, [at for name in names for at in range(name.start, name.end)])
        if found_cues:
            readings += _readings(lowered, names, found_cues, unread, labels, ways)
    return tuple(sorted(readings, key=lambda one: (one.cost, sum(len(walk.steps) for walk in one.walks))))


def _choices(mentions: Sequence[Mention], words: Sequence[str], cues: Cues) -> Iterator[tuple[Mention, ...]]:
    """Sets of names that do not overlap, the largest first: some may be mere words of the question."""
    whole = longest(mention for mention in mentions if not _mere_words(mention, words, cues)) or longest(mentions)
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
    for mention in sorted(mentions, key=lambda m: (not m.exact, -m.length, m.start)):
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: m.start))


def _readings(
    words: Sequence[str],
    names: Sequence[Mention],
    cues: Sequence[Cue],
    unread: Sequence[int],
    labels: Mapping[str, str],
    ways: Ways,
) -> Iterator[Reading]:
    """The readings with these names: one for each label that the nodes of the first have."""
    each = [_walks(name, sides, labels, ways) for name, sides in zip(names, sides_of(words, names, cues), strict=True)]
    every = not any("or" in words[mention.end : other.start] for mention, other in pairwise(names))
    denials = {
        at: place
        for place, (mention, other) in enumerate(pairwise(names), start=1)
        for at in range(mention.end, other.start)
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
            not left and not any(one.others for one in found) and not any(cue.faint for cue in cues),
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
