"""Scopes of negation and hedging: cues and the words in their scope, as BioScope marks them (Vincze et al. 2008).

`cues.toml` has the words that may be cues, and a model decides which are. A scope begins at its cue or its subject
("the gene is not expressed"); a conditional random field finds its end. `scripts/benchmarks/train_claims.py` trains
all.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kag.layers.models import linear
from kag.layers.values import Mention, Scope
from kag.text import crf

_TOKEN = re.compile(r"\w+(?:[-–'’/.,·]\w+)*|\S")
_CLOSED = {
    "det": "a an the this that these those its their his her our my your any some all each every both such no",
    "prep": "of in on at by for with from to into onto upon under over between among during after before through "
    "within without via per as than against toward towards across along around near above below despite except like",
    "and": "and or nor plus",
    "but": "but however yet whereas while although though rather",
    "sub": "because since if when unless until whether so thus thereby hence where how why what",
    "rel": "which who whom whose",
    "be": "is are was were be been being am",
    "have": "has have had having",
    "do": "does do did",
    "modal": "may might can could will would shall should must cannot",
    "pron": "it they we he she i you them us him there here itself themselves one",
    "neg": "not never neither none n't",
    "that": "that",
    "to": "to",
}
_CLASS = {word: name for name, words in _CLOSED.items() for word in words.split()}
_ENDINGS = (
    ("ing", "ing"), ("ed", "ed"), ("ly", "ly"), ("tion", "noun"), ("sion", "noun"), ("ment", "noun"), ("ity", "noun"),
    ("ness", "noun"), ("ence", "noun"), ("ance", "noun"), ("ous", "adj"), ("ive", "adj"), ("able", "adj"),
    ("ible", "adj"), ("al", "adj"), ("ic", "adj"), ("ent", "adj"), ("ant", "adj"), ("ss", "word"), ("us", "word"),
    ("is", "word"), ("s", "s"),
)  # fmt: skip
_IRREGULAR = """
    shown known found seen made given taken done been become begun chosen drawn driven felt held kept led left
    lost met read run said sent set spent told thought understood written built bound grown put
"""
_PARTICIPLES = frozenset(_IRREGULAR.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark; `text` is in small letters, `kind` its class ("det", "prep", "ed", "num", ",", ...)."""

    start: int
    end: int
    text: str
    kind: str


def tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence in order.

    >>> [(token.text, token.kind) for token in tokens("Ice did not melt (3 days).")][:4]
    [('ice', 'word'), ('did', 'do'), ('not', 'neg'), ('melt', 'word')]
    """
    found = []
    for match in _TOKEN.finditer(well_formed(sentence)):
        text = match[0].lower()
        found.append(Token(match.start(), match.end(), text, _kind(text)))
    return found


def well_formed(text: str) -> str:
    """A text of the same length in which half a character is a question mark: no library takes it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _kind(text: str) -> str:
    if not (text[0].isalnum() or text[0] == "_"):
        return text if text in ",;:()[].\"'" else "mark"
    if known := _CLASS.get(text):
        return known
    if text in _PARTICIPLES:
        return "ed"
    if text[0].isdigit():
        return "num"
    return next((kind for ending, kind in _ENDINGS if len(text) > len(ending) + 2 and text.endswith(ending)), "word")


FOLDER = Path(__file__).parent
KINDS = ("negation", "hedge")
ENOUGH = 0.5  # probability from which on a candidate is taken for a cue
SURE = 0.9  # least probability of a cue that the lexicon calls sure
_AROUND = 3  # words to either side that the model sees
_OWN = 3  # times that the word itself counts
_WEAK = frozenset(["or", "either", "and/or", "if", "can", "could", "would", "should", "potential", "apparent"])


