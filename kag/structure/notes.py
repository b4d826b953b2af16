"""Notes printed right under a table, with a mark before them or without."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.document.labels import TABLES
from kag.types import Block

_MARK = re.compile(
    r"^\s*(?:\\\(\s*(?:\{\}\s*)?\^|[*†‡§¶#‖⁎∗]|[a-z]\s(?=[A-Z])|[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉ]|notes?\b\s*[.:]|abbreviations?\s*[.:]|source\s*:)",
    re.I,
)
# What a note without a mark begins with: what a sign stands for, or what the table shows.
_EXPLAINS = re.compile(
    r"^(?:[A-Z][A-Za-z\d-]{1,9}\s?[:=]\s+|[A-Z]{2,8},\s|n,\s|Bold,\s)[a-z][\w -]{3,80}[;,.]"
    r"|^(?i:values|data|numbers|percentages|means|results|units|bold\w*(?:\s\w+)?)\s"
    r"(?:are|were|is|represent|indicate|shows?|shown)\b"
)


def is_note(block: Block, before: Sequence[Block]) -> bool:
    """Whether a text block follows a table, or a note of one, and begins with a note's mark or like a note."""
    if not _begins_as_note(block):
        return False
    for earlier in reversed(before):
        if earlier.label in TABLES or earlier.table:
            return earlier.page == block.page
        if not _begins_as_note(earlier):
            return False
    return False


def _begins_as_note(block: Block) -> bool:
    return block.label == "text" and bool(_MARK.match(block.text) or _EXPLAINS.match(block.plain))
