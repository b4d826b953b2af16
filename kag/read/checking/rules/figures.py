"""What a number is by the words beside it: the end of a range, the number of something, one that goes through all."""

from __future__ import annotations

from collections.abc import Sequence

from kag.read.checking.rules.words import Word

_AT = frozenset(("in", "by", "since", "from", "during", "until", "between"))
_LABELLED = frozenset(
    [
        "table",
        "fig",
        "figure",
        "section",
        "equation",
        "eq",
        "ref",
        "reference",
        "page",
        "step",
        "grade",
        "cohort",
        "cycle",
        "phase",
        "stage",
        "group",
        "arm",
        "model",
        "level",
        "type",
        "class",
        "experiment",
        "trial",
        "part",
        "panel",
        "batch",
        "site",
        "plot",
        "zone",
        "layer",
        "block",
        "line",
        "channel",
        "day",
        "week",
        "month",
        "year",
        "visit",
        "no",
        "number",
        "[",
    ]
)
PLACES = frozenset(("table", "fig", "figure", "section", "equation", "eq", "ref", "reference", "page"))
"""What of a paper has numbers for names."""
_RANGES = (("from", "to"), ("between", "and"))


def ends(text: Sequence[Word], at: int) -> tuple[float, ...]:
    """The values of the two ends of the range that a number is one of: "from 4 to 72 h", "between 4 and 72 h"."""
    for first, second in ((at, at + 2), (at - 2, at)):
        if first > 0 and second < len(text) and text[first].is_number and text[second].is_number:
            pair = text[first - 1].text.lower(), text[first + 1].text.lower()
            if pair in _RANGES or (pair[1] in ("to", "-") and text[first].is_year):
                return text[first].value or 0.0, text[second].value or 0.0
    return ()


def is_each(text: Sequence[Word], at: int) -> bool:
    """Whether a number in words only goes through things: "no two sites", "in each of two years"."""
    before = [word.text.lower() for word in text[max(0, at - 2) : at]]
    if text[at].text.lower() == "one":  # "one of the arguments"
        return [word.text.lower() for word in text[at + 1 : at + 2]] == ["of"] and not any(
            word.is_number for word in text[at + 2 : at + 4]
        )
    return before[-1:] in (["no"], ["any"]) or before == ["each", "of"]


def is_whole(text: Sequence[Word], at: int) -> bool:
    """Whether a number is the whole of a share right before it, "9 of the 36", and the greatest one in its text."""
    before = text[max(0, at - 3) : at]
    last = max((index for index, word in enumerate(before) if word.is_number), default=0)
    link = [word.text.lower() for word in before[last:] if not word.is_number]
    if (
        text[at].unit
        or not any(word.is_number for word in before)
        or link not in (["of"], ["of", "the"], ["of", "all"])
    ):
        return False
    return all(
        index == at or (word.value or 0.0) < (text[at].value or 0.0)
        for index, word in enumerate(text)
        if word.is_number and not word.unit and not word.is_year
    )


def is_first(text: Sequence[Word], at: int) -> bool:
    """Whether a number begins its sentence as a whole: "Of 222 hikers 46 % ...", "Among the 40 owls ..."."""
    return 0 < at <= 2 and text[0].text.lower() in ("of", "among")


def is_labelled(before: Word, word: Word) -> bool:
    """Whether a number only names what stands before it: "cohort 2", "Lund et al. 2016", "Lund 2016"."""
    if word.is_year and (before.text[0].isupper() or before.text in ("al", ".")):
        return before.text.lower() not in _AT
    return before.text.lower().rstrip("s") in _LABELLED
