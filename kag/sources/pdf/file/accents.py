"""Accents that are characters of their own, put on the letter that they are drawn over."""

from __future__ import annotations

import unicodedata

from kag.sources.pdf.file.content import Character, Word

_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c",
            "˚": "\u030a", "¯": "\u0304", "˙": "\u0307", "˘": "\u0306", "˝": "\u030b", "˛": "\u0328"}  # fmt: skip
ACCENTS = frozenset(_ACCENTS)


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
    """Accents that stand as words of their own put on the letter that they are drawn over."""
    if not any(word.text in _ACCENTS for word in words):
        return words
    found = list(words)
    for n, word in enumerate(words):
        if word.text not in _ACCENTS:
            continue
        middle = (word.x0 + word.x1) / 2
        for m in (n - 1, n + 1, n - 2, n + 2):
            near = found[m] if 0 <= m < len(found) else None
            if near is None or not near.text or near.text in _ACCENTS or abs(near.base - word.base) > near.size:
                continue
            ends = (*near.edges[1:], near.x1)
            at = next((k for k, edge in enumerate(near.edges) if edge - 0.5 <= middle <= ends[k] + 0.5), None)
            if at is not None and near.text[at].isalpha() and len(whole := _accented(near.text[at], word.text)) == 1:
                found[m] = near._replace(text=near.text[:at] + whole + near.text[at + 1 :])
                found[n] = word._replace(text="")
                break
    glued = []
    for n, word in enumerate(found):
        if word.text:
            # What the accent parted is one word again.
            parted = n and not found[n - 1].text and not words[n - 1].spaced
            glued.append(word._replace(spaced=False) if parted else word)
    return glued
