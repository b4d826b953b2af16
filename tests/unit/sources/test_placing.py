"""Text without boxes is put to its places in the PDF beside, where that is certain; else it is left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.types import Block, Box, Document
from kag.indexing.audit import audit
from kag.indexing.isolated_reader import read_apart
from kag.indexing.pipeline import index_document
from kag.indexing.run import load_run, write_run
from kag.sources.pdf.read import PrintedLine
from kag.sources.survey import read_paper
from kag.sources.text_alignment import _Places, pdf_beside, words_of
from tests.unit.sources import forms
from tests.unit.sources.forms import FILES

WITHOUT = sorted(set(forms.WITHOUT_BOXES) - {"ocr"})
(PDF,) = FILES["pdf"][2].values()


def put(folder: Path, name: str, pdf: bytes | None = PDF) -> Path:
    _, read_from, files = FILES[name]
    for file, data in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(data)
    if pdf is not None:
        (folder / "ice.pdf").write_bytes(pdf)
    return folder / read_from


def words(block: Block) -> list[str]:
    return words_of(block.plain)


def texts(document: Document) -> list[tuple[str, str, str]]:
    return [(block.id, block.label, block.text) for block in document.blocks]


@pytest.mark.parametrize("name", WITHOUT)
def test_every_source_without_boxes_gets_those_of_the_pdf_beside(tmp_path: Path, name: str) -> None:
    alone = read_paper(put(tmp_path / "alone" / "ice", name, None))
    document = read_apart(put(tmp_path / "both" / "ice", name))
    assert texts(document) == texts(alone)
    assert (document.source, document.pages, len(document.page_sizes)) == (alone.source, 2, 2)
    assert document.sha256 != alone.sha256
    printed = read_paper(put(tmp_path / "pdf" / "ice", "pdf"))
    for text in ("2 Methods", "1 Introduction", forms.SITES, *forms.ENTRIES):
        own, there = (next(one for one in made.blocks if words(one) == words_of(text)) for made in (document, printed))
        assert (own.page, own.boxes) == (there.page, there.boxes), text
    indexed = index_document(document)
    run = load_run(write_run(tmp_path / "runs", "ice", {**indexed.files, **document.pictures}))
    assert audit(run, document).issues == ()
    assert audit(run, read_paper(put(tmp_path / "both" / "ice", name))).issues == ()


def test_a_pdf_that_cannot_be_read_costs_the_boxes_alone(tmp_path: Path) -> None:
    document = read_paper(put(tmp_path / "ice", "jats", b"%PDF-1.7 broken"))
    assert not any(block.boxes for block in document.blocks)
    (repair,) = document.repairs
    assert "ice.pdf" in repair.problem
    assert repair.action == "read without boxes"


def test_which_pdf_lies_beside(tmp_path: Path) -> None:
    def made(*names: str) -> list[Path]:
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(b"%PDF-1.7")
        return [tmp_path / name for name in names]

    xml, pdf, _ = made("a/smith.xml", "a/smith.pdf", "a/jones.pdf")
    assert pdf_beside(xml) == pdf
    assert pdf_beside(pdf) is None
    xml, pdf, _ = made("b/fulltext.xml", "b/paper.pdf", "b/jones.pdf")
    assert pdf_beside(xml) == pdf
    xml, *_ = made("c/fulltext.xml", "c/paper.pdf", "c/main.pdf")
    assert pdf_beside(xml) is None, "there are two"
    md, pdf = made("d/smith/auto/smith.md", "d/smith.pdf")
    assert pdf_beside(md) == pdf
    xml, pdf = made("10.5555_ice.7/x.xml", "10.5555_ice.7/print.pdf")
    assert pdf_beside(xml) == pdf
    xml, _ = made("e/hale.xml", "e/jones.pdf")
    assert pdf_beside(xml) is None


# what is certain ----------------------------------------------------------------------------------

LONG = "In the winter of that year we weighed the ice of twelve rivers by hand and wrote it down at noon"
OTHER = "Snow was melted over a small fire and its water was kept in jars of glass until the spring came"


def line(n: int, text: str, part: int, page: int = 1) -> PrintedLine:
    return PrintedLine(page, part, text, Box(100, 20 * n, 900, 20 * n + 15))


def lines(*rows: tuple[int, str]) -> list[PrintedLine]:
    return [line(n, text, part) for n, (part, text) in enumerate(rows)]


def block(n: int, text: str, label: str = "text", caption_of: str = "") -> Block:
    return Block(f"b{n}", 1, n, label, (), text, text, text, caption_of=caption_of)


def found(rows: list[PrintedLine], *texts: str) -> dict[str, tuple[Box, ...]]:
    places = _Places(rows).of([block(n, text) for n, text in enumerate(texts)])
    return {name: boxes for name, (_, boxes) in places.items()}


def test_a_paragraph_is_where_its_words_are_and_a_part_of_one_has_its_lines_alone() -> None:
    cut = LONG.split(" ")
    rows = lines((0, " ".join(cut[:7]) + " wea-"), (0, "ther " + " ".join(cut[7:])), (0, OTHER))
    text = " ".join([*cut[:7], "weather", *cut[7:]])
    assert found(rows, text, OTHER) == {"b0": (Box(100, 0, 900, 35),), "b1": (Box(100, 40, 900, 55),)}


def test_what_is_printed_twice_or_only_half_is_nowhere() -> None:
    assert found(lines((0, LONG), (1, OTHER), (2, LONG)), LONG) == {}
    assert found(lines((0, LONG[:25])), LONG) == {}
    assert found(lines((0, LONG), (1, LONG)), LONG) == {}
    again = lines((0, "Figure 1 " + LONG), (1, "Figure 2 " + LONG))
    assert found(again, "Figure 2 " + LONG) == {}, "two runs are too few to tell them apart"
    again = lines((0, "Figure 1 " + LONG), (1, "Figure 2 of the ice " + LONG))
    assert found(again, "Figure 2 of the ice " + LONG) == {"b0": (Box(100, 20, 900, 35),)}


def test_a_short_block_is_a_whole_line_between_its_neighbours() -> None:
    rows = lines((0, "Methods"), (1, LONG), (2, "2.1 Methods"), (3, "Methods were few"), (4, OTHER), (5, "Methods"))
    assert found(rows, LONG, "Methods", OTHER)["b1"] == (Box(100, 40, 900, 55),)
    assert "b0" not in found(rows, "Methods", "Notes"), "it stands in three places"
    assert "b1" not in found(rows, LONG, "Sites", OTHER)


def test_a_block_on_two_pages_has_its_boxes_on_the_first() -> None:
    rows = [line(0, LONG, 0), line(1, OTHER, 1, page=2)]
    assert _Places(rows).of([block(0, f"{LONG} {OTHER}")]) == {"b0": (1, (Box(100, 0, 900, 15),))}


def test_a_float_is_where_its_caption_is() -> None:
    region = Box(100, 300, 900, 600)
    rows = [line(0, OTHER, 0), PrintedLine(2, 1, f"Figure 1. {LONG}", Box(100, 610, 900, 640), region, caption=True)]
    blocks = [block(0, "", "image"), block(1, f"Figure 1. {LONG}", "figure_caption", "b0")]
    assert _Places(rows).of(blocks) == {"b0": (2, (region,)), "b1": (2, (Box(100, 610, 900, 640),))}


@pytest.mark.parametrize("texts", [[""], ["—"], ["冰 川"], ["a" * 5000], ["Methods"] * 50, ["1"] * 200])
def test_odd_texts_are_nowhere_and_take_no_time(texts: list[str]) -> None:
    assert found(lines(*((n, "1 1 1 1 1 1") for n in range(400))), *texts) == {}
    assert found([], *texts) == {}
