"""Which words of a question belong to which of the names in it: those that stand before and behind each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kag.domains.asking.cues import ASKING, Cue
from kag.domains.names import Mention

JOINTS = ("and", "or", "but", ",", "nor")


@dataclass(frozen=True, slots=True)
class Sides:
    """The cues on both sides of a name, the nearest first, and the labels that are asked for; none: any."""

    before: tuple[Cue, ...]
    behind: tuple[Cue, ...]
    asked: frozenset[str] = frozenset()

    @property
    def says(self) -> bool:
        """Whether some edge is said."""
        return any(cue.edges for cue in (*self.before, *self.behind))


def sides_of(words: Sequence[str], names: Sequence[Mention], said: Sequence[Cue]) -> tuple[Sides, ...]:
    """The cues of each name. Between two names an "and" divides them, else all are the second's.

    A name without a verb of its own has what stands before the one before it ("inhibit both A and B"), or what
    stands behind the last ("do A and B need").
    """
    asked = _asked(words, said)
    wanted = asked.labels if asked else frozenset()
    borders = [0, *(_border(words, one, other) for one, other in pairwise(names)), len(words)]
    found: list[Sides] = []
    for place, name in enumerate(names):
        begin, end = borders[place], borders[place + 1]
        before = tuple(cue for cue in reversed(said) if begin <= cue.start and cue.end <= name.start)
        behind = tuple(cue for cue in said if name.end <= cue.start and cue.end <= end)
        if found and not any(cue.edges for cue in before):
            before = (*before, *found[-1].before)
        elif found and asked is not None and asked in found[0].before:
            before = (*before, asked)
        found.append(Sides(before, behind, wanted))
    return tuple(one if one.says else replace(one, behind=found[-1].behind) for one in found)


def _border(words: Sequence[str], one: Mention, other: Mention) -> int:
    """Where the words of one name end and those of the next begin."""
    return next((at for at in range(one.end, other.start) if words[at] in JOINTS), one.end)


def _asked(words: Sequence[str], said: Sequence[Cue]) -> Cue | None:
    """The words that say what is asked for: a "who" itself, the kind behind a "which", else the first kind named."""
    kinds = [cue for cue in said if cue.labels]
    for at, word in enumerate(words):
        if word in ASKING:
            own = next((cue for cue in kinds if cue.start == at), None)
            behind = next((cue for cue in said if cue.start > at), None)
            if own or (behind in kinds):
                return own or behind
    return kinds[0] if kinds else None
