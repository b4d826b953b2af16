"""Score search plans on published sets: recall and reciprocal rank at k, beside a baseline, and seconds a question."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from kag.cli.evaluate import print_rows, write_json
from kag.cli.options import PATH
from kag.cli.terminal import note, say
from kag.core.errors import SourceError
from kag.evaluate.statistics import means
from kag.retrieval.chunking import Query
from kag.retrieval.embedders import BgeSmall
from kag.retrieval.graph.build import sage_graph
from kag.retrieval.graph.links import LINK
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, retrieve
from kag.retrieval.vectors import Embedder
from scripts.benchmarks.retrieval.sets import RetrievalQuestion, RetrievalSet, read_retrieval_set
from scripts.benchmarks.retrieval.variants import Variant, ablations, plans

PLANS = ("bm25", "dense", "hybrid", "hybrid_linear", "sage", "entity", "multi_query", "paths")
KS = (2, 5, 10, 20, 50)
ABLATED_AT = (10, 20)
HALVES = ("dev", "test")
CHECKED = 20
"""Questions on which a plan is run for every k, to see whether the largest k is enough."""
Scores = Mapping[str, Sequence[float]]
"""A value from 0 to 1 a question, by metric ("recall@5")."""


@dataclass(frozen=True, slots=True)
class Run:
    """The scores of a plan, and its seconds a question at the largest k."""

    name: str
    scores: Scores
    seconds: tuple[float, ...]


@click.command()
@click.argument("sets", nargs=-1, required=True, type=PATH)
@click.option("--plan", "names", multiple=True, type=click.Choice(PLANS), help="Plan; can be repeated.  [default: all]")
@click.option("--k", "ks", multiple=True, type=click.IntRange(1, 1000), default=KS, show_default=True,
              help="How many chunks a plan may give; can be repeated.")  # fmt: skip
@click.option("--baseline", type=click.Choice(PLANS), default="hybrid", show_default=True,
              help="Plan that the others are compared with.")  # fmt: skip
@click.option("--ablate", type=click.IntRange(1), help="Run plans with each part turned off, on so many questions.")
@click.option("--half", type=click.Choice(HALVES), help="Ask only this half of the questions.  [default: all]")
@click.option("--sample", type=click.IntRange(1), help="Ask only so many questions, always the same.  [default: all]")
@click.option("--scoped", is_flag=True, help="Ask each question within its own document, where it has one.")
@click.option("--index", "folder", type=PATH, help="Keep indexes here, and take them from here.")
@click.option("--json", "json_file", type=PATH, help="Write each question's scores to this file.")
def retrieval(sets: Sequence[Path], folder: Path | None, json_file: Path | None, **options: Any) -> None:
    """Score retrieval plans on the questions of SETS: folders ottqa, musique_small, scifact or covidqa.

    All plans give equally many chunks at each k. recall@k is the mean over what a question needs, mrr@k is 1 / the
    place of the first chunk that serves it. Figures have 95 % intervals over questions; differences are paired.
    """
    embed = BgeSmall()
    figures: dict[str, dict[str, Scores]] = {}
    with TemporaryDirectory() as temporary:
        for path in sets:
            data = read_retrieval_set(path)
            index = opened(data, embed, embed.id, folder or Path(temporary))
            for title, runs in measured(index, data, embed, options):
                say(f"{title}\n")
                print_rows([row(run, runs, options["baseline"]) for run in runs])
                say("")
                figures[title] = {run.name: run.scores for run in runs}
    if json_file:
        write_json(json_file, figures)


def measured(
    index: Index, data: RetrievalSet, embed: Embedder, options: Mapping[str, Any]
) -> Iterator[tuple[str, list[Run]]]:
    """Yield the runs of the plans on a set, and of their variants, each group with its title."""
    part = part_of(data, options["half"] or "", options["sample"] or 0)
    if not options["scoped"]:
        part = replace(part, questions=tuple(replace(question, scope=frozenset()) for question in part.questions))
    if not part.questions:
        raise SourceError(f"{data.name} has no such questions", hint="Leave out --half or --sample.")
    names = [name for name in PLANS if name in (options["names"] or PLANS) or name == options["baseline"]]
    linked = any(edge.label == LINK for edge in index.edges.edges) if index.edges else False
    chosen = plans(names, linked=linked)
    yield (
        f"{data.name}: {len(part.questions)} questions",
        [run_of(index, part, variant, options["ks"], embed) for variant in chosen],
    )
    if options["ablate"]:
        few = part_of(part, sample=options["ablate"])
        again = [run_of(index, few, variant, ABLATED_AT, embed) for variant in ablations(names)]
        yield f"{data.name}, variants: {len(few.questions)} questions", again


def opened(data: RetrievalSet, embed: Embedder, model: str, folder: Path) -> Index:
    """Return the index of a set with its graph: the one in a folder, or a new one that is kept there.

    Its name holds a digest of the set and the model; remove the folder after a change of the code.
    """
    digest = hashlib.sha256(model.encode())
    for chunk in data.chunks:
        digest.update(repr(chunk).encode("utf-8", "surrogatepass"))
    here = folder / f"{data.name}-{digest.hexdigest()[:12]}"
    if here.is_dir():
        return Index.load(here, embed)
    note(f"{data.name}: index of {len(data.chunks)} chunks")
    index = Index.build(data.chunks, embed)
    index.edges = sage_graph(data.chunks, embed([chunk.text for chunk in data.chunks]))
    index.save(here)
    return index


def run_of(index: Index, data: RetrievalSet, variant: Variant, ks: Sequence[int], embed: Embedder) -> Run:
    """Put the questions of a set to a plan, and score what it finds at each k."""
    note(f"{data.name}, {variant.name}: {len(data.questions)} questions")
    whole = index.edges
    index.edges = _changed_graph(index, data, variant, embed)
    try:
        made = {k: variant.make(index, k) for k in sorted(ks)}
        once = _is_steady(index, data.questions[:: len(data.questions) // CHECKED + 1], made)
        rows, seconds = [], []
        for question in data.questions:
            begin = time.perf_counter()
            longest = _ranking(index, question, made[max(ks)], max(ks))
            seconds.append(time.perf_counter() - begin)
            rankings = {k: longest[:k] if once else _ranking(index, question, plan, k) for k, plan in made.items()}
            rows.append(scores_of(question, rankings))
    finally:
        index.edges = whole
    return Run(variant.name, {metric: [row[metric] for row in rows] for metric in rows[0]}, tuple(seconds))


def _changed_graph(index: Index, data: RetrievalSet, variant: Variant, embed: Embedder) -> Any:
    """Return the graph without the edges that a variant leaves out, and with those that it makes."""
    if index.edges is None or not (variant.without or variant.instead):
        return index.edges
    kept = (edge for edge in index.edges.edges if edge.label not in variant.without)
    vectors = embed([chunk.text for chunk in data.chunks]) if variant.instead else None
    more = sage_graph(data.chunks, vectors, variant.instead).edges if variant.instead else ()
    return type(index.edges)(index.edges.nodes, chain(kept, more))


def _ranking(index: Index, question: RetrievalQuestion, plan: Plan, k: int) -> list[str]:
    return [hit.chunk for hit in retrieve(Query(question.text, question.scope), index, plan).hits][:k]


def _is_steady(index: Index, questions: Sequence[RetrievalQuestion], made: Mapping[int, Plan]) -> bool:
    """Whether the first k of the longest ranking are the ranking for k, on these questions."""
    most = max(made)
    for question in questions:
        longest = _ranking(index, question, made[most], most)
        if any(_ranking(index, question, plan, k) != longest[:k] for k, plan in made.items()):
            return False
    return True


def scores_of(question: RetrievalQuestion, rankings: Mapping[int, Sequence[str]]) -> dict[str, float]:
    """Return recall@k and mrr@k of the rankings for one question."""
    scores = {f"recall@{k}": question.recall(frozenset(ranking)) for k, ranking in rankings.items()}
    for k, ranking in rankings.items():
        first = next((place for place, name in enumerate(ranking, start=1) if name in question.gold), math.inf)
        scores[f"mrr@{k}"] = 1 / first
    return scores


def row(run: Run, runs: Sequence[Run], baseline: str) -> dict[str, str]:
    """Return the figures of a run as a row: means, and the paired difference of recall to the baseline."""
    found = {name: f"{mean.value:.3f} ({mean.low:.3f}-{mean.high:.3f})" for name, mean in means(run.scores).items()}
    beside = next((other for other in runs if other.name == baseline), None)
    if beside:
        for name in (name for name in run.scores if name.startswith("recall")):
            pairs = zip(run.scores[name], beside.scores[name], strict=True)
            difference = means({name: [one - other for one, other in pairs]})[name]
            found[f"{name} minus {baseline}"] = (
                f"{difference.value:+.3f} ({difference.low:+.3f} to {difference.high:+.3f})"
            )
    ordered = sorted(run.seconds)
    times = (1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99))
    return {"plan": run.name, **found, "p50/p99 ms": "/".join(f"{ms:.1f}" for ms in times)}


def part_of(data: RetrievalSet, half: str = "", sample: int = 0) -> RetrievalSet:
    """Return the set with a half of its questions, or a sample of them: the same ones every time, by a hash of ids."""
    kept = [one for one in data.questions if not half or HALVES[_hash("half", one.id) % 2] == half]
    if sample:
        drawn = {one.id for one in sorted(kept, key=lambda one: _hash("sample", one.id))[:sample]}
        kept = [one for one in kept if one.id in drawn]
    return replace(data, questions=tuple(kept))


def _hash(what: str, name: str) -> int:
    return int(hashlib.sha256(f"{what} {name}".encode("utf-8", "surrogatepass")).hexdigest(), 16)
