"""What a study used: data, baselines, measures, languages, models, features and tasks, by the sentences that name them.

"What datasets are used?" fits every paper, and no words of it tell one sentence from another. What tells is a verb of
use with "we" or none who did it, names and lists, and the section: the setup says it, related work says it of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kag.read.checking.verify import supported, told_once
from kag.read.extract.asking import Asked, asked, weight_of
from kag.read.extract.claims import claims_of
from kag.read.extract.doubts import own_share
from kag.read.extract.fragments import is_statement, whole_sentences
from kag.read.extract.ranking import Scored
from kag.read.extract.unknown import is_printed
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.values.evidence import Answer

SURE = 0.4  # of sentences that name what was used
STANDS = 0.45  # what is told with more is not told so
ENOUGH = 2.5  # points of the first sentence
NEAR = 0.6  # of the points of the first, for the others
GENERAL = 0.5  # of four own words: a question with more is about something that words find
MOST = 4  # sentences


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of thing that studies use: how a question calls it, and how sentences and headings do."""

    asked: re.Pattern[str]
    told: re.Pattern[str]


def _thing(asked: str, told: str) -> Thing:
    return Thing(re.compile(rf"\b(?:{asked})\b", re.I), re.compile(rf"\b(?:{told})\b", re.I))


_THINGS = (
    _thing(r"baselines?(?: \w+)?", r"baselines?|compared? (?:\w+ ){0,4}(?:to|with|against)|state-of-the-art|systems?"),
    _thing(
        r"(?:evaluation )?(?:metrics?|measures?)",
        r"metrics?|accuracy|F-?1|F-?scores?|F-?measures?|BLEU|ROUGE|METEOR|precision|recall|AUC|perplexity|MRR"
        r"|error rate|WER|kappa|RMSE|(?:pearson|spearman)\w*",
    ),
    _thing(
        r"languages?(?: pairs?)?",
        r"languages?|English|German|French|Spanish|Chinese|Arabic|Russian|Japanese|Italian|Turkish|Dutch|Portuguese|Hindi"
        r"|Czech|Finnish|Korean|Persian|Swedish",
    ),
    _thing(r"features?", r"features?"),
    _thing(r"tasks?", r"tasks?"),
    _thing(
        r"data ?sets?|corpus|corpora|data|benchmarks?",
        r"data ?sets?|corpus|corpora|data|benchmarks?|treebanks?|collections?|reviews|tweets|records",
    ),
    _thing(
        r"models?|architectures?|classifiers?|networks?|algorithms?|methods?|approach(?:es)?|techniques?",
        r"models?|architectures?|classifiers?|networks?|algorithms?|methods?|approach(?:es)?|techniques?|LSTM|CNN|SVM|BERT"
        r"|regression",
    ),
)
_SIZE = _thing(
    r"data ?sets?|corpus|corpora|data|collections?",
    r"\d[\d,.]*\$?\s?(?:k|thousand|million)?\s(?:[\w-]+ ){0,3}?(?:sentences?|tokens?|words|documents?|tweets?|examples?"
    r"|instances?|pairs?|questions?|articles?|papers|hours|images?|reviews?|messages?|utterances?|dialog\w+|records?"
    r"|samples?|rows|accounts?|entries|posts?|comments?|stories|recipes|paragraphs?|users?)",
)
_HOW_BIG = re.compile(r"\W*(?:how (?:big|large)|what (?:is|was) the size)\b(?P<what>(?: \S+){1,8})", re.I)
_OPENS = re.compile(
    r"\W*(?:on |in |for |against |to |with )?(?:what|which)\b(?! (?:is|are) an? )(?P<what>(?: \S+){1,6})", re.I
)
_THEIRS = re.compile(r"\b(?:previous|prior|existing|other|related|earlier)\b", re.I)
_USE = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|employ\w*|evaluat\w+|train(?:ed)?|test(?:ed)?|experiment(?:ed|s)?|conduct\w*|compar\w+"
    r"|consider(?:ed)?|adopt\w*|collect\w*|crawl\w*|obtain\w*|annotat\w+|contain\w*|consists?|includ\w+|propos\w+"
    r"|introduc\w+|explor\w+|report(?:ed)?|measur\w+|focus\w*|implement\w*|extract\w*|download\w*|appl(?:y|ied))\b",
    re.I,
)
_WE = re.compile(r"\b(?:we|our)\b", re.I)
_NAME = re.compile(r"(?<=[\w,(;:] )(?=[\w.-]*[A-Z\d])[A-Za-z][\w.+-]*\w|\[\d+\]")
_LIST = re.compile(r", [^,.]{2,40},? (?:and|or) |: |\((?:i\.e\.|e\.g\.)")
_OF_OTHERS = re.compile(r"related|previous|background|introduction|conclusion|acknowledg|future|discussion", re.I)
_OF_USE = re.compile(r"experiment|set-?up|setting|evaluat|implementation|data|corpus|baseline|method|result", re.I)


