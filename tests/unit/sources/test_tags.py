"""Pages cut at their tags, well-formed and broken."""

import pytest

from kag.core.types import Box
from kag.sources.boxes import parse_boxes
from kag.sources.ocr.tags import split_page
from tests.growth import linear

REF = "<|ref|>text<|/ref|>"
TAG = REF + "<|det|>[[1, 2, 3, 4]]<|/det|>"
ONE = (Box(1, 2, 3, 4),)


def read(text):
    segments, repairs = split_page(text, 7)
    return [(s.label, s.boxes, s.raw) for s in segments], [(r.page, r.line, r.problem) for r in repairs]


def test_tags_text_and_lines():
    text = (
        "<|ref|> Title <|/ref|><|det|>[[68, 79, 837, 133]]<|/det|>\n# A\n\n"
        "<|ref|>image<|/ref|><|det|>[[1,2,3,4]]<|/det|>\n\n"
        "<|ref|>text<|/ref|><|det|>[[0, 0, 10, 10], [20.4, 0, 30.6, 1e1]]<|/det|>\n"
        "One\ntwo<|ref|>odd_Label<|/ref|>\n<|det|>[[5,6,7,8]]<|/det|>tail"
    )
    segments, repairs = split_page(text, 7)
    assert [(s.label, s.boxes, s.raw, s.line) for s in segments] == [
        ("title", (Box(68, 79, 837, 133),), "# A", 1),
        ("image", (Box(1, 2, 3, 4),), "", 4),
        ("text", (Box(0, 0, 10, 10), Box(20, 0, 31, 10)), "One\ntwo", 6),
        ("odd_label", (Box(5, 6, 7, 8),), "tail", 8),
    ]
    assert repairs == []


def test_text_before_the_first_tag_has_no_label():
    segments, repairs = split_page(f"\n\nBefore\n{TAG}\nAfter", 1)
    assert [(s.label, s.raw, s.line) for s in segments] == [(None, "Before", 3), ("text", "After", 4)]
    assert repairs == []
    assert split_page(" \n ", 1) == ([], [])


@pytest.mark.parametrize(
    ("broken", "expected", "problem"),
    [
        ("<|ref|>image<|/ref|>\nA", ("image", (), "A"), "a tag without a box list"),
        ("<|ref|>table<|det|>[[1,2,3,4]]<|/det|>\nA", ("table", ONE, "A"), "a tag's label is not closed"),
        ("<|ref|>A long text\nB", ("text", (), "A long text\nB"), "a tag is not closed"),
        ("<|det|>[[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a box list without a label"),
        ("<|ref|> <|/ref|><|det|>[[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a tag without a label"),
        (REF + "<|det|>[[1,2,3,4]]\n[12] A", ("text", ONE, "[12] A"), "a tag's box list is not closed"),
        (REF + "<|det|>[[1,2,3,4],[5,6\n12 mi", ("text", ONE, "12 mi"), "a tag's box list is not closed"),
        (REF + "<|det|>[[1,2,3<|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>[[1,2,NaN,4]]<|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>words here<|/det|>A", ("text", (), "words here\nA"), "the box list cannot be read"),
        (REF + "<|det|>[]<|/det|>A", ("text", (), "A"), "the box list is empty"),
        (REF + "<|det|><|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>[[1,2,3],[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a box is not four numbers"),
        (REF + "<|det|>[[-5,2,3,2000]]<|/det|>A", ("text", (Box(0, 2, 3, 1000),), "A"), "a box leaves the page"),
        (REF + "<|det|>[[30,2,3,4]]<|/det|>A", ("text", (Box(3, 2, 30, 4),), "A"), "a box ends before it begins"),
    ],
)  # fmt: skip
def test_a_broken_tag_keeps_its_text_and_is_recorded(broken, expected, problem):
    segments, repairs = read(f"{TAG}\nFirst\n{broken}\n{TAG}Last")
    assert segments[0] == ("text", (Box(1, 2, 3, 4),), "First")
    assert segments[1] == expected
    assert segments[-1] == ("text", (Box(1, 2, 3, 4),), "Last")
    assert (7, 3, problem) in repairs


def test_stray_marks_are_dropped_inside_a_block():
    segments, repairs = read(f"{TAG}\nA<|/det|> B <|/ref|>C")
    assert segments == [("text", (Box(1, 2, 3, 4),), "A B C")]
    assert repairs == [(7, 2, "a stray <|/det|>"), (7, 2, "a stray <|/ref|>")]


def test_a_label_is_short_and_on_one_line():
    words = "w" * 100
    segments, _ = read(f"<|ref|>{words}<|/ref|>x<|ref|>a\nb<|/ref|>")
    assert "".join(raw for _, _, raw in segments).replace("\n", "") == words + "xab"


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("[1, 2, 3, 4]", (Box(1, 2, 3, 4),)),
        ("[(1, 2, 3, 4), (5, 6, 7, 8),]", (Box(1, 2, 3, 4), Box(5, 6, 7, 8))),
        ("[[true, 2, 3, 4]]", ()),
        ('[["1", 2, 3, 4]]', ()),
        ("[[1e999, 2, 3, 4]]", ()),
        ("[[" + "9" * 5000 + ", 2, 3, 4]]", ()),
        ("[" * 100_000, ()),
        ("__import__('os')", ()),
        ("{}", ()),
    ],
    ids=lambda value: str(value)[:20],
)
def test_parse_boxes(text, boxes):
    assert parse_boxes(text)[0] == boxes
    assert bool(parse_boxes(text)[1]) is (boxes == ())


@pytest.mark.parametrize("unit", ["<|ref|>", "<|det|>", "<|det|>[[", "<|ref|>a<|/ref|>", "<|det|>[1," * 2, "<|ref|>a"])
def test_hostile_pages_take_no_time(unit):
    assert linear(lambda text: split_page(text, 1), unit * 20_000)
