"""The best sentences read a second time, together with the question, where there is a reader (`--rerank`).

Words say what a sentence is on; a cross-encoder says whether it answers. It seldom ranks a paper's sentences better
than words do and often knows when they are wrong: so it puts another one first only where it is far surer of that, and
what it says goes into the confidence (`kag/read/extract/sure.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kag.read.extract.asking import Asked
from kag.read.extract.ranking import Scored
from kag.read.passage_index import SearchIndex

READ = 20  # sentences that are read again
NEAR = 0.7  # of the best score, for a sentence that may go first
AHEAD = 4.0  # log-odds by which the reader must be surer of it
SCALE = 10.0  # log-odds that count as 1
_FIRST = 0.01  # of a score, before the one that was first


def reread(ranked: Sequence[Scored], need: Asked, index: SearchIndex) -> Sequence[Scored]:
    """Ranked sentences with that one first which the reader is far surer of, if it is near the first; else as given."""
    said = _said(ranked, need, index)
    near = [one for one in said if one.score >= NEAR * ranked[0].score]
    if not near:
        return ranked
    best = max(near, key=lambda one: said[one])  # of equals the first
    if said[best] - said[ranked[0]] <= AHEAD:
        return ranked
    first = replace(best, score=ranked[0].score + _FIRST)
    return (first, *(one for one in ranked if one is not best))


def heard(ranked: Sequence[Scored], one: Scored, need: Asked, index: SearchIndex) -> tuple[float, float]:
    """What the reader says of a sentence, and how far that is ahead of the best of other passages, in tens of log-odds;
    0 and 0 where there is no reader.
    """
    if index.reader is None:
        return 0.0, 0.0
    own = index.reader(need.text, [_text(one, index)])[0]
    others = [score for other, score in _said(ranked, need, index).items() if other.number != one.number]
    return own / SCALE, (own - max(others, default=-SCALE)) / SCALE


def _said(ranked: Sequence[Scored], need: Asked, index: SearchIndex) -> dict[Scored, float]:
    """What the reader says of the best sentences; nothing where there is none."""
    best = [one for one in ranked[:READ] if one.score > 0] if index.reader else []
    if index.reader is None or not best:
        return {}
    return dict(zip(best, index.reader(need.text, [_text(one, index) for one in best]), strict=True))


def _text(one: Scored, index: SearchIndex) -> str:
    return " ".join(index.passages[one.number].text[one.start : one.end].split())
