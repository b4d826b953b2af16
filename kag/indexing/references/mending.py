"""Guesses by rules for the fields of a reference, repair of values that labels split, and the decision between both
(`weigh`). Guesses are input of the labeller, which may overrule them.

Each rule looks at runs of labels and the marks between them. Labels stand, except for a title and container in a
well-known style, and for volume and pages without a label. Chosen on sources that the labeller was not trained on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from kag.indexing.references.entry_titles import Titled, clean_container, container_behind, quoted_title, read_titles
from kag.indexing.references.names import LOWER, UPPER, Names, group_name, read_names
from kag.indexing.references.place import YEAR, Place, cut_editors, cut_imprint, read_place


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens with one label, as characters of the text; `sure` is the least of their marginals."""

    label: str
    start: int
    end: int
    sure: float


_TWO_NUMBERS = re.compile(r"(\d{1,5})\s([A-Z]?\d{1,7}[A-Z]?)")
_TOWN = re.compile(rf"[{UPPER}][^\W\d_]+(?:[\s/-](?:[{LOWER}]{{2,3}}\s)?[{UPPER}][^\W\d_]+){{0,2}}")
_LEAST_BLANKS = 2  # of a title that the name of a town follows


def mend(text: str, runs: Sequence[Run]) -> list[Run]:
    """The runs of a text, made whole.

    >>> text = "Ice on lakes 130 035002"
    >>> torn = [Run("title", 0, 12, 1.0), Run("pages", 13, 23, 1.0)]
    >>> [(run.label, text[run.start : run.end]) for run in mend(text, torn)]
    [('title', 'Ice on lakes'), ('volume', '130'), ('pages', '035002')]
    """
    return _with_town(text, _with_country(text, _with_volume(text, list(runs))))


def _replaced(runs: Sequence[Run], old: Run, *new: Run) -> list[Run]:
    at = runs.index(old)
    return [*runs[:at], *new, *runs[at + 1 :]]


def _with_volume(text: str, runs: list[Run]) -> list[Run]:
    """Two numbers with but a blank between are volume and page where no volume is: "a title 130 035002"."""
    pages = next((run for run in runs if run.label == "pages"), None)
    placed = any(run.label == "volume" for run in runs)
    match = _TWO_NUMBERS.fullmatch(text, pages.start, pages.end) if pages and not placed else None
    if not pages or not match:
        return runs
    return _replaced(
        runs, pages, replace(pages, label="volume", end=match.end(1)), replace(pages, start=match.start(2))
    )


def _with_country(text: str, runs: list[Run]) -> list[Run]:
    """A country or body right behind a name, no mark between, is a part of it: "Proc Natl Acad Sci USA"."""
    for name, behind in pairwise(runs):
        if (
            name.label in ("journal", "title")
            and behind.label in ("place", "body")
            and text[name.end : behind.start].isspace()
        ):
            return _replaced([run for run in runs if run is not behind], name, replace(name, end=behind.end))
    return runs


def _with_town(text: str, runs: list[Run]) -> list[Run]:
    """A last sentence of up to three names behind author, year and title is the imprint: "Poe 1990: Ice. Kiel."."""
    labels = [run.label for run in runs]
    if labels[:2] != ["author", "date"] or re.search(r"\w", text[runs[-1].end :]):
        return runs
    work = runs[-1]
    if labels[2:] == ["book", "journal"] and _TOWN.fullmatch(text, work.start, work.end):
        return [*runs[:-1], replace(work, label="publisher")]
    if labels[2:] not in (["book"], ["title"]):
        return runs
    start = max(text.rfind(mark, work.start, work.end) for mark in (". ", "? ", "! "))
    if text.count(" ", work.start, max(start, 0)) < _LEAST_BLANKS or not _TOWN.fullmatch(text, start + 2, work.end):
        return runs
    return [*runs[:-1], replace(work, end=start), replace(work, label="publisher", start=start + 2)]


STYLES_KNOWN = frozenset(("inverted", "inverted full", "vancouver", "glued", "group"))  # styles of names
_BOUND = frozenset(("journal", "book", "series"))
_WORKS = _BOUND | {"title"}
_IMPRINT = ("publisher", "place")
_MARKS = 2  # characters between names and year
_SURE = 0.8  # marginal from which a label is not overruled by names
_PLACED = frozenset(("volume", "pages"))
_SURES = {"clear": 0.9, "fair": 0.7}  # in place of a marginal, and calibrated with these


