"""Facets of a search at the terminal: the options, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from kag.cli.terminal import one_line

if TYPE_CHECKING:
    from kag.retrieval.faceted import Faceted
    from kag.retrieval.index import Index

NAMES = "paper, year, kind, section, entity_kind, entity, role"
SHOWN = 8  # values of a facet that people are shown


def facet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what is chosen of facets, and whether all are told."""
    chosen = click.option(
        "--facet",
        "chosen",
        multiple=True,
        metavar="NAME=VALUE",
        help=f"Only hits with this value ({NAMES}); several of one facet: any. Entities and roles need layers.",
    )
    counted = click.option(
        "--facets", "counted", is_flag=True, help="Tell by what hits can be narrowed down, and how many there are."
    )
    return chosen(counted(command))


def narrowed(
    index: Index, years: Mapping[str, str], query: str, chosen: Sequence[str], papers: Sequence[str], **how: Any
) -> Faceted:
    """Hits that have what is chosen, and the counts; raises `BadValue`. `how` are plan and references."""
    from kag.retrieval.faceted import faceted, finder
    from kag.retrieval.facets import stated, within

    return faceted(index, within(stated(chosen), papers), years, finder(index, query, **how))


def as_data(facets: Faceted | None) -> dict[str, Any]:
    """The facets as a search as JSON tells them, nothing where there are none."""
    if facets is None:
        return {}
    return {"facets": facets.counts, "chosen": facets.chosen, "facet_notes": list(facets.notes)}


def as_lines(facets: Faceted) -> Iterable[str]:
    """The facets for people, a line each; the values stand as `--facet` takes them."""
    yield "narrow down by:"
    for name, counts in facets.counts.items():
        told = [f"{one_line(value)} ({count})" for value, count in counts.items()]
        more = [f"and {len(told) - SHOWN} more"] if len(told) > SHOWN else []
        if told:
            yield f"  {name}: {', '.join([*told[:SHOWN], *more])}"
    yield from (f"  {words}" for words in facets.notes)
