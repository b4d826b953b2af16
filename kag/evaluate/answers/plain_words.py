"""Words without any evening out, to compare with: what finding forms of a word in all spellings is worth."""

from __future__ import annotations

import re
from array import array

from kag.read.passage_index import SearchIndex
from kag.read.vocabulary import Wording

_WORD = re.compile(r"\w+")


def plain_wording(text: str) -> Wording:
    """Words in small letters as they are printed: LaTeX, Unicode forms, compounds and broken words stay.

    >>> plain_wording("TNF-α at 5 mg").listed()
    ['tnf', 'α', 'at', '5', 'mg']
    """
    found = list(_WORD.finditer(text))
    words = "\n".join(match[0].lower() for match in found)
    starts, ends = (array("L", [match.span()[side] for match in found]) for side in (0, 1))
    return Wording(words, starts, ends, f"\n{words}\n")


def plainly(index: SearchIndex) -> SearchIndex:
    """The same passages in an index of such words, without stems."""
    return SearchIndex(index.passages, words=plain_wording, stems=False)
