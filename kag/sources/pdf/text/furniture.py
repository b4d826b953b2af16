"""Running heads, page numbers and what else stands in the margins of page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace

from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.file.drawing import Drawn
from kag.sources.pdf.text.lines import Line

MARGIN = 0.12  # of the page's height
_SAME_PLACE = 4.0  # points
_APART = 1.7  # type sizes between the number of a page and its text at least
_COUNTED = 3  # numbers in a row that are those of pages
_CAPTION = re.compile(
    r"(?:(?:supplementary|continued)\s)?(?:fig(?:ure|\.)?|table|tab\.|tabla|figura|abb\.|scheme|box)\s*S?\d", re.I
)
_DIGITS = re.compile(r"\d+|\b[ivxl]+\b", re.I)
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page|pag\.?|página|seite|p\.)?\s*(?:\d{1,5}|[ivxl]{1,6})\s*(?:(?:of|/|de|von)\s*\d{1,5})?\W{0,3}", re.I
)


def find_furniture(pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]) -> dict[Line, str]:
    """The lines that are no part of the text, with their label: "page_header", "page_footer" or "page_number".

    A line is one where the same words, but for numbers, stand at the same height on other pages; or a lone page number.
    """
    places: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for page, found in zip(pages, lines, strict=True):
        for line in found:
            if _in_margin(line, page) and not _CAPTION.match(line.text):
                places[_masked(line)].append((line.rect.y0, page.number))
    labels: dict[Line, str] = _heads_of_sections(pages, lines) | _counted(pages, lines)
    for page, found in zip(pages, lines, strict=True):
        edge = [line for line in found if _in_margin(line, page) and not _CAPTION.match(line.text)]
        for line in edge:
            others = {n for y, n in places[_masked(line)] if n != page.number and abs(y - line.rect.y0) < _SAME_PLACE}
            if _PAGE_NUMBER.fullmatch(line.text) and (others or _outermost(line, found)):
                labels[line] = "page_number"
            elif len(_masked(line)) > 1 and (
                (others and len(others) >= min(2, len(pages) - 1)) or _alternates(line, found, page, others)
            ):
                labels[line] = "page_header" if line.rect.y0 < page.height / 2 else "page_footer"
        # What stands on one line with a running head belongs to it: the number of the page, the name of the section.
        for line in edge:
            if line not in labels and any(_beside(line, other) for other in edge if other in labels):
                labels[line] = "page_header" if line.rect.y0 < page.height / 2 else "page_footer"
    return labels


def _alternates(line: Line, found: Sequence[Line], page: PageContent, others: Set[int]) -> bool:
    """Whether a page's outermost line is that of another left page, or of another right one."""
    return bool(others) and _outermost(line, found) and all((n - page.number) % 2 == 0 for n in others)


def _heads_of_sections(pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]) -> dict[Line, str]:
    """First lines of pages that stand at one height in a type of their own: they name the section, and so differ."""
    tops = [min(found, key=lambda line: line.rect.y0) for found in lines if found]
    inner = {(line.size, line.font) for found in lines for line in found if len(line.text) > 40}
    labels: dict[Line, str] = {}
    for line in tops:
        alike = [top for top in tops if abs(top.base - line.base) < _SAME_PLACE and top.font == line.font]
        own = (line.size, line.font) not in inner or line.text.isupper()
        if len(alike) >= max(4, 0.2 * len(pages)) and own and line.rect.y1 < MARGIN * pages[0].height:
            labels[line] = "page_header"
    return labels


def _counted(pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]) -> dict[Line, str]:
    """Lone numbers at the edge of the text that count the pages at one height, however wide the margin is."""
    found: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for page, own in zip(pages, lines, strict=True):
        for line in own:
            if line.text.isdecimal() and len(line.text) < 6 and _outermost(line, own):
                found[int(line.text) - page.number, round(line.base / _SAME_PLACE)].append(line)
    return {
        line: "page_number"
        for alike in found.values()
        if len(alike) >= _COUNTED or (len(alike) == len(pages) == _COUNTED - 1 and _is_aligned(alike, lines))
        for line in alike
    }


def _is_aligned(numbers: Sequence[Line], lines: Sequence[Sequence[Line]]) -> bool:
    """Whether numbers stand below each other from page to page, each apart from the text of its page."""
    middles = [line.rect.x0 + line.rect.x1 for line in numbers]
    apart = all(
        min((abs(line.base - other.base) for other in own if other is not line), default=100.0) > _APART * line.size
        for line, own in zip(numbers, lines, strict=True)
    )
    return max(middles) - min(middles) < _SAME_PLACE and apart


def _in_margin(line: Line, page: PageContent) -> bool:
    return line.rect.y1 < MARGIN * page.height or line.rect.y0 > (1 - MARGIN) * page.height


def _masked(line: Line) -> str:
    return _DIGITS.sub("0", " ".join(line.text.split())).casefold()


def _outermost(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is the first or the last of its page."""
    tops, bottoms = min(one.rect.y0 for one in lines), max(one.rect.y1 for one in lines)
    return line.rect.y0 <= tops + 2 or line.rect.y1 >= bottoms - 2


def _beside(line: Line, other: Line) -> bool:
    return abs(line.base - other.base) < 2.0 and len(line.text) < 120


def without_ornaments(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages without what is drawn on the same place in the margins of several: rules, logos, coloured bars."""
    count = Counter(key for page in pages for key in {_place(made, page) for made in page.drawn})
    often = max(3, 0.3 * len(pages))
    return [
        replace(
            page,
            drawn=tuple(made for made in page.drawn if not (_aside(made, page) and count[_place(made, page)] >= often)),
        )
        for page in pages
    ]


def _place(made: Drawn, page: PageContent) -> tuple[int, ...]:
    """Where something is drawn, to two points; on left and right pages it may be mirrored."""
    middle = abs((made.x0 + made.x1) / 2 - page.width / 2)
    return tuple(round(value / 2) for value in (middle, made.y0, made.x1 - made.x0, made.y1 - made.y0))


def _aside(made: Drawn, page: PageContent) -> bool:
    return made.y1 < MARGIN * page.height or made.y0 > (1 - MARGIN) * page.height
