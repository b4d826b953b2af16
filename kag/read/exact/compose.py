"""`answer`: a question answered without a model: its parts in order, exactly, or else by passages of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kag.questions.file import Question
from kag.read.checking.verify import claim_issues
from kag.read.exact import bibliography, callouts, citations, floats, front, lookup, outline, structure, tables, wording
from kag.read.exact.facts import Found, plural
from kag.read.exact.intents import Intent, parse
from kag.read.exact.resolve import printed
from kag.read.paper import Paper
from kag.read.passage_index import SearchIndex
from kag.values.evidence import Answer, Dropped, Value

MODE, LABEL = "extractive", "offline, no model"
Reader = Callable[[Intent, Paper], Found | None]


def look_up(question: Question, paper: Paper) -> Answer | None:
    """The exact answer to a question on structure, links, entries, captions or cells; None when it is none of these.

    A question of which one part cannot be so answered has no exact answer: half an answer is not exact.
    """
    intents = parse(question.text, [section.title for section in printed(paper)])
    found = [_find(intent, paper) if intent else None for intent in intents]
    if not found or any(part is None for part in found):
        return None
    return _compose(
        question, paper, [(intent, part) for intent, part in zip(intents, found, strict=True) if intent and part]
    )


def _find(intent: Intent, paper: Paper) -> Found | None:
    reader = _reader(intent)
    return reader(intent, paper) if reader else None


def _reader(intent: Intent) -> Reader | None:
    """Who answers an intent, by what it names and what it asks for."""
    kind = intent.anchor.kind if intent.anchor else ""
    if intent.subject in _BY_SUBJECT or intent.subject.startswith("front "):
        return _BY_SUBJECT.get(intent.subject, front.about_front)
    if intent.subject in ("column", "row") and intent.ask == "count":
        return lookup.about_cells
    if kind == "work":
        return citations.citing if intent.relation == "cites" else bibliography.about_work
    if kind == "float":
        if intent.subject in ("cell", "column", "row"):
            return tables.about_table
        if intent.relation == "cites":
            return citations.cited_by_float
        return citations.referring if intent.relation else floats.about_float
    if intent.subject == "paragraph":
        return structure.paragraphs
    if kind == "section":
        return structure.about_section if intent.subject in ("subsection", "parent", "page") else citations.cited_in
    return _of_paper(intent.subject)


_BY_SUBJECT: dict[str, Reader] = {
    "neighbour": outline.neighbour,
    "extent": outline.extent,
    "part": outline.has_part,
    "link": callouts.whether,
    "popular": callouts.popular,
    "companion": callouts.companions,
    "name": callouts.named,
    "extreme": lookup.about_cells,
    "unit": lookup.about_cells,
}


def _of_paper(subject: str) -> Reader | None:
    if subject.split("+")[0] in floats.KINDS:
        return floats.about_paper
    if subject.startswith("paper "):
        return bibliography.paper_property
    return {
        "section": structure.about_paper,
        "subsection": structure.about_paper,
        "reference": bibliography.about_paper,
        "page": structure.pages,
    }.get(subject)


def _compose(question: Question, paper: Paper, parts: Sequence[tuple[Intent, Found]]) -> Answer:
    """The parts as one answer; a claim that its evidence does not carry is left out and named."""
    papers = {paper.id: paper}
    kept, dropped = [], []
    for claim in dict.fromkeys(claim for _, part in parts for claim in part.claims):
        issues = claim_issues(claim, papers, question.text)
        if issues:
            dropped.append(Dropped(claim.text, issues[0].message))
        else:
            kept.append(claim)
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


def _value(parts: Sequence[tuple[Intent, Found]]) -> Value:
    """The answer as data: counts of several things by name, a list before its length, else that of the first part that
    found anything, since a value is what the claims tell. None where two counts have one name.
    """
    counts = [_counts(intent, part) for intent, part in parts]
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


def _counts(intent: Intent, part: Found) -> dict[str, int]:
    """What a part counts, by name; nothing where it is no count."""
    value = part.value
    if isinstance(value, dict):
        return value
    counted = isinstance(value, int) and all(claim.count == value for claim in part.claims)
    noun = "time" if intent.subject == "mention" else intent.subject.split()[-1]
    return {plural(noun, 2): value} if counted and isinstance(value, int) else {}


def answer(question: Question, paper: Paper, index: SearchIndex) -> Answer:
    """The answer without a model: exact where the graph has it, else the passages that say most on it."""
    exact = look_up(question, paper)
    if exact is not None and not exact.dropped:
        return exact
    cell = lookup.loose_cell(question.text, paper)
    if cell is not None:
        return _compose(question, paper, [(Intent("get", "cell"), cell)])
    if wording.is_of_the_print(wording.even(question.text)):  # a sentence that shares its words is no answer
        return _compose(question, paper, [])
    from kag.read.extract.content import answer_content

    return answer_content(question, paper, index)
