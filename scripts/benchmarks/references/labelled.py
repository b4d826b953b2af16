"""Labelled texts in JSON lines, plain or packed with gzip, and our readers of references and call-outs put to them.

- references: `{"text", "fields": {"author": [...], "title": [...], "date": [...], ...}}`, pieces of the string.
- call-outs: `{"paper", "items": [{"kind", "text", "refs": [{"type", "start", "end"}]}]}`, a paper a line without its
  reference list. Only running text is scored (paragraphs, list items, headings): captions and tables are not labelled
  throughout.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from kag.core.errors import SourceError
from kag.indexing.enrich.citations import find_unlisted
from kag.indexing.enrich.crossref_finder import find_crossrefs
from kag.indexing.references.parser import parse_reference
from scripts.benchmarks.references.callouts import CallOutScore, Span, score_callouts
from scripts.benchmarks.references.strings import FieldScore, score_references

RUNNING = ("p", "item", "head")
_LABELS = {"biblio": "citation"}
_DRAWN = {"scheme": "figure", "chart": "figure"}  # labelled as figures
Row = TypeVar("Row")

_HINT = "Give JSON lines, one object a line, plain or .gz."


def evaluate_references(file: Path) -> tuple[FieldScore, ...]:
    """Scores by field of our parser on the strings of a file; raises `SourceError`."""
    rows = list(
        _rows(file, lambda row: (str(row["text"]), {name: list(pieces) for name, pieces in row["fields"].items()}))
    )
    read = (parse_reference(text) for text, _ in rows)
    return score_references(rows, lambda _: next(read))


def read_strings(file: Path) -> list[dict[str, Any]]:
    """The rows of a file of labelled strings as they are, each with its text and fields; raises `SourceError`."""
    return [*_rows(file, lambda row: {**row, "text": str(row["text"]), "fields": dict(row["fields"])})]


def evaluate_callouts(file: Path) -> list[CallOutScore]:
    """Scores by kind of our finders on the papers of a file; raises `SourceError`."""
    papers = list(
        _rows(file, lambda row: [(item["kind"], item["text"], _spans(item["refs"])) for item in row["items"]])
    )
    ours = [found([text for _, text, _ in items]) for items in papers]
    return score_callouts(
        (text, asked, given)
        for items, spans in zip(papers, ours, strict=True)
        for (kind, text, asked), given in zip(items, spans, strict=True)
        if kind in RUNNING
    )


def found(texts: Sequence[str]) -> list[list[Span]]:
    """The call-outs that we find in the texts of one paper, for each text."""
    spans = [[Span(_DRAWN.get(x.kind, x.kind), x.start, x.end) for x in find_crossrefs(text)] for text in texts]
    for citation in find_unlisted(texts).found:
        spans[citation.host].append(Span("citation", citation.start, citation.end))
    return spans


def _spans(refs: Sequence[Mapping[str, Any]]) -> list[Span]:
    return [Span(_LABELS.get(ref["type"], ref["type"]), int(ref["start"]), int(ref["end"])) for ref in refs]


def _rows(file: Path, read: Callable[[Mapping[str, Any]], Row]) -> Iterator[Row]:
    for number, line in enumerate(_text(file).splitlines(), start=1):
        if line.strip():
            try:
                row = read(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                said = f"no {error}" if isinstance(error, KeyError) else str(error)
                raise SourceError(f"{file}, line {number}: {said}", hint=_HINT) from error
            yield row


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()
        return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
    except (OSError, EOFError, ValueError) as error:
        raise SourceError(f"{file}: {error}", hint=_HINT) from error
