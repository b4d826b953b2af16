"""What changes of answers share: the types, and how a piece of evidence is picked and made."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from kag.core.evidence import text_hash
from kag.qa.library import Library
from kag.qa.paper import Node

Row = dict[str, Any]
Change = Callable[[Row, Random, Library], bool]


def pick(row: Row, random: Random, *, counted: bool = True) -> tuple[Row, Row] | None:
    """A claim and a piece of its evidence; with `counted` false of a claim that counts nothing."""
    claims = [claim for claim in row["claims"] if counted or claim["count"] is None]
    claim = random.choice(claims) if claims else None
    return (claim, random.choice(claim["evidence"])) if claim else None


def counting(row: Row) -> Row | None:
    """The first claim that counts."""
    return next((claim for claim in row["claims"] if claim["count"] is not None), None)


def evidence_of(paper: str, node: Node, start: int, end: int) -> Row:
    """Evidence for some characters of a node, as in an answer file."""
    where = {"paper": paper, "node": node.iri, "page": node.page, "boxes": [list(box) for box in node.boxes]}
    return where | {"quote": node.text[start:end], "start": start, "end": end, "sha256": text_hash(node.text)}
