"""Where the sentences of a text stand: verbatim spans, with call-outs behind the full stop kept with it."""

from __future__ import annotations

import re

_END = re.compile(
    r"[.!?][\"'”’)\]]{0,2}(?:\s?\\\(\s?\^\{[^{}]{1,40}\}\s?\\\)|\s?\[\d[^\[\]]{0,40}\])?\s++"
    r"(?=[\"“(\['‘]?[^\W_a-zß-öø-ÿ]|\\\()"
)
_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?:et al|e\.g|i\.e|vs|cf|ca|approx|[Ff]igs?|[Tt]abs?|[Ee]qs?|[Rr]efs?|[Ss]ecs?|[Nn]os?|spp?|subsp"
    r"|var|[DM]r|Mrs|Ms|[Pp]rof|St|[Vv]ol|pp|viz|resp|[Ss]uppl|Inc|Ltd|Co|[A-Z])\.$"
)
_LONGEST_ABBREVIATION = 8  # characters, with the stop


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a text's sentences in order, blanks around them left out; "et al." and "J. Doe" end none.

    >>> [text[slice(*span)] for text in ["Ice melts, see Fig. 2. Ödegård says so."] for span in sentences(text)]
    ['Ice melts, see Fig. 2.', 'Ödegård says so.']
    """
    found: list[tuple[int, int]] = []
    start = 0
    for end in _borders(text):
        found += stripped(text, start, end)
        start = end
    return tuple(found)


def stripped(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """A span without the blanks at its ends; none where it holds nothing else."""
    piece = text[start:end]
    bare = piece.strip()
    first = start + len(piece) - len(piece.lstrip())
    return ((first, first + len(bare)),) if bare else ()


def _borders(text: str) -> list[int]:
    found = []
    for match in _END.finditer(text):
        at = match.start()
        if text[at] != "." or not _ABBREVIATED.search(text, max(0, at - _LONGEST_ABBREVIATION), at + 1):
            found.append(match.end())
    return [*found, len(text)]
