"""From words to evidence: find a quote in a node's text, its printed place, and its negations."""

from __future__ import annotations

import re

from kag.core.evidence import Evidence, text_hash
from kag.qa.paper import Node, PaperGraph
from kag.text.search_text import search_text
from kag.text.sentences import sentences

_NEGATION = re.compile(
    r"\b(?:not(?! only)|no(?!\.\s?\d)|never|neither|nor|none|nothing|nobody|nowhere|without|cannot|\w+n['’]t)\b", re.I
)
# Where one sentence makes two statements: "A did not recover, but B did".
_CONTRAST = re.compile(r";\s|,\s(?=(?:but|whereas|while)\b)", re.I)

_CELL = re.compile(r"\n| \| ")
_POINTED = re.compile(r"\d[.,]\d")
SHORT = 240  # characters of a node's text that stand for the whole where no passage is meant


def evidence(paper: PaperGraph, iri: str, start: int = 0, end: int | None = None) -> Evidence:
    """The evidence for the characters `start` to `end` of a node's text; all of the text without `end`."""
    node = paper.nodes[iri]
    end = len(node.text) if end is None else end
    return Evidence(paper.id, iri, node.page, node.boxes, node.text[start:end], start, end, text_hash(node.text))


def beginning(paper: PaperGraph, iri: str) -> Evidence:
    """Evidence by a node's first words: for an entry, a caption or a title as a whole; no "not" is cut off."""
    node = paper.nodes[iri]
    text = node.text
    end = len(text) if len(text) <= SHORT else text.rfind(" ", 1, SHORT) if " " in text[1:SHORT] else SHORT
    whole = statement(node, 0, end)[1] if end < len(text) else end
    return evidence(paper, iri, 0, whole if denials(text[end:whole]) else end)


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text: exact, or up to case, blanks, LaTeX and Unicode spelling; else None.

    The span given back is verbatim: quote the text, not the words that were looked for. A place where it cuts no word
    comes before one where it does.
    """
    wanted = quote.strip().strip("\"'“”‘’")
    if not wanted:
        return None
    first = at = text.find(wanted)
    while at >= 0 and cuts_word(text, at, at + len(wanted)):
        at = text.find(wanted, at + 1)
    at = at if at >= 0 else first
    if at >= 0:
        return at, at + len(wanted)
    folded = search_text(text)
    needle = search_text(wanted).text.strip()
    at = folded.text.find(needle) if needle else -1
    return folded.span(at, at + len(needle)) if at >= 0 else None


def cuts_word(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends inside a word or a number, as between "no" and "t" or in 3.5."""
    return any(0 < at < len(text) and _is_inside(text, at) for at in (start, end))


def whole_words(text: str, start: int, end: int) -> str:
    """The characters of a span without what is left at its ends of a word or a number that it cuts.

    >>> whole_words("It fell by 12.5 m.", 1, 13)
    ' fell by '
    """
    while start < end and 0 < start < len(text) and _is_inside(text, start):
        start += 1
    while start < end and 0 < end < len(text) and _is_inside(text, end):
        end -= 1
    return text[start:end]


def _is_inside(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit()):
        return True
    pointed = _POINTED.match(text, at - 1) or (at > 1 and _POINTED.match(text, at - 2))
    return bool(pointed) and "/" not in text[text.rfind(" ", 0, at) + 1 : at]  # but for a DOI, whose parts have points


def denials(text: str) -> int:
    """Count the negation words of a text, except "No. 5".

    >>> denials("It did not melt, nor did it break, see No. 5.")
    2
    """
    return sum(1 for _ in _NEGATION.finditer(text))


def first_denial(text: str) -> int:
    """Return the start of the first negation word; the length of the text if there is none."""
    match = _NEGATION.search(text)
    return match.start() if match else len(text)


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
