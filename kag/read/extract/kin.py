"""Words that stand for each other in questions and papers, from `kin.toml`."""

from __future__ import annotations

import re
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
    other = tuple(one for one in _groups().get(stem, ()) if _stem(one) != stem)
    return (*other, *(one for one in _spellings(word) if one not in other))


@lru_cache(maxsize=8192)
def _spellings(word: str) -> tuple[str, ...]:
    """A word as it is spelt on the other side of the sea.

    >>> _spellings("analysed"), _spellings("tumor"), _spellings("ice")
    (('analyzed',), ('tumour',), ())
    """
    found = (pattern.sub(put, word) for pattern, put in _SPELT if len(word) > 4)
    return tuple(dict.fromkeys(one for one in found if one != word))


_SPELT = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"is(?=(?:e|es|ed|ing|ation|ations|er|ers)$)", "iz"), (r"iz(?=(?:e|es|ed|ing|ation|ations|er|ers)$)", "is"),
        (r"ys(?=(?:e|ed|es|ing)$)", "yz"), (r"yz(?=(?:e|ed|es|ing)$)", "ys"),
        (r"our(?=(?:s|ed|ing|al|able|ful|less)?$)", "or"),
        (r"(?<=[lmnvb])or(?=(?:s|ed|ing|al|able|ful|less)?$)", "our"),
        (r"(?<=[a-z])ae(?=[mnst])", "e"), (r"^oe(?=[sd])", "e"), (r"tre(s?)$", r"ter\1"),
        (r"(?<=[nbi])ter(s?)$", r"tre\1"),
        (r"ll(?=(?:ed|ing|er|ers)$)", "l"), (r"(?<=[ae])l(?=(?:ed|ing|er|ers)$)", "ll"),
    )
)  # fmt: skip


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
