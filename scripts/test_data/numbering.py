"""Gives sections, floats, equations and references their numbers, so that call-outs can print them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .bibliography import Entry, entries
from .model import Element, Equation, Figure, Heading, Paper, Paragraph, Table

_CITED = re.compile(r"\{citet?:([^}|]*)")
_ALGORITHM = re.compile(r"^\*\*Algorithm (\d+)")


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section of the gold: `id` is s1, s2, ... and `shown` the printed heading."""

    id: str
    heading: Heading
    number: str
    shown: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class Names:
    """Printed numbers by the author's ids, and the reference list."""

    sections: dict[str, Section]
    numbers: dict[str, str]
    references: dict[str, Entry]


def name_all(paper: Paper) -> Names:
    """Number everything in the order it is written."""
    cited: dict[str, None] = {}
    for text in (text for element in paper.elements for text in _texts(element)):
        for match in _CITED.finditer(text):
            cited.update(dict.fromkeys(match[1].split(",")))
    listed = entries(paper, list(cited))
    return Names(sections=_sections(paper), numbers=_float_numbers(paper), references={e.source.key: e for e in listed})


def _texts(element: Element) -> list[str]:
    match element:
        case Heading(title=text) | Paragraph(text=text) | Figure(caption=text):
            return [text]
        case Table():
            return [element.caption, *(cell.text for row in element.rows for cell in row), element.notes]
        case Equation():
            return []


def _sections(paper: Paper) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    counts = [0, 0, 0]
    above: list[Section] = []
    letters = iter("ABC")
    for heading in (element for element in paper.elements if isinstance(element, Heading)):
        depth = heading.depth
        unnumbered = not paper.style.numbered_headings or heading.type in _UNNUMBERED
        counts[depth:] = [0] * (3 - depth)
        number = next(letters) if heading.type == "appendix" and depth == 1 else ""
        if not unnumbered and not number:
            counts[depth - 1] += 1
            number = ".".join(str(count) for count in counts[:depth])
        above = above[: depth - 1]
        parent = above[-1].id if above else None
        shown = _shown(paper, heading, number)
        section = Section(f"s{len(sections) + 1}", heading, number, shown, parent)
        sections[heading.id] = section
        above.append(section)
    return sections


_UNNUMBERED = ("abstract", "ack", "references", "data-availability", "supplementary-material")


def _shown(paper: Paper, heading: Heading, number: str) -> str:
    if paper.style.upper_case_top and heading.depth == 1:
        return heading.title.upper()
    if not number:
        return heading.title
    if heading.type == "appendix":
        return f"Appendix {number}. {heading.title}"
    return f"{number} {heading.title}" if heading.depth == 1 else f"{number}. {heading.title}"


def _float_numbers(paper: Paper) -> dict[str, str]:
    counts = {"Figure": 0, "Scheme": 0, "Table": 0, "Equation": 0}
    numbers: dict[str, str] = {}
    appendix = False
    idents = [element.id for element in paper.elements if isinstance(element, Figure | Table | Equation)]
    if len(set(idents)) != len(idents):
        raise ValueError(f"{paper.id}: two floats or equations share an id")
    for element in paper.elements:
        match element:
            case Heading(type="appendix", depth=1):
                appendix, counts["Table"] = True, 0
            case Figure(id=ident, kind=kind):
                counts[kind] += 1
                numbers[ident] = str(counts[kind])
            case Table(id=ident):
                counts["Table"] += 1
                numbers[ident] = f"A{counts['Table']}" if appendix else str(counts["Table"])
            case Equation(id=ident):
                counts["Equation"] += 1
                numbers[ident] = str(counts["Equation"])
            case Paragraph(kind="code", label=ident, text=text):
                found = _ALGORITHM.match(text)
                numbers[ident] = found[1] if found else ""
    return numbers
