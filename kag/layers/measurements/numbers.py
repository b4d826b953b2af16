"""Numbers written as words.

>>> digits("twenty-five or two hundred mice"), digits("1.5 million years"), digits("the eleventh")
('25 or 200 mice', '1500000 years', 'the eleventh')
"""

from __future__ import annotations

import re

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_SMALL = {
    **{word: float(n) for n, word in enumerate(_ONES.split())},
    **{word: 10.0 * n for n, word in enumerate(_TENS.split(), 2)},
    "half": 0.5,
}
WORDS = (*_SMALL, *_SCALES)
_ANY = "|".join(WORDS)
_WORDED = re.compile(rf"\b(?:(?:{_ANY})(?:(?:-|[ ]and[ ]|[ ])(?=(?:{_ANY})\b))?)+\b", re.I)
_SCALED = re.compile(rf"(\d(?:[\d,. ]*\d)?)[ -]({'|'.join(_SCALES)})\b", re.I)
_HALF = re.compile(rf"\bhalf an? (?=(?:{'|'.join(_SCALES)})\b)", re.I)
_WORD = re.compile(r"[a-z]+")


def digits(text: str) -> str:
    """A text with its numbers in digits."""
    text = _HALF.sub("0.5 ", text)
    text = _SCALED.sub(lambda match: _plain(_number(match[1]) * _SCALES[match[2].casefold()]), text)
    return _WORDED.sub(lambda match: _plain(worth(match[0])), text)


def worth(words: str) -> float:
    """What number words come to.

    >>> worth("three hundred and twenty-one"), worth("two million"), worth("half")
    (321.0, 2000000.0, 0.5)
    """
    total, part = 0.0, 0.0
    for word in _WORD.findall(words.casefold()):
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0.0
    return total + part


def _number(text: str) -> float:
    try:
        return float(re.sub("[, ]", "", text))
    except ValueError:  # "1.2.3"
        return float("nan")


def _plain(number: float) -> str:
    return f"{number:.15g}"
