"""`to_markdown`: a paper as Markdown, as GitHub and Pandoc read it; `kag index` reads it back.

What is no mark in the paper is none here: only the signs that Markdown would take for one are escaped, so that texts
stay legible. Tables whose cells span, which Markdown has no form for, are HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from urllib.parse import quote

from kag.core.types import Cell, Table
from kag.export.documents.manuscript import (
    Display,
    Entry,
    Float,
    Item,
    Links,
    Manuscript,
    Paragraph,
    Section,
    Text,
    cell_runs,
)
from kag.export.documents.markup import Markup, sound
from kag.export.documents.runs import Run

_ANYWHERE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)"  # a backslash that would escape
    r"|`|~~|(?<=\])[(\[]"
    r"|(?<!\s)\*|\*(?!\s|$)"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w{1,32};)"
)
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s)")
_AT_BEGIN = re.compile(r"#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[=_*-](?=[=_*\s-]*$)|\|")
_DEFINITION = re.compile(r"^(\[[^\]]{1,999}\]):")
_ENTITIES = {"<": "&lt;", "&": "&amp;", "\\": "&#92;", "(": "&#40;", "[": "&#91;", "~~": r"\~\~"}
_TEX = re.compile(r"[\\^_{]")
_DEEPEST = 6


def to_markdown(paper: Manuscript, pictures: Links) -> str:
    """Return the paper as Markdown; `pictures` are the paths of its pictures."""
    return _Pages(paper, pictures).whole()


def escaped(words: str) -> str:
    r"""Words of a paper, with what Markdown would take for a mark escaped.

    >>> print(escaped("a_b *not* <i> [1](x) p < 0.05"))
    a_b \*not\* &lt;i> [1]&#40;x) p < 0.05
    """
    one_line = re.sub(r"\s+", " ", sound(words))
    text = _ANYWHERE.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), one_line)
    return text.replace("$", r"\$") if text.count("$") > 1 else text


class _Pages:
    def __init__(self, paper: Manuscript, pictures: Links) -> None:
        self._paper, self._pictures = paper, pictures
        self._wanted = _led_to(paper)

    def whole(self) -> str:
        paper = self._paper
        pieces = [f"# {self._heading(paper.title)}"] if paper.title else []
        pieces += [*self._items(paper.front), *self._items(paper.body)]
        return "\n\n".join(filter(None, pieces)) + "\n"

    def _items(self, items: Iterable[Item]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Section):
                if item.title:
                    hashes = "#" * min(item.level + 1, _DEEPEST)
                    names = self._anchor(item.id) + self._anchor(item.title.node.iri)
                    yield f"{hashes} {self._heading(item.title)}{names}"
                yield from self._items(item.items)
            elif isinstance(item, Paragraph):
                yield from self._paragraph(item)
            elif isinstance(item, Display):
                yield _display(item)
            elif isinstance(item, Entry):
                label = f"{item.label} " if item.label else ""
                yield f"{label}{self._line(item.runs, begins=not label)}{self._anchor(item.node.iri)}"
            else:
                yield from self._float(item)

    def _heading(self, title: Text) -> str:
        line = self._line(title.runs, begins=False)
        return line[:-1] + "\\#" if line.endswith("#") else line

    def _paragraph(self, item: Paragraph) -> Iterator[str]:
        for formula, parts in groupby(item.parts, key=lambda part: isinstance(part, Display)):
            listed = list(parts)
            if formula:
                yield from (_display(part) for part in listed if isinstance(part, Display))
                continue
            texts = [part for part in listed if isinstance(part, Text)]
            runs = [run for part in texts for run in (*part.runs, Run(" "))][:-1]
            yield self._line(runs) + "".join(self._anchor(part.node.iri) for part in texts)

    def _float(self, float_: Float) -> Iterator[str]:
        captions = [self._line(caption.runs) for caption in float_.captions]
        anchor = self._anchor(float_.node.iri)
        if float_.grid is None:
            links = self._pictures.get(float_.node.iri, ("",))
            yield "\n".join(f"![]({quote(link)})" for link in links) + (anchor if not captions else "")
        if captions:
            yield from (*captions[:-1], captions[-1] + anchor)
        if float_.grid is not None and float_.grid.cells:
            yield (
                _pipes(float_.grid)
                if _is_plain(float_.grid, float_.header_rows)
                else _html(float_.grid, float_.header_rows)
            )

    # words ------------------------------------------------------------------------------------

    def _line(self, runs: Sequence[Run], *, begins: bool = True) -> str:
        line = "".join(self._pieces(runs)).strip()
        return _begun(line) if begins else line

    def _pieces(self, runs: Sequence[Run]) -> Iterator[str]:
        listed = list(runs)
        for script, scripted in groupby(listed, key=lambda run: run.script):
            group = list(scripted)
            text = "".join(self._linked(group, after=_sign(listed, group, 1), before=_sign(listed, group, -1)))
            yield f"<{script}>{text}</{script}>" if script else text

    def _linked(self, runs: Sequence[Run], *, before: str, after: str) -> Iterator[str]:
        for place, run in enumerate(runs):
            left = runs[place - 1].words[-1:] if place else before
            right = runs[place + 1].words[:1] if place + 1 < len(runs) else after
            words = _formula(run.latex, left, right) if run.latex else escaped(run.words)
            yield f"[{_inside(words)}](#{self._paper.ids[run.to[0]]})" if run.to else words

    def _anchor(self, iri: str) -> str:
        return f'<a id="{self._paper.ids[iri]}"></a>' if iri in self._wanted else ""


def _led_to(paper: Manuscript) -> set[str]:
    """The nodes that a link of the text leads to."""
    found: set[str] = set()

    def look(items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Section):
                look(item.items)
            texts: Iterable[Text] = ()
            if isinstance(item, Paragraph):
                texts = (part for part in item.parts if isinstance(part, Text))
            elif isinstance(item, Float):
                texts = item.captions
            found.update(run.to[0] for text in texts for run in text.runs if run.to)

    look((*paper.front, *paper.body))
    return found


def _sign(runs: Sequence[Run], group: Sequence[Run], way: int) -> str:
    """Return the sign before or behind some of the runs."""
    edge = next(n for n, run in enumerate(runs) if run is (group[0] if way < 0 else group[-1]))
    beside = edge + way
    if not 0 <= beside < len(runs):
        return ""
    return runs[beside].words[-1:] if way < 0 else runs[beside].words[:1]


def _inside(words: str) -> str:
    """Return link text with its brackets balanced or escaped."""
    if words.count("[") == words.count("]") and words.find("]") >= words.find("["):
        return words
    return words.replace("[", "&#91;").replace("]", "&#93;")


def _formula(latex: str, left: str, right: str) -> str:
    """A formula between dollars where readers take that for one; else between the signs of LaTeX itself."""
    beside = re.compile(r"[\w\\$]")
    good = _TEX.search(latex) and "$" not in latex and "\n" not in latex and len(latex) <= 400
    if good and not beside.match(left) and not beside.match(right):
        return f"${latex}$"
    return f" \\( {latex} \\) "


def _display(formula: Display) -> str:
    tag = rf" \tag{{{formula.number}}}" if formula.number else ""
    latex = " ".join(formula.latex.split())
    return f"$${latex}{tag}$$" if "$" not in latex else f"\\[ {latex}{tag} \\]"


def _begun(line: str) -> str:
    """A line that does not begin as a heading, a list, a quotation or a definition would."""
    line = _DEFINITION.sub(r"\1&#58;", line)
    if number := _NUMBERED.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _AT_BEGIN.match(line) else line


# tables -----------------------------------------------------------------------------------------


def _is_plain(grid: Table, header_rows: int) -> bool:
    """Whether a table can be set with pipes: one row of heads, and no cell that spans."""
    spanless = all(cell.row_span == cell.column_span == 1 for cell in grid.cells)
    return spanless and header_rows == 1 and grid.rows > 1 and grid.columns > 1


def _pipes(grid: Table) -> str:
    rows = [[""] * grid.columns for _ in range(grid.rows)]
    for cell in grid.cells:
        rows[cell.row][cell.column] = _cell(cell).replace("|", r"\|")
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * grid.columns, *lines[1:]])


def _cell(cell: Cell) -> str:
    pieces = []
    for run in cell_runs(cell.text):
        words = f" \\( {run.latex} \\) " if run.latex else escaped(run.words)
        pieces.append(f"<{run.script}>{words}</{run.script}>" if run.script else words)
    return "".join(pieces).strip()


def _html(grid: Table, header_rows: int) -> str:
    """A table of HTML without an empty line, which would end it."""
    out = Markup()
    with out.tag("table"):
        for row in range(grid.rows):
            out.say("\n")
            with out.tag("tr"):
                for cell in (one for one in grid.cells if one.row == row):
                    spans = {"rowspan": cell.row_span, "colspan": cell.column_span}
                    with out.tag("th" if row < header_rows else "td", **{k: str(n) for k, n in spans.items() if n > 1}):
                        _html_runs(out, cell_runs(cell.text))
        out.say("\n")
    return out.html()


def _html_runs(out: Markup, runs: Iterable[Run]) -> None:
    for run in runs:
        words = f" \\( {run.latex} \\) " if run.latex else " ".join(run.words.split("\n"))
        if run.script:
            with out.tag(run.script):
                out.say(words)
        else:
            out.say(words)
