"""A page cut at its tags: `<|ref|>label<|/ref|><|det|>[[x0, y0, x1, y1], ...]<|/det|>` and the text behind.

OCR models break off in the middle of a tag, or repeat themselves. A broken tag still begins a block,
with whatever of label and boxes can be read; only characters that are clearly tag syntax are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.core.types import Box, Repair
from kag.sources.boxes import UNREADABLE, parse_boxes, repair_of

DEFAULT_LABEL = "text"

_MARK = re.compile(r"<\|/?(?:ref|det)\|>")
# A label is short and on one line; without its closing mark only a bare word directly before <|det|> is one.
_TAG = re.compile(
    r"(?:<\|ref\|>(?:(?P<label>[^<>\n]{0,80})<\|/ref\|>|(?P<open_label>[a-z_]{1,40})(?=<\|det\|>))\s*)?"
    r"(?:<\|det\|>(?:(?P<boxes>[^<]*)<\|/det\|>|(?P<open_boxes>\[[\[\](),.\d +-]*?\]\]|\[[\[\](),.\d +-]*|)))?"
)
_ONE_BOX = re.compile(r"\[[^\[\]]*\]")
_BOX_SYNTAX = re.compile(r"(?:[\[\](){},.;:\"'\d\s+-]|nan|infinity|inf|none|null|e)*+", re.I)


@dataclass(frozen=True, slots=True)
class Segment:
    """The text behind one tag; `label` is None for text before any tag. `line` is the tag's."""

    label: str | None
    boxes: tuple[Box, ...]
    raw: str
    line: int


@dataclass(frozen=True, slots=True)
class _Tag:
    """One mark as met: `label` None when it begins no block; `kept` is text found inside it."""

    label: str | None
    boxes: tuple[Box, ...]
    kept: str
    end: int
    problems: tuple[tuple[str, str], ...]


def split_page(text: str, page: int, first_line: int = 1) -> tuple[list[Segment], list[Repair]]:
    """The segments of a page in file order, outer whitespace stripped, and what had to be repaired.

    Text before the first tag is the only segment without a label; it is left out when blank.
    """
    segments: list[Segment] = []
    repairs: list[Repair] = []
    label: str | None = None
    boxes: tuple[Box, ...] = ()
    pieces: list[str] = []
    at, line, start = 0, first_line, first_line
    while (mark := _MARK.search(text, at)) is not None:
        line += text.count("\n", at, mark.start())
        pieces.append(text[at : mark.start()])
        tag = _read_tag(text, mark)
        if tag.label is not None:
            _close(segments, label, boxes, pieces, start)
            label, boxes, pieces, start = tag.label, tag.boxes, [], line
        pieces.append(tag.kept)
        repairs += (Repair(page, line, problem, action) for problem, action in tag.problems)
        line += text.count("\n", mark.start(), tag.end)
        at = tag.end
    pieces.append(text[at:])
    _close(segments, label, boxes, pieces, start)
    return segments, repairs


def _close(segments: list[Segment], label: str | None, boxes: tuple[Box, ...], pieces: list[str], start: int) -> None:
    whole = "".join(pieces)
    raw = whole.strip()
    if label is None:
        start += whole[: len(whole) - len(whole.lstrip())].count("\n")
    if raw or label is not None:
        segments.append(Segment(label, boxes, raw, start))


def _read_tag(text: str, mark: re.Match[str]) -> _Tag:
    match = _TAG.match(text, mark.start())
    if match is None or match.end() == mark.start():  # the mark alone, nothing behind it fits
        return _lone_mark(mark)
    label, open_label = match["label"], match["open_label"]
    problems: list[tuple[str, str]] = []
    if label is None and open_label is not None:
        problems.append(("a tag's label is not closed", "label read up to the boxes"))
    elif label is None:
        problems.append(("a box list without a label", f"block kept as {DEFAULT_LABEL!r}"))
    elif not label.strip():
        problems.append(("a tag without a label", f"block kept as {DEFAULT_LABEL!r}"))
    boxes, kept = _read_list(match, problems)
    name = (label or open_label or "").strip().lower() or DEFAULT_LABEL
    return _Tag(name, boxes, kept, match.end(), tuple(problems))


def _read_list(match: re.Match[str], problems: list[tuple[str, str]]) -> tuple[tuple[Box, ...], str]:
    listed, open_list = match["boxes"], match["open_boxes"]
    if listed is None and open_list is None:
        problems.append(("a tag without a box list", "block kept without boxes"))
        return (), ""
    if listed is None:
        problems.append(("a tag's box list is not closed", "read as far as it goes"))
        listed = f"[{','.join(_ONE_BOX.findall(open_list))}]"
    boxes, found = parse_boxes(listed)
    problems += ((problem, repair_of((problem,))) for problem in found)
    lost = UNREADABLE in found and _BOX_SYNTAX.fullmatch(listed) is None
    return boxes, listed + "\n" if lost else ""  # words inside a broken list are the paper's, not the tag's


def _lone_mark(mark: re.Match[str]) -> _Tag:
    if mark[0] == "<|ref|>":
        problem = ("a tag is not closed", f"its text kept in a block {DEFAULT_LABEL!r}")
        return _Tag(DEFAULT_LABEL, (), "", mark.end(), (problem,))
    return _Tag(None, (), "", mark.end(), ((f"a stray {mark[0]}", "mark dropped, text kept"),))
