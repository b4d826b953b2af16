"""Lines in reading order to paragraphs: by spacing, indents, short last lines and type; and titles run into text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import (
    is_abstract,
    is_abstract_label,
    is_part_of_text,
    is_references,
    is_standard,
    without_number,
)
from kag.sources.pdf.text.typography import Paragraph

_ENDS = re.compile(r"[.!?:;][\"'”’)\]\d,–\s-]*$")
_ITEM = re.compile(r"^(?:[•◦▪‣●○■□►▸➢✓–—-]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s|\[\d{1,3}\])")
_NUMBER = re.compile(r"^(?:\d{1,2}|[A-H])(?:\.\d{1,2})+\.?\s+[^\W\d_]")  # of a section
_NUMBERED = re.compile(r"^\[?\(?\d{1,3}[\].)]{0,2}\s")
_TITLE = 60  # characters of lines that may be titles
_SECTION = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-H](?:\.\d{1,2})*\.|[IVX]{1,5}\.)\s+[^\W\d_]")
_CAPITALS = 8  # letters of a line in capitals that is a title
_FEW = 2  # lines of one size
_TIGHT = 1.3  # type sizes between the lines of one title that is broken on purpose
_LEADING = 1.55  # type sizes between the lines of one title at most
_SAME_SIZE = 0.06  # share by which sizes within a paragraph differ at most
_WIDE = 1.32  # distance of two baselines, in usual ones, from which they are of two paragraphs
_INDENT = 0.7  # type sizes that a first line is set in
_SHORT = 0.12  # of the column: how much a paragraph's last line is shorter


@dataclass(frozen=True, slots=True)
class Column:
    """A column's layout: its left and right edges, whether lines are justified, whether entries hang."""

    left: float
    right: float
    flush: bool
    hanging: bool
    size: float = 0.0
    face: tuple[bool, bool] = (False, False)
    font: str = ""

    @property
    def width(self) -> float:
        return max(self.right - self.left, 1.0)


def pitches(lines: Sequence[Sequence[Line]]) -> dict[float, float]:
    """The usual distance of baselines, in points, by type size; `lines` are those of columns."""
    found: dict[float, Counter[float]] = {}
    for column in lines:
        for line, two in pairwise(column):
            step = two.base - line.base
            if abs(line.size - two.size) < 0.3 and 0.8 * line.size < step < 2.6 * line.size:
                found.setdefault(round(line.size), Counter())[round(step * 2) / 2] += 1
    return {size: min(count, key=lambda step: (-count[step], step)) for size, count in found.items()}


def column_of(lines: Sequence[Line]) -> Column:
    """Return the layout of a column's lines."""
    size = median(line.size for line in lines)
    body = [line for line in lines if abs(line.size - size) < 0.1 * size] or list(lines)
    starts = Counter(round(line.rect.x0) for line in body)
    common = max(starts.values())
    often = min(max(2, 0.12 * common), common)
    left = min(x for x in starts if sum(starts.get(x + d, 0) for d in (-1, 0, 1)) >= often)
    right = sorted(line.rect.x1 for line in body)[int(0.9 * (len(body) - 1))]
    flush = sum(1 for line in body if abs(line.rect.x1 - right) < 2.5) >= 0.5 * len(body)
    inner = [line for line in body if line.rect.x0 > left + _INDENT * size * 0.8]
    steps = Counter(round(line.rect.x0) for line in inner)
    alike = sum(n for x, n in steps.items() if steps and abs(x - max(steps, key=lambda k: (steps[k], -k))) <= 1)
    at_left = len(body) - len(inner)
    hanging = len(body) >= 4 and len(inner) >= 0.4 * len(body) and alike >= 0.7 * len(inner) and at_left > 0
    faces = Counter[tuple[bool, bool]]()
    for line in body:
        faces[line.bold, line.italic] += len(line.text)
    face = max(faces, key=lambda key: (faces[key], key))
    fonts = Counter[str]()
    for line in body:
        fonts[line.font.name] += len(line.text)
    return Column(left, right, flush, hanging, size, face, max(fonts, key=lambda key: (fonts[key], key)))


def paragraphs(lines: Sequence[Line], usual: dict[float, float], whole: Column | None = None) -> list[list[Line]]:
    """The paragraphs of a part of a column; each line is in one of them, in order. `whole` is the whole column."""
    return [group for run in _runs(lines) for group in _of_run(run, usual, whole or column_of(lines))]


