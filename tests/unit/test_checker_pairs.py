"""The pairs that a checker of claims is trained on: told otherwise, turned wrong, neither side telling by itself."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

pytest.importorskip("numpy", reason="the worth of scores is told with numpy, of the extra `retrieve`")

from scripts.checker.made import Maker, abbreviations
from scripts.checker.natural import quads
from scripts.checker.reword import active, fronted, one_side, rounded, same, than_turned
from scripts.checker.tables import of_table
from scripts.checker.worth import table
from scripts.checker.wrong import done_to_doer, exchanged, in_another_unit, order_turned

TEXT = [
    "Warm water raised the growth of young trout in all four ponds during the summer.",
    "The trout in the cold pond were smaller than the trout in the warm pond at the end.",
    "No fish died before the second week, and feeding stayed the same in every pond.",
    "Oxygen was lower in the warm ponds than in the cold ponds after three weeks of heat.",
    "The growth of trout was limited by oxygen in the smallest pond after heavy rain.",
]


@pytest.mark.parametrize(
    ("change", "text", "said"),
    [
        (than_turned, "Oxygen was lower in pond A than in pond B.", "Oxygen was higher in pond B than in pond A."),
        (
            fronted,
            "In warm ponds, the trout grew faster than before.",
            "The trout grew faster than before in warm ponds.",
        ),
        (active, "The growth of trout is reduced by warm water.", "Warm water reduces the growth of trout."),
        (same, "Light failed to change it.", "Light did not change it."),
        (done_to_doer, "Growth is limited by oxygen.", "Oxygen is limited by growth."),
        (in_another_unit, "It took 12 hours.", "It took 12 minutes."),
        (order_turned, "The fish ate twice before the rain came.", "The rain came before the fish ate twice."),
    ],
)
def test_a_sentence_is_told_as_named(change, text, said):
    assert change(text, Random(1)) == said


def test_a_number_is_told_as_about_or_by_its_bounds():
    found = {rounded("It weighed 12.4 kg.", Random(seed)) for seed in range(20)}
    assert found == {"It weighed about 12 kg.", "It weighed more than 12 kg.", "It weighed under 13 kg."}


def test_one_of_two_clauses_is_left():
    text = "The trout in warm ponds were heavier, whereas the carp in cold ponds had grown longer."
    sides = {"The trout in warm ponds were heavier.", "The carp in cold ponds had grown longer."}
    assert {one_side(text, Random(seed)) for seed in range(9)} == sides


def test_nouns_side_by_side_are_not_exchanged():
    change = exchanged(["trout", "carp"])
    assert change("They kept trout and carp.", Random(1)) == ""
    assert change("They kept trout that eat no carp.", Random(1)) == "They kept carp that eat no trout."


def test_abbreviations_go_both_ways():
    assert abbreviations("the dissolved oxygen demand (DOD) fell") == {
        "DOD": "dissolved oxygen demand",
        "dissolved oxygen demand": "DOD",
    }


def test_each_claim_and_each_evidence_is_as_often_right_as_wrong():
    maker = Maker({"raised": ["lifted"]}, {"warm": ["cold"], "raised": ["lowered"]}, Random(3))
    pairs = [one for one in maker.of(TEXT, "ponds", 5) if not one.how.startswith(("elsewhere", "one of", "two"))]
    changed = [one for one in pairs if one.how not in ("sentence", "other sentence")]
    assert len(changed) >= 6
    for one in changed:
        borne = Counter(other.supported for other in pairs if other.claim == one.claim)
        assert len(borne) == 2, one


def test_the_same_texts_give_the_same_pairs():
    first, second = (list(Maker({}, {}, Random(4)).of(TEXT, "ponds", 5)) for _ in range(2))
    assert first
    assert first == second


def test_a_number_that_both_have_is_changed_in_either_and_in_both():
    pairs = list(quads("Of the trout 14 died.", "We lost 14 trout.", "told", "ponds", Random(1), {}, [], 2))
    numbers = [one for one in pairs if "14" not in one.claim or "14" not in one.evidence]
    assert [one.how for one in numbers] == ["told claim", "told evidence", "told both"]
    assert [one.supported for one in numbers] == [False, False, True]


def test_a_table_bears_its_cells_and_no_others():
    rows = [["trout", "12", "3"], ["carp", "20", "5"], ["pike", "31", "8"]]
    pairs = list(of_table(["fish", "length", "age"], rows, "Fish of the ponds.", "ponds", 12, Random(2)))
    assert Counter(one.supported for one in pairs)[True] == Counter(one.supported for one in pairs)[False] > 3
    assert all("length: " in one.evidence for one in pairs)


def test_scores_that_know_are_worth_more_than_rules_that_do_not():
    cases = [
        {
            "set": "claims", "half": half, "group": f"{half}{at // 4}", "label": at % 2 == 0, "held": True,
            "status": "supported" if at % 3 else "contradicted", "known": 1.0,
        }
        for half in "ab" for at in range(24)
    ]  # fmt: skip
    scores = [2.0 if case["label"] else -2.0 for case in cases]
    cells = table(cases, scores).splitlines()[2].split(" | ")
    assert cells[0] == "| ours"
    assert cells[1:4] == ["24", "1.000", "1.000"]
    assert cells[4].startswith("0.500")
    assert cells[5].startswith("1.000 (0.00/0.00)")
