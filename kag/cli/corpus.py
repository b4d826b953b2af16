"""`kag corpus`: many papers in one folder that can be changed and asked."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from kag.cli.corpus_index import EPILOG, HERE, index
from kag.cli.groups import Suggesting
from kag.cli.options import PATH, Number, json_option
from kag.cli.terminal import ShownProgress, complain, emit, emit_json, note, say
from kag.core.display import counted

if TYPE_CHECKING:
    from kag.corpus.transaction import Change
    from kag.indexing.batch import Outcome


ASK_EPILOG = "Exit codes: 0 answered, 1 the graphs do not answer this question exactly, 2 bad input."


@click.command(epilog=ASK_EPILOG)
@click.argument("question")
@click.option("--corpus", "root", type=PATH, required=True, help="Folder of the corpus.")
@click.option("--show-query", is_flag=True, help="Print the SPARQL query to standard error.")
@click.option("--schema", is_flag=True, help="Print what can be asked to standard error.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text, or an answer that `kag verify` reads.",
)
@json_option("The same as --format json.")
def ask(question: str, root: Path, form: str, *, show_query: bool, schema: bool, as_json: bool) -> None:
    """Answer QUESTION exactly from the graphs of all papers.

    For example: who cites what, how many, which most, which papers have what.
    """
    from kag.core.errors import QueryError
    from kag.corpus.exact.answer import answer_by_schema
    from kag.corpus.exact.query_tool import describe
    from kag.corpus.sparql.query import reader
    from kag.corpus.store import open_corpus
    from kag.qa.answer_text import answer_markdown
    from kag.qa.questions.file import Question

    corpus = open_corpus(root)
    if schema:
        say(describe(reader(root)), err=True)
    if not question.strip():
        raise click.UsageError("QUESTION has no words")
    asked = Question("ask", question)
    answer = answer_by_schema(asked, corpus)
    if answer is None:
        hint = (
            "Name works and papers in quotation marks, ask of fewer papers (an answer shows at most 5,000 places), or "
            "put the question to the texts: `kag ask` with a corpus."
        )
        error = QueryError("the graphs do not answer this question exactly", hint=hint)
        error.exit_code = 1
        raise error
    if show_query:
        for search in answer.searches:
            say(search, err=True)
    emit(answer.to_json() if as_json or form == "json" else answer_markdown(answer) + "\n")


_RUNS = click.option("--out-dir", type=PATH, help="Keep the run folders here.  [default: not kept]")
_LAYERS = click.option(
    "--layers",
    "layers",
    default="",
    help="Also add layers: entity, claim, or entity,claim. The given runs are not changed.",
)
_JSON = json_option("Print the result for each paper as JSON.")
_PATHS = click.argument("paths", nargs=-1, required=True, type=PATH)


@click.group(cls=Suggesting, epilog=EPILOG)
def corpus() -> None:
    """Keep many papers in one place: add, update and remove them, ask all of them at once.

    A PATH is a paper, which is indexed first, a run of `kag index`, or a folder of either. You can interrupt a command
    and run it again: each paper is changed completely or not at all.
    """


@corpus.command(epilog=EPILOG)
@_PATHS
@HERE
@_RUNS
@_LAYERS
@_JSON
def add(paths: Sequence[Path], root: Path, out_dir: Path | None, layers: str, as_json: bool) -> None:
    """Add the papers of PATHS; papers that are in the corpus with the same bytes are skipped."""
    _put(paths, root, out_dir, layers, replace=False, as_json=as_json)


@corpus.command(epilog=EPILOG)
@_PATHS
@HERE
@_RUNS
@_LAYERS
@_JSON
def update(paths: Sequence[Path], root: Path, out_dir: Path | None, layers: str, as_json: bool) -> None:
    """Add the papers of PATHS, and replace papers of which the corpus has another version."""
    _put(paths, root, out_dir, layers, replace=True, as_json=as_json)


@corpus.command(epilog=EPILOG)
@click.argument("papers", nargs=-1, required=True)
@HERE
@_JSON
def remove(papers: Sequence[str], root: Path, as_json: bool) -> None:
    """Remove PAPERS, each given by id or by a path as in `add`."""
    from kag.corpus.changing import ids_at
    from kag.corpus.changing import remove as taken_out

    ids = [paper for given in papers for paper in ids_at(given)]
    if _report(taken_out(root, ids), as_json=as_json)["failed"]:
        sys.exit(2)


@corpus.command("list", epilog=EPILOG)
@HERE
@click.option("--json", "as_json", is_flag=True, help="Print all columns as JSON.")
def list_papers(root: Path, as_json: bool) -> None:
    """List the papers: id, year, pages, triples, references, and citations within the corpus."""
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
@HERE
@click.option(
    "--repair", "mend", is_flag=True, help="Finish an interrupted change, and rebuild graphs and tables from the files."
)
@json_option("Print the issues as JSON.")
def check(root: Path, mend: bool, as_json: bool) -> None:
    """Check that files, graphs and tables of the corpus agree."""
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


@corpus.command(epilog=EPILOG)
@click.argument("query")
@HERE
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "tsv", "json"]),
    default="table",
    show_default=True,
    help="Output format: a text table, or SPARQL CSV, TSV or JSON.",
)
@click.option(
    "--max-seconds", type=Number(0, min_open=True), default=10.0, show_default=True, help="Time limit of the query."
)
@click.option("--max-rows", type=click.IntRange(1), default=1000, show_default=True, help="Maximum number of rows.")
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    default=1_000_000,
    show_default=True,
    help="Maximum size of all rows, in bytes.",
)
@click.option(
    "--endpoint",
    default="",
    help="Send the query to the SPARQL store at this address, which has the corpus (`kag push`).",
)
@json_option("The same as --format json.")
def sparql(
    query: str, root: Path, form: str, max_seconds: float, max_rows: int, max_bytes: int, endpoint: str, as_json: bool
) -> None:
    """Run a read-only SPARQL QUERY over all papers; `-` reads it from standard input.

    `GRAPH ?paper {...}` tells the papers apart. The usual prefixes (dcterms:, kag:, doco:, ...) need no declaration.
    """
    from kag.corpus.sparql.query import Limits, ask, ask_at
    from kag.corpus.sparql.text import read, unknown_terms
    from kag.corpus.transaction import settle

    text = sys.stdin.read() if query == "-" else query
    settle(root)
    limits = Limits(max_seconds, max_rows, max_bytes)
    table = ask_at(endpoint, root, text, limits) if endpoint else ask(root, text, limits)
    written = {"table": table.to_text, "csv": table.to_csv, "tsv": table.to_tsv, "json": table.to_json}
    emit(written["json" if as_json else form]())
    for line in unknown_terms(read(text).iris) if not table.rows else ():
        note(line)
    if table.ended:
        note(f"cut short at {len(table.rows)} rows by the limit of {table.ended}")


@corpus.command(epilog=EPILOG)
@HERE
@click.option(
    "--format",
    "form",
    type=click.Choice(["nquads", "jsonld"]),
    default="nquads",
    show_default=True,
    help="All graphs as canonical N-Quads, or the search graph as JSON-LD (schema.org).",
)
@json_option("The same as --format jsonld.")
def export(root: Path, form: str, as_json: bool) -> None:
    """Write a corpus to standard output; the same papers give the same bytes.

    N-Quads are the papers' graphs. JSON-LD is the search graph: papers, chunks and the edges between them.
    """
    emit(_nquads(root) if form == "nquads" and not as_json else _json_ld(root))


def _nquads(root: Path) -> Iterable[str]:
    from kag.corpus import graphs
    from kag.corpus.store import open_corpus

    return graphs.nquads(graphs.open_snapshot(open_corpus(root).layout))


def _json_ld(root: Path) -> Iterable[str]:
    from kag.corpus.search_index import articles, open_index
    from kag.corpus.store import open_corpus
    from kag.retrieval.hits_json_ld import graph_lines

    index = open_index(root)
    return graph_lines(index, articles(open_corpus(root).layout))


corpus.add_command(ask)
corpus.add_command(index)


def _put(paths: Sequence[Path], root: Path, out_dir: Path | None, layers: str, *, replace: bool, as_json: bool) -> None:
    from kag.core.files import shown
    from kag.corpus.changing import put, runs_at, with_layers
    from kag.indexing.batch import passed_over
    from kag.indexing.run import find_runs

    for folder, why in passed_over([path for path in paths if not find_runs(path)]):
        note(f"{shown(folder)} {why}; it is left out")
    with ExitStack() as stack:
        progress = stack.enter_context(ShownProgress())
        folder = out_dir or Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
        runs, failed = runs_at(paths, folder, partial(_report_paper, progress))
        wrong = bool(failed)
        if runs and layers:
            made = Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
            runs = with_layers(runs, layers, made, progress)
        if runs:
            changes = counted(put(root, runs, replace=replace), "papers added", len(runs), progress)
            wrong |= bool(_report(changes, as_json=as_json)["failed"])
        elif as_json:
            emit_json([])
    if wrong:
        sys.exit(2)


def _report_paper(progress: ShownProgress, outcome: Outcome, number: int, total: int) -> None:
    progress.item(outcome.job.name, outcome.state, number, total)
    if not outcome.run:
        complain(outcome.message, outcome.hint)


def _report(changes: Iterable[Change], *, as_json: bool) -> Counter[str]:
    """Print each change once it is on disk; return how many ended in which state."""
    states: Counter[str] = Counter()
    rows = []
    for change in changes:
        states[change.state] += 1
        rows.append(asdict(change))
        if not as_json:
            say(f"{change.state} {change.paper}")
        if change.message:
            complain(change.message, change.hint)
        if change.note:
            note(f"{change.paper}: {change.note}")
    if as_json:
        emit_json(rows)
    say(", ".join(f"{count} {state}" for state, count in sorted(states.items())), err=True)
    return states
