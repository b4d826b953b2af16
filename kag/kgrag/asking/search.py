"""The walk over labels that a question's words say best.

A walk is a mixture of the words before a name, read backwards, and those behind it, read forwards, in which each word
says a step, or the kind of node that a step leads to. Costs are whole numbers that only order.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kag.kgrag.asking.cues import Cue
from kag.kgrag.asking.sides import Sides

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
    """Which steps lead from a label to which labels: `^` is against an edge's direction."""

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
    """Cost and length of the best walks."""
    cost, state = next(iter(best.values()))
    return cost, len(state.steps)


def _moves(state: State, sides: Sides, ways: Ways) -> Iterator[tuple[int, State]]:
    """What may come next, with its cost."""
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
    """What an unsaid step costs more when the next one does not lead back."""
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
