"""What labels tear, made whole: rules that hold for any reference, whatever its style.

A list of names ends where the names end; a title ends at a mark; a volume belongs to a container; a house stands behind
its town. Each rule looks at runs of labels and at the marks between them, never at the words of one publisher.

`weigh` then decides between labels and rules: the labels stand, but for a title and its container in a clean, well-
known style, and for a volume and pages where no label is. Chosen on sources that the labeller was not trained on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kag.indexing.references.guesses import Guess, guesses, leading_names
from kag.indexing.references.imprint import names_house
from kag.indexing.references.names import is_organisation, read_names


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens with one label, as characters of the text; `sure` is the least of their marginals."""

    label: str
    start: int
    end: int
    sure: float


_SENTENCE = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[)\]”\"’]))[.?!][”\"’]?\s+(?=[^\W\d_])")
_SPAN = re.compile(r"(?P<first>1[5-9]\d\d|20\d\d)\s?(?:[-–—−‐‑/]{1,2}|to\s)\s?(?:(?:1[5-9]|20)\d\d|\d\d)(?!\d)")
_ONE_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_MARK = re.compile(r"[.?!;](?=\s|$)|[\"“”]|\s\((?=pp?\b)")
_NO_MARK = re.compile(r"\s?\w")
_TOWN = re.compile(r"(?P<town>[^\W\d_][^:]{1,40}?)\s?:\s+(?=[^\W\d_])")
_TOWN_AND_HOUSE = re.compile(r"[.,]\s(?P<town>[^\W\d_][^:.?!,]{1,30})\s?:\s(?=[^\W\d_a-z])(?P<house>[^:]{2,60})\Z")
_LAST_PIECE = re.compile(r"[.,]\s(?=[^\W\d_a-z])(?P<house>[^.,:;]{2,60})\Z")
_BEHIND_HOUSE = re.compile(
    r"\b(?:[Pp]ress|Publishers|Verlag)(?P<town>(?P<gap>\.?\s)(?!Inc|Ltd|LLC|GmbH|Co\b|Syndicate)[^\W\d_a-z][^\W\d_]*(?:\s[^\W\d_a-z][^\W\d_]*)?)\Z"
)
_CAPITALS = r"(?:[^\W\d_a-z][^\s,;:()]{0,30}\s){0,4}"
_UNIT = (
    rf"{_CAPITALS}(?:Dep(?:artmen)?t\b\.?|School|Faculty|Laborator(?:y|ies)|Lab\b\.?|Institute|Graduate School)"
    r"[^,;:()]{0,80}"
)
_SCHOOL = rf"{_CAPITALS}(?:Universit\w+|Univ\.)(?:\s[^,;:().]{{1,40}})?"
_SCHOOLED = re.compile(rf"(?<=[,.(]\s)(?:{_UNIT},\s{_SCHOOL}|{_SCHOOL},\s{_UNIT})(?=[,.;()]|\Z)")
_BEHIND_NAMES = re.compile(r"[.:]\s+(?=\w)")
_RUNNING = re.compile(r"\s[^\W\d_A-Z]{3}")
_TWO_NUMBERS = re.compile(r"(\d{1,5})\s([A-Z]?\d{1,7}[A-Z]?)")
_NUMBERS = frozenset(("volume", "issue", "pages"))
_NEAR = 12  # characters between a name and its numbers
_WRITTEN = frozenset(("author", "title", "editor"))
_CONTAINERS = frozenset(("journal", "book", "series", "report"))
_WORDS = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")
_TITLES = frozenset(("title", "book", "journal", "report"))


def mend(text: str, runs: Sequence[Run], *, numbered: bool) -> list[Run]:
    """The runs of a text, made whole; `numbered` says that it has the number of a preprint.

    >>> text = "Poe E. Ice on lakes. J Ice, 3"
    >>> torn = [Run("author", 0, 5, 1.0), Run("title", 7, 26, 1.0), Run("volume", 28, 29, 1.0)]
    >>> [(run.label, text[run.start : run.end]) for run in mend(text, torn, numbered=False)]
    [('author', 'Poe E'), ('title', 'Ice on lakes'), ('journal', 'J Ice'), ('volume', '3')]
    """
    found = list(runs)
    for rule in (_spanned, _names_end, _titled, _placed, _ended, _contained, _named, _schooled, _printed_by, _housed):
        found = rule(text, found)
    return _unprinted(found) if numbered else found