def weigh(text: str, runs: Sequence[Run]) -> list[Run]:
    """The runs of a text with those in their places that the rules read better.

    >>> text = "Poe E. Ice? On lakes. J Ice. 2001;3:4-5."
    >>> torn = [Run("author", 0, 5, 1.0), Run("title", 7, 10, 0.6), Run("journal", 12, 27, 0.6)]
    >>> [(run.label, text[run.start : run.end]) for run in weigh(text, torn) if run.label in ("title", "journal")]
    [('title', 'Ice? On lakes'), ('journal', 'J Ice')]
    """
    names = leading_names(text)
    runs = _with_names(runs, names)
    found = guesses(text, names)
    houses = {("journal", run.start) for run in runs if run.label in _IMPRINT}
    works = [guess for guess in found if guess.label in _WORKS and (guess.label, guess.start) not in houses]
    believed = _missing(found, runs)
    if names.style in STYLES_KNOWN and (_are_clear(works, runs) or _are_missed(works, runs)):
        starts = {guess.start for guess in works if guess.label != "title"}
        same = [run for run in runs if run.label in _BOUND and run.start in starts]
        believed += [guess for guess in works if guess.label == "title" or not same]
        runs = [run for run in runs if run.label not in _WORKS or run in same]
    return _with(runs, believed)


def _with_names(runs: Sequence[Run], names: Names) -> Sequence[Run]:
    """The runs with the authors up to the year, where the rules read names there and the labels are not sure."""
    date = next((run for run in runs if run.label == "date"), None)
    if date is None or not names.style.startswith("inverted") or not 0 < date.start - names.end <= _MARKS:
        return runs
    first, *others = [run for run in runs if run.start < names.end]
    if (first.label, first.start) != ("author", 0) or any(run.sure >= _SURE for run in others):
        return runs
    return [replace(first, end=names.end), *(run for run in runs if run.start >= names.end)]


def _are_clear(works: Sequence[Guess], runs: Sequence[Run]) -> bool:
    """True for a title that is clearly cut off, if no container is lost with it."""
    contained = any(run.label in _BOUND for run in runs) and any(run.label == "title" for run in runs)
    return bool(works) and works[0].clear == "clear" and (len(works) > 1 or not contained)


def _are_missed(works: Sequence[Guess], runs: Sequence[Run]) -> bool:
    """True where the labels have the title that the rules have, or one that starts with it, and no container."""
    title = next((run for run in runs if run.label == "title"), None)
    if title is None or len(works) < 2 or any(run.label in _BOUND for run in runs):
        return False
    return works[0].clear == "fair" and works[0].start == title.start


def _missing(found: Sequence[Guess], runs: Sequence[Run]) -> list[Guess]:
    """Return volume and pages that the rules find, except those already labelled or in another field."""
    numbers = [guess for guess in found if guess.label in _PLACED]
    if {guess.label for guess in numbers} != _PLACED:
        return []
    taken = {run.label for run in runs}
    others = [run for run in runs if run.label not in ("date", "issue")]
    return [
        guess
        for guess in numbers
        if guess.label not in taken and all(run.end <= guess.start or run.start >= guess.end for run in others)
    ]


def _with(runs: Sequence[Run], believed: Sequence[Guess]) -> list[Run]:
    """Return the runs without the guesses' parts, and the guesses; first and last page as one run."""
    kept = list(runs)
    for guess in believed:
        kept = [rest for run in kept for rest in _beside(run, guess)]
    ruled = [Run(guess.label, guess.start, guess.end, _SURES[guess.clear]) for guess in believed]
    pages = [run for run in ruled if run.label == "pages"]
    joined = [replace(pages[0], end=pages[-1].end)] if pages else []
    return sorted([*kept, *(run for run in ruled if run not in pages), *joined], key=lambda run: run.start)


def _beside(run: Run, guess: Guess) -> list[Run]:
    """Return the part of a run before a guess, or behind it if nothing stands before."""
    if run.end <= guess.start or run.start >= guess.end:
        return [run]
    if run.start < guess.start:
        return [replace(run, end=guess.start)]
    return [replace(run, start=guess.end)] if run.end > guess.end else []


_YEAR_AFTER_NAMES = re.compile(
    rf"[\s,.:]*[(\[](?P<year>{YEAR})[a-z]?(?:[,/;–-][^()]{{0,30}}?)?[)\]][\s.,:]*"
    rf"|(?:[\s,.]+|(?<=[\s,.]))(?P<bare>{YEAR})[a-z]?(?:[.,:]\s*|\s+)(?![\s\d(:;])"
    r"|[\s,.]*\(?(?:n\.\s?d\.|in press|forthcoming|submitted)[a-z]?\)?[\s.,:]+"
)
_UNREAD_NAMES = re.compile(rf"[^()\d:\"“]{{0,200}}\((?P<year>{YEAR})[a-z]?\)(?P<bare>)[.,:]?\s+(?=\S+\s\S+)")
_LOWER_WORD = re.compile(r"(?<!\S)[a-z]{2,}")
_TITLED = frozenset(("vancouver", "group", "glued", "eastern"))  # styles of names whose lists print titles
_TWICE = 512  # texts that are remembered: those of a list are read for their features first, then weighed
_CLEAR, _FAIR = 3, 1  # how far the second best reading of a title is behind


