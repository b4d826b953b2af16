"""A small paper with what it says, written as values by hand, for the tests of the layers."""

from __future__ import annotations

from pathlib import Path

from kag.indexing.batch import find_papers, index_all
from kag.layers.pipeline import source_of
from kag.layers.source import Source, passages, tables
from kag.layers.values import (
    Claim,
    Entity,
    Findings,
    Identifier,
    Measurement,
    Mention,
    Passage,
    Relation,
    Scope,
)
from kag.text.quantities.parsing import Quantity
from tests.papers import PAGES, write_paper

SENTENCE = "Upper sensors may not survive 12.5 ± 0.5 MPa or 3 and 4 kg in March, as Table 1 shows."
MESH = "http://id.nlm.nih.gov/mesh/D000000"


def make_run(folder: Path, name: str = "ice") -> Path:
    """A run of the small paper with a sentence of ours in it."""
    first, second = PAGES
    blocks = tuple(
        (label, box, text.replace("Twelve sites", f"{SENTENCE} Twelve sites")) for label, box, text in second
    )
    paper = write_paper(folder / "papers" / name, (first, blocks))
    (outcome,) = index_all(find_papers([paper], folder / "runs"))
    assert outcome.run
    return outcome.run


def words(passage: Passage, text: str, kind: str, *, score: float = 0.9, nth: int = 0) -> Mention:
    """Some words of a passage as a mention."""
    start = passage.text.index(text)
    for _ in range(nth):
        start = passage.text.index(text, start + 1)
    return Mention(passage.node, start, start + len(text), text, kind, score, f"{kind} words 1")


def said(source: Source) -> Findings:
    """Two entities, four values (two of them one mention, one in a table), a relation, a claim with two scopes."""
    texts = passages(source.graph)
    site = next(one for one in texts if SENTENCE in one.text)
    abstract = next(one for one in texts if one.kind == "abstract")
    table, _, _ = next(iter(tables(source)))
    sensors = Entity(
        "sensors",
        "device",
        (words(abstract, "sensors", "device"), words(site, "sensors", "device")),
        ("Sensor",),
        (Identifier(MESH, "exact", 0.75), Identifier("http://example.org/close", "close", 0.5)),
    )
    river = Entity("river", "place", (words(site, "river", "place"),))
    return Findings(
        (sensors, river),
        (
            Measurement(
                words(site, "12.5 ± 0.5 MPa", "quantity"),
                Quantity("12.5 ± 0.5 MPa", 0, 14, 12.5, uncertainty=0.5, uncertainty_kind="±", unit="MPa",
                         unit_canonical="MPa", unit_iri="http://qudt.org/vocab/unit/MegaPA"),
                words(site, "survive", "property"),
                words(site, "Upper sensors", "entity"),
                (words(site, "in March", "condition"),),
            ),
            *(Measurement(words(site, "3 and 4 kg", "quantity"), Quantity("3 and 4 kg", 0, 10, n, unit="kg"))
              for n in (3.0, 4.0)),
            Measurement(words(site, "Twelve", "quantity"), Quantity("Twelve", 0, 6, 12.0), counted="sites"),
            Measurement(
                words(table, "3", "quantity"),
                Quantity("3", 0, 1, 3.0, bound=">"),
                words(table, "Lost", "property"),
                words(table, "Upper", "entity"),
            ),
        ),
        (Relation("along", words(site, "sites", "material"), words(site, "river", "place"), 0.6, "patterns 2"),),
        (
            Claim(
                Mention(site.node, 0, len(SENTENCE), SENTENCE, "sentence", 0.8, "roles 1"),
                "result",
                "negative",
                "hedged",
                "less",
                tuple(
                    Scope(kind, words(site, cue, kind), site.text.index(cue), site.text.index(" in March"))
                    for cue, kind in (("may", "hedge"), ("not", "negation"))
                ),
                (words(site, "sensors", "device"),),
                (table.node,),
                0.8,
            ),
        ),
    )  # fmt: skip


def source(run: Path) -> Source:
    return source_of(run)
