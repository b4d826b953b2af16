"""What a claim may say, given its quotes."""

from __future__ import annotations

from copy import copy

import pytest

from kag.read.checking.quoted import strange_signs
from kag.read.checking.rules.words import words as read_words
from kag.read.checking.support import problems
from kag.read.library import Library, open_library
from kag.read.paper import PaperGraph
from kag.read.quote import beginning, evidence, find_quote
from kag.values.evidence import Claim
from tests.papers import write_paper


def numbers(text: str) -> set[str]:
    return {f"{word.printed:.15g}" for word in read_words(text) if word.is_number}


def node(paper: PaperGraph, words: str) -> tuple[str, int, int]:
    for one in paper.nodes.values():
        if span := find_quote(one.text, words):
            return one.iri, *span
    raise AssertionError(words)


def claim(paper: PaperGraph, text: str, *quotes: str, count: int | None = None) -> Claim:
    return Claim(text, tuple(evidence(paper, *node(paper, quote)) for quote in quotes), 1.0, count)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Sensors fail under ice.", ["Sensors fail under ice [1, 2]."]),
        ("Twelve sites were chosen.", ["Twelve sites were chosen along the river."]),
        ("12 sites were chosen along the river.", ["Twelve sites were chosen along the river."]),
        ("Table 1 gives the losses by site.", ["Table 1. Losses by site."]),
        ("Section 2.1 says that twelve sites were chosen.", ["Twelve sites were chosen along the river."]),
        ("The section cites references 1 and 2.", ["Sensors fail under ice [1, 2]."]),
        ("Reference 3 is about fog on rivers.", ["[3] Doe J. Fog on rivers."]),
    ],
)
def test_what_the_evidence_carries(library: Library, ice: PaperGraph, text: str, quotes: list[str]) -> None:
    assert problems(claim(ice, text, *quotes), library, "What is said?") == ()


@pytest.mark.parametrize(
    ("text", "quotes", "words"),
    [
        ("14 sites were chosen along the river.", ["Twelve sites were chosen along the river."], "number 14"),
        ("Fourteen sites were chosen along the river.", ["Twelve sites were chosen along the river."], "number 14"),
        ("Table 7 gives the losses by site.", ["Table 1. Losses by site."], "number 7"),
        ("The section cites references 1 to 3.", ["Sensors fail under ice [1, 2]."], "number 3"),
        ("Sensors do not fail under ice.", ["Sensors fail under ice [1, 2]."], "negation"),
        ("ARGOS sensors fail under ice.", ["Sensors fail under ice [1, 2]."], "name ARGOS"),
        ("Cheap batteries explain every failure.", ["Sensors fail under ice [1, 2]."], "of its words"),
        ("Sensors fail under ice.", ["Sensors fail under ice", "e"], "no word that the claim could rest on"),
        ("Sensors fail under ice.", ["Sensors fail under ice", "of"], "no word that the claim could rest on"),
        ("Sensоrs fail under ice.", ["Sensors fail under ice [1, 2]."], "CYRILLIC SMALL LETTER O"),
        ("Sensors fail\u200b under ice.", ["Sensors fail under ice [1, 2]."], "ZERO WIDTH SPACE"),
        ("Sensors fail < ice.", ["Sensors fail under ice [1, 2]."], "LESS-THAN SIGN"),
    ],
)
def test_what_it_does_not(library: Library, ice: PaperGraph, text: str, quotes: list[str], words: str) -> None:
    found = problems(claim(ice, text, *quotes), library, "What is said?")
    assert any(words in problem for problem in found), found


MELTING = (
    "Alkaline cells did not, as was thought, recover after warming. Cells of lithium recovered within 6 h, but the "
    "others never did. None of the buoys that were cooled with salt failed. The load fell by 12.5 N in spring. "
    "Packets that are not sent cannot inform."
)


