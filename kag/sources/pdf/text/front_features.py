"""Features of the lines of a paper's first pages for the trained labeller.

Most are about layout: size and face against the body's, place on the page, gaps, alignment, what stands on the same
baseline. Words count only by their form and by a short closed list, since titles and names are new in each paper.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from kag.core.types import Metadata
from kag.sources.pdf.text.lines import Line, shift_of
from kag.sources.pdf.text.titles import depth_of, is_abstract, is_standard
from kag.sources.pdf.text.typography import Type, type_of

MAX_LINES = 120
"""Lines of the first pages that are looked at."""
ORGANIZATION = re.compile(
    r"universi|institut|departa?e?ment|\bdept\b|school|college|laborator|hospital|cent(?:re|er|ro)\b|facult|acade?m"
    r"|\binc\b|\bltd\b"
    r"|company|gmbh|clinic|ministry|council|museum|foundation|division|corporation|polytechnic|observator|\bunit\b"
    r"|group"
    r"|research|fakult|klinik|hochschule|facoltà|dipartimento|división|instituto|consorti|section of|program",
    re.I,
)
_EMAIL = re.compile(r"\S@\S")
_URL = re.compile(r"https?://|www\.")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_POSTCODE = re.compile(r"\b[A-Z]{0,3}-?\d{4,6}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]?\s\d[A-Z]{2}\b")
_INITIAL = re.compile(r"(?<![^\W\d_])[A-Z]\.")
_MARK = re.compile(r"^(?:[*∗†‡§¶‖#✉•]|\d{1,2}(?=[A-Z\s])|[a-z](?=[A-Z]))")
_SYMBOLS = re.compile(r"[*∗†‡§¶‖✉]")
_CUE_WORDS = """
abstract summary keywords keyword key words phrases index terms received accepted published
submitted revised available online correspondence corresponding author authors email e-mail address
addresses tel fax phone doi volume vol issue number no pp page pages copyright licence license
creative commons article original research review letter report letters paper open access citation
cite editor edited by reviewed academic introduction background methods results conclusions
objective acknowledgements funding thanks supported grant orcid issn journal proceedings conference
preprint arxiv version draft date thesis submitted degree department contents figure table equal
contribution contributed equally present permanent member ieee fellow senior student manuscript
dated supervisor classification subject ccs concepts reference format pacs jel msc mathematics the
of and in for we this is are our with that zusammenfassung schlüsselwörter resumen palabras clave
"""
_CUES = frozenset(_CUE_WORDS.split())
_PARTICLES = "van|von|der|den|de|del|della|di|da|du|dos|das|zu|zur|ten|ter|la|le|el|al|af|av|bin|ibn|y|e|’t|'t"
_NAME_WORD = rf"(?:(?:[dlO][’'])?[A-ZÀ-ÞĀ-ŽȘȚḀ-ỿ][\w’'.-]*|(?:{_PARTICLES}))"
_PERSON = re.compile(rf"{_NAME_WORD}(?:\s+{_NAME_WORD}){{1,6}}")
_NO_NAME = re.compile(
    r"\b(?:open|access|article|articles|review|journal|letters?|report|original|full|text|international|sciences?|received|"
    r"abstract|keywords?|copyright|proceedings|conference|edited|university|republic|supplementary|correspondence)\b",
    re.I,
)
_BETWEEN = re.compile(r"\s*(?:[,;·•|]|\s[-–]\s|\band\b|\bAND\b|\bund\b|\by\b|\bet\b|&)\s*")
_DEGREES = re.compile(
    r",?\s*(?:Student |Senior |Life )?(?:Member|Fellow),?\s*IEEE"
    r"|\b(?:M\.?D|Ph\.?D|M\.?Sc|B\.?Sc|MPH|MBBS|FRCP|RN|Dr|Prof|Jr|Sr|II|III|IEEE|iD)\b\.?|\(&\)"
)
_RELATIVES = ((-1, "a"), (1, "b"), (-2, "aa"), (2, "bb"))  # neighbours whose main features count as well


def base_text(line: Line) -> str:
    """The words of a line without raised ones, digits glued to them, and signs of notes."""
    whole = "".join(
        (" " if word.spaced or shift_of(word, line) else "") + ("" if shift_of(word, line) else word.text)
        for word in line.words
    )
    return " ".join(
        _SYMBOLS.sub(" ", re.sub(r"(?<=[^\W\d_])\d{1,2}(?:,\s?\d{1,2})*\b|\[[\d–−-]+X?\]", "", whole)).split()
    )


def count_names(text: str) -> tuple[int, int]:
    """Return how many parts of a list resemble names of persons, and how many parts there are."""
    parts = [part.strip(" .*") for part in _BETWEEN.split(_DEGREES.sub("", text))]
    parts = [part for part in parts if part]
    named = sum(
        1 for part in parts if _PERSON.fullmatch(part) and not ORGANIZATION.search(part) and not _NO_NAME.search(part)
    )
    return named, len(parts)


@lru_cache(maxsize=256)
def names_of(line: Line) -> tuple[int, int]:
    """`count_names` of a line; it is asked several times of the lines of one paper."""
    return count_names(base_text(line))


@dataclass(frozen=True, slots=True)
class FrontLine:
    """A line of the first pages, its page (from 0), the number of its column or cell, and of its box (0: none)."""

    line: Line
    page: int
    column: int
    box: int = 0


def front_features(
    lines: Sequence[FrontLine], sheet: tuple[float, float], body: Type, metadata: Metadata
) -> list[list[str]]:
    """The features of each line, in reading order; `sheet` is the width and height of a page."""
    titled = _letters(metadata.title)
    named = {_letters(name.split()[-1]) for name in metadata.authors if name.split()}
    largest = max((one.line.size for one in lines if _wordy(one.line)), default=body.size)
    top = next((n for n, one in enumerate(lines) if one.line.size > largest - 0.3 and _wordy(one.line)), 0)
    types = list(accumulate((type_of(a.line)[:4] != type_of(b.line)[:4] for a, b in pairwise(lines)), initial=0))
    shared = Counter((one.page, round(one.line.base)) for one in lines)
    own = [
        [
            *_set(one.line, body, largest),
            *_placed(lines, n, sheet, shared[one.page, round(one.line.base)] > 1),
            *_worded(one.line),
            *_metadata_features(one.line.text, titled, named),
            *_joint(lines, n),
            "top:" + ("at" if n == top else "before" if n < top else "after"),
            f"types since:{min(types[n] - types[top], 6) if n > top else -1}",
        ]
        for n, one in enumerate(lines)
    ]
    main = [list(_main(features)) for features in own]
    return [
        own[n]
        + [
            f"{name}:{feature}"
            for step, name in _RELATIVES
            for feature in (main[n + step] if 0 <= n + step < len(own) else ["edge"])
        ]
        for n in range(len(own))
    ]


def _main(features: Sequence[str]) -> Iterator[str]:
    """Return the features that are passed to neighbouring lines."""
    for feature in features:
        if feature.startswith(
            (
                "size:",
                "bold",
                "italic",
                "org",
                "email",
                "name",
                "names:",
                "cue:abstract",
                "cue:keywords",
                "heading",
                "small:",
                "marked",
                "title",
                "boxed",
                "long",
            )
        ):
            yield feature


def _set(line: Line, body: Type, largest: float) -> Iterator[str]:
    """Return features of a line's type."""
    ratio = line.size / max(body.size, 1.0)
    yield "size:" + (
        "--"
        if ratio < 0.78
        else "-"
        if ratio < 0.95
        else "="
        if ratio < 1.04
        else "+"
        if ratio < 1.15
        else "++"
        if ratio < 1.35
        else "+++"
    )
    if line.size > largest - 0.3:
        yield "largest"
    elif line.size > body.size + 0.9 and line.size > largest - 2.5:
        yield "nearly largest"
    if line.bold:
        yield "bold"
    if line.italic:
        yield "italic"
    if line.font.mono:
        yield "mono"
    if line.font.name != body.font:
        yield "face"
    letters = [char for char in line.text if char.isalpha()]
    if len(letters) > 3 and all(map(str.isupper, letters)):
        yield "capitals"


