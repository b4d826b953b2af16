"""Notes printed right under a table, with a mark before them or without, and notes at the end of a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.core.types import Block
from kag.indexing.references.entries import entry_number, split_entries
from kag.indexing.structure.titles import letters_of
from kag.sources.labels import NOTES, TABLES

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
