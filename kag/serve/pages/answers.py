"""Pages that ask: a question, its answer as prose with numbered evidence, and the answers that were kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kag.core.errors import KagError
from kag.core.evidence import AGENT, PASSAGES, Answer, Claim, Verdict, read_answer
from kag.paper import Paper
from kag.qa.answer_text import BY_MACHINE, HEADLINE
from kag.qa.checking.verify import checked
from kag.qa.modes import MODES
from kag.serve.pages.library import Names, Query, first
from kag.serve.papers.asking import Asked, answers, ask, keep, kept_answer, kept_steps, name_of, step_words, tables_of
from kag.serve.problems import as_refusal
from kag.serve.service import Service

NAMES = 200  # papers that are offered by name
SHOWN = 100  # answers on the page
QUOTES = 30  # pieces of evidence that are shown at once
_AROUND = 90  # characters before and after a short quote
_SHORT = 60  # characters up to which a quote says little alone
_WORDS = re.compile(r"\w+")


def ask_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """A question, and its answer from the graph: a model is asked by the button alone, which needs a script."""
    question, paper = first(query, "question"), first(query, "paper")
    papers = service.reader.state.papers
    values: dict[str, Any] = {"question": question, "asked_paper": paper, "view": None, "problem": None}
    values |= {"papers": papers[:NAMES], "settings": service.settings, "modes": MODES, "models": service.models}
    try:
        values["examples"] = [] if question.strip() else list(examples(service, paper))
        if question.strip():
            values["view"] = answer_view(service, _answered(service, question, paper))
    except KagError as error:
        values |= {"problem": as_refusal(error, service.home.root), "examples": []}
    return values


def _answered(service: Service, question: str, paper: str) -> Answer:
    """A model's answer that was kept; else that of the graph, which is kept for the links into its papers."""
    try:
        kept = kept_answer(service.home, name_of(question, paper))
        if kept.mode == AGENT:
            return kept
    except KagError:
        pass
    answer, steps = ask(service.reader, Asked(question, paper, "exact"))
    keep(service.home, answer, steps)
    return answer


def examples(service: Service, paper: str) -> Iterator[tuple[str, str]]:
    """Questions that fit a paper, or the first papers of the library, each with the paper that it is put to."""
    listed = service.reader.state.papers
    for name in [service.reader.state.listed(paper).id] if paper else [one.id for one in listed[:3]]:
        opened = service.reader.paper(name)
        for question in list(_fitting(opened))[: None if paper else 2]:
            yield question, name


def _fitting(paper: Paper) -> Iterator[str]:
    floats = [table.label for table in paper.tables[:1] if table.label] + [
        figure.label for figure in paper.figures[:1] if figure.label
    ]
    yield from (f"What does {label} show?" for label in floats)
    titles = [section.title for section in paper.sections if section.title and section.types][:12]
    method = next((title for title in titles if "method" in title.casefold()), "")
    if method:
        yield f"Which references does the section {method} cite?"
    if paper.references:
        yield "How many references have a DOI?"
    if len(paper.sections) > 3:
        yield "What is the longest section?"


# answers as they are shown ---------------------------------------------------------------------


@dataclass(slots=True)
class Shown:
    """A piece of evidence: one printed text with its quotes marked, and the address that opens it next to its page.

    `pieces` are empty where the claim says the same words.
    """

    number: int
    paper: str
    title: str
    page: int
    address: str
    spans: set[tuple[int, int]] = field(default_factory=set)
    pieces: Sequence[tuple[str, bool]] = ()


def answer_view(service: Service, answer: Answer) -> dict[str, Any]:
    """An answer for its template: claims with the numbers of their evidence, and the evidence, each text once."""
    library = service.reader.state.library
    found = checked(answer, library)
    broken = {issue.focus.partition("]")[0] + "]" for issue in found.report.issues if ".evidence[" in issue.focus}
    titles = {one.id: one.title or one.id for one in service.reader.state.papers}
    shown: dict[tuple[str, str], Shown] = {}
    claims = []
    for number, (claim, verdict) in enumerate(zip(answer.claims, found.verdicts, strict=True)):
        numbers = _numbered(answer.id, number, claim, shown, titles)
        quoted = f"claims[{number}]" not in broken
        claims.append(
            {
                "text": claim.text,
                "numbers": numbers[:QUOTES],
                "more": max(0, len(numbers) - QUOTES),
                "tables": tables_of(claim, library),
                **_state(verdict, quoted=quoted),
            }
        )
    statements = [_letters(claim.text) for claim in answer.claims]
    for (paper, node), one in shown.items():
        text = library[paper].nodes[node].text if paper in titles and node in library[paper].nodes else ""
        one.pieces = pieces(text, sorted(one.spans))
        if any(_letters("".join(words for words, _ in one.pieces)) in words for words in statements):
            one.pieces = ()
    states = {(one["state"], one["good"]) for one in claims}
    return {
        "answer": answer,
        "claims": claims,
        "evidence": list(shown.values()),
        "alike": len(states) == 1,
        "headline": HEADLINE.rstrip(":"),
        "is_passages": answer.mode == PASSAGES,
        "passages": [_passage(service, number, answer) for number in range(len(answer.passages))],
        "by_model": answer.mode == AGENT,
        "has_model": bool(service.settings.model),
    }


