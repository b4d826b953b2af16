"""The call-outs of a laid-out paper as rows of its gold: who calls, whom, and with which characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .compose import Composed
from .inline import Mention, Rich

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A text that can hold call-outs: who it belongs to, its words, the space cut before them, its cell."""

    host: str
    text: str
    lead: int
    mentions: tuple[Mention, ...]
    cell: tuple[int, int] | None = None


def call_outs(composed: Composed) -> tuple[list[Json], list[Json]]:
    """Citations and cross-references, in the order of their hosts."""
    found = [(each, mention) for each in _told(composed) for mention in each.mentions]
    citations = [_citation(each, mention) for each, mention in found if mention.kind == "citation"]
    crossrefs = [row for each, mention in found if mention.kind != "citation" for row in _crossrefs(each, mention)]
    return citations, crossrefs


def _told(composed: Composed) -> Iterator[Told]:
    for host, rich in composed.texts.items():
        yield _stripped(host, rich)
        for row, cells in enumerate(composed.cells.get(host, ())):
            for column, cell in enumerate(cells):
                if cell.mentions:
                    yield _stripped(f"{host}:cell", cell, (row, column))


def _stripped(host: str, rich: Rich, cell: tuple[int, int] | None = None) -> Told:
    lead = len(rich.markdown) - len(rich.markdown.lstrip())
    return Told(host, clean(rich), lead, rich.mentions, cell)


def clean(rich: Rich) -> str:
    """A text's Markdown without space around it."""
    return rich.markdown.replace("\u00a0", " ").strip()


def _place(each: Told, mention: Mention) -> Json:
    """The call-out's characters in the stripped text."""
    return {"surface": mention.surface, "start": mention.start - each.lead, "end": mention.end - each.lead}


def _citation(each: Told, mention: Mention) -> Json:
    row: Json = {
        "host": each.host,
        "refs": [int(number) for number in mention.numbers],
        "explicit": [int(number) for number in mention.explicit],
        **_place(each, mention),
        "native": mention.target,
    }
    return row if each.cell is None else {**row, "cell": list(each.cell)}


def _crossrefs(each: Told, mention: Mention) -> Iterator[Json]:
    for number in mention.numbers:
        yield {
            "host": each.host,
            "type": mention.kind,
            "number": number,
            "label": mention.label,
            **_place(each, mention),
            "rid": mention.target,
            "via": mention.via,
        }


def links(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """The different rows whose first entry is a paragraph, in order."""
    return [list(row) for row in dict.fromkeys(row for row in rows if row[0][0] == "p")]
