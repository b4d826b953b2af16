"""Notes printed right under a table, with a mark before them or without."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.sources.labels import TABLES
from kag.values.types import Block

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
