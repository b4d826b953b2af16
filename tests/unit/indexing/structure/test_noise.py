from __future__ import annotations

import pytest

from kag.core.types import Cell, Table
from kag.indexing.structure.page_layout import find_noise
from tests.unit.indexing.structure.blocks import block

FOOT = ((60, 960, 400, 975),)
BODY = ((60, 200, 940, 400),)


def reasons(*blocks) -> dict[str, str]:
    return {name: skipped.reason for name, skipped in find_noise(blocks).items()}


def test_running_heads_repeat_in_a_margin() -> None:
    blocks = [block(f"{n}.1", f"Journal of Tests | 12 {n}", boxes=FOOT) for n in (1, 2, 3)]
    assert reasons(*blocks) == {b.id: "running head" for b in blocks}


def test_a_margin_text_that_does_not_repeat_stays() -> None:
    assert reasons(block("1.1", "See the methods.", boxes=FOOT), block("2.1", "Body.", boxes=BODY)) == {}


def test_a_text_that_repeats_in_the_body_stays() -> None:
    assert reasons(block("1.1", "Same words.", boxes=BODY), block("2.1", "Same words.", boxes=BODY)) == {}


def test_page_numbers() -> None:
    for text in ("7", "- 7 -", "Page 7 of 12", "xiv"):
        assert reasons(block("1.1", text, boxes=FOOT)) == {"b_p001_0001": "page number"}, text
    assert reasons(block("1.1", "7", boxes=BODY)) == {}


def test_labels_of_furniture_are_believed() -> None:
    assert reasons(block("1.1", "Some Journal", "header", BODY)) == {"b_p001_0001": "running head"}
    assert reasons(block("1.1", "12", "page_number", BODY)) == {"b_p001_0001": "page number"}


def test_a_cover_that_repeats_title_and_abstract() -> None:
    title, abstract = "A study of river sensors in winter", "Rivers freeze and sensors fail in many ways. " * 5
    blocks = [
        block("1.1", title, "title"),
        block("1.2", abstract),
        block("2.1", title, "title"),
        block("2.2", abstract),
        block("2.3", "Sensors were placed in March."),
    ]
    assert set(reasons(*blocks)) == {"b_p002_0001", "b_p002_0002"}


def test_another_title_is_no_cover() -> None:
    blocks = [block("1.1", "A study of river sensors", "title"), block("2.1", "Results of the campaign", "title")]
    assert reasons(*blocks) == {}


def test_heads_of_left_and_right_pages_alternate() -> None:
    heads = ("12 River Journal", "Sensors under ice 13", "14 River Journal", "Sensors under ice 15")
    blocks = [block(f"{n}.1", text, boxes=FOOT) for n, text in enumerate(heads, 1)]
    assert set(reasons(*blocks).values()) == {"running head"}
    assert len(reasons(*blocks)) == 4


def test_notices_of_a_download_are_no_part_of_the_paper() -> None:
    notice = "Downloaded from rivers.example.org by a guest on 3 May 2020"
    assert reasons(block("1.1", notice, boxes=BODY)) == {"b_p001_0001": "download notice"}
    assert reasons(block("1.1", "Downloaded files were read with care.", boxes=BODY)) == {}


def box(y0: int, y1: int) -> tuple[tuple[int, int, int, int], ...]:
    return ((60, y0, 400, y1),)


def test_two_pages_make_a_running_head() -> None:
    assert len(reasons(block("1.1", "River ice", boxes=FOOT), block("9.1", "River ice", boxes=FOOT))) == 2
    assert reasons(block("1.1", "River ice", boxes=FOOT), block("1.2", "River ice", boxes=FOOT)) == {}
    assert reasons(block("1.1", "River ice", boxes=FOOT), block("9.1", "River fog", boxes=FOOT)) == {}


@pytest.mark.parametrize(
    ("boxes", "margin"),
    [
        (box(60, 75), True),
        (box(60, 76), False),
        (box(930, 945), True),
        (box(929, 945), False),
        (box(930, 940) + box(950, 960), True),
        (box(60, 70) + box(900, 910), False),
        (box(60, 70) + box(950, 960), False),
        ((), False),
    ],
)
def test_where_a_margin_ends(boxes: tuple[tuple[int, int, int, int], ...], margin: bool) -> None:
    assert reasons(block("1.1", "7", boxes=boxes)) == ({"b_p001_0001": "page number"} if margin else {})


