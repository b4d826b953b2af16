"""Rules and small models for the layers: entities, then their measurements, then claims about both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kag.layers.claims.find import citation_intent, find_claims
from kag.layers.entities import find_entities, warm
from kag.layers.entities.relations import find_relations
from kag.layers.measurements import find_measurements
from kag.layers.measurements.features import labellers
from kag.layers.measurements.tables import measurements_of_table
from kag.layers.source import Callout, Source, callouts, cited_sentences, passages, tables
from kag.layers.values import Citation, Findings, Measurement, Mention, Passage
from kag.rdf.namespaces import DEO

_CITING = "citation intents 1"


def find_all(source: Source, *, claims: bool = True) -> Findings:
    """All findings of a paper; without `claims` what the entity layer needs."""
    texts = passages(source.graph)
    entities = find_entities(texts)
    measured = (*find_measurements(texts, entities), *_of_tables(source))
    related = find_relations(texts, entities)
    if not claims:
        return Findings(entities, measured, related)
    called = {passage.node: callouts(source.graph, passage) for passage in texts}
    references = frozenset(source.graph.of_class(str(DEO.BibliographicReference)))
    return Findings(
        entities,
        measured,
        related,
        claims=find_claims(texts, entities, measured, called),
        citations=tuple(_citations(texts, called, references)),
    )


def prepare() -> None:
    """Read models and lists now, which are read when they are first needed otherwise."""
    warm()
    labellers()


def _of_tables(source: Source) -> Iterator[Measurement]:
    for passage, table, caption in tables(source):
        yield from measurements_of_table(table, passage, caption)


def _citations(
    texts: Iterable[Passage], called: Mapping[str, Sequence[Callout]], references: frozenset[str]
) -> Iterator[Citation]:
    """The sentences that cite, and why."""
    for passage in texts:
        cited = [one for one in called[passage.node] if one[2] in references]
        for start, end in cited_sentences(passage.text) if cited else ():
            inside = tuple(dict.fromkeys(node for first, last, node in cited if start <= first and last <= end))
            if inside:
                words = passage.text[start:end]
                why = citation_intent(words)
                sentence = Mention(passage.node, start, end, words, "citation", why.score, _CITING)
                yield Citation(sentence, inside, why.property)
