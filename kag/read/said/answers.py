"""Answers from what papers say: each claim is the sentence, or the line of a table, that says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kag.layers.claims.between import compare_claims
from kag.layers.values import Mention, Said
from kag.questions.file import Question
from kag.read.checking.bearing import RULES
from kag.read.checking.verify import supported, told_once
from kag.read.paper import PaperGraph
from kag.read.quote import evidence
from kag.read.said.asks import Asked, read_asked
from kag.read.said.papers import (
    is_about,
    is_inside,
    is_named,
    measured,
    measured_beside,
    named,
    said_by,
    sentence_at,
)
from kag.text.plain import plain
from kag.values.evidence import Answer, Claim
from kag.values.verdict import Case, Verdict

MODE, LABEL = "extractive", "offline, from entities, measurements and claims"
MOST = 12  # claims of an answer
OWN = frozenset(("objective", "method", "result", "conclusion", "availability"))
"""Roles of claims that tell of the paper's own work."""
Papers = Mapping[str, PaperGraph]


def answer_said(question: Question, papers: Papers) -> Answer | None:
    """The answer of the layers of some papers; None where the question is another, or they say nothing on it."""
    asked = read_asked(question.text)
    if asked is None or (asked.kind == "papers" and len(papers) < 2):
        return None
    with_layers = {name: said for name, paper in papers.items() if (said := said_by(paper)) != Said()}
    claims = tuple(_claims(asked, papers, with_layers))
    found = (claims if asked.kind == "papers" else told_once(claims))[:MOST]
    kept, dropped = supported(found, papers, question.text)
    if not kept:
        return None
    quoted = tuple(dict.fromkeys(one.paper for claim in kept for one in claim.evidence))
    titles = [papers[name].title or name for name in quoted] if asked.kind == "papers" and not dropped else None
    searches = (f"{asked.kind} {asked.of} {asked.topic}".replace("  ", " ").strip(),)
    return Answer(question.id, question.text, MODE, LABEL, kept, titles, dropped, searches, quoted)


def _claims(asked: Asked, papers: Papers, said: Mapping[str, Said]) -> Iterator[Claim]:
    if asked.kind == "opposed":
        yield from _opposed(asked, papers, said)
        return
    for name, one in said.items():
        claims = _stated(papers[name], _words(asked, one, papers[name]))
        if asked.kind == "papers":
            first = next(claims, None)
            if first is not None:
                yield _titled(first, papers[name])
        else:
            yield from claims


def _words(asked: Asked, said: Said, paper: PaperGraph) -> Iterable[Mention]:
    """The words that say what is asked for, the surest kind first."""
    if asked.kind == "measured":
        found = [*measured(said, asked.topic), *measured_beside(said, asked.topic, paper)]
        return [one.mention for one in found]
    if asked.kind == "claims":
        spans = [one for entity in named(said, asked.topic) for one in entity.mentions]
        return [
            claim.sentence
            for claim in said.claims
            if is_about(asked.topic, claim.sentence.text) or any(is_inside(one, claim.sentence) for one in spans)
        ]
    entities = named(said, asked.topic, asked.of) if asked.topic else [e for e in said.entities if e.kind == asked.of]
    if entities or not asked.topic:
        return [max(entity.mentions, key=lambda one: one.score) for entity in entities]
    called = (f"{asked.of} {asked.topic}", f"{asked.topic} {asked.of}") if asked.of else (asked.topic,)
    own = (one.sentence for one in said.claims if one.role in OWN)
    return [one for one in own if any(is_named(name, (one.text,)) for name in called)]


def _stated(paper: PaperGraph, words: Iterable[Mention]) -> Iterator[Claim]:
    for one in words:
        text, places = sentence_at(paper, one)
        if text:
            yield Claim(plain(text), places, round(min(one.score, 0.95), 3))


def _titled(claim: Claim, paper: PaperGraph) -> Claim:
    """The claim behind the title of its paper."""
    title = next(iter(paper.of_kind("Title")), None)
    if title is None or claim.evidence[0].node == title.iri:
        return claim
    shown = evidence(paper, title.iri)
    return replace(claim, text=f"{plain(title.text).lstrip('# ')}: {claim.text}", evidence=(*claim.evidence, shown))


def _hear(cases: Sequence[Case]) -> Sequence[Verdict | None]:
    """What the rules say of several claims."""
    return [RULES.check(*case) for case in cases]


def _opposed(asked: Asked, papers: Papers, said: Mapping[str, Said]) -> Iterator[Claim]:
    """Pairs of claims of different papers on a topic that contradict each other, one behind the other."""
    about = {
        name: [claim for claim in one.claims if is_about(asked.topic, claim.sentence.text)]
        for name, one in said.items()
    }
    for link in compare_claims(about, _hear):
        if link.kind == "contradicts":
            for name, claim in ((link.from_paper, link.first), (link.to_paper, link.second)):
                yield from (_titled(one, papers[name]) for one in _stated(papers[name], [claim.sentence]))
