from __future__ import annotations

from kag.write.structure.noise import find_noise
from tests.unit.write.structure.blocks import block

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


def test_small_pictures_are_logos() -> None:
    assert reasons(block("1.1", "", "image", ((800, 50, 840, 80),))) == {"b_p001_0001": "logo"}
    assert reasons(block("1.1", "", "image", ((100, 100, 800, 500),))) == {}


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


def test_a_running_head_that_ocr_misreads_is_one() -> None:
    heads = (
        "A. Lima: Sensors under river ice 1",
        "A. Lima: Sensors under river ice 2",
        "A. Lima: Sens0rs under river ice 3",
    )
    blocks = [block(f"{n}.1", text, boxes=FOOT) for n, text in enumerate(heads, 1)]
    assert reasons(*blocks) == {b.id: "running head" for b in blocks}
    other = block("4.1", "A. Lima: Nothing about the winter at all", boxes=FOOT)
    assert other.id not in reasons(*blocks, other)


def test_heads_of_left_and_right_pages_alternate() -> None:
    heads = ("12 River Journal", "Sensors under ice 13", "14 River Journal", "Sensors under ice 15")
    blocks = [block(f"{n}.1", text, boxes=FOOT) for n, text in enumerate(heads, 1)]
    assert set(reasons(*blocks).values()) == {"running head"}
    assert len(reasons(*blocks)) == 4


def test_notices_of_a_download_are_no_part_of_the_paper() -> None:
    notice = "Downloaded from rivers.example.org by a guest on 3 May 2020"
    assert reasons(block("1.1", notice, boxes=BODY)) == {"b_p001_0001": "download notice"}
    assert reasons(block("1.1", "Downloaded files were read with care.", boxes=BODY)) == {}


def test_numbers_of_lines() -> None:
    assert reasons(block("1.1", "5\n10\n15\n20", boxes=BODY)) == {"b_p001_0001": "line numbers"}
    assert reasons(block("1.1", "1 2 3", boxes=BODY)) == {"b_p001_0001": "line numbers"}
    assert reasons(block("1.1", "3 9 27", boxes=BODY)) == {}
