"""Where captions begin and end, and which sentences are none."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.file.drawing import drawn_on
from kag.sources.pdf.floats.captions import find_captions
from kag.sources.pdf.floats.crops import crop_of
from kag.sources.pdf.text.columns import Gutter
from tests.printed_pdf import Printed, write_pdf
from tests.unit.sources.pdf.typeset import BODY, BOLD, lines, text, words


def captions(made: list, gutters: tuple[Gutter, ...] = (), rules: tuple[Rect, ...] = ()) -> list[tuple[str, str, str]]:
    found = find_captions(lines(made), BODY, gutters, rules)
    return [(one.kind, one.label, " ".join(line.text for line in one.lines)) for one in found]


@pytest.mark.parametrize(
    ("printed", "kind", "label"),
    [
        ("Figure 3. Yields of ice.", "figure", "Figure 3"),
        ("Fig. 2: Yields of ice", "figure", "Fig. 2"),
        ("FIGURE 3 | Yields of ice", "figure", "FIGURE 3"),
        ("Table IV. Yields", "table", "Table IV"),
        ("Table S1. Yields", "table", "Table S1"),
        ("Supplementary Figure 2. Yields", "figure", "Supplementary Figure 2"),
        ("Abbildung 1.2: Erträge", "figure", "Abbildung 1.2"),
        ("Tabla 4.3: Rendimientos", "table", "Tabla 4.3"),
        ("Table 2 (continued)", "table", "Table 2"),
        ("Table 2. Cont.", "table", "Table 2"),
        ("Table 2 [contd]", "table", "Table 2"),
        ("Tabela 2 (continuação)", "table", "Tabela 2"),
        ("Continuation of Table 2", "table", "Continuation of Table 2"),
        ("Scheme 1. Routes", "figure", "Scheme 1"),
    ],
)
def test_a_label_and_a_mark_begin_a_caption(printed: str, kind: str, label: str) -> None:
    assert captions(words(50, 100, printed)) == [(kind, label, printed)]


@pytest.mark.parametrize(
    "printed",
    [
        "Figure 3 shows yields of ice.",
        "Figure 3, as said, shows yields.",
        "Figures 3 and 4. Yields",
        "Table 1) and the ice",
        "Figure 1.1: Yields . . . . . . . 12",
        "Figure Skating in winter",
    ],
)
def test_sentences_and_lists_are_none(printed: str) -> None:
    assert captions(words(50, 100, printed)) == []


def test_a_line_of_a_paragraph_that_begins_with_a_label_is_none() -> None:
    made = words(50, 100, "the gauges were read by hand, as is told in") + words(50, 112, "Figure 3. They froze")
    assert captions(made) == []


def test_a_label_in_bold_needs_no_mark() -> None:
    bold = words(50, 100, "Table 2", 10, BOLD)
    assert captions([*bold, *words(90, 100, "Yields of ice")])[0][2] == "Table 2 Yields of ice"
    assert captions(words(50, 100, "Table 2 Yields of ice")) == []


def test_a_caption_goes_on_in_its_type_and_ends_at_a_gap() -> None:
    made = words(50, 100, "Figure 1. Yields of ice", 8) + words(50, 110, "in two winters.", 8)
    assert captions([*made, *words(50, 130, "Small print.", 8)])[0][2] == "Figure 1. Yields of ice in two winters."
    assert captions([*made, *words(50, 121, "The text goes on.")])[0][2] == "Figure 1. Yields of ice in two winters."


def test_a_caption_does_not_cross_a_rule() -> None:
    made = words(50, 100, "Table 1. Yields of ice") + words(50, 114, "Year and yield of it")
    assert captions(made)[0][2].endswith("of it")
    assert captions(made, rules=(Rect(50, 104.5, 300, 105),))[0][2] == "Table 1. Yields of ice"


def test_a_bare_label_takes_the_title_below_it() -> None:
    made = words(50, 100, "Table 1", 10, BOLD) + words(50, 116, "Yields of ice in two winters", 10)
    assert captions(made)[0][2] == "Table 1 Yields of ice in two winters"


def test_a_caption_stays_in_its_column() -> None:
    made = words(50, 100, "Figure 1. Yields", 8) + text(320, 100, 4, 40)
    assert captions(made, (Gutter(290, 310, 20),))[0][2] == "Figure 1. Yields"


def double_spaced(*rows: str) -> list:
    return [word for n, row in enumerate(rows) for word in words(50, 100 + 24 * n, row)]


def test_in_a_typescript_a_sentence_goes_on_with_a_label_and_a_caption_over_lines() -> None:
    prose = ("the gauges that were read by hand at dawn are in", "Table 2. and all of the others were read at noon by")
    assert captions(double_spaced(*prose, *prose)) == []
    legend = (
        "the last of them was by us.",
        "Figure 1. Losses of ice on the rivers of the",
        "north by year.",
        "We read",
    )
    assert captions(double_spaced(*legend)) == [
        ("figure", "Figure 1", "Figure 1. Losses of ice on the rivers of the north by year.")
    ]


def test_a_crop_shows_its_part_of_the_page_the_same_each_time(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "paper.pdf", [Printed(bars=[(200, 300, 100, 60)])])
    document = pypdfium2.PdfDocument(path)
    page = document[0]
    high = page.get_size()[1]
    (bar,) = [made for made in drawn_on(page.raw, lambda x, y: (x, high - y), *page.get_size())]
    png = crop_of(page, Rect(*bar[1:]), 2.0)
    assert png == crop_of(page, Rect(*bar[1:]), 2.0)
    image = Image.open(io.BytesIO(png))
    assert image.size == (208, 128)  # two points around
    assert image.getpixel((104, 64)) == (0, 0, 0)
    assert image.getpixel((1, 1)) == (255, 255, 255)


def test_a_crop_is_bounded(tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument(write_pdf(tmp_path / "paper.pdf", [Printed()]))
    page = document[0]
    width, height = Image.open(io.BytesIO(crop_of(page, Rect(0, 0, 400, 600), 400.0))).size
    assert width * height < 41_000_000