@dataclass(frozen=True, slots=True)
class Guess:
    """A field and its characters by rules; `clear` is the strength of the evidence: quoted, clear, fair or weak."""

    label: str
    start: int
    end: int
    clear: str


@lru_cache(_TWICE)
def leading_names(words: str) -> Names:
    """The names that a text starts with, or the group."""
    names = read_names(words)
    return names if names.people else group_name(words)


@lru_cache(_TWICE)
def guesses(words: str, names: Names) -> tuple[Guess, ...]:
    """Return the guesses for the text behind the names, on one line.

    >>> text = "Poe E. Ice on lakes. J Ice. 2001;3:4-5."
    >>> [(found.label, text[found.start : found.end]) for found in guesses(text, leading_names(text))]
    [('title', 'Ice on lakes'), ('journal', 'J Ice'), ('volume', '3'), ('pages', '4'), ('pages', '5')]
    """
    start, dated = _behind_year(words, names.end)
    body = words[start:]
    quoted = quoted_title(body, named=bool(names.people))
    behind = start + (quoted[1] if quoted else 0)
    place = read_place(words[behind:], dated=dated)
    head = words[behind:] if place.start < 0 else words[behind : behind + place.start]
    imprint = cut_imprint(head, placed=bool(place.volume), ended=bool(place.year))
    if quoted:
        titled = replace(container_behind(imprint.rest), title=quoted[0])
    else:
        comma = bool(names.people) and _runs_on(words, names.end, start, dated=dated)
        numbered = place.placed and not (imprint.publisher and not place.volume)
        titled = read_titles(imprint.rest, comma_style=comma, placed=numbered, bare=names.style not in _TITLED)
    found = list(_titles(words, start, titled))
    numbers = list(_numbers(words, behind, place))
    house = _found("publisher", words, imprint.publisher, start, len(words), "clear" if imprint.named else "weak")
    return (*found, *numbers, *house)


def _titles(words: str, start: int, titled: Titled) -> Iterator[Guess]:
    clear = "quoted" if titled.how == "quoted" else "clear" if titled.margin >= _CLEAR else "fair"
    clear = clear if clear != "fair" or titled.margin >= _FAIR else "weak"
    title = list(_found("title", words, titled.title, start, len(words), clear))
    yield from title
    _, container = cut_editors(titled.container) if titled.container else ((), "")
    name = clean_container(container)
    label = "book" if titled.how == "in" else "journal"
    yield from _found(label, words, name, title[0].end if title else start, len(words), clear)


def _numbers(words: str, offset: int, place: Place) -> Iterator[Guess]:
    if not place.placed:
        return
    start, end = offset + place.start, offset + place.end
    clear = "clear" if place.labelled or place.last else "fair"
    for label, value in (("volume", place.volume), ("issue", place.issue), ("pages", place.first)):
        for guess in _found(label, words, value, start, end, clear):
            yield guess
            start = guess.end
    yield from _found("pages", words, place.last, start, end, clear)


def _found(label: str, words: str, value: str, start: int, end: int, clear: str) -> Iterator[Guess]:
    """Return the first occurrence of a value between two places; none if it is absent."""
    at = words.find(value, start, end) if value else -1
    if at >= 0:
        yield Guess(label, at, at + len(value), clear)


def _runs_on(words: str, end: int, start: int, *, dated: bool) -> bool:
    """True when names and year end with a comma or nothing, so that the title may end with a comma too."""
    between = words[end:start]
    if dated:
        return "." not in between and (")" not in between or between.rstrip().endswith(","))
    return words[start:].lstrip().startswith(",") or words[:start].rstrip().endswith(",")


def _behind_year(words: str, end: int) -> tuple[int, bool]:
    """Return the start of the words behind the names and a following year, and whether there is such a year."""
    found = _YEAR_AFTER_NAMES.match(words, end)
    if not found and end:
        found = _UNREAD_NAMES.match(words, end)
        if found and len(_LOWER_WORD.findall(words, end, found.start("year"))) > 3:
            return end, False
    return (found.end(), bool(found["year"] or found["bare"])) if found else (end, False)
