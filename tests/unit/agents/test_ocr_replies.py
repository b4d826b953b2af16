"""Replies of a vision model to a page: circles told from tables, figures found, wrappings taken off."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kag.agents.ocr.transcript import cleaned, cuts_of, repeats
from kag.core.types import Box

PAGES = sorted((Path(__file__).parent.parent.parent.parent / "test_data").glob("*/page_*.md"))
PROSE = "River ice hides sensors from the sky, and how many of them fail is not known. We measured it at twelve sites. "
WANDERING = "\n".join(
    f"<|ref|>text<|/ref|><|det|>[[100, {y}, 900, {y + 20}]]<|/det|>\nLosses by site and by month of the year.\n"
    for y in range(100, 900, 40)
)
TWO_LINES = "Upper sites lost three sensors.\nLower sites lost a dozen of them.\n" * 20
ROW = "<tr><td>Upper</td><td>not applicable</td><td>not applicable</td></tr>"


@pytest.mark.parametrize(
    "text",
    [
        PROSE + "Sensors fail often under ice. " * 17,
        PROSE + "Sensors fail often under ice. " * 17 + PROSE,
        PROSE * 3 + TWO_LINES,
        (PROSE * 3).replace("twelve", "12") * 6,
        WANDERING,
        WANDERING.replace("<|ref|>", "").replace("<|/ref|>", "").replace("<|det|>", "").replace("<|/det|>", ""),
        PROSE + "<td></td>" * 500,
        PROSE + "0" * 20_000,
        PROSE + ". " * 500,
        PROSE + "\\quad " * 300,
        "氷の下のセンサーはよく壊れるので河川の調査では多くの機器を置く。" * 30,
    ],
)
def test_circles(text: str) -> None:
    assert repeats(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        PROSE * 3,
        "Sensors fail often under ice. " * 8,
        f"<table>{''.join(ROW.replace('Upper', f'Site {n}') for n in range(60))}</table>",
        f"<table>{ROW * 7}</table>",
        f"<table>{'<tr><td>0</td><td>n.s.</td></tr>' * 30}</table>",
        "1 Introduction " + ". " * 60 + "3\n2 Methods " + ". " * 70 + "5",
        "\n".join(f"[{n}] Poe E, Roe E. Ice on rivers {n}. Rivers. {1960 + n};3:1-9." for n in range(60)),
        "| | | | |\n" * 25,
        "A" * 300,
    ],
)
def test_no_circles(text: str) -> None:
    assert not repeats(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_pages_of_papers_hold_no_circles(page: Path) -> None:
    assert not repeats(page.read_text("utf-8"))


@pytest.mark.parametrize("piece", ["[", "[[1,", "<|det|>", "![", "![](page_1", "a b ", "```", "x[[1,2]]\n"])
def test_no_reply_takes_long(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.process_time()
    repeats(text)
    cuts_of(text, 1, (100, 100))
    cleaned(text)
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    ("reply", "page"),
    [
        ("# Ice", "# Ice"),
        ("  # Ice\n\nIt fails.\n", "# Ice\n\nIt fails."),
        ("```markdown\n# Ice\n```", "# Ice"),
        ("```\n# Ice\n```\n", "# Ice"),
        ("Code:\n```\nx = 1\n```", "Code:\n```\nx = 1\n```"),
        ("# Ice<｜end▁of▁sentence｜>", "# Ice"),
        ("---\nprimary_language: en\nis_table: False\n---\n\n# Ice", "# Ice"),
        ("---\n\n# Ice", "---\n\n# Ice"),
        ("title[[1, 2, 3, 4]]\n# Ice", "<|ref|>title<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\n# Ice"),
        ("A table of\nvalues[[1]]\n# Ice", "A table of\nvalues[[1]]\n# Ice"),
        (
            "<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\nmatrix[[1, 0, 0, 1]]",
            "<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\nmatrix[[1, 0, 0, 1]]",
        ),
    ],
)
def test_wrappings_are_taken_off(reply: str, page: str) -> None:
    assert cleaned(reply) == page


def test_figures_of_tags() -> None:
    text = (
        "<|ref|>image<|/ref|><|det|>[[100, 200, 300, 400], [320, 180, 500, 400]]<|/det|>\n\n"
        "<|ref|>image<|/ref|>\nwithout a box\n\n"
        "<|ref|>chart<|/ref|><|det|>[[10, 20, 30, 40]]<|/det|>\n"
    )
    first, second = cuts_of(text, 7, (1000, 1000))
    assert (first.name, first.whole) == ("fig_page007_01.png", Box(100, 180, 500, 400))
    assert (second.name, second.boxes) == ("fig_page007_03.png", (Box(10, 20, 30, 40),)), "the third picture"


def test_figures_of_markdown() -> None:
    text = (
        "![Loss (a) and ice](page_100_50_200_100.png) ![](images/page_0_0_9999_9999.png) "
        "![](page_5000_0_10_10.png) ![](x.png)"
    )
    assert [(cut.place, cut.whole) for cut in cuts_of(text, 1, (1000, 500))] == [
        (1, Box(100, 100, 300, 300)),
        (2, Box(0, 0, 1000, 1000)),
    ]
