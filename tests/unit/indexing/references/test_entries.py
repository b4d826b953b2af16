"""Numbers of entries, and blocks that hold several of them."""

from itertools import pairwise

import pytest

from kag.indexing.structure.reference_list import entry_number, split_entries


@pytest.mark.parametrize(("text", "number"), [
    ("[12] Smith J. T.", 12), ("12. Smith J. T.", 12), ("12 Smith J. T.", 12), ("(12) Smith J. T.", 12),
    ("12.Smith J. T.", 12), ("1. 14CHRONO Centre. T.", 1), (r"\( ^{7} \) Smith J. T.", 7), ("7 .", 7),
    ("¹² Smith J. T.", 12), ("- [3] Smith J. T.", 3), ("- Smith J. T.", None),
    ("Smith J. T.", None), ("1000 Genomes Project Consortium. T.", None), ("2010; 3: 4–5", None), ("12", None),
    ("", None), ("[0] Smith J.", None), ("12–15 pages", None),
])  # fmt: skip
def test_entry_number(text, number):
    assert entry_number(text) == number


def parts(text):
    return [text[start:end].strip() for start, end in split_entries(text)]


@pytest.mark.parametrize("entries", [
    ["[3] A Smith. T. 2004.", "[4] B Jones. T. 2005.", "[5] C Roe. T. 2006."],
    ["9. Smith J, Roe K. T. J. 2004;12:1–2.", "10. Jones K. T. 2005."],
    ["9 Smith J, Roe K. T. J. 2004;12:1–2.", "10 Jones K. T. 2005;1:3–4."],
])  # fmt: skip
@pytest.mark.parametrize("between", ["\n", " "])
def test_numbered_entries(entries, between):
    assert parts(between.join(entries)) == entries


def test_numbered_entries_of_a_markdown_list():
    text = "- [3] A Smith. T. 2004. 2\n- [4] B Jones. T. 2005\n- [5] C Roe. T. 2006."
    assert parts(text) == ["- [3] A Smith. T. 2004. 2", "- [4] B Jones. T. 2005", "- [5] C Roe. T. 2006."]


def test_unnumbered_entries_on_lines():
    entries = ["Blackboard Help (2024). Calculate grades.", "Brown, T. (2021). gradeR: Helps. GitHub.",
               "van der Zee, M. (n.d.). Undated."]  # fmt: skip
    assert parts("\n".join(entries)) == entries


def test_a_wrapped_line_is_no_entry():
    text = "Brown, T. (2021). A long title that goes\non in the next line (2019) and ends. Journal, 3, 4–5."
    assert parts(text) == [text]


def test_numbers_inside_an_entry_do_not_split_it():
    text = "[3] Smith J. The 4 seasons. J Phys. 2004;4:5–6. doi:10.1/4 . [6] is elsewhere."
    assert parts(text) == [text]


def test_a_block_that_starts_inside_an_entry_keeps_its_first_part():
    assert parts("and the rest. Cell. 2001;1:2–3.\n[16] Hancks D. T. 2016.") == [
        "and the rest. Cell. 2001;1:2–3.",
        "[16] Hancks D. T. 2016.",
    ]


@pytest.mark.parametrize("text", ["[1] A. 2001.\n[2] B. 2002.", "Plain text.", "  [7] x", "1 A B. 2 C D.\n\n"])
def test_spans_cover_the_text_in_order(text):
    spans = split_entries(text)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(earlier[1] == later[0] for earlier, later in pairwise(spans))


def test_empty_text_has_no_entries():
    assert split_entries(" \n ") == []


@pytest.mark.parametrize(("text", "found"), [
    ("1. Poe E. Ice. J Ice. 2001. 2. Snow and hail. 2002.", 1),  # nobody is named behind the number
    ("1. Poe E. Ice. J Ice. 2001. 2. Roe F. Snow. 2002.", 2),
    ("1 Poe E. Ice. 2001 2 Roe F. Snow. 2002.", 2),
    ("1 Poe E. Ice of 2 Roe F. Snow. 2002.", 1),  # nothing ends before the number
    ("(1) Poe E. Ice. 2001. (2) Roe F. Snow. 2002.", 2),
    ("(1) Poe E. Ice. 2001. (3) Roe F. Snow. 2002.", 1),  # it does not count on
    ("(1) Poe E. Ice. 2001. [2] Roe F. Snow. 2002.", 1),  # in another form of print
    ("[1] Poe. Ice. 2001. [2] what. 2002.", 2),  # brackets need no name
    ("the tail of it. 2000.\n5. Poe E. Ice. 2001.\n6. Roe F. Snow. 2002.", 3),
    ("the tail of it, 2000;\n5. Poe E. Ice. 2001.\n6. Roe F. Snow. 2002.", 2),  # the tail is not ended
    ("5. Poe E. Ice. 2001 and\n6. snow was. 2002.", 2),  # on a line of its own
    ("Poe E. Ice. 2001,\nRoe F. Snow. 2002", 1),
    ("Poe E. Ice. 2001.\nRoe F. Snow. 2002", 2),
])  # fmt: skip
def test_how_many_entries_a_block_has(text, found):
    assert len(split_entries(text)) == found
    assert "".join(text[start:end] for start, end in split_entries(text)) == text
