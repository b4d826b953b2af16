"""Where the lines of a quote are printed: found by letters, in the boxes of its node alone."""

from __future__ import annotations

from kag.qa.page.page_nodes import Line, pdf_lines, quote_places
from tests.serving import PDF

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
