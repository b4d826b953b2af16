"""Block texts and pages of plain Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.core.types import Link
from kag.sources.draft import assemble
from kag.sources.markdown import read_markdown
from kag.sources.ocr.page_markdown import BlockText, read_text, split_markdown
from kag.sources.reading import AS_IT_IS
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


def read(tmp_path, text):
    path = tmp_path / "paper.md"
    path.write_text(text, encoding="utf-8")
    return assemble("paper", read_markdown(path, AS_IT_IS))


def test_a_link_to_a_name_leads_to_the_block_that_has_it(tmp_path):
    text = "# Ice\n\nIt melts [[1](#r1), [2](#gone)] and [see](http://x).\n\n## References\n\n"
    text += '[1] Poe E. Ice.<a id="r1"></a>'
    blocks = read(tmp_path, text).blocks
    assert [block.text for block in blocks] == [
        "Ice",
        "It melts [1, 2] and [see](http://x).",
        "References",
        "[1] Poe E. Ice.",
    ]
    assert blocks[1].links == (Link(10, 11, blocks[3].id),)


def test_a_heading_keeps_its_words_and_gives_its_name(tmp_path):
    blocks = read(tmp_path, '# Ice\n\n## Methods<a id="m"></a>\n\nWords, see [Methods](#m).\n').blocks
    assert (blocks[1].text, blocks[2].links[0].block) == ("Methods", blocks[1].id)


def test_a_text_worded_as_a_caption_goes_with_the_float_beside_it(tmp_path):
    blocks = read(
        tmp_path,
        "![](a.png)\n\nFigure 1 Losses.\n\nTable 2 shows more.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "Table 3: Sites\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nFigure 2. Drawn elsewhere.\n\n"
        "表1 衰减值\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    ).blocks
    of = {block.plain: block.caption_of for block in blocks if block.caption_of}
    assert of == {"Figure 1 Losses.": blocks[0].id, "Table 3: Sites": blocks[5].id, "表1 衰减值": blocks[8].id}


def test_the_highest_heading_below_the_title_is_at_the_top(tmp_path):
    blocks = read(tmp_path, "# Ice\n\n## Methods\n\n### Sites\n\nWords.\n\n## Results\n\nWords.\n").blocks
    assert [(b.text, b.heading_level) for b in blocks if b.label == "sub_title"] == [
        ("Methods", 1),
        ("Sites", 2),
        ("Results", 1),
    ]