def _placed(lines: Sequence[FrontLine], n: int, sheet: tuple[float, float], beside: bool) -> Iterator[str]:
    """Return features of a line's position."""
    width, height = sheet
    one = lines[n]
    rect = one.line.rect
    yield f"page:{min(one.page, 2)}"
    yield f"y:{int(8 * rect.y0 / max(height, 1.0))}" + (f":{min(one.page, 1)}")
    yield f"width:{int(5 * rect.width / max(width, 1.0))}"
    if abs(rect.x0 + rect.x1 - width) < 6:
        yield "centred"
    if beside:
        yield "beside"
    if one.box:
        yield "boxed"
    if n and (lines[n - 1].box, lines[n - 1].page) != (one.box, one.page):
        yield "box anew"
    if n == 0 or lines[n - 1].column != one.column:
        yield "first of column"
    else:
        before = lines[n - 1].line
        step = (one.line.base - before.base) / max(one.line.size, before.size)
        yield "gap:" + ("0" if step < 0.6 else "1" if step < 1.4 else "2" if step < 1.8 else "3" if step < 2.6 else "4")
        yield (
            "face as before" if before.font == one.line.font and abs(before.size - one.line.size) < 0.3 else "face anew"
        )
    if n + 1 < len(lines) and lines[n + 1].column == one.column:
        after = lines[n + 1].line
        step = (after.base - one.line.base) / max(one.line.size, after.size)
        yield "under:" + ("1" if step < 1.4 else "2" if step < 1.8 else "3" if step < 2.6 else "4")
    else:
        yield "last of column"


