"""A run folder: `<folder>_<UTC>/` with a paper's graph and all that belongs to it, whole or not there.

The files are written into a hidden folder beside it, which is renamed when complete: a reader, or the
next run after a crash, never meets a half-written one.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rdflib import Graph

from kag.content import ContentStore
from kag.errors import RunError
from kag.files import partial_path, read_object, read_regular, sync, write_synced
from kag.rdf.turtle import from_turtle

GRAPH, CONTENT, SKIPPED = "knowledge_graph.ttl", "content_store.jsonl", "skipped.jsonl"
LEDGER, TRAJECTORY, SUMMARY = "source_blocks.jsonl", "trajectory.jsonl", "summary.json"
PROCEDURES = ".procedures.jsonl"  # beside the runs: the memory they share
FILES = (GRAPH, CONTENT, SKIPPED, LEDGER, TRAJECTORY, SUMMARY)

_STAMP = re.compile(r"_\d{8}T\d{6}Z(?:-\d+)?$")


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, read from its folder."""

    path: Path
    graph: Graph
    content: ContentStore
    skipped: Mapping[str, str]
    ledger: tuple[Mapping[str, Any], ...]
    summary: Mapping[str, Any]


def write_run(out_dir: Path, name: str, files: Mapping[str, str]) -> Path:
    """Write a run folder in one step and return its path, `<name>_<UTC>`; `RunError` where `out_dir` cannot be."""
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out_dir}: {error.strerror}", hint="Choose another folder with --out-dir.") from error
    partial = partial_path(out_dir / name)
    try:
        partial.mkdir()
        for file, text in files.items():
            write_synced(partial / file, text)
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
        return target
    raise RunError(f"{out_dir}: no free name for {stamped}", hint="Choose another --out-dir.")


def finished_run(
    out_dir: Path, name: str, *, sha256: str, version: str, builder: str, model: str = "", vision: str = ""
) -> Path | None:
    """The newest run of this folder that was made from the same bytes by the same code, builder and models.

    A run whose builder was stopped is not finished.
    """
    for path in sorted(out_dir.glob(f"{name}_*"), reverse=True):
        if _STAMP.sub("", path.name) != name or not path.is_dir():
            continue
        try:
            summary = json.loads((path / SUMMARY).read_text(encoding="utf-8"))
            made = summary["builder"]
            same = (summary["source"]["sha256"], summary["kag_version"], made["name"], made.get("model", ""))
            stopped = "stopped" in made
            seen = summary.get("vision", {}).get("asked", "")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        if same == (sha256, version, builder, model) and seen == vision and not stopped:
            return path
    return None


def paper_of(path: Path) -> str:
    """The id of the paper of a run folder, from its summary; empty when that does not tell."""
    try:
        return str(read_object(path / SUMMARY).get("paper") or "")
    except (OSError, ValueError):
        return ""


def load_run(path: Path) -> Run:
    """Read a run folder; raises `RunError` naming the file that is missing or broken."""
    if not path.is_dir():
        raise RunError(f"{path} is not a run folder", hint="Give a folder that `kag index` wrote, runs/<paper>_<UTC>.")
    missing = [name for name in FILES if not (path / name).is_file()]
    if missing:
        raise RunError(
            f"{path} lacks {', '.join(missing)}", hint="Index the paper again: a run folder is always whole."
        )
    name = ""
    try:
        name = GRAPH
        graph = from_turtle(read_regular(path / GRAPH))
        name = CONTENT
        content = ContentStore.from_jsonl(read_regular(path / CONTENT).decode("utf-8"))
        name = SKIPPED
        skipped = {row["block"]: row["reason"] for row in _rows(path / SKIPPED)}
        name = LEDGER
        ledger = tuple(_rows(path / LEDGER))
        name = SUMMARY
        summary = read_object(path / SUMMARY)
    except Exception as error:  # any parser's error means the same to the reader: this file is broken
        raise RunError(
            f"{path / name}: {error}", hint="The file was changed or damaged; index the paper again."
        ) from error
    return Run(path, graph, content, skipped, ledger, summary)


def _rows(path: Path) -> list[dict[str, Any]]:
    # A text may hold what splitlines takes for a line's end.
    return [json.loads(line) for line in read_regular(path).decode("utf-8").split("\n") if line.strip()]
