"""`read_tei`: TEI as GROBID writes it: sections, references, links; with coordinates, where each is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.core.types import Box, Metadata
from kag.sources.boxes import Sheets
from kag.sources.draft import Draft, Parsed
from kag.sources.flow import Flow, table_draft
from kag.sources.jats.inline import Words, table_of, words_in
from kag.sources.loading import digest
from kag.sources.reading import Reading
from kag.sources.tables import stack
from kag.sources.xml import Element, attribute, child, children, load_xml, words_of

_LONGEST_TITLE = 500  # characters
_LABELS = {
    "p": "text", "item": "text", "ab": "text", "quote": "text", "epigraph": "text", "note": "footnote",
    "biblStruct": "reference", "bibl": "reference",
}  # fmt: skip


def read_tei(path: Path, reading: Reading) -> Parsed:
    """A paper from TEI; raises `SourceError`."""
    root, data = load_xml(path)
    text = next(iter(root.iter("text")), None)
    if text is None:
        raise SourceError(f"{shown(path)} holds no <text>", hint="Give a TEI file of a whole paper.")
    flow = Flow.of(path)
    for surface in root.iter("surface"):
        number = surface.get("n", "")
        if number.isdecimal():
            sides = [_number(surface.get(side, "")) for side in ("ulx", "uly", "lrx", "lry")]
            flow.sheets.size(int(number), sides[2] - sides[0], sides[3] - sides[1])
    walk = _Walk(flow.sheets)
    header = next(iter(root.iter("teiHeader")), None)
    flow.drafts = [*walk.front(header), *walk.parts(text, 1)]
    return flow.parsed("tei", digest([b"tei", data]), _metadata(header), in_points=True)


@dataclass(slots=True)
class _Walk:
    """State of reading a paper; `page` is that of the last place with one."""

    sheets: Sheets
    page: int = 1

    def front(self, header: Element | None) -> Iterator[Draft]:
        """Title, authors, affiliations, keywords and abstract; all else in the header is data."""
        if header is None:
            return
        title = _title(header)
        if title is not None:
            yield self._draft("title", title, words_in(title))
        names = ", ".join(_authors(header))
        if names:
            yield Draft(self.page, "text", names, plain=names)
        used = {title} | set(header.iter("abstract", "keywords", "affiliation"))
        for aff in _once(header.iter("affiliation")):
            yield Draft(self.page, "text", aff, plain=aff)
        for keywords in header.iter("keywords"):
            terms = [words_of(term) for term in keywords.iter("term")] or [words_of(keywords)]
            line = f"Keywords: {'; '.join(filter(None, terms))}"
            yield Draft(self.page, "text", line, plain=line)
        rest = " ".join(_words_but(header, used))
        if rest:
            yield Draft(self.page, "metadata", rest, plain=rest)
        for abstract in header.iter("abstract"):
            if words_of(abstract):
                yield Draft(self.page, "sub_title", "Abstract", level=1)
                yield from self.parts(abstract, 1)

    def parts(self, element: Element, level: int) -> Iterator[Draft]:
        """Yield the parts of an element in order."""
        yield from self._bare(element.text)
        for part in element:
            yield from self._part(part, level)
            yield from self._bare(part.tail)

    def _part(self, part: Element, level: int) -> Iterator[Draft]:
        tag = "div" if part.tag.startswith("div") else part.tag
        if tag == "head":
            yield from self._heading(part, level)
        elif tag == "figure":
            yield from self._float(part)
        elif tag == "formula":
            yield from self._formula(part)
        elif tag in _LABELS:
            yield from self._text(part)
        elif tag == "table":
            yield self._table(part, part)
        else:
            if tag == "listBibl" and len(part) and not _headed(part):
                yield Draft(self.page, "sub_title", "References", level=1)
            inside = tag == "div" and child(part.getparent(), "head") is not None
            yield from self.parts(part, level + inside)

    def _heading(self, head: Element, level: int) -> Iterator[Draft]:
        words, number = words_in(head), head.get("n", "")
        if words.text:
            whole = words.behind(number) if number and not words.text.startswith(number) else words
            yield self._draft("sub_title", head, whole, level=level)

    def _text(self, part: Element) -> Iterator[Draft]:
        words = Words(entry := _entry(part), entry) if part.tag == "biblStruct" else words_in(part)
        if words.text:
            yield self._draft(_LABELS[part.tag], part, words)

    def _bare(self, text: str | None) -> Iterator[Draft]:
        words = " ".join((text or "").split())
        if words:
            yield Draft(self.page, "text", words, plain=words)

    def _float(self, figure: Element) -> Iterator[Draft]:
        """A figure or table with its caption: GROBID sets the label into the head, or apart."""
        kind = "table" if figure.get("type") == "table" or child(figure, "table") is not None else "figure"
        head, label = words_of(child(figure, "head")), words_of(child(figure, "label"))
        lead = head or (f"{kind.capitalize()} {label}." if label else "")
        about = child(figure, "figDesc")
        words = (words_in(about) if about is not None else Words()).behind(lead)
        key = attribute(figure, "id") or f" {id(figure)}"
        caption = self._draft(f"{kind}_caption", figure, words, caption_of=key) if words.text else None
        if kind == "table":
            if caption:
                yield caption
            yield self._table(figure, figure)
        else:
            yield self._draft("image", figure, Words(), key=key)
            if caption:
                yield caption
        for note in children(figure, "note"):
            if words_of(note):
                yield self._draft("table_footnote" if kind == "table" else "footnote", note, words_in(note))

    def _table(self, element: Element, figure: Element) -> Draft:
        table = stack(table_of(one) for one in figure.iter("table"))
        page, boxes = self._place(element)
        return table_draft(page, table, boxes, attribute(figure, "id") or f" {id(figure)}")

    def _formula(self, formula: Element) -> Iterator[Draft]:
        label = words_of(child(formula, "label")).strip("() ")
        latex = words_in(formula, frozenset({"label"})).text
        if latex:
            tag = rf" \tag{{{label}}}" if label else ""
            yield self._draft("equation", formula, Words(f"\\[ {latex}{tag} \\]", latex))

    def _draft(
        self, label: str, element: Element, words: Words, *, level: int = 0, caption_of: str = "", key: str = ""
    ) -> Draft:
        page, boxes = self._place(element)
        own = key or ("" if caption_of else attribute(element, "id"))
        return Draft(page, label, words.text, boxes, plain=words.plain, level=level, key=own, caption_of=caption_of,
                     marks=words.marks, targets=words.targets)  # fmt: skip

    def _place(self, element: Element) -> tuple[int, tuple[Box, ...]]:
        """Page and boxes by the coordinates of an element, or of its sentences; those on its first page count."""
        coords = element.get("coords") or ";".join(one.get("coords", "") for one in element.iter("s"))
        rects = [rect for piece in coords.split(";") if (rect := _rect(piece))]
        if not rects:
            return self.page, ()
        self.page = max(rects[0][0], 1)
        lines = [rect for page, *rect in rects if page == rects[0][0]]
        return self.page, tuple(box for area in _areas(lines) for box in self.sheets.boxes(self.page, area))


def _rect(piece: str) -> tuple[int, float, float, float, float] | None:
    """`page,x,y,width,height` as page and sides."""
    numbers = [_number(one) for one in piece.split(",")]
    if len(numbers) != 5 or any(number != number for number in numbers):
        return None
    page, x, y, wide, high = numbers
    return int(page), x, y, x + wide, y + high


def _number(text: str) -> float:
    try:
        return float(text) if len(text) < 30 else float("nan")
    except ValueError:
        return float("nan")


def _areas(lines: list[list[float]]) -> list[list[float]]:
    """Lines one below the other as one area each: a text that goes on in the next column has two."""
    areas: list[list[float]] = []
    for line in lines:
        last = areas[-1] if areas else None
        if last and line[0] < last[2] and line[2] > last[0] and line[1] >= last[1] - 2:
            areas[-1] = [min(last[0], line[0]), min(last[1], line[1]), max(last[2], line[2]), max(last[3], line[3])]
        else:
            areas.append(list(line))
    return areas


def _headed(part: Element) -> bool:
    return any(one.tag == "head" for one in (*part, *part.getparent()))


def _title(header: Element) -> Element | None:
    listed = [one for one in header.iter("title") if words_of(one)]
    return next((one for one in listed if one.get("type") == "main"), listed[0] if listed else None)


def _authors(header: Element) -> Iterator[str]:
    analytic = next(iter(header.iter("analytic")), None)
    for author in (header if analytic is None else analytic).iter("author"):
        name = child(author, "persName")
        words = _name(name) if name is not None else ""
        if words:
            yield words


def _name(name: Element, *, family_first: bool = False) -> str:
    given = " ".join(words_of(one) for one in children(name, "forename"))
    family = words_of(child(name, "surname"))
    pieces = [family, "".join(word[0] for word in given.split())] if family_first else [given, family]
    return " ".join(filter(None, pieces)) or words_of(name)


def _once(elements: Iterable[Element]) -> list[str]:
    """The words of elements, their parts between commas, each text once."""
    lines = (
        ", ".join(words_of(part) for part in element if words_of(part)) or words_of(element) for element in elements
    )
    return list(dict.fromkeys(filter(None, lines)))


def _words_but(element: Element, used: set[Element | None]) -> Iterator[str]:
    """The words of an element, those of some parts left out."""
    if element in used:
        return
    if words := " ".join((element.text or "").split()):
        yield words
    for part in element:
        yield from _words_but(part, used)
        if words := " ".join((part.tail or "").split()):
            yield words


def _entry(entry: Element) -> str:
    """A reference as printed, where GROBID kept that; else its fields in the order of the author-year styles."""
    raw = next((one for one in children(entry, "note") if one.get("type") == "raw_reference"), None)
    if raw is not None and words_of(raw):
        titles = (words_of(one) for one in entry.iter("title"))
        return reduce(_with_whole_title, titles, words_of(raw))
    names = [name for name in (_name(one, family_first=True) for one in entry.iter("persName")) if name]
    year = next((one.get("when", "")[:4] or words_of(one) for one in entry.iter("date")), "")
    listed = list(dict.fromkeys(words_of(one) for one in entry.iter("title") if words_of(one)))
    scopes = {one.get("unit", ""): words_of(one) or _range(one) for one in entry.iter("biblScope")}
    volume = scopes.get("volume", "") + (f"({scopes['issue']})" if scopes.get("issue") else "")
    place = ":".join(filter(None, (volume, scopes.get("page", ""))))
    rest = [words_of(one) for tag in ("publisher", "pubPlace", "meeting") for one in entry.iter(tag)]
    ids = [f"doi:{words_of(one)}" if one.get("type") == "DOI" else words_of(one) for one in entry.iter("idno")]
    notes = [words_of(one) for one in entry.iter("note", "ptr")]
    people = f"{', '.join(names)} ({year})" if names and year else ", ".join(names) or year
    source = " ".join(filter(None, (*listed[1:], place)))
    pieces = [people, *listed[:1], source, *rest, *ids, *notes]
    return " ".join(piece if piece.endswith((".", "?", "!")) else f"{piece}." for piece in pieces if piece)


def _with_whole_title(printed: str, title: str) -> str:
    """Return a printed reference with its title restored from the record, where line ends cut words.

    >>> _with_whole_title("Hill. Intru- sive nets. 2001.", "Intrusive nets")
    'Hill. Intrusive nets. 2001.'
    """
    if not 0 < len(title) < _LONGEST_TITLE or "- " not in printed or title in printed:
        return printed
    pattern = "".join(rf"{re.escape(char)}(?:-\s)?" if char.isalpha() else re.escape(char) for char in title)
    return re.sub(pattern.replace("\\ ", r"\s"), lambda _: title, printed, count=1)


def _range(scope: Element) -> str:
    return "–".join(filter(None, (scope.get("from", ""), scope.get("to", ""))))


def _metadata(header: Element | None) -> Metadata:
    """Return the header's metadata; a program wrote it, so it is not trusted like a publisher's."""
    if header is None:
        return Metadata()
    title, source = _title(header), next(iter(header.iter("sourceDesc")), None)
    ids = {one.get("type", "").lower(): words_of(one) for one in (() if source is None else source.iter("idno"))}
    dates = [one.get("when", "")[:4] for one in header.iter("date") if one.get("type") == "published"]
    journal = next((one for one in header.iter("title") if one.get("level") == "j"), None)
    return Metadata(
        words_of(title), tuple(_authors(header)), next(iter(dates), ""), ids.get("doi", ""), ids.get("arxiv", ""),
        words_of(journal), attribute(header, "lang"),
    )  # fmt: skip
