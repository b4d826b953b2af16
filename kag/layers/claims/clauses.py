"""The main statement of a sentence: what is denied in it, how sure it is said to be, and which way a comparison goes.

"We found that X did not rise, although Y did" states "X did not rise": words that only report are taken off, clauses
that only frame it, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.layers.values import Scope

_FRAME = re.compile(
    r"^(?:(?:however|thus|therefore|hence|moreover|furthermore|finally|notably|interestingly|in addition|overall),? )?"
    r"(?:although|though|while|whereas|even though|if|when|because|since|as|despite|unless|once|after|before)\b[^,;]*,\s*",
    re.I,
)
_REPORT = re.compile(
    r"^.{0,160}?\b(?:suggest|indicat|show|found|find|demonstrat|reveal|conclud|imply|implie|confirm|propos|hypothesi[sz]"
    r"|observ|report|not|argu|believ|establish|predict|speculat|assum|estimat|mean|evidence|possible|likely|clear"
    r"|evident|noteworthy|known|hypothes[ie]s|idea|view|notion|possibility|conclusion|consider|see|saw|state|agree)"
    r"(?:s|ed|ing|e|es|ion|ions|n)?\s+that\b\s*",
    re.I | re.S,
)
_END = re.compile(
    r"[;:]|,?\s+(?:but|while|whereas|although|though|because|since|unless|even though|so that)\b|,\s+(?:while|which|who|and (?:\w+ ){1,4}"
    r"(?:is|are|was|were|did|does|do|has|have|had)|suggesting|indicating|implying|as|where|so)\b",
    re.I,
)
_INNER = re.compile(r"\b(?:that|which|who|whose|whether|if|when|where|how)\b", re.I)
_VERBAL = re.compile(
    r"^(?:(?:\w+n['’]t|not|never|cannot|can not|no longer|neither|unable|fail\w*|lack(?:s|ed)?|nor)$)", re.I
)
_DETERMINER = re.compile(r"^(?:no|none|nothing|neither)$", re.I)
_VERB_BEFORE = re.compile(
    r"(?:^|\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|will|would|should|must|there|show(?:s|ed)?"
    r"|found|find|observed?|detected|saw|see|revealed|exhibit(?:s|ed)?|display(?:s|ed)?|remain(?:s|ed)?|appear(?:s|ed)?"
    r"|seem(?:s|ed)?|provide[sd]?|identified|made|makes?|with virtually|contain(?:s|ed)?|yield(?:s|ed)?|produce[sd]?))"
    r"(?:\s+\w+ly|\s+(?:still|also|yet|therefore|thus|almost|virtually))?\s*$",
    re.I,
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|will|would|should|must)"
    r"(?:\s+\w+ly|\s+(?:still|also|yet|therefore|thus|be|have|been|all|both|it|they|we))?\s*$",
    re.I,
)
_NOUN_BEFORE = re.compile(r"\b(?:the|a|an|this|any|of|by|with|to|in|its|their|for|that|which|who|or|despite)\s*$", re.I)
_NO_DOUBT = frozenset(
    ["or", "either", "and/or", "whether", "if", "potential", "potentially", "putative", "can"]
)  # hedge no statement
_MORE = re.compile(
    r"\b(?:(?:higher|greater|larger|longer|faster|better|stronger|more \w+|wider|taller|older|warmer|deeper) (?:\w+ ){0,8}?"
    r"(?:than|compared|relative|versus|vs)|(?:is|are|was|were|be|been|remain(?:s|ed)?|became) (?:\w+ ){0,2}?(?:higher|greater|larger|longer"
    r"|faster|better|stronger|increased|elevated|enhanced|improved|up-?regulated|superior)|(?<!to )increase[sd]?\b|increasing (?:the|with)|(?<!to )improve[sd]?\b|(?<!to )enhance[sd]?\b|elevated"
    r"|(?:rose|rises) (?:to|by|from|above|with|\w+ly)|outperform(?:s|ed)?|exceed(?:s|ed)?|gains?|doubled|up-?regulat(?:es|ed|ion))\b",
    re.I,
)
_LESS = re.compile(
    r"\b(?:(?:lower|smaller|fewer|shorter|slower|worse|weaker|less \w+|narrower|younger|cooler) (?:\w+ ){0,8}?"
    r"(?:than|compared|relative|versus|vs)|(?:is|are|was|were|be|been|remain(?:s|ed)?|became) (?:\w+ ){0,2}?(?:lower|smaller|fewer|shorter"
    r"|slower|worse|weaker|decreased|reduced|diminished|impaired|attenuated|down-?regulated|inferior)|(?<!to )decrease[sd]?\b|(?<!to )reduce[sd]?\b|decline[sd]?\b"
    r"|(?:dropped|fell) (?:to|by|from|below|\w+ly)|diminish(?:es|ed)|lowered|halved|down-?regulat(?:es|ed|ion)|suppress(?:es|ed))\b",
    re.I,
)
_EQUAL = re.compile(
    r"\b(?:no (?:\w+ ){0,2}(?:differences?|change)|(?:did|does|do) not (?:\w+ )?(?:differ|change|vary)|not (?:\w+ )?(?:significantly )?different"
    r"|(?:is|are|was|were|be) (?:\w+ )?(?:similar|comparable|equal|identical|equivalent|unchanged|unaffected) ?(?:to|in|between|across|for|by)?"
    r"|the same as|remained (?:constant|unchanged|stable|similar)|indistinguishable)\b",
    re.I,
)


_WAYS = (("equal", _EQUAL), ("more", _MORE), ("less", _LESS))


def main_stretch(sentence: str) -> tuple[int, int]:
    """The characters of the main statement.

    >>> text = "We found that ice did not melt, although snow did."
    >>> text[slice(*main_stretch(text))]
    'ice did not melt'
    """
    start = 0
    for pattern in (_FRAME, _REPORT, _FRAME):
        if found := pattern.match(sentence[start:]):
            start += found.end()
    end = _END.search(sentence, start + 1)
    return start, end.start() if end else len(sentence.rstrip(" ."))


def is_negative(sentence: str, scopes: Sequence[Scope], offset: int = 0) -> bool:
    """Whether a negation rules the main verb; `offset` is what the scopes' characters count from."""
    start, end = main_stretch(sentence)
    for scope in scopes:
        at = scope.cue.start - offset
        if scope.kind == "negation" and start <= at < end and _rules_verb(scope.cue.text, sentence[start:at]):
            return True
    return False


