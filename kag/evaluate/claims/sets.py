"""Sets of claims to be checked, in two forms: ours, whose quotes are blocks of papers, and that of `claim_check`."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.read.checking.bearing import case_of
from kag.read.paper import PaperGraph
from kag.read.quote import evidence
from kag.values.errors import EvidenceError
from kag.values.evidence import Claim
from kag.values.verdict import Context, Quote

LARGEST = 256 * 2**20  # bytes of a set, unpacked


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with what it is to be checked against, and whether that supports it.

    `kind` is the way in which it is true or false, `group` the paper or document it is of, `half` "a" or "b": rules
    are made with the one and measured on the other.
    """

    name: str
    claim: str
    quotes: tuple[Quote, ...]
    context: Context
    supported: bool
    kind: str
    group: str
    half: str


def read_claims(path: Path, papers: Mapping[str, PaperGraph]) -> Iterator[Case]:
    """The cases of a set, a JSON object a line, packed or not; raises `EvidenceError` for what is no such set.

    Quotes by block need the runs of their papers.
    """
    for number, line in enumerate(_lines(path), start=1):
        try:
            row = json.loads(line)
            yield _ours(row, papers) if "quotes" in row else _theirs(row)
        except (KeyError, TypeError, ValueError, StopIteration) as error:
            hint = 'Give lines of {"claim", "label", "quotes"} with --papers RUNS, or {"claim", "label", "evidence"}.'
            raise EvidenceError(f"{path}, line {number}, is no claim: {error!r}", hint=hint) from error


def _lines(path: Path) -> list[str]:
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, EOFError) as error:
        raise EvidenceError(f"{path}: {error}", hint="Give a file of claims, .jsonl or .jsonl.gz.") from error
    if len(data) > LARGEST:
        raise EvidenceError(f"{path} has more than {LARGEST} bytes", hint="Give a smaller set.")
    return data.decode("utf-8", "replace").splitlines()


def _ours(row: Mapping[str, Any], papers: Mapping[str, PaperGraph]) -> Case:
    paper = papers[row["paper"]]
    given = []
    for quote in row["quotes"]:
        node = next(node for node in paper.nodes.values() if node.name.removeprefix("ex:").startswith(quote["block"]))
        whole = node.kind == "Table"  # whose block is HTML, and whose node is its cells
        given.append(evidence(paper, node.iri, *(() if whole else (quote["start"], quote["end"]))))
    claim = Claim(row["claim"], tuple(dict.fromkeys(given)))
    text, quotes, context = case_of(claim, {paper.id: paper}, str(row.get("question", "")))
    return Case(row["id"], text, tuple(quotes), context, bool(row["label"]), row["kind"], row["paper"], row["half"])


def _theirs(row: Mapping[str, Any]) -> Case:
    if row["kind"] == "table":
        table = row["table"]
        rows = tuple(tuple(map(str, cells)) for cells in table["rows"])
        quotes: tuple[Quote, ...] = (
            Quote("", "table", caption=table["caption"], headers=tuple(table["header"]), rows=rows),
        )
    else:
        quotes = tuple(Quote(text) for text in row["evidence"])
    half = "ab"[hashlib.sha256(row["doc"].encode()).digest()[0] % 2]
    context = Context(str(row.get("question") or ""))
    return Case(row["id"], row["claim"], quotes, context, row["label"] == "supported", row["label"], row["doc"], half)
