"""`placed`: find the boxes of a text without any in the PDF of the same paper next to it.

Words are compared, in reading order. A long block is where most of its runs of four words stand together, and nowhere
else; a short one where its words fill whole lines, once between its neighbours. What is not found for certain has no
box, and is said to stand on the page of the block before it.
"""

from __future__ import annotations

import os
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import SourceError
from kag.core.files import own_file
from kag.core.types import Block, Box, Document, Repair
from kag.sources.loading import digest
from kag.sources.names import is_doi, stem_of, telling_folder
from kag.sources.reading import Reading

if TYPE_CHECKING:
    from kag.sources.pdf.read import PrintedLine

_RUN = 4  # words
_LONG = 12  # words from which a block is found by its runs
_OFTEN = 8  # places of a run that are looked at: more say nothing
_ENOUGH = 0.3  # of a block's runs that must stand together
_LEAST, _NEARLY = 3, 0.9  # of its runs that the PDF prints once: how many, and which share, make a place sure
_SECOND = 0.5  # of these that may stand together elsewhere
_SPARE = 1.3  # of its words that a block may fill, more than those by `_MORE`
_MORE = 20
_WORD = re.compile(r"[^\W_]+")
_CUT = re.compile(r"[^\W\d_]-$")
_NUMBER = re.compile(r"\d{1,2}|[ivx]{1,4}|[a-h]")


def pdf_beside(path: Path) -> Path | None:
    """The PDF of the paper that a file is a form of, by their names.

    That is `smith.pdf` beside `smith.xml` or the folder `smith/`, and the only one beside a file whose name says
    nothing, or in a folder that a DOI names.
    """
    stem, folder = stem_of(path.name), path.parent
    inside = telling_folder(folder)
    named = [folder / f"{stem}.pdf"] if stem else []
    if not stem or is_doi(inside):
        try:
            files = [name for name in sorted(os.listdir(folder)) if name.lower().endswith(".pdf")]
        except OSError:
            files = []
        own = [name for name in files if is_doi(inside) or not stem_of(name)]
        named += [folder / name for name in own if len(own) == 1]
    named += [above.parent / f"{above.name}.pdf" for above in (folder, *folder.parents[:1]) if above.name == inside]
    return next((pdf for pdf in named if pdf != path and own_file(pdf)), None)


def placed(document: Document, pdf: Path, reading: Reading) -> Document:
    """The document with the pages and boxes that its blocks have in the PDF; as it was where that cannot be read."""
    try:
        from kag.sources.pdf.read import printed_in  # half of what importing the readers would cost

        printed = printed_in(pdf, reading)
    except SourceError as error:
        problem = f"the PDF beside cannot be read: {error.message}"
        return replace(document, repairs=(*document.repairs, Repair(0, 0, problem, "read without boxes")))
    found = _Places(printed.lines).of(document.blocks)
    blocks, page = [], 1
    for block in document.blocks:
        page, boxes = found.get(block.id, (page, ()))
        blocks.append(replace(block, page=page, boxes=boxes))
    sha256 = digest([document.sha256.encode(), printed.sha256.encode()])
    sizes = printed.page_sizes
    return replace(document, blocks=tuple(blocks), sha256=sha256, pages=len(sizes), page_sizes=sizes)


