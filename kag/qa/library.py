"""The papers that questions are put to: one run folder, or a folder of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from kag.core.errors import RunError
from kag.core.files import shown
from kag.indexing.run import find_runs, newest_each, paper_of
from kag.qa.paper import GRAPH, PaperGraph

OPEN = 32  # papers that are kept in memory


class Library(Mapping[str, PaperGraph]):
    """Papers by id, read when first asked for; the 32 that were asked for last are kept.

    Two runs of one paper: the newest counts (`kag.indexing.run.newest`).
    """

    def __init__(self, runs: Mapping[str, Path], loaded: Mapping[str, PaperGraph] | None = None) -> None:
        self._runs = dict(sorted(runs.items()))
        self._loaded = dict(loaded or {})

    def __getitem__(self, paper_id: str) -> PaperGraph:
        paper = self._loaded.pop(paper_id, None) or PaperGraph.load(self._runs[paper_id])
        self._loaded[paper_id] = paper  # at the end: the first is the one that was asked for longest ago
        if len(self._loaded) > OPEN:
            self._loaded.pop(next(iter(self._loaded)), None)
        return paper

    def __iter__(self) -> Iterator[str]:
        return iter(self._runs)

    def __contains__(self, paper_id: object) -> bool:
        return paper_id in self._runs

    def __len__(self) -> int:
        return len(self._runs)

    def __reduce__(self) -> tuple[type[Library], tuple[dict[str, Path]]]:
        """Another process reads the papers that it needs."""
        return Library, (self._runs,)

    def path(self, paper_id: str) -> Path:
        """The run folder of a paper."""
        return self._runs[paper_id]


def open_library(*paths: Path) -> Library:
    """The papers of run folders and of folders of run folders; raises `RunError` for a path that holds none."""
    (first, *more) = paths
    if not more and os.path.lexists(first / GRAPH):
        paper = PaperGraph.load(first)
        return Library({paper.id: first}, {paper.id: paper})
    return Library(newest_each((_paper_id(run), run) for path in paths for run in runs_at(path)))


def runs_at(path: Path) -> list[Path]:
    """The run folders at a path; raises `RunError` where there is none."""
    runs = find_runs(path)
    if not runs:
        hint = "Give a folder that `kag index` wrote, runs/<paper>_<UTC>, or the folder of such folders."
        raise RunError(f"{shown(path)} holds no {GRAPH}", hint=hint)
    return runs


def named_paper(name: str, library: Mapping[str, PaperGraph]) -> str:
    """The id of the paper that a name means: its id, or the beginning of one id alone; raises `RunError`."""
    matching = [one for one in library if name and one.startswith(name)]
    if name in library or len(matching) == 1:
        return name if name in library else matching[0]
    what = "the names of several papers begin with" if matching else "there is no paper"
    raise RunError(f"{what} {name!r}", hint=f"Papers here: {', '.join((matching or list(library))[:10])}.")


def _paper_id(run: Path) -> str:
    """The id of a run's paper: as its summary states it, else from the graph."""
    return paper_of(run) or PaperGraph.load(run).id