def _has(runs: Sequence[Run], *labels: str) -> bool:
    return any(run.label in labels for run in runs)


def _replaced(runs: Sequence[Run], old: Run, *new: Run) -> list[Run]:
    at = runs.index(old)
    return [*runs[:at], *new, *runs[at + 1 :]]


def _first(runs: Sequence[Run], wanted: Callable[[Run], bool]) -> Run | None:
    return next((run for run in runs if wanted(run)), None)


def _spanned(text: str, runs: list[Run]) -> list[Run]:
    """Years from one to another that end a title, where one date stands behind: "Ice in 1990-1995, J Ice, 2001"."""
    span = next((found for run in runs if run.label == "date" and (found := _SPAN.match(text, run.start))), None)
    if not span:
        return runs
    held = _first(runs, lambda run: run.label in _CONTAINERS and run.start >= span.end())
    if not held or not any(_dates(run, text, held, span) for run in runs):
        return runs
    before = [run for run in runs if run.end <= span.start()]
    behind = [run for run in runs if run.start >= span.end()]
    last = before[-1] if before else None
    if last and last.label in ("title", "book"):
        return [*before[:-1], replace(last, end=span.end()), *behind]
    words = _WORDS.search(text, last.end if last else 0, span.start())
    if words and not _has(before, "title"):
        return [*before, Run("title", words.start(), span.end(), held.sure), *behind]
    return [*before, *behind]


def _dates(run: Run, text: str, held: Run, span: re.Match[str]) -> bool:
    """Whether a run is a date behind the container, of one year that is none before the span."""
    year = _ONE_YEAR.search(text, run.start, run.end)
    alone = run.label == "date" and run.start >= held.end and not _SPAN.search(text, run.start, run.end)
    return alone and year is not None and int(year[0]) >= int(span["first"])


def _names_end(text: str, runs: list[Run]) -> list[Run]:
    """Words behind the last name of a run are the start of the title."""
    run = _first(runs, lambda run: run.label == "author")
    names = read_names(text[run.start : run.end + 1]) if run else None
    if not run or not names or not names.people:
        return runs
    end = run.start + names.end
    rest = _BEHIND_NAMES.match(text, end)
    if not rest or rest.end() >= run.end or read_names(text[rest.end() : run.end + 1]).people:
        return runs
    if len(names.people) == 1 and len(names.people[0].given) == 1 and not _RUNNING.search(text, rest.end(), run.end):
        return runs  # "Lars V. Poe": a middle name
    at = runs.index(run)
    cut = replace(run, end=end)
    title = runs[at + 1] if at + 1 < len(runs) else None
    if title and title.label in ("title", "book") and title.start - run.end < _NEAR:
        return [*runs[:at], cut, replace(title, start=rest.end()), *runs[at + 2 :]]
    if _has(runs, "title", "book"):
        return runs
    return [*runs[:at], cut, Run("title", rest.end(), run.end, run.sure), *runs[at + 1 :]]


def _titled(text: str, runs: list[Run]) -> list[Run]:
    """A book within a journal is a title, and so is the first sentence of a journal's name, or a note all alone."""
    if _has(runs, "title"):
        return runs
    book = _first(runs, lambda run: run.label == "book")
    if book and _first(runs, lambda run: run.label == "journal" and run.start > book.end):
        return _replaced(runs, book, replace(book, label="title"))
    journal = _first(runs, lambda run: run.label == "journal")
    cut = _SENTENCE.search(text, journal.start, journal.end) if journal else None
    if journal and cut and not book and _is_title(text[journal.start : cut.start()]):
        title = Run("title", journal.start, cut.start() + (text[cut.start()] in "?!"), journal.sure)
        return _replaced(runs, journal, title, replace(journal, start=cut.end()))
    note = _first(runs, lambda run: run.label == "note" and " " in text[run.start : run.end])
    if note and _has(runs, "author") and not _has(runs, *_TITLES):
        return _replaced(runs, note, replace(note, label="title"))
    return runs


