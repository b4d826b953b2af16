"""What people put right: as calls, made again at each indexing, refused where the graph would not conform."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import kag
from kag.core.errors import BadValue, KagError, NotConforming, SourceError, UnknownNode
from kag.indexing.batch import look_over, make_run
from kag.qa.paper import PaperGraph
from kag.serve.papers.corrections import Corrected, Correction, calls_of, read_corrections, write_corrections
from tests.conftest import BUNDLED

SOURCE = BUNDLED / "reservoir_sensors"


@pytest.fixture(scope="module")
def graph() -> PaperGraph:
    return kag.index(SOURCE).graphs["reservoir_sensors"]


def built(folder: Path, *made: Correction, strict: bool = True) -> kag.Paper:
    (job,) = look_over([SOURCE], folder).jobs
    run = make_run(replace(job, options=Corrected(corrections=made, strict=strict))).run
    assert run
    return kag.open(run)


def corrected(graph: PaperGraph, kind: str, node: str, target: str = "") -> Correction:
    what, calls = calls_of(graph, kind, node, target)
    return Correction("Ada", "2026-01-01T00:00:00Z", what, calls)


def test_a_heading_goes_into_another_section_with_all_below_it(graph: PaperGraph, tmp_path: Path) -> None:
    one, other = (next(s for s in graph.sections.values() if s.number == number) for number in ("2", "1"))
    paper = built(tmp_path, corrected(graph, "heading", one.name, other.name))
    depths = {section.number: section.depth for section in paper.sections}
    assert (depths["1"], depths["2"], depths["2.1"]) == (1, 2, 3)
    told = paper.run.summary["builder"]["corrections"]
    assert [(row["who"], row["made"]) for row in told] == [("Ada", True)]
    assert paper.validate().conforms
    assert paper.audit().conforms


def test_noise_leaves_the_graph_and_is_skipped_aloud(graph: PaperGraph, tmp_path: Path) -> None:
    node = graph.of_kind("Paragraph")[5]
    paper = built(tmp_path, corrected(graph, "noise", node.name))
    assert node.iri not in paper.graphs[paper.id].nodes
    assert paper.run.skipped[node.name.removeprefix("ex:")] == "marked as noise by hand"
    assert paper.audit().conforms


def test_two_captions_change_places(graph: PaperGraph, tmp_path: Path) -> None:
    first, second = graph.of_kind("Figure")[:2]
    caption = graph.caption_of(second.iri)
    assert caption
    paper = built(tmp_path, corrected(graph, "caption", caption.name, first.name)).graphs["reservoir_sensors"]
    assert paper.caption_of(first.iri).plain == caption.plain  # type: ignore[union-attr]
    assert paper.nodes[first.iri].label == second.label


def test_a_paragraph_becomes_part_of_a_caption(graph: PaperGraph, tmp_path: Path) -> None:
    figure = graph.of_kind("Figure")[0]
    caption = graph.caption_of(figure.iri)
    assert caption
    order = list(graph.nodes)
    after = next(graph.nodes[iri] for iri in order[order.index(caption.iri) :] if graph.nodes[iri].kind == "Paragraph")
    paper = built(tmp_path, corrected(graph, "caption", after.name, figure.name)).graphs["reservoir_sensors"]
    joined = paper.caption_of(figure.iri)
    assert joined
    assert caption.plain[:40] in joined.plain
    assert after.plain[:40] in joined.plain


def test_a_heading_that_is_none_becomes_text_of_the_section_before(graph: PaperGraph, tmp_path: Path) -> None:
    section = next(one for one in graph.sections.values() if one.number == "3.2")
    paper = built(tmp_path, corrected(graph, "text", graph.name(section.header))).graphs[graph.id]
    node = paper.nodes[section.header]
    assert (node.kind, paper.sections[node.section].number) == ("Paragraph", "3.1")
    found = {one.number: one for one in paper.sections.values()}
    below = [graph.sections[iri].number for iri in section.sections]
    assert below
    assert "3.2" not in found
    assert {paper.sections[found[number].parent].number for number in below} == {"3"}


def test_a_section_goes_a_level_up_or_down(graph: PaperGraph, tmp_path: Path) -> None:
    section = next(one for one in graph.sections.values() if one.number == "3.2")
    up = built(tmp_path / "up", corrected(graph, "level", section.name, "up"))
    assert {one.number: one.depth for one in up.sections}["3.2"] == 1
    down = built(tmp_path / "down", corrected(graph, "level", section.name, "down"))
    assert {one.number: one.depth for one in down.sections}["3.2"] == 3
    with pytest.raises(BadValue):
        calls_of(graph, "level", next(iter(graph.sections.values())).name, "up")


def test_entries_of_the_list_are_joined_and_split(graph: PaperGraph, tmp_path: Path) -> None:
    entries = graph.of_kind("BibliographicReference")
    count = len(entries)
    for name, entry in (("part", entries[4]), ("block", entries[-1])):  # of a block, and blocks of their own
        paper = built(tmp_path / name, corrected(graph, "merge", entry.name))
        before = entries[entries.index(entry) - 1]
        assert len(paper.references) == count - 1
        joined = next(one.text for one in paper.references if before.plain[6:40] in one.text)
        assert entry.plain[-30:].strip() in joined
    words = entries[4].text[40:70]
    paper = built(tmp_path / "split", corrected(graph, "split", entries[4].name, words))
    assert len(paper.references) == count + 1
    assert any(one.text.startswith(words.strip()) for one in paper.references)
    assert paper.audit().conforms


def test_title_authors_year_and_doi_are_those_that_were_set(graph: PaperGraph, tmp_path: Path) -> None:
    values = {"title": "A new title", "authors": "Lovelace, Ada; Bo Li; Nils Achterberg", "year": "1999"}
    values |= {"doi": "https://doi.org/10.1234/x.y", "url": "https://example.org/a%20b?page=1"}
    paper = built(tmp_path, *(corrected(graph, "metadata", name, value) for name, value in values.items()))
    assert (paper.title, paper.year, paper.doi) == ("A new title", 1999, "10.1234/x.y")
    assert paper.url == values["url"]
    assert paper.authors == ("Ada Lovelace", "Bo Li", "Nils Achterberg")
    alone = built(tmp_path / "one", corrected(graph, "metadata", "authors", "Ada Lovelace"))
    assert alone.authors == ("Ada Lovelace",)
    assert paper.validate().conforms


@pytest.mark.parametrize(
    ("kind", "node", "target", "error"),
    [
        ("metadata", "year", "last year", BadValue),
        ("metadata", "doi", "no doi", BadValue),
        ("metadata", "url", "javascript:alert(1)", BadValue),
        ("metadata", "journal", "Nature", BadValue),
        ("merge", "ex:b_p001_0001", "", BadValue),
        ("split", "ex:b_p006_0014", "words that are not there", BadValue),
        ("noise", "ex:nothing", "", UnknownNode),
        ("heading", "ex:b_p999_0001", "", UnknownNode),
        ("caption", "ex:b_p001_0001", "ex:b_p001_0001", BadValue),
        ("erase", "ex:document", "", BadValue),
        ("noise", "http://evil.example/x", "", UnknownNode),
    ],
)
def test_what_cannot_be_put_right_is_told(
    graph: PaperGraph, kind: str, node: str, target: str, error: type[KagError]
) -> None:
    with pytest.raises(error):
        calls_of(graph, kind, node, target)


def test_a_section_does_not_go_into_itself(graph: PaperGraph) -> None:
    outer = next(s for s in graph.sections.values() if s.sections)
    with pytest.raises(BadValue):
        calls_of(graph, "heading", outer.name, graph.sections[outer.sections[0]].name)


def test_a_graph_that_would_not_conform_is_refused(graph: PaperGraph, tmp_path: Path) -> None:
    caption = graph.caption_of(graph.of_kind("Figure")[0].iri)
    assert caption
    calls = (("op_remove_node", {"node_iri": caption.name}),)
    with pytest.raises(NotConforming):
        built(tmp_path, Correction("Ada", "", "", calls))


def test_a_correction_that_has_no_place_any_more_is_left_out_and_named(tmp_path: Path) -> None:
    lost = Correction("Ada", "", "gone", (("op_remove_node", {"node_iri": "ex:b_p099_0001"}),))
    with pytest.raises(SourceError):
        built(tmp_path / "strict", lost)
    paper = built(tmp_path / "later", lost, strict=False)
    assert paper.run.summary["builder"]["corrections"][0]["made"] is False


def test_corrections_are_kept_and_strange_ones_are_not_made(graph: PaperGraph, tmp_path: Path) -> None:
    file = tmp_path / "paper.jsonl"
    made = (corrected(graph, "noise", graph.of_kind("Paragraph")[5].name),)
    write_corrections(file, made)
    assert read_corrections(file) == made
    assert read_corrections(tmp_path / "none.jsonl") == ()
    file.write_text('{"who": "x", "at": "", "what": "", "calls": [["finalize_graph", {}]]}\n')
    with pytest.raises(SourceError, match="damaged"):
        read_corrections(file)
