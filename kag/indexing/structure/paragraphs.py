"""Paragraphs that a column, a float or a page end cut in two."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from kag.core.types import Block
from kag.indexing.structure.floats import is_caption
from kag.indexing.structure.reference_list import entry_number, split_entries
from kag.indexing.structure.titles import letters_of
from kag.sources.labels import NOTES, TABLES

_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*\s*(?:\\\(\s*\^?\{[^}]{0,40}\}\s*\\\)|[⁰¹²³⁴-⁹,–-]|\[[\d,–\s-]{1,30}\])*\s*$")
_SHORTENED = re.compile(r"\b(?:[Ff]igs?|[Ee]qs?|[Rr]efs?|[Tt]ab|[Ss]ec|vs|cf|e\.g|i\.e|Drs?|Prof)\.$")
_HYPHEN = re.compile(r"[^\W\d_]-$")
_LOWER_WORD = re.compile(r"^[a-z]{2,}\s")
_INSIDE = re.compile(r"^(?:[a-z]{2,}\s|\((?!\d{1,2}\)|[a-z]\)))")
_GOES_ON = re.compile(r"^[\"'“‘(\[]*[^\W\d_A-Z]|^[,;)\]]")
_ITEM = re.compile(r"^(?:[•◦▪‣●○■□–*-]|(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])\s")
MAX_NOTES = 3  # blocks at the head of a page, below its floats
MIN_OPEN = 60  # characters: shorter texts without a stop are lines of their own, such as running heads


def continuations(paragraphs: Sequence[Block], behind: Set[str] = frozenset()) -> dict[str, str]:
    """Later part -> earlier part, for text blocks of one section in reading order (floats left out).

    A block continues the one before if that stops within a sentence and it begins like the inside of one; a lower-case
    word is enough (OCR adds full stops), and so is an open end at the end of a page or column ("provided by", "Dr.
    Lee"). Blocks right below each other are two paragraphs, except those `behind` a formula. Notes of a float may stand
    between two parts.
    """
    found: dict[str, str] = {}
    waits: Block | None = None  # what ends the page before, and goes on behind notes
    for place, later in enumerate(paragraphs[1:], start=1):
        earlier = paragraphs[place - 1]
        if earlier.page != later.page:
            waits = earlier if _goes_on_behind_notes(paragraphs, place) else None
        if waits and not _INSIDE.match(later.text.lstrip()):
            continue
        if waits or ((later.id in behind or not _below(earlier, later)) and _cut(earlier, later, later.id in behind)):
            found[later.id] = (waits or earlier).id
        waits = None
    return found


def _goes_on_behind_notes(paragraphs: Sequence[Block], place: int) -> bool:
    """Whether the text before a place stops inside a sentence, and whole texts stand before its continuation."""
    earlier = paragraphs[place - 1]
    if not _is_open(earlier):
        return False
    for later in paragraphs[place : place + MAX_NOTES + 1]:
        if later.page != earlier.page + 1:
            return False
        if _INSIDE.match(later.text.lstrip()):
            return later is not paragraphs[place]
        if _is_open(later):
            return False
    return False


def _is_open(block: Block) -> bool:
    """Whether a text stops inside a sentence."""
    before = block.text.rstrip()[-120:]
    return bool(before) and (not _ENDS.search(before) or bool(_SHORTENED.search(before)))


def _cut(earlier: Block, later: Block, behind: bool) -> bool:
    before, after = earlier.text.rstrip(), later.text.lstrip()
    if not before or not after:
        return False
    if _LOWER_WORD.match(after):
        return True
    if not _is_open(earlier):
        return False
    if _GOES_ON.match(after) or _HYPHEN.search(before):
        return True
    begins_anew = _ITEM.match(after) or is_caption(later) or (len(after) < MIN_OPEN and _is_open(later))
    return not behind and _turned(earlier, later) and len(before) > MIN_OPEN and not begins_anew


def _turned(earlier: Block, later: Block) -> bool:
    """Whether the page ends between two blocks, or a column of it."""
    if earlier.page != later.page:
        return later.page == earlier.page + 1
    if not earlier.boxes or not later.boxes:
        return False
    end, start = earlier.boxes[-1], later.boxes[0]
    return start.x0 >= end.x1 and start.y0 < end.y0


def _below(earlier: Block, later: Block) -> bool:
    """Whether the later block is printed right below the earlier: two paragraphs, not one."""
    if earlier.page != later.page or not earlier.boxes or not later.boxes:
        return False
    end, start = earlier.boxes[-1], later.boxes[0]
    overlap = min(end.x1, start.x1) - max(end.x0, start.x0)
    return overlap > 0 and 0 <= start.y0 - end.y1 < 40


# Notes printed right under a table, with a mark before them or without, and notes at the end of a paper ---

_MARK = re.compile(
    r"^\s*(?:\\\(\s*(?:\{\}\s*)?\^|[*†‡§¶#‖⁎∗]|[a-z]\s(?=[A-Z])|[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉ]|notes?\b\s*[.:]|abbreviations?\s*[.:]|source\s*:)",
    re.I,
)
# What a note without a mark begins with: what a sign stands for, or what the table shows.
_EXPLAINS = re.compile(
    r"^(?:[A-Z][A-Za-z\d-]{1,9}(?:\s?_?[a-z\d])?\s?[:=]\s+|[A-Z]{2,8},\s|n,\s|Bold,\s)[a-z][\w -]{3,80}[;,.]"
    r"|^[A-Z]{2,8}[:=,]\s[A-Z][\w -]{3,80};"
    r"|^(?i:values|data|numbers|percentages|means|results|units|bold\w*(?:\s\w+)?)\s"
    r"(?:are|were|is|represent|indicate|shows?|shown)\b"
)

_END_TITLES = frozenset(
    {
        "notes",
        "endnotes",
        "footnotes",
        "anmerkungen",
        "endnoten",
        "notes de fin",
        "notas",
        "notas finales",
        "notas finais",
    }
)


def heads_notes(title: str) -> bool:
    """Whether a title is that of the notes at the end of a paper."""
    return letters_of(title) in _END_TITLES


def note_numbers(texts: Sequence[str]) -> list[list[int]]:
    """The numbers that each text of a list of notes prints, one of several notes all; none unless they are 1, 2 and on.

    >>> note_numbers(["1. See A.", "and B.", "2. Or C.\\n3. Or D."]), note_numbers(["2. See A.", "3. B."])
    ([[1], [], [2, 3]], [[], []])
    """
    parts = [[text[start:end] for start, end in split_entries(text)] for text in texts]
    found = [[number for part in some if (number := entry_number(part.strip())) is not None] for some in parts]
    printed = [number for numbers in found for number in numbers]
    counted = len(printed) > 1 and bool(found[0]) and printed == list(range(1, len(printed) + 1))
    return found if counted else [[] for _ in texts]


def endnotes(title: str, blocks: Sequence[Block]) -> set[str]:
    """The texts under the title of a list of notes, where they are numbered from 1."""
    if not heads_notes(title):
        return set()
    texts = [block for block in blocks if block.label == "text" or block.label in NOTES]
    return {block.id for block in texts} if any(note_numbers([block.text for block in texts])) else set()


def notes_of_tables(blocks: Sequence[Block]) -> set[str]:
    """The texts that follow a table, or a note of one, on its page, and begin with a note's mark or like a note."""
    found: set[str] = set()
    page = 0  # of the table whose notes may go on; 0 when something else stands between
    for block in blocks:
        begins = _begins_as_note(block)
        if begins and page == block.page:
            found.add(block.id)
        if block.label in TABLES or block.table:
            page = block.page
        elif not begins:
            page = 0
    return found


def _begins_as_note(block: Block) -> bool:
    return block.label == "text" and bool(_MARK.match(block.text) or _EXPLAINS.match(block.plain))
