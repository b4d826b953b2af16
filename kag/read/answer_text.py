"""Answers as Markdown for a person: question, answer, each claim with its quotes and where they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.text.markdown import plain_text, quoted
from kag.values.evidence import FALSE, LEANT, NEAREST, Answer, Claim, Dropped, Evidence

SHOWN = 10  # quotes of one claim
LEFT_OUT = "Left out, because its quotes do not hold or do not bear it:"


def answers_markdown(answers: Sequence[Answer]) -> str:
    """All answers as one Markdown text, in the order given."""
    found = sum(answer.found for answer in answers)
    head = f"# Answers\n\n{len(answers)} questions, {found} answered, {len(answers) - found} not in the papers."
    return "\n\n".join([head, *(answer_markdown(answer) for answer in answers)]) + "\n"


def answer_markdown(answer: Answer) -> str:
    """One answer as a section of Markdown."""
    by = f"{plain_text(answer.mode)}, {plain_text(answer.label)}" + "".join(
        f"; {plain_text(paper)}" for paper in answer.papers
    )
    parts = [f"## {plain_text(answer.question)}", f"`{_code(answer.id)}` · {by}", *_body(answer)]
    if answer.stopped:
        parts.append(f"**The model was stopped:** {plain_text(answer.stopped)}")
    near = [one for one in answer.dropped if one.why.startswith((NEAREST, FALSE, LEANT))]
    left = [one for one in answer.dropped if one not in near]
    parts += ["\n".join(map(_dropped, near))] if near else []
    parts += [f"{LEFT_OUT}\n\n" + "\n".join(map(_dropped, left))] if left else []
    return "\n\n".join(parts)


def _dropped(one: Dropped) -> str:
    return f"- {plain_text(one.text)} ({plain_text(one.why[:300])})"


def _body(answer: Answer) -> Iterable[str]:
    if not answer.claims:
        yield f"**{answer.text}**"
        yield "Searched: " + "; ".join(plain_text(query) for query in answer.searches)
        return
    if isinstance(answer.value, dict):
        yield "\n".join(f"- {plain_text(name)}: {number}" for name, number in answer.value.items())
    for claim in answer.claims:
        yield from _claim(claim, several=len(answer.papers) > 1)


def _claim(claim: Claim, *, several: bool) -> Iterable[str]:
    yield f"**{plain_text(claim.text)}** (confidence {claim.confidence:.2f}{_judged(claim)})"
    yield "\n>\n".join(_evidence(one, several=several) for one in claim.evidence[:SHOWN])
    if len(claim.evidence) > SHOWN:
        yield f"and {len(claim.evidence) - SHOWN} quotes more"


def _judged(claim: Claim) -> str:
    """What a checker said of a claim: ", supported by rules"; nothing where none was asked."""
    verdict = claim.verdict
    return f", {verdict.status} by {plain_text(verdict.checker)}" if verdict else ""


def _evidence(one: Evidence, *, several: bool) -> str:
    """A quote and where it stands; in which paper, where there are several."""
    paper = f"`{_code(one.paper)}`, " if several else ""
    return f"{quoted(one.quote)}\n> {paper}page {one.page}, `{_code(one.node.rpartition('/')[2])}`"


def _code(text: str) -> str:
    """A short text inside backticks."""
    return " ".join(text.replace("`", "'").split())