def _is_title(words: str) -> bool:
    """True for words that are too many and too whole for an abbreviated name."""
    return "." not in words and words.count(" ") > 2


def _placed(text: str, runs: list[Run]) -> list[Run]:
    """Two numbers with but a blank between are volume and page where no volume is: "a title 130 035002"."""
    pages = _first(runs, lambda run: run.label == "pages")
    found = _TWO_NUMBERS.fullmatch(text, pages.start, pages.end) if pages and not _has(runs, "volume") else None
    if not pages or not found:
        return runs
    return _replaced(
        runs, pages, replace(pages, label="volume", end=found.end(1)), replace(pages, start=found.start(2))
    )


def _ended(text: str, runs: list[Run]) -> list[Run]:
    """A title that stops where no mark is goes on to the next one, over a date but over no other field."""
    title = _first(runs, lambda run: run.label == "title")
    if not title or not _NO_MARK.match(text, title.end):
        return runs
    mark = _MARK.search(text, title.end)
    end = mark.start() if mark else len(text)
    stop = _first(runs, lambda run: run.start >= title.end and run.label not in ("date", "note", "title"))
    last = _first(runs, lambda run: run.label == "date" and run.end >= end and run.start >= title.end)
    later = any(run.label == "date" and run.start >= end for run in runs) or any(
        run.label == "date" and run.end <= title.start for run in runs
    )
    if (stop and stop.start < end) or (last and last.start < end) or not later:
        return runs
    kept = [run for run in runs if run.start >= end or run.end <= title.end]
    return _replaced(kept, title, replace(title, end=end))


def _contained(text: str, runs: list[Run]) -> list[Run]:
    """A volume right behind a title of two sentences belongs to the name that is the second."""
    title = _first(runs, lambda run: run.label == "title")
    if not title or _has(runs, "journal", "book", "series"):
        return runs
    behind = _first(runs, lambda run: run.start >= title.end and run.label in _NUMBERS)
    if not behind or behind.start - title.end > _NEAR or not _has(runs, "volume"):
        return runs
    ends = list(_SENTENCE.finditer(text, title.start, title.end))
    if not ends:
        return runs
    cut = ends[-1]
    asked = cut.start() + (text[cut.start()] in "?!")
    return _replaced(runs, title, replace(title, end=asked), Run("journal", cut.end(), title.end, title.sure))


def _named(text: str, runs: list[Run]) -> list[Run]:
    """A country or body right behind a name, no mark between, is a part of it: "Proc Natl Acad Sci USA"."""
    for name, behind in pairwise(runs):
        if (
            name.label in ("journal", "title")
            and behind.label in ("place", "body")
            and text[name.end : behind.start].isspace()
        ):
            return _replaced([run for run in runs if run is not behind], name, replace(name, end=behind.end))
    return runs


def _schooled(text: str, runs: list[Run]) -> list[Run]:
    """A department and its university are one body, however the two are labelled; where a thesis or report is from."""
    found = _SCHOOLED.search(text)
    within = [run for run in runs if found and run.start < found.end() and run.end > found.start()]
    if not found or not within or any(run.label in _WRITTEN for run in within):
        return runs
    start, end = found.span()
    body = Run("body", start, end, min(run.sure for run in within))
    before = [replace(run, end=start) for run in within[:1] if run.start < start]
    behind = [replace(run, start=end) for run in within[-1:] if run.end > end]
    at = runs.index(within[0])
    return [*runs[:at], *before, body, *behind, *runs[at + len(within) :]]


def _printed_by(text: str, runs: list[Run]) -> list[Run]:
    """A house read into the name before its town, or with it: "Lakes, Ice Institute, Oslo", "Lakes. Oslo: Ice"."""
    if _has(runs, "publisher"):
        return runs
    place = _first(runs, lambda run: run.label == "place")
    before = next((run for run in reversed(runs) if place and run.end <= place.start), None)
    if before and place and not re.search(r"\w", text[before.end : place.start]):
        if (
            before.label == "note"
            and text[before.start].isupper()
            and not re.search(r"\d", text[before.start : before.end])
        ):
            return _replaced(runs, before, replace(before, label="publisher"))
        last = _LAST_PIECE.search(text, before.start, before.end) if before.label in _TITLES else None
        if last and (is_organisation(last["house"]) or names_house(last["house"])):
            return _replaced(
                runs,
                before,
                replace(before, end=last.start()),
                replace(before, label="publisher", start=last.start("house")),
            )
    name = _first(runs, lambda run: run.label in _TITLES)
    alone = name and not place and not any(run.label != "date" and run.start >= name.end for run in runs)
    found = _TOWN_AND_HOUSE.search(text, name.start, name.end) if name and alone else None
    if not name or not found:
        return runs
    town = replace(name, label="place", start=found.start("town"), end=found.end("town"))
    house = replace(name, label="publisher", start=found.start("house"))
    return _replaced(runs, name, replace(name, end=found.start()), town, house)


