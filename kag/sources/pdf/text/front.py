"""What each line of a paper's first pages is: title, author, affiliation, abstract, ..., by a trained labeller.

A linear-chain conditional random field over the features of `front_features`. Its weights lie beside this module in
`front.crfsuite`; `front.json` says their SHA-256 and how they were trained. `scripts/train_front.py` writes both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pycrfsuite

from kag.sources.pdf.text.front_features import MAX_LINES, FrontLine, base_text, count_names, front_features
from kag.sources.pdf.text.headings import Type, type_of
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import is_abstract, is_standard
from kag.values.errors import SourceError
from kag.values.types import Metadata

FOLDER = Path(__file__).parent
ROLES = frozenset({"title", "author", "affiliation", "contact", "abstract", "keywords"})
"""What is told apart; the labeller also knows headings, the body and other lines."""
FRONT_PAGES = 3  # a cover, a title page and a page with the abstract


def front_lines(columns: Sequence[tuple[int, Sequence[Any]]]) -> list[FrontLine]:
    """The lines of the first pages in reading order; `columns` are pages and what stands in their columns."""
    found = [
        FrontLine(item, page - 1, n)
        for n, (page, column) in enumerate(columns)
        if page <= FRONT_PAGES
        for item in column
        if isinstance(item, Line)
    ]
    return found[:MAX_LINES]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The roles of lines that belong to the front matter, and the line with which the text itself begins, if known."""

    roles: Mapping[Line, str]
    text: Line | None = None


NO_FRONT = FrontMatter({})


def label_front(
    lines: Sequence[FrontLine], sheet: tuple[float, float], body: Type, metadata: Metadata
) -> FrontMatter:
    """What the lines of the first pages are; `sheet` is the width and height of a page."""
    if not lines:
        return NO_FRONT
    tagger = pycrfsuite.Tagger()  # keeps the lines it works on: one a paper
    tagger.open_inmemory(_weights())
    labels = tagger.tag(front_features(lines, sheet, body, metadata))
    roles = {
        one.line: label
        for one, label in zip(lines, labels, strict=True)
        if label in ROLES and not (is_standard(one.line.text) or is_abstract(one.line.text))
    }
    return FrontMatter(_checked_authors(lines, roles), _text_start(lines, labels))


def _text_start(lines: Sequence[FrontLine], labels: Sequence[str]) -> Line | None:
    """The first line of the text, or of the heading above it: behind the title, where three lines of text follow."""
    title = next((n for n, label in enumerate(labels) if label == "title"), 0)
    for n in range(title, len(labels) - 2):
        if labels[n : n + 3] == ["body"] * 3:
            while n and labels[n - 1] == "heading":
                n -= 1
            return lines[n].line
    return None


def _checked_authors(lines: Sequence[FrontLine], roles: dict[Line, str]) -> dict[Line, str]:
    """The roles, where an author's line names persons, and names set like it at the head of their cells are authors."""
    named = {one.line: _is_names(one.line) for one in lines}
    for before, one in pairwise(lines):
        if roles.get(before.line) == "author" and one.line not in roles and before.column == one.column:
            below = one.line.base - before.line.base < 1.8 * one.line.size
            if below and before.line.font == one.line.font and count_names(base_text(one.line))[0]:
                roles[one.line] = "author"
    for n, one in enumerate(lines):
        near = [lines[m].line for m in (n - 1, n + 1) if 0 <= m < len(lines)]
        if roles.get(one.line) == "author" and not named[one.line] and not any(
            roles.get(line) == "author" and named[line] for line in near
        ):
            del roles[one.line]
    types = {(one.page, type_of(one.line)[:3], one.line.font) for one in lines if roles.get(one.line) == "author"}
    last = max((n for n, one in enumerate(lines) if roles.get(one.line) == "affiliation"), default=-1)
    for n, one in enumerate(lines[: last + 1]):
        alike = (one.page, type_of(one.line)[:3], one.line.font) in types
        if not alike or not named[one.line] or roles.get(one.line) in ("author", "title"):
            continue
        after = lines[n + 1] if n + 1 < len(lines) else None
        heads = n == 0 or lines[n - 1].column != one.column or roles.get(lines[n - 1].line) in ("contact", "affiliation")
        followed = after is not None and after.column == one.column and roles.get(after.line) in ("affiliation", "contact")
        if heads and followed:
            roles[one.line] = "author"
    return roles


def _is_names(line: Line) -> bool:
    named, parts = count_names(base_text(line))
    return named > 0 and 2 * named >= parts


@lru_cache(maxsize=1)
def _weights(folder: Path = FOLDER) -> bytes:
    """The model's weights; raises `SourceError` where its files are missing, damaged or not of one training."""
    hint = "Install kag again: its model of front matter is incomplete."
    try:
        known = json.loads((folder / "front.json").read_text(encoding="utf-8"))["sha256"]
        weights = (folder / "front.crfsuite").read_bytes()
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"{folder}: {error}", hint=hint) from error
    if hashlib.sha256(weights).hexdigest() != known:
        raise SourceError(f"{folder / 'front.crfsuite'}: its SHA-256 is not that of front.json", hint=hint)
    return weights
