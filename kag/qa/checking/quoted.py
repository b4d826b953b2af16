"""What quotes have to be to carry a claim: words and no scraps, with the "not" of the statement they are cut from.

Also what a claim has to take from them character by character: letters that only look like others, signs that turn
a comparison round.
"""

from __future__ import annotations

import unicodedata

from kag.core.evidence import Claim, Evidence
from kag.qa.checking.counted_things import cells
from kag.qa.checking.meaning import has_meaning, signs
from kag.qa.paper import PaperGraph
from kag.qa.quote import cuts_word, whole_words
from kag.text.plain import plain

_SIGNS = frozenset("<>≤≥≠±≪≫")
_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn")


def strange_signs(text: str, known: str) -> list[str]:
    """The signs and letters, but those of English, that a text has and the known words have not.

    >>> strange_signs("Sensоrs fаil", "Sensors fail")
    ['CYRILLIC SMALL LETTER A', 'CYRILLIC SMALL LETTER O']
    """
    rare = {char for char in set(_folded(text)) if _is_rare(char)}
    rare -= set(_folded(known)) if rare else set()
    return sorted(unicodedata.name(char, f"U+{ord(char):04X}") for char in rare)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_rare(char: str) -> bool:
    if char.isascii() and char.isprintable():
        return char in _SIGNS
    return char in _SIGNS or char.isalnum() or unicodedata.category(char) in _INVISIBLE


def said(one: Evidence, paper: PaperGraph) -> str:
    """What a quote says, in plain words: a word or number that it cuts is not said; a call-out is what it is."""
    text = paper.nodes[one.node].text
    cut = cuts_word(text, one.start, one.end) and not _is_call_out(one, paper)
    return plain(whole_words(text, one.start, one.end) if cut else one.quote)


def tells(one: Evidence, words: str, claim: Claim, paper: PaperGraph) -> bool:
    """Whether a quote that says these words can carry anything: one that has a meaning, or a sign that the claim names.

    A text as a whole, a cell and a call-out are what they are; a quote for what is only counted stands for its place.
    """
    node = paper.nodes[one.node]
    if has_meaning(words) or not signs(words).isdisjoint(signs(claim.text)):
        return True
    if one.quote == node.text or (one.start, one.end) in cells(node) or _is_call_out(one, paper):
        return True
    return claim.count is not None and bool(words.strip())


def _is_call_out(one: Evidence, paper: PaperGraph) -> bool:
    return any((call.start, call.end) == (one.start, one.end) for call in paper.mentions_in(one.node))
