"""What numbers in a text are call-outs to references, in many spellings, and what are not."""

import json
from pathlib import Path

import pytest

from kag.indexing.enrich.numeric_citations import numeric_marks
from tests.growth import linear

CASES = [
    json.loads(line) for line in Path(__file__).with_name("numeric_citations.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("text", "found"), CASES)
def test_call_outs(text, found):
    """Style and numbers of each call-out beyond doubt are those of the line."""
    assert [f"{mark.style} {','.join(map(str, mark.numbers))}" for mark in certain(text)] == found


def certain(text):
    return [mark for mark in numeric_marks(text, 100) if not mark.doubtful]


def test_places():
    text = r"as said \( ^{1} \) by [2] and (3, p. 4), ref. 5"
    found = [text[mark.start : mark.end] for mark in certain(text)]
    assert found == [r"\( ^{1} \)", "[2]", "(3, p. 4)", "ref. 5"]


def test_a_number_before_brackets_makes_them_doubtful():
    (mark,) = numeric_marks("parasegments 6 to 12 (34)", 100)
    assert mark.doubtful
    assert mark.numbers == (34,)


@pytest.mark.parametrize(
    "hostile", ["[" * 20000, "[1," * 10000, "(1-" * 10000, "^{" * 10000, "¹," * 10000, "[3, p. " * 5000]
)
def test_hostile_texts_are_read_quickly(hostile):
    assert len(numeric_marks(hostile, 100)) < 20000
    assert linear(lambda text: numeric_marks(text, 100), hostile)


def test_the_end_of_a_line_before_round_brackets_is_a_blank():
    assert [mark.doubtful for mark in numeric_marks("in the lakes\n(7), too", 99)] == [False]
    assert [mark.doubtful for mark in numeric_marks("in winter 12 (7), too", 99)] == [True]
