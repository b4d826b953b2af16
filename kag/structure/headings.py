"""Headings and how they nest: by their numbers, by what they say, by what stands between them.

Numbers decide where a paper numbers its headings. Elsewhere the standard parts of a paper
(Introduction, Methods, References, ...) are top-level and the headings between them lie below, unless
the paper has no such parts. A heading printed right under another, with nothing between, lies below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from kag.document.labels import HEADINGS
from kag.types import Block

MAX_HEADING = 300  # characters

_NUMBER = re.compile(
    r"^(?:section\s+|appendix\s+|chapter\s+)?((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})[.):]?\s+(?=\S)", re.I
)
_ROMAN = re.compile(r"^((?:X{0,3})(?:IX|IV|V?I{0,3}))[.):]\s+(?=\S)")


def _titles(listed: str) -> frozenset[str]:
    return frozenset(title.strip() for title in listed.replace("\n", "|").split("|") if title.strip())


# Titles of the parts into which papers are divided, in plain lower-case letters.
_PARTS = _titles("""
    abstract|summary|author summary|authors summary|executive summary|plain language summary|lay summary|elife digest
    digest|editors summary|highlights|graphical abstract|significance statement|article info|keywords|introduction
    background|materials and methods|material and methods|methods and materials|methods|method|methodology
    patients and methods|subjects and methods|participants and methods|experimental|experimental section
    experimental procedures|online methods|star methods|results|findings|results and discussion|results and discussions
    discussion|discussion and conclusion|discussion and conclusions|discussion and outlook|general discussion|conclusion
    conclusions|concluding remarks|conclusions and outlook|conclusion and outlook|conclusions and future work
    conclusion and future work|related work|future work|limitations|statement of need|references|references and notes
    notes and references|literature cited|bibliography|works cited|literature|acknowledgments|acknowledgements
    acknowledgment|acknowledgement|supporting information|supplementary material|supplementary materials
    supplementary information|supplementary data|supplemental information|supplemental material|supplemental data
    electronic supplementary material|additional information|additional files|additional information and declarations
    associated content|supplement|funding|funding information|funding statement|financial support|author contributions
    authors contributions|contributors|contributions|credit authorship contribution statement|author information
    competing interests|competing interest|conflict of interest|conflicts of interest|conflict of interest statement
    conflict of interests|declaration of interests|declaration of interest|declaration of competing interest
    disclosures|disclosure|declarations|ethics declarations|data availability|data availability statement
    data and code availability|code availability|availability of data and materials|abbreviations|nomenclature|glossary
    notes|footnotes|disclaimer|peer review
""")
_APPENDIX = re.compile(r"^appendi(?:x|ces)\b")
_ABSTRACTS = _titles("abstract|summary|author summary|authors summary|editors summary|executive summary")
# Parts of a structured abstract.
_ABSTRACT_LABELS = _titles("""
    background|context|introduction|purpose|objective|objectives|aim|aims|motivation|importance|rationale|design|setting
    participants|patients|methods|method|methods and findings|methodology|methodology principal findings
    materials and methods|principal findings|results|findings|main results|main outcome measures|outcomes|conclusion
    conclusions|significance|conclusions significance|conclusions and significance|interpretation|implications
    trial registration|registration|discussion|funding|additional information|availability and implementation
    availability|contact|limitations
""")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its place in the outline: `depth` 1 is a top-level section."""

    block: Block
    number: str
    depth: int


def is_heading(block: Block) -> bool:
    """Whether the OCR set this block as a heading, and its words could be one."""
    if not (block.label in HEADINGS or (block.heading_level and block.label == "text")):
        return False
    words = re.search(r"[^\W\d_]{2}|(?:\b[^\W\d_]\s){3}", block.plain)  # letters may be spaced: "A B S T R A C T"
    return bool(words) and len(block.plain) <= MAX_HEADING and not block.table


def printed_number(title: str) -> str:
    """The number printed before a heading ("2.1", "A.3", "IV"), empty when there is none.

    >>> printed_number("2.1. Materials")
    '2.1'
    >>> printed_number("A new method")
    ''
    """
    match = _NUMBER.match(title)
    if match and (match[1][0].isdigit() or "." in match[1] or title[match.end(1)] in ".):"):
        return match[1]
    roman = _ROMAN.match(title)
    return roman[1] if roman else ""


def is_abstract(title: str) -> bool:
    """Whether a title heads an abstract, or a summary of the kind."""
    return _letters(title) in _ABSTRACTS


def outline(headings: Sequence[tuple[Block, bool]]) -> tuple[Heading, ...]:
    """Rank headings that come in reading order.

    Each pair is a heading's block and whether it is printed right under the heading before it, with
    no text between them.
    """
    numbers = [printed_number(block.plain) for block, _ in headings]
    numbered = sum(1 for number in numbers if number)
    if numbered >= 2 and numbered * 3 >= len(headings):
        return _by_number(headings, numbers)
    return _by_part(headings)


