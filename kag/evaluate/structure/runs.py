"""Annotated papers and their run folders: paired by name, scored, and what could not be paired or read is named."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rdflib import Graph, Literal

from kag.core.display import Progress, counted, quiet
from kag.core.errors import RunError, SourceError
from kag.core.files import read_regular, shown
from kag.evaluate.structure.gold import Gold, find_gold, read_gold
from kag.evaluate.structure.score import Built, Comparison, compare
from kag.indexing.run import GRAPH, SKIPPED, newest
from kag.indexing.run import find_runs as runs_in
from kag.rdf.namespaces import KAG
from kag.sources.survey import read_paper

_STAMP = re.compile(r"_\d{8}T\d{6}.*$")
_BLOCK = re.compile(r"/(b_p\d{3,}_\d{4,})$")
VARIANT = "__"  # <paper>__<style>: another rendering of a paper that is there already


@dataclass(frozen=True, slots=True)
class Paper:
    """A scored paper; `built` is None when it has no readable run."""

    name: str
    gold: Gold
    built: Built | None
    compared: Mapping[str, Comparison]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of runs against a gold folder; `problems` list what is missing or broken."""

    gold: Path
    runs: Path
    papers: tuple[Paper, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Work:
    """A paper that is to be scored, and its run if the folder `runs` has one."""

    name: str
    gold: Gold
    run: Path | None
    runs: Path


def evaluate(gold: Path, runs: Path, *, variants: bool = True, progress: Progress = quiet) -> Evaluation:
    """Score each annotated paper on its newest run.

    A paper without a readable run is scored as a graph that states nothing: its facts are missing. Raises
    `SourceError` when no annotation can be read and `RunError` when there is no folder of runs.
    """
    annotated = {name: path for name, path in find_gold(gold).items() if variants or VARIANT not in name}
    folders = find_runs(runs)
    work, problems = [], []
    taken: set[Path] = set()
    for name, path in annotated.items():
        try:
            annotation = read_gold(path)
        except SourceError as error:
            problems.append(error.message)
            continue
        run = match(name, folders, parts=not annotation.hosts, source=path.parent)
        taken |= {folder for folder in folders if run and _name(folder) == _name(run)}
        work.append(_Work(name, annotation, run, runs))
    if not work:
        raise SourceError(f"{gold}: no annotation can be read", hint=problems[0])
    papers = []
    for paper, problem in map(_scored, counted(work, "papers", len(work), progress)):
        papers.append(paper)
        problems += [problem] if problem else []
    left = (run for run in folders if run not in taken and (variants or VARIANT not in run.name))
    problems += [f"{run}: a run of no annotated paper (left out)" for run in left]
    return Evaluation(gold, runs, tuple(papers), tuple(problems))


def _scored(work: _Work) -> tuple[Paper, str]:
    """A paper scored, and what is wrong with its run in words."""
    built, problem = None, ""
    try:
        built = read_run(work.run) if work.run else None
    except RunError as error:
        problem = f"{error.message} (scored as empty)"
    if work.run is None:
        problem = f"{work.name}: no run in {work.runs} (scored as empty)"
    return Paper(work.name, work.gold, built, compare(built, work.gold)), problem


def find_runs(folder: Path) -> list[Path]:
    """Return the run folders with a graph in a folder; raises `RunError` if there is no such folder."""
    if not folder.is_dir():
        raise RunError(f"{folder} is not a folder", hint="Give the --out-dir of `kag index`.")
    return runs_in(folder)


def match(paper: str, runs: Iterable[Path], *, parts: bool = False, source: Path | None = None) -> Path | None:
    """The newest run of a paper, `<paper>` or `<paper>_<stamp>`; one of the pages that are in `source` now comes first.

    With `parts`, when there is none, the newest that has the paper's name among the parts of its own: `a_ocr` for `a`.
    """
    runs = list(runs)
    exact = [run for run in runs if _name(run) == paper]
    near = [run for run in runs if parts and paper in _name(run).split("_")]
    paths = exact or near
    return newest(paths, _digest(source) if source and len(paths) > 1 else "")


def _digest(source: Path) -> str:
    """Return the digest of a paper's pages; "" if there are none next to the annotation."""
    try:
        return read_paper(source).sha256
    except SourceError:
        return ""


def _name(run: Path) -> str:
    return _STAMP.sub("", run.name)


def read_run(run: Path) -> Built:
    """The graph and the skipped blocks of a run folder; raises `RunError` naming the file that is broken.

    Only these two files are read, so graphs made by others can be scored. Where a graph names no blocks at all
    (`kag:sourceBlock`), nodes whose IRI ends in a block's id stand for that block.
    """
    file = run / GRAPH
    try:
        graph = Graph().parse(data=read_regular(file), format="turtle")
        file = run / SKIPPED
        rows = read_regular(file).decode("utf-8").splitlines() if os.path.lexists(file) else []
        skipped = [str(json.loads(row)["block"]) for row in rows if row.strip()]
    except Exception as error:  # whatever its parser says, the file is broken
        problem = " ".join(str(error).split())[:200]
        raise RunError(f"{shown(file)}: cannot be read: {problem}", hint="Index the paper again.") from error
    if (None, KAG.sourceBlock, None) not in graph:
        for node in set(graph.subjects()):
            if named := _BLOCK.search(str(node)):
                graph.add((node, KAG.sourceBlock, Literal(named[1])))
    return Built(graph, skipped)
