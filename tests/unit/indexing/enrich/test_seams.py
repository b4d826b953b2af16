"""Two texts read as one where the page cut them."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.mentions import Seam, find_seams, join
from kag.rdf.namespaces import KAG
from kag.rdf.workspace import Workspace


def test_a_seam_has_the_words_around_the_cut():
    assert join(3, "see Fig.\n", 4, "3 for more") == Seam(3, 4, "see Fig. 3 for more", 0, 8)
    long = join(0, "a" * 300 + " end", 1, "b" * 300)
    assert (long.start, long.cut, len(long.text)) == (104, 200, 401)
    assert long.text[long.cut - 4 : long.cut + 2] == " end b"[:6]


@pytest.mark.parametrize(("words", "parts"), [
    ("Fig. 3", ((4, 8), (0, 1))),
    ("see Fig.", None),  # before the cut
    ("see Fig. ", None),  # the blank between is of neither
        (" 3", None),
        ("3 for", None),  # behind it
    (". 3 for more", ((7, 8), (0, 10))),
])  # fmt: skip
def test_parts_of_what_a_seam_cuts(words, parts):
    seam = join(0, "see Fig.", 1, "3 for more")
    at = seam.text.index(words)
    assert seam.parts(at, at + len(words)) == parts


def test_places_count_from_the_beginning_of_the_earlier_text():
    earlier, later = "x" * 300 + " (Smith et", "al. 2010) saw"
    seam = join(0, earlier, 1, later)
    at = seam.text.index("Smith et al. 2010")
    (one, end), other = seam.parts(at, at + len("Smith et al. 2010"))
    assert earlier[one:end] == "Smith et"
    assert later[slice(*other)] == "al. 2010"


def test_texts_that_continue_one_another_have_a_seam():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    hosts = [ws.node(name) for name in ("a", "b", "c", "d")]
    for later, earlier in (("b", "a"), ("c", "b"), ("d", "x")):
        ws.add(ws.node(later), KAG.continues, ws.node(earlier))
    seams = find_seams(ws, hosts, ["see", "Fig.", " ", "3"])
    assert [(seam.earlier, seam.later) for seam in seams] == [(0, 1)], "none with a blank text, or one left out"
