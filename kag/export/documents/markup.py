"""Elements as markup, and runs of text and tables for formats that have elements for links and formulas."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from xml.etree.ElementTree import Element, TreeBuilder, tostring

from kag.core.types import Cell, Table
from kag.export.documents.manuscript import Float, Links, Manuscript
from kag.export.documents.runs import Run

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup:
    """A tree that is written from its beginning to its end."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()

    @contextmanager
    def tag(self, name: str, /, **attributes: str) -> Iterator[None]:
        """An element around what is written meanwhile; attributes that are empty are left out.

        A name may end in "_" where Python keeps it to itself, and has "__" for ":" and "_" for "-".
        """
        self._builder.start(name, {_attribute(key): sound(value) for key, value in attributes.items() if value})
        yield
        self._builder.end(name)

    @contextmanager
    def block(self, name: str, /, **attributes: str) -> Iterator[None]:
        """An element that is followed by the end of a line."""
        with self.tag(name, **attributes):
            yield
        self._builder.data("\n")

    def line(self, name: str, words: str, /, **attributes: str) -> None:
        """An element of words alone, followed by the end of a line; nothing where there are none."""
        if words:
            with self.block(name, **attributes):
                self.say(words)

    def empty(self, name: str, /, **attributes: str) -> None:
        """An element with nothing in it."""
        with self.tag(name, **attributes):
            pass

    def say(self, words: str) -> None:
        """Words, as they are."""
        self._builder.data(sound(words))

    def root(self) -> Element:
        """The whole tree."""
        return self._builder.close()

    def xml(self) -> str:
        """The tree as XML."""
        return tostring(self.root(), encoding="unicode")

    def html(self) -> str:
        """The tree as HTML."""
        return tostring(self.root(), encoding="unicode", method="html")


def sound(text: str) -> str:
    """A text without characters that XML cannot hold."""
    return _ILLEGAL.sub("\ufffd", text)


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("__", ":").replace("_", "-")


class RunWriter(ABC):
    """Writes runs and tables to a markup; formats define their links, formulas and cells.

    `pictures` are where those of the paper lie.
    """

    def __init__(self, paper: Manuscript, pictures: Links) -> None:
        self._paper, self._pictures, self._out = paper, pictures, Markup()

    @abstractmethod
    def _link(self, to: Sequence[str]) -> AbstractContextManager[None]:
        """The element of a link to these nodes."""

    @abstractmethod
    def _latex(self, run: Run) -> None:
        """Write a formula within a line."""

    @abstractmethod
    def _cell(self, cell: Cell) -> None:
        """Write a cell of a table."""

    def _table(self, float_: Float) -> None:
        grid = float_.grid
        if grid is None or not grid.cells:
            return
        with self._out.block("table"):
            for name, first, last in (("thead", 0, float_.header_rows), ("tbody", float_.header_rows, grid.rows)):
                if first < last:
                    with self._out.block(name):
                        self._rows(grid, range(first, last))

    def _rows(self, grid: Table, rows: Iterable[int]) -> None:
        for row in rows:
            with self._out.block("tr"):
                for cell in grid.cells:
                    if cell.row == row:
                        self._cell(cell)

    def _runs(self, runs: Iterable[Run]) -> None:
        for script, group in groupby(runs, key=lambda run: run.script):
            if script:
                with self._out.tag(script):
                    self._linked(group)
            else:
                self._linked(group)

    def _linked(self, runs: Iterable[Run]) -> None:
        for to, group in groupby(runs, key=lambda run: run.to):
            if to:
                with self._link(to):
                    self._say(group)
            else:
                self._say(group)

    def _say(self, runs: Iterable[Run]) -> None:
        for run in runs:
            if run.latex:
                self._latex(run)
            else:
                self._out.say(run.words)

    def _id(self, iri: str) -> str:
        return self._paper.ids.get(iri, "")


def span(places: int) -> str:
    """Return the row or column span of a cell as an attribute; "" for one."""
    return str(places) if places > 1 else ""
