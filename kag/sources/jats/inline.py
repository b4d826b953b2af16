"""Running text and tables of JATS and TEI: words with the runs that are set apart, raised, lowered or linked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from kag.core.types import Mark, Table
from kag.sources.draft import Target
from kag.sources.jats.mathml import latex_of
from kag.sources.tables import Loose, lay_out
from kag.sources.xml import Element, attribute, child, words_of
from kag.text.plain import plain

_MARKS: dict[str, Literal["bold", "italic", "monospace"]] = {
    "bold": "bold", "italic": "italic", "monospace": "monospace", "code": "monospace", "hi": "italic",
}  # fmt: skip
_SCRIPTS = {"sup": "^", "sub": "_"}
_NOT_PRINTED = frozenset({"object-id", "graphic", "inline-graphic", "private-char", "media", "index-term"})
_STOPS = tuple(",.;:)")  # no blank stands before these
_FORMULAS = frozenset({"inline-formula", "disp-formula", "math", "tex-math", "formula"})
_BREAKS = frozenset(
    {"break", "p", "title", "label", "list-item", "td", "th", "tr", "name", "string-name", "head", "lb", "term", "def"}
)


@dataclass(frozen=True, slots=True)
class Words:
    """A running text: `text` keeps LaTeX, `plain` is for people; marks and targets are places in `text`."""

    text: str = ""
    plain: str = ""
    marks: tuple[Mark, ...] = ()
    targets: tuple[Target, ...] = ()

    def behind(self, lead: str) -> Words:
        """The same behind some words and a blank."""
        if not lead or not self.text:
            return self if not lead else Words(lead, lead)
        by = len(lead) + 1
        marks = (Mark(mark.start + by, mark.end + by, mark.kind) for mark in self.marks)
        targets = (Target(target.start + by, target.end + by, target.key, target.at) for target in self.targets)
        return Words(f"{lead} {self.text}", f"{lead} {self.plain}", tuple(marks), tuple(targets))


@dataclass(slots=True)
class Flow:
    """Words as they come; blanks are put together while they are written, so that places are true at once."""

    pieces: list[str] = field(default_factory=list)
    plains: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    length: int = 0
    blank: bool = True  # whether what was written last is one, or nothing was

    def write(self, text: str) -> None:
        """Add words of running text."""
        words = " ".join(text.split())
        if text[:1].isspace() or not words:
            words = f" {words}" if words or text else ""
        if words.strip() and text[-1:].isspace():
            words += " "
        if self.blank:
            words = words.lstrip(" ")
        if words:
            self._put(words, words)
            self.blank = words.endswith(" ")

    def formula(self, latex: str) -> None:
        """Add a formula with one blank on each side, as OCR sets it."""
        if latex.strip():
            whole = f" \\( {' '.join(latex.split())} \\) "
            self._put(whole, plain(whole))
            self.blank = False

    def _put(self, text: str, words: str) -> None:
        self.pieces.append(text)
        self.plains.append(words)
        self.length += len(text)

    def done(self) -> Words:
        """Return the text without surrounding blanks."""
        whole = "".join(self.pieces)
        text = whole.strip()
        cut = len(whole) - len(whole.lstrip())

        def at(place: int) -> int:
            return min(max(place - cut, 0), len(text))

        marks = (Mark(at(m.start), at(m.end), m.kind) for m in self.marks)
        targets = (Target(at(t.start), at(t.end), t.key, t.at) for t in self.targets)
        return Words(
            text,
            " ".join("".join(self.plains).split()),
            tuple(mark for mark in marks if mark.end > mark.start),
            tuple(target for target in targets if target.end > target.start),
        )


def words_in(element: Element, without: frozenset[str] = frozenset()) -> Words:
    """The running text of an element, but for children with some names."""
    flow = Flow()
    write(element, flow, lambda one: one.tag not in without)
    return flow.done()


def _any(part: Element) -> bool:
    return True


def write(element: Element, flow: Flow, wanted: Callable[[Element], bool] = _any) -> None:
    """Write an element's text and that of its children which are wanted."""
    flow.write(element.text or "")
    for part in element:
        if wanted(part):
            write_part(part, flow, wanted)
        flow.write(part.tail or "")


