"""Speeches that a dash opens and nothing closes: `— Thanks, old chap, he cried briskly. That will do.`

So print Joyce, and books in Spanish, French and other languages. A speech stops at its tag and goes on behind it.
It ends with the paragraph, before the next dash that opens one, and where the text tells again what somebody did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kag.kgrag.story.prose.speech import SUBJECTS, Speech
from kag.kgrag.story.prose.tokens import DASHES, END, QUOTES, Token, word_set

FEWEST = 3
"""Dashes at which sentences begin, from which on they mark speeches; quotation marks must be fewer."""
WE = frozenset({"I", "i", "you", "your", "my", "me", "we", "us", "our", "mine", "yours"})
MOST_NAME = 4


def dashed(tokens: Sequence[Token]) -> tuple[Speech, ...]:
    """The speeches of a text that marks them by dashes, nobody's as yet; () for any other text."""
    opening = [at for at in range(len(tokens)) if _opens(tokens, at)]
    if len(opening) < FEWEST or sum(token.text in QUOTES for token in tokens) >= len(opening):
        return ()
    ends = [*opening[1:], len(tokens)]
    return tuple(one for first, end in zip(opening, ends, strict=True) for one in _pieces(tokens, first, end))


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether a dash begins a sentence or a paragraph."""
    fresh = at == 0 or tokens[at].fresh or tokens[at - 1].text in END
    return tokens[at].text in DASHES and fresh and at + 1 < len(tokens) and tokens[at + 1].text[:1].isupper()


def _pieces(tokens: Sequence[Token], first: int, end: int) -> Iterator[Speech]:
    """What is said from a dash to before the next one, without the tags in it."""
    begin: int | None = first
    for start, stop in _sentences(tokens, first, end):
        tag = _tag(tokens, start, stop)
        if start > first and (tokens[start].fresh or _is_told(tokens, start, stop, tag)):
            break
        if tag is None:
            begin = start if begin is None else begin
            continue
        if begin is not None and begin < tag[0]:
            yield _speech(tokens, begin, tag[0])
        begin = tag[1] if tag[1] < stop else None
    else:
        start = end
    if begin is not None and begin < start:
        yield _speech(tokens, begin, start)


def _speech(tokens: Sequence[Token], first: int, after: int) -> Speech:
    return Speech(tokens[first].start, tokens[after - 1].end, first, after)


def _sentences(tokens: Sequence[Token], first: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a stretch, each to behind its mark."""
    start = first
    for at in range(first, end):
        if tokens[at].text in END or at + 1 == end or tokens[at + 1].fresh:
            yield start, at + 1
            start = at + 1


def _tag(tokens: Sequence[Token], start: int, stop: int) -> tuple[int, int] | None:
    """Where a tag begins, `he said` or `said Anna`, first in its sentence or behind a comma, and what follows it."""
    for at in range(start, stop):
        if at > start and tokens[at - 1].text != ",":
            continue
        verb = _verb(tokens, at, stop)
        if verb is not None and not (at == start and tokens[at].text in DASHES):
            told = verb + 1 if verb > at else _name_end(tokens, at + 1, stop)
            return at, told + 1 if tokens[told].text == "," and told + 1 < stop else stop
    return None


def _verb(tokens: Sequence[Token], at: int, stop: int) -> int | None:
    """Where the verb of a tag that begins at a token stands: behind a pronoun or name, or before one."""
    verbs = word_set("speech", "verbs")
    if tokens[at].text in verbs and at + 1 < stop:
        return at if tokens[at + 1].text in SUBJECTS or tokens[at + 1].capital or tokens[at + 1].text == "the" else None
    behind = at + 1 if tokens[at].text in SUBJECTS else _name_end(tokens, at, stop)
    return behind if at < behind < stop and tokens[behind].text in verbs else None


def _name_end(tokens: Sequence[Token], at: int, stop: int) -> int:
    """Where a pronoun, name or `the` with a noun that begins at a token ends."""
    if at < stop and tokens[at].text in SUBJECTS:
        return at + 1
    if at < stop and tokens[at].text == "the":
        return min(at + 2, stop - 1)
    end = at
    while end < stop and end - at < MOST_NAME and tokens[end].capital:
        end += 1
    return end


def _is_told(tokens: Sequence[Token], start: int, stop: int, tag: tuple[int, int] | None) -> bool:
    """Whether a sentence tells what somebody did, and speaks of nobody who is here."""
    words = [token.text for token in tokens[start:stop]]
    if tag is not None:
        return words[-1] == ":" or (tag[0] > start and words[0].endswith("ing"))
    if any(word in WE for word in words):
        return False
    did = word_set("speech", "past") | word_set("speech", "verbs")
    for at, (word, following) in enumerate(pairwise(words)):
        acts = following in did or (following.endswith("ed") and following.islower())
        if acts and (word.lower() in ("he", "she", "they") or (at < MOST_NAME and tokens[start + at].capital)):
            return True
    return False