Place = tuple[int, tuple[Box, ...]]
"""A page and the boxes on it."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """The words of a block in the PDF: the first, the one behind the last, and their lines."""

    start: int
    end: int
    lines: tuple[int, ...]


class _Places:
    """The words of a PDF, to be found."""

    def __init__(self, lines: Sequence[PrintedLine]) -> None:
        self.lines = lines
        self.words: list[str] = []
        self.line_of: list[int] = []
        for n, line in enumerate(lines):
            words = words_of(line.text)
            if self._is_cut(n) and self.words and words:
                self.words[-1] += words.pop(0)
            self.words += words
            self.line_of += [n] * len(words)
        self.runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for n in range(len(self.words) - _RUN + 1):
            self.runs[tuple(self.words[n : n + _RUN])].append(n)

    def _is_cut(self, n: int) -> bool:
        """Whether a line begins with the rest of a word."""
        line, before = self.lines[n], self.lines[n - 1] if n else None
        return before is not None and before.part == line.part and bool(_CUT.search(before.text))

    def of(self, blocks: Sequence[Block]) -> dict[str, Place]:
        """The places of blocks, by id."""
        words = [words_of(block.plain) for block in blocks]
        hits = {n: hit for n, own in enumerate(words) if len(own) >= _LONG and (hit := self._long(own))}
        floats = {block.caption_of for block in blocks if block.caption_of}
        flowing = [n for n in sorted(hits) if not blocks[n].caption_of and blocks[n].id not in floats]
        flowing = [n for n, _ in _rising([(n, hits[n].start) for n in flowing])]  # in the order of both
        for n, own in enumerate(words):
            if n not in hits and 0 < len(own) < _LONG and blocks[n].id not in floats:
                at = bisect_left(flowing, n)
                low = hits[flowing[at - 1]].end if at else 0
                high = hits[flowing[at]].start if at < len(flowing) else len(self.words)
                hit = self._short(own, low, high) if low <= high else None
                hit = hit or (self._short(own, 0, len(self.words)) if len(own) > 2 else None)
                if hit:
                    hits[n] = hit
        found = {blocks[n].id: self._place(hit) for n, hit in hits.items()}
        return found | self._floats(blocks, hits)

    def _long(self, own: Sequence[str]) -> _Hit | None:
        """Return the place with most runs of a block, if there is one."""
        pairs = sorted((at, n) for n, run in enumerate(_runs(own)) if len(self.runs.get(run, ())) <= _OFTEN
                       for at in self.runs.get(run, ()))  # fmt: skip
        best = _rising(self._densest(pairs, len(own)))
        if len({n for _, n in best}) < _ENOUGH * (len(own) - _RUN + 1):
            return None
        there, used = set(best), {at for at, _ in best}
        lone = [len(self.runs[tuple(own[n : n + _RUN])]) == 1 for _, n in pairs]
        sure = sum(alone and pair in there for pair, alone in zip(pairs, lone, strict=True))
        if sure < max(_LEAST, _NEARLY * sum(lone)):
            rest = self._densest([pair for pair in pairs if pair[0] not in used], len(own))
            if len({n for _, n in rest}) > _SECOND * len({n for _, n in best}):
                return None
        words = sorted({at + k for at, _ in best for k in range(_RUN)})
        return _Hit(words[0], words[-1] + 1, self._lines(words))

    def _densest(self, pairs: Sequence[tuple[int, int]], length: int) -> Sequence[tuple[int, int]]:
        """The pairs within a stretch as long as a block may be, where there are most."""
        room = _SPARE * length + _MORE
        best = first = last = 0
        for n, (at, _) in enumerate(pairs):
            while pairs[first][0] < at - room:
                first += 1
            if n + 1 - first > best:
                best, last = n + 1 - first, n + 1
        return pairs[last - best : last]

    def _short(self, own: Sequence[str], low: int, high: int) -> _Hit | None:
        """The only place between two words where a block fills whole lines, maybe behind a number."""
        found = [n for n in range(low, high - len(own) + 1) if self.words[n] == own[0] and self._fills(n, own)]
        if len(found) != 1:
            return None
        (start,) = found
        end = start + len(own)
        return _Hit(start, end, self._lines(range(start, end)))

    def _fills(self, start: int, own: Sequence[str]) -> bool:
        end = start + len(own)
        if self.words[start:end] != list(own):
            return False
        line, first = self.line_of[start], start
        while first and self.line_of[first - 1] == line and _NUMBER.fullmatch(self.words[first - 1]):
            first -= 1
        if first and self.line_of[first - 1] == line:
            return False
        return end == len(self.words) or self.line_of[end] != self.line_of[end - 1]

    def _lines(self, words: Iterable[int]) -> tuple[int, ...]:
        """The lines that hold some words, and those between them in one part of the flow."""
        held = sorted({self.line_of[n] for n in words})
        found: list[int] = []
        for _, group in groupby(held, key=lambda n: self.lines[n].part):
            inside = list(group)
            found += range(inside[0], inside[-1] + 1)
        return tuple(found)

    def _place(self, hit: _Hit) -> Place:
        """The page where a block begins, with a box for each part of the flow that it fills there."""
        lines = [self.lines[n] for n in hit.lines]
        page = lines[0].page
        groups = groupby((line for line in lines if line.page == page), key=lambda line: line.part)
        return page, tuple(_around([line.box for line in group]) for _, group in groups)

    def _floats(self, blocks: Sequence[Block], hits: dict[int, _Hit]) -> dict[str, Place]:
        """Figures and tables by their captions, and tables without one by what is in them."""
        found: dict[str, Place] = {}
        place = {block.id: n for n, block in enumerate(blocks)}
        for n, block in enumerate(blocks):
            of = block.caption_of
            if n in hits and of in place and (region := self._region(hits[n], caption=True)):
                found[of] = region
            elif n in hits and block.label == "table" and (region := self._region(hits[n], caption=False)):
                found.setdefault(block.id, region)
        return found

    def _region(self, hit: _Hit, *, caption: bool) -> Place | None:
        """The figure or table that all lines of a hit belong to."""
        own = {(self.lines[n].page, self.lines[n].region) for n in hit.lines if self.lines[n].caption == caption}
        lines = sum(self.lines[n].caption == caption for n in hit.lines)
        if len(own) != 1 or 2 * lines < len(hit.lines):
            return None
        page, region = own.pop()
        return (page, (region,)) if region else None


def words_of(text: str) -> list[str]:
    """The words of a text in one form.

    >>> words_of("Naïve long-term e\\ufb00ects")
    ['naive', 'long', 'term', 'effects']
    """
    plain = unicodedata.normalize("NFKD", text.replace("\u00ad", "")).casefold()
    return _WORD.findall("".join(char for char in plain if not unicodedata.combining(char)))


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[n : n + _RUN]) for n in range(len(words) - _RUN + 1))


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs in which both numbers rise."""
    ends: list[int] = []
    chains: list[int] = []  # place of the last pair of the best chain of each length
    before: list[int] = []
    for n, (_, word) in enumerate(pairs):
        at = bisect_left(ends, word)
        before.append(chains[at - 1] if at else -1)
        ends[at : at + 1] = [word]
        chains[at : at + 1] = [n]
    found, n = [], chains[-1] if chains else -1
    while n >= 0:
        found.append(pairs[n])
        n = before[n]
    return found[::-1]


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        min(box.x0 for box in boxes), min(box.y0 for box in boxes),
        max(box.x1 for box in boxes), max(box.y1 for box in boxes),
    )  # fmt: skip
