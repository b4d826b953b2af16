"""What a model is shown of a claim's evidence: each quote in its place, with what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from kag.values.verdict import Quote

AROUND = 300  # characters before and behind a quote


def place_of(quote: Quote) -> str:
    """Where a quote stands, in words: "Table 2, Results > Yields: Catches by site"; "" where nothing is known."""
    named = ", ".join(part for part in (quote.label, " > ".join(quote.section)) if part)
    caption = quote.caption if quote.kind in ("row", "table") else ""
    return ": ".join(part for part in (named, caption) if part)


def passages(quotes: Sequence[Quote]) -> list[str]:
    """Each quote with the words before and behind it; rows of one table together, below their headers."""
    found: list[str] = []
    for place, group in groupby(quotes, key=lambda quote: (place_of(quote), quote.headers)):
        members = list(group)
        lines = _table(members) if members[0].headers else [_in_text(quote) for quote in members]
        found.append("\n".join([f"({place[0]})", *lines] if place[0] else lines))
    return found


def _table(quotes: Iterable[Quote]) -> list[str]:
    """The headers and the rows that are quoted, each once."""
    lines: list[str] = []
    for quote in quotes:
        rows = quote.rows if quote.kind == "table" else ()
        lines += [" | ".join(quote.headers), *(" | ".join(row) for row in rows)]
        lines += [] if rows else [" | ".join(quote.cells) or quote.text]
    return list(dict.fromkeys(lines))


def _in_text(quote: Quote) -> str:
    before, after = quote.before.strip()[-AROUND:], quote.after.strip()[:AROUND]
    return " ".join(part for part in (before, quote.text.strip(), after) if part)
