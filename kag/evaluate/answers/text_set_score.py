"""Answers to questions on published texts: right, silent, wrong with confidence, beside a plain picker of sentences.

Each text is indexed as a paper is, and asked its questions; each question is put to the next text as well, which is
taken to say nothing on it, and silence is right there.

A gold string is held by an answer that prints it, or, of four words or more, three quarters of its words; a number
stands as a number. Where yes or no is asked for, that alone is judged, and sentences of the plain picker count as yes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from kag.evaluate.answers.gold import even
from kag.evaluate.answers.natural import Judged, Natural, natural_rows, plain_picker, reliability_rows
from kag.evaluate.answers.score import Ask, Maker, extractive
from kag.evaluate.answers.text_sets import Text, TextQuestion, jats
from kag.evaluate.spread import in_order, some
from kag.questions.file import Question
from kag.read.library import Library, open_library
from kag.safety.workers import Executor
from kag.values.evidence import Answer

HELD = 0.75  # of the words of a gold string
LONG = 4  # words of one that may be held in part
_NUMBER = re.compile(r"\W*\d[\d,.]*\W*(?:%|million|thousand|billion)?")

Tables = dict[str, list[dict[str, Any]]]


def text_set_tables(
    texts: Sequence[Text], work: Path, executor: Executor | None = None, answering: Maker = extractive
) -> Tables:
    """Figures by kind of question for each half, of whom `answering` makes and of the plain picker.

    The runs are made in `work`, which with an executor all its processes see; raises `RunError`.
    """
    papers = indexed(texts, work, executor)
    known = [text for text in texts if text.id in papers and text.questions]
    pairs = [*pairwise([*known, *known[:1]])]
    ours, plain = (
        [one for own in in_order(partial(_judged, papers, maker), pairs, executor, some) for one in own]
        for maker in (answering, _saying_yes)
    )
    tables: Tables = {}
    for half in sorted({one.half for one in texts}):
        mine, theirs = ([one for one in found if one.question.half == half] for found in (ours, plain))
        if mine:
            tables[f"half {half}: by kind"] = _rows(mine)
            tables[f"half {half}: plain BM25 over sentences, the first three"] = _rows(theirs)
            tables[f"half {half}: reliability of the answers given"] = reliability_rows(mine)
    return tables


def indexed(texts: Iterable[Text], work: Path, executor: Executor | None = None) -> Library:
    """The texts as papers, by their ids; raises `RunError` where one cannot be indexed."""
    from kag.write.batch import find_papers, index_all

    sources = work / "texts"
    sources.mkdir(parents=True, exist_ok=True)
    for text in texts:
        (sources / f"{text.id}.xml").write_bytes(jats(text))
    done = index_all(find_papers([sources], work / "runs"), executor=executor)
    return open_library(*sorted(one.run for one in done if one.run))


def _saying_yes() -> Ask:
    ask = plain_picker()
    return lambda question, paper: replace(ask(question, paper), value="yes")


def _judged(papers: Library, maker: Maker, pairs: Iterable[tuple[Text, Text]]) -> Iterator[list[Judged]]:
    ask = maker()
    return (list(_of_text(text, other, papers, ask)) for text, other in pairs)


def _of_text(text: Text, other: Text, papers: Library, ask: Ask) -> Iterator[Judged]:
    """The questions of a text put to it and to another one."""
    for number, question in enumerate(text.questions):
        name = f"{text.id}.{number}"
        yield judged(question, ask(Question(name, question.text), papers[text.id]), name, text)
        if other.id != text.id:
            nothing = TextQuestion(question.text, question.kind, ())
            yield judged(nothing, ask(Question(name, question.text), papers[other.id]), f"{name}.other", text)


def judged(question: TextQuestion, answer: Answer, name: str, text: Text) -> Judged:
    """One answer judged; `text` is the one that the question was made for."""
    kind = question.kind if question.gold else "unanswerable"
    asked = Natural(name, text.id, kind, question.text, text.half, name, 0, question.gold, question.says)
    value, said = "" if answer.value is None else str(answer.value), [claim.text for claim in answer.claims]
    return Judged(
        question=asked,
        right=_is_right(question, answer.found, value, said),
        first=_is_right(question, answer.found, value, said[:1]),
        found=answer.found,
        confidence=answer.claims[0].confidence if answer.claims else 0.0,
        issues=0,
        said=value,
    )


def _is_right(question: TextQuestion, found: bool, value: str, texts: Sequence[str]) -> bool:
    if not question.gold or not found:
        return found == bool(question.gold)
    if question.says:
        return value == question.says
    said = " ".join([value, *texts])
    return any(all(holds(one, said) for one in strings) for strings in question.gold)


def holds(gold: str, said: str) -> bool:
    """Whether what was said has a gold string.

    >>> holds("$1,496.5", "Total sales were $1,496.5."), holds("96.5", "Total sales were $1,496.5.")
    (True, False)
    >>> holds("chunks of consecutive tweets", "A chunk is a sorted sequence of tweets"), holds("relu", "We use ReLU.")
    (False, True)
    """
    if _NUMBER.fullmatch(gold):
        number = re.escape(re.sub(r"[^\d.,]", "", gold).strip(".,"))
        return bool(re.search(rf"(?<![\d.,]){number}(?![\d]|[.,]\d)", said))
    words, printed = Counter(_words(gold)), Counter(_words(said))
    if even(gold) in even(said):
        return True
    return words.total() >= LONG and (words & printed).total() >= HELD * words.total()


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _rows(found: Sequence[Judged]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "verified"} for row in natural_rows(found)]
