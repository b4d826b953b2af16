"""`kag evaluate retrieval` and what the commands of `kag evaluate` share: exit codes, tables, JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.values import PATH
from kag.cli.progress import ShownProgress
from kag.cli.terminal import note, say
from kag.core.files import write_output

if TYPE_CHECKING:
    from kag.retrieval.index import Index


MEASURED = "Exit codes: 0 done, 2 bad input or a missing package, 3 a model cannot be asked, 130 interrupted."


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, one blank deep."""
    write_output(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def print_rows(rows: Sequence[Mapping[str, Any]], json_file: Path | None = None) -> None:
    """Show rows as a table, and write them to a file where one is given."""
    from kag.evaluate.statistics import shown

    say(shown(rows))
    if json_file:
        write_json(json_file, rows)


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.option("--corpus", type=PATH, help="Corpus with an index (`kag corpus index`).")
@click.option(
    "--graph",
    type=PATH,
    help=(
        "Search the nodes of this graph instead, as STaRK does.  [default without --corpus: "
        "graph.json next to the questions]"
    ),
)
@click.option(
    "--plan", "plans", multiple=True, help="Search plan; can be repeated.  [default: the best that the index allows]"
)
@click.option(
    "--k",
    "ks",
    multiple=True,
    type=click.IntRange(1, 1000),
    default=(5, 10, 20),
    show_default=True,
    help="Rank to score at; can be repeated.",
)
@click.option("--json", "json_file", type=PATH, default=None, help="Write every question's scores to this file.")
def retrieval(
    questions: Path, corpus: Path | None, graph: Path | None, plans: Sequence[str], ks: Sequence[int],
    json_file: Path | None,
) -> None:  # fmt: skip
    """Score the search plans of a corpus on QUESTIONS.

    QUESTIONS has JSON lines: {"id": "q1", "question": "...", "relevant": ["smith2020/b_p003_0004"]}. An item is a paper
    id, PAPER/NODE, the IRI of a node, or a chunk id. A CSV is read as STaRK's queries (id, query, answer_ids), whose
    items are nodes of the graph. Figures have 95 % intervals over questions.
    """
    from kag.evaluate.retrieval import missing, read_judgements, score_plan
    from kag.retrieval.retrieve import usable

    if corpus and graph:
        raise click.UsageError("--corpus and --graph exclude each other.")
    judgements = read_judgements(questions)
    index = _index(corpus, graph or questions.parent / "graph.json")
    if lost := missing(judgements, index):
        note(f"{len(lost)} relevant items are in no chunk of the corpus, such as {lost[0]}")
    with ShownProgress() as progress:
        scores = [score_plan(judgements, index, plan, ks, progress) for plan in plans or (usable("", index)[0],)]
    for plan_scores in scores:
        for words in plan_scores.notes:
            note(f"{plan_scores.plan}: {words}")
    print_rows([plan_scores.as_row() for plan_scores in scores])
    if json_file:
        ids = [judgement.id for judgement in judgements]
        rows = {
            plan_scores.plan: {name: dict(zip(ids, own, strict=True)) for name, own in plan_scores.values.items()}
            for plan_scores in scores
        }
        write_json(json_file, rows)


def _index(corpus: Path | None, graph: Path) -> Index:
    """The index of a corpus, or one over the nodes of a graph."""
    if corpus:
        from kag.corpus.search_index import open_index

        return open_index(corpus)
    from kag.kgrag.files import record_index

    return record_index(graph)
