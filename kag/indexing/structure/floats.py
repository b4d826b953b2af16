"""Figures, tables and their captions: which pictures are one figure, which caption names which float.

On each page captions are matched in reading order with the float next to them, figures with the caption below first,
tables with the one above. The rest is matched by distance, then with the page before or after.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from kag.core.types import Block
from kag.sources.labels import CAPTIONS, CONTINUED, FIGURES_ELSEWHERE, PICTURES, TABLES, TABLES_ELSEWHERE

Kind = Literal["figure", "table"]

_KIND_WORDS = r"(?:supplementa(?:ry|l)|extended data|supporting|online)?\s*"
_FIGURE = r"fig(?:ure|s)?|scheme|chart|plate|photo|image|illustration|graph|map|video|movie|abbildung|abb|figura"
_TABLE = r"table|tab|tabelle|tableau|tabla|tabela|tabella|cuadro|quadro|box"
_ELSEWHERE = rf"{FIGURES_ELSEWHERE}|{TABLES_ELSEWHERE}"
_PARENT = r"(?:(?P<parent>(?:ap{1,2}endix|box)(?:\s+(?:[A-Z]|\d{1,2}))?)(?:\s*[—–-]+\s*|\s+))?"  # "Appendix 1—Figure 2"
_LABEL = re.compile(
    rf"^\W*(?:(?P<again>{CONTINUED})\b[\s.:,–—-]{{1,4}}(?:of\s)?)?(?P<label>{_PARENT}{_KIND_WORDS}(?P<word>(?:{_FIGURE}|{_TABLE})\b|{_ELSEWHERE})\s*\.?(?:\s*|[-–](?=\d))"
    r"(?P<number>[A-Z]{0,2}\.?\s?\d{1,3}(?:[.-]\d{1,3})?|[IVXL]{1,6}(?![a-z])|[A-Z](?![A-Za-z]))"
    r"(?:\s*[—–-]+\s*figure supplement\s+(?P<supplement>\d{1,2}))?)",
    re.I,
)
_UNNUMBERED = re.compile(
    r"^\W{0,4}(?:appendix\s)?(?:supplementa(?:ry|l)\s|extended data\s|supporting\s|online\s)?"
    r"(?:(?P<table>table|tabelle|tableau|tabla|tabela)|figure|fig|abbildung|figura)\s?[.:|]\s{1,2}(?=(?-i:[A-ZÀ-Þ]))",
    re.I,
)
_CONTINUED = re.compile(  # "(continued)", ". Cont.", "continued from page 2", never ". Continued frost"
    rf"[\s.:,]{{0,3}}(?:[(\[–—-]{{1,2}}\s?(?:{CONTINUED})\b|(?:{CONTINUED})\b\.?\s*(?:$|[):;.,–—-]|(?=from\b|on\b)))",
    re.I,
)
_PANEL = re.compile(r"^\W*(?:[A-Za-z]|[ivx]{1,4})\W*$")


@dataclass(frozen=True, slots=True)
class FloatLabel:
    """The label of a float in its caption: "Fig. 3" -> figure, "3", "Fig. 3"."""

    kind: Kind
    number: str
    label: str


@dataclass(frozen=True, slots=True)
class Float:
    """A figure or table: its blocks, its caption's blocks (none when it has no caption), its label.

    `continues` is the first block of the part before it: its caption says "Table 3 (continued)" or repeats the caption
    of that part, or it has none and stands right below that part, or begins the next page with the same row. A table
    may be a picture of one.
    """

    kind: Kind
    blocks: tuple[Block, ...]
    caption: tuple[Block, ...] = ()
    label: FloatLabel | None = None
    continues: str = ""


@dataclass(slots=True)
class _Caption:
    blocks: list[Block]
    label: FloatLabel | None
    kind: Kind | None
    places: tuple[int, int] = (0, 0)  # first and last position in reading order


@dataclass(slots=True)
class _Body:
    kind: Kind
    blocks: list[Block]
    places: tuple[int, int] = (0, 0)
    caption: _Caption | None = None
    part_of: _Body | None = None  # the table that this one is the second block of


def float_label(text: str) -> FloatLabel | None:
    """The label a caption begins with, None when it begins otherwise.

    >>> float_label("Fig. 2. Yields.")
    FloatLabel(kind='figure', number='2', label='Fig. 2')
    >>> float_label("Table S1 Doses").number
    'S1'
    >>> float_label("Appendix 1—Figure 2—figure supplement 1. Ice.").number
    'Appendix 1-2-s1'
    """
    match = _LABEL.match(text)
    if not match:
        return None
    kind: Kind = "table" if re.fullmatch(rf"{_TABLE}|{TABLES_ELSEWHERE}", match["word"], re.I) else "figure"
    number = re.sub(r"\s", "", match["number"])
    prefix = "S" if re.match(r"\s*suppl", match["label"], re.I) and not number.upper().startswith("S") else ""
    prefix = "ED" if re.match(r"\s*extended", match["label"], re.I) else prefix
    supplement = f"-s{match['supplement']}" if match["supplement"] else ""
    parent = " ".join((match["parent"] or "").split())
    number = f"{parent}-{number}" if parent else prefix + number
    return FloatLabel(kind, number + supplement, match["label"].strip())


def find_floats(blocks: Sequence[Block]) -> tuple[Float, ...]:
    """The floats of a paper, in reading order; `blocks` in reading order, noise left out."""
    bodies, left = _matched(blocks, frozenset())
    pictured = _pictured_tables(bodies, left, blocks)
    if pictured:
        bodies, _ = _matched(blocks, pictured)
    return _continued([_finished(body) for body in bodies])


def _matched(blocks: Sequence[Block], pictured: Set[str]) -> tuple[list[_Body], list[_Caption]]:
    """The bodies with their captions, and the captions of none; the blocks `pictured` are pictures of tables."""
    captions, bodies = _captions(blocks), _bodies(blocks, pictured)
    free = _Free(bodies)
    captions = [caption for caption in captions if not free.give(caption, free.given_by_source(caption))]
    for gap in (1, 3):
        for usual in (True, False):
            captions = [caption for caption in captions if not free.give(caption, free.beside(caption, gap, usual))]
        if gap == 1:
            _join_parts(bodies, free)
    left = []
    for caption in captions:
        heads = caption.blocks[0].label == "sub_title"  # a section rather: "Box 1." far from any table
        if heads or not free.give(caption, free.near(caption)):
            left.append(caption)
    return bodies, left


def _join_parts(bodies: Sequence[_Body], free: _Free) -> None:
    """Make each table without a caption that goes on with one that has its caption above a part of that.

    It stands right behind that one, or begins the next page with the same row of titles.
    """
    for body, later in pairwise(bodies):
        above = body.part_of or body
        if not body.kind == later.kind == "table" or later.caption or _own_label(later):
            continue
        captioned = above.caption and above.caption.places[1] < above.places[0] and above.caption.label
        behind = body.places[1] + 1 == later.places[0] and _page(body) == _page(later)
        if captioned and (behind or (_page(body) + 1 == _page(later) and _same_titles(body, later))):
            later.part_of = above
            free.take(later)


def _same_titles(body: _Body, later: _Body) -> bool:
    """Whether two tables begin with the same row of two titles or more."""
    rows = [
        [(cell.column, cell.text) for cell in block.table.cells if cell.row == 0] if block.table else []
        for block in (body.blocks[0], later.blocks[0])
    ]
    return rows[0] == rows[1] and len({text for _, text in rows[0] if text.strip()}) > 1


def _pictured_tables(bodies: Sequence[_Body], captions: Sequence[_Caption], blocks: Sequence[Block]) -> set[str]:
    """The pictures that are tables: right behind the caption of one that no table is printed for.

    Of several pictures in a row with a figure's caption below, the first is the table.
    """
    found: set[str] = set()
    begins = {body.places[0]: body for body in bodies if body.kind == "figure"}
    for caption in captions:
        body = begins.get(caption.places[1] + 1)
        if caption.kind != "table" or not caption.label or not body or _page(body) != caption.blocks[0].page:
            continue
        if not body.caption:
            found.update(block.id for block in body.blocks)
        elif len(body.blocks) > 1 and body.caption.places[0] > body.places[1]:
            found.add(body.blocks[0].id)
    return found


def _continued(floats: Sequence[Float]) -> tuple[Float, ...]:
    """The floats, each that goes on with one of the same number led back to the part before it."""
    last: dict[tuple[Kind, str], tuple[str, str]] = {}  # first block of the last part, words of the first caption
    linked: list[Float] = []
    for item in floats:
        key = (item.kind, item.label.number) if item.label else None
        words = (*item.caption, *item.blocks)[0].plain
        before = last.get(key) if key else None
        if before and (_says_continued(words) or (item.kind == "table" and item.caption and words == before[1])):
            linked.append(replace(item, continues=before[0]))
        else:
            linked.append(item)
        if key:
            last[key] = item.blocks[0].id, words if before is None else before[1]
    return tuple(linked)


def _says_continued(words: str) -> bool:
    """Whether a label is printed with "continued", before it or behind it."""
    match = _LABEL.match(words)
    return bool(match and (match["again"] or _CONTINUED.match(words, match.end())))


def is_caption(block: Block) -> bool:
    """Whether a block is set or worded as a caption; panel letters are not, nor is a block that prints a table."""
    if block.label in CAPTIONS or block.caption_of:
        return not _PANEL.match(block.plain) and bool(block.plain)
    if block.label not in ("text", "sub_title") or block.table:
        return False
    return _worded_as_caption(block.plain) or bool(block.label == "text" and _unnumbered(block.plain))


def _unnumbered(text: str) -> Kind | None:
    """The kind of float that a caption without a number names at its beginning: "Table. Doses of ice"."""
    match = _UNNUMBERED.match(text)
    return None if not match else "table" if match["table"] else "figure"


def _worded_as_caption(text: str) -> bool:
    """A label followed by a stop and words: "Figure 2. Yields ...", never "Figure 2 shows ..."."""
    match = _LABEL.match(text)
    rest = text[match.end() :] if match else ""
    return bool(match and (re.match(r"\s*[.:|]\s*(?=[A-Z(\d]|$)|\s*$", rest) or _says_continued(text)))


def _captions(blocks: Sequence[Block]) -> list[_Caption]:
    """Captions; those that the source gives to one float are one, as are a bare label and the block behind it."""
    captions: list[_Caption] = []
    for place, block in enumerate(blocks):
        if not is_caption(block):
            continue
        label = float_label(block.plain)
        last = captions[-1] if captions else None
        if last and block.caption_of and block.caption_of == last.blocks[0].caption_of:
            last.blocks.append(block)
            last.places = (last.places[0], place)
            continue
        if last and label is None and _bare(last) and last.places[1] == place - 1 and last.blocks[0].page == block.page:
            last.blocks.append(block)
            last.places = (last.places[0], place)
            continue
        stated = label.kind if label else "table" if block.label.startswith("table") else _unnumbered(block.plain)
        captions.append(_Caption([block], label, stated, (place, place)))
    return captions


def _bare(caption: _Caption) -> bool:
    text = caption.blocks[-1].plain
    match = _LABEL.match(text)
    return len(caption.blocks) == 1 and bool(match and not re.search(r"\w", text[match.end() :]))


def _bodies(blocks: Sequence[Block], pictured: Set[str]) -> list[_Body]:
    """Pictures and tables; pictures with nothing but panel letters between them are one figure.

    The source may say that a picture has a caption of its own: no two of these are one figure, and none of them
    needs a box.
    """
    bodies: list[_Body] = []
    named = {block.caption_of for block in blocks}
    letters = 0  # panel letters since the last picture
    for place, block in enumerate(blocks):
        if block.label in PICTURES and (block.boxes or block.id in named) and not block.table:
            last = bodies[-1] if bodies else None
            kind: Kind = "table" if block.id in pictured else "figure"
            apart = block.id in named and last and any(one.id in named for one in last.blocks)
            beside = last and _page(last) == block.page and last.places[1] + letters + 1 == place
            if last and last.kind == kind and last.blocks[0].label in PICTURES and beside and not apart:
                last.blocks.append(block)
                last.places = (last.places[0], place)
            else:
                bodies.append(_Body(kind, [block], (place - letters, place)))
            letters = 0
        elif block.label in TABLES or (block.table and block.label not in CAPTIONS):
            bodies.append(_Body("table", [block], (place, place)))
            letters = 0
        else:
            letters = letters + 1 if is_panel_letter(block) else 0
    return bodies


def is_panel_letter(block: Block) -> bool:
    """Whether a letter next to a panel is set as a caption of its own."""
    return block.label in CAPTIONS and bool(_PANEL.match(block.plain))


class _Free:
    """The bodies without a caption, by page and kind and in reading order, so that the nearest are found at once."""

    def __init__(self, bodies: Sequence[_Body]) -> None:
        self._first: dict[tuple[int, Kind], list[int]] = {}  # places where bodies begin
        self._begins: dict[int, _Body] = {body.places[0]: body for body in bodies}
        self._ends: dict[int, _Body] = {body.places[1]: body for body in bodies}
        self._of_block: dict[str, _Body] = {block.id: body for body in bodies for block in body.blocks}
        for body in bodies:
            self._first.setdefault((_page(body), body.kind), []).append(body.places[0])

    def given_by_source(self, caption: _Caption) -> _Body | None:
        """The free body that the source itself gives the caption to."""
        body = self._of_block.get(caption.blocks[0].caption_of)
        return body if body and not body.caption and not body.part_of else None

    def give(self, caption: _Caption, body: _Body | None) -> bool:
        """Give a caption to a body, if there is one, which is then not free any more."""
        if body:
            body.caption = caption
            self.take(body)
        return bool(body)

    def take(self, body: _Body) -> None:
        """Leave a body out from now on."""
        first = self._first[_page(body), body.kind]
        del first[bisect_left(first, body.places[0])]

    def beside(self, caption: _Caption, gap: int, usual: bool) -> _Body | None:
        """The first free body of the caption's kind, at most `gap` blocks before or after it on its page.

        It stands on the usual side of the caption, or on the other one.
        """
        first, last = caption.places
        before = [(self._ends.get(first - step), "figure") for step in range(gap, 0, -1)]
        behind = [(self._begins.get(last + step), "table") for step in range(1, gap + 1)]
        for body, kind in (*before, *behind):
            free = body and not body.caption and not body.part_of and _page(body) == caption.blocks[0].page
            if body and free and caption.kind in (None, body.kind) and usual == (body.kind == kind):
                return body
        return None

    def near(self, caption: _Caption) -> _Body | None:
        """The nearest free body of the caption's kind: on its page, else on the page before or after."""
        page, place = caption.blocks[0].page, caption.places[0]
        kinds: tuple[Kind, ...] = (caption.kind,) if caption.kind else ("figure", "table")
        for pages in ((page,), (page - 1, page + 1)):
            found = []
            for listed in (self._first.get((number, kind), []) for number in pages for kind in kinds):
                at = bisect_left(listed, place)
                found += listed[max(0, at - 1) : at + 1]
            if found:
                return self._begins[min(found, key=lambda begins: (abs(begins - place), begins))]
        return None


def _page(body: _Body) -> int:
    return body.blocks[0].page


def _finished(body: _Body) -> Float:
    caption = body.caption
    if caption:
        return Float(body.kind, tuple(body.blocks), tuple(caption.blocks), caption.label)
    part_of = body.part_of.blocks[0].id if body.part_of else ""
    return Float(body.kind, tuple(body.blocks), label=_own_label(body), continues=part_of)


def _own_label(body: _Body) -> FloatLabel | None:
    """The label of a table printed in one block with its caption: "Table 1. Doses <table>..."."""
    block = body.blocks[0]
    label = float_label(block.plain) if block.table and _worded_as_caption(block.plain) else None
    return label if label and label.kind == body.kind else None
