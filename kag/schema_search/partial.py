"""How many solutions the parts of a query have: what tells whoever wrote it which condition nothing meets."""

from __future__ import annotations

import re

from kag.corpus.sparql_text import tokens
from kag.errors import QueryError
from kag.schema_search.query import Run

PARTS = 8  # that are counted
_TRIPLE_ENDS = re.compile(r"\s*\.\s|\s*\.$|\b(?=(?:FILTER|OPTIONAL|GRAPH|MINUS|VALUES|BIND|UNION)\b)|[{}]", re.I)


def counts_of_parts(query: str, run: Run) -> list[str]:
    """A line for each simple pattern of a query: the pattern, and the number of its solutions in any graph.

    A pattern that cannot be counted alone is passed over.
    """
    body = query[query.find("{") + 1 : query.rfind("}")]
    head = "".join(
        line + "\n" for line in query[: query.find("{")].splitlines() if line.strip().upper().startswith("PREFIX")
    )
    lines = []
    for part in dict.fromkeys(" ".join(piece.split()) for piece in _pieces(body)):
        count = _count(head, part, run)
        if count is not None:
            lines.append(f"- {part}: {count}")
        if len(lines) == PARTS:
            break
    return lines


def _pieces(body: str) -> list[str]:
    """Runs of triples between braces, full stops and keywords; strings and IRIs are not cut."""
    cuts, last = [], 0
    inside = [match.span() for match in tokens(body) if match["run"] is None]
    for match in _TRIPLE_ENDS.finditer(body):
        if not any(start < match.start() < end for start, end in inside):
            cuts.append(body[last : match.start()])
            last = match.end()
    cuts.append(body[last:])
    return [
        piece
        for piece in cuts
        if len(piece.split()) >= 3 and not re.match(r"\s*(?:FILTER|BIND|VALUES|GRAPH)\b", piece, re.I)
    ]


def _count(head: str, part: str, run: Run) -> int | None:
    try:
        table = run(f"{head}SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH ?anyGraph {{ {part} }} }}")
    except QueryError:
        return None
    first = table.rows[0][0] if table.rows else None
    return int(first["value"]) if first else None