def _rules_verb(cue: str, before: str) -> bool:
    """Whether a cue denies the verb of a statement, given the statement's words before it."""
    if _INNER.search(before):
        return False
    if _DETERMINER.match(cue) and not before.strip(" ,("):
        return True
    cue = cue.lower()
    if cue in ("not", "never", "no longer"):
        return bool(_AUXILIARY.search(before))
    if _DETERMINER.match(cue):
        return bool(_VERB_BEFORE.search(before)) and bool(before.strip())
    return bool(_VERBAL.match(cue)) and not _NOUN_BEFORE.search(before)


def is_hedged(sentence: str, scopes: Sequence[Scope], offset: int = 0) -> bool:
    """Whether the main statement, or the words that report it, are said with doubt."""
    _, end = main_stretch(sentence)
    return any(
        scope.kind == "hedge" and scope.cue.start - offset < end and scope.cue.text.lower() not in _NO_DOUBT
        for scope in scopes
    )


def direction(sentence: str) -> str:
    """ "more", "less" or "equal" where the main statement compares, by its first such word; else empty."""
    stretch = sentence[slice(*main_stretch(sentence))]
    found = ((pattern.search(stretch), name) for name, pattern in _WAYS)
    return min(((match.start(), name) for match, name in found if match), default=(0, ""))[1]
