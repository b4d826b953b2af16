"""`runs_of`: a text of the graph as runs: words, formulas, what is raised or lowered, and links to other nodes.

Words are as `plain` gives them, without Markdown or HTML marks; nothing that is printed is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kag.qa.paper import Mention
from kag.text.latex import formula_words
from kag.text.plain import Formula, formulas, plain

_SCRIPT = re.compile(r"\s*(?:\{\s*\})?\s*(?P<way>[\^_])\s*(?:\{(?P<body>[^{}\\^_$]*)\}|(?P<sign>[^\s{}\\^_$]))\s*")
_PIECE = re.compile(r"[^,;]+")
_NUMBER = re.compile(r"\d{1,9}")
_SIGNS = re.compile(r"[!-/:-@\[-`{-~]")
_ROOM = 6000  # marks of one text
_PRIVATE = range(0xF0000, 0x10F000, _ROOM)  # where they may begin, among signs that no print has


Script = Literal["", "sup", "sub"]


@dataclass(frozen=True, slots=True)
class Run:
    """Some words or a formula (`latex`, then `words` are for those who cannot set it); `to` are nodes it leads to."""

    words: str
    latex: str = ""
    script: Script = ""
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark in the text: a formula, a sign, or the beginning or end of a script or of a link."""

    formula: str = ""
    sign: str = ""
    script: Script | None = None
    to: tuple[str, ...] | None = None


def words_of(runs: Sequence[Run]) -> str:
    """The words of runs, formulas as people read them."""
    return "".join(run.words for run in runs)


def runs_of(text: str, mentions: Sequence[Mention] = (), numbers: Mapping[str, int] | None = None) -> tuple[Run, ...]:
    """The runs of a text; `mentions` are its call-outs, `numbers` the entries of the reference list by node.

    >>> [run.script or run.words for run in runs_of("label  \\\\( ^{89} \\\\) Zr at 5 **nM**")]
    ['label ', 'sup', 'Zr at 5 nM']
    """
    spans = [span for mention in mentions for span in _spans(mention, text, numbers or {})]
    marks: list[_Mark] = []
    first = _free(text)

    def mark(**what: object) -> str:
        marks.append(_Mark(**what))  # type: ignore[arg-type]
        return chr(first + len(marks) - 1)

    marked = plain(_marked(text, spans, mark)) if first else ""
    if not marked or len(marks) > _ROOM:
        return (Run(words),) if (words := plain(text)) else ()
    return tuple(_read(marked, marks, first))


def _free(text: str) -> int:
    """Return the start of a range of signs that the text does not use; 0 if it uses some of all ranges."""
    used = {ord(sign) for sign in set(text) if ord(sign) >= _PRIVATE.start}
    return next((start for start in _PRIVATE if not any(start <= sign < start + _ROOM for sign in used)), 0)


def _marked(text: str, spans: Sequence[_Span], mark: Callable[..., str]) -> str:
    """The text with a mark in place of each formula, and at both ends of each script and link."""
    pieces: list[str] = []
    at = 0
    for found in (*formulas(text), None):
        end = found.start if found else len(text)
        pieces.append(_linked(text, at, end, spans, mark))
        if found:
            pieces.append(_formula(text, found, spans, mark))
            at = found.end
    return "".join(pieces)


def _linked(text: str, start: int, end: int, spans: Sequence[_Span], mark: Callable[..., str]) -> str:
    """The text between two places with marks at the ends of the links in it; one that is half outside is cut."""
    pieces: list[str] = []
    at = start
    for span in spans:
        left, right = max(span.start, at), min(span.end, end)
        if left < right:
            pieces += (text[at:left], mark(to=span.to), text[left:right], mark(to=()))
            at = right
    return "".join((*pieces, text[at:end]))


def _formula(text: str, found: Formula, spans: Sequence[_Span], mark: Callable[..., str]) -> str:
    left, right = " " * found.words.startswith(" "), " " * found.words.endswith(" ")
    script = _SCRIPT.fullmatch(found.latex)
    if script and (script["body"] or script["sign"] or "").strip():
        name = "body" if script["body"] else "sign"
        start, end = (found.at + place for place in script.span(name))
        way = "sup" if script["way"] == "^" else "sub"
        body = _linked(text, start, end, spans, mark)
        body = _SIGNS.sub(lambda sign: mark(sign=sign[0]), body)  # a raised star is no mark of Markdown
        return left + mark(script=way) + body + mark(script="") + right
    latex = " ".join(found.latex.split())
    inner = mark(formula=latex) if latex else ""
    to = next((span.to for span in spans if span.start < found.end and found.start < span.end), ())
    return left + (mark(to=to) + inner + mark(to=()) if to else inner) + right


def _read(marked: str, marks: Sequence[_Mark], first: int) -> Iterator[Run]:
    """The runs between the marks."""
    script: Script = ""
    to: tuple[str, ...] = ()
    written = ""
    for sign in marked:
        number = ord(sign) - first
        if not 0 <= number < len(marks):
            written += sign
            continue
        mark = marks[number]
        if mark.sign:
            written += mark.sign
            continue
        if written:
            yield Run(written, script=script, to=to)
        written = ""
        if mark.formula:
            yield Run(formula_words(mark.formula), mark.formula, script, to)
        script = script if mark.script is None else mark.script
        to = to if mark.to is None else mark.to
    if written:
        yield Run(written, script=script, to=to)


def _spans(mention: Mention, text: str, numbers: Mapping[str, int]) -> Iterator[_Span]:
    """Return the links of an in-text citation, one for each number if all are entries: "[1, 5-7]" has two."""
    start, end = mention.start, min(mention.end, len(text))
    if not mention.targets or start >= end:
        return
    parts = [(match.start(), match.end()) for match in _PIECE.finditer(text, start, end)]
    parts_targets = [_meant(text[left:right], mention.targets, numbers) for left, right in parts]
    if len(mention.targets) > 1 and sorted(to for part in parts_targets for to in part) == sorted(mention.targets):
        for (left, right), targets in zip(parts, parts_targets, strict=True):
            digits = [match.span() for match in _NUMBER.finditer(text, left, right)]
            yield _Span(digits[0][0], digits[-1][1], targets)
    else:
        yield _Span(start, end, mention.targets)


def _meant(words: str, targets: Sequence[str], numbers: Mapping[str, int]) -> tuple[str, ...]:
    """The targets that a number or a range means."""
    numbers_in = [int(digits) for digits in _NUMBER.findall(words)]
    return tuple(to for to in targets if numbers_in and numbers_in[0] <= numbers.get(to, 0) <= numbers_in[-1])
