"""What a claim may tell in words of its own, beside the same words told wrong."""

from __future__ import annotations

import pytest

from kag.read.checking.rules.checker import RuleChecker
from kag.values.verdict import Context, Quote

STAFF = "They worked as sales staff (39/55, 71 %), managers (11/55, 20 %) and physicians (5/55, 9 %)."
WOMEN = "Women were older than men (mean 64.2 vs. 59.8 years)."
BRAIN = "The gene is expressed in liver and kidney but not in brain."
PANELS = "The stations had no panels, which are banned on all lakes because of their glare."
AGES = "Between 2015 and 2017 the ratio grew from 1.7 at 4 h to 28 at 72 h."
GRID = "Sites lay on a grid of 250 m, and places shallower than 4 m were left out."


@pytest.mark.parametrize(
    ("quote", "claim", "supported"),
    [
        (STAFF, "Of 55 people 39 were sales staff.", True),
        (STAFF, "Of 55 people 39 were physicians.", False),
        (WOMEN, "The mean age was 59.8 years in men and 64.2 years in women.", True),
        (WOMEN, "On average women were 4.4 years older than men.", True),
        (WOMEN, "On average women were 5.4 years older than men.", False),
        (BRAIN, "The brain does not express the gene.", True),
        (BRAIN, "The liver does not express the gene.", False),
        (PANELS, "Panels are banned on all lakes because of their glare.", True),
        ("The stations had no panels on the lakes.", "The stations had panels on the lakes.", False),
        (AGES, "The ratio rose from 1.7 to 28 between 4 h and 72 h.", True),
        (AGES, "The ratio was 28 at 4 h.", False),
        (GRID, "Places less than 4 m deep were left out.", True),
        (GRID, "Places less than 250 m deep were left out.", False),
        ("It runs in under a minute.", "It takes no longer than a minute to run.", True),
        ("The authors made it clear that rain matters.", "It is not yet clear that rain matters.", False),
        ("It remains unclear whether it is secreted.", "It is not yet known whether it is secreted.", True),
        (
            "The valve lost half of its strength within 20 days.",
            "In 20 days the strength of the valve was halved.",
            True,
        ),
        ("Dead wood was left by 21 % and refused by 46 %.", "46 % refused to leave dead wood.", True),
        ("LEAP had not the lowest error.", "The lowest error was that of LEAP.", False),
        (
            "The station at Arden was moved to please anglers.",
            "To please anglers the station at Brunn was moved.",
            False,
        ),
        ("Loss of mSOD1 slows transport in mice.", "Transport in mice is slowed by loss of SOD1.", True),
        ("LPS-induced fever was reduced by rest.", "Rest reduced the fever that LPS had induced.", True),
        ("Mowing was cut back to two dates, and bees doubled.", "Mowing only twice doubled the bees.", True),
        ("Samples were stored at 4 °C.", "Storage was at 4 °C.", True),
        ("Two thirds of the ponds held newts.", "One third of the ponds held newts.", False),
        ("Only 5 % of the farms were irrigated.", "95 % of the farms were not irrigated.", True),
    ],
)
def test_wording(quote: str, claim: str, supported: bool) -> None:
    found = RuleChecker().check(claim, (Quote(quote),), Context())
    assert (found.status == "supported") == supported, found.reasons
