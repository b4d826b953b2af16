"""What layers say of chunks, for facets: on a bundled paper, from its run to a corpus that follows its layers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import kag
from kag.core.errors import BadValue
from kag.corpus.layout import Layout
from kag.corpus.search_index import out_of_step, read_index
from kag.layers.pipeline import Layers
from kag.qa.chunks import chunks
from kag.qa.compare import layer_findings
from kag.qa.faceted_chunks import faceted_chunks
from kag.qa.paper import PaperGraph
from kag.retrieval.facets import CLAIMS, LAYERS, THINGS, things_in

TRACERS = "zirconium_tracers"


@pytest.fixture(scope="module")
def run(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("facets") / f"{TRACERS}_20260101T000000Z"
    shutil.copytree(next(bundled_runs.glob(f"{TRACERS}_*")), here)
    Layers(("entity", "claim")).add_to(here)
    return here


def test_a_chunk_has_what_is_named_and_claimed_in_it(run: Path) -> None:
    paper = PaperGraph.load(run)
    found = faceted_chunks(paper, chunks(paper))
    said = layer_findings(paper)
    named = {thing.label for chunk in found for thing in things_in(chunk)}
    assert named == {f"{one.kind}:{one.name}" for one in said.entities if one.kind != "thing"}
    assert {role for one in found for role in one.metadata[CLAIMS].split("\n")} == {"", *(c.role for c in said.claims)}
    assert {one.metadata[LAYERS] for one in found} == {"claim entity"}
    # a paragraph that is cut says of each part only what stands there
    parts = [one for one in found if sum(set(one.sources) == set(other.sources) for other in found) > 1]
    printed = {(one.id, name) for one in parts for thing in things_in(one) for name in thing.printed}
    assert printed
    assert all(name in next(one.text for one in parts if one.id == part) for part, name in printed)
    (funded,) = (one for one in found if "funding" in one.metadata[CLAIMS].split("\n"))
    assert "fund" in funded.text.lower() or "grant" in funded.text.lower()


def test_without_layers_or_with_damaged_ones_chunks_stay(run: Path, bundled_runs: Path, tmp_path: Path) -> None:
    plain = PaperGraph.load(next(bundled_runs.glob(f"{TRACERS}_*")))
    assert faceted_chunks(plain, chunks(plain)) == chunks(plain)
    broken = shutil.copytree(run, tmp_path / run.name)
    (broken / "entity_graph.ttl").write_text("no turtle <", encoding="utf-8")
    paper = PaperGraph.load(broken)
    found = faceted_chunks(paper, chunks(paper))
    assert {one.metadata[THINGS] for one in found} == {""}
    assert [one.text for one in found] == [one.text for one in chunks(paper)]


@pytest.fixture
def corpus(run: Path, bundled_runs: Path, tmp_path: Path) -> Iterator[kag.Corpus]:
    with kag.Corpus(tmp_path / "library") as made:
        made.add(run, next(bundled_runs.glob("urban_pollinators_*")))
        yield made


def test_a_corpus_is_narrowed_down(corpus: kag.Corpus) -> None:
    counts = corpus.facets("tumours", papers=[TRACERS])
    assert counts["paper"][TRACERS] > 0
    label = "chemical:desferrioxamine"
    narrowed = corpus.search("tumours", 200, facets={"entity": "DFO", "role": ["result", "conclusion"]})
    assert narrowed
    assert {one.paper for one in narrowed} == {TRACERS}
    assert corpus.facets("tumours", {"entity": "DFO"})["entity"][label] == counts["entity"][label]
    assert corpus.facets("tumours", {"role": "result"})["role"] == corpus.facets("tumours")["role"]
    assert corpus.search("tumours", facets={"entity": "unicorn"}) == ()
    with pytest.raises(BadValue, match="none of the papers has the layer 'entity'"):
        corpus.search("bees", facets={"entity": "people", "paper": "urban_pollinators"})


def test_an_index_from_before_is_brought_into_step(corpus: kag.Corpus) -> None:
    before = corpus.facets("tumours")
    layout = Layout(corpus.path)
    index = read_index(layout)
    layer_keys = {LAYERS, THINGS, CLAIMS}
    index.add(
        [
            replace(one, metadata={name: value for name, value in one.metadata.items() if name not in layer_keys})
            for one in list(index.chunks.values())
        ]
    )
    index.save(layout.search)
    assert list(out_of_step(layout, read_index(layout))) == [TRACERS]
    assert corpus.facets("tumours") == before
    assert not out_of_step(layout, read_index(layout))
