"""Answers as Markdown for a person: question, answer, each claim with its quotes and where they are printed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kag.core.evidence import AGENT, EXACT, Answer, Claim, Dropped, Evidence, Passage
from kag.qa.paper import PaperGraph
from kag.qa.printed_table import columns, described_table, table_text
from kag.text.markdown import plain_text, quoted
from kag.text.plain import plain

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


def _dropped(dropped: Dropped) -> str:
    return f"- {plain_text(dropped.text)} ({plain_text(dropped.why[:300])})"


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
    """Return a passage as a quotation with its place; the matching part is on a line of its own behind it."""
    place = f"`{_code(passage.paper)}`, page {passage.page}, {plain_text(passage.section) or 'front matter'}"
    marked = passage.text[passage.start : passage.end]
    best = f"\n\nBest match: {plain_text(marked)}" if 0 < len(marked) < len(passage.text) else ""
    return f"{quoted(passage.text)}\n> {place}{best}"


def _evidence(evidence: Evidence, *, several: bool) -> str:
    """Return a quote and its place; with the paper if there are several."""
    paper = f"`{_code(evidence.paper)}`, " if several else ""
    return f"{quoted(evidence.quote)}\n> {paper}page {evidence.page}, `{_code(evidence.node.rpartition('/')[2])}`"


def _code(text: str) -> str:
    """A short text inside backticks."""
    return " ".join(text.replace("`", "'").split())


HEADLINE = "Passages that may answer this:"
MARKS = "**", "**"  # around the sentence that matches
BY_MACHINE = {"graph": "the graph", "identity": "its quote", "numbers": "the number check"}
QUOTES = 10  # of one claim
_WIDE = 100  # characters of a line
_CLAIMED_CELL = re.compile(r"(Table [\w.]+): (.+) \| ([^|]+)")
_LABEL = re.compile(r"(?:Fig(?:ure)?|Table|Scheme)\.?\s+[A-Z]?\d+[.:]?\s", re.I)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHORT = 60  # characters of a claim that is a short answer itself
_IN = "  "


def composed(answer: Answer, papers: Mapping[str, PaperGraph], *, titled: bool = True) -> str:
    """An answer as plain text without a line end.

    Its paper comes last, where it is one; not with `titled` false. `papers` has what is quoted. What papers print is
    data: whoever shows it makes control characters visible.
    """
    parts = [*_claims(answer, papers)] if answer.claims else [*_passages(answer), *_not_found(answer, papers)]
    if answer.stopped:
        parts.append(f"The model was stopped: {answer.stopped}")
    claims = (*answer.claims, *((answer.reason,) if answer.reason else ()))
    shown = dict.fromkeys(
        (*(one.paper for claim in claims for one in claim.evidence), *(passage.paper for passage in answer.passages))
    )
    if titled and len(shown) == 1:
        parts.append(_filled(_title(next(iter(shown)), papers)))
    return "\n\n".join(parts)


def _claims(answer: Answer, papers: Mapping[str, PaperGraph]) -> Iterator[str]:
    short = _short(answer)
    if short:
        yield short
    several = len({one.paper for claim in answer.claims for one in claim.evidence}) > 1
    if answer.mode == AGENT and len(answer.claims) > 1:
        yield from _prose(answer.claims, papers, several=several)
        return
    for claim in answer.claims:
        yield "\n".join(_claim_lines(claim, papers, several=several))


def _prose(claims: Sequence[Claim], papers: Mapping[str, PaperGraph], *, several: bool) -> Iterator[str]:
    """The claims of a model as one paragraph, then their quotes, numbered and each once."""
    numbers: dict[Evidence, int] = {}
    verdicts = [judgement(claim) for claim in claims]
    alike = len(set(verdicts)) == 1
    sentences = []
    for claim, verdict in zip(claims, verdicts, strict=True):
        own = [numbers.setdefault(one, len(numbers) + 1) for one in claim.evidence[:QUOTES]]
        marks = "".join(f"[{number}]" for number in own)
        sentences.append(f"{_in_words(plain(claim.text))} {marks}{'' if alike else f' ({verdict})'}")
    yield _filled(" ".join(sentences))
    lines = ["Evidence:"]
    claimed = {plain(claim.text) for claim in claims}
    for one, number in numbers.items():
        quote, place = plain(one.quote), _place(one, papers, several=several)
        repeated = any(_same(quote, text) for text in claimed)
        lines.append(_filled(f"[{number}] {place}" + ("" if repeated else f": “{quote}”"), _IN))
        lines += [2 * _IN + row for row in shown_table(one, papers)]
    yield "\n".join(lines)
    if alike:
        yield f"(all claims: {verdicts[0]})"


def _not_found(answer: Answer, papers: Mapping[str, PaperGraph]) -> Iterator[str]:
    """Return why a paper does not state it, with the quote, and what was searched for."""
    if answer.reason:
        yield "\n".join(_claim_lines(answer.reason, papers, several=False))
    if not answer.passages and answer.searches and answer.mode in (AGENT, EXACT):
        yield _filled(f"Searched for: {'; '.join(answer.searches)}")


def _passages(answer: Answer) -> Iterator[str]:
    """Return the passages under their headline with their places; the answer's own text if there are none."""
    if not answer.passages:
        yield answer.text
        return
    yield HEADLINE
    several = len({passage.paper for passage in answer.passages}) > 1
    for number, passage in enumerate(answer.passages, 1):
        place = ", ".join(part for part in (f"page {passage.page}", plain(passage.section)) if part)
        paper = f", {passage.paper}" if several else ""
        yield "\n".join([f"{number}. {place}{paper}", *passage_lines(passage)])


