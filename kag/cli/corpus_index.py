"""`kag corpus index`: the search index, and links between the papers' layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, json_option, model_options, model_usage, open_model_stages
from kag.cli.terminal import ShownProgress, complain, emit_json, note, say

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages
    from kag.corpus.search_index import Describer
    from kag.retrieval.chunking import Chunk


EPILOG = "Exit codes: 0 done, 1 the check found something, 2 bad input, 130 interrupted."
HERE = click.option("--corpus", "root", type=PATH, required=True, help="Folder of the corpus.")


@click.command(epilog=f"{EPILOG[:-1]}, 3 the model cannot be asked.")
@HERE
@click.option("--vectors", is_flag=True, help="Add sentence vectors (bge-small, on this machine).")
@click.option(
    "--embeddings",
    default="",
    help=(
        "Add vectors of a named model, or replace those of another: bge-small or URL#MODEL (OpenAI's "
        "/embeddings). Or set KAG_EMBEDDINGS."
    ),
)
@click.option("--graph", is_flag=True, help="Build the graph over the chunks: links, citations and similarity.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    help=(
        "Address of an engine that keeps words, vectors or edges (docs/engines.md); files: keeps "
        "them in the corpus again."
    ),
)
@click.option(
    "--layers",
    "layers",
    default="",
    help="Add layers to papers without them (entity,claim), and link claims across papers.",
)
@click.option(
    "--names",
    type=click.Choice(["rules", "layers"]),
    default="rules",
    show_default=True,
    help="Source of entity names: rules, or rules and the papers' entity layers.",
)
@model_options("it names what passages are about, instead of rules")
@json_option("Print the state of the index as JSON.")
def index(
    root: Path,
    vectors: bool,
    embeddings: str,
    graph: bool,
    engines: Sequence[str],
    layers: str,
    names: str,
    as_json: bool,
    **model: Any,
) -> None:
    """Build the search index; later changes of the corpus update it.

    --graph builds edges between passages. Later changes update order, citations and cross-references at once; edges of
    similarity for new passages are built when you run --graph again.

    With --lm a model names what passages are about. Papers that are added later get names by rules until you run --lm
    again. An interrupted command does not ask the model twice.

    With --layers, papers without layers get them, and a graph links entities and claims across papers. Run it again
    after papers change. With --names layers an entity has one name in all passages of its paper; papers that are added
    later get names by rules until you run it again.
    """
    from kag.corpus.changing import IndexOptions
    from kag.corpus.changing import index as made
    from kag.corpus.search_index import REPLIES
    from kag.corpus.store import open_corpus

    if names == "layers" and model["lm"]:
        raise click.UsageError("--names layers and --lm both say who names what is in passages: give one of them")
    open_corpus(root)  # before anything is made there
    if layers:
        _link(root, layers, quiet=as_json)
    with open_model_stages(model, root / "search" / REPLIES) as asked, ShownProgress() as progress:
        describer = _describer(model["lm"], asked) if asked else None
        options = IndexOptions(vectors, graph, embeddings, by_layers=names == "layers", engines=tuple(engines))
        step = made(root, options, describer=describer, progress=progress)
        if asked:
            note(model_usage(asked))
    if as_json:
        emit_json({"papers": list(step.papers), "chunks": step.chunks, "waiting": step.waiting})
        return
    say(f"{root}: the search index is up to date; papers indexed: {len(step.papers)}")
    if step.waiting:
        waiting = f"{step.waiting} of {step.chunks} chunks wait for edges of likeness"
        say(f"{waiting}: `kag corpus index --graph --corpus {root}`")


def _link(root: Path, layers: str, *, quiet: bool) -> None:
    """Make layers for the papers that lack them, and links between all layers."""
    from kag.corpus.changing import link

    with TemporaryDirectory(prefix="kag-") as folder, ShownProgress() as progress:
        changes, triples = link(root, layers, Path(folder), progress=progress)
    for change in changes:
        say(f"{change.state} {change.paper}", err=quiet)
        if change.message:
            complain(change.message, change.hint)
    say(f"{root}: {triples} triples link what papers say", err=quiet)


def _describer(name: str, model: ModelStages) -> Describer:
    """A model that names what is in chunks, until it is stopped; references are left to the rules."""
    from kag.agents.retrieval_stages import described
    from kag.corpus import search_index

    def describe(chunks: Sequence[Chunk]) -> Sequence[Chunk] | None:
        asked = [chunk for chunk in chunks if chunk.metadata.get("kind") != "reference"]
        found = {chunk.id: chunk for chunk in described(asked, model.metadata)}
        return None if model.stopped() else [found.get(chunk.id, chunk) for chunk in chunks]

    return search_index.Describer(name, describe)
