"""Names that are of one person: Mr. Darcy, Fitzwilliam Darcy and Darcy; but Mr. Bennet is not Mrs. Bennet.

A name is joined to a longer one where it can be no other's: where two persons could be meant it is kept apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.kgrag.story.prose.tokens import titles, word_set, words

WITH_GIVEN = frozenset(
    {"Sir", "Lord", "Lady", "Uncle", "Aunt", "Auntie", "King", "Queen", "Prince", "Princess", "Miss", "Master", 
     "Brother", "Sister", "Cousin", "Saint", "Pope", "Don", "Friar", "Father", "Mother", "Dame", "Emperor"}
)  # fmt: skip
"""Titles that stand before a given name; all others stand before a surname."""
WIVES = frozenset({"Mrs.", "Mrs", "Madame", "Mme.", "Lady", "Frau", "Signora", "Countess", "Duchess", "Baroness"})
SMALL_TITLES = frozenset({"Little", "Old", "Young", "Poor", "Dear"})


@dataclass(frozen=True, slots=True)
class Parts:
    """A name taken apart; `whose` is man, woman or "" where nothing tells."""

    title: str
    given: tuple[str, ...]
    whose: str


def parts_of(name: str) -> Parts:
    """A name taken apart.

    >>> parts_of("Sir Thomas Bertram")
    Parts(title='Sir', given=('Thomas', 'Bertram'), whose='man')
    """
    rest = tuple(word for word in name.split() if word)
    title = ""
    while len(rest) > 1 and rest[0] in titles():
        title, rest = (title if rest[0] in SMALL_TITLES and title else rest[0]), rest[1:]
    whose = titles().get(title, "")
    if whose in ("", "any"):
        whose = (
            "man" if rest[0] in word_set("names", "man") else "woman" if rest[0] in word_set("names", "woman") else ""
        )
    return Parts("" if title in SMALL_TITLES else title, rest, whose)


def joined(counts: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The names of each person, the most frequent first, of names with how often each is printed."""
    parts = {name: parts_of(name) for name in counts}
    ordered = sorted(counts, key=lambda name: (-len(parts[name].given), not parts[name].title, -counts[name], name))
    people: list[list[str]] = []
    for name in ordered:
        fitting = [one for one in people if any(_same(parts[name], parts[other]) for other in one)]
        fitting = [one for one in fitting if not any(_clash(parts[name], parts[other]) for other in one)]
        best = _chosen(parts[name], fitting, parts, counts)
        if best is None:
            people.append([name])
        else:
            best.append(name)
    return tuple(tuple(sorted(one, key=lambda name: (-counts[name], -len(name), name))) for one in people)


def _chosen(
    name: Parts, fitting: Sequence[list[str]], parts: Mapping[str, Parts], counts: Mapping[str, int]
) -> list[str] | None:
    """The one person that a name can be of; of several the one who bears it with a title alone, else nobody."""
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    exact = [one for one in fitting if any(parts[other].given == name.given for other in one)]
    if len(exact) == 1:
        return exact[0]
    rank = Counter({at: sum(counts[other] for other in one) for at, one in enumerate(fitting)}).most_common(2)
    return fitting[rank[0][0]] if not name.title and rank[0][1] > 2 * rank[1][1] else None


def _clash(one: Parts, other: Parts) -> bool:
    """Whether two names cannot be of one person."""
    if one.whose and other.whose and "any" not in (one.whose, other.whose) and one.whose != other.whose:
        return True
    if any(wife.title in WIVES and len(wife.given) == 1 and len(girl.given) > 1 and not girl.title
           for wife, girl in ((one, other), (other, one))):  # fmt: skip
        return True  # a wife and a daughter bear one surname
    both = len(one.given) > 1 and len(other.given) > 1
    return (
        both and not _alike(one.given[0], other.given[0]) and one.given[0][:1] + "." not in (*one.given, *other.given)
    )


def _same(one: Parts, other: Parts) -> bool:
    """Whether the shorter name may stand for the longer."""
    brief, whole = sorted((one, other), key=lambda parts: len(parts.given))
    short, long = brief.given, whole.given
    if short == long:
        return True
    if len(short) == 1:
        surname_only = bool(brief.title) and brief.title not in WITH_GIVEN
        return short[0] == long[-1] or (not surname_only and _alike(short[0], long[0]))
    return _alike(short[0], long[0]) and short[-1] == long[-1]


def _alike(one: str, other: str) -> bool:
    """Whether two given names are the same, or one is short for the other.

    >>> _alike("Tom", "Thomas"), _alike("J.", "James"), _alike("Jane", "Anne")
    (True, True, False)
    """
    short = words()["short"]
    if one == other or other in short.get(one, ()) or one in short.get(other, ()):
        return True
    return (one.endswith(".") and other.startswith(one[:-1])) or (other.endswith(".") and one.startswith(other[:-1]))
