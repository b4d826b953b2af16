"""From labelled tokens to the values of a reference: runs of one label, each read by the rule of its field."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kag.indexing.references.labeller import NO_FIELD, Labelled
from kag.indexing.references.mending import STYLES_KNOWN, Run, mend, weigh
from kag.indexing.references.names import NOBODY, Name, Names, group_name, is_organisation, read_names, read_people

YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_DATED = re.compile(rf"(?<!\d)(?P<year>{YEAR})(?P<suffix>[a-z]?)(?![\d])")
_ANY_YEAR = re.compile(rf"(?<![\d–\-/.:])(?P<year>{YEAR})(?P<suffix>[a-z]?)(?![\d–\-/]|\.\d)\b")
_DASH = re.compile(r"\s?(?:--?|[–—‐−‑᎐])\s?")
_EDGES = " ,;:.，。、"
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"), ("《", "》"))
_STRAIGHT = "\"'`"
_QUOTES = (*_PAIRS[2:], *((mark, mark) for mark in _STRAIGHT))
_MOST_OF_A_GROUP = 250  # characters
_NO_NAME = re.compile(
    r"^(?:(?:[Ee]dited|[Ee]ds?\.?)\s+by|and|by|eds?\b\.?|editors?|in)\s+"
    r"|[\s,]*\(?\b(?:[Ee]ds?|[Ee]ditors?|Hrsg|Hg)\b\.?\)?[.,]?$"
)
_ABBREVIATED = re.compile(r"\.\s(?:[^\s]*\s)?[A-Z][a-z]{0,11}$")
_EDITION = re.compile(
    r"[\s,.(]{1,3}(?P<edition>\d{1,2}(?:st|nd|rd|th|ª|\.)?|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Rr]ev(?:ised|\.))\s?"
    r"(?:[Ee]d(?:ition|n)?\b\.?|Aufl(?:age)?\b\.?|éd(?:ition)?\b\.?)\)?"
)
_OTHERS_ALONE = re.compile(r"(?:et\.?\s?al\b|and others\b|[^\w]*$)")
_YEAR_IN_BRACKETS = re.compile(r"[.,]{0,2}\s?\((?:1[5-9]|20)\d\d")
_WITHIN = re.compile(r"\b(?:[Ii]n|Dans|En)\s?:?\s*\Z")
_MOST_BETWEEN = 2  # marks that may stand within a run


@dataclass(frozen=True, slots=True)
class Fields:
    """Values of a reference; `sure` has the marginal of each labelled field, `in_book` marks a part of a book."""

    authors: Names = NOBODY
    title: str = ""
    year: str = ""
    suffix: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    first_page: str = ""
    last_page: str = ""
    editors: tuple[Name, ...] = ()
    publisher: str = ""
    place: str = ""
    edition: str = ""
    in_book: bool = False
    sure: tuple[tuple[str, float], ...] = ()


def gather(text: str, found: Labelled, *, titled: bool = False) -> Fields:
    """The values of a labelled text.

    `titled` says that its kind is printed behind the title: so that lone words in the place of authors are a title.
    """
    by: dict[str, list[Run]] = defaultdict(list)
    for run in weigh(text, mend(text, runs(found))):
        by[run.label].append(run)
    best = {label: most for label, of_label in by.items() if (most := longest(of_label))}
    authors = (by["author"] or by["body"])[:1]
    body = best.get("body") if by["author"] else longest(by["body"][1:2])
    title, container = _titles(text, best)
    house = best.get("publisher") or body
    dates = [run for run in by["date"] if year_in(text, run)[0]][:1]
    names = _authors(text, authors[0], by["body"]) if authors else _unlabelled(text, title)
    named_alone = title is None and container is None and len(names.people) == 1 and not names.people[0].given
    if titled and named_alone and authors and not is_organisation(names.people[0].family):
        names, title = NOBODY, authors[0]  # a work without authors: its title stands in their place
    year, suffix = year_in(text, dates[0]) if dates else any_year(text[authors[0].end if authors else 0 :])
    first, last = pages_in(value(text, best.get("pages")))
    editor = best.get("editor")
    editors = people_in(text[editor.start : editor.end + 1]).people if editor else ()
    edition = _EDITION.search(text)
    chosen = {
        "authors": authors[0] if authors else None, "title": title, "year": dates[0] if dates else None,
        "container": container, "volume": best.get("volume"), "issue": best.get("issue"), "pages": best.get("pages"),
        "publisher": house, "place": best.get("place"), "editors": editor,
    }  # fmt: skip
    return Fields(
        names, value(text, title), year, suffix, named(text, container), value(text, best.get("volume")),
        value(text, best.get("issue")), first, last, editors, value(text, house), value(text, best.get("place")),
        edition["edition"] if edition else "", container is not None and container.label == "book",
        tuple((field, run.sure if run else 0.0) for field, run in chosen.items()),
    )  # fmt: skip


def _unlabelled(text: str, title: Run | None) -> Names:
    """The names before the title where none is labelled, if they are of a style that nothing else looks like."""
    names = read_names(text)
    known = names.style in STYLES_KNOWN and (title is None or names.end <= title.start)
    return names if known else group_name(text)


def _authors(text: str, run: Run, bodies: Sequence[Run]) -> Names:
    """The persons of a run, behind the body that is named before them."""
    words = text[run.start : run.end + 1]
    # In styles with the year in brackets persons have initials, and two words in full are a body's name.
    names = people_in(words, full=not _YEAR_IN_BRACKETS.match(text, run.end))
    before = next((body for body in bodies if body.end < run.start < body.end + 4), None)
    if not before:
        return names
    group = people_in(text[before.start : before.end])
    return Names((*group.people, *names.people), names.end, names.style, names.more)


def _titles(text: str, best: Mapping[str, Run]) -> tuple[Run | None, Run | None]:
    """Return title and container: a book alone is the work itself, except behind "in"."""
    title, journal, book = best.get("title"), best.get("journal"), best.get("book")
    if not title and journal and _is_alone(text, journal, best):
        return journal, None
    if not title and not journal and not (book and _WITHIN.search(text, 0, book.start)):
        return book or best.get("report"), best.get("series") if book else None
    return title, journal or book or best.get("series")


def _is_alone(text: str, journal: Run, best: Mapping[str, Run]) -> bool:
    """Whether all that an entry has behind its year is one name, with no place in a volume: it is the work itself."""
    date = best.get("date")
    placed = any(best.get(label) for label in ("volume", "issue", "pages", "book"))
    return not placed and date is not None and date.end <= journal.start and not re.search(r"\w", text[journal.end :])


def runs(labelled: Labelled) -> list[Run]:
    """The runs of a labelled row, in order; marks alone do not part a run."""
    found: list[Run] = []
    marks = 0
    for token, label, share in zip(labelled.row, labelled.labels, labelled.sure, strict=True):
        last = found[-1] if found else None
        if label == NO_FIELD:
            marks += _MOST_BETWEEN + 1 if token.text[0].isalnum() else 1
            continue
        if last and last.label == label and marks <= _MOST_BETWEEN:
            found[-1] = Run(label, last.start, token.end, min(last.sure, share))
        else:
            found.append(Run(label, token.start, token.end, share))
        marks = 0
    return found


def value(text: str, run: Run | None) -> str:
    """The words of a run without the marks around it; brackets and quotations half in it are taken whole."""
    if run is None:
        return ""
    start, end = run.start, run.end
    for opener, closer in _PAIRS:
        opened, closed = text.count(opener, start, end), text.count(closer, start, end)
        if opened > closed and text[end : end + 1] == closer:
            end += 1
        elif closed > opened and text[max(0, start - 1) : start] == opener:
            start -= 1
    words = trimmed(text[start:end])
    return words if any(char.isalnum() for char in words) else ""


def trimmed(text: str) -> str:
    """A value without the marks around it, but for brackets and quotation marks whose other half is within.

    >>> trimmed(") Ice (on lakes)."), trimmed("“Ice” on lakes”,"), trimmed("“Ice on lakes,”")
    ('Ice (on lakes)', '“Ice” on lakes', 'Ice on lakes')
    """
    words, before = text.strip(_EDGES), ""
    while words and words != before:
        before = words
        if _lone(words, words[0], opens=True):
            words = words[1:].strip(_EDGES)
        elif _lone(words, words[-1], opens=False):
            words = words[:-1].strip(_EDGES)
        elif any(words[0] == opener and words.find(closer, 1) == len(words) - 1 for opener, closer in _QUOTES):
            words = words[1:-1].strip(_EDGES)
    return words


def _lone(words: str, mark: str, *, opens: bool) -> bool:
    """True for a mark at an end of words that has no other half in them."""
    if mark in _STRAIGHT:
        return words.count(mark) % 2 == 1
    for opener, closer in _PAIRS:
        if mark in (opener, closer):
            more = words.count(opener) - words.count(closer)
            return mark != (opener if opens else closer) or (more > 0 if opens else more < 0)
    return False


def longest(found: Iterable[Run]) -> Run | None:
    """The run of most characters; of equal ones the first."""
    return max(found, key=lambda run: (run.end - run.start, -run.start), default=None)


def year_in(text: str, run: Run) -> tuple[str, str]:
    """Return the last year in a date, and the letter behind it that distinguishes it from others of its author."""
    matches = list(_DATED.finditer(text[run.start : run.end + 1]))
    return (matches[-1]["year"], matches[-1]["suffix"]) if matches else ("", "")


def named(text: str, container: Run | None) -> str:
    """A container's name; one that is abbreviated to its end keeps its last point, if it is printed."""
    name = value(text, container)
    abbreviated = container is not None and len(name) < 60 and _ABBREVIATED.search(name)
    return f"{name}." if abbreviated and container and f"{name}." in text[container.start : container.end + 2] else name


def any_year(text: str) -> tuple[str, str]:
    """Return the last number in a text that resembles a year and stands alone."""
    matches = list(_ANY_YEAR.finditer(text))
    return (matches[-1]["year"], matches[-1]["suffix"]) if matches else ("", "")


def pages_in(text: str) -> tuple[str, str]:
    """First and last page; "1451–60" ends on 1460.

    >>> pages_in("1451–60"), pages_in("e17243")
    (('1451', '1460'), ('e17243', ''))
    """
    first, *rest = _DASH.split(text, maxsplit=1)
    last = rest[0] if rest else ""
    first, last = "".join(first.split()), "".join(last.split())
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return first, last


def people_in(text: str, *, full: bool = True) -> Names:
    """Return the persons in a run of names; a run that is not a list of persons is one group.

    `full` says that a person alone may be printed with the given name in full.
    """
    words = _NO_NAME.sub("", text.strip(" ,;:("))
    names = read_people(words)
    if names.people and (full or names.style != "full" or len(names.people) > 1 or names.more):
        return names
    group = trimmed(words)
    named = len(group) <= _MOST_OF_A_GROUP and not _OTHERS_ALONE.match(group)
    return Names((Name(group),), len(text), "group") if group and named else NOBODY
