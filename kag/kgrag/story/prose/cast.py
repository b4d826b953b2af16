"""Everybody in a text: persons by name, those who are only called a man or a nurse, and whether each is he or she."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kag.kgrag.story.prose.dashes import dashed
from kag.kgrag.story.prose.kinds import Kind, kinds_of
from kag.kgrag.story.prose.names import Mention, Names
from kag.kgrag.story.prose.people import joined, parts_of
from kag.kgrag.story.prose.speech import ARTICLES, Person, Speech, speeches_of
from kag.kgrag.story.prose.tokens import Token, tokens_of, word_set

REACH = 25
"""Tokens behind a name in which a pronoun tells whether it is a man's or a woman's."""


@dataclass(frozen=True, slots=True)
class Character:
    """A person by name: what that one is mostly called, all other names, and whether a man or a woman."""

    name: str
    aliases: tuple[str, ...]
    whose: str = ""


@dataclass(frozen=True)
class Cast:
    """What is named in a text, and where."""

    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    kinds: Mapping[str, Kind]
    characters: tuple[Character, ...]
    people: tuple[Person, ...]
    speeches: tuple[Speech, ...]

    @cached_property
    def named(self) -> Mapping[int, Mention]:
        """The mentions by the token that each begins at."""
        return {one.first: one for one in self.mentions}

    def places(self) -> tuple[str, ...]:
        """The names of places, as they come."""
        return tuple(dict.fromkeys(one.name for one in self.mentions if self.kinds[one.name] == "place"))


def cast_of(text: str) -> Cast:
    """The cast of a text."""
    tokens = tokens_of(text)
    names = Names(tokens)
    kinds = kinds_of(names)
    counts = Counter(one.name for one in names.mentions if kinds[one.name] == "person")
    groups = joined(counts)
    known = {name: number for number, group in enumerate(groups) for name in group}
    named = [one for one in names.mentions if one.name in known]
    speeches = dashed(tokens) or speeches_of(tokens)
    whose = _whose(tokens, groups, known, named, speeches)
    characters = tuple(Character(group[0], group[1:], who) for group, who in zip(groups, whose, strict=True))
    people = [Person(groups[known[m.name]][0], m.first, m.after, whose[known[m.name]]) for m in named]
    taken = {at for one in people for at in range(one.first, one.after)}
    people += [one for one in _titled(tokens, groups, whose) if one.first not in taken]
    taken = {at for one in people for at in range(one.first, one.after)}
    people += [one for one in _called(tokens) if one.first not in taken]
    return Cast(
        text, tokens, names.mentions, kinds, characters, tuple(sorted(people, key=lambda one: one.first)), speeches
    )


def _titled(tokens: Sequence[Token], groups: Sequence[Sequence[str]], whose: Sequence[str]) -> Iterator[Person]:
    """Those who are called by title alone: the Count, where only one bears it."""
    bearers: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for title in {parts_of(name).title for name in group} - {""}:
            bearers.setdefault(title, set()).add(number)
    for at in range(1, len(tokens)):
        known = bearers.get(tokens[at].text, set())
        if len(known) == 1 and tokens[at - 1].text.lower() == "the":
            number = next(iter(known))
            yield Person(groups[number][0], at, at + 1, whose[number])


def _called(tokens: Sequence[Token]) -> Iterator[Person]:
    """Those who have no name: the old man, a nurse, my brother's wife."""
    nouns = _nouns()
    for at, token in enumerate(tokens):
        if token.text.lower() in ARTICLES:
            end = _noun_at(tokens, at + 1, nouns)
            if end:
                name = " ".join(one.text.lower() for one in tokens[at + 1 : end]).replace(" 's", "'s")
                yield Person(f"the {name}", end - 1, end, nouns[tokens[end - 1].text], named=False)


def _noun_at(tokens: Sequence[Token], begin: int, nouns: Mapping[str, str]) -> int:
    """Where a few words that end in a word for a person end; 0 where they do not, or another word is meant."""
    for at in range(begin, min(begin + 3, len(tokens))):
        word = tokens[at].text
        if word in nouns:
            follows = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if follows in ("'s", "’s"):
                return _noun_at(tokens, at + 2, nouns)
            if follows not in nouns:
                return at + 1
        if not word.islower() or not word.replace("-", "").isalpha():
            break
    return 0


def _nouns() -> Mapping[str, str]:
    """Words for persons, and whether they are men or women."""
    found = dict.fromkeys(word_set("people", "any"), "")
    for key, whose in (("men", "man"), ("women", "woman")):
        found |= dict.fromkeys(word_set("people", key), whose)
    return found


def _whose(
    tokens: Sequence[Token],
    groups: Sequence[Sequence[str]],
    known: Mapping[str, int],
    named: Sequence[Mention],
    speeches: Sequence[Speech],
) -> list[str]:
    """Man, woman or "" for each person: by title or given name, else by the pronouns that follow."""
    votes = [Counter[str]() for _ in groups]
    for number, group in enumerate(groups):
        for name in group:
            if parts_of(name).whose:
                votes[number][parts_of(name).whose] += 50
    said = {at for one in speeches for at in range(one.first, one.after)}
    firsts = {one.first for one in named}
    for one in named:
        for at in range(one.after, min(one.after + REACH, len(tokens))):
            if at in firsts or at in said:
                break
            word = tokens[at].text.lower()
            if word in ("he", "his", "him", "himself", "she", "her", "herself"):
                votes[known[one.name]]["woman" if word in ("she", "her", "herself") else "man"] += 1
                break
    return [_most(found) for found in votes]


def _most(found: Counter[str]) -> str:
    ranked = found.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0]


def with_speakers(cast: Cast) -> Cast:
    """The cast with the speeches attributed."""
    from kag.kgrag.story.prose.speech import attributed

    return replace(cast, speeches=attributed(cast.tokens, cast.speeches, cast.people))
