"""`kag search`: passages of a corpus, of runs or of plain texts, each with its place; narrowed down by facets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, json_option, model_options, model_usage, open_model_stages
from kag.cli.searched import Searched, open_searched
from kag.cli.terminal import emit, emit_json, note, one_line, say

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages
    from kag.qa.found_place import Place
    from kag.retrieval.facets import Faceted
    from kag.retrieval.index import Index
    from kag.retrieval.presets import PlanOptions
    from kag.retrieval.retrieve import Found, Reason


NAMES = "paper, year, kind, section, entity_kind, entity, role"
SHOWN = 8  # values of a facet that people are shown


def facet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what is chosen of facets, and whether all are listed."""
    chosen = click.option(
        "--facet",
        "chosen",
        multiple=True,
        metavar="NAME=VALUE",
        help=f"Only hits with this value ({NAMES}); several of one facet: any. Entities and roles need layers.",
    )
    counted = click.option("--facets", "counted", is_flag=True, help="Also print the facets of the hits with counts.")
    return chosen(counted(command))


def narrowed(
    index: Index, years: Mapping[str, str], query: str, chosen: Sequence[str], papers: Sequence[str], **how: Any
) -> Faceted:
    """Hits that have what is chosen, and the counts; raises `BadValue`. `how` are plan and references."""
    from kag.retrieval.facets import faceted, finder, stated, within

    return faceted(index, within(stated(chosen), papers), years, finder(index, query, **how))


def as_data(facets: Faceted | None) -> dict[str, Any]:
    """Return the facets for the JSON of a search; nothing without any."""
    if facets is None:
        return {}
    return {"facets": facets.counts, "chosen": facets.chosen, "facet_notes": list(facets.notes)}


def as_lines(facets: Faceted) -> Iterable[str]:
    """Return the facets as lines for display; the values have the form that `--facet` takes."""
    yield "narrow down by:"
    for name, counts in facets.counts.items():
        listed = [f"{one_line(value)} ({count})" for value, count in counts.items()]
        more = [f"and {len(listed) - SHOWN} more"] if len(listed) > SHOWN else []
        if listed:
            yield f"  {name}: {', '.join([*listed[:SHOWN], *more])}"
    yield from (f"  {words}" for words in facets.notes)


FORMAT = "kag-search/1"
PLANS = "bm25, dense, hybrid, hybrid_linear, sage, entity, multi_query, paths"
EPILOG = (
    "Exit codes: 0 done, with or without hits, 2 bad input, 3 the model cannot be used (no "
    "key, unknown model), 130 interrupted."
)


