"""BioRED: entities, identifiers of gold spans, pairs of gold entities that are related."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.entities.abbreviations import find_abbreviations
from kag.layers.entities.identifiers import BIORED
from kag.layers.entities.lexicon import Lexicon, Tokens, key, read_lexicon, tokens
from kag.layers.entities.linking import EXACT, Linker, home_of, written_out
from kag.layers.entities.relations import LEAST as LEAST_RELATED
from kag.layers.entities.relations import Place, related
from kag.layers.entities.trained import FOLDER, LEAST, LIFE, Spotter, spotted
from kag.text.crf import Crf, read
from scripts.benchmarks.layers.figure import Figure, Found, by_counts, compare, places, span_figures
from scripts.benchmarks.layers.rows import Files, Row

LINKED = ("chemical", "disease", "gene", "species")
_SPACES = ("mesh:", "ncbigene:", "NCBITaxon:", "OMIM:", "dbsnp:", "cellosaurus:")  # those of the gold


def curie_of(kind: str, number: str) -> str:
    """The CURIE of an identifier as BioRED writes it; empty where it has none."""
    if kind == "gene" and number.isdigit():
        return f"ncbigene:{number}"
    if kind == "species" and number.isdigit():
        return f"NCBITaxon:{number}"
    if kind == "cell line" and number.startswith("CVCL"):
        return f"cellosaurus:{number}"
    if kind == "variant":
        return f"dbsnp:{number}" if re.fullmatch(r"rs\d+", number) else ""
    if number.startswith("OMIM:"):
        return number
    return f"mesh:{number}" if re.fullmatch(r"[CD]\d+", number) else ""


def figures(files: Files) -> Iterator[Figure]:
    """The figures of all texts."""
    rows = [row for some in files.values() for row in some]
    yield from entities(rows)
    yield from identifiers(rows)
    yield from relations(rows)


def entities(rows: Sequence[Row], model: Spotter | None = None, least: float = LEAST) -> Iterator[Figure]:
    """Exact span and kind."""
    yield from span_figures("entities", rows, gold(rows), found(rows, model, least))


def gold(rows: Sequence[Row]) -> Found:
    return {row.id: {(span.start, span.end, BIORED[span.type]) for span in row.spans} for row in rows}


def found(rows: Sequence[Row], model: Spotter | None, least: float) -> Found:
    answer = {}
    for row in rows:
        text = tokens(row.text)
        [spans] = spotted(LIFE, [text], [find_abbreviations(row.text)], model)
        answer[row.id] = places(text, spans, least)
    return answer


def identifiers(rows: Sequence[Row], names: Lexicon | None = None) -> Iterator[Figure]:
    """Of gold spans with an identifier: whether the surest of ours is among theirs, and how often there is one.

    "exact" are those that we call so.
    """
    taught = names or read_lexicon("biored")
    counts: dict[str, dict[str, Counts]] = {kind: {} for kind in ("", "exact", *LINKED)}
    for row in rows:
        linker = Linker(taught, _home(row, taught))
        means = {row.text[slice(*one.short)]: row.text[slice(*one.long)] for one in find_abbreviations(row.text)}
        for span in row.spans:
            kind = BIORED[span.type]
            wanted = {curie_of(kind, one) for one in span.more["concepts"]} - {""}
            if kind not in LINKED or not wanted:
                continue
            words = row.text[span.start : span.end]
            given = linker.curies(key(written_out(words, means)), kind) or linker.curies(key(words), kind)
            ours = [(curie, score) for curie, score in given if curie.startswith(_SPACES)][:1]
            for name in ("", "exact", kind):
                said = {curie for curie, score in ours if name != "exact" or score >= EXACT}
                judged = (1, 0, 0) if said & wanted else (0, len(said), 1)
                before = counts[name].get(row.id, (0, 0, 0))
                counts[name][row.id] = (before[0] + judged[0], before[1] + judged[1], before[2] + judged[2])
    for kind, documents in counts.items():
        yield by_counts(f"identifier of a gold span, {kind}".removesuffix(", "), documents)


def _home(row: Row, taught: Lexicon) -> str:
    linker = Linker(taught)
    species = [row.text[span.start : span.end] for span in row.spans if span.type == "OrganismTaxon"]
    return home_of([found[0][0] for words in species if (found := linker.curies(key(words), "species"))])


def relations(rows: Sequence[Row], model: Crf | None = None, least: float = LEAST_RELATED) -> Iterator[Figure]:
    """Pairs of gold concepts that are related, and with the type of the relation, a document."""
    known = model or read(FOLDER / "related.crf")
    pairs: dict[str, Counts] = {}
    typed: dict[str, Counts] = {}
    for row in rows:
        wanted = related_pairs(row)
        text, places_of = mentioned(row)
        given = {(one.one, one.other): one.kind for one in related(text, places_of, known, least)}
        pairs[row.id] = compare(set(wanted), set(given))
        typed[row.id] = compare(set(wanted.items()), set(given.items()))
    yield by_counts("related pairs of gold entities", pairs)
    yield by_counts("related pairs of gold entities, with type", typed)


def related_pairs(row: Row) -> dict[tuple[str, str], str]:
    """The pairs of concepts, in the order of the alphabet, with their relation."""
    return {(min(one["head"], one["tail"]), max(one["head"], one["tail"])): one["type"] for one in row.relations}


def mentioned(row: Row) -> tuple[Tokens, list[Place]]:
    """The tokens of a text and where in them the gold mentions of each concept stand."""
    text = tokens(row.text)
    found = []
    for span in row.spans:
        first, behind = bisect_right(text.starts, span.start) - 1, bisect_left(text.ends, span.end) + 1
        found += [Place(first, behind, concept, BIORED[span.type]) for concept in span.more["concepts"]]
    return text, found
