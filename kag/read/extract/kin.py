"""Words that stand for each other in questions and papers, from `kin.toml`."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from kag.text.search_text import tokens


def kin_of(word: str) -> tuple[str, ...]:
    """Other words for the same thing, by stems alike; none for most words.

    >>> "mice" in kin_of("mouse")
    True
    """
    stem = _stem(word)
    return tuple(one for one in _groups().get(stem, ()) if _stem(one) != stem)


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    rows = tomllib.loads(files("kag.read.extract").joinpath("kin.toml").read_text(encoding="utf-8"))["words"]
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        words = tuple(row.split())
        for stem in dict.fromkeys(map(_stem, words)):
            found[stem] = tuple(dict.fromkeys((*found.get(stem, ()), *words)))
    return found


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return tokens(word, stem=True)[0].text if word.isalpha() and word.isascii() else word
