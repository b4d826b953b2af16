"""Links inside a PDF: their characters, and their targets in the paper.

LaTeX names what links lead to (`cite.knuth84`, `figure.2`); a publisher's program gives a page and a height. Both are
evidence of the file itself, and say more than any rule about what a call-out means.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import pypdfium2
import pypdfium2.raw as c

from kag.sources.draft import Draft, Target
from kag.sources.pdf.file.content import PageContent, Rect, Word
from kag.sources.pdf.file.render import PdfPages

MAX_LINKS = 5_000
"""Links of a page that are looked at."""
_ABOVE, _BELOW = 14.0, 30.0  # points that a link may lead above and below the first line of what it means
_SLACK = 2.5
_LEADS = 16.0  # a link may lead so far above a text: what ends there is not meant
_WELL_INSIDE = 1.0


@dataclass(frozen=True, slots=True)
class PdfLink:
    """A link: its rectangle on a page, and the page and point (from the top, None: unknown) that it leads to."""

    page: int
    rect: Rect
    to_page: int
    x: float | None
    y: float | None


@dataclass(frozen=True, slots=True)
class Made:
    """A draft, where those of its words begin in its text that a link may cover, and the rectangles of its first line
    and of its first box on its page.
    """

    draft: Draft
    starts: tuple[tuple[Word, int], ...] = ()
    first: Rect | None = None
    whole: Rect | None = None


def read_links(pdf: PdfPages, page: pypdfium2.PdfPage, number: int) -> Iterator[PdfLink]:
    """The links of an open page that lead to places inside of the file; points are still counted from the foot."""
    document = pdf.document.raw
    position, link, rect = ctypes.c_int(0), c.FPDF_LINK(), c.FS_RECTF()
    left, _, _, top = page.get_bbox()
    for _ in range(MAX_LINKS):
        if not c.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            return
        dest = c.FPDFLink_GetDest(document, link)
        if not dest:
            action = c.FPDFLink_GetAction(link)
            if not action or c.FPDFAction_GetType(action) != c.PDFACTION_GOTO:
                continue
            dest = c.FPDFAction_GetDest(document, action)
        if not dest or not c.FPDFLink_GetAnnotRect(link, ctypes.byref(rect)):
            continue
        index = c.FPDFDest_GetDestPageIndex(document, dest)
        if not 0 <= index < pdf.count:
            continue
        box = Rect(rect.left - left, top - rect.top, rect.right - left, top - rect.bottom)
        yield PdfLink(number, box, index + 1, *_point(dest))


def from_the_top(links: Iterable[PdfLink], pages: Sequence[PageContent]) -> list[PdfLink]:
    """Links as `read_links` gives them, with points counted from the top; those on turned pages are left out.

    There, places are the sheet's and words the turned one's.
    """
    return [
        link if link.y is None else replace(link, y=pages[link.to_page - 1].height - link.y)
        for link in links
        if pages[link.page - 1].words and not pages[link.page - 1].quarter
    ]


def linkable(words: Iterable[Word], links: Sequence[PdfLink]) -> tuple[Word, ...]:
    """The words of a page; only those that a link may cover keep the edges of their letters."""
    rects = [(r.x0, r.x1, r.y0 - 1, r.y1 + 1) for r in (link.rect for link in links)]
    heights = {y for _, _, top, foot in rects for y in range(math.floor(top), math.ceil(foot) + 1)}

    def covered(word: Word) -> bool:
        middle = (word.y0 + word.y1) / 2
        return int(middle) in heights and any(
            x0 <= word.x1 and word.x0 <= x1 and top <= middle <= foot for x0, x1, top, foot in rects
        )

    return tuple(word if covered(word) else Word(*word[:-1], ()) for word in words)


def _point(dest: object) -> tuple[float | None, float | None]:
    has_x, has_y, has_zoom = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    x, y, zoom = ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    known = c.FPDFDest_GetLocationInPage(dest, *(ctypes.byref(value) for value in (has_x, has_y, has_zoom, x, y, zoom)))
    if known and has_y.value:
        return (x.value if has_x.value else None), y.value
    view = (ctypes.c_float * 4)()
    count = ctypes.c_ulong()
    mode = c.FPDFDest_GetView(dest, ctypes.byref(count), view)
    if mode == c.PDFDEST_VIEW_FITR and count.value >= 4:
        return view[0], view[3]
    if mode in (c.PDFDEST_VIEW_FITH, c.PDFDEST_VIEW_FITBH) and count.value >= 1:
        return None, view[0]
    return None, None


def linked(made: Sequence[Made], links: Sequence[PdfLink]) -> list[Draft]:
    """The drafts with the links whose characters and targets are found among them."""
    drafts = [one.draft for one in made]
    words = _Words(made)
    meant: dict[int, list[int]] = {}
    for n, one in enumerate(made):
        if one.first is not None and one.draft.label in _MEANT:
            meant.setdefault(one.draft.page, []).append(n)
    for link in links:
        place = _target(made, meant.get(link.to_page, ()), link)
        if place is None:
            continue
        for n, start, end in words.under(link):
            if n == place:
                continue
            key = drafts[place].key or f"d{place}"
            drafts[place] = replace(drafts[place], key=key)
            drafts[n] = replace(drafts[n], targets=(*drafts[n].targets, Target(start, end, key)))
    return [replace(draft, targets=_whole(draft)) if draft.targets else draft for draft in drafts]


def _whole(draft: Draft) -> tuple[Target, ...]:
    """The links of a draft, with parts of one put together: "Hale et al." and "(2010" lead to one place."""
    found: list[Target] = []
    for target in sorted(set(draft.targets), key=lambda one: (one.start, one.end)):
        last = found[-1] if found else None
        between = draft.text[last.end : target.start] if last else ""
        if last and last.key == target.key and len(between) <= 3 and not any(map(str.isalnum, between)):
            found[-1] = Target(last.start, max(last.end, target.end), last.key)
        elif not last or target.start >= last.end:
            found.append(target)
    return tuple(found)


class _Words:
    """The words of drafts by page, to be found by place."""

    def __init__(self, made: Sequence[Made]) -> None:
        self.pages: dict[int, list[tuple[Word, int, int]]] = {}
        for n, one in enumerate(made):
            for word, at in one.starts:
                self.pages.setdefault(one.draft.page, []).append((word, n, at))
        for listed in self.pages.values():
            listed.sort(key=lambda row: row[0].base)

    def under(self, link: PdfLink) -> Iterator[tuple[int, int, int]]:
        """Draft and characters of the text that a link's rectangle covers, joined where they follow each other."""
        spans: dict[int, tuple[int, int]] = {}
        for word, n, at in self.pages.get(link.page, ()):
            middle = (word.y0 + word.y1) / 2
            if not link.rect.y0 - 1 <= middle <= link.rect.y1 + 1:
                continue
            edges = (*word.edges, word.x1)
            inside = [k for k in range(len(word.text)) if link.rect.x0 <= (edges[k] + edges[k + 1]) / 2 <= link.rect.x1]
            if inside:
                start, end = spans.get(n, (at + inside[0], at + inside[-1] + 1))
                spans[n] = min(start, at + inside[0]), max(end, at + inside[-1] + 1)
        for n, (start, end) in spans.items():
            yield n, start, end


