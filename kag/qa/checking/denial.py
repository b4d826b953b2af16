"""What a text denies: its words of negation, looked for in all of the statement that a quote was cut from."""

from __future__ import annotations

import re

from kag.qa.paper import Node
from kag.text.sentences import sentences

_NEGATION = re.compile(
    r"\b(?:not(?! only)|no(?!\.\s?\d)|never|neither|nor|none|nothing|nobody|nowhere|without|cannot|\w+n['’]t)\b", re.I
)
# Where one sentence makes two statements: "A did not recover, but B did".
_CONTRAST = re.compile(r";\s|,\s(?=(?:but|whereas|while)\b)", re.I)

_CELL = re.compile(r"\n| \| ")


def denials(text: str) -> int:
    """How many words of negation a text has; "No. 5" is none.

    >>> denials("It did not melt, nor did it break, see No. 5.")
    2
    """
    return sum(1 for _ in _NEGATION.finditer(text))


def first_denial(text: str) -> int:
    """Where the first word of negation begins; the length of the text where there is none."""
    found = _NEGATION.search(text)
    return found.start() if found else len(text)


def statement(node: Node, start: int, end: int) -> tuple[int, int]:
    """The characters of the statements that a span of a node's text is cut from.

    These are whole sentences, or the side of a sentence that a contrast parts off; of a table its cells, of a heading
    all of it.
    """
    if node.kind == "Table":
        borders = [match.end() for match in _CELL.finditer(node.text)]
    elif node.kind in ("SectionTitle", "Title"):
        borders = []
    else:
        borders = [last for _, last in sentences(node.text)]
        borders += [match.end() for match in _CONTRAST.finditer(node.text)]
    before = max((border for border in borders if border <= start), default=0)
    after = min((border for border in borders if border >= end), default=len(node.text))
    return before, after
