"""Block texts and pages of plain Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.sources.ocr.page_markdown import BlockText, read_text, split_markdown
from tests.growth import linear


@pytest.mark.parametrize(
    ("raw", "label", "text", "level"),
    [
        ("# Title", "title", "Title", 1),
        ("### 2.1 Methods ##", "sub_title", "2.1 Methods", 3),
        ("##Results", "sub_title", "Results", 2),
        ("##Results", "text", "##Results", 0),
        ("#1 is a number", "text", "#1 is a number", 0),
        ("## Head\nand \\( x \\)", "sub_title", "Head\nand \\( x \\)", 2),
        ("Abstract", "sub_title", "Abstract", 0),
        ("Head\n===", "sub_title", "Head", 1),
        ("Head\n---", "sub_title", "Head", 2),
        ("Words\n---", "text", "Words\n---", 0),
        ("##", "sub_title", "##", 0),
        ("####### seven", "sub_title", "####### seven", 0),
        ("", "image", "", 0),
    ],
)
def test_headings(raw, label, text, level):
    assert read_text(raw, label) == BlockText(text, level)


@pytest.mark.parametrize("raw", ["# a" + " " * 100_000 + "b", "# " + "# " * 50_000 + "b", "#" * 100_000])
def test_hostile_headings_take_no_time(raw):
    assert linear(lambda text: read_text(text, "title"), raw)


def test_a_page_of_markdown_becomes_blocks():
    text = (
        "# Title\n\nOne\nparagraph\n\n![](fig.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n- y\n\n"
        "<table><tr><td>c</td></tr></table>\n\n---\n\n[ref]: http://a.b\n\nHead\n===\n"
    )
    assert split_markdown(text) == [
        ("sub_title", "# Title", 0),
        ("text", "One\nparagraph", 2),
        ("image", "![](fig.png)", 5),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |", 7),
        ("text", "- x\n- y", 11),
        ("table", "<table><tr><td>c</td></tr></table>", 14),
        ("text", "---\n\n[ref]: http://a.b", 16),
        ("sub_title", "Head\n===", 20),
    ]


def test_link_definitions_alone_are_kept():
    assert split_markdown("[a]: http://b.c") == [("text", "[a]: http://b.c", 0)]


@given(st.text(alphabet="ab#*->|`[]:<=\n \t_1.", max_size=80))
def test_no_character_is_lost(text):
    kept = "".join("".join(raw.split()) for _, raw, _ in split_markdown(text))
    assert kept == "".join(text.split())
