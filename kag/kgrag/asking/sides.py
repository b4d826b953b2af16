"""Which words of a question belong to which of the names in it: those that stand before and behind each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kag.kgrag.asking.cues import ASKING, BE, Cue
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
        """Whether some edge is said."""
        return any(cue.edges for cue in (*self.before, *self.behind))


def sides_of(words: Sequence[str], names: Sequence[Mention], said: Sequence[Cue]) -> tuple[Sides, ...]:
    """The cues of each name. Between two names an "and" divides them, else all are the second's.

    A name without a verb of its own has what stands before the one before it ("inhibit both A and B"), or what
    stands behind the last ("do A and B need").
    """
    asked = _asked(words, names, said)
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
        found.append(Sides(_last(asked, before), _last(asked, behind), wanted, asked in behind))
    return tuple(one if one.says else replace(one, behind=found[-1].behind) for one in found)


def _last(asked: Cue | None, side: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """What is asked for ends a walk, wherever it stands."""
    return (*(cue for cue in side if cue != asked), asked) if asked in side and asked else side


def _border(words: Sequence[str], one: Mention, other: Mention) -> int:
    """Where the words of one name end and those of the next begin."""
    return next((at for at in range(one.end, other.start) if words[at] in JOINTS), one.end)


def _asked(words: Sequence[str], names: Sequence[Mention], said: Sequence[Cue]) -> Cue | None:
    """The words that say what is asked for: a "who" itself, the kind behind a "which", else the first kind told.

    "Who is the language of X" asks for a language.

    What stands beside a name ("the gene X") says what the name is of, and is asked for only behind a "which".
    """
    kinds = [cue for cue in said if cue.labels]
    behind: Cue | None = None
    for at, word in enumerate(words):
        if word in ASKING:
            own = next((cue for cue in kinds if cue.start == at), None)
            if own:
                told = _said_to_be(words, kinds, at)
                return told if told and not told.labels & own.labels else own
            behind = behind or next((cue for cue in said if cue.start > at), None)
            if behind in kinds and not _beside(words, names, behind):
                return behind
    if behind is not None and behind not in kinds:
        return None
    pointed = [cue for cue in kinds if cue.start and words[cue.start - 1] in POINTING]
    plain = [cue for cue in kinds if not cue.edges]
    return next((cue for cue in (*pointed, *plain, *kinds) if not _beside(words, names, cue)), None)


def _said_to_be(words: Sequence[str], kinds: Sequence[Cue], at: int) -> Cue | None:
    """The kind that is asked for in "who is the KIND of"."""
    behind = next((cue for cue in kinds if cue.start > at and tuple(words[cue.end : cue.end + 1]) == ("of",)), None)
    between = words[at + 1 : behind.start] if behind else ()
    return behind if between and between[0] in BE and all(word == "the" for word in between[1:]) else None


def _beside(words: Sequence[str], names: Sequence[Mention], cue: Cue | None) -> bool:
    """Whether only articles stand between a cue and a name."""
    spans = [(cue.end, one.start) if cue.end <= one.start else (one.end, cue.start) for one in names] if cue else []
    return any(all(word in ("the", "a", "an") for word in words[start:end]) for start, end in spans)