def passage_lines(passage: Passage) -> list[str]:
    """A passage as indented lines, the sentence that matches between marks; a table with its cells below each other."""
    text, start, end = passage.text, passage.start, passage.end
    if passage.kind != "Table":
        before, match, after = (" ".join(plain(part).split()) for part in (text[:start], text[start:end], text[end:]))
        marked = f"{MARKS[0]}{match}{MARKS[1]}" if match and (before or after) else match
        return [_filled(" ".join(part for part in (before, marked, after) if part), _IN)]
    lines = text.split("\n")
    caption = lines[:1] if len(passage.nodes) > 1 else []
    rows = lines[len(caption) :]
    at = text.count("\n", 0, start) - len(caption)
    is_row = "\n" not in text[start:end]
    printed = columns([[plain(cell) for cell in row.split(" | ")] for row in rows])
    table = [f"{'> ' if number == at and is_row else _IN}{line}" for number, line in enumerate(printed)]
    return [*(_filled(plain(line), _IN) for line in caption), *table]


def _short(answer: Answer) -> str:
    """The answer in few words, where it has them and the first claim is a sentence around them."""
    value = answer.value
    if isinstance(value, dict):
        return "\n".join(f"{plain(name)}: {number}" for name, number in value.items())
    (first, *_) = answer.claims
    if not isinstance(value, str | int | float):
        return ""
    value_text, words = plain(str(value)), plain(first.text)
    alone = len(_NUMBER.findall(words)) == len(
        _NUMBER.findall(value_text)
    )  # of several numbers it may be the wrong one
    return (
        value_text if alone and value_text in words and len(words) > _SHORT and 2 * len(value_text) < len(words) else ""
    )


def _claim_lines(claim: Claim, papers: Mapping[str, PaperGraph], *, several: bool) -> Iterator[str]:
    """A claim, then its quotes. One quote that the claim repeats is not shown twice."""
    yield _filled(_in_words(plain(claim.text)))
    shown: set[tuple[str, str]] = set()
    for one in claim.evidence[:QUOTES]:
        table = shown_table(one, papers)
        if table:
            if (one.paper, one.node) not in shown:
                yield from (_IN + line for line in table)
                yield _IN + _place(one, papers, several=several)
            shown.add((one.paper, one.node))
        else:
            quote, place = plain(one.quote), _place(one, papers, several=several)
            repeated = _same(quote, plain(claim.text))
            yield f"{_IN}{place}" if repeated else _filled(f"“{quote}” {place}", _IN)
    if len(claim.evidence) > QUOTES:
        yield f"{_IN}and {len(claim.evidence) - QUOTES} quotes more"
    yield f"{_IN}({judgement(claim)})"


def judgement(claim: Claim) -> str:
    """Describe a claim's verdict and its judge: "supported by the graph", "not judged"."""
    verdict = claim.verdict
    if verdict is None:
        return "quoted, not judged"
    return f"quoted, {verdict.status} by {BY_MACHINE.get(verdict.checker, verdict.checker)}"


def _in_words(text: str) -> str:
    """Return a claim in words; for a table cell named by row and column, the cell's value comes first.

    >>> _in_words("Table 1: Park | Species per site | 14.1 (3.0)")
    '14.1 (3.0) – Park, Species per site (Table 1)'
    """
    cell = _CLAIMED_CELL.fullmatch(text)
    return f"{cell[3]} – {', '.join(cell[2].split(' | '))} ({cell[1]})" if cell else text


def shown_table(evidence: Evidence, papers: Mapping[str, PaperGraph]) -> list[str]:
    """Return the rows of a table that contain a quote, or all of the table with that caption; else nothing."""
    paper = papers.get(evidence.paper)
    node = paper.nodes.get(evidence.node) if paper else None
    if paper is None or node is None:
        return []
    if node.kind == "Table":
        return table_text(paper, node, evidence.start, evidence.end)
    table = (
        described_table(paper, evidence.node)
        if node.kind == "Caption" and evidence.end >= len(node.text.rstrip())
        else None
    )
    return table_text(paper, table) if table else []


def _place(evidence: Evidence, papers: Mapping[str, PaperGraph], *, several: bool) -> str:
    """Page and section of a quote; its paper, where there are several."""
    paper = papers.get(evidence.paper)
    section = _section(paper, evidence.node) if paper else ""
    return f"page {evidence.page}{section}" + (f", {_title(evidence.paper, papers)}" if several else "")


def _section(paper: PaperGraph, node: str) -> str:
    section = paper.section_of(node)
    return f", {plain(section.path[-1])}" if section and section.path else ""


def _title(name: str, papers: Mapping[str, PaperGraph]) -> str:
    title = plain(papers[name].title) if name in papers else ""
    return f"{title} ({name})" if title else name


def _same(quote: str, claim: str) -> bool:
    """Whether a claim already contains a quote, ignoring marks ("Table 1: Sites" and "Table 1 Sites")."""
    stated, printed = (re.sub(r"\W+", " ", _LABEL.sub("", text).casefold()).strip() for text in (claim, quote))
    return printed in stated and 2 * len(printed) > len(stated)


def _filled(text: str, indent: str = "") -> str:
    """Lines of at most 100 characters; words that are longer stay whole, and lines that were there stay lines."""
    lines: Iterable[str] = text.splitlines() or [""]
    fill = textwrap.TextWrapper(
        _WIDE, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(fill.fill(line) for line in lines)
