"""What a claim may say, given its quotes."""

from __future__ import annotations

import pytest

from kag.read.checking.support import numbers, problems
from kag.read.library import Library, open_library
from kag.read.paper import Paper
from kag.read.quote import beginning, evidence, find_quote
from kag.values.evidence import Claim
from tests.papers import write_paper


def node(paper: Paper, words: str) -> tuple[str, int, int]:
    for one in paper.nodes.values():
        if span := find_quote(one.text, words):
            return one.iri, *span
    raise AssertionError(words)


def claim(paper: Paper, text: str, *quotes: str, count: int | None = None) -> Claim:
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
def test_what_the_evidence_carries(library: Library, ice: Paper, text: str, quotes: list[str]) -> None:
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
def test_what_it_does_not(library: Library, ice: Paper, text: str, quotes: list[str], words: str) -> None:
    found = problems(claim(ice, text, *quotes), library, "What is said?")
    assert any(words in problem for problem in found), found


MELTING = (
    "Alkaline cells did not, as was thought, recover after warming. Cells of lithium recovered within 6 h, but the "
    "others never did. None of the buoys that were cooled with salt failed. The load fell by 12.5 N in spring. "
    "Packets that are not sent cannot inform."
)


@pytest.fixture(scope="module")
def melting(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    from kag.write.batch import find_papers, index_all

    folder = tmp_path_factory.mktemp("melting")
    blocks = (("title", "[[100, 60, 900, 100]]", "# Cells"), ("text", "[[100, 150, 900, 200]]", MELTING))
    list(index_all(find_papers([write_paper(folder / "melting", (blocks,))], folder / "runs"), workers=1))
    return open_library(folder / "runs")["melting"]


@pytest.mark.parametrize(
    ("text", "quote", "words"),
    [
        ("Cells recover after warming.", "recover after warming", "has a negation"),
        ("Buoys that were cooled with salt failed.", "buoys that were cooled with salt failed", "has a negation"),
        ("Salt failed.", "salt failed", "has a negation"),
        ("Cells of lithium never recovered within 6 h.", "Cells of lithium recovered within 6 h", "negation that its"),
        ("Packets that are sent cannot inform.", "Packets that are not sent cannot inform", "have a negation"),
        ("Buoys that were cooled failed.", "None of the buoys that were cooled with salt failed", "has a negation"),
        ("Cells of lithium recovered within 6 h.", "Cells of lithium recovered within 6 h", ""),
        ("The load fell by 12 N.", "The load fell by 12", "number 12"),
        ("The load fell by 12.5 N.", "The load fell by 12.5 N", ""),
    ],
)
def test_a_quote_says_no_more_than_what_it_was_cut_from(melting: Paper, text: str, quote: str, words: str) -> None:
    start = MELTING.index(quote)
    one = evidence(melting, node(melting, quote)[0], start, start + len(quote))
    found = problems(Claim(text, (one,)), {melting.id: melting}, "What is said?")
    assert any(words in problem for problem in found) if words else found == (), found


def test_a_quote_beside_does_not_carry_what_a_denied_one_says(melting: Paper) -> None:
    beside = [evidence(melting, *node(melting, quote)) for quote in ("The load fell", "recover after warming")]
    found = problems(Claim("Alkaline cells recover after warming.", tuple(beside)), {melting.id: melting}, "?")
    assert any("did not, as was thought, recover" in problem for problem in found), found


def test_a_count_is_carried_by_one_evidence_each(library: Library, ice: Paper) -> None:
    entries = [beginning(ice, entry.iri) for entry in ice.references.values()]
    assert problems(Claim("The list has 3 entries.", tuple(entries), 1.0, count=3), library) == ()
    assert problems(Claim("The list has 8 entries.", tuple(entries), 1.0), library)


def test_words_of_the_question_are_no_invention(library: Library, ice: Paper) -> None:
    said = claim(ice, "In GAMMA-2 rivers, sensors fail.", "Sensors fail under ice [1, 2].")
    assert problems(said, library, "What fails in GAMMA-2 rivers?") == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 1,234 of two groups at 3.50 nM", {"1234", "2", "3.5"}),
        (r"a \( ^{89} \) Zr label, 10⁻⁹", {"89", "10", "9"}),
        ("007", {"7"}),
        ("none", set()),
    ],
)
def test_numbers(text: str, found: set[str]) -> None:
    assert {n for n in numbers(text) if n.isdigit() or "." in n} >= found
