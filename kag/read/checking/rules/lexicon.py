"""The table of words that turn a statement (`lexicon.toml`): opposites, synonyms, denials, hedges, quantities."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from kag.text.search_text import stems

Phrase = tuple[str, ...]  # stems, or words in small letters


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases to what they say: `opposites` and `same` by stems, the others by the very words.

    `opposites` has a scale and a side of it, 1 or -1, several where a word is on several scales; `same` the groups of
    words that say the same; `denials` their reach ("forward", "whole", "phrase"), `hedges` "guess" or "plan",
    `quantifiers` "all", "only", "most" or "some". `near` has phrases that may say as much as one of another table.
    """

    opposites: Mapping[Phrase, tuple[tuple[str, int], ...]]
    same: Mapping[str, frozenset[int]]
    denials: Mapping[Phrase, str]
    hedges: Mapping[Phrase, str]
    quantifiers: Mapping[Phrase, str]
    near: Mapping[str, frozenset[Phrase]]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "lexicon.toml").read_text(encoding="utf-8"))


@cache
def _irregular() -> Mapping[str, str]:
    """Past forms that no rule makes, to the verbs they are of."""
    return {form: verb for verb, forms in _table()["irregular"].items() for form in forms.split()}


def is_irregular(word: str) -> bool:
    """Whether a word is a past form that no rule makes: "fell"."""
    return word.lower() in _irregular()


@cache
def lexicon() -> Lexicon:
    """The table, read once."""
    table = _table()
    opposites: dict[Phrase, list[tuple[str, int]]] = {}
    for scale, (up, down) in table["opposites"].items():
        for side, words in ((1, up), (-1, down)):
            for phrase in _phrases(words):
                opposites.setdefault(phrase, []).append((scale, side))
    same: dict[str, set[int]] = {}
    for number, words in enumerate(table["same"]["words"]):
        for phrase in _phrases(words):
            same.setdefault(" ".join(phrase), set()).add(number)
    return Lexicon(
        {phrase: tuple(dict.fromkeys(sides)) for phrase, sides in opposites.items()},
        {word: frozenset(groups) for word, groups in same.items()},
        _by_phrase(table["denials"]),
        _by_phrase(table["hedges"]),
        _by_phrase(table["quantifiers"]),
        {name: frozenset(_by_phrase({name: words})) for name, words in table["near"].items()},
    )


def _by_phrase(table: Mapping[str, str]) -> dict[Phrase, str]:
    return {tuple(phrase.split()): name for name, words in table.items() for phrase in words.split(",")}


def _phrases(words: str) -> Iterable[Phrase]:
    return (tuple(stem(word) for word in phrase.replace("-", " ").split()) for phrase in words.split(","))


_SPELLINGS = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"(?<=\w{3})is(?=(?:e[ds]?|ing|ations?)$)", "iz"),
        (r"(?<=\w{2})ys(?=(?:e[ds]?|ing)$)", "yz"),
        (r"(?<=[bdilmnv])our", "or"),
        (r"(?<=[hkn])ae(?=m)|(?<=p)ae(?=d)|^ae(?=ti|st)", "e"),
        (r"oe(?=d|st|n)|(?<=f)oe(?=t)", "e"),
        (r"(?<=[bein])tre(?=s?$)", "ter"),
        (r"(?<=fi)bre(?=s?$)", "ber"),
    )
)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word's stem, British and American spelling and the forms of a verb alike.

    >>> stem("Tumours"), stem("tumor"), stem("polarised"), stem("lost")
    ('tumor', 'tumor', 'polar', 'lose')
    """
    low = word.lower().removesuffix("'s").rstrip("'")
    low = _irregular().get(low, low)
    if len(low) > 4:
        for british, american in _SPELLINGS:
            low = british.sub(american, low)
    found = stems(low)
    return found[0] if len(found) == 1 else low