def write_part(part: Element, flow: Flow, wanted: Callable[[Element], bool] = _any) -> None:
    """Write an element of running text."""
    tag, start = part.tag, flow.length
    if tag in _NOT_PRINTED:
        return
    if tag in _FORMULAS:
        flow.formula(formula_of(part))
    elif tag in _SCRIPTS:
        _write_script(part, flow)
    else:
        write(part, flow, wanted)
    if tag in _MARKS:
        flow.marks.append(Mark(start, flow.length, _MARKS[tag]))
    if tag in ("xref", "ref"):
        flow.targets += (Target(start, flow.length, key) for key in keys_of(part))
    if tag in _BREAKS and (part.tail or "")[:1] not in _STOPS:
        flow.write(" ")


def _write_script(part: Element, flow: Flow) -> None:
    """A raised or lowered text; what it links to is linked from the whole of it, or from its own words."""
    inner = words_in(part)
    if not inner.text:
        return
    start = flow.length
    lead = f" \\( {_SCRIPTS[part.tag]}{{"
    body = inner.text.replace("\\(", "").replace("\\)", "")
    flow.formula(f"{_SCRIPTS[part.tag]}{{{body}}}")
    at = start + len(lead) if body == inner.text else None
    for target in inner.targets:
        span = (at + target.start, at + target.end) if at is not None else (start, flow.length)
        flow.targets.append(Target(*span, target.key))


def keys_of(part: Element) -> Iterator[str]:
    """Return the targets of a link: `rid` may name several, `target` is TEI's."""
    yield from attribute(part, "rid").split()
    target = attribute(part, "target")
    if target.startswith("#"):
        yield target[1:]


def formula_of(element: Element) -> str:
    """A formula in LaTeX: as the publisher wrote it in TeX, else from MathML, else its words."""
    tex = next(iter(element.iter("tex-math")), None)
    if tex is not None:
        return _bare_tex(words_of(tex))
    math = element if element.tag == "math" else next(iter(element.iter("math")), None)
    if math is not None:
        return latex_of(math)
    inner = Flow()
    label = child(element, "label")
    write(element, inner, lambda one: one is not label)
    return inner.done().text.replace("\\(", "").replace("\\)", "")


def _bare_tex(tex: str) -> str:
    """The formula of a whole TeX document, which some publishers write for each, without its delimiters."""
    body = tex.partition("\\begin{document}")[2].partition("\\end{document}")[0] or tex
    return body.strip().strip("$").removeprefix("\\[").removesuffix("\\]").strip()


_MOST = 1000  # rows or columns that a cell may claim


def table_of(element: Element) -> Table:
    """The cells of a `<table>`; tables within a cell are its words."""
    return lay_out(list(_cells(row)) for row in _rows(element))


def _rows(element: Element) -> Iterator[Element]:
    for part in element:
        if part.tag in ("tr", "row"):
            yield part
        elif part.tag in ("thead", "tbody", "tfoot", "tgroup"):
            yield from _rows(part)


def _cells(row: Element) -> Iterator[Loose]:
    head = row.getparent().tag == "thead" or row.get("role") == "label"
    for cell in row:
        if cell.tag in ("td", "th", "cell", "entry"):
            height, width = (_span(cell, *names) for names in (("rowspan", "rows"), ("colspan", "cols")))
            header = head or cell.tag == "th" or cell.get("role") == "label"
            yield Loose(words_in(cell).text, height, width, header)


def _span(cell: Element, *names: str) -> int:
    value = next((cell.get(name) for name in names if cell.get(name)), "1")
    return min(max(int(value), 1), _MOST) if value.isascii() and value.isdigit() and len(value) < 7 else 1
