"""Folders of files, written completely or not at all; and the printed tables of papers as CSV files."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kag.core.errors import RunError
from kag.core.files import naming, own_folder, partial_path, read_regular, shown, sync, write_synced
from kag.export.parts import tables
from kag.qa.paper import PaperGraph

Files = Mapping[str, str | bytes]
"""Files by their path in the folder, its parts names that every system can have."""


def write_folder(folder: Path, files: Files) -> None:
    """Make a folder in one step; one that holds just these files already is left alone.

    Raises `RunError` where something else is in the way, `OSError` where nothing can be written.
    """
    if os.path.lexists(folder):
        if own_folder(folder) and _holds(folder, files):
            return
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
