"""The cast of a work of fiction: which names are persons and places, and which names mean one person.

The words next to a name vote for its kind, wherever it is printed. A name without votes takes the kind of the names it
is listed with (`Lapland, Siberia and Thule`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from kag.kgrag.story.names import (
    POSSESSIVE,
    Mention,
    Names,
    Token,
    given_names,
    titles,
    tokens_of,
    word_set,
)  # fmt: skip

Kind = Literal["person", "place", ""]
Votes = dict[str, Counter[str]]
PLACE_ENDS = ("shire", "ville", "burg", "burgh", "minster", "stown", "bury", "mouth")


@dataclass(frozen=True, slots=True)
class Character:
    """A person with a name: the most frequent name, the other names, and `man`, `woman` or ""."""

    name: str
    aliases: tuple[str, ...]
    gender: str = ""


@dataclass(frozen=True)
class Cast:
    """The characters and places of a text, and where its names are printed."""

    mentions: tuple[Mention, ...]
    kinds: Mapping[str, Kind]
    characters: tuple[Character, ...]

    def places(self) -> tuple[str, ...]:
        """Return the names of places in the order in which they are printed."""
        return tuple(dict.fromkeys(mention.name for mention in self.mentions if self.kinds[mention.name] == "place"))


def cast_of(text: str) -> Cast:
    """Return the cast of a text."""
    names = Names(tokens_of(text))
    kinds = kinds_of(names)
    groups = joined(Counter(mention.name for mention in names.mentions if kinds[mention.name] == "person"))
    characters = tuple(Character(group[0], group[1:], _group_gender(group)) for group in groups)
    return Cast(names.mentions, kinds, characters)


# --- kinds -----------------------------------------------------------------------------------------------------------


def kinds_of(names: Names) -> Mapping[str, Kind]:
    """Return the kind of each printed name; "" for what is neither a person nor a place."""
    votes: Votes = {}
    for mention in names.mentions:
        votes.setdefault(mention.name, Counter()).update(_votes(names.tokens, mention))
    _spread(votes)
    first = {name: _decided(name, counts) for name, counts in votes.items()}
    pairs = list(_listed(names))
    for name, other in (*pairs, *((other, name) for name, other in reversed(pairs))):
        if not first[other] and first[name]:
            votes[other][f"listed {first[name]}"] += 1
            first[other] = first[name]
    return {name: _decided(name, counts) or _undecided(names, name, counts) for name, counts in votes.items()}


def _votes(tokens: Sequence[Token], mention: Mention) -> Counter[str]:
    before, follows = _text(tokens, mention.first - 1).lower(), _text(tokens, mention.after)
    if follows in POSSESSIVE:
        return Counter(person=int(before not in ("the", "a", "an", "at", "in")))
    counts: Counter[str] = Counter(printed=1, article=int(before in ("the", "a", "an")))
    speech = word_set("speech", "verbs")
    if follows in speech or (before in speech and before not in ("called", "read")):
        counts["person"] += 2
    if before in word_set("places", "prepositions"):
        counts["place"] += 2 if before in ("in", "at", "near", "into") else 1
    if before == "of" and _text(tokens, mention.first - 2).lower() in word_set("places", "kinds"):
        counts["place"] += 2
    if before in ("river", "village", "town", "city", "mount", "lake"):
        counts["place"] += 2
    if before in ("to", "from") and not counts["person"]:
        counts["place"] += 1
    return counts


def _spread(votes: Votes) -> None:
    """Let the first and last word of a person's longer name, alone, be a person, too."""
    for name in list(votes):
        parts = name.split()
        if len(parts) > 1 and _decided(name, votes[name]) == "person":
            for part in {parts[-1], parts[0]} - set(titles()):
                if part in votes:
                    votes[part]["person"] += votes[name]["person"] + 1


def _decided(name: str, votes: Counter[str]) -> Kind:
    parts = name.split()
    heads, others = word_set("places", "heads"), word_set("other", "words")
    if parts[0] in titles() and len(parts) > 1 and parts[-1] not in heads:
        return "person"
    if all(part in others for part in parts) or "n't" in name or "n’t" in name:
        return ""
    if len(parts) > 1 and parts[-1] in others - heads:
        return ""
    if _is_place_by_form(parts) and not (parts[0] in given_names() and votes["person"]):
        return "place"
    person = votes["person"] + 3 * (parts[0] in given_names() or parts[-1] in given_names())
    place = votes["place"] + 4 * (name in word_set("places", "known"))
    if place > person:
        return "place"
    return "person" if person else ""


def _undecided(names: Names, name: str, votes: Counter[str]) -> Kind:
    """Return the kind of a name that nothing decides: that of its list, a place by its ending, a person if frequent."""
    if votes["listed place"] > votes["listed person"] or name.endswith(PLACE_ENDS):
        return "place"
    if votes["article"] or any(names.low[part.lower()] for part in name.split()):
        return ""
    if any(part in word_set("other", "words") for part in name.split()):
        return ""
    return "person" if votes["listed person"] or votes["printed"] > 1 else ""


def _is_place_by_form(parts: Sequence[str]) -> bool:
    """Whether a name has the form of a place name: Temple Bar, Lake Leman, Lincoln's Inn Hall."""
    if len(parts) < 2:
        return False
    heads = word_set("places", "heads")
    if parts[-1] in heads or (parts[0] in heads and "of" in parts):
        return True
    return parts[0] in word_set("places", "before") and parts[0] not in titles()


def _listed(names: Names) -> Iterator[tuple[str, str]]:
    """Yield names that follow each other in a list."""
    for mention, other in pairwise(names.mentions):
        between = [token.text for token in names.tokens[mention.after : other.first]]
        if between and len(between) < 3 and all(word in (",", "and", "or") for word in between):
            yield mention.name, other.name


def _text(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


# --- names of one person ---------------------------------------------------------------------------------------------


def joined(counts: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Group the names that mean one person, the most frequent first: Mr. Darcy, Fitzwilliam Darcy, Darcy.

    Mr. Bennet is not Mrs. Bennet, and a name that two persons may bear stays apart.
    """
    parts = {name: _without_title(name) for name in counts}
    ordered = sorted(counts, key=lambda name: (-len(parts[name]), name == " ".join(parts[name]), -counts[name], name))
    people: list[list[str]] = []
    for name in ordered:
        fitting = [group for group in people if any(_is_same(parts[name], parts[other]) for other in group)]
        fitting = [group for group in fitting if not _clash(name, group)]
        if len(fitting) == 1:
            fitting[0].append(name)
        else:
            people.append([name])
    return tuple(tuple(sorted(group, key=lambda name: (-counts[name], -len(name), name))) for group in people)


def _without_title(name: str) -> tuple[str, ...]:
    words = tuple(name.split())
    while len(words) > 1 and words[0] in titles():
        words = words[1:]
    return words


def _gender(name: str) -> str:
    genders = [titles().get(word, "") for word in name.split()[:-1]]
    known = [gender for gender in genders if gender in ("man", "woman")]
    return known[-1] if known else given_names().get(_without_title(name)[0], "")


def _group_gender(group: Sequence[str]) -> str:
    return next((gender for name in group if (gender := _gender(name))), "")


def _clash(name: str, group: Sequence[str]) -> bool:
    return bool({"man", "woman"} <= {_gender(name), *(_gender(other) for other in group)})


def _is_same(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether the shorter name may stand for the longer: its first or last word, or both."""
    short, long = sorted((words, others), key=len)
    if len(short) == 1:
        return short[0] in (long[0], long[-1])
    return short[0] == long[0] and short[-1] == long[-1]
