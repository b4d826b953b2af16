"""The values of the page: places, claims with what verification says of them, checks, pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from kag.core.errors import EvidenceError, RunError, SourceError
from kag.qa.page.embedded_pictures import find_pictures
from kag.qa.page.page_nodes import Line, pdf_lines, quote_places
from kag.qa.page.whole_page import build_page, page_data
from kag.qa.paper import PaperGraph
from tests.report_pages import answer, host, make_run, write_answers
from tests.serving import PDF


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path)


def test_a_verified_claim_has_all_boxes_of_its_evidence(run: Path, tmp_path: Path) -> None:
    paper = PaperGraph.load(run)
    files = write_answers(tmp_path / "a", answer(paper, ["fail under ice", "Twelve sites"], "Sensors fail under ice."))
    (row,) = page_data(run, files)["answers"]
    (claim,) = row["claims"]
    assert claim["issues"] == [] == row["issues"]
    first, second = claim["evidence"]
    assert first["places"] == [[1, 100, 310, 490, 500], [1, 510, 310, 900, 400]]
    assert second["places"] == [[2, 100, 190, 900, 250]]


def test_spans_are_counted_as_scripts_count(tmp_path: Path) -> None:
    text = ("text", "[[1, 1, 900, 90]]", "The angle \U0001d6fc was small. It grew.")
    run = make_run(tmp_path, pages=((("sub_title", "[[1, 1, 9, 9]]", "## Results"), text),))
    paper = PaperGraph.load(run)
    files = write_answers(tmp_path / "a", answer(paper, ["It grew"], "It grew"))
    data = page_data(run, files)
    (evidence,) = data["answers"][0]["claims"][0]["evidence"]
    start, end = evidence["span"]
    wide = data["nodes"][evidence["node"]]["text"].encode("utf-16-le")
    assert wide[2 * start : 2 * end].decode("utf-16-le") == "It grew"


def test_what_does_not_verify_is_said_where_it_belongs(run: Path, tmp_path: Path) -> None:
    paper = PaperGraph.load(run)
    sound = answer(paper, ["fail under ice"], "Sensors fail under ice.", "sound")
    (claim,) = sound.claims
    moved = replace(claim.evidence[0], page=2, boxes=((1, 2, 3, 4),))
    lied = replace(claim.evidence[0], quote="fail under snow")
    claims = (claim, replace(claim, evidence=(moved,)), replace(claim, evidence=(lied,)))
    data = page_data(run, write_answers(tmp_path / "a", replace(sound, claims=claims)))
    rows = data["answers"][0]["claims"]
    assert [bool(row["issues"]) for row in rows] == [False, True, True]
    assert rows[1]["evidence"][0]["places"] == [[2, 1, 2, 3, 4]], "shown where it says it is"
    assert "span" not in rows[2]["evidence"][0]
    assert "fail under snow" in rows[2]["issues"][0]


def test_answers_about_other_papers_are_counted_not_shown(run: Path, tmp_path: Path) -> None:
    here = answer(PaperGraph.load(run), ["fail under ice"], "Sensors fail under ice.")
    there = replace(here, id="q2", claims=(), papers=("elsewhere",), searches=("ice",))
    data = page_data(run, write_answers(tmp_path / "a", here, there))
    assert [row["id"] for row in data["answers"]] == ["q1"]
    assert data["others"] == 1


def test_sections_floats_and_references_lead_to_their_nodes(run: Path) -> None:
    data = page_data(run)
    nodes = data["nodes"]
    (figure,) = [row for row in data["floats"] if nodes[row["node"]]["kind"] == "Figure"]
    assert nodes[figure["caption"]]["text"].startswith("Fig. 1.")
    assert "drawn in Fig. 1" in nodes[figure["from"][0]]["text"]
    (table,) = [row for row in data["floats"] if nodes[row["node"]]["kind"] == "Table"]
    assert [[words for words, _, _ in row["cells"]] for row in table["rows"]] == [["Site", "Lost"], ["Upper", "3"]]
    assert [nodes[table["node"]]["text"][slice(*row["span"])] for row in table["rows"]] == ["Site | Lost", "Upper | 3"]
    second = data["references"][1]
    assert nodes[second["node"]]["label"] == "2"
    assert any("earlier winters" in nodes[number]["text"] for number in second["from"])
    depths = {row["title"]: row["depth"] for row in data["sections"]}
    assert depths["2.1 Sites"] == depths["2 Methods"] + 1


def test_checks_tell_what_was_left_out_and_what_is_wrong(run: Path) -> None:
    data = page_data(run)
    assert data["shapes"]["conforms"]
    kept = data["conservation"]
    assert (kept["blocks"], kept["placed"], kept["found"]) == (20, 18, 0)
    assert [row["places"][0][0] for row in kept["skipped"]] == [1, 2]
    assert "Journal of Ice" in kept["skipped"][0]["text"]
    graph = run / "knowledge_graph.ttl"
    graph.write_text(graph.read_text().replace('"Twelve sites', '"Eleven sites'))
    broken = page_data(run)
    changed = [row for row in broken["conservation"]["issues"] if row["rule"] == "TextChanged"]
    assert {broken["nodes"][row["node"]]["text"] for row in changed} == {"Eleven sites were chosen along the river."}


def test_a_graph_alone_is_shown_without_the_checks(run: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "knowledge_graph.ttl").write_bytes((run / "knowledge_graph.ttl").read_bytes())
    data = page_data(bare)
    assert data["shapes"] is None
    assert data["conservation"] is None
    assert host(PaperGraph.load(bare), "Twelve sites")
    assert len(data["pages"]) == 2


def test_the_same_files_give_the_same_page(run: Path, tmp_path: Path) -> None:
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(run), ["fail under ice"], "Sensors fail under ice."))
    assert build_page(run, files) == build_page(run, files)


def test_page_pictures_are_taken_when_they_are_there(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "paper_ocr"
    Image.new("RGB", (200, 300), "white").save(folder / "page_001.png")
    Image.new("RGB", (200, 300), "white").save(folder / "page_2.jpg")
    (folder / "page_003.png").write_bytes(b"no picture")
    data = page_data(run, source=folder)
    assert [page["picture"][:15] for page in data["pages"]] == ["data:image/png;", "data:image/png;"]
    assert len(data["problems"]) == 1
    assert "page_003.png" in data["problems"][0]


def test_pictures_keep_to_their_room(tmp_path: Path) -> None:
    noise = Image.effect_noise((900, 1200), 90)
    for number in (1, 2):
        noise.save(tmp_path / f"page_00{number}.png")
    found = find_pictures(tmp_path, (), 900_000)
    assert sorted(found.pages) == [1, 2]
    assert sum(len(view.uri) for view in found.pages.values()) <= 900_000
    none = find_pictures(tmp_path, (), 1000)
    assert not none.pages
    assert len(none.problems) == 2


def test_pictures_outside_of_the_paper_are_not_taken(tmp_path: Path) -> None:
    Image.new("RGB", (20, 20)).save(tmp_path / "secret.png")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "page_001.png").symlink_to(tmp_path / "secret.png")
    found = find_pictures(folder, ["../secret.png"], 10**6)
    assert not found.pages
    assert not found.figures
    assert len(found.problems) == 2


def test_bad_input_is_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError):
        page_data(tmp_path / "absent")
    with pytest.raises(SourceError):
        page_data(run, source=tmp_path / "absent")
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"format": "other"}))
    with pytest.raises(EvidenceError):
        page_data(run, [broken])


LINES = {
    1: [
        Line("Sensors were moored at six sites. Inter-", (100, 100, 500, 110)),
        Line("polation used all of them¹² and failed", (100, 112, 500, 122)),
        Line("under ice. More was done.", (100, 124, 350, 134)),
        Line("Interpolation used all of them elsewhere.", (550, 100, 900, 110)),
    ]
}
NODE = [[1, 100, 98, 500, 136]]


def test_a_quote_over_a_hyphen_has_the_parts_of_its_lines() -> None:
    found = quote_places("Interpolation used all of them¹² and failed under ice.", NODE, LINES)
    assert [place[2] for place in found] == [100, 112, 124]
    assert found[0][1] > 400
    assert found[-1][3] < 300


def test_a_quote_is_found_in_the_boxes_of_its_node_alone() -> None:
    assert quote_places("used all of them elsewhere", NODE, LINES) == []
    assert quote_places("", NODE, LINES) == []


def test_the_lines_of_a_file_are_read() -> None:
    lines = pdf_lines(PDF)
    assert sorted(lines) == [1, 2, 3, 4, 5]
    whole = [[2, 0, 0, 1000, 1000]]
    quote = "Intact tracer was measured by size-exclusion chromatography with a flow-through detector."
    found = quote_places(quote, whole, lines)
    assert len(found) == 3
    assert all(8 < place[4] - place[2] < 25 for place in found)
