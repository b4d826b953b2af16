"""Annotations: both layouts lead to the same kinds of facts, and a broken file is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.evaluate.structure.gold import find_gold, read_gold

BUNDLED = Path(__file__).parents[4] / "test_data"
BY_BLOCKS = {
    "paper": "ice",
    "citation_style": "superscript",
    "sections": [
        {"block": "b_p001_0002", "title": "Methods", "shown": "METHODS", "depth": 1, "parent": None},
        {"block": "b_p001_0003", "title": "Sites", "shown": "Sites", "depth": 2, "parent": "b_p001_0002"},
    ],
    "figures": [
        {"number": "1", "kind": "scheme", "image_blocks": ["b_p001_0005"], "caption_blocks": ["b_p001_0006"]},
        {"number": "1", "kind": "figure", "image_blocks": ["b_p001_0007"], "caption_blocks": ["b_p001_0008"]},
    ],
    "tables": [{"number": "2", "table_blocks": ["b_p001_0009"], "caption_blocks": ["b_p001_0010"]}],
    "references": [
        {"number": 1, "blocks": ["b_p001_0012"], "text": "1. Poe. 1999.", "year": "1999", "first_author": "Poe"}
    ],
    "citation_links": [["b_p001_0004", 1]],
    "crossref_links": [["b_p001_0004", "scheme", "1"], ["b_p001_0004", "table", "2"]],
}


def test_a_bundled_annotation() -> None:
    row = json.loads((BUNDLED / "urban_pollinators" / "gold.json").read_text(encoding="utf-8"))
    gold = read_gold(BUNDLED / "urban_pollinators")
    assert gold.paper == "urban_pollinators"
    assert len(gold.facts["citations"]) == len(row["citation_links"])
    assert len(gold.facts["headings"]) == len(row["sections"])
    assert set(gold.hosts.values()) == {f"p{paragraph['idx']}" for paragraph in row["paragraphs"]}
    assert gold.host("b_p001_0001") is None
    assert all(a != b for a, b in gold.sequence)


def test_an_annotation_by_blocks(tmp_path: Path) -> None:
    file = tmp_path / "ice_gold.json"
    file.write_text(json.dumps(BY_BLOCKS), encoding="utf-8")
    gold = read_gold(file)
    assert gold.facts == {
        "headings": {("b_p001_0002",), ("b_p001_0003",)},
        "heading_parent": {("b_p001_0002", None), ("b_p001_0003", "b_p001_0002")},
        "captions": {
            ("b_p001_0006", "b_p001_0005"), ("b_p001_0008", "b_p001_0007"), ("b_p001_0010", "b_p001_0009"),
        },
        "references": {(1,)},
        "citations": {("b_p001_0004", 1)},
        "crossrefs": {("b_p001_0004", "scheme", "1"), ("b_p001_0004", "table", "2")},
    }  # fmt: skip
    assert gold.floats["b_p001_0005"] == ("scheme", "1")
    assert gold.floats["b_p001_0008"] == ("figure", "1")
    assert gold.references[0]["authors"] == [{"family": "Poe"}]
    assert gold.host("b_p001_0004") == "b_p001_0004"
    fixed = ("b_p001_0002", "b_p001_0006", "b_p001_0009", "b_p001_0012")
    assert [gold.host(block) for block in fixed] == [None] * 4


def test_papers_are_found_in_all_places(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "gold.json").write_text("{}", encoding="utf-8")
    (tmp_path / "b_gold.json").write_text("{}", encoding="utf-8")
    (tmp_path / "c").mkdir()
    assert find_gold(tmp_path) == {"a": tmp_path / "a" / "gold.json", "b": tmp_path / "b_gold.json"}
    assert find_gold(tmp_path / "a") == {"a": tmp_path / "a" / "gold.json"}
    with pytest.raises(SourceError, match="no annotated papers"):
        find_gold(tmp_path / "c")


@pytest.mark.parametrize("text", [None, "{", "[]", "{}", '{"paragraphs": [1]}', '{"paragraphs": [], "sections": [{}]}'])
def test_a_broken_annotation_is_named(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "gold.json").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"gold\.json: no readable annotation"):
        read_gold(tmp_path)
