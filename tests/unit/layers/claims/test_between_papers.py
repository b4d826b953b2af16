"""Claims of different papers put side by side, judged by the rules that check answers."""

from __future__ import annotations

from collections.abc import Sequence

from kag.layers.claims.between import Link, compare_claims
from kag.layers.claims.find import find_claims
from kag.layers.values import Claim, Passage
from kag.read.checking.bearing import RULES
from kag.values.verdict import Case, Verdict


def claims(*texts: str) -> tuple[Claim, ...]:
    return find_claims([Passage(f"p{at}", f"We found that {text}", section="Results") for at, text in enumerate(texts)])


def hear(cases: Sequence[Case]) -> list[Verdict]:
    return [RULES.check(*case) for case in cases]


def compared(ours: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> tuple[Link, ...]:
    return compare_claims({"a": ours, "b": theirs}, hear)


FILLER = ("trees grow in spring.", "cats sleep at noon.", "rivers carry sand to the sea.")


def test_the_same_words_say_the_same() -> None:
    (link,) = compared(claims("salt melts the ice of lakes.", *FILLER), claims("salt melts the ice of lakes."))
    assert (link.kind, link.from_paper, link.to_paper, link.checker) == ("same", "a", "b", RULES.name)
    assert 0.5 < link.score <= 1


def test_a_denial_contradicts() -> None:
    (link,) = compared(claims("salt melts the ice of lakes.", *FILLER), claims("salt does not melt the ice of lakes."))
    assert link.kind == "contradicts"


def test_the_fuller_claim_supports() -> None:
    ours = claims("salt melts the ice of lakes.", *FILLER)
    (link,) = compared(ours, claims("salt melts the ice of lakes in the north within two days of its first spreading."))
    assert (link.kind, link.from_paper, link.to_paper) == ("supports", "b", "a")


def test_claims_of_other_things_or_of_one_paper_are_not_linked() -> None:
    assert compared(claims(*FILLER), claims("salt melts the ice of lakes.")) == ()
    assert compare_claims({"a": claims("salt melts ice.", "salt melts ice.")}, hear) == ()
    assert compare_claims({}, hear) == ()


def test_a_checker_without_a_word_links_nothing() -> None:
    ours = claims("salt melts the ice of lakes.", *FILLER)
    assert compare_claims({"a": ours, "b": ours}, lambda cases: [None] * len(cases)) == ()
