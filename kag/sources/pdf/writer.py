"""Content of a PDF's pages, written as drafts: headings, paragraphs, entries, floats, running heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from kag.core.types import Box
from kag.sources.draft import Draft
from kag.sources.pdf.file.content import PageContent, Rect, Word
from kag.sources.pdf.file.links import Made
from kag.sources.pdf.floats.regions import Region
from kag.sources.pdf.text.compose import compose
from kag.sources.pdf.text.entries import Piece
from kag.sources.pdf.text.flow import Flow
from kag.sources.pdf.text.front import FrontMatter
from kag.sources.pdf.text.headings import find_headings
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.paper_title import find_title, front_end
from kag.sources.pdf.text.reference_lists import find_reference_lists
from kag.sources.pdf.text.titles import depth_of, is_abstract, is_part_of_text
from kag.sources.pdf.text.typography import Level, OutlineEntry, Paragraph, Type, is_footnote, is_formula, is_numbered
from kag.sources.tables import table_lines


class Writer:
    """Writes drafts; knows the pages, and the words by which cut ones are healed."""

    def __init__(self, pages: Sequence[PageContent], known: Set[str]) -> None:
        self.pages = {page.number: page for page in pages}
        self.known = known

    def furniture(self, lines: Sequence[Sequence[Line]], labels: Mapping[Line, str]) -> Iterator[Made]:
        """Running heads and page numbers."""
        for page, found in enumerate(lines, start=1):
            for line in found:
                if line in labels:
                    yield self._draft(page, labels[line], [line])

    def line_numbers(self, numbers: Mapping[int, Sequence[Sequence[Word]]]) -> Iterator[Made]:
        """The numbers of lines, a draft for each strip of a page."""
        for page, strips in numbers.items():
            for words in strips:
                box = box_of([Rect(word.x0, word.y0, word.x1, word.y1) for word in words], self.pages[page])
                yield Made(Draft(page, "line_number", " ".join(word.text for word in words), (box,)))

    def contents(self, lines: Sequence[Sequence[Line]], listed: Set[Line]) -> Iterator[Made]:
        """Printed tables of contents and lists of figures, a draft for each page."""
        for page, found in enumerate(lines, start=1):
            if own := [line for line in found if line in listed]:
                yield self._draft(page, "contents", own)

    def turned(self, pages: Sequence[PageContent]) -> Iterator[Made]:
        """Return text that does not run from left to right: stamps in the margin, the axes of plots, rotated tables."""
        for page in pages:
            if page.turned:
                yield self._bare(page, "aside_text", page.turned)

    def concealed(self, pages: Sequence[PageContent]) -> Iterator[Made]:
        """Return invisible text."""
        for page in pages:
            if page.concealed:
                yield self._bare(page, "hidden_text", page.concealed)

    def _bare(self, page: PageContent, label: str, words: Sequence[Word]) -> Made:
        """A draft of words that are set in no lines."""
        text = "".join((" " if word.spaced and n else "") + word.text for n, word in enumerate(words))
        box = box_of([Rect(word.x0, word.y0, word.x1, word.y1) for word in words], page)
        return Made(Draft(page.number, label, text, (box,)))

    def parts(
        self, flow: Flow, front: FrontMatter, body: Type, outline: Sequence[OutlineEntry], metadata_title: str
    ) -> Iterator[Made]:
        """Paragraphs, headings and floats in reading order."""
        places = [n for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in flow.labels]
        sets = [part for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in flow.labels]
        title = find_title(sets, metadata_title)
        begin = front_end(sets, title, body, front)
        ranked = find_headings(sets, body, outline, begin)
        notes = _notes(sets, begin, title, front)
        levels = {places[n]: level for n, level in ranked.items() if n not in notes and not is_formula(sets[n])}
        levels |= _run_in_levels(flow, set(levels))
        titled = [places[n] for n in title]
        text = places[begin] if begin < len(places) else len(flow.parts)
        later = {before: n for n, before in flow.goes_on.items()}
        joined: set[int] = set()
        listed = self._lists(flow, set(levels) | set(titled), body)
        joined |= {n for span in listed.values() for n in span[0]}
        for n, part in enumerate(flow.parts):
            if n in listed:
                yield from listed[n][1]
            if n in joined or n in titled[1:]:
                continue
            if not isinstance(part, Paragraph):
                yield from self._float(n, *part)
            elif n in titled:
                whole = [line for place in titled for line in flow.parts[place].lines]  # type: ignore[union-attr]
                yield _set(self._draft(part.page, "title", whole), level=1, ground="size")
            elif n in levels:
                heading = self._draft(part.page, "sub_title", part.lines)
                yield _set(heading, level=levels[n].level, ground=levels[n].ground)
            else:
                groups = [part.lines]
                end = n
                for m in self._pieces(flow, n):
                    groups.append(flow.parts[m].lines)  # type: ignore[union-attr]
                    joined.add(m)
                while end in later and flow.parts[later[end]].page == part.page and later[end] not in levels:  # type: ignore[union-attr]
                    end = later[end]
                    groups.append(flow.parts[end].lines)  # type: ignore[union-attr]
                    joined.add(end)
                label = self._label(part, body, front.notes if n < text else frozenset())
                draft = self._draft(part.page, label, *groups)
                before = flow.goes_on.get(n)
                yield _set(draft, key=f"p{end}", continues="" if before is None else f"p{before}")

    def _pieces(self, flow: Flow, start: int) -> Iterator[int]:
        """The parts of a formula that is set in several lines, up to the one with its number."""
        for n in range(start, len(flow.parts) - 1):
            part, after = flow.parts[n], flow.parts[n + 1]
            if not isinstance(part, Paragraph) or not is_formula(part) or is_numbered(part):
                return
            if not isinstance(after, Paragraph) or after.page != part.page or not is_formula(after):
                return
            if flow.columns[n] != flow.columns[n + 1]:
                return
            yield n + 1

    def _label(self, part: Paragraph, body: Type, notes: frozenset[Line] = frozenset()) -> str:
        if part.role:
            return part.role if part.role != "title" else "front_note"
        if notes.issuperset(part.lines):
            return "front_note"
        if is_formula(part):
            return "equation"
        return "page_footnote" if is_footnote(part, self.pages[part.page], body) else "text"

    def _lists(self, flow: Flow, headings: Set[int], body: Type) -> dict[int, tuple[list[int], list[Made]]]:
        """The reference lists, by their first part: the parts that they fill, their entries, and what is none."""
        found = {}
        for listed in find_reference_lists(flow, headings):
            entries = self._entry_drafts(listed.places[0], listed.pieces)
            rest = (self._draft(part.page, self._rest_label(part, body), part.lines) for part in listed.rest)
            found[listed.places[0]] = (list(listed.places), [*entries, *rest])
        return found

    def _rest_label(self, part: Paragraph, body: Type) -> str:
        return "page_number" if part.text.strip().isdecimal() else self._label(part, body)

    def _entry_drafts(self, start: int, pieces: Sequence[Piece]) -> Iterator[Made]:
        """Return a draft for each entry; a part on the next page is a draft that continues it."""
        waiting: list[Piece] = []
        count = 0
        for piece in (*pieces, None):
            if waiting and (piece is None or piece.begins or piece.page != waiting[-1].page):
                draft = self._draft(waiting[0].page, "reference", *(one.lines for one in waiting))
                before = "" if waiting[0].begins or not count else f"r{start}.{count}"
                count += 1
                yield _set(draft, key=f"r{start}.{count}", continues=before)
                waiting = []
            if piece is not None:
                waiting.append(piece)

    def _float(self, n: int, page: int, region: Region) -> Iterator[Made]:
        key = f"f{n}"
        if region.kind == "algorithm":
            yield self._draft(page, "algorithm", region.caption, region.inside)
            return
        if region.shown:
            box = box_of([region.rect], self.pages[page])
            if region.kind == "table" and region.table is not None:
                draft = Draft(page, "table", "\n".join(table_lines(region.table)), (box,), table=region.table, key=key)
            else:
                text = compose(region.inside, self.known).text if region.inside else ""
                draft = Draft(page, "image" if region.kind == "figure" else "table", text, (box,), key=key)
            yield Made(draft, first=region.rect, whole=region.rect)
        if region.caption:
            label = "figure_title" if region.kind == "figure" else "table_title"
            yield _set(self._draft(page, label, region.caption), caption_of=key)
        for line in region.notes:
            yield self._draft(page, "table_footnote", [line])

    def _draft(self, page: int, label: str, *groups: Sequence[Line]) -> Made:
        """A draft with a box for each group of lines."""
        lines = [line for group in groups for line in group]
        made = compose(lines, self.known)
        boxes = tuple(box_of([line.rect for line in group], self.pages[page]) for group in groups)
        printed = "\n".join(line.text for line in lines)  # with the hyphens that were healed
        draft = Draft(page, label, made.text, boxes, raw=printed, marks=made.marks)
        starts = tuple(start for start in made.starts if start[0].edges)
        return Made(draft, starts, lines[0].rect, around([line.rect for line in groups[0]]))


def _run_in_levels(flow: Flow, headings: Set[int]) -> dict[int, Level]:
    """Return the levels of run-in titles: by number, or below the heading of an abstract."""
    found = {}
    for n in flow.labels:
        under = any(m < n and is_abstract(flow.parts[m].text) for m in headings)  # type: ignore[union-attr]
        depth = depth_of(flow.parts[n].text)  # type: ignore[union-attr]
        found[n] = Level(depth, "number") if depth else Level(2 if under else 1, "size")
    return found


def _is_note(part: Paragraph, front: FrontMatter) -> bool:
    """Whether a paragraph before the text is a note of the front matter, and no heading: "Keywords", "Article info"."""
    is_part = is_abstract(part.text) or is_part_of_text(part.text)
    return not is_part and front.notes.issuperset(part.lines)


def _notes(sets: Sequence[Paragraph], begin: int, title: range, front: FrontMatter) -> set[int]:
    """The paragraphs before the text that are no headings: notes, and a page of highlights before that of the title."""
    before = title.start if title and sets[title.start].role == "title" else 0
    return {n for n in range(min(begin, len(sets))) if n < before or _is_note(sets[n], front)}


def _set(made: Made, **fields: Any) -> Made:
    return replace(made, draft=replace(made.draft, **fields))


def around(rects: Sequence[Rect]) -> Rect:
    """The rectangle around others."""
    return Rect(min(r.x0 for r in rects), min(r.y0 for r in rects), max(r.x1 for r in rects), max(r.y1 for r in rects))


def box_of(rects: Sequence[Rect], page: PageContent) -> Box:
    """The box around rectangles of a page, in thousandths of the page as the file shows it."""
    wide, high = page.sheet
    sides = zip(page.on_sheet(around(rects)), (wide, high, wide, high), strict=True)
    return Box(*(min(max(round(1000 * value / side), 0), 1000) for value, side in sides))