def _housed(text: str, runs: list[Run]) -> list[Run]:
    """ "Oslo: Example Press" is a town and a house, "Lakes. Example Press" behind editors a book and a house."""
    house = _first(runs, lambda run: run.label == "publisher")
    if not house:
        return runs
    behind = _first(runs, lambda run: run.label == "body" and 0 < run.start - house.end < 4)
    if behind and not _has(runs, "place") and " " not in text[behind.start : behind.end]:
        runs, town = _replaced(runs, behind, replace(behind, label="place")), None
    else:
        town = _TOWN.match(text, house.start, house.end)
    behind_house = _BEHIND_HOUSE.search(text, house.start, house.end) if not town else None
    if behind_house:
        end = behind_house.start("town")
        place = Run("place", behind_house.end("gap"), house.end, house.sure)
        return _replaced(runs, house, replace(house, end=end), *([] if _has(runs, "place") else [place]))
    if town and not _has(runs, "place"):
        place = Run("place", house.start, town.end("town"), house.sure)
        return _replaced(runs, house, place, replace(house, start=town.end()))
    cut = _SENTENCE.search(text, house.start, house.end)
    if cut and _has(runs, "editor") and _has(runs, "title") and not _has(runs, "book", "journal"):
        book = Run("book", house.start, cut.start(), house.sure)
        return _replaced(runs, house, book, replace(house, start=cut.end()))
    return runs


def _unprinted(runs: list[Run]) -> list[Run]:
    """A preprint that has no volume and no pages is in no journal: the name is its title."""
    name = _first(runs, lambda run: run.label == "journal")
    if not name or _has(runs, "title", "book", *_NUMBERS):
        return runs
    return _replaced(runs, name, replace(name, label="title"))


STYLES_KNOWN = frozenset(("inverted", "inverted full", "vancouver", "glued", "group"))  # styles of names
_BOUND = frozenset(("journal", "book", "series"))
_WORKS = _BOUND | {"title"}
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
    found = guesses(text, names)
    works = [guess for guess in found if guess.label in _WORKS]
    believed = _missing(found, runs)
    if names.style in STYLES_KNOWN and (_are_clear(works, runs) or _are_missed(works, runs)):
        starts = {guess.start for guess in works if guess.label != "title"}
        same = [run for run in runs if run.label in _BOUND and run.start in starts]
        believed += [guess for guess in works if guess.label == "title" or not same]
        runs = [run for run in runs if run.label not in _WORKS or run in same]
    return _with(runs, believed)


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
    """Volume and pages where the rules find both, but for those that are labelled or lie in another field."""
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
    """The runs, what lies in a guess cut off, and the guesses; first and last page as one run."""
    kept = list(runs)
    for guess in believed:
        kept = [rest for run in kept for rest in _beside(run, guess)]
    ruled = [Run(guess.label, guess.start, guess.end, _SURES[guess.clear]) for guess in believed]
    pages = [run for run in ruled if run.label == "pages"]
    joined = [replace(pages[0], end=pages[-1].end)] if pages else []
    return sorted([*kept, *(run for run in ruled if run not in pages), *joined], key=lambda run: run.start)


def _beside(run: Run, guess: Guess) -> list[Run]:
    """What of a run stands before a guess, or behind it where nothing stands before."""
    if run.end <= guess.start or run.start >= guess.end:
        return [run]
    if run.start < guess.start:
        return [replace(run, end=guess.start)]
    return [replace(run, start=guess.end)] if run.end > guess.end else []
