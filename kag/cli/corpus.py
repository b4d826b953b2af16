"""`kag corpus`: many papers in one folder that can be changed and asked."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kag.cli.corpus_ask import ask
from kag.cli.json_option import json_option
from kag.cli.machines import cluster_option, side_by_side
from kag.cli.model_stages import model_options, open_model_stages, told
from kag.cli.terminal import complain, emit, emit_json, note, say
from kag.values.errors import CorpusError

if TYPE_CHECKING:
    from kag.agents.retrieve.retrieval_stages import ModelStages
    from kag.corpus.search_index import Describer
    from kag.corpus.transaction import Change
    from kag.safety.workers import Executor
    from kag.search.chunk import Chunk
    from kag.write.batch import Outcome

PATH = click.Path(path_type=Path)
MANY = 8  # papers from which on shards are changed side by side: a process takes a while to begin
EPILOG = "Exit codes: 0 done, 1 the check found something, 2 bad input, 130 interrupted."
_HERE = click.option("--corpus", "root", type=PATH, required=True, help="The corpus, a folder.")
_RUNS = click.option("--out-dir", type=PATH, help="Keep the runs of OCR folders here.  [default: they are not kept]")
_LAYERS = click.option(
    "--layers",
    "said",
    default="",
    help="With what they say: entity, claim, or entity,claim. Given runs stay as they are.",
)
_RAY = cluster_option("Change shards over a Ray cluster, which sees the same files: auto, local or an address.")
_JSON = json_option("Write what became of each paper as JSON.")
_PATHS = click.argument("paths", nargs=-1, required=True, type=PATH)


@click.group(epilog=EPILOG)
def corpus() -> None:
    """Many papers in one place: add and remove them, ask all of them at once.

    A PATH is a folder of OCR pages, which is indexed first, a run that `kag index` wrote, or a folder of either. A
    command that was interrupted can simply be given again: the corpus is always as before or after each paper.
    """


@corpus.command(epilog=EPILOG)
@_HERE
@click.option("--shards", "number", type=click.IntRange(1, 4096), required=True, help="How many shards it has.")
def create(root: Path, number: int) -> None:
    """Make an empty corpus in shards, for more papers than one writer or one machine can keep up with.

    Each shard is a corpus of its own and holds the papers whose names fall to it; all commands take the whole. A
    corpus in one piece needs no `create`: `add` makes it.
    """
    from kag.corpus.shard_set import create_shards

    create_shards(root, number)
    say(f"{root}: an empty corpus in {number} shards")


@corpus.command(epilog=EPILOG)
@_HERE
@click.option("--shards", "number", type=click.IntRange(1, 4096), required=True, help="How many shards it shall have.")
def rebalance(root: Path, number: int) -> None:
    """Put a corpus in shards into another number of them, by copying; until it is done the old ones are there.

    Nobody can write to it meanwhile, all can read. What was embedded or described for its index is taken along.
    """
    from kag.corpus.rebalance import rebalance as put_anew

    moved = put_anew(root, number, _progress)
    say(f"{root}: {moved} papers in {number} shards")


@corpus.command(epilog=EPILOG)
@_PATHS
@_HERE
@_RUNS
@_LAYERS
@_RAY
@_JSON
def add(paths: Sequence[Path], root: Path, out_dir: Path | None, said: str, ray: str, as_json: bool) -> None:
    """Add the papers of PATHS; what is there already with the same bytes is left alone."""
    _put(paths, root, out_dir, said, ray, replace=False, as_json=as_json)


@corpus.command(epilog=EPILOG)
@_PATHS
@_HERE
@_RUNS
@_LAYERS
@_RAY
@_JSON
def update(paths: Sequence[Path], root: Path, out_dir: Path | None, said: str, ray: str, as_json: bool) -> None:
    """Add the papers of PATHS, and replace those that are there in another version."""
    _put(paths, root, out_dir, said, ray, replace=True, as_json=as_json)


@corpus.command(epilog=EPILOG)
@click.argument("papers", nargs=-1, required=True)
@_HERE
@_JSON
def remove(papers: Sequence[str], root: Path, as_json: bool) -> None:
    """Remove PAPERS, each given by its id or by a path as in `add`."""
    from kag.corpus.changing import remove as taken_out
    from kag.corpus.intake import ids_at

    ids = [paper for given in papers for paper in ids_at(given)]
    if _tell(taken_out(root, ids), as_json=as_json)["failed"]:
        sys.exit(2)


@corpus.command("list", epilog=EPILOG)
@_HERE
@click.option("--json", "as_json", is_flag=True, help="All that is known, as JSON.")
def list_papers(root: Path, as_json: bool) -> None:
    """Show the papers: id, year, pages, triples, references, how many of the corpus each cites and is cited by."""
    from kag.corpus.store import open_corpus

    opened = open_corpus(root)
    pairs = opened.citations()
    cites, cited = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    rows = [{**paper._asdict(), "cites": cites[paper.iri], "cited_by": cited[paper.iri]} for paper in opened.papers()]
    if as_json:
        emit_json(rows)
        return
    columns = ("id", "year", "pages", "triples", "references", "cites", "cited_by", "title")
    say("\t".join(columns))
    for row in rows:
        say("\t".join(" ".join(str(row[column]).split()) for column in columns))
    say(f"{len(rows)} papers, {len(pairs)} citations between them", err=True)


@corpus.command(epilog=EPILOG)
@_HERE
@click.option("--repair", "mend", is_flag=True, help="Finish what was begun; make graphs and tables again from files.")
@json_option("Write the issues as JSON.")
def check(root: Path, mend: bool, as_json: bool) -> None:
    """Check files, graphs, tables and works graph against each other; exit code 1 names what is wrong."""
    from kag.corpus.changing import being_written
    from kag.corpus.check import check_corpus, repair

    report = repair(root) if mend else check_corpus(root)
    if being_written(root):
        note("somebody is writing it: only the papers' files were looked at")
    if as_json:
        emit_json([asdict(issue) for issue in report.issues])
    for issue in report.issues if not as_json else ():
        say(f"{issue.component} {issue.focus}: {issue.message}")
    if report.issues:
        sys.exit(1)
    if not as_json:
        say(f"{root}: sound")


@corpus.command(epilog=f"{EPILOG[:-1]}, 3 the model cannot be asked.")
@_HERE
@click.option("--vectors", is_flag=True, help="With sentence vectors too (MiniLM, on this machine).")
@click.option(
    "--embeddings",
    default="",
    help="Vectors by this endpoint instead, URL#MODEL; any that speaks OpenAI's /embeddings. Or KAG_EMBEDDINGS.",
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
@_RAY
@json_option("Write how the index stands as JSON.")
def index(
    root: Path,
    vectors: bool,
    embeddings: str,
    graph: bool,
    engines: Sequence[str],
    said: str,
    names: str,
    ray: str,
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
    from kag.corpus.changing import Wish
    from kag.corpus.changing import index as made
    from kag.corpus.search_index import REPLIES
    from kag.corpus.store import open_corpus

    if names == "layers" and model["lm"]:
        raise click.UsageError("--names layers and --lm both say who names what is in passages: give one of them")
    open_corpus(root)  # before anything is made there
    if said:
        _link(root, said, quiet=as_json)
    with open_model_stages(model, root / "search" / REPLIES) as asked:
        describer = _describer(model["lm"], asked) if asked else None
        wish = Wish(vectors, graph, embeddings, by_layers=names == "layers", engines=tuple(engines))
        step = made(root, wish, describer=describer, tell=_progress, executor=_executor(root, ray, True))
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

    with TemporaryDirectory(prefix="kag-") as folder:
        changes, triples = link(root, said, Path(folder))
    for change in changes:
        say(f"{change.state} {change.paper}", err=quiet)
        if change.message:
            complain(change.message, change.hint)
    say(f"{root}: {triples} triples link what papers say", err=quiet)


def _progress(what: str, done: int, of: int) -> None:
    """A line now and then, where it takes a while."""
    if done % 25 == 0 and of > 25:
        say(f"{done} of {of} {what}", err=True)


def _describer(name: str, model: ModelStages) -> Describer:
    """A model that names what is in chunks, until it is stopped; references are left to the rules."""
    from kag.agents.retrieve.retrieval_stages import described
    from kag.corpus import search_index

    def describe(chunks: Sequence[Chunk]) -> Sequence[Chunk] | None:
        asked = [chunk for chunk in chunks if chunk.metadata.get("kind") != "reference"]
        found = {chunk.id: chunk for chunk in described(asked, model.metadata)}
        return None if model.stopped() else [found.get(chunk.id, chunk) for chunk in chunks]

    return search_index.Describer(name, describe)


@corpus.command(epilog=EPILOG)
@click.argument("query")
@_HERE
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "tsv", "json"]),
    default="table",
    show_default=True,
    help="Columns for people, SPARQL CSV, lines with tabs, or SPARQL JSON.",
)
@click.option(
    "--max-seconds", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True, help="Time it may take."
)
@click.option("--max-rows", type=click.IntRange(1), default=1000, show_default=True, help="Rows to show at most.")
@click.option(
    "--max-bytes", type=click.IntRange(1), default=1_000_000, show_default=True, help="Size of all rows at most."
)
@click.option(
    "--endpoint",
    default="",
    help="Ask the store at this address, to which the corpus was pushed.",
)
@json_option("The same as --format json.")
def sparql(
    query: str,
    root: Path,
    form: str,
    max_seconds: float,
    max_rows: int,
    max_bytes: int,
    endpoint: str,
    as_json: bool,
) -> None:
    """Put QUERY to all papers, read-only; `-` reads it from standard input. `GRAPH ?paper {...}` tells them apart.

    The prefixes of the graphs (dcterms:, kag:, doco:, ...) need no declaration.
    """
    from kag.corpus.sparql.endpoint import ask_at
    from kag.corpus.sparql.query import Limits, ask
    from kag.corpus.sparql.terms import unknown_terms
    from kag.corpus.transaction import settle

    text = sys.stdin.read() if query == "-" else query
    settle(root)
    limits = Limits(max_seconds, max_rows, max_bytes)
    table = ask_at(endpoint, root, text, limits) if endpoint else ask(root, text, limits)
    written = {"table": table.to_text, "csv": table.to_csv, "tsv": table.to_tsv, "json": table.to_json}
    emit(written["json" if as_json else form]())
    for line in unknown_terms(text) if not table.rows else ():
        note(line)
    if table.ended:
        note(f"cut short at {len(table.rows)} rows by the limit of {table.ended}")


@corpus.command(epilog=EPILOG)
@_HERE
@click.option(
    "--format",
    "form",
    type=click.Choice(["nquads", "jsonld"]),
    default="nquads",
    show_default=True,
    help="All graphs as canonical N-Quads, or the search graph as JSON-LD in the terms of schema.org.",
)
@json_option("The same as --format jsonld.")
def export(root: Path, form: str, as_json: bool) -> None:
    """Write a corpus to standard output: the same papers, the same bytes.

    N-Quads are the papers' graphs; JSON-LD is what retrieval searches: papers, chunks and the edges between them.
    """
    emit(_nquads(root) if form == "nquads" and not as_json else _json_ld(root))


def _nquads(root: Path) -> Iterable[str]:
    from kag.corpus import graphs
    from kag.corpus.store import open_corpus

    return graphs.nquads(graphs.open_snapshot(open_corpus(root).layout))


def _json_ld(root: Path) -> Iterable[str]:
    from kag.corpus.search_index import articles, open_index
    from kag.corpus.store import open_corpus
    from kag.search.hits_json_ld import graph_lines

    index = open_index(root)
    return graph_lines(index, articles(open_corpus(root).layout))


corpus.add_command(ask)


def _put(
    paths: Sequence[Path], root: Path, out_dir: Path | None, said: str, ray: str, *, replace: bool, as_json: bool
) -> None:
    from kag.corpus.changing import put
    from kag.corpus.intake import runs_at
    from kag.corpus.layering import with_layers
    from kag.safety.files import shown
    from kag.write.batch import passed_over
    from kag.write.run import find_runs

    for folder, why in passed_over([path for path in paths if not find_runs(path)]):
        note(f"{shown(folder)} {why}; it is left out")
    with ExitStack() as stack:
        runs, failed = runs_at(paths, out_dir or Path(stack.enter_context(TemporaryDirectory(prefix="kag-"))), _state)
        wrong = bool(failed)
        if runs and said:
            runs = with_layers(runs, said, Path(stack.enter_context(TemporaryDirectory(prefix="kag-"))))
        if runs:
            changes = put(root, runs, replace=replace, executor=_executor(root, ray, len(runs) >= MANY))
            wrong |= bool(_tell(changes, len(runs), as_json=as_json)["failed"])
        elif as_json:
            emit_json([])
    if wrong:
        sys.exit(2)


def _executor(root: Path, ray: str, much: bool) -> Executor | None:
    """Who changes the shards of a corpus side by side; nobody where it is in one piece, or processes do not pay."""
    from kag.corpus.shard_set import shard_set

    if shard_set(root) is None:
        if ray:
            hint = "`kag corpus create --shards N` makes one in shards."
            raise CorpusError("a corpus in one piece has one writer: no cluster can change it", hint=hint)
        return None
    return side_by_side(ray) if ray or much else None


def _state(outcome: Outcome, number: int, total: int) -> None:
    """Print what became of a paper's pages."""
    say(f"[{number}/{total}] {outcome.job.name}: {outcome.state}", err=True)
    if not outcome.run:
        complain(outcome.message, outcome.hint)


def _tell(changes: Iterable[Change], total: int = 0, *, as_json: bool) -> Counter[str]:
    """Print each change as it becomes safe, on a terminal with how many there are; returns how many ended how."""
    states: Counter[str] = Counter()
    rows = []
    for number, change in enumerate(changes, start=1):
        states[change.state] += 1
        rows.append(asdict(change))
        if not as_json:
            say(f"{change.state} {change.paper}")
        if total > 1 and sys.stderr.isatty():
            say(f"[{number}/{total}]", err=True)
        if change.message:
            complain(change.message, change.hint)
    if as_json:
        emit_json(rows)
    say(", ".join(f"{count} {state}" for state, count in sorted(states.items())), err=True)
    return states
