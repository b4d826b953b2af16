"""A run folder, `<folder>_<UTC>/`: a paper's graph and all that belongs to it, complete or absent.

Files are written into a hidden folder, which is renamed when complete. A folder of many runs is listed once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, takewhile
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ClassVar, NamedTuple

from rdflib import Graph

from kag.core.content import ContentStore
from kag.core.display import OneLine
from kag.core.errors import RunError
from kag.core.files import (
    own_folder,
    parse_object,
    partial_path,
    read_object,
    read_regular,
    shown,
    sync,
    write_synced,
    write_whole,
)
from kag.core.shapes import Shape, fitting
from kag.rdf.profile import LAYERS
from kag.rdf.turtle import from_turtle
from kag.sources.names import IN_RUN

GRAPH, CONTENT, SKIPPED = "knowledge_graph.ttl", "content_store.jsonl", "skipped.jsonl"
LEDGER, TRAJECTORY, SUMMARY = "source_blocks.jsonl", "trajectory.jsonl", "summary.json"
PROCEDURES = ".procedures.jsonl"  # beside the runs: the memory they share
HIDDEN = ".replaced-"  # before the name of a run that another was made in the place of
MADE = "made.json"  # beside them: which run of its paper it is, so that the newest is known without a clock
FILES = (GRAPH, CONTENT, SKIPPED, LEDGER, TRAJECTORY, SUMMARY)
LAYER_FILES = {name: profile.file for name, profile in LAYERS.items()}  # those of a run that has them

_LARGEST_RECORD = 1000  # bytes
_SKIPPED_ROW = {"block": str, "reason": str, "text?": str}
_LEDGER_ROW = {"block": str, "page": int, "boxes": [[int]], "characters": int, "sha256": str}
_SUMMARY = {
    "paper": str,
    "kag_version?": str,
    "builder?": dict,
    "source?": dict,
    "repairs?": [{"page": int, "problem": str, "action": str}],
}
_STAMP = re.compile(r"_\d{8}T\d{6}Z(?:-\d+)?$")


@dataclass(frozen=True, slots=True, repr=False)
class Run(OneLine):
    """A finished run, read from its folder."""

    shown: ClassVar[tuple[str, ...]] = ("path",)

    path: Path
    graph: Graph
    content: ContentStore
    skipped: Mapping[str, str]
    ledger: tuple[Mapping[str, Any], ...]
    summary: Mapping[str, Any]


def writable(out_dir: Path) -> None:
    """Make the folder that runs go to where there is none; raises `RunError` where nothing can be written there."""
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out_dir):
            pass
    except OSError as error:
        raise RunError(f"{shown(out_dir)}: {error.strerror}", hint="Choose another folder with --out-dir.") from error


def write_run(out_dir: Path, name: str, files: Mapping[str, str | bytes], *, replace: bool = False) -> Path:
    """Write a run folder in one step and return its path, `<name>_<UTC>`; `RunError` where `out_dir` cannot be.

    A name may lie in a folder: `pictures/fig_p003_01.png`. With `replace` the paper's earlier runs are hidden behind
    it (`.replaced-<run>`), so that it is the only one that is found; what was hidden before goes.
    """
    writable(out_dir)
    earlier = _runs_of(out_dir, name) if replace else []
    run = _written(out_dir, name, files)
    if earlier:
        for hidden in _runs_of(out_dir, HIDDEN + name):
            shutil.rmtree(hidden, ignore_errors=True)
        for old in earlier:
            hidden = old.with_name(HIDDEN + old.name)
            old.rename(hidden)
            has_written(hidden)
    return run


def _written(out_dir: Path, name: str, files: Mapping[str, str | bytes]) -> Path:
    partial = partial_path(out_dir / name)
    try:
        partial.mkdir()
        for file, data in chain(files.items(), [(MADE, _record(_runs_of(out_dir, name)))]):
            (partial / file).parent.mkdir(parents=True, exist_ok=True)
            write_synced(partial / file, data)
        return _publish(partial, out_dir, f"{name}_{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _publish(partial: Path, out_dir: Path, stamped: str) -> Path:
    """Rename to the first free name; the rename is what makes the run exist."""
    for suffix in ("", *(f"-{n}" for n in range(2, 1000))):
        target = out_dir / (stamped + suffix)
        if target.exists():
            continue
        try:
            partial.rename(target)
        except OSError:
            if target.exists():
                continue
            raise
        sync(out_dir)
        has_written(target)
        return target
    raise RunError(f"{out_dir}: no free name for {stamped}", hint="Choose another --out-dir.")


class Made(NamedTuple):
    """What a run was made of, and how: source, code, builder, models and address of the paper."""

    sha256: object
    kind: object
    version: object
    builder: object
    model: object = ""
    vision: object = ""
    url: object = ""


def finished_run(out_dir: Path, name: str, wanted: Made) -> Path | None:
    """Return the newest finished run of this folder made as `wanted`; without a `url`, of any address.

    A run whose builder or vision model was stopped is not finished.
    """
    made = {run: origin for run in _runs_of(out_dir, name) if (origin := _made(run))}
    return newest([run for run, (*origin, url) in made.items() if wanted in ((*origin, url), (*origin, ""))])


def _made(run: Path) -> Made | None:
    summary = _summary(run)
    try:
        made, seen, source = summary["builder"], summary.get("vision", {}), summary["source"]
        if "stopped" in made or "stopped" in seen:
            return None
        models = made.get("model", ""), seen.get("asked", "")
        url = source.get("url", "")
        return Made(source["sha256"], source["kind"], summary["kag_version"], made["name"], *models, url)
    except (KeyError, TypeError, AttributeError):
        return None


# which run of a paper counts ------------------------------------------------------------------


def find_runs(path: Path) -> list[Path]:
    """The run folder itself, or the run folders directly inside it by name; links and hidden ones are not followed."""
    if os.path.lexists(path / GRAPH):
        return [path]
    try:
        inside = [path / name for name in sorted(os.listdir(path)) if not name.startswith(".")]
    except OSError:
        return []
    return [run for run in inside if own_folder(run) and os.path.lexists(run / GRAPH)]


def newest(runs: Sequence[Path], sha256: str = "") -> Path | None:
    """The run of a paper that counts, among its runs.

    Runs made from the source with this digest come first, then the folder named last, then the run made or confirmed
    last by its number; runs without numbers go by name.
    """
    places = {run.parent: place for place, run in enumerate(runs)}
    order = {
        run: (bool(sha256) and digest_of(run) == sha256, places[run.parent], _number(run), run.name) for run in runs
    }
    return max(runs, key=order.__getitem__, default=None)


def newest_each(runs: Iterable[tuple[str, Path]]) -> dict[str, Path]:
    """The run that counts of each paper, from pairs of paper and run."""
    papers: dict[str, list[Path]] = {}
    for paper, run in runs:
        papers.setdefault(paper, []).append(run)
    return {paper: newest(paths) or paths[-1] for paper, paths in papers.items()}


def make_newest(run: Path, name: str) -> None:
    """Let a run that was found to be up to date count again, where a later one is of other pages."""
    runs = _runs_of(run.parent, name)
    if newest(runs) != run:
        write_whole(run / MADE, _record(runs))


def _runs_of(out_dir: Path, name: str) -> list[Path]:
    try:
        names = names_in(out_dir, f"{name}_")
    except OSError:
        return []
    return [out_dir / found for found in names if _STAMP.sub("", found) == name and own_folder(out_dir / found)]


def _record(runs: Iterable[Path]) -> str:
    """Return the content of `made.json`: the number after those of the paper's earlier runs."""
    return json.dumps({"run": 1 + max(map(_number, runs), default=0)}) + "\n"


