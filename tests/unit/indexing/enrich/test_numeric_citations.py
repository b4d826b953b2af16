"""What numbers in a text are call-outs to references, in many spellings, and what are not."""

import json
from pathlib import Path

import pytest

from kag.core.types import Document
from kag.indexing.enrich.citations import find_unlisted, link_unlisted
from kag.indexing.enrich.numeric_citations import flat_marks, numeric_marks
from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace
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


def surfaces(texts):
    found = find_unlisted(texts)
    return found.style, [texts[cited.host][cited.start : cited.end] for cited in found.found]


def test_numbers_beyond_the_list_are_left_out():
    texts = ["Ice [1] and snow [2,3] melt [1–4].", "A box of [90] stones, as said [5]."]
    assert surfaces(texts) == ("bracket", ["[1]", "[2,3]", "[1–4]", "[5]"])


def in_brackets(*numbers):
    return [f"Ice melts in spring ({number})." for number in numbers]


@pytest.mark.parametrize(("texts", "style"), [
    (["Ice melts [1] and snow [2]."], "bracket"),
    (["Ice melts [1]."], ""),  # one may be anything
    ([r"Ice \( ^{1} \), snow \( ^{2} \), fog \( ^{3} \) and hail \( ^{4} \)."], "superscript"),
    ([r"Ice \( ^{1} \), snow \( ^{2} \) and fog \( ^{3} \)."], ""),
    (["Ice melts (Lima et al., 2001; Berg and Roe, 2003; Poe et al., 2004)."], "author-year"),
    (["Ice melts (Lima et al., 2001; Berg and Roe, 2003)."], ""),
    (in_brackets(1, 2, 3, 4, 5), "paren"),
    (in_brackets(1, 2, 3, 4), ""),
    (in_brackets(1, 3, 4, 5, 6, 7, 8, 2), "paren"),  # seven of eight in order
    (in_brackets(3, 6, 2, 8, 1, 5, 4, 7), ""),  # three of eight
    (in_brackets(7, 2, 5, 1, 8, 3, 6, 4), ""),
])  # fmt: skip
def test_how_many_call_outs_prove_a_style(texts, style):
    """Numbers in round brackets have to count, too."""
    assert surfaces(texts)[0] == style


def test_names_and_years():
    texts = [
        "Ice melts (Lima et al., 2001; Berg and Roe, 2003).",
        "Poe et al. (2004) saw it in May 2004, as did Roe (1999).",
        "Data of the spring (March 2010) are new (van der Zee & Lee 1998, 2001a).",
    ]
    style, found = surfaces(texts)
    assert style == "author-year"
    assert found == [
        "Lima et al., 2001", "Berg and Roe, 2003", "Poe et al. (2004", "Roe (1999", "van der Zee & Lee 1998, 2001a",
    ]  # fmt: skip


def test_a_year_or_two_is_no_style():
    assert surfaces(["Sampling began in (Winter 2010) with Excel 2010.", "Roe (1999) was there."]) == ("", [])


FLAT = [
    "Rivers freeze in winter 1 . Snow follows the frost 2,3 . Sensors fail 4-6 , as seen.",
    "Later work found more.7 Others disagree.8,9 In 12 mice and 40 rats nothing was seen 2 .",
    "It was 5 cm thick. 10 Models agree with this 11 .",
]


def test_numbers_that_lost_their_raising_are_read_when_all_of_them_count():
    style, found = surfaces(FLAT)
    assert style == "flat"
    assert found == ["1", "2,3", "4-6", "7", "8,9", "2", "10", "11"]


def made(texts, *, listed=False):
    workspace = Workspace(Document("ice", (), (), (), 1, ""))
    for number, text in enumerate(texts):
        node = workspace.node(f"p{number}")
        workspace.add(node, RDF.type, DOCO.Paragraph)
        workspace.put(node, KAG.fullText, text)
    if listed:
        workspace.add(workspace.node("r1"), RDF.type, DEO.BibliographicReference)
    return workspace


def test_call_outs_without_a_list_are_kept_and_lead_nowhere():
    workspace = made(["Ice [1] and snow [2,3] melt.", "A box of stones, as said [4]."])
    assert link_unlisted(workspace) > 0
    assert link_unlisted(workspace) == 0
    mentions = workspace.of_type(KAG.CrossReference)
    assert sorted(workspace.text(mention, C4O.hasContent) for mention in mentions) == ["[1]", "[2,3]", "[4]"]
    assert {workspace.text(mention, KAG.targetKind) for mention in mentions} == {"reference"}
    assert not workspace.of_type(C4O.InTextReferencePointer)


