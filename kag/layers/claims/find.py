"""The claims of a paper: its sentences that state results, conclusions, hypotheses, methods, limits and the like; and
the intent of its citations as a CiTO property, by a model trained on SciCite and phrases (`intents.toml`).

Polarity, certainty and direction are those of a sentence's main statement: "We found that X did not rise, although Y
did" states "X did not rise".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from pathlib import Path

from kag.layers.claims.roles import ENOUGH, claim_points, role_of, roles_of_abstract, whole
from kag.layers.claims.scopes import find_scopes
from kag.layers.models.linear import Linear, read
from kag.layers.source import cited_sentences
from kag.layers.values import Claim, Entity, Measurement, Mention, Passage, Scope
from kag.rdf.profile import ROLES

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
    """Return the start of the reporting words, of the main statement, and of its continuation; no report if the first
    two coincide."""
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
    places = {(scope.cue.start - offset, scope.cue.text) for scope in scopes if scope.kind == "negation"}
    places |= {(match.start(), match[match.lastindex or 0]) for match in _PATTERNS["insignificant"].finditer(sentence)}
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
    """Whether the main statement, or the words that report it, are hedged."""
    reports, _, end = _borders(sentence)
    cues = ((scope.cue.text.lower(), scope.cue.start - offset) for scope in scopes if scope.kind == "hedge")
    return any(
        reports <= at < end and cue not in _NO_DOUBT and not _PATTERNS["known"].search(sentence[:at] + cue)
        for cue, at in cues
    )


def direction(sentence: str) -> str:
    """ "more", "less" or "equal" where the main statement compares, by its first such word; else empty."""
    stretch = sentence[slice(*main_stretch(sentence))]
    found = ((_PATTERNS[name].search(stretch), name) for name in WAYS)
    return min(((match.start(), name) for match, name in found if match), default=(0, ""))[1]


RULE = "claims 1"
STATED = frozenset(ROLES) - {"background"}
_COMPARED = frozenset(("result", "conclusion", "hypothesis"))
_STATEMENT = 0.85  # confidence of a conclusion that an abstract's points show
_LONGEST = 1500  # characters; what is longer is a list or a damaged text
Callouts = Mapping[str, Sequence[tuple[int, int, str]]]
Spans = Sequence[tuple[int, int, str]]


def find_claims(
    passages: Sequence[Passage],
    entities: Sequence[Entity] = (),
    measurements: Sequence[Measurement] = (),
    callouts: Callouts | None = None,
) -> tuple[Claim, ...]:
    """The claims of a paper in the order of its passages.

    `callouts` says for each passage which characters call out which document node.
    """
    mentions = _by_node(_mentions(entities, measurements))
    claims: list[Claim] = []
    for kind, group in groupby(passages, key=lambda one: one.kind if one.kind != "footnote" else "paragraph"):
        if kind not in ("abstract", "paragraph"):
            continue
        for passage, start, end, role, score in _roles(kind, tuple(group)):
            if role in STATED:
                called = (callouts or {}).get(passage.node, ())
                claims.append(_claim(passage, (start, end), (role, score), mentions.get(passage.node, ()), called))
    return tuple(claims)


def _roles(kind: str, passages: Sequence[Passage]) -> Iterable[tuple[Passage, int, int, str, float]]:
    """The sentences of passages that follow each other, each with its role."""
    spans = [
        (passage, start, end)
        for passage in passages
        for start, end in cited_sentences(passage.text)
        if end - start <= _LONGEST
    ]
    if kind == "abstract":
        texts = [passage.text[start:end] for passage, start, end in spans]
        points = claim_points(texts)
        for (passage, start, end), (role, score), point in zip(spans, roles_of_abstract(texts), points, strict=True):
            stated = role in ("result", "method") or (role == "background" and whole(passage.text[start:end]))
            if point >= ENOUGH and stated:
                role, score = "conclusion", _STATEMENT
            yield passage, start, end, role, round(score, 3)
        return
    for passage, start, end in spans:
        yield passage, start, end, *role_of(passage.text[start:end], passage.section)


def _claim(
    passage: Passage, span: tuple[int, int], role_score: tuple[str, float], mentions: Sequence[Mention], called: Spans
) -> Claim:
    start, end = span
    role, score = role_score
    text = passage.text[start:end]
    scopes = find_scopes(text, passage.node, start)
    return Claim(
        sentence=Mention(passage.node, start, end, text, "claim", score, RULE),
        role=role,
        polarity="negative" if is_negative(text, scopes, start) else "positive",
        certainty="hedged" if is_hedged(text, scopes, start) else "certain",
        direction=direction(text) if role in _COMPARED else "",
        scopes=scopes,
        about=tuple(mention for mention in mentions if start <= mention.start and mention.end <= end),
        support=tuple(dict.fromkeys(node for first, last, node in called if start <= first and last <= end)),
        score=score,
    )


def _mentions(entities: Sequence[Entity], measurements: Sequence[Measurement]) -> Iterable[Mention]:
    for entity in entities:
        yield from entity.mentions
    for measurement in measurements:
        yield from (mention for mention in (measurement.measured, measurement.entity) if mention)


def _by_node(mentions: Iterable[Mention]) -> dict[str, tuple[Mention, ...]]:
    """Mentions by passage in order, each span once."""
    spans: dict[str, dict[tuple[int, int], Mention]] = {}
    for mention in mentions:
        spans.setdefault(mention.node, {}).setdefault((mention.start, mention.end), mention)
    return {node: tuple(own[span] for span in sorted(own)) for node, own in spans.items()}


COMMON = {"background": "obtainsBackgroundFrom", "method": "usesMethodIn", "result": "discusses"}
POSSIBLE = 0.05  # least probability of a phrase's kind by the model
SURE = 0.6  # least probability of a method that no phrase shows
PLAIN = frozenset(("extends", "citesAsPotentialSolution", "obtainsSupportFrom"))  # kinds that the model has no name for
_MARK = re.compile(
    r"\[\s?\d[^\[\]]{0,60}\]|\\\(\s?\^\{[^{}]{1,60}\}\s?\\\)"
    r"|\((?:[^()]|\([^()]{0,40}\)){0,200}?(?<!\d)(?:18|19|20)\d\d[a-z]?(?!\d)(?:[^()]|\([^()]{0,40}\)){0,200}?\)"
    r"|[A-Z][\w'’-]+(?: et al\.?,?| (?:and|&) [A-Z][\w'’-]+)?,? ?\(\s?(?:18|19|20)\d\d[a-z]?[^()]{0,40}\)"
    r"|\(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)"
)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_OWN = re.compile(r"\b(?:we|our|us|i|my|this (?:paper|work|study)|here|was|were)\b", re.I)
LONGEST = 4000  # characters of a sentence that are read
_WINDOW = 3  # words beside a call-out that count on their own


@dataclass(frozen=True, slots=True)
class Intent:
    """`property` is the local name of a CiTO property; `kind` "background", "method" or "result"; `score` in [0, 1]."""

    property: str
    kind: str
    score: float


def citation_intent(sentence: str) -> Intent:
    """Why a sentence cites what it cites.

    >>> citation_intent("We used the method of Doe et al. (2001) with small changes.").property
    'usesMethodIn'
    """
    sentence = sentence[:LONGEST]
    shares = _model().shares(intent_features(sentence))
    marked = _MARK.sub(" mark ", sentence)
    for name, of, pattern in _rules():
        if (name in PLAIN or shares[of] >= POSSIBLE) and pattern.search(marked):
            return Intent(name, of, round(shares[of], 3))
    kind = max(shares, key=lambda one: shares[one])
    if kind == "method" and (shares[kind] < SURE or not _OWN.search(marked)):
        kind = "background"
    return Intent(COMMON[kind], kind, round(shares[kind], 3))


def intent_features(sentence: str) -> list[str]:
    """Return the features of a sentence: words, prefixes, n-grams of two and three, neighbours of in-text citations."""
    marked, marks = _MARK.subn(" mark ", sentence)
    words = ["0" if word.isdigit() else word.lower() for word in _WORD.findall(marked)]
    found = [f"w={word}" for word in words]
    found += [f"s={word[:5]}" for word in words if len(word) > 5]
    found += [f"{one} {two}" for one, two in pairwise(words)]
    found += [f"{one} _ {two}" for one, two in zip(words, words[2:], strict=False)]
    found += [" ".join(three) for three in zip(words, words[1:], words[2:], strict=False)]
    found += [f"f{at}={word}" for at, word in enumerate(words[:3])]
    for at, word in enumerate(words):
        if word == "mark":
            found += [f"l={near}" for near in words[max(0, at - _WINDOW) : at]]
            found += [f"r={near}" for near in words[at + 1 : at + 1 + _WINDOW]]
            found.append(f"p={5 * at // len(words)}")
    found += [f"long={min(8, len(words) // 10)}", f"marks={min(4, marks)}"]
    return found + [f"{name} {n}" for name, _, pattern in _rules() if pattern.search(marked) for n in range(3)]


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    given = tomllib.loads((FOLDER / "intents.toml").read_text(encoding="utf-8"))
    return tuple((rule["property"], rule["class"], re.compile("|".join(rule["text"]), re.I)) for rule in given["rule"])


@lru_cache(maxsize=1)
def _model() -> Linear:
    return read(FOLDER / "intents")
