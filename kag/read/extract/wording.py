"""Wordings that ask the same, brought to one: `plainly` reads a question as its plain form before words are looked for.

Courtesy goes, what asks is put in front ("species, how many" is "how many species"), and ways to ask for a count, a
reason, a definition, letters written out or yes and no become the one that the kinds of answer know. What is asked
about stays word for word. The rewritings are tried in order, each once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Any

from kag.read.extract.passive import passive

_LONGEST = 400  # characters of a question that is rewritten
_ASKS = r"(?:what|which|who|whom|whose|when|where|why|how)"
_VERBS = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
_BEGINS = re.compile(rf"(?:(?:in|at|on|by|for|from|with|to|of|under) )?(?:{_ASKS}|{_VERBS}|whether)\b", re.I)
_LETTERS = re.compile(r"[A-Za-z]{0,3}[A-Z][\w/+-]{0,8}[A-Z\d][\w/+-]{0,6}")
_MORE = re.compile(
    r"\b(?:more|less|fewer|faster|slower|better|worse|higher|lower|larger|smaller|longer|shorter|stronger|weaker|earlier"
    r"|later)\b", re.I)  # fmt: skip

_COURTESY = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|so|well|and|also|then|please|just)\b[,!.]? *)*"
    r"(?:(?:(?:can|could|would|will) you |please )*(?:please )?(?:tell me|let me know|explain to me|say|explain"
    r"|give me|show me|remind me(?: of)?|find out|find|help me find)\b"
    r"(?: please)?[,:]? *(?:about |if (?=.* (?:is|are|was|were)\b))?"
    r"|(?:i(?:['’]d| would) (?:like|love) to (?:know|learn|understand)|i (?:want|need) to (?:know|find)"
    r"|i(?:['’]m| am) (?:interested in|looking for|curious(?: about)?|wondering)|i (?:was )?wonder(?:ing)?"
    r"|(?:do you|does anyone) know|any idea|(?:quick |one |my )*question is|quick question)\b[,:]? *)?",
    re.I,
)
_PARTING = re.compile(r"[\s,;-]*\b(?:please|thanks|thank you|exactly|if any)\W*$", re.I)
_SHORTENED = re.compile(r"\b(what|who|where|when|how|why|that|it|there)['’]s\b", re.I)
_ASIDE = re.compile(
    r",? \b(?:(?:according to|do you think|did|do|does) (?:the )?(?:authors?|paper|study)"
    r"|in (?:this|the) (?:paper|article|work))\b"
    r"(?= *(?:\?|$))|\baccording to the (?:authors?|paper|study|article),? *", re.I)  # fmt: skip


def plainly(question: str) -> str:
    """A question in the plain form in which it is read; as it is where no rewriting fits.

    >>> plainly("Can you tell me what pyemu is?")
    'what is pyemu'
    >>> plainly("dead wood - why not left?")
    'why not left dead wood'
    >>> plainly("number of bees")
    'how many bees'
    """
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return question
    bare = text
    for rewrite in _rewritings():
        bare = rewrite(bare).strip() or bare
    return bare if bare.rstrip(" ?.") != text.rstrip(" ?.") else question


def _without_courtesy(text: str) -> str:
    rest = _PARTING.sub("", _COURTESY.sub("", text, count=1)) or text
    rest = _ASIDE.sub("", _SHORTENED.sub(r"\1 is", rest)) or rest
    return rest


def _in_front(text: str) -> str:
    """What asks, in front of what it asks about; as it is where something that asks stands there already."""
    if _BEGINS.match(text):
        return text
    for pattern in _BEHIND:
        found = pattern.fullmatch(text)
        if found:
            return f"{found['ask'].strip()} {found['what'].strip(' ,:;–—-')}"
    return text


_BEHIND = [
    re.compile(rf"(?P<what>.{{2,}}?)\s*[,;:–—]\s*(?P<ask>{_ASKS}\b[^?]*)[?. ]*", re.I),
    re.compile(rf"(?P<what>.{{2,}}?)\s+-+\s*(?P<ask>{_ASKS}\b[^?]*)[?. ]*", re.I),
    re.compile(r"(?P<what>.{2,}?) (?P<ask>how many|how much|how long|how|when|where|why)[?. ]*", re.I),
    re.compile(
        r"(?P<what>.{2,}? (?:is|are|was|were|has|have|did|does|do|could|can)\b.{0,80}?) "
        r"(?P<ask>(?:in |at |on |by |from |with |for )?"
        r"(?:which|what|how many)\b[^?]*)[?. ]*", re.I),
]  # fmt: skip


def _yes_or_no(text: str) -> str:
    """A statement with a question mark, or with "yes or no" behind it, as a question whether it is so."""
    said = re.fullmatch(
        r"(?P<what>.+?)[\s,;:(–—-]*\b(?:yes or no|yes/no|true or false|right or wrong)\b\W*", text, re.I
    )
    if said:
        return f"whether {said['what']}"
    if _BEGINS.match(text) or not text.endswith("?"):
        return text
    if re.match(r"any\b", text, re.I):
        return f"whether {text}"
    if _measured().search(text):
        return text
    doubted = re.fullmatch(
        r"(?P<what>.+?) ?(?:[:,–—]| -) ?(?P<so>\w+(?:ed|er|less|more)|true|significant)\W*", text, re.I
    )
    if doubted:
        return f"whether {doubted['what']} {doubted['so']}"
    does = re.fullmatch(rf"(?P<what>.+?) ?(?:[:,–—]| -) ?{_VERBS} (?:it|they|this|that) (?P<so>.+?)\W*", text, re.I)
    if does:
        return f"whether {does['what']} {does['so']}"
    return f"whether {text}" if _MORE.search(text) and len(text.split()) > 3 else text


def _rule(pattern: str, put: str) -> Callable[[str], str]:
    pattern = pattern.replace("MEASURES", "|".join(_table()["measures"]))
    compiled = re.compile(f"{pattern[:-1]}{_END}" if pattern.endswith("~") else pattern, re.I)
    return lambda text: compiled.sub(put, text, count=1)


def _letters(text: str) -> str:
    """Letters alone, or called an abbreviation, as the question what they stand for; another word alone, what it is."""
    alone = text.strip(" ?.=:")
    if re.fullmatch(_LETTERS, alone):
        return f"What does {alone} stand for?"
    if re.fullmatch(r"[A-Za-z][\w+-]{2,30}", alone) and not _BEGINS.match(alone) and text.rstrip().endswith("?"):
        return f"what is {alone}"
    return text


_END = r"[\s?.=:]*$"


@lru_cache(maxsize=1)
def _measured() -> re.Pattern[str]:
    """A measure behind a mark ("moss, wet weight?"): a number is asked for, and not whether something is so."""
    return re.compile(rf"[:,–—-] (?:[\w-]+ ){{0,3}}(?:{'|'.join(_table()['measures'])})s?\b", re.I)


@lru_cache(maxsize=1)
def _table() -> dict[str, list[Any]]:
    text = files("kag.read.extract").joinpath("wording.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def _rewritings() -> tuple[Callable[[str], str], ...]:
    """All steps in their order: those above, and between them the rules of `wording.toml`."""
    rules = {name: rows for name, rows in _table().items() if name != "measures"}
    table = {name: [_rule(*row) for row in rows] for name, rows in rules.items()}
    return (
        _without_courtesy, *table["frames"], *table["first"], _letters, *table["then"], _in_front, *table["ways"],
        passive, _yes_or_no, *table["last"],
    )  # fmt: skip
