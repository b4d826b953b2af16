"""Notes printed under a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.document.labels import TABLES
from kag.types import Block

_MARK = re.compile(
    r"^\s*(?:\\\(\s*(?:\{\}\s*)?\^|[*†‡§¶#‖⁎∗]|[a-z]\s(?=[A-Z])|[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉ]|notes?\b\s*[.:]|abbreviations?\s*[.:]|source\s*:)",
    re.I,
)


def is_note(block: Block, before: Sequence[Block]) -> bool:
    """Whether a text block begins with a note's mark and follows a table, or a note of one."""
    if block.label != "text" or not _MARK.match(block.text):
        return False
    for earlier in reversed(before):
        if earlier.label in TABLES or earlier.table:
            return earlier.page == block.page
        if not (earlier.label == "text" and _MARK.match(earlier.text)):
            return False
    return False