@dataclass(frozen=True, slots=True)
class Cue:
    """`text[start:end]` denies or hedges with probability `score`; `first` and `last` bound its tokens."""

    start: int
    end: int
    first: int
    last: int
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a kind of cue: candidates, lookalikes, and words that are always cues."""

    cues: re.Pattern[str]
    false: re.Pattern[str]
    sure: frozenset[str]


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, _Words]:
    given = tomllib.loads((FOLDER / "cues.toml").read_text(encoding="utf-8"))

    def pattern(words: Sequence[str]) -> re.Pattern[str]:
        joined = "|".join(word.replace(" ?", r"\s?").replace(" ", r"\s+") for word in words)
        return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])", re.I)

    return {
        kind: _Words(pattern([*own["parts"], *own["cues"]]), pattern(own["false"]), frozenset(own["sure"]))
        for kind, own in given.items()
    }


def candidates(text: str, row: Sequence[Token], kind: str) -> list[Cue]:
    """The words of a sentence, with its tokens `row`, that may be cues of a kind."""
    words = _lexicon()[kind]
    found = [match.span() for match in words.cues.finditer(text)]
    if not found:
        return []
    shadows = [match.span() for match in words.false.finditer(text)]
    ends = [token.end for token in row]
    return [
        Cue(start, end, bisect_left(ends, start + 1), bisect_left(ends, end) + 1)
        for start, end in found
        if not any(first <= start and end <= last for first, last in shadows)
    ]


def cue_features(text: str, row: Sequence[Token], cue: Cue) -> list[str]:
    """Return the features of a candidate: itself (repeated, for more weight), its neighbours and their classes."""
    own = re.sub(r"\w+n['’]t$", "not", re.sub(r"\s+", " ", text[cue.start : cue.end].lower()))
    strength = "weak" if own in _WEAK else "strong"
    found = [f"{name} {n}" for name in (f"c={own}", f"stem={own[:6]}", strength) for n in range(_OWN)]
    for step in range(1, _AROUND + 1):
        for side, at in (("l", cue.first - step), ("r", cue.last - 1 + step)):
            shown, kind = (row[at].text, row[at].kind) if 0 <= at < len(row) else ("^", "^")
            found += [f"{side}{step}={shown}", f"{side}{step}k={kind}", f"c={own} {side}{step}k={kind}"]
            if step == 1:
                found += [f"c={own} {side}={shown}", f"stem={own[:6]} {side}k={kind}"]
    before = {token.text for token in row[: cue.first]}
    return found + [
        f"c={own} before={word}" for word in ("either", "neither", "whether", "not", "we") if word in before
    ]


@lru_cache(maxsize=2)
def _model(kind: str) -> linear.Linear:
    return linear.read(FOLDER / f"{kind}_cues")


def find_cues(text: str, kind: str) -> tuple[list[Token], list[Cue]]:
    """The tokens of a sentence, and its cues of a kind ("negation" or "hedge") in order."""
    if not _lexicon()[kind].cues.search(text):
        return [], []
    row = tokens(text)
    found = []
    for cue in candidates(text, row, kind):
        score = _model(kind).shares(cue_features(text, row, cue))["cue"]
        if text[cue.start : cue.end].lower() in _lexicon()[kind].sure:
            score = max(score, SURE)
        if score >= ENOUGH:
            found.append(Cue(cue.start, cue.end, cue.first, cue.last, round(score, 3)))
    return row, found


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
    """Extend a passive's scope: a form of "be" before and a participle behind make its subject a part of it."""
    helper = row[first - 1].kind if first else "^"
    for token in row[last : last + 4]:
        if token.kind == "ed":
            return f"{helper} ed"
        if token.kind not in ("ly", "be", "have", "word"):
            return f"{helper} {token.kind}"
    return f"{helper} other"


def _opening(row: Sequence[Token], first: int) -> int:
    """Return the start of the cue's clause, as far as words that open clauses show it."""
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


RULE = "scopes 1"
LONGEST = 4000  # characters of a sentence that is read


def find_scopes(sentence: str, node: str = "", start: int = 0) -> tuple[Scope, ...]:
    """The cues of a sentence with their scopes, in order; the sentence begins at `start` of its passage.

    >>> [(scope.kind, scope.cue.text) for scope in find_scopes("This may not be the cause.")]
    [('hedge', 'may'), ('negation', 'not')]
    """
    if len(sentence) > LONGEST:
        return ()
    scopes = []
    for kind in KINDS:
        row, cues = find_cues(sentence, kind)
        for cue in cues:
            first, last = scope_of(row, cue, kind)
            words = sentence[cue.start : cue.end]
            mention = Mention(node, start + cue.start, start + cue.end, words, kind, cue.score, RULE)
            scopes.append(Scope(kind, mention, start + first, start + last))
    return tuple(sorted(scopes, key=lambda scope: (scope.cue.start, scope.kind)))


def scope_of(row: Sequence[Token], cue: Cue, kind: str) -> tuple[int, int]:
    """The characters that a cue rules, itself among them; the stop of the sentence is not."""
    model = crf.read(FOLDER / f"{kind}_scopes.crf")
    labels = model.best(model.scores(scope_features(row, cue.first, cue.last)))
    inside = [at for at, label in enumerate(labels) if model.labels[label] in "SI"]
    first = min([*inside, cue.first])
    last = max([*inside, cue.last - 1])
    while last >= cue.last and row[last].text in ".;":
        last -= 1
    return min(row[first].start, cue.start), max(row[last].end, cue.end)
