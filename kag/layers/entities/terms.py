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


class Named(NamedTuple):
    """Characters from `start` to before `end` and the kind of what they name, "generic" for words like "the method"."""

    start: int
    end: int
    kind: str


def named(row: Tokens) -> Iterator[Named]:
    """All names of a text, also the doubtful ones: runs of words that are none of grammar, by their last word.

    What stands in brackets behind a name as its short form is part of it, and so is what a doing is done to
    ("reduction of noise").
    """
    behind = 0
    some = _joined(row, [*phrases(row)])
    for start, end in some:
        if start < behind:
            continue
        head = _last(row, start, end)
        kind = words().heads.get(_head(row.words[head], words().heads)) or _by_ending(row.words[head])
        if end - start == 1:
            kind = _alone(row, start, kind)
        if kind:
            end = _bracketed(row, end) if kind != "generic" else end
            behind = end
            yield Named(row.starts[start], row.ends[end - 1], kind)


def _joined(row: Tokens, runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Runs with what belongs to them: behind "of", where their last word is a doing; an adjective before "and"."""
    for at, (start, end) in enumerate(runs):
        start = _before_and(row, start, runs[at - 1][1] if at else 0)
        following = runs[at + 1] if at + 1 < len(runs) else (0, 0)
        between = row.words[end : following[0]]
        if between in (("of",), ("of", "the")) and _DONE.fullmatch(row.words[end - 1].lower()):
            yield start, following[1]
        yield start, end


def _before_and(row: Tokens, start: int, least: int) -> int:
    """Where a name begins that shares its last word: "lexical and syntactic information"."""
    at = start - 2
    if at < least or row.words[start - 1].lower() not in ("and", "or") or not _SHARING.fullmatch(row.words[at].lower()):
        return start
    if row.words[at].lower() in words().stop:
        return start
    while at > least and _inside(row, at - 1, least, len(row.words), True):
        at -= 1
    return at


def _last(row: Tokens, start: int, end: int) -> int:
    """The word that tells what a name is of: the last one, before "of" where there is one."""
    return next((n - 1 for n in range(start + 1, end) if row.words[n] == "of"), end - 1)


def _bracketed(row: Tokens, end: int) -> int:
    """Behind the short form that stands in brackets behind a name."""
    inside = row.words[end : end + 3]
    return (
        end + 3 if len(inside) == 3 and inside[0] == "(" and inside[2] == ")" and _SHORT.fullmatch(inside[1]) else end
    )


def _by_ending(word: str) -> str:
    """What kind a name is likely of whose head is not listed: doers are methods, doings are tasks."""
    low = word.lower().removesuffix("s")
    if word.isupper() or _DOER.fullmatch(low):
        return "method"
    return "task" if _DOING.fullmatch(low) else "term"


def _alone(row: Tokens, n: int, kind: str) -> str:
    """The kind of a name of one word; empty where it is none."""
    word, head = row.words[n], _head(row.words[n], words().heads)
    if head and head.islower():
        if kind == "method" or head in _ANY:
            return "generic" if n and row.words[n - 1].lower() in _POINTS else ""
        return "" if head in _BARE or kind in ("term", "material") else kind
    capitals = sum(letter.isupper() for letter in word)
    return kind if head else "method" if capitals > 1 and capitals * 2 > len(word) else ""


def phrases(row: Tokens) -> Iterator[tuple[int, int]]:
    """Runs of words of which names are made: none of grammar, no verb, no adverb; what is hyphened stays whole."""
    for first, last in row.sentences:
        start: int | None = None
        for n in range(first, last + 1):
            if n < last and _inside(row, n, first, last, start is not None):
                start = n if start is None else start
            elif start is not None:
                end = n
                while end > start and not _ends(row.words[end - 1]):
                    end -= 1
                if end > start:
                    yield start, end - _verb_behind(row, start, end)
                start = None


def _verb_behind(row: Tokens, start: int, end: int) -> bool:
    """Whether the last word of a run is likely a verb: one that ends no name, behind a method ("the model fails")."""
    if end - start < 2 or _by_ending(row.words[end - 1]) != "term" or _head(row.words[end - 1], words().heads):
        return False
    head = _head(row.words[end - 2], words().heads)
    return words().heads.get(head) == "method" and not row.words[end - 2].lower().endswith("ing")


def _inside(row: Tokens, n: int, first: int, last: int, begun: bool) -> bool:
    word = row.words[n]
    hyphened = (n + 1 < last and row.words[n + 1] == "-" and not row.spaced(n + 1)) or (
        n > first and row.words[n - 1] == "-" and not row.spaced(n)
    )
    if word in ("-", "/"):
        return begun and not row.spaced(n) and n + 1 < last and not row.spaced(n + 1)
    if not _WORD.fullmatch(word):
        return begun and word.isdigit()
    low = word.lower()
    if hyphened:
        return True
    if low in words().stop or _VERBAL.fullmatch(low):
        return False
    return begun or not _PARTICIPLE.fullmatch(low) or _of_a_name(row, n, first, last)


def _of_a_name(row: Tokens, n: int, first: int, last: int) -> bool:
    """Whether a participle belongs to the noun behind it: an article stands before it."""
    if n == first or n + 1 == last or row.words[n - 1].lower() not in _ARTICLES:
        return False
    return bool(_WORD.fullmatch(row.words[n + 1])) and row.words[n + 1].lower() not in words().stop


def _ends(word: str) -> bool:
    """Whether a name can end with a word: no adjective, no participle."""
    return bool(_WORD.fullmatch(word)) and not _ADJECTIVE.fullmatch(word.lower())


_DOER = re.compile(r"\w{4,}(?:izer|iser|ator|ctor|cker|nner|sser|over)")
_DOING = re.compile(r"\w{4,}(?:ization|isation|ification|ing)")
_ADJECTIVE = re.compile(r"\w{2,}(?:ous|ive|able|ible|ful|less|ed|ical|ional|ary|ual)")
_PARTICIPLE = re.compile(
    r"\w{3,}(?:ed|ing)(?<!learning)(?<!parsing)(?<!tagging)(?<!training)(?<!processing)(?<!clustering)(?<!supervised)"
)
_ARTICLES = frozenset(("a", "an", "the", "our", "this", "these", "their", "its"))
_SHARING = re.compile(r"\w{3,}(?:al|ic|ive|ous|ary|ar|ed)")
_DONE = re.compile(r"\w{4,}(?:tions?|ments?)")
_SHORT = re.compile(r"[A-Z][\w-]*[A-Z]\w*|[A-Z]{2,}s?")
# what stands before "method" where it is one that the text speaks of
_POINTS = frozenset(
    ("the", "this", "these", "that", "those", "our", "a", "an", "new", "novel", "proposed", "existing", "two", "three",
     "both", "such", "other", "its", "their", "each", "different", "several", "various", "previous", "current", "same")
)  # fmt: skip
_ANY = frozenset({"task", "problem", "data", "feature", "measure", "metric"})
_BARE = frozenset(
    {"time", "rate", "error", "score", "cost", "measure", "performance", "analysis", "processing", "problem"}
)