@pytest.mark.parametrize(("letters", "found"), [(200, 2), (201, 0)])
def test_a_long_text_is_no_running_head(letters: int, found: int) -> None:
    assert len(reasons(*(block(f"{n}.1", "a" * letters, boxes=FOOT) for n in (1, 2)))) == found


@pytest.mark.parametrize("label", ["title", "table", "image"])
def test_titles_tables_and_pictures_are_no_running_heads(label: str) -> None:
    assert reasons(*(block(f"{n}.1", "River ice", label, FOOT) for n in (5, 9))) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 2 3", "line numbers"),
        ("1 2", ""),
        ("10 15 20 25", "line numbers"),
        ("10 15 21", ""),
        ("3 2 1", ""),
        ("9997 9998 9999", "line numbers"),
        ("99997 99998 99999", ""),
        ("1 2 3 a", ""),
        ("1 2 3" + " 4" * 100, ""),
        ("Downloaded from ice.example.org" + " at noon" * 30, ""),  # too long for a notice
        ("View publication stats", "download notice"),
    ],
)
def test_numbers_of_lines_and_notices(text: str, reason: str) -> None:
    assert list(reasons(block("1.1", text, boxes=BODY)).values()) == ([reason] if reason else [])


def test_a_title_is_no_notice() -> None:
    assert reasons(block("1.1", "View publication stats", "title", BODY)) == {}


def test_what_prints_nothing_is_empty() -> None:
    assert reasons(block("1.1", " \n", boxes=BODY)) == {"b_p001_0001": "empty"}
    assert reasons(block("1.1", "", "image", ())) == {"b_p001_0001": "picture without a readable box"}
    assert reasons(block("1.1", "", "table", BODY, Table((Cell("a", 0, 0),), 1, 1))) == {}


@pytest.mark.parametrize(
    ("width", "height", "text", "reason"),
    [(59, 59, "", "logo"), (60, 59, "", ""), (59, 60, "", ""), (59, 59, "Fig. 1", "")],
)
def test_how_small_a_logo_is(width: int, height: int, text: str, reason: str) -> None:
    picture = block("1.1", text, "image", ((100, 100, 100 + width, 100 + height),))
    assert list(reasons(picture).values()) == ([reason] if reason else [])


TITLE = "A study of river sensors in winter"


@pytest.mark.parametrize(
    ("page", "again", "covered"),
    [
        (2, TITLE, True),
        (3, TITLE, True),
        (4, TITLE, False),  # a cover is one of the first pages
        (1, TITLE, False),  # two titles of one page
        (2, "A study of sensors in winter", True),  # 5 of 6 words
        (2, "A study of sensors winter", False),  # 4 of 6 words
    ],
)
def test_what_a_cover_is(page: int, again: str, covered: bool) -> None:
    blocks = [block("1.1", TITLE, "title"), block("1.2", "Rivers freeze."), block(f"{page}.3", again, "title")]
    assert bool(reasons(*blocks, block(f"{page}.4", "More words."))) == covered


def test_behind_a_cover_only_what_was_printed_before_is_left_out() -> None:
    cover = [block("1.1", TITLE, "title"), block("1.2", "Rivers freeze, sensors fail.")]
    front = [block("2.1", TITLE, "title"), block("2.2", "Rivers freeze, sensors fail."), block("2.3", "Sensors melt.")]
    later = block("3.1", "Rivers freeze, sensors fail.")
    assert set(reasons(*cover, *front, later)) == {"b_p002_0001", "b_p002_0002"}
    assert set(reasons(*cover, *front, later).values()) == {"printed before on the cover"}


def test_the_first_title_is_the_one_of_the_cover() -> None:
    blocks = [block("1.1", TITLE, "title"), block("2.1", TITLE, "title"), block("3.1", "Another story", "title")]
    assert set(reasons(*blocks)) == {"b_p002_0001"}
