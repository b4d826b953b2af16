"""Each rule that `verify` checks, broken alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kag.core.evidence import Answer, Claim, Evidence, Shown, Verdict
from kag.qa.checking.claim_check import (
    claim_issues,
    evidence_issues,
    judged,
    with_sound_quotes,
)
from kag.qa.checking.verify import checked, verify
from kag.qa.exact.compose import look_up
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.quote import evidence

SITES = "Twelve sites were chosen along the river."


@pytest.fixture
def quote(ice: PaperGraph) -> Evidence:
    """All of the paragraph on the sites: 41 characters on page 2."""
    (node,) = (node for node in ice.nodes.values() if node.text == SITES)
    return evidence(ice, node.iri)


@pytest.fixture
def answer(quote: Evidence) -> Answer:
    return Answer("q", "What is said?", "agent", "a model", (Claim(SITES, (quote,)),), papers=("ice",))


def rules(answer: Answer, library: Library, shown: Shown | None = None) -> list[str]:
    return [issue.component for issue in verify(answer, library, shown).issues]


def test_a_true_answer_has_no_issue(answer: Answer, library: Library) -> None:
    assert verify(answer, library).conforms
    assert verify(answer, library, Shown(answer.text, True)).conforms


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"paper": "snow"}, "paper"),
        ({"node": "http://la3d.local/kag/doc/ice/none"}, "node"),
        ({"page": 1}, "page"),
        ({"page": 3}, "page"),
        ({"boxes": ()}, "boxes"),
        ({"boxes": ((100, 190, 900, 251),)}, "boxes"),
        ({"sha256": "0" * 64}, "hash"),
        ({"quote": "Twelve sites"}, "quote"),
        ({"quote": "twelve sites were chosen along the river."}, "quote"),
        ({"start": 1}, "quote"),
        ({"end": 40}, "quote"),
        ({"start": -41, "end": 41}, "span"),
        ({"start": 0, "end": 42}, "span"),
        ({"start": 41, "end": 41, "quote": ""}, "span"),
        ({"start": 0, "end": 0, "quote": ""}, "span"),
        ({"start": 20, "end": 10}, "span"),
    ],
)
def test_evidence(quote: Evidence, library: Library, changed: dict[str, object], rule: str) -> None:
    assert [issue.component for issue in evidence_issues(replace(quote, **changed), library)] == [rule]


def test_all_issues_of_one_evidence_are_named(quote: Evidence, library: Library) -> None:
    wrong = replace(quote, page=9, boxes=(), sha256="", quote="x")
    assert [issue.component for issue in evidence_issues(wrong, library)] == ["page", "boxes", "hash", "quote"]


def test_an_issue_says_where_it_is(answer: Answer, quote: Evidence, library: Library) -> None:
    second = Claim("Sites were chosen.", (quote, replace(quote, page=9)))
    found = verify(replace(answer, claims=(*answer.claims, second)), library).issues
    assert [(issue.focus, issue.component) for issue in found] == [("claims[1].evidence[1]", "page")]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda claim: replace(claim, evidence=()), "no_evidence"),
        (lambda claim: replace(claim, evidence=claim.evidence * 2), "twice"),
        (lambda claim: replace(claim, text="Twеlve sites were chosen."), "scrap"),  # a Cyrillic letter
    ],
)
def test_claims(answer: Answer, library: Library, change: Callable[[Claim], Claim], rule: str) -> None:
    assert [issue.component for issue in claim_issues(change(answer.claims[0]), library)] == [rule]


@pytest.mark.parametrize(
    ("text", "status", "checker"),
    [
        (SITES, "supported", "identity"),
        ("Twelve sites were chosen", "supported", "identity"),
        ("12 sites lay along the river.", None, None),
        ("Fourteen sites were chosen.", "undecided", "numbers"),
        ("No site was chosen.", None, None),
    ],
)
def test_a_machine_gives_a_verdict_only_by_definition(
    quote: Evidence, library: Library, text: str, status: str | None, checker: str | None
) -> None:
    issues, verdict = judged(Claim(text, (quote,)), library)
    assert (verdict and verdict.status, verdict and verdict.checker) == (status, checker)
    assert [issue.severity for issue in issues] == (["Violation"] if status == "undecided" else [])


def test_a_claim_with_broken_evidence_is_not_judged(answer: Answer, library: Library) -> None:
    (claim,) = answer.claims
    issues, verdict = judged(Claim("Fourteen bears.", (replace(claim.evidence[0], page=9),)), library)
    assert ([issue.component for issue in issues], verdict) == (["page"], None)


@pytest.mark.parametrize(
    ("text", "count", "places", "holds"),
    [
        ("The list has 3 references.", 3, (0, 1, 2), True),
        ("The list has 2 references.", 2, (0, 1, 2), False),
        ("The list has 3 references.", 3, (0, 1), False),
        ("The list has 3 references.", 2, (0, 1), False),
        ("The list has 3 references", 3, (0, 1, 2), False),  # the claim ends with what it counts
        ("The list has 3 references to ice.", 3, (0, 1, 2), False),
        ("The list has 3 sections.", 3, (0, 1, 2), False),  # entries are no sections
        ("The list has 1 entry.", 1, (1,), True),
    ],
)
def test_counts(ice: PaperGraph, library: Library, text: str, count: int, places: tuple[int, ...], holds: bool) -> None:
    entries = [evidence(ice, entry.iri) for entry in ice.references.values()]
    claim = Claim(text, tuple(entries[place] for place in places), 1.0, count)
    assert [issue.component for issue in claim_issues(claim, library)] == ([] if holds else ["count"])


def test_two_things_may_have_the_same_count_but_not_one(ice: PaperGraph, library: Library) -> None:
    counted = Claim("The list has 1 entry.", (evidence(ice, next(iter(ice.references.values())).iri),), 1.0, 1)
    one, two = (Claim("13 sites.", (evidence(ice, node.iri),)) for node in ice.of_kind("Paragraph")[:2])
    answer = Answer("q", "", "extractive", "", (one, counted, two, counted), papers=("ice",))
    assert not [issue for issue in verify(answer, library).issues if issue.component == "twice"]
    for claims in ((counted, counted), (one, counted, counted), (one, counted, one, counted)):
        issues = verify(replace(answer, claims=claims), library).issues
        assert [issue.component for issue in issues if issue.component == "twice"] == ["twice"]


@pytest.mark.parametrize(
    ("change", "shown", "found"),
    [
        (lambda given: given, Shown("Something else.", True), ["text"]),
        (lambda given: given, Shown(SITES, False), ["found"]),
        (lambda given: replace(given, claims=given.claims * 2), None, ["twice"]),
        (lambda given: replace(given, value="Thirteen"), None, ["value"]),
        (lambda given: replace(given, papers=()), None, ["papers"]),
        (lambda given: replace(given, papers=("ice", "snow")), None, ["papers"]),
        (lambda given: replace(given, papers=("ice", "ice")), None, ["papers"]),
        (lambda given: replace(given, claims=(), papers=()), None, ["searches"]),
        (lambda given: replace(given, claims=(), papers=("ice",), searches=("sites",)), None, []),
    ],
)
def test_answers(
    answer: Answer, library: Library, change: Callable[[Answer], Answer], shown: Shown | None, found: list[str]
) -> None:
    said = replace(shown, text=answer.text) if shown and shown.text == SITES else shown
    assert rules(change(answer), library, said) == found


def test_papers_are_named_in_any_order(answer: Answer, quote: Evidence, library: Library) -> None:
    both = {"ice": library["ice"], "snow": library["ice"]}
    claims = answer.claims[0], Claim("Twelve sites were chosen.", (replace(quote, paper="snow"),))
    for papers, found in ((("ice", "snow"), []), (("snow", "ice"), []), (("ice",), ["papers"])):
        issues = verify(replace(answer, claims=claims, papers=papers), both).issues
        assert [issue.component for issue in issues] == found


def test_no_more_than_five_papers_are_named(quote: Evidence, library: Library) -> None:
    papers = {f"paper{n}": library["ice"] for n in range(9, 0, -1)}
    (issue,) = evidence_issues(quote, papers)
    assert "Papers here: paper1, paper2, paper3, paper4, paper5." in issue.message


def test_what_was_found_is_counted(answer: Answer, quote: Evidence, library: Library) -> None:
    """One claim repeats its quote, one has another number, one nobody judged, one has a broken quote."""
    (kept,) = answer.claims
    number = Claim("Fourteen sites were chosen.", (quote,))
    open_ = Claim("Sites were picked by the water.", (quote,))
    broken = Claim(SITES, (quote, replace(quote, page=9)))
    found = checked(replace(answer, claims=(kept, number, open_, broken)), library)
    assert (found.quotes, found.quoted) == (5, 4)
    assert [verdict and verdict.status for verdict in found.verdicts] == ["supported", "undecided", None, None]
    severity = {issue.focus: issue.severity for issue in found.report.issues}
    assert severity == {"claims[1]": "Violation", "claims[3].evidence[1]": "Violation"}
    for claims, conforms, strict in (((kept,), True, True), ((kept, number), False, False), ((open_,), True, False)):
        assert checked(replace(answer, claims=claims), library).report.conforms is conforms
        assert checked(replace(answer, claims=claims), library, strict=True).report.conforms is strict


def test_claims_are_kept_or_dropped_with_all_reasons(quote: Evidence, library: Library) -> None:
    claims = Claim(SITES, (quote,)), Claim("Sites.", (replace(quote, page=9, boxes=()),))
    kept, (dropped,) = with_sound_quotes(claims, library, "What is said?")
    assert kept == claims[:1]
    assert dropped.why == (
        "page 9 is said, 2 is right. Correct the page.; the boxes are not the node's. Give all boxes of the node."
    )
    assert with_sound_quotes((), library, "") == ((), ())


@pytest.mark.parametrize(
    ("text", "status", "checker", "found"),
    [
        (SITES, "supported", "identity", []),
        (SITES, "supported", "judge:a", []),  # nobody can repeat what a model said
        (SITES, "undecided", "identity", ["verdict"]),
        ("Sites were picked.", "supported", "identity", ["verdict"]),
        ("Sites were picked.", "supported", "graph", ["verdict"]),
        ("Sites were picked.", "supported", "judge:a", []),
        ("Sites were picked.", "contradicted", "judge:a", ["contradicted"]),
        ("Fourteen sites were picked.", "supported", "judge:a", ["undecided", "verdict"]),
    ],
)
def test_a_verdict_that_a_machine_gives_has_to_come_out_again(
    answer: Answer, quote: Evidence, library: Library, text: str, status: str, checker: str, found: list[str]
) -> None:
    claim = Claim(text, (quote,), verdict=Verdict(status, 0.5, checker))  # type: ignore[arg-type]
    assert rules(replace(answer, claims=(claim,)), library) == found


def test_a_judge_is_asked_what_machines_leave_open(quote: Evidence, library: Library) -> None:
    class Judge:
        name = "judge:a"
        asked: list[str] = []  # noqa: RUF012

        def check(self, claim: str, quotes: object, context: object) -> Verdict:
            self.asked.append(claim)
            return Verdict("contradicted", 0.0, self.name, ("it was not so",))

    texts = (SITES, "Fourteen sites were chosen.", "Sites were picked.")
    found = [judged(Claim(text, (quote,)), library, checker=Judge()) for text in texts]
    assert Judge.asked == ["Sites were picked."]
    assert [issue.component for issue in found[2][0]] == ["contradicted"]


@pytest.mark.parametrize(
    ("text", "count", "problem"),
    [
        ("The paper has 1 paragraph.", 1, ""),
        ("The paper has 2 paragraphs.", 2, "the claim counts 2 paragraphs, with 1 pieces of evidence that stand for 1"),
        ("The paper has 1 paragraph.", 2, "the claim does not end with the 2 that it counts"),
        ("The paper has 1 table.", 1, "the claim counts 1 table, with 1 pieces of evidence that stand for 0"),
    ],
)
def test_a_count_is_shown_by_as_many_things(
    quote: Evidence, library: Library, text: str, count: int, problem: str
) -> None:
    found = claim_issues(Claim(text, (quote,), 1.0, count), library)
    told = [issue.message.partition(". ")[0] for issue in found if issue.component == "count"]
    assert told == ([problem] if problem else [])


def test_an_exact_answer_states_the_verdict_of_the_graph(ice: PaperGraph, library: Library) -> None:
    exact = look_up(Question("q", "What are the sections of the paper?"), ice)
    assert exact is not None
    assert rules(exact, library) == []
    bare = replace(exact, claims=tuple(replace(claim, verdict=None) for claim in exact.claims))
    assert rules(bare, library, Shown(exact.text, True)) == ["verdict"] * len(bare.claims)
    assert rules(bare, library, Shown(exact.text, True, verdicts=False)) == []  # an older format need not have them
