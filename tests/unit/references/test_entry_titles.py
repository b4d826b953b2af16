"""Where a title ends and its journal or book begins."""

from __future__ import annotations

import pytest

from kag.references.entry_titles import clean_container, container_behind, read_titles

LONG = "Losses of sensors in the lakes and rivers of the far north under ice that moves"


@pytest.mark.parametrize(
    ("text", "title", "container", "how"),
    [
        ("Ice on lakes. J. Cold Sci.", "Ice on lakes", "J. Cold Sci", "."),
        ("Ice on lakes. Journal of Cold Science,", "Ice on lakes", "Journal of Cold Science", "."),
        ("Is ice cold? Nature", "Is ice cold?", "Nature", "?"),
        ("Ice on lakes, J. Cold Phys.", "Ice on lakes", "J. Cold Phys", ","),
        ("Ice on lakes Journal of Ice", "Ice on lakes", "Journal of Ice", "blank"),
        ("Ice on lakes in Norway. Rivers", "Ice on lakes in Norway", "Rivers", "."),
        ("Ice on lakes. In: Proceedings of the 3rd Workshop on Ice", "Ice on lakes",
         "Proceedings of the 3rd Workshop on Ice", "in"),
        # points of short forms, of parts and within names of journals end no title
        ("The ecology of U.S. rivers. Rivers", "The ecology of U.S. rivers", "Rivers", "."),
        ("Growth of E. coli in ice. Appl. Microbiol.", "Growth of E. coli in ice", "Appl. Microbiol", "."),
        ("Ice on lakes: a review. Ann. Rev. Cold Sci.", "Ice on lakes: a review", "Ann. Rev. Cold Sci", "."),
        (f"{LONG}. Proc. Natl. Acad. Sci. USA", LONG, "Proc. Natl. Acad. Sci. USA", "."),
        ("湖泊冰层研究. 冰川学报", "湖泊冰层研究", "冰川学报", "."),
        ("Ice on lakes", "Ice on lakes", "", "whole"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("comma_style", [False, True])
def test_titles(text: str, title: str, container: str, how: str, comma_style: bool) -> None:
    found = read_titles(text, comma_style=comma_style, placed=True, bare=False)
    assert (found.title, found.container, found.how) == (title, container, how)


def test_a_clearer_end_is_surer() -> None:
    def sure(text: str, *, comma_style: bool = False) -> float:
        return read_titles(text, comma_style=comma_style, placed=True, bare=False).margin

    assert sure("Ice on lakes. Journal of Cold Science") > sure("Ice on lakes. Cold lakes")
    assert sure("Ice on lakes. J. Cold Phys.") > sure("Ice on lakes, J. Cold Phys.")
    assert sure("Ice on lakes, J. Cold Phys.", comma_style=True) > sure("Ice on lakes, J. Cold Phys.")


def test_what_stands_behind_quotation_marks_is_the_container() -> None:
    found = container_behind("In: Journal of Ice")
    assert (found.title, found.container, found.how) == ("", "Journal of Ice", "in")


@pytest.mark.parametrize(
    ("text", "container"),
    [
        ("J. Ice, vol.", "J. Ice"),
        ("In Proc. of Ice", "In Proc. of Ice"),
        ("Journal of Ice, pp.", "Journal of Ice"),
        ("Journal of Ice (", "Journal of Ice"),
        ("Lakes, edited by E. Poe", "Lakes"),
        ("", ""),
    ],
)
def test_a_container_without_what_labels_numbers(text: str, container: str) -> None:
    assert clean_container(text).rstrip(".") == container
