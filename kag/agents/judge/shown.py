"""What a model is shown of a claim's evidence: each quote in its place, with what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.core.verdict import Quote

AROUND = 300  # characters before and behind a quote


def place_of(quote: Quote) -> str:
    """Where a quote stands: "smith2020, Table 2, Results > Yields: Catches by site"; "" where nothing is known."""
    named = ", ".join(part for part in (quote.paper, quote.label, " > ".join(quote.section)) if part)
    caption = quote.caption if quote.kind in ("row", "table") else ""
    return ": ".join(part for part in (named, caption) if part)


def passages(quotes: Sequence[Quote]) -> list[str]:
    """Each quote once with the words before and behind it; rows of one table together, below their headers."""
    groups: dict[tuple[str, tuple[str, ...]], list[Quote]] = {}
    for quote in dict.fromkeys(quotes):
        groups.setdefault((place_of(quote), quote.headers), []).append(quote)
    found: list[str] = []
    for (place, headers), members in groups.items():
        lines = _table(members) if headers else list(dict.fromkeys(_in_text(quote) for quote in members))
        found.append("\n".join([f"({place})", *lines] if place else lines))
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
    """A quote between the sentences before and behind it; of a caption, which stands alone, the whole."""
    before, after = quote.before.strip(), quote.after.strip()
    if len(before) > AROUND:
        before = "..." + before[-AROUND:].partition(" ")[2]
    if len(after) > AROUND:
        after = after[:AROUND].rpartition(" ")[0] + "..."
    return " ".join(part for part in (before, quote.text.strip(), after) if part)