@pytest.fixture(scope="module")
def melting(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    from kag.write.batch import find_papers, index_all

    folder = tmp_path_factory.mktemp("melting")
    blocks = (("title", "[[100, 60, 900, 100]]", "# Cells"), ("text", "[[100, 150, 900, 200]]", MELTING))
    list(index_all(find_papers([write_paper(folder / "melting", (blocks,))], folder / "runs"), workers=1))
    return open_library(folder / "runs")["melting"]


@pytest.mark.parametrize(
    ("text", "quote", "words"),
    [
        ("Cells recover after warming.", "recover after warming", "a negation"),
        ("Buoys that were cooled with salt failed.", "buoys that were cooled with salt failed", "a negation"),
        ("Salt failed.", "salt failed", "a negation"),
        ("Cells of lithium never recovered within 6 h.", "Cells of lithium recovered within 6 h", "negation that its"),
        ("Packets that are sent cannot inform.", "Packets that are not sent cannot inform", "a negation"),
        ("Buoys that were cooled failed.", "None of the buoys that were cooled with salt failed", "a negation"),
        ("Cells of lithium recovered within 6 h.", "Cells of lithium recovered within 6 h", ""),
        ("The load fell by 12 N.", "The load fell by 12", "number 12"),
        ("The load fell by 12.5 N.", "The load fell by 12.5 N", ""),
    ],
)
def test_a_quote_says_no_more_than_what_it_was_cut_from(melting: PaperGraph, text: str, quote: str, words: str) -> None:
    start = MELTING.index(quote)
    one = evidence(melting, node(melting, quote)[0], start, start + len(quote))
    found = problems(Claim(text, (one,)), {melting.id: melting}, "What is said?")
    assert any(words in problem for problem in found) if words else found == (), found


def test_a_quote_beside_does_not_carry_what_a_denied_one_says(melting: PaperGraph) -> None:
    beside = [evidence(melting, *node(melting, quote)) for quote in ("The load fell", "recover after warming")]
    found = problems(Claim("Alkaline cells recover after warming.", tuple(beside)), {melting.id: melting}, "?")
    assert any("did not, as was thought, recover" in problem for problem in found), found


def test_a_count_is_carried_by_one_evidence_each(library: Library, ice: PaperGraph) -> None:
    entries = [beginning(ice, entry.iri) for entry in ice.references.values()]
    assert problems(Claim("The list has 3 entries.", tuple(entries), 1.0, count=3), library) == ()
    assert problems(Claim("The list has 8 entries.", tuple(entries), 1.0), library)


def test_a_name_that_only_the_question_has_is_not_carried(library: Library, ice: PaperGraph) -> None:
    said = claim(ice, "In GAMMA-2 rivers, sensors fail.", "Sensors fail under ice [1, 2].")
    assert problems(said, library, "What fails in GAMMA-2 rivers?") == ("the name GAMMA-2 is only in the question",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 1,234 of two groups at 3.50 nM", {"1234", "2", "3.5"}),
        (r"a \( ^{89} \) Zr label", set()),
        ("007", {"7"}),
        ("0 and 0.0 and 00", {"0"}),
        ("0.50 or .5", {"0.5"}),
        ("12,345,678.90", {"12345678.9"}),
        ("1.0 and 10 and 100", {"1", "10", "100"}),
        ("one, zero, Two, twenty, thirty and ninety", {"0", "2", "20", "30", "90"}),
        ("none", set()),
    ],
)
def test_numbers(text: str, found: set[str]) -> None:
    assert numbers(text) == found


RIVERS = (
    ("title", "[[100, 60, 900, 100]]", "# Rivers"),
    ("sub_title", "[[100, 110, 900, 120]]", "## 7 Results"),
    ("text", "[[100, 130, 900, 160]]", "Ice was thick [4-6]. Snow was soft [4, 6]. See Fig. 3 for a map."),
    ("image", "[[100, 170, 900, 300]]", ""),
    ("figure_title", "[[100, 310, 900, 330]]", "Fig. 3. The map of the delta."),
    ("sub_title", "[[100, 335, 900, 345]]", "## 8 Discussion"),
    ("text", "[[100, 346, 900, 349]]", "The delta froze."),
    ("sub_title", "[[100, 350, 900, 360]]", "## References"),
    *(
        ("text", f"[[100, {370 + 20 * n}, 900, {385 + 20 * n}]]", f"[{n}] Poe E. {word} on rivers. Rivers. 1999;3:1-9.")
        for n, word in enumerate(("Ice", "Snow", "Fog", "Hail", "Rain", "Wind"), start=1)
    ),
)


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    from kag.write.batch import find_papers, index_all

    folder = tmp_path_factory.mktemp("rivers")
    list(index_all(find_papers([write_paper(folder / "rivers", (RIVERS,))], folder / "runs"), workers=1))
    return open_library(folder / "runs")["rivers"]


HAIL, RAIN, WIND = "Hail on rivers", "Rain on rivers", "Wind on rivers"


