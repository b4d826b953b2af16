"""The rules on examples of each kind: what is true is let in, what is false in one way is not."""

from __future__ import annotations

import pytest

from kag.read.checking.rules.checker import RuleChecker
from kag.values.verdict import Chain, Context, Quote, Verdict
from tests.unit.read.checking.rules.cases import FALSE, TRUE, Case, row

MISSED = {"Most of the interviewed farmers had not stopped burning stubble."}  # "stopped" may stand for a "not"


def verdict(case: Case) -> Verdict:
    return RuleChecker().check(case.claim, case.quotes, Context(case.question))


@pytest.mark.parametrize("case", TRUE, ids=lambda case: case.claim)
def test_what_is_true_is_supported(case: Case) -> None:
    found = verdict(case)
    assert (found.status, found.reasons, found.score) == ("supported", (), 1.0)


@pytest.mark.parametrize("case", [case for case in FALSE if case.claim not in MISSED], ids=lambda case: case.claim)
def test_what_is_false_is_not(case: Case) -> None:
    found = verdict(case)
    assert found.status in ("contradicted", "undecided")
    assert found.reasons


@pytest.mark.parametrize(
    ("quote", "claim", "status", "reason"),
    [
        ("Growth was 14 % in May.", "Growth was 40 % in May.", "contradicted", "the number 40 is not in the evidence"),
        ("It ran for 48 h.", "It ran for 48 min.", "contradicted", "'48 min' is not in the quotes, '48 h' is"),
        ("It may melt in spring.", "It melts in spring.", "undecided", "the quotes tell it as a guess ('may')"),
        ("It will melt in May 2030.", "It melted in May 2030.", "undecided", "the quotes tell it as a plan ('will')"),
        ("The pump failed.", "Only the pump failed.", "undecided", "the quotes do not say 'Only'"),
        ("Tar spreads a day.", "Tar spreads an hour.", "contradicted", "'hour' is 'day' in the quotes"),
        ("Owls eat mice.", "Mice eat owls.", "contradicted", "who and whom have changed places around 'eat'"),
        ("Rats lost weight.", "Rats did not lose weight.", "contradicted", "the claim has a negation"),
        ("The wells held water.", "The wells did not hold water.", "contradicted", "the claim has a negation"),
        ("Levels rose in June.", "Levels fell in June.", "contradicted", "'fell' is 'rose' in the quotes"),
        ("Doses rose.", "Doses of AX12 rose.", "undecided", "AX12 is neither in the evidence nor in the question"),
        ("Received 4 March 2021; accepted 2 July 2021.", "It was accepted on 4 March 2021.", "contradicted", "belongs"),
    ],
)
def test_reasons(quote: str, claim: str, status: str, reason: str) -> None:
    found = RuleChecker().check(claim, (Quote(quote),), Context())
    assert found.status == status
    assert any(reason in one for one in found.reasons), found.reasons


def test_all_reasons_are_told_at_once() -> None:
    found = RuleChecker().check("Levels fell by 9 m.", (Quote("Levels rose by 3 m."),), Context())
    assert len(found.reasons) == 2
    assert (found.features["number"], found.features["direction"]) == (1.0, 1.0)


TABLE = row("Site | Depth (m) | Area (km²)", "Arden | 31 | 3.8", "Brunn | 22 | 1.6", "Callow | 14 | 0.9")


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("The depth of Arden is 31 m.", "supported"),
        ("The area of Arden is 3.8 km².", "supported"),
        ("The depth of Arden is 3.8 m.", "contradicted"),
        ("The area of Brunn is 3.8 km².", "contradicted"),
        ("Arden is deeper than Brunn in depth.", "supported"),
        ("Callow has the largest area.", "contradicted"),
        ("Arden has the largest area.", "supported"),
    ],
)
def test_a_cell_belongs_to_its_row_and_column(claim: str, status: str) -> None:
    assert RuleChecker().check(claim, TABLE, Context()).status == status


