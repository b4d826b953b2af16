"""What the authors did, asked as what was done: who did it is known, and sentences on methods do not say it."""

from __future__ import annotations

import re

from kag.read.extract.asking import is_of_any, weight_of

_THEY = r"(?:they|the (?:authors?|researchers?|scientists?|investigators?|team)|we|you)"
_ANY_VERB = r"(?!(?:find|do|get|have|come|know|see)\b)[a-z]{3,}"  # of which the passive says less
_HOW = re.compile(
    rf"(?P<ask>how|when|where) did {_THEY} (?P<verb>{_ANY_VERB}) "
    r"(?P<what>(?!(?:that|to|how|in|on|at|with|for|from|whether)\b).+?)[?. ]*", re.I)  # fmt: skip
_WHAT = re.compile(
    rf"(?P<ask>(?:(?:in|at|on|by|for|from|with|to|of|against) )?(?:what|which)) (?P<what>\S.*?) did {_THEY}"
    rf" (?P<verb>{_ANY_VERB})(?P<rest>.*?)[?. ]*", re.I)  # fmt: skip
_DONE = {
    "build": "built", "buy": "bought", "catch": "caught", "choose": "chosen", "cut": "cut", "draw": "drawn",
    "feed": "fed",
    "freeze": "frozen", "give": "given", "grow": "grown", "hold": "held", "keep": "kept", "make": "made", "put": "put",
    "read": "read", "run": "run", "send": "sent", "set": "set", "spend": "spent", "take": "taken", "write": "written",
}  # fmt: skip


def passive(question: str) -> str:
    """A question on what "they" did, as one on what was done; as it is where it has no word of its own subject beside,
    and so is about them.

    >>> passive("how did the authors dry the moss?")
    'how was the moss dried'
    >>> passive("which model did they use?")
    'which model did they use?'
    """
    how, what = _HOW.fullmatch(question), _WHAT.fullmatch(question)
    if how and _is_own(how["what"]):
        return f"{how['ask']} was {how['what']} {_participle(how['verb'])}"
    if what and _is_own(what["what"] + what["rest"]):
        return f"{what['ask']} {what['what']} was {_participle(what['verb'])}{what['rest']}"
    return question


def _is_own(text: str) -> bool:
    """Whether a word is of the paper's subject, and not one that any paper has."""
    return any(weight_of(word) == 1 and not is_of_any(word) for word in re.findall(r"[^\W_]{2,}", text.lower()))


def _participle(verb: str) -> str:
    """
    >>> _participle("dry"), _participle("use"), _participle("keep")
    ('dried', 'used', 'kept')
    """
    verb = verb.lower()
    if verb in _DONE:
        return _DONE[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"