@pytest.mark.parametrize(
    ("text", "quotes", "words"),
    [
        # what is printed with a number may be called by it, a range by all that is in it
        ("References 4-6 are on rivers.", [HAIL, RAIN, WIND], ""),
        ("References 4, 5 and 6 are on rivers.", [HAIL, RAIN, WIND], ""),
        ("References 4 and 6 are on rivers.", [HAIL, WIND], ""),
        ("References 4-6 are on rivers.", [HAIL, WIND], "number 4"),
        ("References 4-7 are on rivers.", [HAIL, RAIN, WIND], "number 4"),
        ("Hail on rivers is in [4].", [HAIL], ""),
        ("Hail on rivers is in [5].", [HAIL], "number 5"),
        # what a call-out in the span points to, and none outside
        ("Reference 5 is cited for ice that was thick.", ["Ice was thick [4-6]."], ""),
        ("Reference 5 is cited for snow that was soft.", ["Snow was soft [4, 6]."], "number 5"),
        ("Reference 4 is cited for ice that was thick.", ["Ice was thick"], "number 4"),
        ("Figure 3 is a map.", ["See Fig. 3 for a map."], ""),
        ("Figure 3 is a map of the delta.", ["map of the delta"], ""),
        ("Figure 2 is a map of the delta.", ["map of the delta"], "number 2"),
        ("Section 7 says that ice was thick.", ["Ice was thick"], ""),
        ("Section 8 says that ice was thick.", ["Ice was thick"], "number 8"),
        ("Ice was thick on page 1.", ["Ice was thick"], ""),
        ("Ice was thick on page 2.", ["Ice was thick"], "number 2"),
        # a quarter of the words of a claim has to be there
        ("Ice was fragile.", ["Ice was thick"], ""),
        ("Glaciers were fragile and slippery.", ["Ice was thick"], "only 0% of its words"),
        # names
        ("FIG-3 has a map.", ["See Fig. 3 for a map."], ""),
        ("H2O was thick ice.", ["Ice was thick"], "name H2O"),
    ],
)
def test_labels_names_and_words(rivers: PaperGraph, text: str, quotes: list[str], words: str) -> None:
    found = problems(claim(rivers, text, *quotes), {rivers.id: rivers})
    assert any(words in problem for problem in found) if words else found == (), found


def test_a_count_is_no_number_of_the_quotes(rivers: PaperGraph) -> None:
    said = claim(rivers, "The map shows 17 deltas.", "map of the delta", count=17)
    assert problems(said, {rivers.id: rivers}) == ()
    assert problems(claim(rivers, "The map shows 18 deltas.", "map of the delta", count=17), {rivers.id: rivers})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,234,567.50 t", {"1234567.5"}),
        ("007 and 0.50", {"7", "0.5"}),
        ("12,345 t", {"12345"}),
    ],
)
def test_numbers_in_one_spelling(text: str, found: set[str]) -> None:
    assert numbers(text) == found


def test_a_call_out_that_only_touches_a_quote_is_not_in_it(library: Library, ice: PaperGraph) -> None:
    iri, start, end = node(ice, "Sensors fail under ice")
    mention = next(one for one in ice.mentions_in(iri) if one.start >= end)

    def missing(first: int, last: int) -> bool:
        told = Claim("Sensors fail under ice, as reference 2 says.", (evidence(ice, iri, first, last),))
        return any("number 2" in problem for problem in problems(told, library, "What is said?"))

    assert missing(start, mention.start)
    assert not missing(start, mention.start + 1)
    behind = len(ice.nodes[iri].text)
    assert missing(mention.end, behind)
    assert not missing(mention.end - 1, behind)


def test_an_older_graph_links_texts_without_their_call_outs(ice: PaperGraph) -> None:
    """Where a paper keeps no call-outs at all, what a text cites is what it may name by number."""
    older = copy(ice)
    older.__dict__["mentions"] = {}
    told = claim(older, "Sensors fail under ice, as references 1 and 2 say.", "Sensors fail under ice")
    assert problems(told, {"ice": older}, "What is said?") == ()
    other = claim(older, "Sensors fail under ice, as reference 3 says.", "Sensors fail under ice")
    assert any("number 3" in problem for problem in problems(other, {"ice": older}, "What is said?"))


def test_strange_signs_are_named_in_order() -> None:
    signs = "\u200b<\u0430>\u200d\u2060"
    assert list(strange_signs(signs, "")) == sorted(strange_signs(signs, ""))
    assert len(list(strange_signs(signs, ""))) == 6


def test_strange_names_are_told_in_order(library: Library, ice: PaperGraph) -> None:
    names = ["AB-1", "CD-2", "EF-3", "GH-4", "IJ-5", "KL-6"]
    told = claim(ice, f"Sensors fail under ice of {' '.join(reversed(names))}.", "Sensors fail under ice [1, 2].")
    found = [problem for problem in problems(told, library, "") if problem.startswith("the name")]
    assert found == [f"the name {name} is neither in the evidence nor in the question" for name in names]
