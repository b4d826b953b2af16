"""Answers as they are shown at a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.evidence import Answer, Claim, Evidence, Passage, Value, Verdict, read_answer
from kag.qa.answer_text import answers_markdown, composed
from kag.qa.checking.verify import verify
from kag.qa.library import Library, open_library
from kag.qa.paper import Node
from kag.qa.quote import denials, evidence, first_denial, statement

NAME = "reservoir_sensors"
BASE = Answer("q", "?", "passages", "no model", papers=(NAME,))
TITLE = "Few stations, placed well: energy-aware sensor placement for stratified drinking-water reservoirs"


@pytest.fixture(scope="module")
def library(bundled_runs: Path) -> Library:
    return open_library(bundled_runs)


def quote(library: Library, block: str, text: str) -> Evidence:
    paper = library[NAME]
    iri = paper.resolve(f"ex:{block}")
    assert iri
    start = paper.nodes[iri].text.index(text)
    return evidence(paper, iri, start, start + len(text))


def shown(library: Library, *claims: Claim, value: Value = None) -> str:
    return composed(replace(BASE, claims=claims, value=value), library)


def test_a_quote_that_is_the_claim_is_shown_once(library: Library) -> None:
    text = "Funding came from the Ostermeer Research Council under grant WR-31."
    told = shown(library, Claim(text, (quote(library, "b_p005_0008", text),)))
    assert told == f"{text}\n  page 5, Acknowledgements\n  (quoted, not judged)\n\n{TITLE}\n({NAME})"


def test_a_quote_that_says_more_is_shown(library: Library) -> None:
    told = shown(library, Claim("References 1 and 2.", (quote(library, "b_p001_0009", "[1, 2]"),)))
    assert told.startswith("References 1 and 2.\n  “[1, 2]” page 1, 1 Introduction\n")


def test_the_short_answer_comes_first_where_it_cannot_be_another_one(library: Library) -> None:
    text = "LEAP took 41 s for Arden on a laptop, against 19 min for exhaustive evaluation."
    claim = Claim(text, (quote(library, "b_p004_0010", text),))
    assert shown(library, claim, value="41 s").startswith("LEAP took"), "of two times it may be the wrong one"
    one = "Funding came from the Ostermeer Research Council under grant WR-31."
    claim = Claim(one, (quote(library, "b_p005_0008", one),))
    assert shown(library, claim, value="Ostermeer Research Council 31").startswith("Funding")
    long = "Work on the lifetime of sensor networks, in turn, treats the sites as given [12–14]."
    claim = Claim(long, (quote(library, "b_p001_0011", long),))
    assert shown(library, claim, value="12–14").startswith("12–14\n\nWork on")


def test_a_cell_is_shown_in_its_table(library: Library) -> None:
    claim = Claim("Table 1: Brunnholm | Candidates | 44", (quote(library, "b_p003_0003", "Brunnholm | 1.6 | 22 | 44"),))
    lines = shown(library, claim).splitlines()
    assert lines[:4] == [
        "44 – Brunnholm, Candidates (Table 1)",
        "  Reservoir  Area (km²)  Greatest depth (m)  Candidates  Farthest site from gateway (km)",
        "  Brunnholm  1.6         22                  44          1.3",
        "  page 3, 4.1. Reservoirs",
    ]


def test_a_table_is_shown_with_its_caption(library: Library) -> None:
    text = "Table A1 Constants of the energy model."
    told = shown(library, Claim("Table A1: Constants of the energy model.", (quote(library, "b_p005_0011", text),)))
    assert "Budget, per day               1020 J" in told
    assert told.count("Constants of the energy model") == 1


def test_marks_of_markdown_and_latex_are_not_shown(library: Library) -> None:
    told = shown(library, Claim("[11] and a * b", (quote(library, "b_p001_0016", "[11, 17]"),)))
    assert "\\" not in told


def test_many_quotes_are_counted(library: Library) -> None:
    one = quote(library, "b_p001_0009", "[1, 2]")
    told = shown(library, Claim("Found.", (one,) * 12))
    assert told.count("“[1, 2]”") == 10
    assert "and 2 quotes more" in told


def test_passages_are_called_passages_and_the_best_sentence_is_marked(library: Library) -> None:
    assert composed(BASE, library) == "No exact answer, and no passage has the words of the question."
    text = "Storms are few. They break moorings. Boats help."
    at = text.index("They"), text.index(" Boats")
    told = composed(
        replace(BASE, passages=(Passage(NAME, ("x",), "Paragraph", "6 Discussion", 5, text, *at),)), library
    )
    assert told.startswith(
        "Passages that may answer this:\n\n1. page 5, 6 Discussion\n"
        "  Storms are few. **They break moorings.** Boats help."
    )
    assert told.endswith(f"({NAME})")
    assert not [word for word in ("confidence", "does not say", "answer was") if word in told]


def test_a_table_is_shown_with_caption_and_header_and_the_best_row_is_marked(library: Library) -> None:
    rows = "Site | Depth\nArden | 22\nBrunnholm | 44"
    text = f"Table 1 Sites.\n{rows}"
    at = text.index("Brunnholm"), len(text)
    told = composed(replace(BASE, passages=(Passage(NAME, ("t", "c"), "Table", "", 3, text, *at),)), library)
    assert told.splitlines()[2:7] == [
        "1. page 3",
        "  Table 1 Sites.",
        "  Site       Depth",
        "  Arden      22",
        "> Brunnholm  44",
    ]


def test_papers_are_named_where_there_are_several(library: Library) -> None:
    mine = quote(library, "b_p001_0009", "A typical utility owns fewer than ten of them.")
    other = library["urban_pollinators"]
    iri = other.resolve("ex:b_p003_0014")
    assert iri
    told = shown(library, Claim("Both.", (mine, evidence(other, iri, 0, 31))))
    assert told.count("(reservoir_sensors)") == told.count("(urban_pollinators)") == 1


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (None, "(quoted, not judged)"),
        (Verdict("supported", 1.0, "graph"), "(quoted, supported by the graph)"),
        (Verdict("supported", 1.0, "identity"), "(quoted, supported by its quote)"),
        (Verdict("contradicted", 0.1, "judge:a"), "(quoted, contradicted by judge:a)"),
    ],
)
def test_it_is_said_who_judged_a_claim(library: Library, verdict: Verdict | None, words: str) -> None:
    text = "A typical utility owns fewer than ten of them."
    assert words in shown(library, Claim(text, (quote(library, "b_p001_0009", text),), verdict=verdict))


def test_not_found_is_shown_with_its_reason_and_searches_and_is_kept(library: Library, tmp_path: Path) -> None:
    text = "Funding came from the Ostermeer Research Council under grant WR-31."
    reason = Claim(text, (quote(library, "b_p005_0008", text),))
    answer = replace(BASE, mode="agent", reason=reason, searches=("Who is the sponsor?", "sponsor money"))
    assert composed(answer, library) == (
        f"The paper does not say.\n\n{text}\n  page 5, Acknowledgements\n  (quoted, not judged)\n\n"
        f"Searched for: Who is the sponsor?; sponsor money\n\n{TITLE}\n({NAME})"
    )
    written = answers_markdown([answer])
    assert written.index("**The paper does not say.**") < written.index("Funding came") < written.index("Searched: Who")
    (tmp_path / "answer.json").write_text(answer.to_json(), encoding="utf-8")
    kept, _ = read_answer(tmp_path / "answer.json")
    assert kept == answer
    assert verify(kept, library).issues == ()
    (proof,) = reason.evidence
    false = replace(reason, evidence=(replace(proof, quote="Funding came from nobody"),))
    assert [issue.focus for issue in verify(replace(answer, reason=false), library).issues] == ["reason.evidence[0]"]


def test_claims_of_a_model_are_prose_with_numbered_evidence_each_quote_once(library: Library) -> None:
    funding = "Funding came from the Ostermeer Research Council under grant WR-31."
    fund = quote(library, "b_p005_0008", funding)
    few = quote(library, "b_p001_0009", "A typical utility owns fewer than ten of them.")
    claims = (Claim(funding, (fund,)), Claim("Few are owned.", (few, fund)))
    told = composed(replace(BASE, mode="agent", claims=claims), library)
    assert told == (
        f"{funding} [1] Few are owned. [2][1]\n\n"
        "Evidence:\n"
        "  [1] page 5, Acknowledgements\n"
        "  [2] page 1, 1 Introduction: “A typical utility owns fewer than ten of them.”\n\n"
        f"(all claims: quoted, not judged)\n\n{TITLE}\n({NAME})"
    )
    judged = (replace(claims[0], verdict=Verdict("supported", 1.0, "identity")), claims[1])
    told = composed(replace(BASE, mode="agent", claims=judged), library)
    assert "[1] (quoted, supported by its quote) Few are owned. [2][1] (quoted, not judged)" in " ".join(told.split())


def test_an_exact_answer_of_nothing_says_what_was_searched_for(library: Library) -> None:
    nothing = replace(BASE, mode="exact", searches=("figure 99",))
    assert composed(nothing, library) == "The graph has nothing of this kind.\n\nSearched for: figure 99"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It did not melt.", 1),
        ("It didn't melt, and won’t.", 2),
        ("Neither ice nor snow, none, never, nothing, nobody, nowhere.", 7),
        ("It cannot melt without sun.", 2),
        ("No sensor failed.", 1),
        ("See No. 5 and No.7.", 0),
        ("Not only ice, but snow.", 0),
        ("A notable knot of noise.", 0),
        ("NOT SO", 1),
    ],
)
def test_denials(text: str, number: int) -> None:
    assert denials(text) == number


def test_where_the_first_one_begins() -> None:
    assert first_denial("It did not melt, never.") == 7
    assert first_denial("It melted.") == 10


def node(kind: str, text: str) -> Node:
    return Node("ex:b", "b", kind, (), 1, 1, (), text)


@pytest.mark.parametrize(
    ("kind", "text", "quote", "stated"),
    [
        ("Paragraph", "It froze. It did not melt. It broke.", "melt", " It did not melt."),
        ("Paragraph", "It froze. It did not melt. It broke.", "froze. It", "It froze. It did not melt."),
        ("Paragraph", "It froze. It did not melt. It broke.", "It broke.", " It broke."),
        ("Paragraph", "It froze. It did not melt. It broke.", "It froze.", "It froze."),
        ("Paragraph", "Ice did not melt, but snow did.", "snow", "but snow did."),
        ("Paragraph", "Ice did not melt, whereas snow did; fog came.", "snow", "whereas snow did; "),
        ("Paragraph", "Ice did not melt, and snow did.", "snow", "Ice did not melt, and snow did."),
        ("Table", "Ice | not melted\nSnow | melted", "melted\nSnow", "not melted\nSnow | "),
        ("Table", "Ice | not\nSnow | melted", "Snow", "Snow | "),
        ("SectionTitle", "Why not? Ice melts", "Ice", "Why not? Ice melts"),
        ("Title", "Why not? Ice melts", "Ice", "Why not? Ice melts"),
    ],
)
def test_the_statement_that_a_quote_is_cut_from(kind: str, text: str, quote: str, stated: str) -> None:
    at = text.index(quote)
    assert text[slice(*statement(node(kind, text), at, at + len(quote)))] == stated
