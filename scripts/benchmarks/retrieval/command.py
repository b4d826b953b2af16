"""Score all search plans on published sets. Tables go to stdout, progress to stderr."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from kag.cli.evaluate import write_json
from kag.cli.options import PATH
from kag.cli.terminal import say
from kag.core.errors import SourceError
from kag.retrieval.graph.links import LINK
from kag.retrieval.meaning.minilm import MiniLM
from kag.retrieval.meaning.packaged import BgeSmall
from scripts.benchmarks.reporting import command_line, read_notes
from scripts.benchmarks.retrieval.embedding_cache import CachedEmbedder
from scripts.benchmarks.retrieval.index import Prepared, prepared
from scripts.benchmarks.retrieval.report import Summary, as_json, tables, write_report
from scripts.benchmarks.retrieval.runs import runs
from scripts.benchmarks.retrieval.score import Scores, part_of, unscoped
from scripts.benchmarks.retrieval.sets import RetrievalSet, read_retrieval_set
from scripts.benchmarks.retrieval.variants import ablations, plans

PLANS = ("bm25", "dense", "hybrid", "hybrid_linear", "sage", "entity", "multi_query", "paths")
BASELINES = ("hybrid", "hybrid_linear")
KS = (2, 5, 10, 20, 50)
ABLATED_AT = (10, 20)
EPILOG = "Exit codes: 0 done, 2 bad input or a missing package, 130 interrupted: give the command again to go on."


@click.command(epilog=EPILOG)
@click.argument("sets", nargs=-1, required=True, type=PATH)
@click.option(
    "--plan", "plans", multiple=True, type=click.Choice(PLANS), help="A plan, can be repeated.  [default: all]"
)
@click.option("--k", "ks", multiple=True, type=click.IntRange(1, 1000), default=KS, show_default=True,
              help="How many chunks a plan may give, can be repeated.")  # fmt: skip
@click.option("--baseline", "baselines", multiple=True, type=click.Choice(PLANS), default=BASELINES, show_default=True,
              help="A plan that the others are tested against, can be repeated.")  # fmt: skip
@click.option("--ablate", is_flag=True, help="Run the plans that expand again with each part turned off.")
@click.option("--ablate-sample", type=click.IntRange(1), default=200, show_default=True,
              help="Questions for that, at k = 10 and 20.")  # fmt: skip
@click.option("--half", type=click.Choice(["dev", "test"]), help="Ask only this half of the questions.  [default: all]")
@click.option("--sample", type=click.IntRange(1), help="Ask only so many questions, always the same.  [default: all]")
@click.option("--scoped", is_flag=True, help="Ask questions within their own document as well, where they have one.")
@click.option("--int8", is_flag=True, help="Embed by the faster model of 8-bit numbers.")
@click.option("--bge", is_flag=True, help="Embed by bge-small instead of MiniLM.")
@click.option("--embeddings", type=PATH, help="Keep vectors here.  [default: kag/embeddings in the user's cache]")
@click.option("--index", "kept", type=PATH, help="Keep indexes and rankings here, and take them from here.")
@click.option("--json", "json_file", type=PATH, help="Write all figures, and each question's scores, to this file.")
@click.option("--report", type=PATH, help="Write a Markdown report here.")
@click.option("--notes", type=PATH, help="Markdown to put before the figures of the report.")
@click.pass_context
def retrieval(context: click.Context, /, sets: Sequence[Path], **wish: Any) -> None:
    """Score retrieval plans on the questions of SETS: folders ottqa, musique_small, scifact or covidqa.

    Recall, reciprocal rank and nDCG at each k with 95 % intervals, paired tests against the baselines, seconds, and
    what the index costs. With --index, a command that was interrupted goes on where it stopped, and a change of
    the code, the model or the set begins anew.
    """

    notes = read_notes(wish["notes"])
    read = [read_retrieval_set(folder) for folder in sets]
    if len({data.name for data in read}) < len(sets):
        raise click.UsageError("SETS: two are the same set; give each once.")
    found: list[Summary] = []
    with _folder(wish["kept"]) as folder:
        for data in read:
            for summary in _measured(data, folder, wish):
                found.append(summary)
                say(f"{summary.name}: {len(summary.ids)} questions, {summary.part}\n")
                for title, text in tables(summary):
                    say(f"{title}\n\n{text}\n")
    if wish["json_file"]:
        write_json(wish["json_file"], {"sets": {one.name: as_json(one) for one in found}})
    if wish["report"]:
        write_report(wish["report"], found, command=command_line(context), notes=notes)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept:
        yield kept
        return
    with TemporaryDirectory() as folder:
        yield Path(folder)


def _measured(data: RetrievalSet, folder: Path, wish: dict[str, Any]) -> Iterator[Summary]:
    """A summary of the set, and one more where its questions are asked within their documents too."""
    model: MiniLM | BgeSmall = BgeSmall() if wish["bge"] else MiniLM(int8=wish["int8"])
    _tell(f"{data.name}: index of {len(data.chunks)} chunks")
    ready = prepared(data, CachedEmbedder(model, model.id, wish["embeddings"] or _cache()), model, folder)
    part = part_of(data, wish["half"] or "", wish["sample"] or 0)
    if not part.questions:
        raise SourceError(f"{data.name} has no such questions", hint="Leave out --half or --sample.")
    yield _summary(ready, unscoped(part), wish)
    if wish["scoped"] and any(question.scope for question in part.questions):
        own = replace(part, name=f"{data.name}, each in its own document")
        yield _summary(ready, own, {**wish, "ablate": False})


def _summary(ready: Prepared, data: RetrievalSet, wish: dict[str, Any]) -> Summary:

    chosen = wish["plans"] or PLANS
    names = [name for name in PLANS if name in chosen or name in wish["baselines"]]
    ran = list(runs(ready, data, plans(names, linked=LINK in ready.cost.edges), wish["ks"], _tell))
    few = part_of(data, sample=wish["ablate_sample"]) if wish["ablate"] else data
    ablated: dict[str, dict[str, Scores]] = {}
    if wish["ablate"]:
        again = runs(ready, few, ablations(chosen), ABLATED_AT, _tell)
        for variant, run in zip(ablations(chosen), again, strict=True):
            ablated.setdefault(variant.of, {})[variant.name] = run.scores(few)
    return Summary(
        name=data.name,
        part=_part(wish),
        ids=tuple(question.id for question in data.questions),
        scores={run.name: run.scores(data) for run in ran},
        seconds={run.name: run.seconds for run in ran},
        baselines=tuple(dict.fromkeys(wish["baselines"])),
        cost=ready.cost,
        ablated=ablated,
        ablated_on=len(few.questions),
    )


def _part(wish: dict[str, Any]) -> str:
    whole = f"the {wish['half']} half" if wish["half"] else "the whole set"
    return f"a sample of {whole}" if wish["sample"] else whole


def _cache() -> Path:
    """Where vectors are kept when no folder is given: the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kag" / "embeddings"


def _tell(text: str) -> None:
    say(text, err=True)
