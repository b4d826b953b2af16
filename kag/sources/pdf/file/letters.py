"""Letters that a file sets in parts or under another sign: accents drawn over a letter, and ligatures without meaning.

A sign is taken for a ligature only where most words that it touches become common English words, several of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from kag.core.types import Repair
from kag.sources.pdf.file.content import Character, PageContent, Word

_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c",
            "˚": "\u030a", "¯": "\u0304", "˙": "\u0307", "˘": "\u0306", "˝": "\u030b", "˛": "\u0328"}  # fmt: skip
ACCENTS = frozenset(_ACCENTS)
_PRIVATE = 0xF000  # where fonts with codes of their own put these in Unicode
_SYMBOLS = dict(zip(
    map(ord, "\"$\'*-@ABCDEFGHIJKLMNOPQRSTUVWXYZ\\^abcdefghijklmnopqrstuvwxyz~"),
    "∀∃∋∗−≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ∴⊥αβχδεφγηιϕκλμνοπθρστυϖωξψζ∼", strict=True,
)) | dict(enumerate(
    "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑", 0xA1,
)) | {0xF1: "〉", 0xF2: "∫"}  # fmt: skip
"""The Symbol encoding (PDF 32000-1, annex D.5) where it differs from ASCII."""
_NEAR = 40  # words before and behind among which the letter of an accent is looked for
_CLOSE = 0.08  # type sizes between two parts of one word at most


def symbol(char: str) -> str:
    """The character of a symbol font's own code; any other as it is.

    >>> symbol("\uf0b3"), symbol("\uf061"), symbol("\uf031"), symbol("x")
    ('≥', 'α', '1', 'x')
    """
    code = ord(char) - _PRIVATE
    return _SYMBOLS.get(code, chr(code)) if 0x20 <= code < 0x7F or code in _SYMBOLS else char


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
    """Put accents that are words of their own, or end one, on the letter that they are drawn over.

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
    """Return the remaining words; two words separated only by a removed accent are joined."""
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


_COMMON = {
    "Th": "The This These They There Their That Those Then Thus Therefore Though Than Three Through",
    "fi": "first find finding findings field fields five final specific specifically significant significantly identify"
    " identified identification defined definition modified classified benefit scientific confirmed figure profile",
    "fl": "flow fluid flux flat flexible influence influenced reflect reflected reflects inflammation flower",
    "ff": "effect effects effective different difference differences differ affect affected affects offer off diffuse",
    "ffi": "efficient efficiency coefficient coefficients sufficient difficult difficulty office affinity",
}
_FEWEST_WORDS, _FEWEST = 3, 5  # words that differ, and how often they stand there together
_EDGES = "()[]{}.,;:!?\"'“”‘’«»"
_PLAIN = re.compile(r"[\w\s.,;:'’‘\-–—/()\[\]<>=+±%]", re.ASCII)


def mended(pages: Sequence[PageContent]) -> tuple[list[PageContent], list[Repair]]:
    """The pages with such signs as letters, and what was done."""
    notes: list[Repair] = []
    stands_for = _ligatures(word.text for page in pages for word in page.words)
    if not stands_for:
        return list(pages), notes
    page_contents = []
    for page in pages:
        words = tuple(_spelled(word, stands_for) for word in page.words)
        changed = sum(one is not other for one, other in zip(words, page.words, strict=True))
        if changed:
            signs = ", ".join(f"“{sign}” for “{letters}”" for sign, letters in sorted(stands_for.items()))
            notes.append(
                Repair(page.number, 0, f"signs in place of joined letters: {signs}", f"{changed} words mended")
            )
        page_contents.append(replace(page, words=words) if changed else page)
    return page_contents, notes


def _ligatures(words: Iterable[str]) -> dict[str, str]:
    """Return the meaning of each sign, by all words of a paper."""
    by_sign: dict[str, Counter[str]] = {}
    for word in words:
        if word.isascii() and word.isalnum():
            continue
        for sign in {char for char in word if not char.isalnum() and not _PLAIN.match(char)} | ({"*", "!"} & {*word}):
            if _touches(sign).search(word):
                by_sign.setdefault(sign, Counter())[word.strip(_EDGES.replace(sign, ""))] += 1
    found = {}
    for sign, count in by_sign.items():
        for letters, common in _COMMON.items():
            known = {word: n for word, n in count.items() if word.replace(sign, letters) in common.split()}
            often = sum(known.values())
            if len(known) >= _FEWEST_WORDS and often >= max(_FEWEST, 0.4 * count.total()):
                found[sign] = letters
    return found


@cache
def _touches(sign: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(sign)}(?=[a-z])")


def _spelled(word: Word, stands_for: dict[str, str]) -> Word:
    """A word with letters for signs; each letter keeps the left edge of what it was printed as."""
    if stands_for.keys().isdisjoint(word.text):
        return word
    text, edges = word.text, list(word.edges)
    for sign, letters in stands_for.items():
        for hit in reversed(list(_touches(sign).finditer(text))):
            at = hit.start()
            text = text[:at] + letters + text[at + 1 :]
            if edges:
                edges[at : at + 1] = [edges[at]] * len(letters)
    return word if text == word.text else word._replace(text=text, edges=tuple(edges))
