"""`kag graph`: graphs of any domain in files that people have, cut, checked, compared and written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.groups import Suggesting
from kag.cli.options import CUT, DOMAIN, EDGE_LABEL, PATH, SEEDS, json_option
from kag.cli.terminal import emit_json, emit_to, note, say

if TYPE_CHECKING:
    from kag.retrieval.property_graph.elements import GraphSnapshot

EPILOG = "Exit codes: 0 done, 1 a rule is broken, 2 bad input."
EXAMPLES = ("duel.json", "aspirin.json", "harvest.json")
FORMATS = ("json", "graphml", "json-ld", "csv", "cypher", "tables")
_FILE = click.argument("file", type=PATH)
_WRITTEN = json_option("With --out: print what was written as JSON.")
_OUT = click.option("--out", type=PATH, help="Output file.  [default: stdout]")


@click.group(cls=Suggesting, epilog=EPILOG)
def graph() -> None:
    """Work with graphs of stories, science, workflows, or a domain of your own.

    A FILE is a graph (JSON, GraphML), a workflow (GitHub Actions, Galaxy, CWL, WfFormat, dbt manifest, OpenLineage,
    Workflow Run RO-Crate), or a story as plain text.
    """


@graph.command(epilog=EPILOG)
@click.argument("file", type=PATH, required=False)
@DOMAIN
@click.option(
    "--example",
    type=click.Choice(EXAMPLES),
    help="Use an example instead of FILE: a story, a field of science, a workflow.",
)
@_OUT
@_WRITTEN
def seed(file: Path | None, domain: str, example: str | None, out: Path | None, as_json: bool) -> None:
    """Read FILE and write its graph as JSON."""
    from kag.kgrag.files import example_named, read_graph
    from kag.retrieval.property_graph.as_json import to_json

    if (file is None) == (example is None):
        raise click.UsageError("Give FILE or --example.")
    file = file or example_named(example or "")
    read = read_graph(file, domain)
    note(f"{read.format}: {len(read.snapshot.nodes)} nodes, {len(read.snapshot.edges)} edges")
    emit_to(out, to_json(read.snapshot))
    _tell_written(read.snapshot, out, as_json)


@graph.command(epilog=EPILOG)
@_FILE
@DOMAIN
@click.option("--seeds", required=True, help="Ids or names of nodes to start from, separated by commas.")
@click.option("--depth", type=click.IntRange(0), default=1, show_default=True, help="Hops from the seeds.")
@EDGE_LABEL
@click.option("--max-nodes", type=click.IntRange(1), default=60, show_default=True, help="Maximum number of nodes.")
@CUT
@click.option(
    "--direction",
    type=click.Choice(["in", "out", "both"]),
    default="both",
    show_default=True,
    help="Direction in which edges are followed.",
)
@_OUT
@_WRITTEN
def subgraph(
    file: Path, domain: str, seeds: str, edge_labels: Sequence[str], out: Path | None, as_json: bool, **options: Any
) -> None:
    """Write the part of the graph in FILE around some nodes as JSON."""
    from kag.kgrag.files import open_graph, seeds_named
    from kag.retrieval.property_graph.as_json import to_json
    from kag.retrieval.property_graph.elements import Cut

    opened = open_graph(file, domain)
    whole = opened.graph
    named = seeds_named(opened.domain, whole, seeds.split(","))
    found = whole.subgraph(
        named,
        depth=options["depth"],
        edge_labels=edge_labels or None,
        max_nodes=options["max_nodes"],
        direction=options["direction"],
        cut=Cut(options["cut"]),
    )
    note(f"{len(found.nodes)} nodes, {len(found.edges)} edges of {len(whole)} nodes")
    emit_to(out, to_json(found))
    _tell_written(found, out, as_json)


@graph.command(epilog=EPILOG)
@_FILE
@DOMAIN
@click.option("--json", "as_json", is_flag=True, help="Print issues as JSON.")
@click.option("--strict", is_flag=True, help="Exit with code 1 for warnings too.")
def validate(file: Path, domain: str, as_json: bool, strict: bool) -> None:
    """Check the graph in FILE against the rules of its domain."""
    from kag.kgrag.files import check_graph, read_graph

    checked = check_graph(read_graph(file, domain), domain)
    if as_json:
        emit_json([issue.as_record() for issue in checked.issues])
    else:
        for issue in checked.issues:
            say(str(issue))
        say(f"{len(checked.errors)} errors, {len(checked.warnings)} warnings")
    sys.exit(1 if checked.errors or (strict and checked.warnings) else 0)


@graph.command(epilog=EPILOG)
@click.argument("before", type=PATH)
@click.argument("after", type=PATH)
@DOMAIN
@click.option("--patch", is_flag=True, help="Print the changes as JSON Patch (RFC 6902).")
@json_option("Print each change as JSON, with the value before and after.")
def diff(before: Path, after: Path, domain: str, patch: bool, as_json: bool) -> None:
    """Print the changes from the graph in BEFORE to the graph in AFTER, by id."""
    from kag.kgrag.files import read_graph
    from kag.retrieval.property_graph.snapshots import difference

    found = difference(read_graph(before, domain).snapshot, read_graph(after, domain).snapshot)
    if patch:
        emit_json(found.as_json_patch())
        return
    if as_json:
        emit_json([asdict(change) for change in found.changes])
        return
    for change in found.changes:
        sign = "+" if change.before is None else "-" if change.after is None else "~"
        thing = change.after or change.before
        say(f"{sign} {change.kind} {change.id} {thing.label if thing else ''}")
    say(f"{len(found.of('added'))} added, {len(found.of('removed'))} removed, {len(found.of('changed'))} changed")


@graph.command(epilog=EPILOG)
@_FILE
@DOMAIN
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True, help="Output format.")
@click.option("--prop", "props", multiple=True, help="Write only this property; can be repeated.  [default: all]")
@click.option("--out", type=PATH, help="Output file, or folder for csv and tables.  [default: stdout]")
@_WRITTEN
def export(file: Path, domain: str, form: str, props: Sequence[str], out: Path | None, as_json: bool) -> None:
    """Write the graph in FILE in another format."""
    from kag.kgrag.files import read_graph, written

    if as_json and out is None and form not in ("json", "json-ld"):
        raise click.UsageError("--json says what was written: name it with --out")
    snapshot = read_graph(file, domain).snapshot
    texts = written(snapshot, form, {"*": props} if props else None)
    if out is None or len(texts) == 1:
        emit_to(out, "".join(texts.values()))
    else:
        for name, text in texts.items():
            emit_to(out / name, text)
            if not as_json:
                say(str(out / name))
    _tell_written(snapshot, out, as_json)


@graph.command(epilog=EPILOG)
@_FILE
@DOMAIN
@click.option("--text", default="", help="A question; the slice is what is relevant to it.")
@SEEDS
@click.option("--depth", type=click.IntRange(0), default=None, help="Hops from the seeds.  [default: of the domain]")
@click.option(
    "--max-nodes", type=click.IntRange(1, 500), default=60, show_default=True, help="Maximum number of nodes."
)
@click.option("--out", type=PATH, required=True, help="Output file.")
@json_option("Print what was written as JSON.")
def show(
    file: Path, domain: str, text: str, seeds: str, depth: int | None, max_nodes: int, out: Path, as_json: bool
) -> None:
    """Draw the graph in FILE, or a part around nodes or for a question, as one HTML page."""
    from kag.kgrag.context.slice import KgRagConfig, sliced
    from kag.kgrag.files import open_graph, seeds_named
    from kag.retrieval.property_graph.as_html import to_html

    whole = open_graph(file, domain)
    given = seeds_named(whole.domain, whole.graph, seeds.split(",")) if seeds.strip() else ()
    config = KgRagConfig(expand_hops=depth, max_nodes=max_nodes)
    if text or given:
        found = sliced(text, given, config, whole)
        snapshot, begin, why = found.snapshot, found.seeds, found.why
    else:
        snapshot, begin, why = whole.graph.slice_of(list(whole.graph.tables.nodes)[:max_nodes]), (), {}
    title = text or f"{file.name}: {len(snapshot.nodes)} of {len(whole.graph)} nodes"
    page = to_html(
        snapshot, title=title, seeds=begin, why=why, name_of=lambda node: whole.domain.name_of(node.label, node.props)
    )
    emit_to(out, page)
    note(f"{len(snapshot.nodes)} nodes, {len(snapshot.edges)} edges of {len(whole.graph)} nodes")
    if as_json:
        _tell_written(snapshot, out, as_json)
    else:
        say(str(out))


def _tell_written(snapshot: GraphSnapshot, out: Path | None, as_json: bool) -> None:
    """Report what was written to a file or folder, as `--json`; without an output file the graph itself was printed."""
    if as_json and out is not None:
        emit_json({"out": str(out), "nodes": len(snapshot.nodes), "edges": len(snapshot.edges)})
