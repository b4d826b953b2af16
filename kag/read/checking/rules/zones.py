"""Which words of a sentence belong to which of several things of one kind in it: numbers, or words that turn.

    "the mean was 34 in men and 31 in women"          34: men         31: women
    "men had 34, women 31"                            34: men         31: women
    "274 and 183 for modern and classical"            274: modern     183: classical

Between two neighbours a word goes with the nearer side of the last mark or "and". A list of as many things as there are
numbers, one behind the other, is taken pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from kag.read.checking.rules.words import Word

STRONG = frozenset(
    (";", ":", ".", "?", "!", "|", "but", "whereas", "while", "although", "though", "however", "unlike", "yet")
)
WEAK = frozenset((",", "and", "or", "compared", "versus", "vs", "than", "(", "with", "to", "against"))
_LINK = frozenset(
    (
        "for",
        "in",
        "of",
        "at",
        "among",
        "on",
        "with",
        "and",
        "the",
        "a",
        "an",
        "from",
        "by",
        "both",
        "were",
        "was",
        "are",
        "is",
        "had",
        "to",
        "under",
        "during",
        "as",
        "between",
    )
)
_JOINS = frozenset((",", "-", "and", "or", "vs", "versus", "against", "compared", "with", "to"))
_CUTS = frozenset((",", "and", "or", "vs", "versus", "than", "against"))
_UNIT = 3  # letters of what may be a unit
_OTHER = frozenset(
    ("another", "further", "other", "rest", "additional", "extra", "only", "just", "merely", "about")
)  # that name nothing
NAMELESS = STRONG | WEAK | _OTHER  # words that say nothing of what a thing is
_RANGE = ("between", "from")  # before the two ends of one thing
_CLAUSE = ("and", "but", "with", "while")  # behind a comma they begin a clause
_ALL_OF = frozenset(("among", "of", "after", "during", "within", "from", "overall"))
_PLACING = frozenset(("in", "at", "on", "among", "for", "after", "during", "with", "of", "by", "from"))
_LEAD = 12  # words of what begins a sentence
_INTERVAL = frozenset(("ci", "confidence", "interval", "iqr", "range", "sd", "se", "to", "and", "credible"))
_BRACKET = 12  # words of a bracket before a number in it
_LONGEST = 4  # words of one thing in a list

Zone = tuple[int, ...]  # indices of words


def zones(text: Sequence[Word], at: Sequence[int]) -> list[Zone]:
    """The indices of the words that belong to each of the things at these indices, in order.

    What stands in brackets behind a number, as the ends of its interval, has the words that this one has.
    """
    hosts = _hosts(text, at)
    if hosts:
        own = [index for index in at if index not in hosts]
        found = dict(zip(own, zones(text, own), strict=True))
        return [tuple(word for word in found[hosts.get(index, index)] if word not in hosts) for index in at]
    if len(at) < 2:
        return [tuple(index for index in range(len(text)) if index not in at) for _ in at]
    listed = _paired(text, at)
    return [listed[index] if index in listed else _zone(text, at, place) for place, index in enumerate(at)]


def _hosts(text: Sequence[Word], at: Sequence[int]) -> dict[int, int]:
    """The numbers in brackets right behind another one of them, or behind it in its bracket as its interval."""
    found: dict[int, int] = {}
    for before, index in pairwise(at):
        opened = _opened(text, index)
        if opened is None or not text[index].is_number:
            continue
        host = found.get(before, before)
        if opened == host + 1 or (opened < host and all(_is_interval(word) for word in text[host + 1 : index])):
            found[index] = host
    return found


def is_interval(text: Sequence[Word], at: Sequence[int], index: int) -> bool:
    """Whether a number is an end of an interval in brackets behind another one: "2.4 (1.7-3.3)"."""
    beside = [word.text.lower() for word in (*text[max(0, index - 1) : index], *text[index + 1 : index + 2])]
    return index in _hosts(text, at) and bool({"-", "to"} & set(beside))


def _is_interval(word: Word) -> bool:
    return (word.is_mark and word.text != "/") or word.is_number or word.text.lower() in _INTERVAL


def _zone(text: Sequence[Word], at: Sequence[int], place: int) -> Zone:
    """The words between the borders to its neighbours, and those before the first if its own clause names nothing."""
    first, last = _group(text, at, place)
    start = _border(text, at[first - 1], at[first]) if first else 0
    end = _border(text, at[last], at[last + 1]) if last + 1 < len(at) else len(text)
    own = [index for index in range(start, end) if index != at[place]]
    if first and _has_no_subject(text, at[0], start, at[first]):
        own += range(_clause(text, at[0]), at[0])
        if any(text[index].text.endswith("ed") for index in range(start, at[first])):  # "... and peaked at 9 g"
            own += _tail(text, at[first - 1] + 1, start, {text[index].text.lower() for index in own})
    own += (index for index in range(lead(text, start + 1)) if not text[index].text.endswith("ed"))
    return tuple(own)


def lead(text: Sequence[Word], start: int) -> int:
    """Where the words end that begin a sentence and are about all of it: "Among 40 owls, 3 were ..."."""
    if not text or text[0].text.lower() not in _ALL_OF:
        return 0
    comma = next((index for index in range(min(start, _LEAD)) if text[index].text in (",", "(")), 0)
    if text[comma].text == "(":
        return 0
    again = any(word.text.lower() == text[0].text.lower() for word in text[comma + 1 :])
    return 0 if again else comma


def _has_no_subject(text: Sequence[Word], lead: int, start: int, end: int) -> bool:
    """Whether what stands before a thing in its own clause names nothing, or begins with a verb: "and peaked at"."""
    if any(word.text in (".", ";", "?", ":") for word in text[lead:end]):
        return False
    named = [word for word in text[start:end] if word.carries and len(word.text) > _UNIT and word.text not in _OTHER]
    return not named or (named[0] in text[start + 1 : start + 2] and named[0].text.endswith("ed"))


def _tail(text: Sequence[Word], start: int, end: int, said: Set[str]) -> Iterator[int]:
    """The phrases behind the thing before that hold on, those whose preposition is not said anew: "in mice"."""
    held = False
    for index in range(start, end):
        if text[index].text.lower() in _PLACING:
            held = text[index].text.lower() not in said
        if held and not text[index].is_number:
            yield index


def _group(text: Sequence[Word], at: Sequence[int], place: int) -> tuple[int, int]:
    """The places that are one thing with this one: "9 of 36"."""
    first = last = place
    while first and _is_share(text, at[first - 1], at[first]):
        first -= 1
    while last + 1 < len(at) and _is_share(text, at[last], at[last + 1]):
        last += 1
    return first, last


def _is_share(text: Sequence[Word], one: int, other: int) -> bool:
    between = [word.text.lower() for word in text[one + 1 : other]]
    return _joined(text, one, other) or between in (["of"], ["/"], ["out", "of"], ["of", "the"], ["-"], ["of", "all"])


def _clause(text: Sequence[Word], at: int) -> int:
    """Where the sentence or clause that holds a place begins."""
    return next((index + 1 for index in range(at - 1, -1, -1) if text[index].text in (";", ".", "?")), 0)


def _border(text: Sequence[Word], first: int, second: int) -> int:
    """Where between two things what belongs to the first one ends."""
    opened = _opened(text, second)  # what is in brackets belongs to what is before
    opened = opened if opened is not None and opened > first else None
    end = second if opened is None else opened
    if opened and text[opened - 1].is_number:  # "23 (10 %)": two numbers of one thing
        end, opened = max(opened - 1, first + 1), None
    gap = range(first + 1, end)
    closed = [index for index in gap if text[index].text == ")"]
    if opened is not None and closed:
        return closed[-1]
    clauses = [index + 1 for index in gap if text[index].text == "," and _begins_clause(text[index + 1])]
    for places in (_marks(text, gap, STRONG), clauses, _marks(text, gap, WEAK)):
        if places:
            return places[-1]
    return first + 1 + len(gap) // 2


def _begins_clause(word: Word) -> bool:
    return word.text.lower() in _CLAUSE or (word.text.endswith("ing") and word.carries)


def _opened(text: Sequence[Word], at: int) -> int | None:
    """Where the bracket opens that a thing stands in; None where it is in none."""
    before = range(at - 1, max(-1, at - 1 - _BRACKET), -1)
    mark = next((index for index in before if text[index].text in ("(", ")")), None)
    return mark if mark is not None and text[mark].text == "(" else None


def _marks(text: Sequence[Word], gap: range, marks: frozenset[str]) -> list[int]:
    """The indices of marks; "than" and "to" before a number are its bound, and part nothing."""
    bounds = ("than", "to", "with")
    return [
        at
        for at in gap
        if text[at].text.lower() in marks
        and not (text[at].text.lower() in bounds and at + 1 not in gap)
        and not (text[at].text == "." and text[at - 1].text.isupper() and len(text[at - 1].text) == 1)
    ]


def _paired(text: Sequence[Word], at: Sequence[int]) -> dict[int, Zone]:
    """The things of a list that as many numbers stand for, one behind the other, by the index of the number."""
    found: dict[int, Zone] = {}
    run: list[int] = []
    runs: list[list[int]] = []
    for index in (*at, -1):
        if run and (index < 0 or not _joined(text, run[-1], index)):
            if len(run) > 1 and text[run[0] - 1].text.lower() not in _RANGE:
                found |= _with_list(text, run)
                runs.append(run)
            run = []
        if index >= 0:
            run.append(index)
    return _with_each_other(text, runs) or found


def _with_each_other(text: Sequence[Word], runs: Sequence[Sequence[int]]) -> dict[int, Zone]:
    """Two lists of as many numbers, each of which goes with its own: "1 and 2 h gave 3 and 4 g, respectively"."""
    if len(runs) != 2 or len(runs[0]) != len(runs[1]) or not any(w.text == "respectively" for w in text[runs[1][-1] :]):
        return {}
    listed = {index for run in runs for index in run}
    shared = tuple(index for index in range(len(text)) if index not in listed)
    pairs = zip(*runs, strict=True)
    return {one: (*shared, other) for pair in pairs for one, other in (pair, pair[::-1])}


def _joined(text: Sequence[Word], first: int, second: int) -> bool:
    """Whether two numbers stand in one list: nothing but marks, "and" or a spread between them."""
    between = text[first + 1 : second]
    return 0 < len(between) <= 3 and all(word.text.lower() in _JOINS for word in between)


def _with_list(text: Sequence[Word], run: Sequence[int]) -> dict[int, Zone]:
    """A run of numbers with the list of as many things behind it, or else before it."""
    respectively = any(word.text.lower() == "respectively" for word in text[run[-1] :])
    if text[run[0]].is_year and not respectively:
        return {}
    bracketed = text[run[0] - 1].text == "("
    before = _list_before(text, run[0], len(run)) if respectively or bracketed else []
    for things in (_list_behind(text, run[-1] + 1, len(run)), before):
        if things:
            return dict(zip(run, things, strict=True))
    return {}


def _list_behind(text: Sequence[Word], start: int, count: int) -> list[Zone]:
    """The first list of `count` things behind an index: things of a few words with commas or "and" between them."""
    end = next(
        (
            i
            for i in range(start, len(text))
            if text[i].text in (".", ";", ":")
            or text[i].text == "respectively"
            or (text[i].is_number and not text[i].is_year)
        ),
        len(text),
    )
    while end > start and text[end - 1].text in (",", "("):
        end -= 1
    return _things(text, start, end, count)


def _list_before(text: Sequence[Word], end: int, count: int) -> list[Zone]:
    start = next((i + 1 for i in range(end - 1, -1, -1) if text[i].text in (".", ";", ":")), 0)
    return _things(text, start, end, count)


def _things(text: Sequence[Word], start: int, end: int, count: int) -> list[Zone]:
    """The things between the marks of a stretch: as many, or the words right around its "and"."""
    cuts = [i for i in range(start, end) if text[i].text.lower() in _CUTS]
    pieces: list[list[int]] = [[]]
    for index in range(start, end):
        if index in cuts:
            pieces.append([])
        else:
            pieces[-1].append(index)
    named = [[i for i in piece if text[i].text.lower() not in _LINK] for piece in pieces]
    named = [piece for piece in named if piece]
    if len(named) != count or any(len(piece) > _LONGEST for piece in named[1:-1]):
        return []
    link = max((i for i in pieces[0] if text[i].text.lower() in _LINK and i < named[0][-1]), default=start - 1)
    named[0] = [i for i in named[0] if i > link] if link >= start else named[0][-min(map(len, named)) :]
    named[-1] = named[-1][: max(1, min(len(named[0]), _LONGEST))]
    return [tuple(piece) for piece in named]
