"""What a made-up paper consists of before it is numbered and laid out.

Texts hold inline marks (see `inline.py`); ids are the author's own words and are what marks point to.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A section title. `type` is the gold's word for it: intro, methods, references or nothing."""

    id: str
    depth: int
    title: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text. `kind` is body, abstract, list, ack, supplement or code; `label` is for questions."""

    label: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Equation:
    """A displayed formula in the part of LaTeX that matplotlib draws."""

    id: str
    latex: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or scheme: `panels` pictures side by side over one caption; `height` of the pictures in pixels."""

    id: str
    kind: str
    caption: str
    panels: int
    height: int
    wide: bool


@dataclass(frozen=True, slots=True)
class CellSource:
    """A table cell as written: its marked-up text and the columns and rows it covers."""

    text: str
    column_span: int = 1
    row_span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows of cells as printed, a caption above and notes below."""

    id: str
    caption: str
    rows: tuple[tuple[CellSource, ...], ...]
    notes: str
    wide: bool
    split_caption: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list; authors are (family, initials), a group has no initials."""

    key: str
    authors: tuple[tuple[str, str], ...]
    year: str
    title: str
    container: str
    volume: str
    issue: str
    pages: str
    doi: str
    type: str


Element = Heading | Paragraph | Equation | Figure | Table


@dataclass(frozen=True, slots=True)
class Style:
    """How a paper prints: citations, headings, captions, fonts (sizes in pixels)."""

    citations: str
    range_dash: str
    numbered_headings: bool
    upper_case_top: bool
    figure_word: str
    figures_word: str
    figure_label: str
    table_label: str
    reference_format: str
    caption_label: str
    columns: int
    family: str
    size: int
    merged_references: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """Everything an author wrote; `front` holds the title page's texts."""

    id: str
    front: dict[str, str]
    authors: tuple[tuple[str, str], ...]
    style: Style
    elements: tuple[Element, ...]
    references: tuple[Reference, ...]
    figures_metadata: bool
