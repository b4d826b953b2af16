"""What a sentence does, by phrases and section; look-alikes that do something else."""

from __future__ import annotations

import re

import pytest

from kag.layers.claims.roles import ENOUGH, _rules, claim_points, role_of, roles_of_abstract


@pytest.mark.parametrize(
    ("text", "section", "role"),
    [
        ("This work was supported by the Lake Foundation (grant 12).", "Acknowledgements", "funding"),
        ("The data and code are available at https://lakes.example.", "Data", "availability"),
        ("One limitation of our study is the small number of lakes.", "Discussion", "limitation"),
        ("Further studies are needed to find the cause.", "Discussion", "future work"),
        ("We hypothesized that salt melts ice.", "Introduction", "hypothesis"),
        ("It is possible that the wind was too strong.", "Discussion", "hypothesis"),
        ("The aim of this study was to measure lakes.", "Introduction", "objective"),
        ("To test whether salt melts ice, we added salt to ten lakes.", "Results", "method"),
        ("Taken together, these data suggest that salt melts ice.", "Discussion", "conclusion"),
        ("We found that salt melts ice.", "Results", "result"),
        ("Melting was significantly faster in the south (p < 0.01).", "Results", "result"),
        ("Samples were washed twice in water.", "Methods", "method"),
        ("Each lake received two stations.", "Methods", "method"),
        ("Salt is cheap and melts ice well.", "Conclusion", "conclusion"),
    ],
)
def test_roles(text: str, section: str, role: str) -> None:
    assert role_of(text, section)[0] == role


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Doe et al. found that salt melts ice [4].", "Discussion"),
        ("Previous studies have shown that salt melts ice.", "Results"),
        ("It is well known that lakes freeze.", "Introduction"),
        ("Melting was faster in the south.", "Introduction"),
        ("Is salt worth its price, and should we buy it?", "Conclusion"),
        ("Few data are available for lakes in the tropics.", "Introduction"),
        ("Neuroscientists may receive funding from agencies.", ""),
        ("Further work showed that the lakes could freeze [5].", "Results"),
        ("Four lakes.", "Results"),
        ("We found that the ice of the lakes was", "Results"),
        ("Lakes may have many stations.", "Methods"),
        ("The depths of all lakes are listed in Table 2.", "Results"),
        ("the lakes of the north were warmer than those of the south.", "Results"),
        ("", "Results"),
    ],
)
def test_what_others_did_or_nobody_states_has_no_role(text: str, section: str) -> None:
    assert role_of(text, section)[0] == "background"


def test_commercial_goods_are_no_availability() -> None:
    assert role_of("Salt was commercially available from a shop in town.", "Materials")[0] == "method"


ABSTRACT = [
    "Lakes freeze in winter, and why some of them do not is poorly understood.",
    "In this study, we aim to explain when lakes freeze.",
    "We measured the temperature of ten lakes with sensors every hour.",
    "Deep lakes froze 12 days later than shallow ones (p < 0.01).",
    "These results suggest that depth decides when a lake freezes.",
]


def test_an_abstract_is_read_as_a_whole() -> None:
    roles = [role for role, _ in roles_of_abstract(ABSTRACT)]
    assert roles[0] == "background"
    assert roles[2:] == ["method", "result", "conclusion"]
    assert roles_of_abstract([]) == []


def test_a_label_in_an_abstract_states_nothing() -> None:
    assert roles_of_abstract([*ABSTRACT[:3], "Results.", *ABSTRACT[3:]])[3][0] == "background"


def test_the_claim_of_an_abstract_has_most_points() -> None:
    points = claim_points(ABSTRACT)
    assert [one >= ENOUGH for one in points] == [False, False, False, False, True]
    assert claim_points([]) == []
    assert len(claim_points(["We did."] * 200)) == 200


@pytest.mark.parametrize(
    ("claims", "does_not"),
    [
        ("Here we show that ice melts in warm water.", "Here we used ice that melts in warm water."),
        ("Melting is likely due to warm water.", "Melting was evaluated in warm water."),
        ("The data suggest a role of warm water.", "We discuss the role of warm water."),
    ],
)
def test_what_is_shown_has_more_points_than_what_is_done(claims: str, does_not: str) -> None:
    around = ("Ice was kept in boxes.", "It weighed 3.4 g.")
    [[_, more, _], [_, less, _]] = [claim_points([around[0], one, around[1]]) for one in (claims, does_not)]
    assert more > less + 1


def test_phrases_are_in_small_letters_as_the_sentences_brought_to_them() -> None:
    given = _rules()
    patterns = [given.own, given.shown, given.others, given.pointing]
    patterns += [one for rule in given.rules for one in (rule.text, rule.unless) if one]
    assert not [one.pattern for one in patterns if re.search(r"(?<!\\)[A-Z]", one.pattern)]
    assert role_of("FUTURE WORK WILL EXTEND THE MODEL TO LAKES IN THE TROPICS.", "Discussion")[0] == "future work"
