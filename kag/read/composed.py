"""`composed`: an answer for somebody at a terminal, as plain text.

The short answer comes first; then each claim, its quotes where they say more than it does, and where they stand. A cell
is shown in its table, a passage as a passage, a small confidence in words. `kag.read.answer_text` is for files.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kag.read.paper import Node, PaperGraph
from kag.read.passage_index import Hit
from kag.read.table_text import described_table, table_text
from kag.text.plain import plain
from kag.values.evidence import FALSE, LEANT, NEAREST, Answer, Claim, Evidence

SURE, LIKELY = 0.8, 0.5  # below the first a confidence is told, below the second it is a guess
QUOTES = 10  # of one claim
_WIDE = 100  # characters of a line
_CLAIMED_CELL = re.compile(r"(Table [\w.]+): (.+) \| ([^|]+)")
_LABEL = re.compile(r"(?:Fig(?:ure)?|Table|Scheme)\.?\s+[A-Z]?\d+[.:]?\s", re.I)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHORT = 60  # characters of a claim that is a short answer itself
_IN = "  "


def composed(
    answer: Answer, papers: Mapping[str, PaperGraph], near: Sequence[tuple[str, Hit]] = (), *, titled: bool = True
) -> str:
    """An answer as plain text without a line end; `near` are passages, each with its paper's id, where none was found.

    Its paper comes last, where it is one; not with `titled` false. `papers` has what is quoted. What papers print is
    data: whoever shows it makes control characters visible.
    """
    parts = [*_found(answer, papers)] if answer.claims else [*_nothing(answer, papers, near)]
    parts += [f"{plain(one.text)} {plain(one.why)}" for one in answer.dropped if one.why.startswith((FALSE, LEANT))]
    if answer.stopped:
        parts.append(f"The model was stopped: {answer.stopped}")
    shown = dict.fromkeys(
        [*(one.paper for claim in answer.claims for one in claim.evidence), *(name for name, _ in near)]
    )
    if titled and len(shown) == 1:
        parts.append(_filled(_title(next(iter(shown)), papers)))
    return "\n\n".join(parts)


def _found(answer: Answer, papers: Mapping[str, PaperGraph]) -> Iterator[str]:
    short = _short(answer)
    if short:
        yield short
    several = len({one.paper for claim in answer.claims for one in claim.evidence}) > 1
    for claim in answer.claims:
        yield "\n".join(_claim(claim, papers, several=several))


def _short(answer: Answer) -> str:
    """The answer in few words, where it has them and the first claim is a sentence around them."""
    value = answer.value
    if isinstance(value, dict):
        return "\n".join(f"{plain(name)}: {number}" for name, number in value.items())
    (first, *_) = answer.claims
    if not isinstance(value, str | int | float) or first.confidence < SURE:
        return ""
    said, words = plain(str(value)), plain(first.text)
    alone = len(_NUMBER.findall(words)) == len(_NUMBER.findall(said))  # of several numbers it may be the wrong one
    return said if alone and said in words and len(words) > _SHORT and 2 * len(said) < len(words) else ""


def _claim(claim: Claim, papers: Mapping[str, PaperGraph], *, several: bool) -> Iterator[str]:
    """A claim, then its quotes. One quote that the claim repeats is not shown twice."""
    yield _filled(_said(plain(claim.text)))
    doubts = "; ".join(_doubts(claim))
    if doubts:
        yield f"{_IN}({doubts})"
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


def _doubts(claim: Claim) -> Iterator[str]:
    """What is to be said against a claim: a small confidence, a checker that does not support it."""
    if claim.confidence < SURE:
        yield "likely, but not sure" if claim.confidence >= LIKELY else "a guess: look at the place"
    if claim.verdict and claim.verdict.status != "supported":
        yield f"{claim.verdict.status} by {claim.verdict.checker}"


def _said(text: str) -> str:
    """A claim in words; of one that names a cell of a table by row and column, what the cell says comes first.

    >>> _said("Table 1: Park | Species per site | 14.1 (3.0)")
    '14.1 (3.0) – Park, Species per site (Table 1)'
    """
    cell = _CLAIMED_CELL.fullmatch(text)
    return f"{cell[3]} – {', '.join(cell[2].split(' | '))} ({cell[1]})" if cell else text


def _nothing(answer: Answer, papers: Mapping[str, PaperGraph], near: Sequence[tuple[str, Hit]]) -> Iterator[str]:
    """That nothing was found, and the passages that come nearest."""
    if not near:
        yield _unsure(answer) or answer.text
        return
    yield "No answer was found. Nearest passages:" if len(near) > 1 else "No answer was found. Nearest passage:"
    several = len({paper for paper, _ in near}) > 1
    for paper, hit in near:
        graph, (name, start, end) = papers[paper], hit.snippet
        node = graph.nodes[name]
        which = f", {paper}" if several else ""
        yield f"{_passage(graph, node, start, end)}\n{_IN}page {node.page}{_section(graph, name)}{which}"


def _unsure(answer: Answer) -> str:
    """The passages that an answer left out because they are only near, where there are any."""
    near = [one for one in answer.dropped if one.why.startswith(NEAREST)]
    left = [f"{_filled(plain(one.text), _IN)}\n{_IN}{one.why.removeprefix(NEAREST).strip(' ()')}" for one in near]
    return "\n\n".join(["No sure answer was found by rules. Nearest passages:", *left]) if left else ""


def _passage(paper: PaperGraph, node: Node, start: int, end: int) -> str:
    """A stretch of a node, with marks where it is cut; of a table the rows that it touches."""
    if node.kind == "Table":
        return "\n".join(_IN + line for line in table_text(paper, node, start, end))
    more = "…" if end < len(node.text.rstrip()) else ""
    return _filled(" ".join(filter(None, ("…" if start else "", plain(node.text[start:end]).strip(), more))), _IN)


def shown_table(one: Evidence, papers: Mapping[str, PaperGraph]) -> list[str]:
    """The rows of a table that a quote stands in, or all of the one that it is the caption of; else nothing."""
    paper = papers.get(one.paper)
    node = paper.nodes.get(one.node) if paper else None
    if paper is None or node is None:
        return []
    if node.kind == "Table":
        return table_text(paper, node, one.start, one.end)
    table = described_table(paper, one.node) if node.kind == "Caption" and one.end >= len(node.text.rstrip()) else None
    return table_text(paper, table) if table else []


def _place(one: Evidence, papers: Mapping[str, PaperGraph], *, several: bool) -> str:
    """Page and section of a quote; its paper, where there are several."""
    paper = papers.get(one.paper)
    section = _section(paper, one.node) if paper else ""
    return f"page {one.page}{section}" + (f", {_title(one.paper, papers)}" if several else "")


def _section(paper: PaperGraph, node: str) -> str:
    section = paper.section_of(node)
    return f", {plain(section.path[-1])}" if section and section.path else ""


def _title(name: str, papers: Mapping[str, PaperGraph]) -> str:
    title = plain(papers[name].title) if name in papers else ""
    return f"{title} ({name})" if title else name


def _same(quote: str, claim: str) -> bool:
    """Whether a claim prints a quote already; marks aside ("Table 1: Sites" and "Table 1 Sites")."""
    said, printed = (re.sub(r"\W+", " ", _LABEL.sub("", text).casefold()).strip() for text in (claim, quote))
    return printed in said and 2 * len(printed) > len(said)


def _filled(text: str, indent: str = "") -> str:
    """Lines of at most 100 characters; words that are longer stay whole, and lines that were there stay lines."""
    lines: Iterable[str] = text.splitlines() or [""]
    fill = textwrap.TextWrapper(
        _WIDE, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(fill.fill(line) for line in lines)