def _worded(line: Line) -> Iterator[str]:
    """Return features of a line's words."""
    text = line.text
    words = re.findall(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", text)
    longer = [word for word in words if len(word) > 3]
    small = sum(word[0].islower() for word in longer)
    yield "small:" + ("none" if not longer else "0" if not small else str(1 + int(3 * small / len(longer))))
    yield f"words:{min(len(words), 12) // 2}"
    yield from (
        name
        for name, pattern in (
            ("org", ORGANIZATION),
            ("email", _EMAIL),
            ("url", _URL),
            ("year", _YEAR),
            ("postcode", _POSTCODE),
            ("initial", _INITIAL),
            ("marked", _MARK),
            ("symbols", _SYMBOLS),
        )
        if pattern.search(text)
    )
    yield from _named(line)
    yield from _ended(text)
    if depth_of(text) or is_standard(text) or is_abstract(text):
        yield "heading"
    cues = [word.casefold() for word in words if word.casefold() in _CUES]
    yield from (f"cue:{cue}" for cue in dict.fromkeys(cues))
    if words and words[0].casefold() in _CUES:
        yield f"first:{words[0].casefold()}"


def _named(line: Line) -> Iterator[str]:
    """Whether a line names persons, and what is raised in it."""
    named, parts = names_of(line)
    if named:
        yield "names:" + ("all" if named == parts else "most" if named >= 0.6 * parts else "some")
        yield f"named:{min(named, 4)}"
        if named == 1 and parts == 1:
            yield "name"
    raised = sum(1 for word in line.words if shift_of(word, line) > 0)
    if raised:
        yield "raised" if raised > 1 else "raised once"
        if shift_of(line.words[0], line) > 0:
            yield "begins raised"


def _ended(text: str) -> Iterator[str]:
    """Return features of a line's beginning, end, length, and commas."""
    yield f"commas:{min(text.count(',') + text.count(';'), 4)}"
    if text.endswith("."):
        yield "stop"
    elif text.endswith((",", "and", "&", "-")):
        yield "open"
    if len(text) > 60:
        yield "long"
    if text[:1].islower():
        yield "begins small"


def _joint(lines: Sequence[FrontLine], n: int) -> Iterator[str]:
    """Whether a line that is a name, or none, is set like the line before it."""
    one = lines[n].line
    named, parts = names_of(one)
    kind = "name" if named and named >= 0.6 * parts and not ORGANIZATION.search(one.text) else "no name"
    before = lines[n - 1].line if n else None
    if before is None:
        return
    step = "same" if abs(one.size - before.size) < 0.3 else "larger" if one.size > before.size else "smaller"
    yield f"{kind} {step} {'face' if one.font == before.font else 'new face'}"


def _metadata_features(text: str, titled: str, named: set[str]) -> Iterator[str]:
    """Return features from the file's own metadata."""
    letters = _letters(text)
    if len(letters) > 8 and letters in titled:
        yield "title told"
    if named and any(_letters(word) in named for word in re.findall(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", text)):
        yield "author told"


def _wordy(line: Line) -> bool:
    return len(line.text.split()) > 1 and sum(map(str.isalpha, line.text)) >= 8


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
