"""Where a title ends and its journal or book begins."""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kag.indexing.references.entry_titles import clean_container, container_behind, read_titles

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
    assert clean_container(text) == container


FILE = Path(__file__).with_name("titles.jsonl")
HARD = (
    "Ice on lakes. Journal of Cold Science,",
    "Ice on lakes 1999 Journal of Ice",
    "Ice. Rivers",
    "Cold ice. Rivers",
    "Ice on lakes (with snow. And rain). Rivers",
    "Ice on lakes. Part II. Rivers",
    "Ice on lakes. III. The rivers",
    "Ice and. Rivers",
    "Ice on lakes, and rivers, Nature",
    "Ice on lakes yet?. Rivers",
    "Is ice cold? Nature. Rivers",
    "Cold J. Rivers",
    "Hepatitis B. Rivers",
    "On the treatment of hepatitis B. Rivers",
    "On the treatment of ice with J. Rivers",
    "Ice on lakes vs. Rivers",
    "Ice on lakes. A review of it. Nature",
    "Ice on lakes. A Review. Nature Reviews",
    "Norwegian Journal of Ice",
    "..Ice on lakes. Rivers",
    ".Ice on lakes. Rivers",
    "湖泊冰层研究。冰川学报",
    "Waves of snow. And long words of it here, for one or more of the others. Rivers",
    "Ice on lakes (1999). Rivers",
    "Ice in the far north of Phys. Rev. Lett",
    "Ice in the far north of Proc. Natl. Sci",
    "Ice in the north of Rhine. Phys. Lett",
    "Ice in the north of Lapland. Phys. Lett",
    "Ice in the north of Greenland. Phys. Lett",
    "Ice in the north of Labradoria. Rivers",
    "Ice in the north of Math. Rivers",
    "Ice on lakes, Annals of Math. Rivers of Stat",
    "Ice. a new lake of ice",
    "Ice on lakes. Snow, Hail, Fog, Rain. Dew",
    "Ice on lakes. One Two Three Four Five Six Seven Eight Nine Ten",
    "Ice on lakes. Lakes of the north were cold. Nature",
    "Ice on lakes in: Rivers",
    "Ice on lakes. in Proceedings of Ice",
    "Ice on lakes. Journal of cold and warm snow for all",
    "Lakes, Rivers & Snow, Nature",
    "“Ice” on lakes.” Nature",
    "Ice on lakes Rivers of the North",
    "",
    " .",
)


def readings(text: str) -> list[Any]:
    """Title, container, evidence and margin of a text, of names and numbers of each kind around it."""
    found = (
        read_titles(text, comma_style=comma, placed=placed, bare=bare)
        for comma, placed, bare in product((False, True), repeat=3)
    )
    return [[one.title, one.container, one.how, round(one.margin, 3)] for one in found]


def test_how_sure_a_reading_is_stays_what_was_fitted() -> None:
    """The margins tell the labeller what is clear: held as they are, written with `KAG_UPDATE_GOLDEN=1`."""
    now = [{"text": text, "read": readings(text)} for text in HARD]
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in now), encoding="utf-8")
    held = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    assert [(row, old) for row, old in zip(now, held, strict=True) if row != old] == []


@pytest.mark.parametrize(
    ("text", "container"),
    [
        ("Rivers, eds. F. Roe", "Rivers"),
        ("Proceedings of the Workshop on Ice, Oslo, Norway", "Proceedings of the Workshop on Ice"),
        ("Conf. on Ice, Oslo, Norway, June 2001", "Conf. on Ice"),
        ("Symp. on Ice (Oslo, Norway", "Symp. on Ice"),
        ("Journal of Ice, Oslo, Norway", "Journal of Ice, Oslo, Norway"),  # no meeting
        ("Rivers, 2001", "Rivers"),
        ("Rivers (2001)", "Rivers"),
        ("“Rivers”", "Rivers"),
        ("Phys. Lett.", "Phys. Lett"),
    ],
)
def test_the_name_of_a_container(text: str, container: str) -> None:
    assert clean_container(text) == container


def test_what_stands_behind_a_title_without_in_is_a_journal() -> None:
    found = container_behind("J. Ice")
    assert (found.title, found.container, found.how, found.margin) == ("", "J. Ice", "quoted", 9.0)
    assert container_behind("in Proc. of Ice").container == "Proc. of Ice"