def _runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Runs of lines of one size: references, captions and text each have edges and indents of their own."""
    runs: list[list[Line]] = []
    for line in lines:
        last = runs[-1][-1] if runs else None
        if last is not None and (abs(last.size - line.size) <= _SAME_SIZE * line.size or _on_one_line(last, line)):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _of_run(lines: Sequence[Line], usual: dict[float, float], whole: Column) -> list[list[Line]]:
    column = column_of(lines)
    if len(lines) <= _FEW:  # too few to show how wide their column is
        column = replace(column, right=max(column.right, whole.right))
    groups: list[list[Line]] = [[lines[0]]]
    for one, two in pairwise(lines):
        if _on_one_line(one, two):
            groups[-1].append(two)
        elif all(_is_display(line, whole) for line in groups[-1]):
            if _wraps(one, two, groups[-1], whole, usual.get(round(one.size), 0.0)):
                groups[-1].append(two)
            else:
                groups.append([two])
        elif _new(one, two, groups[-1], column, usual):
            groups.append([two])
        else:
            groups[-1].append(two)
    return groups


def _on_one_line(line: Line, two: Line) -> bool:
    """Return pieces of a line that are far apart: a number and its item, a formula and its number.

    "Article info" and "Abstract" may stand side by side, each above a text of its own.
    """
    alike = abs(line.base - two.base) < 0.3 * max(line.size, two.size) and two.rect.x0 >= line.rect.x1 - 1
    return alike and not is_abstract(two.text)


def _new(line: Line, two: Line, so_far: Sequence[Line], column: Column, usual: dict[float, float]) -> bool:
    """Whether a paragraph begins with the second line."""
    if is_abstract(two.text):
        return True
    if _other_type(line, two, column) or (len(so_far) == 1 and _in_other_face(line, two, column)):
        return True
    size = max(line.size, two.size)
    step = two.base - line.base
    pitch = usual.get(round(size), 1.2 * size)
    if step > max(_WIDE * pitch, pitch + 2.0) or step < -0.5 * size:
        return True
    indented = two.rect.x0 - column.left > _INDENT * size
    before = line.rect.x0 - column.left > _INDENT * size
    short = _ends_short(line, column)
    if column.hanging:
        return not indented and (before or bool(_NUMBERED.match(two.text)) or short)
    if line.bold and two.bold and _SECTION.match(so_far[0].text):
        return False  # the second line of a numbered title is set in
    if indented and not before and two.rect.x0 - column.left < 6 * size and not _is_hang(so_far, two):
        return True
    ended = bool(_ENDS.search(line.text))
    if (len(so_far) == 1 and _is_title(line, column) and two.text[:1].isupper()) or (ended and _is_title(two, column)):
        return True
    return (bool(_ITEM.match(two.text)) and (ended or short)) or (short and ended and not two.text[:1].islower())


def _in_other_face(line: Line, two: Line, column: Column) -> bool:
    """Whether a short line is a title by its face alone: no word of it is set in the column's, and the next line is."""
    fonts = {word.font.name for word in line.words}
    closed = line.text.endswith((".", ",", ";", ":", "-")) or not line.text[:1].isupper()
    return column.font not in fonts and two.font.name == column.font and not closed and _ends_short(line, column)


def _is_display(line: Line, column: Column) -> bool:
    """Whether a line is set like a title: larger than its column's text, or bold or slanted where that is not."""
    own = (line.bold, line.italic)
    if _letters(line) < 3:
        return False
    return line.size > column.size + 0.9 or (line.size > column.size - 1.6 and own != column.face)


def _wraps(one: Line, two: Line, so_far: Sequence[Line], column: Column, pitch: float) -> bool:
    """Whether a title goes on in a second line: set alike, and close below, or its first word had no room before.

    `pitch` is the usual distance of baselines in this size, 0 where it is not known.
    """
    alike = one.bold == two.bold and one.italic == two.italic and abs(one.size - two.size) < 0.3
    mixed = one.bold and two.bold and not two.text[:1].isupper()  # names of species stand in italics
    if not alike and not mixed and two.words[0].font[1:] != one.words[-1].font[1:]:
        return False
    step = two.base - one.base
    if not 0.5 * one.size < step < max(_LEADING * one.size, 1.1 * pitch):
        return False
    if _SECTION.match(two.text) or _ITEM.match(two.text):
        return False
    if min(_letters(one), _letters(two)) > 3 and _in_capitals(one) != _in_capitals(two):
        return False
    if _SECTION.match(so_far[0].text) and two.rect.x0 > so_far[0].rect.x0 + 2:
        return True  # set in under its words
    if alike and step < _TIGHT * one.size and not is_standard(" ".join(line.text for line in so_far)):
        return True
    left = min(so_far[0].rect.x0, column.left)
    row = [line for line in so_far if abs(line.base - one.base) < 0.3 * one.size]
    start, end = min(line.rect.x0 for line in row), max(line.rect.x1 for line in row)
    centred = abs(start + end - column.left - column.right) < 6
    room = column.right - left - (end - start) if centred else column.right - end
    first = two.words[0]
    return first.x1 - first.x0 + 0.2 * one.size > room or two.text[:1].islower()


def _is_title(line: Line, column: Column) -> bool:
    """Whether a line of the text's own type is a title by its words alone: a part's of the text, or a numbered one."""
    text = line.text
    if not _ends_short(line, column) or text.endswith((".", ",", ";")) or not without_number(text)[:1].isupper():
        return False
    part = is_part_of_text(text) or is_references(text) or is_abstract(text)
    return part or (bool(_NUMBER.match(text)) and len(text) < _TITLE)


