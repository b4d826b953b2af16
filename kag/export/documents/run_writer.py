"""`RunWriter`: runs of text and tables as markup, for all formats that have elements for scripts, links, formulas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby

from kag.core.types import Cell, Table
from kag.export.documents.manuscript import Float, Links, Manuscript
from kag.export.documents.markup import Markup
from kag.export.documents.runs import Run


class RunWriter(ABC):
    """Writes runs and tables to a markup; a format says what a link, a formula and a cell are in it.

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

    def _table(self, one: Float) -> None:
        grid = one.grid
        if grid is None or not grid.cells:
            return
        with self._out.block("table"):
            for name, first, last in (("thead", 0, one.header_rows), ("tbody", one.header_rows, grid.rows)):
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
    """How many rows or columns a cell covers, as an attribute; "" for one."""
    return str(places) if places > 1 else ""
