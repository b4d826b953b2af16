"""Accents that are characters of their own, put on the letter that they are drawn over."""

from __future__ import annotations

import unicodedata

from kag.sources.pdf.file.content import Character, Word

_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c",
            "˚": "\u030a", "¯": "\u0304", "˙": "\u0307", "˘": "\u0306", "˝": "\u030b", "˛": "\u0328"}  # fmt: skip
ACCENTS = frozenset(_ACCENTS)
_NEAR = 40  # words before and behind among which the letter of an accent is looked for
_CLOSE = 0.08  # type sizes between two parts of one word at most


def composed(chars: list[Character]) -> list[Character]:
    """Accents that are drawn over a letter, as TeX's old fonts do, with that letter as one character."""
    found: list[Character] = []
    waiting: Character | None = None
    for char in chars:
        text, x0 = char[:2]
        if waiting is not None:
            whole = _accented(text, waiting[0])
            if text.isalpha() and len(whole) == 1 and waiting[1] < char[3] and waiting[3] > x0:
                found.append((whole, *char[1:]))
                waiting = None
                continue
            found.append(waiting)
            waiting = None
        if text in _ACCENTS:
            waiting = char
        else:
            found.append(char)
    return [*found, waiting] if waiting is not None else found


def _accented(letter: str, accent: str) -> str:
    """A letter with an accent as one character, two where Unicode has none; the dotless ı is an i below an accent."""
    return unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(letter, letter) + _ACCENTS[accent])


def with_lone_accents(words: list[Word]) -> list[Word]:
    """Accents that stand as words of their own, or end one, put on the letter of another word that they are drawn over.

    Some files set them far from that letter in their own order. What the accent parted is one word again.
    """
    if not any(word.text[-1:] in _ACCENTS for word in words):
        return words
    found = list(words)
    touched: set[int] = set()
    for n, word in enumerate(words):
        if word.text[-1:] not in _ACCENTS or not word.edges:
            continue
        middle = (word.edges[-1] + word.x1) / 2
        around = sorted(range(max(0, n - _NEAR), min(len(found), n + _NEAR + 1)), key=lambda m: (abs(m - n), m))
        for m in around:
            accented = found[m] if m == n else _under(found[m], word, middle)
            if m != n and accented != found[m]:
                found[m] = accented
                rest = found[n].text[:-1]
                found[n] = found[n]._replace(
                    text=rest, edges=found[n].edges[:-1], x1=word.edges[-1] if rest else word.x1
                )
                touched |= {m, n}
                break
    return _glued(found, touched)


def _under(word: Word, accent: Word, middle: float) -> Word:
    """The word with the accent on the letter that is under it; the word as it is where none is."""
    if not word.text or word.text in _ACCENTS or abs(word.base - accent.base) > word.size:
        return word
    if not word.x0 - 0.5 <= middle <= word.x1 + 0.5:
        return word
    ends = (*word.edges[1:], word.x1)
    at = next((k for k, edge in enumerate(word.edges) if edge - 0.5 <= middle <= ends[k] + 0.5), None)
    if at is None or at >= len(word.text) or not word.text[at].isalpha():
        return word
    whole = _accented(word.text[at], accent.text[-1])
    return word._replace(text=word.text[:at] + whole + word.text[at + 1 :]) if len(whole) == 1 else word


def _glued(words: list[Word], touched: set[int]) -> list[Word]:
    """The words that are left; no blank is where two of them touch since an accent between them is gone."""
    found: list[Word] = []
    parted = False
    for n, word in enumerate(words):
        if not word.text:
            parted = True
            continue
        last = found[-1] if found else None
        close = (
            last is not None and abs(last.base - word.base) < 0.5 and -0.1 < (word.x0 - last.x1) / word.size < _CLOSE
        )
        one = close and (parted or n in touched)
        found.append(word._replace(spaced=not one) if one or parted else word)
        parted = False
    return found