def named(told: Answer, paper: PaperGraph, index: SearchIndex) -> Answer:
    """An answer that is left open, or is less sure than this, told by the sentences that name what was used."""
    if told.found and told.claims[0].confidence > STANDS:
        return told
    claims = [claim for one in used(told.question, index) for claim in claims_of(one, SURE, paper, index)]
    kept, _ = supported(claims, {paper.id: paper}, told.question)
    return replace(told, claims=told_once(kept), value=None, dropped=()) if kept else told


def used(question: str, index: SearchIndex) -> tuple[Scored, ...]:
    """The sentences that name what is asked for, in the order of their points; none where something else is asked, or
    for a kind of it that the paper has no word for."""
    thing, of_kind = _asked_for(question)
    need = asked(question)
    if thing is None or own_share(need, "") > GENERAL or not all(is_printed(word, index) for word in of_kind):
        return ()
    theirs = bool(_THEIRS.search(question))
    found = [one for number in range(len(index.passages)) for one in _points(number, index, thing, need, theirs=theirs)]
    found.sort(key=lambda one: (-round(one.score, 6), one.number, one.start))
    if not found or found[0].score < ENOUGH:
        return ()
    return tuple(one for one in found[:MOST] if one.score >= NEAR * found[0].score)


def _asked_for(question: str) -> tuple[Thing | None, tuple[str, ...]]:
    """The kind of thing that "what" or "which" asks for, the one that is named first behind it, with the words between;
    the size of data for "how big"."""
    sized, opens = _HOW_BIG.match(question), _OPENS.match(question)
    if sized:
        return (_SIZE if _SIZE.asked.search(sized["what"]) else None), ()
    if opens is None:
        return None, ()
    found = [(match.start(), thing) for thing in _THINGS if (match := thing.asked.search(opens["what"]))]
    if not found:
        return None, ()
    start, thing = min(found, key=lambda pair: pair[0])
    return thing, tuple(word for word in asked(opens["what"][:start]).content if weight_of(word) == 1)


def _points(number: int, index: SearchIndex, thing: Thing, need: Asked, *, theirs: bool) -> Iterator[Scored]:
    passage = index.passages[number]
    if passage.kind not in ("paragraph", "caption", "listitem", "footnote"):
        return
    around = _place(passage, thing, theirs=theirs)
    own = [word for word, weight in need.words.items() if weight == 1 and not thing.asked.fullmatch(word)]
    for start, end in whole_sentences(number, index):
        text = passage.text[start:end]
        if is_statement(text, passage.kind) and thing.told.search(text):
            held = sum(word in text.lower() for word in own) / len(own) if own else 0.0
            yield Scored(
                number, start, end, around + _told(text, theirs=theirs) + _several(text, thing) + 1.5 * held, 0.0
            )


def _told(text: str, *, theirs: bool) -> float:
    names, ours = len(set(_NAME.findall(text))), not theirs and bool(_WE.search(text))
    return bool(_USE.search(text)) + 0.7 * ours + 0.5 * min(names, 4) + 0.5 * bool(_LIST.search(text))


def _several(text: str, thing: Thing) -> float:
    return 0.4 * min(len({match[0].lower() for match in thing.told.finditer(text)}) - 1, 4)


def _place(passage: Passage, thing: Thing, *, theirs: bool) -> float:
    title = " ".join(passage.path)
    of_others = bool(_OF_OTHERS.search(title))
    points = float(theirs) if of_others is theirs else -1.0
    return points + 1.5 * bool(thing.asked.search(title)) + 0.5 * bool(_OF_USE.search(title))
