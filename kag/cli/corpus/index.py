"""`kag corpus index`: what retrieval searches, and links between what papers say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.model_stages import model_options, open_model_stages, told
from kag.cli.options.values import PATH, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import complain, emit_json, note, say

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages
    from kag.corpus.search_index import Describer
    from kag.retrieval.chunk import Chunk


EPILOG = "Exit codes: 0 done, 1 the check found something, 2 bad input, 130 interrupted."
HERE = click.option("--corpus", "root", type=PATH, required=True, help="The corpus, a folder.")


@click.command(epilog=f"{EPILOG[:-1]}, 3 the model cannot be asked.")
@HERE
@click.option("--vectors", is_flag=True, help="With sentence vectors too (MiniLM, on this machine).")
@click.option(
    "--embeddings",
    default="",
    help="Vectors by another one: bge-small, on this machine, or URL#MODEL, which speaks OpenAI's /embeddings. "
    "Or KAG_EMBEDDINGS.",
)
@click.option("--graph", is_flag=True, help="With a graph over the chunks, made anew: links, citations and likeness.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    help="Keep words, vectors and edges there, as far as it holds such (docs/engines.md); files: here again.",
)
@click.option(
    "--layers", "said", default="", help="Layers for papers that lack them (entity,claim), and links of claims."
)
@click.option(
    "--names",
    type=click.Choice(["rules", "layers"]),
    default="rules",
    show_default=True,
    help="Who names what is in passages: rules, or rules and the papers' entity layers.",
)
@model_options("names what passages are about, in place of rules (likeness by names, the plan entity)")
@json_option("Write how the index stands as JSON.")
def index(
    root: Path,
    vectors: bool,
    embeddings: str,
    graph: bool,
    engines: Sequence[str],
    said: str,
    names: str,
    as_json: bool,
    **model: Any,
) -> None:
    """Make the index that retrieval searches; from then on each change of the corpus brings it into step.

    A graph follows each change too: edges of what is gone go, new chunks have their order, call-outs and citations at
    once. For likeness all chunks are compared; new ones wait for that until `--graph` is given again.

    With --lm a model names what the passages of each paper are about, once; what it was stopped at, and papers that
    come later, have the rules' names until --lm is given again. A command that was interrupted asks nothing twice.

    With --layers papers that lack them get layers, and a graph says which entities several papers speak of and which
    claims agree or contradict each other. Of a paper that is changed or goes it forgets all; give --layers again then.
    With --names layers an entity has one name in all passages of its paper, for likeness and the plan entity; papers
    that come later have the rules' names until it is given again.
    """
    from kag.corpus.changing import IndexOptions
    from kag.corpus.changing import index as made
    from kag.corpus.search_index import REPLIES
    from kag.corpus.store import open_corpus

    if names == "layers" and model["lm"]:
        raise click.UsageError("--names layers and --lm both say who names what is in passages: give one of them")
    open_corpus(root)  # before anything is made there
    if said:
        _link(root, said, quiet=as_json)
    with open_model_stages(model, root / "search" / REPLIES) as asked, ShownProgress() as progress:
        describer = _describer(model["lm"], asked) if asked else None
        options = IndexOptions(vectors, graph, embeddings, by_layers=names == "layers", engines=tuple(engines))
        step = made(root, options, describer=describer, progress=progress)
        if asked:
            note(told(asked))
    if as_json:
        emit_json({"papers": list(step.papers), "chunks": step.chunks, "waiting": step.waiting})
        return
    say(f"{root}: the search index is in step, {len(step.papers)} papers were not")
    if step.waiting:
        waiting = f"{step.waiting} of {step.chunks} chunks wait for edges of likeness"
        say(f"{waiting}: `kag corpus index --graph --corpus {root}`")


def _link(root: Path, said: str, *, quiet: bool) -> None:
    """Layers for the papers that lack them, and links between what all say."""
    from kag.corpus.changing import link

    with TemporaryDirectory(prefix="kag-") as folder, ShownProgress() as progress:
        changes, triples = link(root, said, Path(folder), progress=progress)
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
