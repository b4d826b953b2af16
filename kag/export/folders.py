"""Folders of files, written completely or not at all: printed tables of papers as CSV, a run as an RO-Crate."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kag.core.errors import RunError
from kag.core.files import (
    naming,
    own_file,
    own_folder,
    partial_path,
    read_object,
    read_regular,
    shown,
    sync,
    write_synced,
)
from kag.core.shapes import without_empty
from kag.core.works import doi_iri
from kag.export.parts import authors, tables
from kag.indexing.run import CONTENT, GRAPH, LEDGER, MADE, SKIPPED, SUMMARY, TRAJECTORY
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import FABIO, PRISM

Files = Mapping[str, str | bytes]
"""Files by their path in the folder, its parts names that every system can have."""


def write_folder(folder: Path, files: Files) -> bool:
    """Make a folder in one step; False if it holds just these files already, and is left alone.

    Raises `RunError` where something else is in the way, `OSError` where nothing can be written.
    """
    if os.path.lexists(folder):
        if own_folder(folder) and _holds(folder, files):
            return False
        raise RunError(f"{shown(folder)} is in the way: it holds something else", hint="Remove it, or name another.")
    partial = partial_path(folder)
    try:
        with naming(folder):
            partial.mkdir(parents=True)
            for name, data in files.items():
                (partial / name).parent.mkdir(parents=True, exist_ok=True)
                write_synced(partial / name, data)
            partial.rename(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    sync(folder.parent)
    return True


def _holds(folder: Path, files: Files) -> bool:
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not own_folder(path)}
    try:
        return there == set(files) and all(
            read_regular(folder / name) == (data.encode("utf-8") if isinstance(data, str) else data)
            for name, data in files.items()
        )
    except OSError:
        return False


LIST = "tables.csv"
_FORMULA = re.compile(r"\s*(?:[=@]|[+-](?![\s\d.,]*\Z)(?=.*[A-Za-z(!|]))", re.DOTALL)


def table_files(papers: Mapping[str, PaperGraph]) -> dict[str, str]:
    """`<paper>/table_01.csv` and on in reading order, and `tables.csv` with label, caption, page and IRI of each."""
    files: dict[str, str] = {}
    listed: list[Sequence[object]] = [("file", "paper", "label", "caption", "header_rows", "page", "node")]
    for paper in papers.values():
        for number, table in enumerate(tables(paper), start=1):
            name = f"{paper.id}/table_{number:02}.csv"
            files[name] = _csv(table.grid)
            listed.append((name, paper.id, table.label, table.caption, table.header_rows, table.page, table.node))
    return {LIST: _csv(listed), **files}


def cell(text: str) -> str:
    """A cell that no spreadsheet runs.

    >>> [cell(text) for text in ("-3.5", "=1+1", "- ", "+cmd|' /C calc'!A0", "@x", "−2")]
    ['-3.5', "'=1+1", '- ', "'+cmd|' /C calc'!A0", "'@x", '−2']
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _csv(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([cell(str(value)) for value in row] for row in rows)
    return out.getvalue()


METADATA = "ro-crate-metadata.json"
_WHAT = {
    GRAPH: ("The paper's graph", "text/turtle"),
    CONTENT: ("Every text by its content ref", "application/jsonl"),
    SKIPPED: ("Blocks that are left out of the graph, with reasons", "application/jsonl"),
    LEDGER: ("The ledger: every input block", "application/jsonl"),
    TRAJECTORY: ("Every tool call that built the graph", "application/jsonl"),
    SUMMARY: ("Counts and facts of the run", "application/json"),
    MADE: ("The number of the run among its paper's", "application/json"),
}
_KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".ttl": "text/turtle"} | {
    ".jsonl": "application/jsonl",
    ".json": "application/json",
}
_STAMP = re.compile(r"_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?\Z")
_RIGHTS = {
    "@id": "#rights",
    "@type": "CreativeWork",
    "name": "Not stated",
    "description": "Texts and pictures are the paper's; their licence is that of the paper, which a run does not know.",
}


def crate_files(paper: PaperGraph, run: Path) -> dict[str, str | bytes]:
    """The files of a run folder and the crate's metadata. Raises `OSError`, `ValueError` for files that are damaged."""
    names = sorted(path.relative_to(run).as_posix() for path in run.rglob("*") if own_file(path))
    files = {name: read_regular(run / name) for name in names if name != METADATA}
    graph = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
            "about": {"@id": "./"},
        },
        _root(paper, run, list(files)),
        *(_file(name, data) for name, data in files.items()),
        *_context(paper, str(read_object(run / SUMMARY).get("kag_version", ""))),
        _RIGHTS,
    ]
    whole = {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": [without_empty(one) for one in graph]}
    return {**files, METADATA: json.dumps(whole, ensure_ascii=False, indent=1) + "\n"}


def _root(paper: PaperGraph, run: Path, names: list[str]) -> dict[str, Any]:
    stamp = _STAMP.search(run.name)
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Knowledge graph of: {paper.title or paper.id}",
        "description": "A scientific paper as a knowledge graph, its texts, the ledger of its blocks, and the steps.",
        "identifier": run.name,
        "datePublished": "{}-{}-{}T{}:{}:{}Z".format(*stamp.groups()) if stamp else "",
        "license": {"@id": "#rights"},
        "about": {"@id": paper.document},
        "hasPart": [{"@id": name} for name in names],
        "mentions": {"@id": "#indexing"},
    }


def _file(name: str, data: bytes) -> dict[str, Any]:
    what, kind = _WHAT.get(name, ("", _KINDS.get(Path(name).suffix.lower(), "application/octet-stream")))
    return {
        "@id": name,
        "@type": "File",
        "name": what or name,
        "encodingFormat": kind,
        "contentSize": str(len(data)),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _context(paper: PaperGraph, version: str) -> list[dict[str, Any]]:
    doi = paper.graph.value(paper.document, str(PRISM.doi))
    article = {
        "@id": paper.document,
        "@type": "ScholarlyArticle",
        "name": paper.title,
        "author": list(authors(paper)),
        "datePublished": paper.graph.value(paper.document, str(FABIO.hasPublicationYear)),
        "sameAs": doi_iri(doi) if doi else "",
        "identifier": doi,
    }
    program = {"@id": "#kag", "@type": "SoftwareApplication", "name": "kag", "softwareVersion": version}
    action = {
        "@id": "#indexing",
        "@type": "CreateAction",
        "name": "Indexing of the paper",
        "instrument": {"@id": "#kag"},
        "object": {"@id": paper.document},
        "result": {"@id": GRAPH},
    }
    return [article, program, action]
