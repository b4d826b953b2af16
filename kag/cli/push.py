"""`kag push`: papers' graphs into a SPARQL store."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kag.cli.json_option import json_option
from kag.cli.papers_given import CORPUS, PATH, graphs_of, library_at
from kag.cli.terminal import complain, emit_json, say


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 the store cannot be reached or refuses, 130 interrupted.")
@click.argument("url")
@click.argument("runs", nargs=-1, type=PATH)
@CORPUS
@click.option("--update", is_flag=True, help="URL is for SPARQL Update: of a store without a Graph Store Protocol.")
@click.option(
    "--parameter", default="graph", show_default=True, help="How the store calls a graph's name; Virtuoso: graph-uri."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that a request may take; it is made three times.",
)
@json_option("Write what became of each graph as JSON.")
def push(
    url: str, runs: Sequence[Path], root: Path | None, update: bool, parameter: str, timeout: float, as_json: bool
) -> None:
    """Put the graphs of RUNS into the SPARQL store at URL, a named graph a paper.

    URL is that of its Graph Store Protocol, of Oxigraph http://127.0.0.1:7878/store. A graph that is there is replaced,
    one that is the same is left alone: give the command again after any failure, and it ends where it would have.

    Credentials are taken from KAG_STORE_TOKEN, or KAG_STORE_USER and KAG_STORE_PASSWORD, and from nowhere else.
    """
    from kag.export.store import Store, Way
    from kag.values.errors import StoreError

    library = library_at(runs, root)
    store = Store(url, Way(update=update, parameter=parameter, seconds=timeout))
    states: Counter[str] = Counter()
    rows: list[dict[str, Any]] = []
    for graph in graphs_of(library):
        try:
            state = store.push(graph)
        except StoreError as error:
            complain(f"{graph.paper}: {error.message}", error.hint)
            states["failed"] += 1
            rows.append({"paper": graph.paper, "state": "failed", "message": error.message, "hint": error.hint})
            if not error.goes_on:
                break
            continue
        rows.append({"paper": graph.paper, "state": state, "graph": graph.name, "triples": len(graph.lines)})
        states[state] += 1
        if not as_json:
            say(f"{state} {graph.paper}: {len(graph.lines)} triples in <{graph.name}>")
    if as_json:
        emit_json(rows)
    _end(states, len(library))


def _end(states: Counter[str], total: int) -> None:
    """Say what was done; exits when anything was not."""
    left = total - sum(states.values())
    told = [f"{count} {state}" for state, count in sorted(states.items())] + ([f"{left} not tried"] if left else [])
    say(", ".join(told), err=True)
    if states["failed"]:
        say("Give the command again when that is put right: what is there is left alone.", err=True)
        sys.exit(3)
