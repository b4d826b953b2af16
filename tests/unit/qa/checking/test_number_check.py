"""The hard check: each number of a claim is printed with its unit, or computed from printed ones as the claim says."""

from __future__ import annotations

import pytest

from kag.core.evidence import Context, Quote
from kag.qa.checking.number_check import unprinted_numbers
from tests.growth import linear

TEXT = "In the trial, 48 of 120 patients (40%) lost 12.4 ± 0.3 kg in 26 weeks; controls lost 3.1 kg."
ROW = Quote("Ash | 31 | 4.2", "row", label="Table 2", caption="Table 2. Catch in 2019 (kg).",
            headers=("Pond", "Eels (%)", "Depth (m)"), cells=("Ash", "31", "4.2"))  # fmt: skip


def missing(claim: str, *quotes: Quote, question: str = "", **more: object) -> tuple[str, ...]:
    return unprinted_numbers(claim, quotes or (Quote(TEXT),), Context(question, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "claim",
    [
        "Forty-eight patients lost 12,400 g.",
        "40 percent lost weight, about 12 kg, in 26 weeks.",
        "Weight fell by 12.4 kilograms, SE 0.3.",
        "72 fewer patients did not lose weight, of 120.",
        "The difference was 9.3 kg.",
        "Both groups together lost 15.5 kg.",
        "Four times as much was lost (12.4 kg against 3.1 kg).",
        "A share of 0.4 lost weight.",
        "Two groups were compared: patients and controls.",
    ],
)
def test_what_is_printed_or_follows_as_stated_passes(claim: str) -> None:
    assert missing(claim) == ()


@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ("Patients lost 12.5 kg.", "12.5 kg"),
        ("Patients lost 12.4 g.", "12.4 g"),
        ("Patients lost 12.4 kg in 26 days.", "26 d"),
        ("49 patients lost weight.", "49"),
        ("Weight fell by 41%.", "41%"),
        ("Both groups together lost 15.9 kg.", "15.9 kg"),
        ("Patients lost 15.5 kg.", "15.5 kg"),  # a sum that the claim does not call one
    ],
)
def test_another_number_or_unit_is_named(claim: str, number: str) -> None:
    assert [one.split()[0] for one in missing(claim)] == [number.split()[0]]


def test_headers_captions_labels_and_the_question_print_numbers_too() -> None:
    assert missing("In 2019, 31% of the eels were caught at 4.2 m.", ROW) == ()
    assert missing("31 kg of eels were caught.", ROW) == ()
    assert missing("31 days passed.", ROW) == ("31 days",)
    assert missing("The five sites differ.", ROW) == ("five",)
    assert missing("The five sites differ.", ROW, question="How do the 5 sites differ?") == ()
    assert missing("The paper has 17 sections.", ROW, count=17) == ()
    assert missing("It is on page 7.", ROW, labels=frozenset({"7"})) == ()


def test_a_label_that_no_place_has_is_named() -> None:
    assert missing("Table 2 has 31% eels.", ROW) == ()
    assert missing("Table 3 has 31% eels.", ROW) == ("3",)
    assert missing("As Figure 7 shows, patients lost weight.") == ("7",)
    assert missing("As Figure 7 shows, patients lost weight.", question="What does Figure 7 show?") == ()


def test_numbers_of_titles_and_pages_take_no_unit_from_the_quote() -> None:
    quote = Quote("Incubation took 1 h.", section=("4. Methods", "4.5. Assay"))
    assert missing("It took four hours.", quote) == ("four hours",)
    assert missing("It took 8 h.", quote, labels=frozenset({"8"})) == ("8 h",)
    assert missing("Section 4.5 gives 1 h.", quote) == ()
    assert missing("The paper has 4 parts.", quote) == ()


def test_sums_of_three_or_more_are_of_numbers_in_a_row() -> None:
    quote = Quote("Of 90 eels 10 were pale, 20 grey, 30 green and 7 red; 4 escaped.")
    assert missing("In all 67 were pale, grey, green or red.", quote) == ()
    assert missing("In all 104 were counted.", quote) == ("104",)  # 90 + 10 + 4
    table = Quote("a", "table", rows=(("Ash", "31", "4"), ("Elm", "12", "6"), ("Oak", "8", "9")))
    assert missing("Together the ponds have 51 eels.", table) == ()
    assert missing("Together the ponds have 46 eels.", table) == ("46",)  # 31 + 6 + 9


@pytest.mark.parametrize("piece", ["1", "1 ", "Table 1, ", "A", "x^{1}", "Smith and ", "1-", "kilo", "about 5 mg, "])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    quote = Quote("There were 5 mg and 12 more in all.")
    assert linear(lambda text: unprinted_numbers(text, [quote], Context()), (piece * 20_000)[:20_000])
