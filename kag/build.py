"""Papers become graphs from Python: `kag.index` for one, `kag.index_all` for many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

from kag.agents.build.build_options import making
from kag.agents.model.options import BuilderName, Limits
from kag.core.errors import SourceError
from kag.core.files import shown
from kag.indexing.batch import Job, Outcome, default_workers, look_over, make_run
from kag.indexing.batch import index_all as run_all
from kag.indexing.isolated_reader import LIMITS
from kag.indexing.run import read_files
from kag.paper import Paper, PathLike
from kag.qa.paper import PaperGraph
from kag.sources.names import safe_paper_id
from kag.sources.reading import Reading


def index(
    path: PathLike,
    out_dir: PathLike | None = None,
    *,
    paper_id: str | None = None,
    figures: PathLike | None = None,
    lm: str = "",
    builder: BuilderName | None = None,
    vision: str = "",
    force: bool = False,
    source: str = "",
    password: str = "",
    language: str = "",
    engine: str = "",
    url: str = "",
    model: str = "",
    **limits: Unpack[Limits],
) -> Paper:
    """Index one paper: a PDF, a folder of OCR pages, a converter's output, JATS or TEI, or Markdown.

    The format is detected from the content, or given by `source`, a name that `kag index --list-sources` prints.
    A PDF is parsed in a process of its own, which is stopped after 600 s or at 4 GB. `password` opens an encrypted PDF,
    `language` is the language of scanned pages by its tesseract code ("deu", "eng+fra"), and `engine` "liteparse"
    selects that parser (`kag-papers[liteparse]`). `url` is the address of the paper and is stored in its graph.

    With `out_dir` the run is written to `out_dir/<paper>_<UTC>/`; an up-to-date run there is reused unless `force` is
    set. Without it nothing is written and the paper stays in memory (`Paper.save` writes it). Rules build the graph
    without a network and give the same bytes for the same pages. With a model (`lm`, for example
    "anthropic/claude-sonnet-4-5") an agent builds it by `op_*` calls (`builder="rlm"`) or corrects the outline of the
    rules (`builder="review"`), within `limits` such as `max_usd`; a model named `vision` describes the figures.
    `model` is the former name of `lm`.

    Raises `SourceError` if the path does not exist, holds no paper or several, or cannot be read, `BadValue` for an
    invalid `url`, and `ModelError` if the model cannot be asked. A limit or a failing model during the run is not an
    error: rules complete the graph, and `Paper.run.summary` records it, like any element that kag failed on and kept
    as printed ("rescued").

    >>> index("test_data/urban_pollinators").title
    'Allotments, verges and the wild bees of three mid-sized cities: what gardeners grow and what they would change'
    """
    options = making(builder, lm or model, vision=vision, **limits)
    with ExitStack() as stack:
        folder = Path(out_dir or stack.enter_context(TemporaryDirectory(prefix="kag-")))
        reading = Reading(source=source, password=password, language=language, engine=engine, url=url)
        job = _only_job(Path(path), folder, paper_id, Path(figures) if figures else None, reading)
        run = make_run(replace(job, force=force, options=options)).run
        assert run is not None, "a run that is not made raises"
        return Paper(PaperGraph.load(run), run if out_dir else None, None if out_dir else read_files(run))


def _only_job(path: Path, out_dir: Path, paper_id: str | None, figures: Path | None, reading: Reading) -> Job:
    """Return the job for the one paper at a path."""
    jobs = look_over([path], out_dir, figures=figures, reading=reading).jobs
    if len(jobs) > 1:
        hint = "Give one of them, or all of them to kag.index_all or Corpus.add."
        raise SourceError(f"{shown(path)} holds {len(jobs)} papers", hint=hint)
    name = jobs[0].name if paper_id is None else safe_paper_id(paper_id)
    return replace(jobs[0], name=name)


def index_all(
    paths: PathLike | Iterable[PathLike],
    out_dir: PathLike,
    *,
    workers: int | None = None,
    lm: str = "",
    builder: BuilderName | None = None,
    vision: str = "",
    force: bool = False,
    source: str = "",
    password: str = "",
    language: str = "",
    engine: str = "",
    model: str = "",
    **limits: Unpack[Limits],
) -> Iterator[Outcome]:
    """Index papers, or folders of them, in parallel; yields the outcome of each paper when it is done.

    `Outcome.run` is a paper's run folder, for `kag.open`; it is None if the paper failed, and `message` is the reason.
    The other papers are still indexed. Up-to-date runs in `out_dir` are skipped, so an interrupted loop can be started
    again. Each paper has a process of its own, which is stopped after 600 s (without a model) or at 4 GB. Where
    processes are spawned (not Linux, or with threads), call it under `if __name__ == "__main__":`. The arguments are
    those of `kag.index`. Raises `SourceError` if a path holds no paper.
    """
    options = making(builder, lm or model, vision=vision, **limits)
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    reading = Reading(source=source, password=password, language=language, engine=engine)
    finding = look_over([Path(one) for one in given], Path(out_dir), force=force, reading=reading)
    jobs = [replace(job, options=options) for job in finding.jobs]
    bounds = replace(LIMITS, seconds=None) if options.model or vision else LIMITS
    return run_all(jobs, workers=workers or default_workers(), limits=bounds)