@click.command(epilog=EPILOG)
@click.argument("query")
@click.option("--corpus", type=PATH, help="Search a corpus that has an index (`kag corpus index`).")
@click.option("--graph-dir", type=PATH, help="Search a run folder, or a folder of run folders.")
@click.option(
    "--texts",
    type=PATH,
    help="Search a text file, a folder of .txt and .md files, or the nodes of a graph (.json, .graphml).",
)
@click.option(
    "--database",
    default="",
    metavar="URL",
    help="Search papers in a database that `kag push` filled: bolt://HOST:7687, ladybug:FILE.",
)
@click.option("--plan", default="", help=f"How to search: {PLANS}.  [default: the best that the index allows]")
@click.option(
    "-k", "--k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Maximum number of hits."
)
@click.option(
    "--k-prime",
    type=click.IntRange(1, 1000),
    help=("Add this many hits by expansion after the first k.  [default: expanded hits compete for the k]"),
)
@click.option("--hops", type=click.IntRange(1, 3), help="Number of hops in the graph.  [default: 1, paths: 2]")
@click.option(
    "--min-entities",
    type=click.IntRange(5, 20),
    default=10,
    show_default=True,
    help="Plan entity: use synonyms if the question has fewer names than this.",
)
@click.option(
    "--max-synonyms",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    help="Plan entity: maximum number of synonyms of a name.",
)
@click.option(
    "--rerank-entities/--no-rerank-entities",
    default=True,
    help="Plan entity: keep only the names nearest to the question.",
)
@click.option("--paper", "papers", multiple=True, help="Search only this paper, by id; can be repeated.")
@click.option("--references", is_flag=True, help="Also return entries of reference lists.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonld"]),
    default="text",
    show_default=True,
    help="Output format: text, JSON with evidence, or JSON-LD (schema.org).",
)
@json_option("The same as --format json.")
@facet_options
@click.option(
    "--answer", is_flag=True, help="With --lm and --plan multi_query: answer from the notes of the hits, as `kag ask`."
)
@click.option("--explain", is_flag=True, help="Print why each hit was found: ranks, edges, shared names.")
@model_options("it finds names and wordings for the plans entity and multi_query")
def search(
    query: str,
    corpus: Path | None,
    graph_dir: Path | None,
    texts: Path | None,
    plan: str,
    count: int,
    papers: Sequence[str],
    references: bool,
    form: str,
    as_json: bool,
    chosen: Sequence[str],
    counted: bool,
    explain: bool,
    answer: bool,
    **model: Any,
) -> None:
    """Find passages for QUERY, words or a question, the best first.

    Each hit has paper, section, page, node and a verbatim excerpt. A plan that needs vectors or a graph which the index
    lacks falls back to a simpler one (sage, hybrid, bm25) with a note. With --lm a model does some steps of a plan;
    rules do them if it fails.

    `--facet role=result --facet "entity=species:people"` filters the hits; `--facets` lists the facets.
    """
    from kag.qa.places import located
    from kag.retrieval.hits_json_ld import result_lines
    from kag.retrieval.retrieve import reasons

    form = "json" if as_json else form
    narrow = bool(chosen or counted)
    _require_together(form, plan, model["lm"], narrow=narrow, answer=answer)
    source = open_searched(corpus, graph_dir, texts, plan, model.pop("database"), layers=narrow)
    far, how = _options(model), {"plan": plan, "references": references}
    facets = narrowed(source.index, source.years, query, chosen, papers, **how) if narrow else None
    with open_model_stages(model) as asked:
        if asked and narrow:
            raise click.UsageError("--facet and --facets are for a search by rules: leave --lm out.")
        if facets and chosen:
            found = replace(facets.found, hits=facets.hits[:count])
        else:
            found = _found(asked, source.index, query, k=count, documents=papers, options=far, **how)
        if answer:
            _answer(found, source, asked, model["lm"], form)
            return
    _note_all(found)
    if form == "jsonld":
        emit(result_lines(found, source.index, source.articles))
        return
    places = located(found.hits, query, source.index, source.papers)
    why = reasons(found, source.index) if explain else ()
    if form == "json":
        emit_json({**_json(found, places, why, source.index), **as_data(facets)})
        return
    _say(found, places, why)
    for line in as_lines(facets) if facets and counted else ():
        say(line)
    for words in facets.notes if facets and not counted and not places else ():
        note(words)
    say(f"{len(places)} hits by {found.plan}", err=True)


def _note_all(found: Found) -> None:
    """Say what the search did without."""
    for words in found.notes:
        note(f"{words}; searched by {found.plan}")


def _json(found: Found, places: Sequence[Place], why: Sequence[Reason], index: Index) -> dict[str, Any]:
    rows = [{**_row(place, n, why), **_chunk(found, place, index)} for n, place in enumerate(places)]
    return {"format": FORMAT, "query": found.query, "plan": found.plan, "notes": list(found.notes), "hits": rows}


def _require_together(form: str, plan: str, lm: str, *, narrow: bool, answer: bool) -> None:
    """Raise `UsageError` for options that exclude each other."""
    if narrow and form == "jsonld":
        raise click.UsageError("--facet and --facets go with --format text and json.")
    if answer and (not lm or plan != "multi_query" or form == "jsonld" or narrow):
        raise click.UsageError("--answer needs --lm and --plan multi_query, and no facets; --format text or json.")


def _found(asked: ModelStages | None, index: Index, query: str, **how: Any) -> Found:
    """Search, with a model's stages if one is named; reports its usage."""
    from kag.retrieval.retrieve import search as find
    from kag.retrieval.steps.rank import RULES

    found = find(index, query, stages=asked.stages if asked else RULES, **how)
    if asked:
        idle = not asked.usage()["calls"] and not asked.stopped()
        words = f"the plan {found.plan} asks no model; entity and multi_query do" if idle else model_usage(asked)
        note(words)
    return found


