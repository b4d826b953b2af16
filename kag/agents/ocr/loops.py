"""Whether a model repeats itself: small vision models fall into circles, and go on until their reply is full.

Tables and lists repeat themselves, too: what has few letters, or few rounds, is left alone.
"""

from __future__ import annotations

import re

_BOXES = re.compile(
    r"<\|det\|>[^<]{0,4000}<\|/det\|>|\[\[[\d\s,.]*+(?:\]\s*+,\s*+\[[\d\s,.]*+)*+\]\]"
)  # a circle's boxes may wander
_TOKEN = re.compile(r"<[^<>\n]{0,200}>|\w{1,40}|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]")
_GRAM = 8  # tokens that have to be the same before a round is taken for one
_PHRASE = 20  # letters of a round that says something; cells such as "n.s." have fewer
_LONG = 40  # tokens of a round that no table has as a row
_ROUNDS, _LONG_ROUNDS, _BARE_ROUNDS = 16, 5, 100
_BARE = 400  # tokens in a row that say next to nothing: blank cells, zeros, leaders


def repeats(text: str) -> bool:
    """Whether some run of words follows itself again and again, tags and boxes aside.

    >>> repeats("Sensors fail often under ice. " * 17), repeats("<td>0</td>" * 60), repeats("<td>0</td>" * 500)
    (True, False, True)
    """
    tokens = ["<>" if token[0] == "<" and len(token) > 1 else token for token in _TOKEN.findall(_BOXES.sub("", text))]
    seen: dict[tuple[str, ...], int] = {}
    period = run = 0
    for at in range(len(tokens) - _GRAM + 1):
        gram = tuple(tokens[at : at + _GRAM])
        back = at - seen.get(gram, at)
        period, run = back, run + 1 if back == period else 1
        seen[gram] = at
        if back and _is_circle(tokens[at - back : at], run + _GRAM - 1 + back):
            return True
    return False


def _is_circle(unit: list[str], length: int) -> bool:
    """Whether this many tokens in a row, all of them rounds of `unit`, are more than a paper would print."""
    rounds = length // len(unit)
    if rounds < _LONG_ROUNDS:
        return False
    if sum(len(_LETTERS.findall(token)) for token in unit) < _PHRASE:
        return rounds >= _BARE_ROUNDS and length >= _BARE
    return rounds >= (_LONG_ROUNDS if len(unit) >= _LONG else _ROUNDS)
