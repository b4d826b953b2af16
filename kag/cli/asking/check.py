"""`kag check`: what a graph says of the sentences of a draft."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kag.cli.options.values import PATH
from kag.cli.terminal import emit_json, say


@click.command(epilog="Exit codes: 0 nothing is contradicted, 1 something is, 2 bad input.")
@click.argument("file", type=PATH)
@click.option("--draft", type=PATH, required=True, help="The text that is checked.")
@click.option("--domain", "name", default="", help="story, science, workflow, or a TOML file.  [default: as FILE is]")
@click.option("--json", "as_json", is_flag=True, help="Write verdicts as JSON.")
def check(file: Path, draft: Path, name: str, as_json: bool) -> None:
    """Check each sentence of a draft against the graph in FILE: supported, contradicted, or not known.

    The edges or the rule that decide are told. What is not in the graph is not known, and never false.
    """
    from kag.kgrag.facades import check_consistency
    from kag.kgrag.files import domain_named, read_graph
    from kag.kgrag.yaml_with_positions import read_text
    from kag.retrieval.property_graph.engine import GraphEngine

    read = read_graph(file, name)
    graph = GraphEngine(read.snapshot)
    found = check_consistency(read_text(draft), graph, domain_named(name or read.domain))
    if as_json:
        emit_json([one.as_record() for one in found.verdicts])
    else:
        for one in found.verdicts:
            why = (
                f" [{one.rule}{': ' if one.rule and one.edges else ''}{', '.join(one.edges)}]"
                if one.edges or one.rule
                else ""
            )
            say(f"{one.answer}: {one.sentence}{why}")
        counts = {kind: len(found.of(kind)) for kind in ("supported", "contradicted", "not known")}
        say(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    sys.exit(0 if found.ok else 1)