def _answer(found: Found, source: Searched, asked: ModelStages | None, name: str, form: str) -> None:
    """The answer from the notes, as JSON for `kag verify` or as Markdown; raises `UsageError` without a model."""
    if asked is None:
        raise click.UsageError("--answer needs a model: --lm.")
    from kag.agents.read.notes_answer import answer_from_notes
    from kag.qa.answer_text import answer_markdown

    answer = answer_from_notes(found, source.index, source.papers, asked, name)
    emit(answer.to_json() if form == "json" else f"{answer_markdown(answer)}\n")


def _say(found: Found, places: Sequence[Place], why: Sequence[Reason]) -> None:
    for number, place in enumerate(places):
        for line in _lines(place, number, why):
            say(line, nl=False)
        for name, words in _kept(found, place).items():
            say(f"   {name}: {one_line(words)}")


def _row(place: Place, number: int, why: Sequence[Reason]) -> dict[str, Any]:
    row = {"rank": number + 1, **asdict(place), "section": list(place.section)}
    return {**row, "why": _why(why[number])} if why else row


def _why(reason: Reason) -> dict[str, Any]:
    edge = reason.edge
    ranks = {name: rank and {"place": rank[0], "score": rank[1]} for name, rank in _ranks(reason)}
    link = edge and {
        "relation": edge.label,
        "source": edge.source,
        "target": edge.target,
        "weight": edge.weight,
        "scores": dict(edge.props.get("scores", {})),
        "shared": list(edge.props.get("shared", ())),
        "places": list(reason.places),
    }
    return {**ranks, "edge": link}


def _options(given: dict[str, Any]) -> PlanOptions:
    """The options of a plan, taken out of those that are left for the model."""
    from kag.retrieval.presets import PlanOptions

    names = ("k_prime", "hops", "min_entities", "max_synonyms", "rerank_entities")
    more, hops, *others = (given.pop(name) for name in names)
    return PlanOptions(more or 0, hops or 0, *others)


def _chunk(found: Found, place: Place, index: Index) -> dict[str, Any]:
    """The whole chunk of a hit, its section's text around it, its place in its document, the names it was found by, and
    what a plan keeps of it.
    """
    from kag.kgrag.context.tokens import counter
    from kag.retrieval.retrieve import surroundings

    chunk = index.chunks[place.chunk]
    around = surroundings(index, chunk.id, counter().count)
    row: dict[str, Any] = {"chunk_text": chunk.text, "chunk_index": index.of_document(chunk.document).index(chunk.id)}
    row |= {"context": around.text, "context_chunks": list(around.chunks)}
    if place.chunk in found.matched:
        names = found.matched[place.chunk]
        row |= {"matched_entities": list(names), "entity_count": len(names)}
    return {**row, **_kept(found, place)}


def _kept(found: Found, place: Place) -> dict[str, str]:
    """Return the part of a hit's chunk that a condensing plan keeps."""
    return {"kept": found.kept[place.chunk]} if place.chunk in found.kept else {}


def _ranks(reason: Reason) -> tuple[tuple[str, tuple[int, float] | None], ...]:
    return ("words", reason.words), ("vectors", reason.vectors)


def _lines(place: Place, number: int, why: Sequence[Reason]) -> Iterable[str]:
    """A hit on a few lines, formulas in plain characters; control characters of a paper never reach the terminal."""
    from kag.qa.places import short_name
    from kag.text.plain import plain

    path = " > ".join(place.section)
    label, _, begin = place.via.partition(" from ")
    via = f"{label} from {short_name(begin)}" if begin else label
    yield f"{number + 1}. {one_line(place.title) or place.paper}\n"
    where = [short_name(place.node), *([f"page {place.page}"] if place.page else ()), *([path] if path else ())]
    yield f"   {one_line(', '.join(where))} ({place.kind})\n"
    yield f"   {one_line(plain(place.text))}\n"
    yield f"   {place.score:.4g} {one_line(via)}\n"
    for reason in why[number : number + 1]:
        yield from (f"   {name}: {f'{rank[0]}. ({rank[1]:.4g})' if rank else '-'}\n" for name, rank in _ranks(reason))
        if reason.edge:
            scores = " ".join(f"{name} {score:.2f}" for name, score in reason.edge.props.get("scores", {}).items())
            shared = ", ".join(map(str, reason.edge.props.get("shared", ())))
            words = f"{reason.edge.weight:.3f} {scores}".rstrip() + (f"; shared: {one_line(shared)}" if shared else "")
            yield f"   edge: {reason.edge.label} {words}\n"
            yield from (f"   by: {one_line(text)}\n" for text in reason.places)
