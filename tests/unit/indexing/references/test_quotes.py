"""The title that an entry prints in quotation marks of any kind."""

from __future__ import annotations

import pytest

from kag.indexing.references.entry_titles import quoted_title


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("“Ice on lakes,” J. Ice", "Ice on lakes", " J. Ice"),
        (', "Ice on lakes," J. Ice', "Ice on lakes", " J. Ice"),
        ("``Ice on lakes,'' J. Ice", "Ice on lakes", " J. Ice"),
        ("‘Ice on lakes,’ J. Ice", "Ice on lakes", " J. Ice"),
        ("'Ice on lakes', J. Ice", "Ice on lakes", ", J. Ice"),
        ("„Ice on lakes“, J. Ice", "Ice on lakes", ", J. Ice"),
        ("«Ice on lakes», J. Ice", "Ice on lakes", ", J. Ice"),
        ("「湖泊冰层」 冰川", "湖泊冰层", " 冰川"),
        ("Poe, “Ice on lakes,” J. Ice", "Ice on lakes", " J. Ice"),  # behind a name that was not read
        ("Poe E, 'Ice on lakes', Oslo", "Ice on lakes", " Oslo"),
    ],
)
def test_a_title_in_quotation_marks(text: str, title: str, rest: str, named: bool) -> None:
    found = quoted_title(text, named=named)
    assert found is not None
    assert (found[0], text[found[1] :]) == (title, rest)


@pytest.mark.parametrize("text", ["and others “Ice on lakes” J. Ice", "some running words, “Ice on lakes,” J. Ice"])
def test_words_may_stand_before_it_where_no_names_were_read(text: str) -> None:
    assert quoted_title(text, named=True) is None
    assert quoted_title(text, named=False) is not None


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    "text", ["Ice on lakes", "“Ice”: on lakes", "“Ice on” lakes", "The word “ice” is cold. J. Ice", "“I”", ""]
)
def test_words_of_a_title_in_quotation_marks_are_no_title(text: str, named: bool) -> None:
    assert quoted_title(text, named=named) is None
