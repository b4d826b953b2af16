"""Rules or labeller: who is believed where the two differ.

The labeller holds on sources of any kind; the rules are better where a list is printed in a clean, well-known style, and
their reading is a clear one. So the labels stand, but for a title and its container in such a style, and for numbers
that the labeller is not sure of. Chosen on sources that the labeller was not trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kag.references.guesses import Guess, guesses, leading_names
from kag.references.mending import Run

_KNOWN = frozenset(("inverted", "inverted full", "vancouver", "glued", "group"))  # styles of names
_WORKS = frozenset(("title", "journal", "book"))
_SURE = 0.9  # a labelled number with this marginal stands
_NAMED = 0.7  # and a labelled publisher with this one, where the rules know the house by its name


def weigh(text: str, runs: Sequence[Run]) -> list[Run]:
    """The runs of a text with those in their places that the rules read better; `by_rule` marks these.

    >>> text = "Poe E. Ice? On lakes. J Ice. 2001;3:4-5."
    >>> torn = [Run("author", 0, 5, 1.0), Run("title", 7, 10, 0.6), Run("journal", 12, 27, 0.6)]
    >>> [(run.label, text[run.start : run.end]) for run in weigh(text, torn) if run.label in ("title", "journal")]
    [('title', 'Ice? On lakes'), ('journal', 'J Ice')]
    """
    names = leading_names(text)
    found = guesses(text, names)
    works = [guess for guess in found if guess.label in _WORKS]
    clear = _are_clear(works, names.style)
    sure = {label: max((run.sure for run in runs if run.label == label), default=0.0) for label in _LABELS}
    believed = [*(works if clear else []), *(guess for guess in found if _is_believed(guess, found, sure, clear=clear))]
    gone = _WORKS if clear else frozenset()
    return _with(runs, believed, gone)


_LABELS = ("volume", "issue", "pages", "publisher")


def _are_clear(works: Sequence[Guess], style: str) -> bool:
    """True for a title in quotation marks, or one that is clearly cut in a style of print that is known."""
    return bool(works) and (works[0].clear == "quoted" or (works[0].clear == "clear" and style in _KNOWN))


def _is_believed(guess: Guess, found: Sequence[Guess], sure: dict[str, float], *, clear: bool) -> bool:
    """True for a number of a place with volume and page, or a house known by its name, that is not surely another."""
    there = {other.label for other in found}
    unsure = sure.get(guess.label, 1.0) < _SURE
    if guess.label == "volume":
        return unsure and "pages" in there
    if guess.label == "issue":
        return unsure
    if guess.label == "pages":
        return clear or (unsure and ("volume" in there or guess.clear == "fair"))
    return guess.label == "publisher" and guess.clear == "clear" and sure["publisher"] < _NAMED


def _with(runs: Sequence[Run], believed: Sequence[Guess], gone: Iterable[str]) -> list[Run]:
    """The runs without those that a guess is believed against, what is left of others beside it, and the guesses."""
    dropped = {*gone, *(guess.label for guess in believed)}
    kept = [run for run in runs if run.label not in dropped]
    for guess in believed:
        kept = [rest for run in kept for rest in _beside(run, guess)]
    ruled = [Run(guess.label, guess.start, guess.end, _SURES[guess.clear], by_rule=True) for guess in believed]
    return sorted([*kept, *_joined(ruled)], key=lambda run: run.start)


_SURES = {"quoted": 1.0, "clear": 0.9, "fair": 0.7, "weak": 0.5}


def _beside(run: Run, guess: Guess) -> list[Run]:
    """What of a run stands before a guess, or behind it where nothing stands before."""
    if run.end <= guess.start or run.start >= guess.end:
        return [run]
    if run.start < guess.start:
        return [replace(run, end=guess.start)]
    return [replace(run, start=guess.end)] if run.end > guess.end else []


def _joined(ruled: Sequence[Run]) -> list[Run]:
    """First and last page as one run."""
    pages = [run for run in ruled if run.label == "pages"]
    rest = [run for run in ruled if run.label != "pages"]
    return [*rest, replace(pages[0], end=pages[-1].end)] if pages else rest
