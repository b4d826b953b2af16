"""The main statement of a sentence: what is denied in it, how sure it is said to be, and which way a comparison goes.

"We found that X did not rise, although Y did" states "X did not rise": words that only report are taken off, clauses
that only frame it, too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from kag.layers.values import Scope

WAYS = ("equal", "more", "less")
FOLDER = Path(__file__).parent
_GIVEN = tomllib.loads((FOLDER / "clauses.toml").read_text(encoding="utf-8"))
_PATTERNS = {name: re.compile("|".join(texts), re.I | re.S) for name, texts in _GIVEN.items()}
# These hedge no statement: they join, ask, or say what something is able to do.
_NO_DOUBT = frozenset(("or", "either", "and/or", "whether", "if", "potential", "potentially", "putative", "can"))


def main_stretch(sentence: str) -> tuple[int, int]:
    """The characters of the main statement.

    >>> text = "We found that ice did not melt, although snow did."
    >>> text[slice(*main_stretch(text))]
    'ice did not melt'
    """
    return _borders(sentence)[1:]


def _borders(sentence: str) -> tuple[int, int, int]:
    """Where words that report begin, the main statement, and what follows it; no report where the first two are one."""
    first = _past("frame", sentence, 0)
    reported = _past("report", sentence, first)
    start = _past("frame", sentence, reported) if reported > first else first
    end = _PATTERNS["end"].search(sentence, start + 1)
    return (first if reported > first else start), start, end.start() if end else len(sentence.rstrip(" ."))


def _past(name: str, sentence: str, start: int) -> int:
    found = _PATTERNS[name].match(sentence[start:])
    return start + found.end() if found else start


def is_negative(sentence: str, scopes: Sequence[Scope], offset: int = 0) -> bool:
    """Whether a negation rules the main verb, or the verb that reports it, but not both.

    `offset` is what the scopes' characters count from.
    """
    reports, start, end = _borders(sentence)
    places = {(one.cue.start - offset, one.cue.text) for one in scopes if one.kind == "negation"}
    places |= {(found.start(), found[found.lastindex or 0]) for found in _PATTERNS["insignificant"].finditer(sentence)}
    denied = False
    for first, last in ((reports, start), (start, end)):
        denied ^= any(_rules_verb(cue, sentence[first:at]) for at, cue in places if first <= at < last)
    return denied


def _rules_verb(cue: str, before: str) -> bool:
    """Whether a cue denies the verb of a statement, given the statement's words before it."""
    if _PATTERNS["inner"].search(before):
        return False
    if _PATTERNS["determiner"].match(cue) and not before.strip(" ,("):
        return True
    cue = cue.lower()
    if cue in ("not", "never", "no longer"):
        return bool(_PATTERNS["auxiliary"].search(before))
    if _PATTERNS["determiner"].match(cue):
        return bool(_PATTERNS["verb_before"].search(before)) and bool(before.strip())
    return bool(_PATTERNS["verbal"].match(cue)) and not _PATTERNS["noun_before"].search(before)


def is_hedged(sentence: str, scopes: Sequence[Scope], offset: int = 0) -> bool:
    """Whether the main statement, or the words that report it, are said with doubt."""
    reports, _, end = _borders(sentence)
    cues = ((one.cue.text.lower(), one.cue.start - offset) for one in scopes if one.kind == "hedge")
    return any(
        reports <= at < end and cue not in _NO_DOUBT and not _PATTERNS["known"].search(sentence[:at] + cue)
        for cue, at in cues
    )


def direction(sentence: str) -> str:
    """ "more", "less" or "equal" where the main statement compares, by its first such word; else empty."""
    stretch = sentence[slice(*main_stretch(sentence))]
    found = ((_PATTERNS[name].search(stretch), name) for name in WAYS)
    return min(((match.start(), name) for match, name in found if match), default=(0, ""))[1]
