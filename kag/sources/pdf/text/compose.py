"""Lines to text: words with blanks, raised and lowered ones as LaTeX, words put together that a line's end cut.

Raised numbers are Unicode's, `cell¹²`, in brackets as they stand, `cell[12]`; other raised words are written as OCR
engines write them, `cell \\( ^{a} \\)`, so that all that reads text reads both alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from kag.core.types import Mark
from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text.lines import Line, shift_of
from kag.text.latex import subscript, superscript
from kag.text.sentences import goes_on

_CUT = re.compile(r"([^\W\d_]+)-$")
_BEGINS = re.compile(r"[^\W\d_]+")
_ENDING = 4  # letters of an ending at most: "self-ish" is cut, "self-employed" is not
_WHOLE = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60]")  # Chinese, Japanese
_PLAIN_SCRIPT = re.compile(r"[\d+−,–-]+|\[[\d,–‑-]+\]", re.ASCII)
_FIRST_PARTS = frozenset({"self", "well", "half", "cross", "quasi", "ill", "low", "high", "two", "three", "n"})
"""What stands in compounds that keep their hyphen in English, whatever the paper has elsewhere."""
_SCRIPTS = {1: superscript, -1: subscript}
_NO_SCRIPT = re.compile(r"[\\{}$]")


@dataclass(frozen=True, slots=True)
class Composed:
    """The text of some lines, how its runs are set, and where each word begins in it."""

    text: str
    marks: tuple[Mark, ...]
    starts: tuple[tuple[Word, int], ...]


def words_within(lines: Iterable[Line]) -> frozenset[str]:
    """Return the paper's words within lines, in lower case: cut words are looked up among them.

    Words with a hyphen also give how they begin and end, as `non-` and `-based`. Pieces of cut words are no words.
    """
    found: set[str] = set()
    cut = False
    for line in lines:
        whole = _WHOLE.findall(line.text.casefold())
        goes_on = line.text.endswith("-")
        found.update(whole[cut : len(whole) - goes_on])
        cut = goes_on
    ends = [(word.partition("-")[0] + "-", "-" + word.rpartition("-")[2]) for word in found if "-" in word]
    return frozenset(found).union(*ends)


def compose(lines: Sequence[Line], known: Set[str]) -> Composed:
    """Return the text of lines below each other."""
    pieces: list[str] = []
    starts: list[tuple[Word, int]] = []
    marks: list[tuple[int, int, str]] = []
    at = 0

    def put(piece: str) -> None:
        nonlocal at
        pieces.append(piece)
        at += len(piece)

    for line_at, line in enumerate(lines):
        if line_at:
            at = _join(pieces, at, line, known)
            marks[-3:] = [(begin, min(end, at), kind) for begin, end, kind in marks[-3:]]  # a hyphen may be gone
        for shift, group in groupby(line.words, key=lambda word: shift_of(word, line)):
            words = list(group)
            blank = words[0].spaced and bool(pieces) and not pieces[-1].endswith(" ") and words[0] is not line.words[0]
            plain = bool(shift) and all(_PLAIN_SCRIPT.fullmatch(word.text) for word in words)
            raised = shift and not plain and not any(_NO_SCRIPT.search(word.text) for word in words)
            if raised:
                put(("  " if blank else " ") if pieces else "")
                put("\\( " + ("^{" if shift > 0 else "_{"))
            elif blank:
                put(" ")
            for n, word in enumerate(words):
                if n and word.spaced:
                    put(" ")
                starts.append((word, at))
                begin = at
                put(_SCRIPTS[shift](word.text) if plain else word.text)
                marks += ((begin, at, kind) for kind in _kinds(word))
            if raised:
                put("} \\) ")
    text = "".join(pieces).rstrip()
    return Composed(text, _merged(marks, text), tuple(starts))


def _kinds(word: Word) -> list[str]:
    font = word.font
    return [kind for kind, is_so in (("bold", font.bold), ("italic", font.italic), ("monospace", font.mono)) if is_so]


def _join(pieces: list[str], at: int, line: Line, known: Set[str]) -> int:
    """Go on with the next line: a blank, or the hyphen taken away where a word was cut; returns the length so far.

    Chinese and Japanese have no blanks.
    """
    last = pieces[-1] if pieces else ""
    if last.endswith("} \\) "):
        pieces.append(" ")
        return at + 1
    if goes_on("".join(pieces[-12:])[-200:], line.text):
        return at
    tail = "".join(pieces[-3:])[-60:]
    cut, begins = _CUT.search(tail), _BEGINS.match(line.text)
    if cut and last.endswith("-"):
        if not begins or not _is_cut(cut[1], begins[0], known):
            return at  # a hyphen that the words have anyway
        pieces[-1] = last[:-1]
        return at - 1
    if re.search(r"[\w](?:[-–—/])$", tail) and begins is None and re.match(r"\d", line.text):
        return at
    if _UNSPACED.match(tail[-1:]) and _UNSPACED.match(line.text):
        return at
    pieces.append(" ")
    return at + 1


def _is_cut(head: str, rest: str, known: Set[str]) -> bool:
    """Whether these parts are one word that a line end cut, and the hyphen is not its own.

    What the paper writes elsewhere decides: the whole word with and without a hyphen, then its parts. Behind letters
    that stand for a name ("ADT-free") no word is cut.
    """
    if not rest[0].islower():
        return (head + rest).casefold() in known and f"{head}-{rest}".casefold() not in known
    small, rest = head.casefold(), rest.casefold()
    if small + rest in known or f"{small}-{rest}" in known:
        return small + rest in known
    if len(rest) > 2 and f"-{rest}" in known:
        return False
    if small in _FIRST_PARTS and len(rest) > _ENDING:
        return False
    if rest in known:
        return f"{small}-" not in known and not (len(small) > 2 and small in known)
    return not (len(head) > 1 and head.isupper())


def _merged(marks: Iterable[tuple[int, int, str]], text: str) -> tuple[Mark, ...]:
    """Runs that only blanks part are one run."""
    found: list[Mark] = []
    for kind in ("bold", "italic", "monospace"):
        for start, end, own in marks:
            if own != kind:
                continue
            last = found[-1] if found else None
            if last and last.kind == kind and not text[last.end : start].strip():
                found[-1] = Mark(last.start, end, last.kind)
            else:
                found.append(Mark(start, end, kind))
    length = len(text)
    return tuple(sorted((Mark(m.start, min(m.end, length), m.kind) for m in found), key=lambda m: (m.start, m.end)))