TITLES = ("Results", "Origin of salt", "Length of the 3' and 5' ends of the salt genome", "Salt in mice")
LISTED = "Results has these subsections: Origin of salt;"


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        (f"{LISTED} {TITLES[2]}; {TITLES[3]}.", "supported"),
        (f"{LISTED} Length of the 3' and 7' ends of the salt genome; {TITLES[3]}.", "contradicted"),
        (f"{LISTED.replace('these', '8')} {TITLES[2]}; {TITLES[3]}.", "contradicted"),
    ],
)
def test_titles_are_listed_whatever_their_numbers(claim: str, status: str) -> None:
    quotes = tuple(Quote(title, "heading", section=(TITLES[0], title)) for title in TITLES)
    assert RuleChecker().check(claim, quotes, Context()).status == status


def test_a_row_that_is_called_none_denies_no_header() -> None:
    table = row("Drug | Success versus failure", "Any versus none | (0.6-0.8)", "Amber | (1.1-1.3)")
    head = Quote("Success versus failure", "table")
    claim = "Any versus none | Success versus failure | (0.6-0.8)"
    assert RuleChecker().check(claim, (*table, head), Context()).status == "supported"


def test_a_name_that_was_asked_for_is_said_to_be_so() -> None:
    found = RuleChecker().check("Doses of AX12 rose.", (Quote("Doses rose."),), Context("Did doses of AX12 rise?"))
    assert found.reasons == ("the name AX12 is only in the question",)


def test_what_is_counted_and_what_places_are_called_is_looked_for_elsewhere() -> None:
    quotes = (Quote("Ponds froze."), Quote("Lakes froze."))
    for context, status in ((Context(), "undecided"), (Context(count=2), "supported"), (Context(count=3), "undecided")):
        assert RuleChecker().check("Ponds and lakes froze: two places.", quotes, context).status == status
    labels = Context(labels=frozenset({"7"}))
    assert RuleChecker().check("Ponds froze (7).", quotes, labels).status == "supported"
    assert RuleChecker().check("Ponds froze (8).", quotes, labels).status == "contradicted"


def test_a_sentence_beside_a_row_is_held_to_its_quantity() -> None:
    quotes = (Quote("Some ponds froze."), *row("Pond | Ice", "Ash | thick"))
    found = RuleChecker().check("All ponds froze.", quotes, Context())
    assert (found.status, found.reasons) == ("contradicted", ("the quotes do not say 'All'",))
    assert RuleChecker().check("All of Ash had thick ice.", quotes[1:], Context()).status == "supported"


def test_short_forms_of_the_paper_are_the_same() -> None:
    quote, short = Quote("The adaptive mesh scheme halved the run time."), {"ADM": "adaptive mesh"}
    assert RuleChecker().check("ADM halved the run time.", (quote,), Context(abbreviations=short)).status == "supported"
    assert RuleChecker().check("ADM halved the run time.", (quote,), Context()).status == "undecided"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "…",
        "\u200b",
        "1e999 %",
        "10^{400}",
        "\ud800",
        "№ 5",
        "沒有",
        "[" * 200,
        "±",
        "a" * 5000,
        "3, and",
        "no",
        "3 and",
        "or no",
    ],
)
def test_odd_words_are_judged_like_others(text: str) -> None:
    for claim, quote in ((text, "Owls eat mice."), ("Owls eat mice.", text), (text, text)):
        assert RuleChecker().check(claim, (Quote(quote),), Context(text)).status
        assert RuleChecker().check(claim, (), Context()).status


class _Sure:
    def __init__(self, name: str, verdict: Verdict) -> None:
        self.name, self.verdict = name, verdict

    def check(self, claim: str, quotes: object, context: object) -> Verdict:
        return self.verdict


def test_a_chain_asks_the_next_while_one_is_in_doubt() -> None:
    low, high = Verdict("undecided", 0.4, "a"), Verdict("supported", 0.9, "b")
    no = Verdict("contradicted", 0.5, "c")
    assert Chain((_Sure("a", low), _Sure("b", high)), (0.2, 0.8)).check("", (), Context()) == high
    assert Chain((_Sure("c", no), _Sure("b", high)), (0.2, 0.8)).check("", (), Context()) == no
    assert Chain((_Sure("b", high), _Sure("a", low)), (0.2, 0.8)).check("", (), Context()) == high
    assert Chain((_Sure("a", low), _Sure("b", high))).name == "a+b"
    assert Chain(()).check("", (), Context()).status == "undecided"


