"""Methods, tasks, metrics and materials of computing by the last word of their names (`terms.toml`).

There is no tagger of parts of speech: a name is a head with the words before it as far as none of them is a word of
grammar, a frequent verb or an adverb.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kag.layers.entities.spot import Spot
from kag.layers.entities.tokens import Tokens

_MOST = 4  # words before the head
_SCORE = 0.55
_WORD = re.compile(r"[^\W\d_].*")
_VERBAL = re.compile(r"\w+(?:ly|ized|ised|izes|ises)")


class Words(NamedTuple):
    """Heads with their kinds, those that are sure in any paper, and words that end a name."""

    heads: Mapping[str, str]
    sure: Mapping[str, str]
    stop: frozenset[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """The words of `terms.toml`."""
    told: dict[str, Any] = tomllib.loads((Path(__file__).parent / "terms.toml").read_text(encoding="utf-8"))
    heads, sure = ({head: kind for kind, some in told[name].items() for head in some} for name in ("heads", "sure"))
    return Words(heads, sure, frozenset(told["stop"]["words"]))


def by_head(row: Tokens) -> Iterator[Spot]:
    """Names of methods, tasks and metrics whose heads are sure in any paper.

    >>> from kag.layers.entities.tokens import tokens
    >>> text = "We train a convolutional neural network for semantic role labeling and image segmentation."
    >>> [(one.kind, text[one.start : one.end]) for one in by_head(tokens(text))]
    [('method', 'convolutional neural network'), ('task', 'image segmentation')]
    """
    known = words()
    for start, end, head in chunks(row, known.sure):
        kind = known.sure[head]
        if end - start > 1 or head.isupper():
            yield Spot(row.starts[start], row.ends[end - 1], kind, _SCORE, "head")


def chunks(row: Tokens, heads: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """The first and behind the last token of each name, and its head as it is listed."""
    stop = words().stop
    for first, last in row.sentences:
        n = first
        while n < last:
            head = _head(row.words[n], heads)
            following = row.words[n + 1] if n + 1 < last else ""
            if head and not (_head(following, heads) or (following == "-")):
                start = _start(row, n, first, stop)
                yield start, n + 1, head
            n += 1


def _head(word: str, heads: Mapping[str, str]) -> str:
    for form in (word, word.lower(), word[:-1].lower(), f"{word[:-3].lower()}y" if word.endswith("ies") else ""):
        if form in heads:
            return form
    return ""


def _start(row: Tokens, n: int, first: int, stop: frozenset[str]) -> int:
    """Where the name of a head begins."""
    start, many, at = n, 0, n - 1
    while at >= first and many < _MOST:
        word = row.words[at]
        if word == "-" and not row.spaced(at) and at > first and not row.spaced(at + 1):
            at -= 1
            continue
        if not _WORD.fullmatch(word) or word.lower() in stop or _VERBAL.fullmatch(word):
            break
        start, many, at = at, many + 1, at - 1
    return start
