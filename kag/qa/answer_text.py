"""Answers as Markdown for a person: question, answer, each claim with its quotes and where they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.core.evidence import Answer, Claim, Dropped, Evidence, Passage
from kag.qa.composed import HEADLINE, judgement
from kag.text.markdown import plain_text, quoted

SHOWN = 10  # quotes of one claim
LEFT_OUT = "Left out, because its quotes do not hold or do not support it:"


def answers_markdown(answers: Sequence[Answer]) -> str:
    """All answers as one Markdown text, in the order given."""
    found, passages = sum(answer.found for answer in answers), sum(bool(answer.passages) for answer in answers)
    head = f"# Answers\n\n{len(answers)} questions, {found} answered, {passages} with passages that may answer them."
    return "\n\n".join([head, *(answer_markdown(answer) for answer in answers)]) + "\n"


def answer_markdown(answer: Answer) -> str:
    """One answer as a section of Markdown."""
    by = f"{plain_text(answer.mode)}, {plain_text(answer.label)}" + "".join(
        f"; {plain_text(paper)}" for paper in answer.papers
    )
    parts = [f"## {plain_text(answer.question)}", f"`{_code(answer.id)}` · {by}", *_body(answer)]
    parts += [f"Note: {plain_text(words)}" for words in answer.notes]
    if answer.stopped:
        parts.append(f"**The model was stopped:** {plain_text(answer.stopped)}")
    parts += [f"{LEFT_OUT}\n\n" + "\n".join(map(_dropped, answer.dropped))] if answer.dropped else []
    return "\n\n".join(parts)


def _dropped(one: Dropped) -> str:
    return f"- {plain_text(one.text)} ({plain_text(one.why[:300])})"


def _body(answer: Answer) -> Iterable[str]:
    if answer.passages:
        yield f"**{HEADLINE}**"
        yield from (_passage(passage) for passage in answer.passages)
        return
    if not answer.claims:
        yield f"**{answer.text}**"
        if answer.reason:
            yield from _claim(answer.reason, several=len(answer.papers) > 1)
        yield "Searched: " + "; ".join(plain_text(query) for query in answer.searches)
        return
    if isinstance(answer.value, dict):
        yield "\n".join(f"- {plain_text(name)}: {number}" for name, number in answer.value.items())
    for claim in answer.claims:
        yield from _claim(claim, several=len(answer.papers) > 1)


def _claim(claim: Claim, *, several: bool) -> Iterable[str]:
    yield f"**{plain_text(claim.text)}** ({plain_text(judgement(claim))})"
    yield "\n>\n".join(_evidence(one, several=several) for one in claim.evidence[:SHOWN])
    if len(claim.evidence) > SHOWN:
        yield f"and {len(claim.evidence) - SHOWN} quotes more"


def _passage(passage: Passage) -> str:
    """A passage as a quotation with its place; what matches stands on a line of its own behind it."""
    place = f"`{_code(passage.paper)}`, page {passage.page}, {plain_text(passage.section) or 'front matter'}"
    marked = passage.text[passage.start : passage.end]
    best = f"\n\nBest match: {plain_text(marked)}" if 0 < len(marked) < len(passage.text) else ""
    return f"{quoted(passage.text)}\n> {place}{best}"


def _evidence(one: Evidence, *, several: bool) -> str:
    """A quote and where it stands; in which paper, where there are several."""
    paper = f"`{_code(one.paper)}`, " if several else ""
    return f"{quoted(one.quote)}\n> {paper}page {one.page}, `{_code(one.node.rpartition('/')[2])}`"


def _code(text: str) -> str:
    """A short text inside backticks."""
    return " ".join(text.replace("`", "'").split())
