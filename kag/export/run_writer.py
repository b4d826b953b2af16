"""`RunWriter`: runs of text written as markup, for all formats that have elements for scripts, links and formulas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby

from kag.export.manuscript import Links, Manuscript
from kag.export.markup import Markup
from kag.export.runs import Run


class RunWriter(ABC):
    """Writes runs to a markup; a format says what a link and a formula are in it.

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
