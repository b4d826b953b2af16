"""Raised call-outs that lost their raising on the way from the page: "in mice 3, 4 .", "was seen.12 Later".

Nothing in such a number says that it cites. What does is its place, at the end of a clause, and that all of them
together count through the reference list; so these places are read only when the numbers of a whole paper do that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.indexing.enrich.numeric_citations import NUMBERS, Mark, expand
from kag.indexing.enrich.reference_lists import following

_FEWEST = 8  # references cited below which the count is no proof
_MOST = 20  # references in one place; more are a range of something else
_COVERED = 0.6  # of the list must be cited so
_COUNTING = 0.6  # of all such places must go on counting or cite again what was counted
_PLACE = re.compile(
    rf"(?<=[a-z]{{3}}|[a-z]{{2}}[)\]%”\"’])[ \n](?P<clause>{NUMBERS}\)?)(?=\s[.,;:)])"  # "in mice 3, 4 ."
    rf"|(?<=[^\W\d_]{{2}}[.,;])(?P<tight>{NUMBERS}\)?)(?=\s+[^\W\d_]{{2}}|\s*$)"  # "was seen.12 Later"
    rf"|(?<=[a-z)\]]\. )(?P<sentence>{NUMBERS})(?=\s+[A-Z][a-z]|\s*$)"  # "was seen. 12 Later"
    r"|(?<=[a-z]{4}, )(?P<listed>\d{1,3})(?=\s(?!and\b|or\b|mice\b|min)[a-z]{3})"  # "in mice, 12 rats and"
    rf"|(?<=[^\W\d_]{{4}})[ \n](?P<middle>\d{{1,3}}(?:\s?[,–-]\s?\d{{1,3}})+)(?=\s[^\W\d_])"  # "in mice 3–6 and"
    rf"|(?<=[^\W\d_]{{4}})[ \n](?P<single>\d{{1,3}})(?=\s(?:and|with|by|were|was|is|are|that|which|who|in|to)\s)"
)
_SLACK = 3  # numbers that a count may be ahead of a place that is believed for it
_POOR = re.compile(
    rf"(?<=[\w)\]])[ \n](?P<clause>{NUMBERS})(?=\s[.,;:)])"  # "of CDK2 22 ."
    rf"|(?<=[\w)][.,;])(?P<tight>{NUMBERS})(?=\s+[^\W\d_]|\s*$)"  # "(Figure 4).13 A"
    rf"|(?<=[a-z]{{5}})(?P<glued>{NUMBERS})(?=[\s.,;])"  # "cyanides14a and"
)
_LABELLED = re.compile(
    r"\b(?:figs?|figures?|tables?|eqs?|equations?|steps?|schemes?|compounds?|sections?|groups?|days?|weeks?|no|version|chapter"
    r"|chromosome|vol|of|in|for|at|to|from|between)\.?\s*$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"\s[.,;:)]")
_COUNTED = re.compile(
    r"(?:\b(?:[Ff]igs?|[Ff]igures?|[Tt]ables?|[Ee]qs?|[Ee]quations?|[Ss]teps?|[Ss]cheme|[Cc]ompounds?|[Ss]ections?"
    r"|[Gg]roups?|[Dd]ays?|[Ww]eeks?|[Tt]ypes?|[Nn]o|[Vv]ersion|[Cc]hapter|[Rr]esidues?|[Cc]hromosome|[Pp]hase|[Ss]tage"
    r"|[Gg]rade|[Vv]ol|[Ff]rom|[Bb]etween|[Oo]f|[Ii]n|[Aa]t|[Tt]o|[Aa]ged?|[Ee]xon|[Ss]ample|[Cc]lusters?|[Cc]lass"
    r"|[Ss]chemes?|[Mm]edia|[Dd]erivatives?|[Aa]nalogu?es?|and|or|with|for|by|than|the|about|over|only|all|p[Hh])\.?)\s*$"
)


def flat_marks(texts: Sequence[str], limit: int) -> list[tuple[int, Mark]]:
    """Text number and mark of each call-out in 1..limit; none unless they count through the list in order.

    The numbers of any text that do not go on counting are left out.
    """
    found = [(host, mark) for host, text in enumerate(texts) for mark in _places(text, limit)]
    kept = [found[position] for position in following([mark.numbers for _, mark in found])]
    numbers = {number for _, mark in kept for number in mark.numbers}
    proven = (
        min(len(kept), len(numbers)) >= _FEWEST
        and len(numbers) >= _COVERED * max(numbers)
        and len(kept) >= _COUNTING * len(found)
    )
    if not proven:
        return []
    top = max(numbers)
    known = {(host, mark.start) for host, mark in kept}
    again = [(host, mark) for host, mark in found if (host, mark.start) not in known
             and max(mark.numbers) <= top and _closes(texts[host], mark)]  # fmt: skip
    kept = sorted([*kept, *again], key=_in_reading)
    return sorted([*kept, *_missed(texts, kept, limit)], key=_in_reading)


def _in_reading(placed: tuple[int, Mark]) -> tuple[int, int]:
    return placed[0], placed[1].start


def _missed(texts: Sequence[str], kept: Sequence[tuple[int, Mark]], limit: int) -> list[tuple[int, Mark]]:
    """Places too poor to be believed alone, whose number is one that the count passed over just there."""
    cited = {number for _, mark in kept for number in mark.numbers}
    missing = set(range(1, max(cited))) - cited
    added: list[tuple[int, Mark]] = []
    top, ahead = 0, iter([*kept, (len(texts), Mark("flat", (0,), 0, 0))])
    host_ahead, mark_ahead = next(ahead)
    for host, text in enumerate(texts):
        for place in _POOR.finditer(text):
            kind = place.lastgroup or ""
            while (host_ahead, mark_ahead.start) < (host, place.start(kind)):
                top = max(top, *mark_ahead.numbers)
                host_ahead, mark_ahead = next(ahead)
            numbers = expand(place[kind], limit)
            if (host_ahead, mark_ahead.start) == (host, place.start(kind)) or not missing.issuperset(numbers):
                continue
            near = numbers and top - _SLACK < min(numbers) and max(numbers) <= top + _SLACK
            if near and not _LABELLED.search(text[max(0, place.start(kind) - 16) : place.start(kind)]):
                added.append((host, Mark("flat", numbers, *place.span(kind))))
    return added


def _closes(text: str, mark: Mark) -> bool:
    """True for a number at the end of a clause, where nothing but a call-out stands: it may cite out of turn."""
    return bool(_CLAUSE_END.match(text, mark.end)) or text[mark.start - 1] in ".,;"


def _places(text: str, limit: int) -> list[Mark]:
    marks = []
    for place in _PLACE.finditer(text):
        kind = place.lastgroup or ""
        numbers = expand(place[kind], limit)
        if 0 < len(numbers) <= _MOST and not _COUNTED.search(text[max(0, place.start(kind) - 16) : place.start(kind)]):
            marks.append(Mark("flat", numbers, *place.span(kind)))
    return marks
