"""A question on what many papers say, answered by the sentences of any of them that say most on it.

A sentence that several papers have is one claim, with evidence from each. Where a chosen sentence cites works that are
papers here, what these say on the question is looked at as well, one step far. When no paper says enough, the
answer is that the papers do not say, with what was searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from kag.questions.file import Question
from kag.read.across.alike import grouped
from kag.read.across.choose import CLAIMS, Sure, chosen, one_by_one, prints_floats
from kag.read.across.pool import Pool, gather, method, rarity_in, whole
from kag.read.across.shelf import Shelf
from kag.read.checking.verify import supported, told_once
from kag.read.extract.asking import Asked, asked, parts_of
from kag.read.extract.claims import claims_of
from kag.read.extract.content import LABEL, MODE, in_turn, picked
from kag.read.extract.ranking import Scored
from kag.read.paper import Node, PaperGraph
from kag.read.quote import beginning, evidence
from kag.text.plain import plain
from kag.values.evidence import Answer, Claim, Dropped, Evidence

LISTED = 12  # papers that are asked one by one
FOLLOWED = 3  # cited papers that are looked at for a question
_CITED_CLAIMS = 2
_LOOKED_AT = 60  # sentences of which repetitions are found


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a pool, how sure it is, and others that say the same; `cited_in` is where it was led to from.

    `titled` is whether its claim names the paper.
    """

    pool: Pool
    sentence: Scored
    sure: float
    repeated: tuple[Scored, ...] = ()
    cited_in: tuple[Evidence, ...] = ()
    titled: bool = False

    @property
    def paper(self) -> str:
        """The id of the paper that says it."""
        return self.pool.papers[self.sentence.number]

    def evidence(self, shelf: Shelf) -> tuple[Evidence, ...]:
        """The places of the sentence itself."""
        paper, passage = shelf.library[self.paper], self.pool.index.passages[self.sentence.number]
        return tuple(evidence(paper, *place) for place in passage.places(self.sentence.start, self.sentence.end))


def answer_content(
    question: Question, shelf: Shelf, scope: frozenset[str] = frozenset(), *, follow: bool = True
) -> Answer:
    """One to five sentences of the papers, the likeliest first; those of cited works come after them and say so.

    `scope` limits the papers; without `follow` citations lead nowhere.
    """
    parts = parts_of(question.text)
    found = [_part(part, asked(part, question.text), shelf, scope, follow) for part in parts]
    said = in_turn([one.said for one in found], CLAIMS)
    led = in_turn([one.led for one in found], _CITED_CLAIMS)
    kept, dropped = _claims(chain(said, led), shelf, question.text)
    value = found[0].value if len(found) == 1 and any(found[0].value in claim.text for claim in kept[:1]) else ""
    read = tuple(dict.fromkeys(name for one in found for name in one.papers))
    return _answer(question, kept, dropped, tuple(one.search for one in found), read, value)


def answer_cited_for(question: Question, topic: str, shelf: Shelf) -> Answer:
    """What the papers here say on a topic that the sentences cite which say most on it."""
    need = asked(topic)
    said, _ = _best(topic, need, gather(topic, shelf.index, shelf.passages), shelf)
    cited = _cited(said, shelf)
    kept, dropped = _claims(_followed(topic, need, cited, shelf), shelf, question.text)
    return _answer(question, kept, dropped, (f"papers here that are cited for {topic}",), tuple(cited))


def answer_each(
    question: Question, topic: str, need: Asked, shelf: Shelf, papers: Sequence[str] = (), *, lists: bool = False
) -> Answer:
    """One sentence of each paper that says enough on a topic, those that say most first; each claim names its paper.

    Of at most twelve papers: these, or else the nearest. `lists` is whether the papers are what is asked for: then the
    value is their titles.
    """
    named = papers[:LISTED]
    pool = whole(named, shelf.passages) if named else gather(topic, shelf.index, shelf.passages, papers=LISTED)
    first: dict[str, Scored] = {}
    for one in pool.ranked(need, rarity_in(shelf.index)):
        first.setdefault(pool.papers[one.number], one)
    told = one_by_one(need, first.values(), pool, shelf.index, named=bool(named))
    said = (Said(pool, *sure, titled=True) for sure in told)
    kept, dropped = _claims(said, shelf, question.text)
    among = f"{len(named) or len(set(pool.papers))} of {len(shelf.library)} papers, one by one"
    answer = _answer(question, kept, dropped, (f"{topic} ({among})",), tuple(dict.fromkeys(pool.papers)))
    titles = [shelf.library[name].title or name for name in answer.papers]
    return replace(answer, value=titles) if lists and kept else answer