def test_with_a_list_nothing_is_guessed():
    assert link_unlisted(made(["Ice [1] and snow [2,3] melt.", "A box of stones, as said [4]."], listed=True)) == 0


WORDS = ("rivers", "lakes", "winter", "spring", "sensors", "floods", "storms", "glaciers", "valleys", "forests")


def counted(*numbers):
    """A text that cites numbers at the ends of clauses."""
    return " ".join(f"We saw {word} {number} ." for word, number in zip(WORDS * 3, numbers, strict=False))


def read(*texts, limit=99):
    return [number for _, mark in flat_marks(texts, limit) for number in mark.numbers]


def test_eight_that_count_are_a_proof():
    assert read(counted(*range(1, 9))) == [*range(1, 9)]
    assert read(counted(*range(1, 8))) == []
    assert read(counted("1-4", "5", "6", "7", "8", "9", "10")) == [], "eight references, and eight places too"
    assert read(counted(1, 1, 1, 2, 3, 4, 5, 6, 7)) == []


def test_six_of_ten_of_the_list_must_be_cited():
    assert read(counted(1, 2, 3, 4, 5, 6, 7, 8, 15)) == [1, 2, 3, 4, 5, 6, 7, 8, 15]  # nine of fifteen
    assert read(counted(1, 2, 3, 4, 5, 6, 7, 8, 16)) == []


def test_six_of_ten_places_must_count():
    others = (90, 70, 80, 60, 55)
    assert read(counted(*others, *range(1, 9))) == [*range(1, 9)]  # eight of thirteen
    assert read(counted(95, *others, *range(1, 9))) == []  # of fourteen


@pytest.mark.parametrize(("words", "cites"), [
    ("We saw ice sheets 9 .", True),
    ("We saw ice (of lakes) 9 .", True),
    ("We saw it.9 Later it froze.", True),
    ("We saw it. 9 Later it froze.", True),
    ("We saw mice, 9 rats.", True),
    ("We saw mice 9–10 and rats.", True),
    ("We saw mice 9 and rats.", True),
    ("as in Fig. 9 .", False),
    ("of table 9 .", False),
    ("a total of 9 .", False),
    ("for all days 9 .", False),
    ("of chromosome 9 .", False),
    ("We saw mice, 9 mice.", False),
    ("We saw mice 9 cats.", False),
    ("We saw an X 9 .", False),
    ("We saw sheets 90 .", False),  # beyond the list
    ("We saw sheets 9–31 .", False),  # too many at once
])  # fmt: skip
def test_places_of_flat_numbers(words, cites):
    assert (9 in read(counted(*range(1, 9)), words, limit=40)) == cites


@pytest.mark.parametrize(("last", "cited"), [(28, True), (29, False)])
def test_no_place_cites_more_than_twenty(last, cited):
    assert (9 in read(counted(*range(1, 9)), f"We saw sheets 9-{last} .")) == cited


@pytest.mark.parametrize(("words", "cites"), [
    ("We saw X5 9 .", True),
    ("We saw all derivatives 9 .", True),
    ("It was seen (in 2002).9 A lake froze.", True),
    ("We saw cyanides9a and more.", True),
    ("as in Fig. 9 .", False),
    ("We saw X5 7 .", False),  # cited before: it was not passed over
    ("We saw an X 19 .", False),  # too far ahead
])  # fmt: skip
def test_a_number_that_the_count_passed_over_is_believed_in_a_poorer_place(words, cites):
    text = f"{counted(1, 2, 3, 4, 5, 6, 7, 8)} {words} {counted(10, 11, 12, 13, 14, 15, 16, 17, 18, 20)}"
    before = [1, 2, 3, 4, 5, 6, 7, 8]
    behind = [10, 11, 12, 13, 14, 15, 16, 17, 18, 20]
    assert read(text) == [*before, *([9] if cites else []), *behind]


def test_the_end_of_a_clause_may_cite_out_of_turn():
    assert read(counted(1, 2, 3, 6, 4, 5, 7, 8, 9, 10)) == [1, 2, 3, 6, 4, 5, 7, 8, 9, 10]
