"""What each token of a sentence shows to the model that finds how far a cue reaches."""

from __future__ import annotations

from collections.abc import Sequence

from kag.layers.claims.tokens import Token

_OPENERS = frozenset(
    ("that", "which", "but", "because", "since", "whereas", "although", "while", ";", ":", "who", "if")
)
_VERBAL = frozenset(("be", "have", "do", "modal"))
_BREAKS = frozenset((",", ";", ":", ")", "and", "but", "sub", "rel", "(", "that", "."))
_AHEAD = 9  # tokens in which a verb makes a clause of what follows


def scope_features(row: Sequence[Token], first: int, last: int) -> list[list[str]]:
    """The features of each token, given the cue `row[first:last]`."""
    cue = " ".join(token.text for token in row[first:last])
    passive = _passive(row, first, last)
    opening = _opening(row, first)
    found = []
    verbs = commas = depth = 0
    for at, token in enumerate(row):
        if at < first:
            own = _left(row, at, opening, passive, cue)
        elif at < last:
            own = ["cue", "cue=" + cue]
        else:
            own = _right(row, at, last, (verbs, commas, depth), passive, cue)
            verbs += token.kind in _VERBAL
            commas += token.kind == ","
            depth += (token.kind in "([") - (token.kind in ")]")
        found.append(own)
    return found


def _left(row: Sequence[Token], at: int, opening: int, passive: str, cue: str) -> list[str]:
    place = "at" if at == opening else "in" if at > opening else "out"
    before = row[at - 1] if at else None
    shown = before.text if before and before.kind in _BREAKS else before.kind if before else "^"
    return [
        "left",
        f"left {place}",
        f"left {place} {passive}",
        f"left {place} {passive} {cue}",
        f"left {place} {row[at].kind} {passive}",
        f"left {place} {row[at].text}",
        f"left {shown} | {row[at].kind}",
        f"left {shown} {passive}",
    ]


def _right(row: Sequence[Token], at: int, last: int, seen: tuple[int, int, int], passive: str, cue: str) -> list[str]:
    token = row[at]
    verbs, commas, depth = (min(number, 2) for number in seen)
    following = [_seen(row, at + step) for step in (1, 2)]
    before = row[at - 1].kind
    clause = "clause" if _clause(row, at + 1) else "phrase"
    close = "end" if at == len(row) - 1 else "last" if at == len(row) - 2 else ""
    breaks = token.text if token.kind in _BREAKS else ""
    own = [
        "right",
        f"k={token.kind}",
        f"w={token.text}",
        f"k={before}|{token.kind}",
        f"k={token.kind}|{following[0]}",
        f"k={token.kind}|{following[0]}|{following[1]}",
        f"d={min(at - last, 6)} {token.kind}",
        f"d={min(at - last, 6)} {token.kind} {cue}",
        f"v={verbs} {token.kind}",
        f"depth={depth} {token.kind}",
        f"{close} {token.kind}",
    ]
    if breaks:
        following_text = row[at + 1].text if at + 1 < len(row) else "$"
        own += [
            f"break {breaks} {clause}",
            f"break {breaks} {clause} v={verbs} c={commas}",
            f"break {breaks} {following_text}",
            f"break {breaks} {following[0]} {clause}",
            f"break {breaks} {cue}",
            f"break {breaks} {passive} {clause}",
            f"break {breaks} depth={depth}",
        ]
    if token.kind in _VERBAL or token.kind in ("ed", "s"):
        own += [
            f"verb {token.kind} v={verbs} {cue}",
            f"verb {token.text} {before}",
            f"verb {token.kind} {passive} {cue}",
        ]
    return own


def _seen(row: Sequence[Token], at: int) -> str:
    return row[at].kind if at < len(row) else "$"


def _clause(row: Sequence[Token], at: int) -> bool:
    """Whether a verb stands near, before the next break."""
    for token in row[at : at + _AHEAD]:
        if token.kind in _VERBAL or token.kind == "ed":
            return True
        if token.kind in ",;:":
            return False
    return False


def _passive(row: Sequence[Token], first: int, last: int) -> str:
    """What stands on the cue's sides: a form of "be" before and a participle behind make its subject a part of it."""
    helper = row[first - 1].kind if first else "^"
    for token in row[last : last + 4]:
        if token.kind == "ed":
            return f"{helper} ed"
        if token.kind not in ("ly", "be", "have", "word"):
            return f"{helper} {token.kind}"
    return f"{helper} other"


def _opening(row: Sequence[Token], first: int) -> int:
    """Where the clause of the cue begins, as far as words that open clauses show it."""
    for at in range(first - 1, -1, -1):
        token = row[at]
        if token.text in _OPENERS and not (token.kind == "det" and at + 1 == first):
            return at + (token.text not in ("which", "who"))
        if token.text == "," and at + 1 < first and not _inserted(row, at, first):
            return at + 1
    return 0


def _inserted(row: Sequence[Token], comma: int, first: int) -> bool:
    """Whether a comma closes words put in, or stands in a row of nouns: no helper of a verb before the cue's own."""
    return any(token.kind == "and" for token in row[comma + 1 : first]) or row[comma + 1].kind in _VERBAL
