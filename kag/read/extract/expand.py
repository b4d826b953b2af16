"""What letters stand for: the words before "(LETTERS)", or those in brackets behind them.

The words of a long form have the letters in their order, the first letter at its beginning: Schwartz and Hearst, "A
simple algorithm for identifying abbreviation definitions in biomedical text" (2003).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.read.extract.asking import own_words
from kag.read.extract.kinds import Kind
from kag.read.passage_index import SearchIndex
from kag.text.sentences import sentences

_LETTERS = re.compile(r"(?<![\w-])[A-Za-z][\w/+-]{0,11}(?!\w)")
_BEFORE = 160  # characters before the brackets in which the words stand
_INSIDE = r"\((?P<long>[^()]{4,120})\)"


@dataclass(frozen=True, slots=True)
class Expansion:
    """The sentence that introduces letters, `passage.text[start:end]` of that number, and the words they stand for."""

    number: int
    start: int
    end: int
    words: str


def expand(question: str, kind: Kind, index: SearchIndex) -> Expansion | None:
    """Where the paper says what the letters in a question stand for; None where it asks for more, or none says it."""
    own = {word for word in own_words(question, kind)}
    asked = [match[0] for match in _LETTERS.finditer(question) if match[0].lower() in own or _is_short(match[0])]
    short = next((one for one in asked if _is_short(one)), asked[0] if len(asked) == 1 else "")
    if not short or len(own - {short.lower(), *short.lower().replace("/", " ").replace("-", " ").split()}) > 1:
        return None
    mark = re.compile(
        rf"\(\s?{re.escape(short)}s?(?:-\w{{1,3}})?\s?[);,]|(?<![\w-]){re.escape(short)}s?\s?{_INSIDE}",
        0 if _is_short(short) else re.I,
    )
    for number, passage in enumerate(index.passages):
        if passage.kind in ("reference", "title", "sectiontitle"):
            continue
        for match in mark.finditer(passage.text):
            words = _words_before(passage.text[max(0, match.start() - _BEFORE) : match.start()], short)
            words = words or (_whole(match["long"], short) if match["long"] else "")
            if words:
                span = next(((a, b) for a, b in sentences(passage.text) if a <= match.start() < b), match.span())
                return Expansion(number, *span, words)
    return None


def _is_short(word: str) -> bool:
    return sum(char.isupper() for char in word) >= 2


def _words_before(text: str, short: str) -> str:
    """The words at a text's end that letters stand for: from the last letter back, the first at a word's beginning.

    >>> _words_before("In stable isotope probing and mutual information ", "MI")
    'mutual information'
    """
    letters = [char.lower() for char in short.removesuffix("s") if char.isalnum()]
    at = len(text.rstrip())
    end = at
    for place in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (text[at].lower() != letters[place] or (place == 0 and at > 0 and text[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return ""
    words = text[at:end]
    most = min(len(letters) + 5, 2 * len(letters))
    return (
        words
        if letters and len(words.split()) <= most and len(words) > len(short) and not re.search(r"[.;:?!]\s", words)
        else ""
    )


def _whole(text: str, short: str) -> str:
    """The words in brackets, where they are all that the letters stand for."""
    bare = re.split(r"[;,]", text)[0].strip()
    return bare if _words_before(bare, short) == bare else ""