def _answer(
    question: Question,
    claims: Sequence[Claim],
    dropped: Sequence[Dropped],
    searches: tuple[str, ...],
    read: tuple[str, ...],
    value: str = "",
) -> Answer:
    """The claims as an answer of the papers that they quote; of those that were read where there is no claim."""
    quoted = tuple(dict.fromkeys(one.paper for claim in claims for one in claim.evidence))
    return Answer(
        id=question.id,
        question=question.text,
        mode=MODE,
        label=LABEL,
        claims=tuple(claims),
        value=value or None,
        dropped=tuple(dropped),
        searches=searches,
        papers=quoted or read,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What was found for a part of a question: sentences, those of cited works, the value asked for, and where."""

    said: tuple[Said, ...]
    led: tuple[Said, ...]
    value: str
    papers: tuple[str, ...]
    search: str


def _part(part: str, need: Asked, shelf: Shelf, scope: frozenset[str], follow: bool) -> _Part:
    pool = gather(part, shelf.index, shelf.passages, scope)
    said, value = _best(part, need, pool, shelf)
    cited = _cited(said, shelf) if follow else {}
    said = tuple(replace(one, cited_in=cited.get(one.paper, ())) for one in said)
    known = {one.paper for one in said}
    led = _followed(part, need, {name: cited[name] for name in cited if name not in known}, shelf)
    papers = tuple(dict.fromkeys(pool.papers))
    words = " ".join(need.content) or part
    among = f"{len(scope) or len(shelf.library)} papers"
    return _Part(said, led, value, papers, f"{words} ({method(shelf.index)}, {len(papers)} of {among} read)")


def _best(part: str, need: Asked, pool: Pool, shelf: Shelf) -> tuple[tuple[Said, ...], str]:
    """The sentences of a pool to answer with, each once, and the value asked for, or ""."""
    groups = _groups(need, pool, shelf)
    found, value = chosen(part, need, [group[0] for group in groups], pool, shelf.index)
    return _said(found, groups, pool), value


def _groups(need: Asked, pool: Pool, shelf: Shelf) -> tuple[tuple[Scored, ...], ...]:
    ranked = (one for one in pool.ranked(need, rarity_in(shelf.index)) if prints_floats(need.text, pool.text(one)))
    return grouped(tuple(islice(ranked, _LOOKED_AT)), pool)


def _said(found: Iterable[Sure], groups: Iterable[tuple[Scored, ...]], pool: Pool) -> tuple[Said, ...]:
    others = {group[0]: group[1:] for group in groups}
    return tuple(Said(pool, one, sure, others.get(one, ())) for one, sure in found)


def _followed(part: str, need: Asked, cited: Mapping[str, tuple[Evidence, ...]], shelf: Shelf) -> tuple[Said, ...]:
    """What cited papers say on the question, at most three of them."""
    pool = whole(list(cited)[:FOLLOWED], shelf.passages)
    groups = _groups(need, pool, shelf)
    found, _ = picked(part, need, [group[0] for group in groups], pool.index)
    said = _said(found[:_CITED_CLAIMS], groups, pool)
    return tuple(replace(one, cited_in=cited[one.paper]) for one in said)


def _cited(said: Iterable[Said], shelf: Shelf) -> Mapping[str, tuple[Evidence, ...]]:
    """The papers here that sentences cite, in their order, each with the sentence and the reference that lead there."""
    means = {(one.citing, one.reference): one.cited for one in shelf.citations}
    found: dict[str, tuple[Evidence, ...]] = {}
    for one in said:
        paper = shelf.library[one.paper]
        for place in one.evidence(shelf):
            for mention in paper.mentions_in(place.node):
                inside = place.start <= mention.start < place.end
                for target in mention.targets if inside else ():
                    cited = means.get((paper.id, target))
                    if cited:
                        found.setdefault(cited, (place, beginning(paper, target)))
    return found


def _claims(said: Iterable[Said], shelf: Shelf, question: str) -> tuple[tuple[Claim, ...], tuple[Dropped, ...]]:
    """The claims that their evidence carries, each once, and those that it does not."""
    claims = chain.from_iterable(_stated(one, shelf) for one in said)
    kept, dropped = supported(claims, shelf.library, question)
    return told_once(kept), dropped


def _stated(one: Said, shelf: Shelf) -> Iterator[Claim]:
    """A sentence as a claim, a caption with its table; the first with evidence from each paper that says the same."""
    paper = shelf.library[one.paper]
    first, *tables = claims_of(one.sentence, one.sure, paper, one.pool.index)
    repeated = (Said(one.pool, other, one.sure).evidence(shelf) for other in one.repeated)
    first = replace(first, evidence=tuple(dict.fromkeys([*first.evidence, *chain.from_iterable(repeated)])))
    if one.titled:
        yield _titled(first, paper)
        return
    yield _citing(first, one.cited_in, shelf) if one.cited_in else first
    yield from tables


def _titled(claim: Claim, paper: PaperGraph) -> Claim:
    """The claim behind the title of its paper."""
    title = next(iter(paper.of_kind("Title")), None)
    if title is None or claim.evidence[0].node == title.iri:
        return claim
    shown = evidence(paper, title.iri)
    return replace(claim, text=f"{_title(title)}: {claim.text}", evidence=(*claim.evidence, shown))


def _title(title: Node) -> str:
    return plain(title.text).lstrip("# ")


def _citing(claim: Claim, places: tuple[Evidence, ...], shelf: Shelf) -> Claim:
    """The claim with the words that it was cited, and with the title, sentence and reference that say so."""
    paper = shelf.library[places[0].paper]
    title = next((node for node in paper.of_kind("Title")), None)
    by = f"“{_title(title)}”" if title else "another paper"
    shown = (*((evidence(paper, title.iri),) if title else ()), *places)
    return replace(claim, text=f"{claim.text} (Cited by {by}.)", evidence=(*claim.evidence, *shown))
