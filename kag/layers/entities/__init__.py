"""Entities of a paper: mentions found by lists, patterns and small trained models, one entity for all its mentions.

`find_entities` is the door. The models of life science and of materials are asked where a paper's words speak for that
field; all of it needs neither a model of language nor a network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kag.layers.entities.abbreviations import Pair, find_abbreviations
from kag.layers.entities.gathering import abbreviated, entity, gathered, long_forms, merged, sound, surest
from kag.layers.entities.identifiers import iri
from kag.layers.entities.lexicon import Tokens, key, read_lexicon, tokens
from kag.layers.entities.linking import Linker, groups, home_of, written_out
from kag.layers.entities.listed import by_concept, by_context, by_head, by_list
from kag.layers.entities.patterns import Spot, by_form, curie_of, standing
from kag.layers.entities.trained import (
    ALONE,
    CHEMISTRY,
    FOREIGN,
    LEAST,
    LIFE,
    MATERIALS,
    NARROW,
    Spotted,
    fields_of,
    spotted,
    spotter,
)
from kag.layers.values import Entity, Identifier, Mention, Passage

_UNASKED = frozenset({"value", "experiment"})  # what the model of materials finds and no entity is


def find_entities(passages: Sequence[Passage]) -> tuple[Entity, ...]:
    """The entities of one paper, in the order of their first mentions; those surer than `LEAST`.

    >>> text = "Patients with cystic fibrosis (CF) carry mutations of CFTR such as p.Phe508del. CF has no cure."
    >>> [(one.kind, one.name, len(one.mentions)) for one in find_entities([Passage("p1", text)])]
    [('species', 'Patients', 1), ('disease', 'cystic fibrosis', 3), ('gene', 'CFTR', 1), ('variant', 'p.Phe508del', 1)]
    """
    rows = [tokens(passage.text) for passage in passages]
    pairs = [find_abbreviations(passage.text) for passage in passages]
    spots = [standing(some) for some in _candidates(rows, pairs)]
    means = long_forms(passages, pairs)
    spots = abbreviated(passages, spots, pairs, means)
    found = gathered(passages, spots, means)
    linker = Linker(read_lexicon("biored"), _home(found))
    texts = {passage.node: passage.text for passage in passages}
    known = [(kind, some, _identified(kind, some, linker, texts, means)) for kind, some in found if _enough(some)]
    places = {passage.node: n for n, passage in enumerate(passages)}
    return tuple(entity(*one) for one in merged(known, places))


def warm() -> None:
    """Read all lists and models, so that processes that are forked later need not."""
    for name in ("biored", "craft", "genes", "headings", "mesh", "species", "symbols"):
        read_lexicon(name)
    groups()
    for model in (LIFE, MATERIALS):
        spotter(model)
    fields_of(())


def _enough(mentions: tuple[Mention, ...]) -> bool:
    """Whether a thing is more than the single guess of a model."""
    return len(mentions) > 1 or mentions[0].rule != LIFE or mentions[0].score >= ALONE


def _candidates(rows: Sequence[Tokens], pairs: Sequence[Sequence[Pair]]) -> list[list[Spot]]:
    """Return the candidates in each text by all methods; they may overlap."""
    found = [[*by_form(row.text), *by_context(row), *by_head(row)] for row in rows]
    fields = fields_of(word for row in rows for word in row.words)
    for some, row in zip(found, rows, strict=True):
        some += by_concept(row) if LIFE in fields else by_list(row)
    for model, kinds in _asked(fields):
        for some, row, spans in zip(found, rows, spotted(model, rows, pairs), strict=True):
            sure = _sure(row, spans, model)
            some += (one for one in sure if not kinds or (one.kind in kinds and one.score >= FOREIGN))
    return found


def _asked(fields: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The models that a paper's fields speak for; with the kinds that one is asked for where it is not at home."""
    if LIFE in fields:
        yield LIFE, frozenset()
    elif CHEMISTRY in fields:
        yield LIFE, frozenset({"chemical"})
    if MATERIALS in fields:
        yield MATERIALS, frozenset()


def _sure(row: Tokens, spans: Sequence[Spotted], model: str) -> Iterator[Spot]:
    """Return the findings above the model's threshold that can be names."""
    for span in spans:
        start, end = row.starts[span.start], row.ends[span.end - 1]
        enough = span.score >= max(LEAST, NARROW.get(model, 0.0))
        if enough and span.kind not in _UNASKED and sound(row.text[start:end], span.kind):
            yield Spot(start, end, span.kind, span.score, model)


def _home(found: Sequence[tuple[str, tuple[Mention, ...]]]) -> str:
    linker = Linker(read_lexicon("biored"))
    return home_of(list(_species(found, linker)))


def _species(found: Sequence[tuple[str, tuple[Mention, ...]]], linker: Linker) -> Iterator[str]:
    for kind, mentions in found:
        if kind == "species" and (known := linker.curies(key(mentions[0].text), kind)):
            yield from [known[0][0]] * len(mentions)


def _identified(
    kind: str, mentions: tuple[Mention, ...], linker: Linker, texts: Mapping[str, str], means: Mapping[str, str]
) -> tuple[Identifier, ...]:
    """The identifiers of a thing by its names; by short forms only those of genes, or where none is written out."""
    first, short = mentions[0], {mention.text for mention in mentions if mention.text in means}
    if kind == "accession":
        known = iri(curie_of(first.text, texts[first.node], first.start))
        return (Identifier(known, "exact", first.score),) if known else ()
    long = {mention.text for mention in mentions} - short
    names = sorted({*long, *(written_out(name, means) for name in long)}, key=lambda name: (-len(name), name))
    identifiers = surest(linker.identify(name, kind) for name in names or sorted(short))
    return identifiers or (surest(linker.identify(name, kind) for name in sorted(short)) if kind == "gene" else ())
