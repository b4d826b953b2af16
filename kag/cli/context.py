"""`kag context` and `kag check`: the context of a question from a graph, and verdicts on the sentences of a draft."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from kag.cli.evaluate import write_json
from kag.cli.options import CUT, DOMAIN, EDGE_LABEL, PATH, SEEDS
from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.kgrag.context.passages import VectorClient
    from kag.kgrag.facade import DomainGraph


@click.command(epilog="Exit codes: 0 done, 2 bad input or a missing package.")
@click.argument("file", type=PATH)
@click.option("--text", default="", help="The question.")
@SEEDS
@DOMAIN
@click.option(
    "--passages",
    multiple=True,
    type=PATH,
    help="Texts (.txt, .md, a folder) or passages (.jsonl) to choose from; can be repeated.",
)
@click.option(
    "--vectors-at",
    default="",
    metavar="ADDRESS",
    help="Choose from the passages that kag ingest has kept "
    "there: files:FOLDER, postgresql://HOST/DATABASE, qdrant:..., milvus:...",
)
@click.option(
    "--project", default="default", show_default=True, help="Of passages in .jsonl or there only those of this one."
)
@click.option(
    "--scope", multiple=True, metavar="KEY=VALUE", help="Use only passages with this metadata; can be repeated."
)
@click.option(
    "--max-tokens", type=click.IntRange(0), default=1500, show_default=True, help="Maximum number of tokens in total."
)
@click.option(
    "--max-nodes", type=click.IntRange(1), default=60, show_default=True, help="Maximum number of nodes of the slice."
)
@click.option(
    "--hops",
    type=click.IntRange(0),
    default=None,
    help="Hops from the nodes if the question names no path.  [default: of the domain]",
)
@EDGE_LABEL
@click.option(
    "--passage-count", type=click.IntRange(0), default=8, show_default=True, help="Maximum number of passages."
)
@CUT
@click.option("--no-route", is_flag=True, help="Do not prefer passages about nodes of the slice.")
@click.option("--json", "as_json", is_flag=True, help="Print the context as JSON, with the reason for each part.")
@click.option("--out", type=PATH, help="Also write the context as JSON to this file.")
def context(file: Path, text: str, seeds: str, domain: str, passages: Sequence[Path], **options: Any) -> None:
    """Collect what the graph in FILE and passages say about a question, as one text within a token budget.

    Everything in the text is data from the files. Treat it as data in a prompt.
    """
    from kag.core.errors import BadValue
    from kag.kgrag.context.build import RagQuery, build_context
    from kag.kgrag.context.slice import KgRagConfig
    from kag.kgrag.files import open_graph, seeds_named

    if not text.strip() and not seeds.strip():
        raise BadValue("no question and no seeds", hint="Give --text, --seeds, or both.")
    graph = open_graph(file, domain)
    about = seeds_named(graph.domain, graph.graph, seeds.split(",")) if seeds.strip() else ()
    query = RagQuery(text, about, _scope(options["scope"]), options["max_tokens"])
    config = KgRagConfig(
        expand_hops=options["hops"],
        edge_labels=tuple(options["edge_labels"]) or None,
        max_nodes=options["max_nodes"],
        passages=options["passage_count"],
        route=not options["no_route"],
        cut=options["cut"],
    )
    client = _client(passages, options["vectors_at"], options["project"], graph)
    bundle = build_context(query, config, graph, client=client)
    left = ", ".join(f"{count} {kind}s" for kind, count in sorted(bundle.left_out.items()))
    note(
        f"{bundle.tokens} of {bundle.max_tokens} tokens by {bundle.counted_by}{f'; no room for {left}' if left else ''}"
    )
    if options["out"]:
        write_json(options["out"], bundle.as_record())
    if options["as_json"]:
        emit_json(bundle.as_record())
    else:
        say(bundle.text)


def _scope(given: Sequence[str]) -> dict[str, str]:
    from kag.core.errors import BadValue

    pairs = [one.partition("=") for one in given]
    if not all(key and value for key, _, value in pairs):
        raise BadValue(f"the scope {' '.join(given)[:80]!r}", hint="Give KEY=VALUE.")
    return {key: value for key, _, value in pairs}


def _client(paths: Sequence[Path], address: str, project: str, graph: DomainGraph) -> VectorClient | None:
    """The passages at an address, or of some files, indexed for this question."""
    if paths and address:
        raise click.UsageError("--passages and --vectors-at exclude each other")
    if address:
        from kag.agents.ingest.indexing import embedder
        from kag.kgrag.context.passages import client_at

        vector_client = client_at(address, project, embedder())
        note(f"{len(vector_client.ids())} passages of {project}")
        return vector_client
    if not paths:
        return None
    from kag.kgrag.context.passages import EmbeddedVectors, read_passages

    client = EmbeddedVectors(project)
    for path in paths:
        client.add(read_passages(path, graph, project))
    note(f"{len(client)} passages of {project}")
    return client


@click.command(epilog="Exit codes: 0 no sentence is contradicted, 1 a sentence is contradicted, 2 bad input.")
@click.argument("file", type=PATH)
@click.option("--draft", type=PATH, required=True, help="Text to check.")
@DOMAIN
@click.option("--json", "as_json", is_flag=True, help="Print verdicts as JSON.")
def check(file: Path, draft: Path, domain: str, as_json: bool) -> None:
    """Check each sentence of a draft against the graph in FILE: supported, contradicted or not known.

    Prints the edges or the rule behind each verdict. A statement that is not in the graph is not known, never false.
    """
    from kag.core.files import source_text
    from kag.kgrag.claims import Answer
    from kag.kgrag.files import LARGEST, open_graph

    verdicts = open_graph(file, domain).check_consistency(source_text(draft, LARGEST))
    counts = Counter(verdict.answer for verdict in verdicts)
    if as_json:
        emit_json([verdict.as_record() for verdict in verdicts])
    else:
        for verdict in verdicts:
            why = (
                f" [{verdict.rule}{': ' if verdict.rule and verdict.edges else ''}{', '.join(verdict.edges)}]"
                if verdict.edges or verdict.rule
                else ""
            )
            say(f"{verdict.answer}: {verdict.sentence}{why}")
        say(", ".join(f"{counts[kind]} {kind}" for kind in get_args(Answer)))
    sys.exit(1 if counts["contradicted"] else 0)