def _number(run: Path) -> int:
    try:
        number = read_object(run / MADE, _LARGEST_RECORD).get("run")
    except (OSError, ValueError):
        return 0
    return number if isinstance(number, int) and 0 < number < 10**9 else 0


def digest_of(run: Path) -> str:
    """Return the digest of the pages and figures of a run; "" if its summary has none."""
    return _text_in(_summary(run).get("source"), "sha256")


def kind_of_source(run: Path) -> str:
    """Return the kind of source of a run; "" if its summary has none."""
    return _text_in(_summary(run).get("source"), "kind")


def warnings_of(run: Path) -> list[dict[str, str]]:
    """Signs of an incomplete run (`kag.indexing.audit`): code, message and command of each warning."""
    listed = _summary(run).get("warnings")
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return [{key: str(row.get(key, "")) for key in ("code", "message", "command")} for row in rows]


def paper_of(run: Path) -> str:
    """Return the paper id of a run folder from its summary; "" if it has none."""
    return _text_in(_summary(run), "paper")


def _summary(run: Path) -> dict[str, Any]:
    """Return the summary of a run; empty if it cannot be read."""
    try:
        return read_object(run / SUMMARY)
    except (OSError, ValueError):
        return {}


def _text_in(value: Any, key: str) -> str:
    text = value.get(key) if isinstance(value, dict) else ""
    return text if isinstance(text, str) else ""


