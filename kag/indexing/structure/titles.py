"""Titles of sections: their number, and whether they name a standard part of a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.text.dates import ROMANS
from kag.text.section_titles import UNSPACED, bare, titles

_NUMBER = re.compile(
    r"^(?:section\s+|appendix\s+|chapter\s+)?((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})(?:[.):]?(?:\s+\|)?\s+(?=\S)"
    rf"|(?={UNSPACED}))",
    re.I,
)
_SPACED = re.compile(rf"(?:[^\W\d_] ){{3,}}[^\W\d_]|(?:{UNSPACED} )+{UNSPACED}")
_SERIES = re.compile(r"^([^\W\d_]+)\s+(\d{1,2}|[IVX]{1,4}|[A-Z])(?=\s?[:.,)—–-]|$)")
_ROMANS = ROMANS[1:]
_ROMAN = re.compile(r"^((?:X{0,3})(?:IX|IV|V?I{0,3}))[.):]\s+(?=\S)")


_OF_TEXT = titles("parts_of_text")
_BESIDE = titles("beside_parts")
_SUBSECTIONS = titles("subsections")
_BACK_MATTER = titles("back_matter")
_PARTS = titles("parts")
_JOINT = re.compile(r"\s*(?:/|,|;|&|\b(?:and|und|et|y|e)\b)\s*", re.I)
_APPENDIX = re.compile(r"^appendi(?:x|ces)\b")
_ABSTRACTS = titles("abstracts")
_ABSTRACT_LABELS = titles("abstract_labels")


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


def section_numbers(titles: Sequence[str]) -> list[str]:
    """The number of each title of a paper; a bare letter is one where parts of it follow ("A Proofs", "A.1 Sums").

    Behind the last section with an Arabic number, "A Proofs" and "B Sums" are numbered by each other.
    """
    numbers = [printed_number(title) for title in titles]
    lettered = {number[0] for number in numbers if re.match(r"[A-Z]\.\d", number)} | _in_a_row(titles, numbers)
    return [
        number or (title[0] if title[:1] in lettered and title[1:2] == " " else "")
        for number, title in zip(numbers, titles, strict=True)
    ]


def _in_a_row(titles: Sequence[str], numbers: Sequence[str]) -> set[str]:
    """The letters A, B, ... that begin titles behind the last Arabic number, each before the next; two at least."""
    last = max((n for n, number in enumerate(numbers) if number[:1].isdigit()), default=len(titles))
    row: list[str] = []
    for title in titles[last + 1 :]:
        if title[:1] == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(row) % 26] and title[1:2] == " ":
            row.append(title[0])
    return set(row) if len(row) > 1 else set()


def number_depths(numbers: Sequence[str]) -> list[int]:
    """Return the depth by each number, 0 for a heading without one; the number's parts count.

    Where the sections have roman numbers, letters lie below them and Arabic numbers below these. Where they
    have Arabic ones, letters are appendices behind the last of these, and lie below the section before that.
    """
    if "I" in numbers and "II" in numbers:
        return _roman_depths(numbers)
    arabic = [n for n, number in enumerate(numbers) if number[:1].isdigit()]
    depths: list[int] = []
    above = 0
    for n, number in enumerate(numbers):
        depth = number.count(".") + 1 if number else 0
        if number[:1].isdigit():
            above = depth
        elif number and arabic and arabic[0] < n < arabic[-1]:
            depth += above
        depths.append(depth)
    return depths


def _roman_depths(numbers: Sequence[str]) -> list[int]:
    letters = any(number and not number[0].isdigit() and number not in _ROMANS for number in numbers)
    depths: list[int] = []
    following = 0  # the roman number that comes next, from 0
    for number in numbers:
        depth = number.count(".") + 1 if number else 0
        if number.partition(".")[0] == _ROMANS[following % len(_ROMANS)]:
            following += "." not in number
        elif number[:1].isdigit():
            depth += 2 if letters else 1
        elif number and number.partition(".")[0] not in _ROMANS[:following]:
            depth += 1
        depths.append(depth)
    return depths


def series_of(title: str) -> tuple[str, str] | None:
    """Word and number of a title such as "Case 2: Lakes".

    >>> series_of("Experiment 1")
    ('experiment', '1')
    """
    match = _SERIES.match(title)
    return (match[1].lower(), match[2]) if match else None


def is_abstract(title: str) -> bool:
    """Whether a title heads an abstract, or a summary of the kind."""
    return letters_of(title) in _ABSTRACTS


def is_abstract_label(title: str) -> bool:
    """Whether a title can head a part of a structured abstract."""
    return letters_of(title) in _ABSTRACT_LABELS or title.rstrip().endswith("?")


def is_part(title: str) -> bool:
    """Whether a title names a standard part of a paper, or joins several ("Results/Discussion").

    >>> is_part("Methods and analysis"), is_part("Methods of analysis")
    (True, False)
    """
    letters = letters_of(title)
    return letters in _PARTS or bool(_APPENDIX.match(letters)) or _is_joint(title)


def _is_joint(title: str) -> bool:
    """Whether a title joins several, of which at least one is a part of the text and the others are compatible."""
    joined = [letters_of(title) for title in _JOINT.split(title[len(printed_number(title)) :])]
    names = _PARTS | _BESIDE
    return len(joined) > 1 and any(name in _OF_TEXT for name in joined) and all(name in names for name in joined)


def is_back_matter(title: str) -> bool:
    """Whether a title names what is printed behind the text of a paper, such as acknowledgements."""
    return letters_of(title) in _BACK_MATTER


def is_subsection(title: str) -> bool:
    """Whether a title is one that parts of papers usually have right below them."""
    return letters_of(title) in _SUBSECTIONS


def letters_of(title: str) -> str:
    """The title in plain lower-case words, without number, accents, remark in brackets, spaces in "A B S T R A C T"."""
    text = re.sub(r"\([^()]*\)\s*$", "", title[len(printed_number(title)) :])
    text = bare(text).replace("'", "").replace("’", "").replace("&", " and ")
    text = re.sub(r"[\W\d_]+", " ", text).strip()
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text
