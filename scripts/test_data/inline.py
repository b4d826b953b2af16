"""Turns marked-up text into pieces to draw and the Markdown that OCR would print for them.

Marks: `{cite:a,b|see}` `{citet:a}` `{fig:id|b}` `{Fig:id}` `{figs:a,b}` `{figs:a-c}` `{tab:id}` `{tabs:a,b}` `{eq:id}`
`{sec:id}` `{alg:id}` `{sup:Fig. S1}` `^{up}` `_{down}` `$maths$` `**bold**` `*italic*`. Call-outs are recorded with
their characters in the Markdown, so that gold and page cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .bibliography import Entry
from .model import Style
from .numbering import Names

_MARK = re.compile(
    r"\{(?P<verb>\w+):(?P<arg>[^{}]*)\}|\^\{(?P<up>[^{}]*)\}|_\{(?P<down>[^{}]*)\}|\$(?P<maths>[^$]*)\$"
    r"|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters in one style; `start` and `end` are their place in the Markdown."""

    text: str
    style: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A call-out: kind "citation" or a cross-reference type; numbers as strings; its characters in the Markdown."""

    kind: str
    numbers: tuple[str, ...]
    explicit: tuple[str, ...]
    target: str
    label: str
    surface: str
    start: int
    end: int
    via: str = "xref"


@dataclass(frozen=True, slots=True)
class Rich:
    """A text ready to be drawn, with its Markdown and its call-outs."""

    pieces: tuple[Piece, ...]
    mentions: tuple[Mention, ...]
    markdown: str

    @property
    def plain(self) -> str:
        """What a reader sees."""
        return "".join(piece.text for piece in self.pieces)


class Writer:
    """Collects the pieces and call-outs of one text."""

    def __init__(self, style: Style, names: Names) -> None:
        self._style = style
        self._names = names
        self._pieces: list[Piece] = []
        self._mentions: list[Mention] = []
        self._markdown = ""

    def write(self, source: str, style: str = "normal") -> Rich:
        """The rich form of marked-up text."""
        position = 0
        for match in _MARK.finditer(source):
            self._put(source[position : match.start()], style)
            self._mark(match)
            position = match.end()
        self._put(source[position:], style)
        return Rich(tuple(self._pieces), tuple(self._mentions), self._markdown)

    def _put(self, text: str, style: str = "normal") -> tuple[int, int]:
        if not text:
            return len(self._markdown), len(self._markdown)
        shown = {"up": f" \\( ^{{{text}}} \\) ", "down": f" \\( _{{{text}}} \\) ", "maths": f" \\( {text} \\) "}
        start = len(self._markdown)
        self._markdown += shown.get(style, text)
        self._pieces.append(Piece(text, style, start, len(self._markdown)))
        pad = 1 if style in shown else 0
        return start + pad, len(self._markdown) - pad

    def _mark(self, match: re.Match[str]) -> None:
        for style in ("up", "down", "maths", "bold", "italic"):
            if match[style] is not None:
                self._put(match[style], style)
                return
        verb, arg = match["verb"], match["arg"]
        if verb in ("cite", "citet"):
            self._citation(verb, arg)
        elif verb in ("figs", "tabs"):
            self._several(verb, arg)
        elif verb == "sup":
            self._refer("supplement", arg, arg, arg, arg)
        else:
            self._single(verb, arg)

    def _citation(self, verb: str, arg: str) -> None:
        keys, _, lead = arg.partition("|")
        found = [self._names.references[key] for key in keys.split(",")]
        numbers = tuple(str(entry.number) for entry in found)
        kind = self._style.citations
        if kind == "author-year":
            surface = narrative(found[0]) if verb == "citet" else in_brackets(found, lead)
            start, end = self._put(surface)
            explicit = numbers
        else:
            numbers = tuple(sorted(numbers, key=int))
            dash, comma = self._style.range_dash, "," if kind == "superscript" else ", "
            surface, explicit = ranges([int(n) for n in numbers], dash, comma)
            superscript = kind == "superscript"
            start, end = self._put(surface if superscript else f"[{surface}]", "up" if superscript else "normal")
        self._mention("citation", numbers, explicit, keys, "", start, end)

    def _several(self, verb: str, arg: str) -> None:
        kind = "figure" if verb == "figs" else "table"
        word = self._style.figures_word if verb == "figs" else "Tables"
        separator = "-" if "-" in arg else ","
        first, second = arg.split(separator)
        self._refer(kind, first, f"{word} {self._names.numbers[first]}", self._names.numbers[first])
        if separator == ",":
            self._put(" and ")
        else:
            start, end = self._put("–")
            low, high = int(self._names.numbers[first]), int(self._names.numbers[second])
            for number in range(low + 1, high):
                self._mention(kind, (str(number),), (), "", "", start, end, "range")
        self._refer(kind, second, self._names.numbers[second], self._names.numbers[second])

    def _single(self, verb: str, arg: str) -> None:
        ident, _, panel = arg.partition("|")
        if verb == "sec":
            number = self._names.sections[ident].number
            self._refer("section", ident, f"{'Appendix' if number.isalpha() else 'Section'} {number}", number)
            return
        number = self._names.numbers[ident]
        kind, pattern = {
            "fig": ("figure", self._style.figure_word + " {}"),
            "Fig": ("figure", "Figure {}"),
            "sch": ("figure", "Scheme {}"),
            "tab": ("table", "Table {}"),
            "eq": ("equation", "Eq. ({})"),
            "alg": ("algorithm", "Algorithm {}"),
        }[verb]
        known = f"Scheme {number}" if verb == "sch" else number
        self._refer(kind, ident, pattern.format(number) + panel, known)

    def _refer(self, kind: str, target: str, surface: str, number: str, label: str = "") -> None:
        start, end = self._put(surface)
        words = {"figure": "Figure", "table": "Table"}
        named = label or (f"{words[kind]} {number}" if kind in words and number[0] != "S" else number)
        self._mention(kind, (number,), (number,), target, named, start, end)

    def _mention(
        self,
        kind: str,
        numbers: tuple[str, ...],
        explicit: tuple[str, ...],
        target: str,
        label: str,
        start: int,
        end: int,
        via: str = "xref",
    ) -> None:
        surface = self._markdown[start:end]
        self._mentions.append(Mention(kind, numbers, explicit, target, label, surface, start, end, via))


def narrative(entry: Entry) -> str:
    """ "Nowak et al. (2015a)", "Ek and Li (2018)"."""
    return f"{entry.names.replace(' & ', ' and ')} ({entry.year_label})"


def in_brackets(found: Sequence[Entry], lead: str) -> str:
    """ "(see Ek & Li, 2015a, 2015b; Nowak et al., 2018)": entries of the same names share them."""
    parts: list[str] = []
    previous = ""
    for entry in found:
        if entry.names == previous:
            parts[-1] += f", {entry.year_label}"
        else:
            parts.append(f"{entry.names}, {entry.year_label}")
        previous = entry.names
    return f"({lead + ' ' if lead else ''}{'; '.join(parts)})"


def ranges(numbers: Sequence[int], dash: str, comma: str) -> tuple[str, tuple[str, ...]]:
    """Printed numbers, three or more in a row as a range, and the numbers that are printed.

    >>> ranges([1, 4, 5, 6], "–", ", ")
    ('1, 4–6', ('1', '4', '6'))
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}{dash}{run[-1]}" if len(run) > 2 else comma.join(map(str, run)) for run in runs]
    explicit = [n for run in runs for n in ((run[0], run[-1]) if len(run) > 2 else run)]
    return comma.join(parts), tuple(map(str, explicit))