def _other_type(line: Line, two: Line, column: Column) -> bool:
    """Whether two lines are set in types that no paragraph mixes line by line, or are two titles."""
    if abs(line.size - two.size) > _SAME_SIZE * max(line.size, two.size):
        return True
    if line.bold != two.bold and _letters(line) and _letters(two):
        return True
    slanted = line.italic != two.italic and min(_letters(line), _letters(two)) > 2
    if slanted and ((line.bold and two.bold) or _ends_short(line, column)):
        return True
    short = max(len(line.text), len(two.text)) < _TITLE
    if line.font == two.font and _in_capitals(line) != _in_capitals(two):
        title = line if _in_capitals(line) else two
        if short or (_letters(title) > _CAPITALS and _ends_short(title, column)):
            return True
    numbered, standard = bool(_NUMBER.match(two.text)), is_standard(line.text)
    if numbered and (standard or (len(line.text) < _TITLE and _NUMBER.match(line.text))):
        return True
    return line.bold and two.bold and (numbered or standard)


def _in_capitals(line: Line) -> bool:
    return line.text.isupper() and _letters(line) > 3


def _is_hang(so_far: Sequence[Line], two: Line) -> bool:
    """Whether the line goes on under the words of a list's item: indented like the item's second line, if any."""
    first = so_far[0]
    if len(so_far) > 1:
        return abs(so_far[-1].rect.x0 - two.rect.x0) < 1.5
    return bool(_ITEM.match(first.text)) and two.rect.x0 > first.rect.x0 + 2


def _ends_short(line: Line, column: Column) -> bool:
    room = column.right - line.rect.x1
    return room > (_SHORT if column.flush else 2.5 * _SHORT) * column.width


def _letters(line: Line) -> int:
    return sum(map(str.isalpha, line.text))


_LONGEST = 16  # pieces of words that such a title is set in: kerning cuts them
_RUN_IN_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_LONGEST_TITLE = 40  # pieces of words of a numbered title
_SENTENCE_ENDS = (".", "?", "!", ")", "]", ";")


def split_labels(paragraph: Paragraph) -> list[tuple[Paragraph, bool]]:
    """The pieces of a paragraph of an abstract that has a title; True for those that are titles."""
    words = [(n, word) for n, line in enumerate(paragraph.lines) for word in line.words]
    cuts: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        end = _label_end(words, at)
        if end:
            cuts.append((at, end))
        at = end or at + 1
    if not cuts:
        return [(paragraph, False)]
    edges = [0, *(edge for cut in cuts for edge in cut), len(words)]
    titles = {start for start, _ in cuts}
    pairs = pairwise(edges)
    return [
        (Paragraph(paragraph.page, tuple(_lines(words[start:end]))), start in titles)
        for start, end in pairs
        if start < end
    ]


def split_number(paragraph: Paragraph) -> list[tuple[Paragraph, bool]]:
    """Return the pieces of a paragraph that begins with a numbered title in a type of its own; True for the title."""
    words = [(n, word) for n, line in enumerate(paragraph.lines) for word in line.words]
    if not _RUN_IN_NUMBER.match(paragraph.text) or len(paragraph.lines) < 2:
        return [(paragraph, False)]
    own = next((word.font for _, word in words[1:] if _is_worded(word)), words[0][1].font)
    own = words[0][1].font if words[0][1].font.bold else own
    end = next((n for n in range(1, len(words)) if _is_worded(words[n][1]) and words[n][1].font[1:] != own[1:]), 0)
    title = words[:end]
    if not title or not (own.bold or own.italic) or not title[-1][1].text.endswith((".", ":")) or end > _LONGEST_TITLE:
        return [(paragraph, False)]
    pieces = [Paragraph(paragraph.page, tuple(_lines(part))) for part in (title, words[end:])]
    return [(pieces[0], True), (pieces[1], False)]


def _is_worded(word: Word) -> bool:
    """Whether letters follow each other in a word: signs of mathematics are set in faces of their own."""
    return bool(_LETTERS.search(word.text))


def _label_end(words: Sequence[tuple[int, Word]], at: int) -> int:
    """Behind the title that begins with a word, 0 where none does.

    It stands where a sentence may begin, and a colon or another type parts it from the text.
    """
    before = words[at - 1][1].text if at else "."
    if not before.endswith(_SENTENCE_ENDS) or not words[at][1].text[:1].isupper():
        return 0
    for end in range(min(at + _LONGEST, len(words) - 1), at, -1):
        title = [word for _, word in words[at:end]]
        text = "".join((" " if word.spaced and n else "") + word.text for n, word in enumerate(title))
        if not is_abstract_label(text):
            continue
        after = words[end][1]
        if not after.spaced and after.text[:1].isalpha():
            continue  # inside of a word
        if after.text in (":", ".", "—", "–"):  # set in the text's own type
            return end + 1 if end + 1 < len(words) else 0
        if title[-1].font != after.font or text.endswith((":", "—")):
            return end
    return 0


def _lines(words: Sequence[tuple[int, Word]]) -> Iterator[Line]:
    """The words as lines, or parts of lines."""
    start = 0
    for end in range(1, len(words) + 1):
        if end == len(words) or words[end][0] != words[start][0]:
            yield Line(tuple(word for _, word in words[start:end]))
            start = end