def _by_number(headings: Sequence[tuple[Block, bool]], numbers: Sequence[str]) -> tuple[Heading, ...]:
    """Depth is the number of parts of the number; standard parts without one are top-level.

    Other headings without number lie below the numbered one before them; before the first number and
    behind the last they are top-level, but for the parts of a structured abstract.
    """
    last = max(n for n, number in enumerate(numbers) if number)
    ranked: list[Heading] = []
    abstract = _StructuredAbstract()
    inside = 0  # depth for an unnumbered heading between numbered ones
    for n, (block, adjacent) in enumerate(headings):
        number = numbers[n]
        if number:
            depth = number.count(".") + 1
            inside = depth + 1
        elif abstract.holds(block, adjacent, ranked):
            depth = 2
        elif is_part(block.plain) or n > last or not inside:
            depth = 1
        else:
            depth = inside
        ranked.append(Heading(block, number, depth))
    return tuple(ranked)


def _by_part(headings: Sequence[tuple[Block, bool]]) -> tuple[Heading, ...]:
    """Standard parts are top-level; where a paper has the usual ones, all other headings lie below."""
    parts = [is_part(block.plain) for block, _ in headings]
    usual = 2 if _others_are_below(headings, parts) else 1  # depth of a heading that is no part
    abstract = _StructuredAbstract()
    ranked: list[Heading] = []
    lowest = usual  # one deeper behind a heading that another is printed right under, until the next such one
    for n, ((block, adjacent), part) in enumerate(zip(headings, parts, strict=True)):
        opens = n + 1 < len(headings) and headings[n + 1][1] and not parts[n + 1]
        if abstract.holds(block, adjacent, ranked):
            depth = 2
        elif part or not ranked:
            depth, lowest = 1, usual
        elif opens:
            depth, lowest = usual, usual + 1
        else:
            depth = lowest
        ranked.append(Heading(block, "", depth))
    return tuple(ranked)


class _StructuredAbstract:
    """Follows the headings of a structured abstract: each label once, the first right under "Abstract"."""

    def __init__(self) -> None:
        self._seen: set[str] | None = None

    def holds(self, block: Block, adjacent: bool, ranked: Sequence[Heading]) -> bool:
        """Whether this heading is a part of the abstract whose heading came before it."""
        label = _letters(block.plain)
        if ranked and adjacent and is_abstract(ranked[-1].block.plain) and _is_abstract_label(block.plain):
            self._seen = {label}
            return True
        goes_on = self._seen is not None and label not in self._seen and label != "introduction"
        if self._seen is not None and goes_on and _is_abstract_label(block.plain):
            self._seen.add(label)
            return True
        self._seen = None
        return False


def _is_abstract_label(title: str) -> bool:
    return _letters(title) in _ABSTRACT_LABELS or title.rstrip().endswith("?")


def _others_are_below(headings: Sequence[tuple[Block, bool]], parts: Sequence[bool]) -> bool:
    """Whether the headings that are no standard parts are subsections."""
    standard = [block for (block, _), part in zip(headings, parts, strict=True) if part]
    others = [block for (block, _), part in zip(headings, parts, strict=True) if not part]
    if not standard or not others:
        return False
    if all(_upper(block) for block in standard) and not any(_upper(block) for block in others):
        return True
    if {"results", "methods", "discussion"} & {word for block in standard for word in _letters(block.plain).split()}:
        return True
    sizes = [[_line_height(block) for block in group if block.boxes] for group in (standard, others)]
    return bool(sizes[0] and sizes[1]) and mean(sizes[1]) < mean(sizes[0]) - 2.5


def is_part(title: str) -> bool:
    """Whether a title names a standard part of a paper."""
    letters = _letters(title)
    return letters in _PARTS or bool(_APPENDIX.match(letters))


def _letters(title: str) -> str:
    """The title in plain lower-case words: no number, no remark in brackets, no spaces in "A B S T R A C T"."""
    text = re.sub(r"\([^()]*\)\s*$", "", title[len(printed_number(title)) :])
    text = text.lower().replace("'", "").replace("’", "").replace("&", " and ")
    text = re.sub(r"[^a-z]+", " ", text).strip()
    return text.replace(" ", "") if re.fullmatch(r"(?:[a-z] ){3,}[a-z]", text) else text


def _upper(block: Block) -> bool:
    return block.plain.upper() == block.plain


def _line_height(block: Block) -> float:
    """Height of a printed line in thousandths of the page; more lines where the words need them."""
    box = block.boxes[0]
    lines = max(1, round(len(block.plain) * 9 / max(box.width, 1)))
    return box.height / lines
