"""The time to plan and enrich a paper grows with its size: rows, headings, blocks of a page, references, captions."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.types import Block, Cell, Document, Table
from kag.indexing.build_plan import plan_sections
from kag.indexing.enrich.author_year import AuthorYearIndex
from kag.indexing.enrich.bibliography import number_entries
from kag.indexing.references.parser import parse_reference
from kag.indexing.structure.floats import find_floats
from kag.indexing.structure.page_layout import reading_order
from kag.sources.ocr.folder import read_document
from kag.text.cells import read_body
from scripts.benchmarks.bench_growth import write
from tests.growth import grows_linearly
from tests.unit.indexing.structure.blocks import block

pytestmark = pytest.mark.slow


def paper(kind: str, size: int, folder: Path) -> Document:
    return read_document(write(kind, size, folder / f"{kind} {size}"))


@pytest.mark.parametrize(
    ("kind", "size"), [("headings", 2000), ("blocks", 3000), ("references", 4000), ("lists", 3000)]
)
def test_plans(kind: str, size: int, tmp_path: Path) -> None:
    papers = {n: paper(kind, n, tmp_path) for n in (size // 4, size)}
    assert grows_linearly(lambda n: plan_sections(papers[n]), size)


def test_rows_of_a_table_whose_head_its_words_tell() -> None:
    def table(rows: int) -> Table:
        texts = [("Site", "Loss", "Dose"), *((f"Site {n}", f"{n}.5", "9 mg") for n in range(rows))]
        cells = [Cell(text, row, column) for row, line in enumerate(texts) for column, text in enumerate(line)]
        return Table(tuple(cells), len(texts), 3)

    tables = {n: table(n) for n in (1000, 4000)}
    assert grows_linearly(lambda n: read_body(tables[n]), 4000)


def test_captions_of_a_page_that_stand_apart_from_their_figures() -> None:
    def page(size: int) -> list[Block]:
        parts = (
            (block(f"1.{3 * n + 1}", "", "image"), block(f"1.{3 * n + 2}", "Ice."), block(f"1.{3 * n + 3}", "More."))
            for n in range(size)
        )
        captions = (block(f"1.{3 * size + n}", f"Figure {n % 900}. Ice.", "figure_title") for n in range(1, size + 1))
        return [*(one for part in parts for one in part), *captions]

    pages = {n: page(n) for n in (500, 2000)}
    assert grows_linearly(lambda n: find_floats(pages[n]), 2000)


def test_orders_a_page_by_its_boxes() -> None:
    def page(size: int) -> list[Block]:
        tops = [100 + 800 * (n * 7919 % size) // size for n in range(size)]
        return [block(f"1.{n}", "Ice.", boxes=((100, top, 900, top + 5),)) for n, top in enumerate(tops, start=1)]

    pages = {n: page(n) for n in (1000, 4000)}
    assert grows_linearly(lambda n: reading_order(pages[n]), 4000)


def test_names_of_one_year() -> None:
    names = ["".join(chr(98 + int(digit)) for digit in str(n)).capitalize() for n in range(100, 1300)]
    listed = [parse_reference(f"{name} A, Roe B, Doe C (1999) Ice on rivers. Rivers 3:1-9.") for name in names]
    text = " ".join(f"Ice was seen ({name} et al., 1999)." for name in names)
    assert len(AuthorYearIndex(listed).find(text)) == len(names)
    assert grows_linearly(lambda n: AuthorYearIndex(listed[:n]).find(text[: len(text) * n // 1200]), 1200)


def test_numbers_of_a_list_that_lost_some_and_goes_on() -> None:
    parts = [(f"[{k}] Poe E. Ice.", f"[{k + 1}] Roe F. Snow.", "Doe J. Fog.") for k in range(1, 8000, 2)]
    texts = [text for part in parts for text in part]
    assert grows_linearly(lambda n: number_entries(texts[:n]), len(texts))
