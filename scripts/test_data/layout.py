"""Sets the items of a paper into columns and pages, draws them, and says where each block went.

A paragraph that runs into the next column is one block with two boxes; one that is cut by a page end or by a float
is two blocks, as OCR of real papers has it. Boxes are those of what was drawn, so they are true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from .ink import Area, Set
from .inline import Mention, Piece, Rich
from .items import HEIGHT, WIDTH, FloatItem, Item, Page, PictureItem, Placed, TextItem
from .typeset import Line, Look, break_lines, draw_line

_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 847, 104, 1196
_GUTTER = 27
_FLOAT_SHARE = 0.6  # of a page's height that wide floats may fill


@dataclass(frozen=True, slots=True)
class Furniture:
    """Running heads for even and odd pages, and the look of heads and page numbers."""

    even: str
    odd: str
    look: Look


def column_width(columns: int) -> int:
    """Pixels a column is wide."""
    return (_RIGHT - _LEFT - _GUTTER * (columns - 1)) // columns


class Setter:
    """Places items one after the other; `pages` grows."""

    def __init__(self, columns: int, furniture: Furniture) -> None:
        self.pages: list[Page] = []
        self._columns = 1  # the title page begins in one column
        self._body_columns = columns
        self._furniture = furniture
        self._waiting: list[FloatItem] = []
        self._coming: list[Item] = []
        self._column = 0
        self._head = self._y = float(_TOP)
        self._new_page()

    def start_columns(self) -> None:
        """End the full-width front matter; columns begin below it."""
        self._columns = self._body_columns
        self._head = self._y = self._y + 16
        self._column = 0

    def place(self, items: Sequence[Item]) -> None:
        """Place items in order; floats that do not fit wait for the next column or page."""
        self._coming = list(items)
        while self._coming:
            item = self._coming.pop(0)
            match item:
                case TextItem():
                    self._text(item, next((i for i in self._coming if isinstance(i, TextItem)), None))
                case PictureItem():
                    self._room(item.image.height + 16)
                    self._picture(item, self._x(), self._y + 8)
                    self._y += item.image.height + 16
                case FloatItem():
                    self._waiting.append(item)
                    self._release()

    def finish(self) -> list[Page]:
        """Place what still waits, end the last page, and return all pages."""
        while self._waiting:
            if not self._release():
                self._next_column()
        self._close_page()
        return self.pages

    # columns and pages

    def _x(self) -> float:
        return _LEFT + self._column * (column_width(self._columns) + _GUTTER)

    def _room(self, height: float) -> None:
        if self._y + height > _BOTTOM:
            self._next_column()

    def _next_column(self) -> None:
        if self._column + 1 < self._columns:
            self._column += 1
            self._y = self._head
        else:
            self._close_page()
            self._new_page()
        self._release(top=True)

    def _new_page(self) -> None:
        self.pages.append(Page(Image.new("L", (WIDTH, HEIGHT), 255)))
        self._column, self._head, self._y = 0, float(_TOP), float(_TOP)
        number = len(self.pages)
        head = self._furniture.even if number % 2 == 0 else self._furniture.odd
        if number > 1 and head:
            self._furnish(head, 66)
        self._look_ahead()
        for item in [item for item in self._waiting if item.wide]:
            if self._y + self._float_height(item) < _TOP + (_BOTTOM - _TOP) * _FLOAT_SHARE:
                self._waiting.remove(item)
                self._head = self._y = self._float(item, _LEFT, self._y) + 16

    def _look_ahead(self) -> None:
        """Let wide floats that will be called for on this page stand at its top."""
        room = (_BOTTOM - _TOP) * self._columns * 0.7
        for item in list(self._coming):
            if isinstance(item, FloatItem) and item.wide:
                self._coming.remove(item)
                self._waiting.append(item)
            width = column_width(self._columns)
            room -= self._float_height(item) if isinstance(item, FloatItem) else self._part_height(item, width)
            if room < 0:
                return

    def _close_page(self) -> None:
        self._furnish(str(len(self.pages)), 1216)

    def _furnish(self, words: str, y: float) -> None:
        rich = Rich((Piece(words, "normal", 0, len(words)),), (), words)
        look = self._furniture.look
        lines = break_lines(rich, _RIGHT - _LEFT, look)
        self._block(TextItem("text", "noise", None, None, rich, look), lines, _LEFT, y)

    # floats

    def _release(self, top: bool = False) -> bool:
        """Place waiting floats that fit here; wide ones wait for a page's top."""
        placed = False
        held: set[str] = set()  # series in which a float must wait, and so must those after it
        for item in list(self._waiting):
            height = self._float_height(item) + 24
            wide = item.wide and self._columns > 1
            fits = self._y + height <= _BOTTOM or (top and self._y == self._head)
            if wide or not fits or item.series in held:
                held.add(item.series)
                continue
            self._waiting.remove(item)
            gap = 0 if self._y == self._head else 12
            self._y = self._float(item, self._x(), self._y + gap) + 12
            placed = True
        return placed

    def _float_width(self, item: FloatItem) -> int:
        return _RIGHT - _LEFT if item.wide else column_width(self._columns)

    def _float_height(self, item: FloatItem) -> float:
        width = self._float_width(item)
        return sum(max(self._part_height(part, width) for part in row) for row in item.rows)

    def _part_height(self, part: TextItem | PictureItem, width: float) -> float:
        if isinstance(part, PictureItem):
            return part.image.height + 8
        return part.before + len(break_lines(part.text, width, part.look)) * part.look.leading

    def _float(self, item: FloatItem, x: float, y: float) -> float:
        width = self._float_width(item)
        for row in item.rows:
            used = sum(part.image.width for part in row if isinstance(part, PictureItem))
            gap = (width - used) / (len(row) + 1)
            at = x + gap
            for part in row:
                if isinstance(part, PictureItem):
                    self._picture(part, at, y + 4)
                    at += part.image.width + gap
                else:
                    self._block(part, break_lines(part.text, width, part.look), x, y + part.before)
            y += max(self._part_height(part, width) for part in row)
        return y

    # blocks

    def _picture(self, item: PictureItem, x: float, y: float) -> None:
        left, top = round(x), round(y)
        page = self.pages[-1]
        page.image.paste(item.image, (left, top))
        box = (left, top, left + item.image.width, top + item.image.height)
        if item.ink is not None:
            page.ink.add(item.ink, left, top)
        else:
            page.ink.pictures.append((item.file or item.image, box))
        if item.ref:
            page.ink.places.setdefault(item.ref, (left, top))
        refs = [item.ref] if item.ref else []
        page.blocks.append(
            Placed(item.label, item.kind, refs, item.section, [box], item.markdown, None, item.file)
        )  # fmt: skip

    def _block(self, item: TextItem, lines: Sequence[Line], x: float, y: float) -> Placed:
        box = self._draw(item.look, lines, x, y, item.text.mentions)
        if item.ref:
            self.pages[-1].ink.places.setdefault(item.ref, (x, y))
        if item.kind == "heading":
            level = 1 if item.look.face == "bold" else 2
            self.pages[-1].ink.titles.append((level, item.text.plain, y))
        words = item.prefix + item.text.markdown[lines[0].start : lines[-1].end]
        refs = [item.ref] if item.ref else []
        block = Placed(item.label, item.kind, refs, item.section, [box], words)
        self.pages[-1].blocks.append(block)
        return block

    def _draw(self, look: Look, lines: Sequence[Line], x: float, y: float, mentions: tuple[Mention, ...] = ()) -> Area:
        for number, line in enumerate(lines):
            self.pages[-1].ink.lines.append(Set(line, x, y + number * look.leading, look, mentions))
            draw_line(self.pages[-1].image, line, x, y + number * look.leading, look)
        left, right = min(line.left for line in lines), max(line.right for line in lines)
        return (x + left, y, x + right, y + len(lines) * look.leading)

    def _text(self, item: TextItem, following: TextItem | None) -> None:
        lines = break_lines(item.text, column_width(self._columns), item.look)
        self._room(self._start_height(item, len(lines), following))
        if self._y != self._head:
            self._y += item.before
        done = 0
        parts: list[tuple[Placed, int]] = []
        while done < len(lines):
            done = self._some(item, lines, done, parts)
            if done < len(lines):
                self._next_column()
        for number, (block, _) in enumerate(parts, 1):
            block.fragment = number if len(parts) > 1 else None
        if item.merge:
            self._merge()

    @staticmethod
    def _start_height(item: TextItem, lines: int, following: TextItem | None) -> float:
        """Room an item must find to begin in a column: a heading whole with two lines of what follows."""
        if not item.prefix:
            least = 1 if item.kind == "reference" else min(2, lines)
            return item.before + least * item.look.leading
        height = item.before + lines * item.look.leading
        if item.keep and following is not None:
            height += following.before + (5 if following.prefix else 2) * following.look.leading
        return height

    def _some(self, item: TextItem, lines: Sequence[Line], done: int, parts: list[tuple[Placed, int]]) -> int:
        """Place as many of the lines as fit here; no single line is left for the next column."""
        look = item.look
        count = min(len(lines) - done, int((_BOTTOM - self._y) // look.leading))
        if len(lines) - done - count == 1 and count > 2:
            count -= 1
        if count <= 0:
            return done
        some = lines[done : done + count]
        page = self.pages[-1]
        if parts and page.blocks and page.blocks[-1] is parts[-1][0]:
            block, first = parts[-1]
            block.boxes.append(self._draw(look, some, self._x(), self._y, item.text.mentions))
            block.markdown = item.text.markdown[lines[first].start : some[-1].end]
        else:
            parts.append((self._block(item, some, self._x(), self._y), done))
        self._y += count * look.leading
        return done + count

    def _merge(self) -> None:
        """Join the last block to the one before when both stand in one place of one page."""
        blocks = self.pages[-1].blocks
        if len(blocks) < 2:
            return
        before, last = blocks[-2], blocks[-1]
        apart = len(before.boxes) > 1 or len(last.boxes) > 1 or last.fragment or before.fragment
        if apart or before.kind != last.kind or before.boxes[0][1] > last.boxes[0][1]:
            return
        (a, b, c, d), (e, f, g, h) = before.boxes[0], last.boxes[0]
        before.boxes = [(min(a, e), min(b, f), max(c, g), max(d, h))]
        before.markdown += "\n" + last.markdown
        before.refs += last.refs
        blocks.pop()
