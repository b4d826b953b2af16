"""What paths stand for: the runs that go into a corpus, and the papers that leave it; pages are indexed first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import RunError, SourceError
from kag.indexing.batch import Outcome, default_workers, find_papers, index_all, look_over
from kag.indexing.isolated_reader import LIMITS
from kag.indexing.run import find_runs, newest_each, paper_of
from kag.sources.reading import AS_IT_IS, Reading

if TYPE_CHECKING:
    from kag.corpus.transaction import Writer


def runs_at(
    paths: Sequence[Path], out_dir: Path, tell: Callable[[Outcome, int, int], object], reading: Reading = AS_IT_IS
) -> tuple[list[Path], list[Outcome]]:
    """The run folders that paths stand for, the newest of each paper, and the papers that could not be indexed.

    A path is a paper's file or folder, a run, or a folder of these. Papers become runs in `out_dir`, each in a process
    with the usual limits, as `reading` says; `tell` hears of each as it is done, which it is and of how many. Raises
    `SourceError` where a path holds no paper.
    """
    finished = [run for path in paths for run in find_runs(path)]
    pages = [path for path in paths if not find_runs(path)]
    failed = []
    jobs = look_over(pages, out_dir, reading=reading).jobs if pages else ()
    done = index_all(jobs, workers=default_workers(), limits=LIMITS) if jobs else ()
    for number, outcome in enumerate(done, start=1):
        tell(outcome, number, len(jobs))
        if outcome.run:
            finished.append(outcome.run)
        else:
            failed.append(outcome)
    return list(newest_each((paper_of(run) or run.name, run) for run in finished).values()), failed


def ids_at(given: str) -> list[str]:
    """Paper ids: of the runs or OCR folders at a path, or the given word itself."""
    path = Path(given)
    if not path.is_dir():
        return [given]
    try:
        return [paper_of(run) for run in find_runs(path)] or [job.name for job in find_papers([path], path)]
    except (RunError, SourceError):
        return [given]


def follow(writer: Writer) -> None:
    """Bring the search index into step, where there is one; its packages are an extra."""
    if writer.layout.search.exists():
        from kag.corpus.search_index import make_index

        make_index(writer)
