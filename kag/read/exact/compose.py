"""`answer`: a question answered without a model: its parts in order, exactly, or else by passages of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from kag.questions.file import Question
from kag.questions.reader import Known, read_question
from kag.questions.wish import Wish
from kag.read.checking.verify import supported, told_once
from kag.read.exact.evaluate import Evaluator
from kag.read.exact.facts import Found, plural
from kag.read.exact.grid import loose_cell
from kag.read.exact.labels import printed
from kag.read.exact.leads import noun_of
from kag.read.exact.tell import tell
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.values.evidence import Answer, Value

MODE, LABEL = "extractive", "offline, no model"


def look_up(question: Question, paper: PaperGraph) -> tuple[Answer | None, bool]:
    """The exact answer to a question on structure, links, entries, captions or cells, None when it is none of these,
    and whether no sentence answers the question, which is on the paper as a printed thing.

    A question of which one word is not understood, or one part cannot be so answered, has no exact answer.
    """
    reading = read_question(question.text, Known(titles=tuple(section.title for section in printed(paper))))
    evaluator = Evaluator(paper)
    found = [(wish, tell(wish, evaluator, question.text)) for wish in reading.wishes]
    parts = [(wish, part) for wish, part in found if part is not None]
    if not found or len(parts) < len(found):
        return None, reading.of_print or any(wish.each for wish in reading.wishes)
    return compose(question, paper, parts), False


def compose(question: Question, paper: PaperGraph, parts: Sequence[tuple[Wish, Found]]) -> Answer:
    """The parts as one answer; a claim that its evidence does not carry is left out and named."""
    claims = [claim for _, part in parts for claim in part.claims]
    if not any(wish.each for wish, _ in parts):  # of each of several things the very same may be told
        claims = list(dict.fromkeys(claims))
    kept, dropped = supported(claims, {paper.id: paper}, question.text)
    value = _value(parts) if not dropped else None
    searches = tuple(dict.fromkeys(search for _, part in parts for search in part.searches))
    if not kept and not searches:
        searches = ("sections, references and floats of the graph",)
    return Answer(
        id=question.id,
        question=question.text,
        mode=MODE,
        label=LABEL,
        claims=tuple(kept),
        value=value,
        dropped=tuple(dropped),
        searches=searches,
        papers=(paper.id,),
    )


def _value(parts: Sequence[tuple[Wish, Found]]) -> Value:
    """The answer as data: counts of several things by name, a list before its length, else that of the first part that
    found anything, since a value is what the claims tell. None where two counts have one name.
    """
    counts = [_counts(wish, part) for wish, part in parts]
    if len(parts) > 1 and all(counts):
        named = {name: number for count in counts for name, number in count.items()}
        if len(named) == sum(map(len, counts)):
            return named
    found = [part for _, part in parts if part.claims] or [part for _, part in parts]
    values = [part.value for part in found if part.value is not None]
    lists = [value for value in values if isinstance(value, list)]
    if len(values) == 2 and isinstance(values[0], int) and lists and len(lists[0]) == values[0]:
        return lists[0]
    mixed = values and isinstance(values[0], dict) and sum(map(bool, counts)) > 1
    return values[0] if values and not mixed else None


def _counts(wish: Wish, part: Found) -> dict[str, int]:
    """What a part counts, by name; nothing where it is no count."""
    value = part.value
    if isinstance(value, dict):
        return value
    counted = wish.ask == "count" and isinstance(value, int) and all(claim.count == value for claim in part.claims)
    return {plural(noun_of(wish), 2): value} if counted and isinstance(value, int) else {}


def answer(question: Question, paper: PaperGraph, index: SearchIndex) -> Answer:
    """The answer without a model: exact where the graph has it, else the passages that say most on it.

    Slips of the pen are read as the words that the paper prints; of several parts each is answered by itself. A yes or
    no that no sentence says is told as what the results lean to, and what was used by the sentences that name it.
    """
    from kag.read.extract.asking import parts_of
    from kag.read.extract.leant import leant
    from kag.read.extract.spelling import mended
    from kag.read.extract.used import named
    from kag.read.extract.wording import plainly
    from kag.read.said.answers import answer_said

    exact, _ = look_up(question, paper)
    if exact is not None and not exact.dropped:
        return exact
    said = answer_said(question, {paper.id: paper})
    if said is not None:
        return said
    text = plainly(mended(question.text, index))
    parts = parts_of(text)
    found = [_part(replace(question, text=part), text, paper, index) for part in parts]
    told = replace(found[0] if len(found) == 1 else _joined(found), question=question.text)
    return named(leant(told, paper, index), paper, index)


def _part(question: Question, around: str, paper: PaperGraph, index: SearchIndex) -> Answer:
    """The answer to a question that is one part of the whole."""
    from kag.read.extract.asking import is_of_kind
    from kag.read.extract.content import answer_content

    exact, of_print = look_up(question, paper)
    if exact is not None and not exact.dropped:
        return exact
    cell = loose_cell(question.text, paper)
    if cell is not None:
        return compose(question, paper, [(Wish("cell"), cell)])
    if of_print and not is_of_kind(question.text):  # a sentence that shares its words is no answer
        return compose(question, paper, [])
    return answer_content(question, paper, index, around)


def _joined(found: Sequence[Answer]) -> Answer:
    """The answers to the parts as one: its claims in turn, and no value."""
    claims = [claim for turn in zip_longest(*(one.claims for one in found)) for claim in turn if claim is not None]
    return replace(
        found[0],
        claims=told_once(claims),
        value=None,
        dropped=tuple(chain.from_iterable(one.dropped for one in found)),
        searches=tuple(dict.fromkeys(chain.from_iterable(one.searches for one in found))),
    )
