"""Words of a heading: its number, and whether it names a standard part of papers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kag.text.section_titles import bare, phrases_of_types, titles

_NUMBER = re.compile(
    r"^(?:(?:section|chapter|appendix|capítulo|kapitel)\s+)?"
    r"((?:\d{1,2}|[A-H])(?:\.\d{1,2}){1,4}\.?|\d{1,2}\.?|S\d{1,2}\.?|(?<=appendix\s)[A-Z][.:]?|[A-H]\.|[IVX]{1,5}\.)"
    r"(?:\s*\|)?\s+(?=[^\W\d_])",
    re.I,
)


_ROMAN = re.compile(r"^(?:II|III|IV|VI|VII|VIII|IX)\.\s")
_LETTER = re.compile(r"^[A-H]\.\s")
_ONE = re.compile(r"^\d{1,2}[.)]\s")


def depths_of(texts: Sequence[str]) -> list[int]:
    """Return each heading's depth by its number, in the paper's own way of counting; 0 without a number.

    Below parts counted I, II, III come those counted A, B, C, and below these 1, 2, 3.
    """
    if sum(1 for text in texts if _ROMAN.match(text)) < 2:
        return [depth_of(text) for text in texts]
    return [
        (2 if _LETTER.match(text) and not re.match(r"[IVX]+\.", text) else 3 if _ONE.match(text) else depth_of(text))
        for text in texts
    ]


def without_number(text: str) -> str:
    """A title behind its number."""
    return _NUMBER.sub("", text)


def letters_of(text: str) -> str:
    """The letters and digits of a title in small ones, its number left out."""
    return "".join(char for char in without_number(text).casefold() if char.isalnum())


def depth_of(text: str) -> int:
    """Return a heading's depth by its number: 2 for "3.1"; 0 without one."""
    match = _NUMBER.match(text)
    return len([part for part in match[1].split(".") if part]) if match else 0


def number_of(text: str) -> tuple[int, ...]:
    """The parts of an Arabic number before a title; () without one.

    >>> number_of("2.1. Sites"), number_of("Sites"), number_of("II. Sites")
    ((2, 1), (), ())
    """
    match = _NUMBER.match(text)
    parts = match[1].rstrip(".").split(".") if match else []
    return tuple(map(int, parts)) if parts and all(part.isdecimal() for part in parts) else ()


def is_standard(text: str) -> bool:
    """Whether a title is that of a standard part of papers.

    >>> is_standard("2. Materials and Methods"), is_standard("R E S U L T S"), is_standard("Soil samples")
    (True, True, False)
    """
    return _plain(without_number(text)) in _STANDARD


def is_part_of_text(text: str) -> bool:
    """Whether a title is that of a standard part that holds running text: "Methods", not "References"."""
    return _plain(without_number(text)) in _PARTS


def is_introduction(text: str) -> bool:
    """Whether a title is that of an introduction.

    >>> is_introduction("1. Introduction"), is_introduction("1 Rivers")
    (True, False)
    """
    return _plain(without_number(text)) in _INTRODUCTIONS


def is_abstract(text: str) -> bool:
    """Whether a title is that of an abstract."""
    return _plain(text) in _ABSTRACTS


def is_abstract_label(text: str) -> bool:
    """Whether a title is that of a part of a structured abstract."""
    return _plain(text) in _LABELS


def is_references(text: str) -> bool:
    """Whether a title is that of a list of references."""
    title = _plain(without_number(text))
    return title in _LISTS or title.removesuffix("s") in _LISTS


@lru_cache(maxsize=4096)
def _plain(title: str) -> str:
    """Small letters without accents and blanks: titles may be set letter by letter."""
    return "".join(char for char in bare(title) if char.isalnum())


_STANDARD = frozenset(_plain(title) for title in (*titles("parts"), *titles("abstracts")))
_PARTS = frozenset(map(_plain, titles("parts_of_text")))
_ABSTRACTS = frozenset(map(_plain, titles("abstracts")))
_LABELS = frozenset(map(_plain, titles("abstract_labels")))
_INTRODUCTIONS = frozenset(map(_plain, phrases_of_types()["deo:Introduction"]))
_LISTS = frozenset(map(_plain, phrases_of_types()["doco:Bibliography"]))
