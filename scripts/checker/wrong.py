"""More ways to turn a sentence wrong: by the words of WordNet, by words of the same text, by what is added."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from scripts.checker.alter import (
    capital,
    denied,
    names_exchanged,
    numbers_exchanged,
    one_word,
    overstated,
    renumbered,
    sides_exchanged,
    small,
    turned,
    unhedged,
)

_CAUSE = (
    (r"\b(?:is|was) (?:\w+ )?(?:associated|correlated|linked) with\b", "causes"),
    (r"\b(?:are|were) (?:\w+ )?(?:associated|correlated|linked) with\b", "cause"),
    (r"\bcorrelate[sd]? with\b", "depends entirely on"),
    (r"\b(?:is|was) a risk factor for\b", "is the cause of"),
    (r"\bcontributes? to\b", "is the only cause of"),
)
_PLAN = (
    (r"\b(?:will|would|should) be\b", "was"),
    (r"\b(?:aims?|aimed|plan|planned) to (\w+)\b", r"managed to \1"),
    (r"\b(?:is|are) needed\b", "has been done"),
    (r"\bcould be\b", "has been"),
    (r"\bfurther (?:studies|research|work)\b.*$", "this has been settled."),
    (r"\bsuggests?\b", "proves"),
    (r"\bindicates? that\b", "proves that"),
    (r"\btrend\b", "significant effect"),
)
_UNITS = (
    "hours/days days/weeks weeks/months months/years minutes/hours seconds/minutes mg/g µg/mg mm/cm"
    " cm/m nm/µm ng/mg kg/g percent/times"
)
_UNIT = {a: b for pair in _UNITS.split() for one, other in [pair.split("/")] for a, b in ((one, other), (other, one))}
_MEASURED = re.compile(rf"(?<=\d )({'|'.join(map(re.escape, _UNIT))})\b")
_BY = re.compile(
    r"((?:[\w-]+ ){0,6}[\w-]+) (is|are|was|were) (\w+ed) by ((?:[\w-]+ ){0,5}[\w-]+)"
    r"((?: (?:in|during|via|at|through) .*)?)\."
)
_PHRASE = re.compile(r" (?:in|during|after|before|among|with|within|by|at|for|from|through) [\w ,%-]{6,45}?(?=[.;,]|$)")
_TIMES = re.compile(r"\b(?:19|20)\d\d\b")
_BINDS = 0.6  # how often what binds things wrongly is tried first
_SHORTEST = 5  # letters of a word that another one takes the place of

Way = Callable[[str, Random], str]


def caused(text: str, random: Random) -> str:
    """What goes together told as cause, what is planned as done, what is suggested as proven."""
    fit = [(pattern, other) for pattern, other in (*_CAUSE, *_PLAN) if re.search(pattern, text)]
    return re.sub(*random.choice(fit), text, count=1) if fit else ""


def in_another_unit(text: str, random: Random) -> str:
    """A number with another unit."""
    return _MEASURED.sub(lambda found: _UNIT[found[1]], text, count=1)


def done_to_doer(text: str, random: Random) -> str:
    """ "A is induced by B" as "B is induced by A"."""
    found = _BY.fullmatch(text)
    return f"{capital(found[4])} {found[2]} {found[3]} by {small(found[1])}{found[5]}." if found else ""


def another_year(text: str, random: Random) -> str:
    """A year in another one near it."""
    found = _TIMES.search(text)
    return (
        text[: found.start()] + str(int(found[0]) + random.choice([-3, -2, -1, 1, 2, 3])) + text[found.end() :]
        if found
        else ""
    )


def opposed(opposite: Mapping[str, list[str]]) -> Way:
    """One word in its opposite by WordNet."""

    def change(text: str, random: Random) -> str:
        return one_word(text, random, lambda low: random.choice(opposite[low]) if low in opposite else "")

    change.__name__ = "opposed"
    return change


def replaced(others: Sequence[str]) -> Way:
    """One longer word in another one of the same text, of the same ending."""

    def change(text: str, random: Random) -> str:
        def fit(word: str) -> list[str]:
            return [one for one in others if one[-1] == word[-1] and one[:4] != word[:4] and one not in text.lower()]

        return one_word(
            text,
            random,
            lambda low: random.choice(fit(low)) if len(low) >= _SHORTEST and fit(low) and low in others else "",
        )

    change.__name__ = "replaced"
    return change


def with_more(others: Sequence[str]) -> Way:
    """A phrase of another sentence put at the end."""

    def change(text: str, random: Random) -> str:
        phrases = [
            found
            for other in others
            for found in _PHRASE.findall(other)
            if found not in text and len(found.split()) > 2
        ]
        return f"{text.rstrip('.')}{random.choice(phrases).rstrip()}." if phrases else ""

    change.__name__ = "with_more"
    return change


def exchanged(words: Sequence[str]) -> Way:
    """Two nouns of the text in each other's place, where more than a list lies between them."""

    def change(text: str, random: Random) -> str:
        places = [
            one
            for one in re.finditer(r"[a-z]{4,}|(?<=[a-z] )[A-Z][\w-]+", text)
            if one[0] in words or one[0][0].isupper()
        ]
        pairs = [(one, two) for one in places for two in places if one.end() < two.start() and _apart(text, one, two)]
        if not pairs:
            return ""
        one, two = random.choice(pairs)
        return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]

    change.__name__ = "exchanged"
    return change


def _apart(text: str, one: re.Match[str], two: re.Match[str]) -> bool:
    between = text[one.end() : two.start()].split()
    listed = all(word.strip(",") in ("and", "or", "") for word in between)
    return one[0] != two[0] and len(between) > 1 and not listed and (one[0][-1] == "s") == (two[0][-1] == "s")


def order_turned(text: str, random: Random) -> str:
    """ "A before B" as "B before A"."""
    found = re.fullmatch(
        r"(.{12,}?) (before|after|than|because of|leads to|precedes|follows|followed by) (.{8,})\.", text
    )
    return f"{capital(found[3])} {found[2]} {small(found[1])}." if found else ""


def changes(
    opposite: Mapping[str, list[str]], words: Sequence[str], others: Sequence[str], random: Random
) -> list[Way]:
    """All ways to turn a sentence wrong, in an order by chance, with the nouns and the other sentences of its text.

    What binds things wrongly comes first as often as not, since less of it can be made.
    """
    rare = [
        names_exchanged, numbers_exchanged, sides_exchanged, renumbered, unhedged, caused, in_another_unit,
        done_to_doer, another_year, order_turned, exchanged(words), exchanged(words),
    ]  # fmt: skip
    common = [
        turned,
        turned,
        denied,
        overstated,
        opposed(opposite),
        replaced(words),
        with_more(others),
        exchanged(words),
    ]
    random.shuffle(rare)
    random.shuffle(common)
    first, last = (rare, common) if random.random() < _BINDS else (common, rare)
    return [*first, *last]
