"""Nesting of headings that neither a number nor a standard title decides: the likeliest outline as a whole.

An outline is a choice of depth for each heading. Its score sums the evidence for each step (`WEIGHTS`, natural
logarithms of odds); a narrow beam finds a best one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kag.indexing.structure.titles import is_subsection, series_of

WEIGHTS = {
    "under": 5.0,  # a heading right under another, with nothing between, lies below it
    "deeper": -3.0,  # a heading below one that has text of its own
    "up": -2.5,  # a heading above the one before it
    "stays deep": -0.3,  # a heading beside the one before, three levels down or more
    "opens": 2.5,  # ... when another is printed right under it
    "same series": 6.0,  # "Case 2" stands beside "Case 1"
    "opens series": 6.0,  # "Case 1" below the heading before, when the whole series follows at once
    "same title": 3.0,  # the same words a second time, at the depth they had before
    "back from group": 5.0,  # behind the last of a series, or of a group of titles that is printed twice
    "named": 1.3,  # all words of the title stand in the text under the heading that it may lie below
    "half named": 0.3,
    "hardly named": -0.9,
    "announced": 1.0,  # that text ends by saying that something follows
    "usual below": 3.0,  # a title that parts of papers have right below them ("Statistical analysis")
    "top": -4.0,  # what is no standard part stands at the top, in a paper that has these
    "perhaps top": -1.0,  # ... that has some of these only
    "behind the text": 5.0,  # ... where acknowledgements and the like came before
}
BEAM = 6
MAX_INTRODUCTION = 1500  # characters: a longer text names too much by chance

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 5  # letters by which words are compared
_FOLLOWS = re.compile(r"\b(?:follow(?:s|ing)|below|we (?:now|next|first)|in turn)\b[^.!?]*[.:]?$|:$", re.I)


@dataclass(frozen=True)
class Clue:
    """Evidence on the page for a heading: its title, whether it follows another directly, and its content.

    `depths` are the possible ones, 1 for a top-level section; `text` is the words between it and the next heading.
    `role` is "below" for a heading that lies below a standard part in all likelihood, "perhaps below" for one of a
    paper that has few of these, "behind" for one behind the text of a paper, and empty where nothing is known.
    """

    title: str
    depths: tuple[int, ...]
    adjacent: bool = False
    text: str = ""
    role: str = ""

    @cached_property
    def stems(self) -> frozenset[str]:
        return _stems(self.title)

    @cached_property
    def named(self) -> frozenset[str]:
        return _stems(self.text)

    @cached_property
    def announces(self) -> bool:
        return bool(_FOLLOWS.search(self.text[-250:].rstrip()))

    @cached_property
    def series(self) -> tuple[str, str] | None:
        """Word and number of a title such as "Case 2: Lakes"."""
        return series_of(self.title)


@dataclass(frozen=True, slots=True)
class _Outline:
    """An outline so far: the place and depth of its last heading, its score, and the rest by reference.

    `above` is the heading that the last one lies below; `before` the one before it and `jump` one farther back, so
    that any is found in a few steps (Myers, "An applicative random-access stack", 1983).
    """

    place: int
    depth: int
    score: float
    before: _Outline | None = None
    above: _Outline | None = None
    jump: _Outline | None = None

    def grown(self, depth: int, gain: float) -> _Outline:
        """The outline with one more heading."""
        far = self.jump
        even = far is not None and far.jump is not None and self.place - far.place == far.place - far.jump.place
        jump = far.jump if far is not None and even else self
        return _Outline(self.place + 1, depth, self.score + gain, self, self.parent(depth), jump)

    def at(self, place: int) -> _Outline:
        """The outline up to an earlier heading."""
        outline = self
        while outline.place > place and outline.before is not None:
            outline = outline.jump if outline.jump is not None and outline.jump.place >= place else outline.before
        return outline

    def parent(self, depth: int) -> _Outline | None:
        """Return the parent of the next heading at this depth."""
        outline: _Outline | None = self
        while outline is not None and outline.depth >= depth:
            outline = outline.above
        return outline


def best_depths(clues: Sequence[Clue]) -> tuple[int, ...]:
    """Return the depth of each heading in the likeliest outline; no heading is two levels below the previous one."""
    if not clues:
        return ()
    groups = _Groups.of(clues)
    beam = [_Outline(0, depth, 0.0) for depth in sorted(_possible(clues[0], 0))][:BEAM]
    for place, clue in enumerate(clues[1:], start=1):
        grown = [
            path.grown(depth, _gain(clues, groups, place, depth, path))
            for path in beam
            for depth in sorted(_possible(clue, path.depth))
        ]  # in the order of their depths from the first on, which decides between equal scores
        best = sorted(range(len(grown)), key=lambda n: -grown[n].score)[:BEAM]
        beam = [grown[n] for n in sorted(best)]
    return _depths(max(beam, key=lambda path: path.score))


def _depths(path: _Outline | None) -> tuple[int, ...]:
    depths = []
    while path is not None:
        depths.append(path.depth)
        path = path.before
    return tuple(reversed(depths))


@dataclass(frozen=True, slots=True)
class _Groups:
    """For each heading the places of those with the same title (itself too), and of those of its series."""

    alike: tuple[tuple[int, ...], ...]
    series: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, clues: Sequence[Clue]) -> _Groups:
        titles = [clue.title.lower() if len(clue.depths) > 1 else "" for clue in clues]
        return cls(_places(titles), _places([clue.series[0] if clue.series else "" for clue in clues]))


def _places(names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """For each name where it occurs, nowhere for an empty one."""
    places: dict[str, list[int]] = {}
    for n, name in enumerate(names):
        if name:
            places.setdefault(name, []).append(n)
    found = {name: tuple(where) for name, where in places.items()}
    return tuple(found.get(name, ()) for name in names)


def _possible(clue: Clue, before: int) -> tuple[int, ...]:
    """The depths that are possible behind a heading of depth `before`, 0 for none."""
    if len(clue.depths) == 1:
        return clue.depths
    return tuple(depth for depth in clue.depths if depth <= before + 1) or clue.depths[:1]


def _gain(clues: Sequence[Clue], groups: _Groups, place: int, depth: int, path: _Outline) -> float:
    """Return the score of a heading at a depth within an outline; 0 without a choice."""
    clue = clues[place]
    if len(clue.depths) == 1:
        return 0.0
    gain = _step(clues, place, depth, path.depth) + _repeated(groups, place, depth, path)
    gain += _in_series(groups.series[place], place, depth, path) + _in_role(clue, depth)
    gain += WEIGHTS["usual below"] if depth == 2 and is_subsection(clue.title) else 0.0
    parent = path.parent(depth)
    if parent is not None and len(clues[parent.place].depths) > 1:
        gain += _named(clues[parent.place], clue)
    return gain


def _in_role(clue: Clue, depth: int) -> float:
    """Score the title for the top level."""
    if depth > 1:
        return 0.0
    role = {"below": "top", "perhaps below": "perhaps top"}.get(clue.role)
    if clue.role == "behind":
        return WEIGHTS["top"] + WEIGHTS["behind the text"]
    return WEIGHTS[role] if role else 0.0


def _step(clues: Sequence[Clue], place: int, depth: int, before: int) -> float:
    """Score the step from the depth of the heading before."""
    clue = clues[place]
    if depth > before:
        return WEIGHTS["under"] if clue.adjacent else WEIGHTS["deeper"]
    if clue.adjacent:
        return -WEIGHTS["under"]
    opens = place + 1 < len(clues) and clues[place + 1].adjacent
    if depth < before:
        return WEIGHTS["up"] + (WEIGHTS["opens"] if opens else 0.0)
    return WEIGHTS["stays deep"] if depth > 2 else 0.0


def _repeated(groups: _Groups, place: int, depth: int, path: _Outline) -> float:
    """Score a title that is printed twice, and the end of a group of such titles or of a series."""
    gain = 0.0
    same = groups.alike[place]
    earlier = bisect_left(same, place)
    if earlier:
        gain += WEIGHTS["same title"] * (1 if path.at(same[earlier - 1]).depth == depth else -1)
    if depth < path.depth and len(same) < 2 and not groups.series[place]:
        grouped = groups.series[place - 1] or len(groups.alike[place - 1]) > 1
        gain += WEIGHTS["back from group"] if grouped else 0.0
    return gain


def _in_series(members: Sequence[int], place: int, depth: int, path: _Outline) -> float:
    """Score the series of a heading, whose members are at the places."""
    if len(members) < 2:
        return 0.0
    nth = bisect_left(members, place)
    if nth:
        return WEIGHTS["same series"] * (1 if path.at(members[nth - 1]).depth == depth else -1)
    at_once = members[-1] - members[0] == len(members) - 1
    return WEIGHTS["opens series"] if at_once and depth > path.depth else 0.0


def _named(parent: Clue, child: Clue) -> float:
    """Whether the text under a heading names its subheadings."""
    words = child.stems - parent.stems
    if not (parent.text and words):
        return 0.0
    if len(parent.text) > MAX_INTRODUCTION:
        return WEIGHTS["hardly named"]
    share = len(words & parent.named) / len(words)
    what = "named" if share == 1 else "half named" if share >= 0.5 else "hardly named"
    return WEIGHTS[what] + (WEIGHTS["announced"] if parent.announces else 0.0)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM].lower() for word in _WORD.findall(text))
