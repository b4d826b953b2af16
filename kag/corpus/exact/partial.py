"""How many solutions the parts of a query have: what tells whoever wrote it which condition nothing meets."""

from __future__ import annotations

from kag.corpus.exact.schema_query import Run
from kag.corpus.sparql.text import syntax
from kag.values.errors import QueryError

PARTS = 8  # that are counted


def counts_of_parts(query: str, run: Run) -> list[str]:
    """A line for each simple pattern of a query: the pattern, and the number of its solutions in any graph.

    A pattern that cannot be counted alone is passed over; a text that is no query has none.
    """
    try:
        tree = syntax(query)
    except QueryError:
        return []
    head = tree.text(next(tree.of("Prologue")))
    lines = []
    for part in dict.fromkeys(tree.text(node) for node in tree.of("Triples")):
        count = _count(head, part, run)
        if count is not None:
            lines.append(f"- {' '.join(part.split())}: {count}")
        if len(lines) == PARTS:
            break
    return lines


def _count(head: str, part: str, run: Run) -> int | None:
    try:
        table = run(f"{head}\nSELECT (COUNT(*) AS ?n) WHERE {{ GRAPH ?anyGraph {{ {part}\n}} }}")
    except QueryError:
        return None
    first = table.rows[0][0] if table.rows else None
    return int(first["value"]) if first else None
