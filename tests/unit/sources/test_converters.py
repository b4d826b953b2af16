"""What single converters do that others do not."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kag.core.errors import SourceError
from kag.core.types import Box, Document
from kag.sources.boxes import Sheets
from kag.sources.outline import is_reference_title
from kag.sources.pictures import Gallery
from kag.sources.reader_registry import read_form
from kag.sources.reading import Reading
from kag.sources.tei import _areas

BOX = (Box(1, 2, 3, 4),)


def read(folder: Path, kind: str, value: object, name: str = "a.json") -> Document:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return read_form(path, kind, Reading(), "a")


def rows(document: Document) -> list[tuple[str, str]]:
    return [(block.label, block.text) for block in document.blocks]


def png() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (4, 3)).save(stream, "PNG")
    return stream.getvalue()


# places ---------------------------------------------------------------------------------------


def test_rectangles_become_thousandths() -> None:
    sheets = Sheets({1: (600.0, 800.0)})
    assert sheets.boxes(1, [60, 80, 300, 400]) == (Box(100, 100, 500, 500),)
    assert sheets.boxes(1, [60, 400, 300, 720], up=True) == (Box(100, 100, 500, 500),)
    assert sheets.boxes(9, [0.1, 0.1, 0.5, 0.5], of=(1.0, 1.0)) == (Box(100, 100, 500, 500),)
    assert sheets.repairs == ()


@pytest.mark.parametrize(
    ("rect", "boxes", "problem"),
    [
        ([60, 80, 700, 400], (Box(100, 100, 1000, 500),), "a box leaves the page"),
        ([300, 80, 60, 400], (Box(100, 100, 500, 500),), "a box ends before it begins"),
        ([1, 2, 3], (), "a box is not four numbers"),
        ([1, 2, 3, float("nan")], (), "a box is not four numbers"),
        ("1 2 3 4", (), "a box is not four numbers"),
    ],
)
def test_rectangles_that_are_wrong_are_told(rect: Any, boxes: tuple[Box, ...], problem: str) -> None:
    sheets = Sheets({1: (600.0, 800.0)})
    assert sheets.boxes(1, rect) == boxes
    assert [repair.problem for repair in sheets.repairs] == [problem]


def test_a_page_without_a_size_has_no_boxes() -> None:
    sheets = Sheets()
    assert sheets.boxes(1, [1, 2, 3, 4]) == sheets.boxes(1, [5, 6, 7, 8]) == ()
    assert len(sheets.repairs) == 1


def test_lines_below_each_other_are_one_area() -> None:
    column = [[50, 100, 250, 110], [50, 112, 250, 122], [50, 124, 150, 134]]
    assert _areas([*column, [300, 80, 500, 90]]) == [[50, 100, 250, 134], [300, 80, 500, 90]]


# pictures -------------------------------------------------------------------------------------


def test_pictures_come_from_files_and_from_base64(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "x.png").write_bytes(png())
    gallery = Gallery(tmp_path)
    gallery.add(2, BOX, "images/x.png")
    gallery.add(2, BOX, "data:image/png;base64," + base64.b64encode(png()).decode())
    assert [figure.path for figure in gallery.figures] == ["pictures/fig_page002_01.png", "pictures/fig_page002_02.png"]
    assert set(gallery.pictures.values()) == {png()}
    assert gallery.repairs == []


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("../secret.png", "lies outside of the folder"),
        ("/etc/passwd", "lies outside of the folder"),
        ("link.png", "a link leads to it"),
        ("none.png", "cannot be read"),
        ("text.png", "is not an image that can be read"),
        ("data:image/png;base64,@@@", "is not valid base64"),
        ("a\x00b.png", "lies outside of the folder"),
    ],
)
def test_pictures_that_are_left_out_are_told(tmp_path: Path, where: str, why: str) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(png())
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "text.png").write_text("no picture")
    gallery = Gallery(folder)
    gallery.add(1, BOX, where)
    assert gallery.pictures == {}
    (repair,) = gallery.repairs
    assert why in repair.problem
    assert repair.action == "picture left out"


# docling --------------------------------------------------------------------------------------


def docling(**more: Any) -> dict[str, Any]:
    return {"schema_name": "DoclingDocument", "body": {"children": []}, "texts": [], **more}


def text(words: str, label: str = "text", **more: Any) -> dict[str, Any]:
    return {"label": label, "text": words, **more}


def refs(*names: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/{name}"} for name in names]


def test_docling_items_are_read_once_and_none_is_lost(tmp_path: Path) -> None:
    texts = [text("One", children=refs("texts/1")), text("Two", children=refs("texts/0")), text("Three")]
    body = {"children": refs("texts/0", "texts/0", "texts/9", "nothing", "groups/0")}
    assert rows(read(tmp_path, "docling", docling(texts=texts, body=body))) == [
        ("text", "One"), ("text", "Two"), ("text", "Three"),
    ]  # fmt: skip


def test_docling_runs_are_one_paragraph_and_words_in_pictures_none(tmp_path: Path) -> None:
    texts = [text("We set"), text("a", "formula"), text("here."), text("axis"), text("Fig. 1. Ice.", "caption")]
    groups = [{"label": "inline", "children": refs("texts/0", "texts/1", "texts/2")}]
    pictures = [{"label": "picture", "children": refs("texts/3", "texts/4"), "captions": refs("texts/4")}]
    body = {"children": refs("groups/0", "pictures/0")}
    document = read(tmp_path, "docling", docling(texts=texts, groups=groups, pictures=pictures, body=body))
    assert rows(document) == [
        ("text", "We set  \\( a \\)  here."), ("image", ""), ("caption", "Fig. 1. Ice."), ("figure_text", "axis"),
    ]  # fmt: skip
    assert document.blocks[2].caption_of == document.blocks[1].id


def test_docling_cells_keep_their_places_or_are_laid_out_anew(tmp_path: Path) -> None:
    def cell(words: str, row: int, column: int, **more: int) -> dict[str, Any]:
        return {"text": words, "start_row_offset_idx": row, "start_col_offset_idx": column, **more}

    def table(*cells: dict[str, Any]) -> Any:
        tables = [{"label": "table", "data": {"table_cells": list(cells)}}]
        document = read(tmp_path, "docling", docling(tables=tables, body={"children": refs("tables/0")}))
        return document.blocks[0].table

    assert table(cell("a", 0, 0, col_span=2), cell("b", 1, 1)).grid() == (("a", "a"), ("", "b"))
    assert table(cell("a", 0, 0, col_span=2), cell("b", 0, 1)).grid() == (("a", "b"),), "both claim a place"
    assert table(cell("a", 0, 10**7), cell("b", 10**8, 0)).grid() == (("a",), ("b",))


def test_a_first_heading_that_opens_the_paper_is_its_title(tmp_path: Path) -> None:
    def labels(*headings: str) -> list[str]:
        texts = [text(words, "section_header") for words in headings]
        body = {"children": refs(*(f"texts/{n}" for n in range(len(texts))))}
        return [block.label for block in read(tmp_path, "docling", docling(texts=texts, body=body)).blocks]

    assert labels("Ice on rivers", "1 Introduction") == ["title", "sub_title"]
    assert labels("Abstract", "Ice on rivers") == ["sub_title", "sub_title"]
    assert labels("1 Ice", "2 Snow") == ["sub_title", "sub_title"]


# others ---------------------------------------------------------------------------------------


def test_doctags_cells_that_cover_others(tmp_path: Path) -> None:
    tags = "<doctag><otsl><ched>a<lcel><nl><fcel>b<fcel>&lt; 3<nl><ucel><ecel><nl></otsl>loose</doctag>"
    document = read(tmp_path, "doctags", tags, "a.doctags")
    assert document.blocks[0].table is not None
    assert document.blocks[0].table.grid() == (("a", "a"), ("b", "< 3"), ("b", ""))
    assert rows(document)[1] == ("text", "loose")


def test_mineru_list_under_references_are_entries(tmp_path: Path) -> None:
    listed = [
        {"type": "text", "text": "References", "text_level": 1, "page_idx": 0},
        {"type": "list", "sub_type": "ref_text", "list_items": ["[1] Poe E.", "[2] Roe E."], "page_idx": 0},
        {"type": "table", "table_body": "<html><body><table><tr><td>a</td></tr></table></body></html>", "page_idx": 0},
    ]
    assert rows(read(tmp_path, "mineru", listed)) == [
        ("sub_title", "References"), ("reference", "[1] Poe E."), ("reference", "[2] Roe E."), ("table", "a"),
    ]  # fmt: skip


def test_opendataloader_without_sizes_of_pages(tmp_path: Path) -> None:
    kids = [{"type": "paragraph", "content": "Ice", "page number": 1, "bounding box": [61.2, 396, 306, 792]}]
    document = read(tmp_path, "opendataloader", {"kids": kids})
    assert document.blocks[0].boxes == (Box(100, 0, 500, 500),)
    assert [repair.problem for repair in document.repairs] == ["the sizes of the pages are not told"]


def test_olmocr_file_of_several_papers_is_refused(tmp_path: Path) -> None:
    line = json.dumps({"id": "1", "text": "Ice"}) + "\n"
    with pytest.raises(SourceError, match="2 papers in one file"):
        read(tmp_path, "olmocr", line * 2, "a.jsonl")


def test_markdown_lists_pictures_and_pages(tmp_path: Path) -> None:
    page = "# Ice\n\n![Figure 2: Rivers](f.png) and ![](g.png)\n\n$$a = b$$ (4)\n\n<--- Page Split --->\n\n"
    more = "## References\n\n- Poe E. Ice.\n  2001.\n- Roe E. Snow.\n\n[3] Doe J. Fog.\n"
    document = read(tmp_path, "markdown", page + more, "a.md")
    assert rows(document) == [
        ("title", "Ice"), ("image", ""), ("figure_caption", "Figure 2: Rivers"), ("text", "and"), ("image", ""),
        ("equation", "\\[ a = b \\tag{4} \\]"), ("sub_title", "References"), ("reference", "Poe E. Ice.\n  2001."),
        ("reference", "Roe E. Snow."), ("reference", "[3] Doe J. Fog."),
    ]  # fmt: skip
    assert [block.page for block in document.blocks] == [1] * 6 + [2] * 4


@pytest.mark.parametrize(
    "title", ["References", "7. REFERENCES", "VI. References", "Literature cited:", "Bibliography"]
)
def test_titles_of_reference_lists(title: str) -> None:
    assert is_reference_title(title)


@pytest.mark.parametrize("title", ["Reference standards", "Preferences", "Introduction", ""])
def test_other_titles(title: str) -> None:
    assert not is_reference_title(title)


def test_numbers_contradict_the_levels_of_markdown(tmp_path: Path) -> None:
    heads = ("# Loads", "## 1. Ice", "## 2. Snow", "### 2.1. Old", "#### 2.2. New", "# 3. Fog", "## References")
    text = "\n\nIt froze.\n\n".join(heads)
    document = read(tmp_path, "markdown", text, "a.md")
    assert [block.heading_level for block in document.blocks if block.label == "sub_title"] == [1, 1, 2, 2, 1, 1]
    plain = read(tmp_path, "markdown", text.replace("#### 2.2", "### 2.2").replace("# 3. Fog", "## 3. Fog"), "b.md")
    assert [block.heading_level for block in plain.blocks if block.label == "sub_title"] == [1, 1, 2, 2, 1, 1]
