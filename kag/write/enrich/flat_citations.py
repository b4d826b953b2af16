"""Raised call-outs that lost their raising on the way from the page: "in mice 3, 4 .", "was seen.12 Later".

Nothing in such a number says that it cites. What does is its place, at the end of a clause, and that all of them
together count through the reference list; so these places are read only when the numbers of a whole paper do that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.write.enrich.numbering import following
from kag.write.enrich.numeric_citations import NUMBERS, Mark, expand

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
    return kept if proven else []


def _places(text: str, limit: int) -> list[Mark]:
    marks = []
    for place in _PLACE.finditer(text):
        kind = place.lastgroup or ""
        numbers = expand(place[kind], limit)
        if 0 < len(numbers) <= _MOST and not _COUNTED.search(text[max(0, place.start(kind) - 16) : place.start(kind)]):
            marks.append(Mark("flat", numbers, *place.span(kind)))
    return marks
