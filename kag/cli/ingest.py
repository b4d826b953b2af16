"""`kag ingest`: documents of a domain into one checked graph with its index. A line a document goes to stdout."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, json_option, limit_options
from kag.cli.terminal import ShownProgress, emit_json, note, say

if TYPE_CHECKING:
    from kag.agents.ingest.ingestion import Finished, Outcome


MOST_ISSUES = 10


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 model failure, 130 interrupted.")
@click.argument("documents", nargs=-1, type=PATH)
@click.option("--domain", required=True, help="story, science, workflow, or a TOML file.")
@click.option("--out", required=True, type=PATH, help="Folder of the graph; documents are added to it.")
@click.option(
    "--mode",
    type=click.Choice(["rule", "llm", "hybrid"]),
    default="rule",
    show_default=True,
    help="rule: rules; llm: a model; hybrid: rules, then a model adds to them.",
)
@click.option(
    "--lm", default="", help="Model, for example anthropic/claude-sonnet-4-5; offline for none. Or set KAG_LM."
)
@click.option(
    "--rounds", type=click.IntRange(0), default=2, show_default=True, help="How often a model may repair its output."
)
@limit_options("document")
@click.option("--record", type=PATH, help="Write the model's replies to this folder, one file per document.")
@click.option("--replay", type=PATH, help="Read the model's replies from this folder; no network.")
@click.option(
    "--workers", type=click.IntRange(1), default=1, show_default=True, help="Number of documents to read in parallel."
)
@click.option("--vectors/--no-vectors", default=True, help="Embed passages if the extra vectors is installed.")
@click.option(
    "--vectors-at",
    default="",
    metavar="ADDRESS",
    help="Keep the passages there, too: files:FOLDER, "
    "postgresql://HOST/DATABASE, qdrant:FOLDER, qdrant:http://HOST:6333, "
    "milvus:FILE.db or milvus:http://HOST:19530.",
)
@click.option("--project", default="", help="Use and change only passages of this project.")
@click.option(
    "--max-docs", type=click.IntRange(1), help="Read at most this many documents, in the order of their names."
)
@click.option(
    "--validate/--no-validate", default=True, help="Check the rules of the domain; the structure is always checked."
)
@click.option("--force", is_flag=True, help="Read documents again that are up to date.")
@click.option("--remove", "removed", multiple=True, help="Remove this document; can be repeated.")
@click.option("--apart", multiple=True, help="Never merge this node of a document with others; can be repeated.")
@json_option("Print the result for each document and the graph's counts as JSON.")
def ingest(
    documents: Sequence[Path], domain: str, out: Path, workers: int, removed: Sequence[str], apart: Sequence[str],
    as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Read DOCUMENTS into one graph: texts, workflows, graphs, tables, runs of papers, or folders of them.

    Each node and edge has the characters of the text that it comes from. Statements that break the rules of the domain
    are repaired, or rejected with a reason. Documents that are up to date are skipped.
    """
    from kag.agents.ingest.ingestion import finish, remove
    from kag.agents.ingest.ingestion import ingest as read
    from kag.agents.ingest.store import Store
    from kag.agents.ingest.values import IngestOptions
    from kag.kgrag.files import domain_named

    if given["record"] and given["replay"]:
        raise click.UsageError("--record and --replay exclude each other")
    if not (documents or removed or apart):
        raise click.UsageError("Give at least one document, or --remove or --apart.")
    options = IngestOptions(**given)
    for name in removed:
        remove(out, domain, name)
    Store(out, domain_named(domain)).keep_apart(apart)
    done: list[Outcome] = []
    if documents:
        with ShownProgress() as progress:
            outcomes = read(documents, out, domain, options, workers=workers, progress=progress)
            done = sorted(outcomes, key=lambda one: one.name)
    for outcome in done:
        _print_document(outcome, as_json=as_json)
    made = not done or any(outcome.state != "failed" for outcome in done)
    graph = finish(out, domain, options, _why(done, removed)) if made else None
    if graph and (strange := Store(out, domain_named(domain)).unknown(apart)):
        note(f"no node of these documents has the id {', '.join(strange)}: what has it later is kept apart")
    if as_json:
        emit_json({"documents": [asdict(outcome) for outcome in done], "graph": graph and _row(graph, out)})
    elif graph:
        _print_graph(graph, out)
    code = max((outcome.exit_code for outcome in done), default=0)
    if code:
        sys.exit(code)


def _why(done: Sequence[Outcome], removed: Sequence[str]) -> str:
    read = [outcome.name for outcome in done if outcome.state == "read"]
    parts = [f"read {', '.join(read)}"] * bool(read) + [f"removed {', '.join(removed)}"] * bool(removed)
    return "; ".join(parts)[:400] or "made anew"


def _row(graph: Finished, out: Path) -> dict[str, Any]:
    shown = {name: getattr(graph, name) for name in ("nodes", "edges", "version", "joins", "passages", "vectors")}
    synced = {"synced": asdict(graph.synced)} if graph.synced else {}
    return {
        "file": str(out / "graph.json"),
        **shown,
        **synced,
        "issues": [issue.as_record() for issue in graph.issues.issues],
    }


def _print_document(outcome: Outcome, *, as_json: bool) -> None:
    """A line for a document, and what went wrong with it."""
    shown = ", ".join(
        f"{count} {what}" for what, count in outcome.counts.items() if count or what in ("nodes", "edges")
    )
    if outcome.state != "failed" and not as_json:
        tokens = outcome.usage.get("tokens_in", 0) + outcome.usage.get("tokens_out", 0)
        spent = f"; {outcome.usage['calls']:g} calls, {tokens:g} tokens" if outcome.usage.get("calls") else ""
        say(f"{outcome.name}: {shown}{spent}" + (" (up to date)" if outcome.state == "up to date" else ""))
    if outcome.message:
        say(f"{'error' if outcome.exit_code else 'note'}: {outcome.message}\n  {outcome.hint}", err=True)


def _print_graph(found: Finished, out: Path) -> None:
    """Print the size of the joined graph and its issues."""
    issues = found.issues
    for issue in issues.issues[:MOST_ISSUES]:
        note(str(issue))
    if len(issues.issues) > MOST_ISSUES:
        note(f"and {len(issues.issues) - MOST_ISSUES} more, in {out / 'issues.json'}")
    vectors = "with vectors" if found.vectors else "without vectors"
    say(
        f"graph: {found.nodes} nodes, {found.edges} edges, {found.joins} joins; {len(issues.errors)} errors, "
        f"{len(issues.warnings)} warnings; {found.passages} passages {vectors}"
    )
    if found.synced:
        say(f"vectors: {found.synced.added} passages added, {found.synced.removed} taken out")
    say(str(out / "graph.json"))