def _target(made: Sequence[Made], places: Iterable[int], link: PdfLink) -> int | None:
    """Return the draft at `places` that a link leads to: the one that begins nearest below its point, in its column."""
    if link.y is None:
        return None
    best: tuple[float, int] | None = None
    for n in places:
        one = made[n]
        if one.first is None:
            continue
        gap = one.first.y0 - link.y
        whole = one.whole or one.first
        if link.x is not None and not whole.x0 - 40 <= link.x <= whole.x1 + 5:
            continue
        if _is_float(one):
            inside = whole.y0 - _ABOVE <= link.y <= whole.y1 + _ABOVE
            distance = abs(gap) * (0.5 if inside else 1.0)
            if whole.y0 <= link.y <= whole.y1 - _LEADS:
                distance = min(distance, _WELL_INSIDE)  # more than what begins below it
        else:
            distance = gap if gap >= -_SLACK else _BELOW - gap  # links lead above what they mean
        if -_ABOVE - one.first.height <= gap <= _BELOW and (best is None or distance < best[0]):
            best = distance, n
    return best[1] if best else None


_MEANT = frozenset({"reference", "sub_title", "image", "table", "figure_title", "table_title", "equation", "text"})


def _is_float(made: Made) -> bool:
    return made.draft.label in ("image", "table", "figure_title", "table_title")