# reading a run --------------------------------------------------------------------------------


def read_files(path: Path) -> dict[str, bytes]:
    """The files of a run by name, with its pictures; raises `RunError` naming the one that is missing or broken."""
    pictures = path / IN_RUN
    shown_there = sorted(os.listdir(pictures)) if own_folder(pictures) else []
    there = (*FILES, *layers_of(path).values())
    return {name: read_file(path, name) for name in (*there, *(f"{IN_RUN}/{name}" for name in shown_there))}


def layers_of(path: Path) -> dict[str, str]:
    """The layers over the document's graph that a run has, and their files."""
    return {name: file for name, file in LAYER_FILES.items() if os.path.lexists(path / file)}


def read_file(path: Path, name: str) -> bytes:
    """A file of a run; raises `RunError`."""
    try:
        return read_regular(path / name)
    except OSError as error:
        hint = "The file was changed or damaged; index the paper again."
        raise RunError(f"{shown(path / name)}: {error}", hint=hint) from error


def load_run(path: Path) -> Run:
    """Read a run folder; raises `RunError` naming the file that is missing or broken."""
    if not os.path.isdir(path):
        hint = "Give a folder that `kag index` wrote, runs/<paper>_<UTC>."
        raise RunError(f"{shown(path)} is not a run folder", hint=hint)
    missing = [name for name in FILES if not os.path.lexists(path / name)]
    if missing:
        raise RunError(
            f"{shown(path)} lacks {', '.join(missing)}", hint="Index the paper again: a run folder has all these files."
        )
    name = ""
    try:
        name = GRAPH
        graph = from_turtle(read_regular(path / GRAPH))
        name = CONTENT
        content = ContentStore.from_jsonl(read_regular(path / CONTENT).decode("utf-8"))
        name = SKIPPED
        skipped = {row["block"]: row["reason"] for row in read_skipped(path)}
        name = LEDGER
        ledger = tuple(read_ledger(path))
        name = SUMMARY
        summary = read_object(path / SUMMARY)
        fitting(summary, _SUMMARY)
    except Exception as error:  # any parser's error means the same to the reader: this file is broken
        problem = f" {error.strerror}" if isinstance(error, OSError) else f": {error}"
        hint = "The file was changed or damaged; index the paper again."
        raise RunError(f"{shown(path / name)}{problem}", hint=hint) from error
    return Run(path, graph, content, skipped, ledger, summary)


def read_ledger(run: Path) -> list[dict[str, Any]]:
    """The rows of a run's ledger; raises `OSError` or `ValueError`."""
    rows = _rows(run / LEDGER, _LEDGER_ROW)
    if any(len(box) != 4 for row in rows for box in row["boxes"]):
        raise ValueError("a box is not four whole numbers")
    return rows


def read_skipped(run: Path) -> list[dict[str, Any]]:
    """The blocks that a run left out, each with its reason; raises `OSError` or `ValueError`."""
    return _rows(run / SKIPPED, _SKIPPED_ROW)


def _rows(path: Path, shape: Shape) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line, each of a shape; raises `OSError` or `ValueError`."""
    # A text may hold what splitlines takes for a line's end.
    lines = read_regular(path).decode("utf-8").split("\n")
    return [fitting(parse_object(line), shape) for line in lines if line.strip()]


_SHARE = 100  # times that reading a folder takes, for which it is good


@dataclass(frozen=True, slots=True)
class _Listing:
    names: list[str]
    good_until: float


_listings: dict[str, _Listing] = {}


def names_in(folder: Path, prefix: str) -> list[str]:
    """The names in a folder that begin so, sorted; raises `OSError`."""
    listing = _listings.get(os.path.abspath(folder))
    if listing is None or time.monotonic() > listing.good_until:
        listing = look_anew(folder)
    names = listing.names
    return list(takewhile(lambda name: name.startswith(prefix), names[bisect_left(names, prefix) :]))


def look_anew(folder: Path) -> _Listing:
    """Read a folder now; raises `OSError`."""
    begun = time.monotonic()
    names = sorted(os.listdir(folder))
    ended = time.monotonic()
    listing = _listings[os.path.abspath(folder)] = _Listing(names, ended + _SHARE * (ended - begun))
    return listing


def has_written(path: Path) -> None:
    """Let a name that this process has made be known."""
    listing = _listings.get(os.path.abspath(path.parent))
    if listing is not None and path.name not in names_in(path.parent, path.name):
        insort(listing.names, path.name)