@pytest.mark.parametrize(
    ("quote", "claim", "status"),
    [
        ("The bridge was closed in May 2021.", "The bridge was closed in May 2021.", "supported"),
        ("The bridge may close in June 2021.", "The bridge closed in June 2021.", "undecided"),
        ("It was received on 4 March 2021.", "It was received on 4 March.", "supported"),
        ("It was received on 4 March 2021.", "It was received on 5 March 2021.", "contradicted"),
        ("It was received on 4 March 2021.", "It was received on 4 March 2020.", "contradicted"),
        ("There was little or no change in weight.", "There was no change in weight.", "supported"),
        ("Poe 2016 measured the lake at 31 m.", "Poe 2017 measured the lake at 31 m.", "contradicted"),
        ("In 2016 the lake was 31 m deep.", "In 2017 the lake was 31 m deep.", "contradicted"),
        ("A share of 0.25 of all owls bred.", "25 % of all owls bred.", "supported"),
        ("A share of 0.25 of all owls bred.", "35 % of all owls bred.", "contradicted"),
        ("Half of the ponds held newts.", "50 % of the ponds held newts.", "supported"),
        ("Two thirds of the ponds held newts.", "One third of the ponds held newts.", "contradicted"),
        ("Twelve ponds held newts.", "A dozen ponds held newts.", "supported"),
        ("Ten ponds held newts.", "A dozen ponds held newts.", "undecided"),
        ("It weighed 2.5 kg.", "It weighed 2,500 g.", "supported"),
        ("It weighed 2.5 kg.", "It weighed 250 g.", "contradicted"),
        ("It took 90 min.", "It took 1.5 h.", "supported"),
        ("It took 90 min.", "It took 15 h.", "contradicted"),
        ("Owls and bats were seen in 12 and 30 barns, respectively.", "Owls were seen in 30 barns.", "contradicted"),
        ("Owls and bats were seen in 12 and 30 barns, respectively.", "Bats were seen in 30 barns.", "supported"),
        ("Ten percent of all slides showed damage.", "Most slides showed damage.", "undecided"),
        ("All slides showed damage.", "Most slides showed damage.", "supported"),
        ("Some slides showed damage.", "All slides showed damage.", "contradicted"),
        ("Yields rose by 4 t in 2019 and by 7 t in 2020.", "Yields rose by 7 t in 2019.", "contradicted"),
        ("Yields rose by 4 t in 2019 and by 7 t in 2020.", "Yields rose by 7 t in 2020.", "supported"),
    ],
)
def test_numbers_dates_and_amounts(quote: str, claim: str, status: str) -> None:
    found = RuleChecker().check(claim, (Quote(quote),), Context())
    assert found.status == status, found.reasons


def test_a_quote_cut_from_a_denial_carries_nothing() -> None:
    text = "the levels of lead in blood fell in all towns"
    claim = "The levels of lead in blood fell in all towns."
    assert RuleChecker().check(claim, (Quote(text, before="We found that "),), Context()).status == "supported"
    assert RuleChecker().check(claim, (Quote(text, before="It is not true that "),), Context()).status == "contradicted"


def test_a_second_row_of_heads_names_the_columns_too() -> None:
    rows = (("Site", "spring", "autumn"), ("Arden", "4.2", "9.1"), ("Brunn", "3.3", "7.7"))
    quotes = (Quote("Arden | 4.2 | 9.1", "row", headers=("", "Depth", "Depth"), cells=rows[1], rows=rows),)
    assert RuleChecker().check("The depth in Arden was 4.2 in spring.", quotes, Context()).status == "supported"
    assert RuleChecker().check("The depth in Arden was 9.1 in spring.", quotes, Context()).status == "contradicted"