def _numbered(
    name: str, claim: int, stated: Claim, shown: dict[tuple[str, str], Shown], titles: Mapping[str, str]
) -> list[int]:
    """Give the texts that a claim quotes their numbers; a text that is quoted again keeps its number."""
    numbers: dict[int, None] = {}
    for place, one in enumerate(stated.evidence):
        key = one.paper, one.node
        if key not in shown:
            address = f"/papers/{one.paper}#claim-{name}-{claim}-{place}" if one.paper in titles else ""
            shown[key] = Shown(len(shown) + 1, one.paper, titles.get(one.paper, one.paper), one.page, address)
        shown[key].spans.add((one.start, one.end))
        numbers[shown[key].number] = None
    return list(numbers)


def _state(verdict: Verdict | None, *, quoted: bool) -> dict[str, Any]:
    """Describe a claim's checks; `good` if it is quoted and supported."""
    if not quoted:
        return {"state": "the quotes do not stand in the papers", "good": False}
    if verdict is None:
        return {"state": "quoted, not judged", "good": False}
    by = BY_MACHINE.get(verdict.checker, verdict.checker)
    return {"state": f"quoted, and {verdict.status} by {by}", "good": verdict.status == "supported"}


def _passage(service: Service, number: int, answer: Answer) -> dict[str, Any]:
    passage = answer.passages[number]
    titles = {paper.id: paper.title or paper.id for paper in service.reader.state.papers}
    parts = (
        (passage.text[: passage.start], False),
        (passage.text[passage.start : passage.end], True),
        (passage.text[passage.end :], False),
    )
    return {
        "pieces": parts,
        "section": passage.section,
        "page": passage.page,
        "title": titles.get(passage.paper, passage.paper),
        "address": f"/papers/{passage.paper}#passage-{answer.id}-{number}" if passage.paper in titles else "",
    }


def pieces(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """A text cut to its quotes, which are marked (True); short ones with the words around them.

    >>> pieces("Depth was measured. It was 3 m below the ice, as before.", [(20, 31)])
    [('Depth was measured. ', False), ('It was 3 m ', True), ('below the ice, as before.', False)]
    """
    marks = _merged(spans)
    whole = len(marks) == 1 and marks[0][1] - marks[0][0] > _SHORT
    windows = marks if whole else _merged(_widened(text, start, end) for start, end in marks)
    found: list[tuple[str, bool]] = []
    for start, end in windows:
        if start > 0 and not whole:
            found.append((" … ", False))
        at = start
        for first_letter, last in (mark for mark in marks if start <= mark[0] < end):
            found += [(text[at:first_letter], False), (text[first_letter:last], True)]
            at = last
        found.append((text[at:end], False))
    if windows and windows[-1][1] < len(text) and not whole:
        found.append((" …", False))
    return [piece for piece in found if piece[0]]


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with some words before and after it, cut at blanks."""
    low, high = max(0, start - _AROUND), min(len(text), end + _AROUND)
    low = 0 if low == 0 else text.rfind(" ", 0, low) + 1
    after = text.find(" ", high)
    return low, len(text) if after < 0 else after


def _letters(text: str) -> str:
    """Return only the words of a text, to compare a claim with its quote."""
    return " ".join(_WORDS.findall(text.casefold()))


# answers that were kept ------------------------------------------------------------------------


def answers_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Answers that were kept, with what each took."""
    paths = answers(service.home)
    rows = []
    for path in paths[:SHOWN]:
        try:
            rows.append((path.stem, read_answer(path)[0]))
        except KagError:
            continue
    return {"rows": rows, "more": max(0, len(paths) - SHOWN)}


def answer_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """An answer, and how it came about."""
    name = names["answer"]
    answer = kept_answer(service.home, name)
    steps = [
        (step_words(step), step, json.dumps(_rest(step), ensure_ascii=False)[:2000])
        for step in kept_steps(service.home, name)
    ]
    return {"view": answer_view(service, answer), "steps": steps, "name": name}


def _rest(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in ("step", "kind", "name", "ok")}
