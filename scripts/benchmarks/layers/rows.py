"""Annotated texts of one form: a JSON line each, with spans and relations between them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.core.files import read_regular, shown
from kag.core.shapes import fitting

HINT = "Give a folder of .jsonl.gz files with text, spans and relations in each line."
_LINE = {"id": str, "doc?": str, "text": str, "spans?": [{"id": str, "type": str, "start": int, "end": int}]}


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a text with a type; `parts` where they are not in one piece; `more` holds the set's own keys."""

    id: str
    type: str
    start: int
    end: int
    parts: tuple[tuple[int, int], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One text; `doc` is the paper it comes from. `relations` stay as they are written, `more` are further keys."""

    id: str
    doc: str
    text: str
    spans: tuple[Span, ...] = ()
    relations: tuple[Mapping[str, Any], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


Files = Mapping[str, Sequence[Row]]  # the texts of a folder by the name of their file, without its endings


def read_files(folder: Path, half: str = "") -> Files:
    """The texts of all files of a folder, or of one half of its documents ("a" or "b"); raises `SourceError`."""
    paths = sorted(folder.glob("*.jsonl.gz")) if folder.is_dir() else []
    if not paths:
        raise SourceError(f"{shown(folder)} has no files of sets (.jsonl.gz)", hint=HINT)
    read = {path.name.removesuffix(".jsonl.gz"): read_rows(path) for path in paths}
    return {name: [row for row in rows if half in ("", half_of(row.doc))] for name, rows in read.items()}


def digest(folder: Path) -> str:
    """The SHA-256 of all files of a folder, one behind the other: cards name by it what a model learned from."""
    return hashlib.sha256(b"".join(read_regular(path) for path in sorted(folder.glob("*.jsonl.gz")))).hexdigest()


def half_of(doc: str) -> str:
    """The half that a document belongs to, by its name alone."""
    return "ab"[hashlib.sha256(doc.encode()).digest()[0] % 2]


def read_rows(path: Path) -> list[Row]:
    """The texts of a file; raises `SourceError` with the line where one has another form."""
    try:
        lines = gzip.decompress(read_regular(path)).decode("utf-8").split("\n")
    except (OSError, EOFError, ValueError) as error:
        raise SourceError(f"{shown(path)}: {error}", hint=HINT) from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(_row(fitting(json.loads(line), _LINE)))
        except (ValueError, TypeError, AttributeError) as error:
            raise SourceError(f"{shown(path)}, line {number}: {error}", hint=HINT) from error
    return rows


def _row(line: dict[str, Any]) -> Row:
    known = {name: line.pop(name, None) for name in ("id", "doc", "text", "spans", "relations")}
    return Row(
        id=known["id"],
        doc=known["doc"] or known["id"],
        text=known["text"],
        spans=tuple(map(_span, known["spans"] or ())),
        relations=tuple(known["relations"] or ()),
        more=line,
    )


def _span(span: dict[str, Any]) -> Span:
    known = {name: span.pop(name) for name in ("id", "type", "start", "end")}
    parts = tuple((start, end) for start, end in span.pop("parts", ()))
    return Span(**known, parts=parts, more=span)
