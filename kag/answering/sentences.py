"""Where the sentences of a text stand: verbatim spans, with call-outs behind the full stop kept with it."""

from __future__ import annotations

import re

_END = re.compile(
    r"[.!?][\"'”’)\]]{0,2}(?:\s?\\\(\s?\^\{[^{}]{1,40}\}\s?\\\)|\s?\[\d[^\[\]]{0,40}\])?\s++"
    r"(?=[\"“(\['‘]?[A-Z0-9α-ω]|\\\()"
)
_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?:et al|e\.g|i\.e|vs|cf|ca|approx|[Ff]igs?|[Tt]abs?|[Ee]qs?|[Rr]efs?|[Ss]ecs?|[Nn]os?|spp?|subsp"
    r"|var|[DM]r|Mrs|Ms|[Pp]rof|St|[Vv]ol|pp|viz|resp|[Ss]uppl|Inc|Ltd|Co|[A-Z])\.$"
)
_LONGEST_ABBREVIATION = 8  # characters, with the stop


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a text's sentences in order, blanks around them left out; "et al." and "J. Doe" end none.

    >>> [text[slice(*span)] for text in ["Ice melts, see Fig. 2. It is wet."] for span in sentences(text)]
    ['Ice melts, see Fig. 2.', 'It is wet.']
    """
    found: list[tuple[int, int]] = []
    start = 0
    for end in _borders(text):
        piece = text[start:end]
        if bare := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            found.append((first, first + len(bare)))
        start = end
    return tuple(found)


def _borders(text: str) -> list[int]:
    found = []
    for match in _END.finditer(text):
        at = match.start()
        if text[at] != "." or not _ABBREVIATED.search(text, max(0, at - _LONGEST_ABBREVIATION), at + 1):
            found.append(match.end())
    return [*found, len(text)]
