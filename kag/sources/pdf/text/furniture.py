"""What is no part of the text: running heads, page numbers, ornaments, and printed tables of contents and lists."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.file.drawing import Drawn
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import depth_of
from kag.sources.pdf.text.typography import OutlineEntry
from kag.text.section_titles import bare

MARGIN = 0.12  # of the page's height
_SAME_PLACE = 4.0  # points
_SAME_BASE = 2.0  # points
_SMALLER = 0.9  # points by which small print is smaller than the text
_APART = 1.7  # type sizes between the number of a page and its text at least
_COUNTED = 3  # numbers in a row that are those of pages
_CAPTION = re.compile(
    r"(?:(?:supplementary|continued)\s)?(?:fig(?:ure|\.)?|table|tab\.|tabla|figura|abb\.|scheme|box)\s*(?:S?\d|[IVX]+\b)",
    re.I,
)
_DIGITS = re.compile(r"\d+|\b[ivxl]+\b", re.I)
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page|pag\.?|página|seite|p\.)?\s*(?:\d{1,5}|[ivxl]{1,6})\s*(?:(?:of|/|de|von)\s*\d{1,5})?\W{0,3}", re.I
)


def find_furniture(pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]) -> dict[Line, str]:
    """Return the lines outside the text with their label: "page_header", "page_footer" or "page_number".

    A line is one where the same words, but for numbers, stand at the same height on other pages; or a lone page number.
    One other page is enough for small print beyond the text, which need not have its words: a first page has its own.
    """
    places: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for page, found in zip(pages, lines, strict=True):
        for line in _edge(page, found):
            places[_masked(line)].append((line.rect.y0, page.number))
    labels: dict[Line, str] = _counted(pages, lines)
    enough = max(1, min(2, len(pages) - 1))
    for page, found in zip(pages, lines, strict=True):
        edge = _edge(page, found)
        for line in edge:
            others = {n for y, n in places[_masked(line)] if n != page.number and abs(y - line.rect.y0) < _SAME_PLACE}
            if _PAGE_NUMBER.fullmatch(line.text) and (others or (_outermost(line, found) and not _in_row(line, found))):
                labels[line] = "page_number"
            elif len(_masked(line)) > 1 and (len(others) >= enough or (others and _is_small(line, found))):
                labels[line] = _side(line, page)
        # What stands on one line with a running head belongs to it: the number of the page, the name of the section.
        for line in edge:
            if line not in labels and any(_beside(line, other) for other in edge if other in labels):
                labels[line] = _side(line, page)
    return labels | _of_other_words(pages, lines, labels)


def _of_other_words(
    pages: Sequence[PageContent], lines: Sequence[Sequence[Line]], labels: Mapping[Line, str]
) -> dict[Line, str]:
    """Small print beyond the text at the height of what is furniture on another page."""
    heights = [line.base for line in labels]
    return {
        line: _side(line, page)
        for page, found in zip(pages, lines, strict=True)
        for line in _edge(page, found)
        if line not in labels and _is_small(line, found)
        if any(abs(line.base - height) < _SAME_PLACE for height in heights)
    }


def _is_small(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line beyond the text of its page is set smaller than that, and stands apart from it."""
    smaller = line.size < median(other.size for other in lines) - _SMALLER
    return smaller and _outermost(line, lines) and _is_apart(line, lines)


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
    """Whether numbers are aligned from page to page, each separate from the text of its page."""
    middles = [line.rect.x0 + line.rect.x1 for line in numbers]
    apart = all(_is_apart(line, own) for line, own in zip(numbers, lines, strict=True))
    return max(middles) - min(middles) < _SAME_PLACE and apart


def _is_apart(line: Line, lines: Sequence[Line]) -> bool:
    others = (abs(line.base - other.base) for other in lines if other is not line)
    return min(others, default=100.0) > _APART * line.size


def _edge(page: PageContent, lines: Sequence[Line]) -> list[Line]:
    """The lines in the margins of a page, captions left out."""
    top, bottom = MARGIN * page.height, (1 - MARGIN) * page.height
    return [line for line in lines if (line.rect.y1 < top or line.rect.y0 > bottom) and not _CAPTION.match(line.text)]


def _side(line: Line, page: PageContent) -> str:
    return "page_header" if line.rect.y0 < page.height / 2 else "page_footer"


def _masked(line: Line) -> str:
    return _DIGITS.sub("0", " ".join(line.text.split())).casefold()


def _outermost(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is the first or the last of its page."""
    tops, bottoms = min(one.rect.y0 for one in lines), max(one.rect.y1 for one in lines)
    return line.rect.y0 <= tops + 2 or line.rect.y1 >= bottoms - 2


def _in_row(line: Line, lines: Sequence[Line]) -> bool:
    """Whether two others stand on a line's baseline, as the cells of a table do."""
    return sum(abs(line.base - other.base) < _SAME_BASE for other in lines) > 2


def _beside(line: Line, other: Line) -> bool:
    return abs(line.base - other.base) < _SAME_BASE and len(line.text) < 120


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
    """Return the position of a drawing, to two points; on left and right pages it may be mirrored."""
    middle = abs((made.x0 + made.x1) / 2 - page.width / 2)
    return tuple(round(value / 2) for value in (middle, made.y0, made.x1 - made.x0, made.y1 - made.y0))


def _aside(made: Drawn, page: PageContent) -> bool:
    return made.y1 < MARGIN * page.height or made.y0 > (1 - MARGIN) * page.height


def _words(text: str) -> frozenset[str]:
    """Return the words of a list; an underscore stands for a blank."""
    return frozenset(word.replace("_", " ") for word in text.split())


_TITLES = _words("""
contents table_of_contents list_of_contents inhalt inhaltsverzeichnis indice indice_general
contenido contenidos tabla_de_contenidos table_des_matieres sommaire sumario conteudo inhoud
inhoudsopgave
""")
_LISTS = _words("""
list_of_figures list_of_tables list_of_illustrations list_of_algorithms list_of_abbreviations
figures tables abbildungsverzeichnis tabellenverzeichnis indice_de_figuras indice_de_tablas
lista_de_figuras lista_de_tablas liste_des_figures table_des_figures liste_des_tableaux
lista_de_tabelas elenco_delle_figure elenco_delle_tabelle
""")
_PAGE = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7})$")
_DOTS = re.compile(r"(?:[.·…]\s?){3,}")
_LONGEST = 60  # characters that the title of a list has at most
_GAP = 1.2  # type sizes between a title and the number of its page, where no dots lead there
_FEW = 3  # entries of a list without a title
_FAR = 5.0  # type sizes between two entries at most
_EDGE = 3.0  # points by which the right edges of page numbers differ


@dataclass(frozen=True, slots=True)
class Contents:
    """The lines of printed lists, and the entries of tables of contents."""

    lines: frozenset[Line]
    entries: tuple[OutlineEntry, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines on one baseline, whether they end in the number of a page, and whether dots lead there."""

    lines: tuple[Line, ...]
    numbered: bool
    dotted: bool

    @property
    def base(self) -> float:
        return self.lines[0].base

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def right(self) -> float:
        return self.lines[-1].rect.x1

    @property
    def title(self) -> str:
        """The words without dots and the number of the page."""
        text = " ".join(line.text for line in self.lines)
        return _PAGE.sub("", text).rstrip(" .·…") if self.numbered else text

    @property
    def name(self) -> str:
        """The title of a list if it is one, in small letters; "" if not."""
        text = self.lines[0].text
        if len(self.lines) > 1 or len(text) > _LONGEST:
            return ""
        name = bare(text).strip(" .:")
        return name if name in _TITLES or name in _LISTS else ""


def find_contents(lines: Sequence[Sequence[Line]]) -> Contents:
    """The printed lists of a paper; `lines` are those of each page.

    A list has a title such as "Contents", or dots lead to the numbers in three of its rows at least. Its numbers are
    flush right. It ends with the last row that has a number.
    """
    found: set[Line] = set()
    entries: list[OutlineEntry] = []
    inside = False  # whether a table of contents may go on from the page before
    for page in lines:
        rows = _rows(page)
        names = [row.name for row in rows]
        at = 0
        while at < len(rows):
            title = names[at]
            start = at + bool(title)
            end = _end(rows, names, start)
            listed = rows[start:end]
            numbered = sum(row.numbered for row in listed)
            if numbered and (title or sum(row.dotted for row in listed) >= _FEW):
                inside = title in _TITLES or (inside and not title)
                found |= {line for row in rows[at:end] for line in row.lines}
                entries += _entries(listed) if inside else []
            at = max(end, at + 1)
    return Contents(frozenset(found), tuple(entries))


def _rows(lines: Sequence[Line]) -> list[_Row]:
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.base):
        if groups and abs(groups[-1][0].base - line.base) < 0.25 * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_row(sorted(group, key=lambda line: line.rect.x0)) for group in groups]


def _row(lines: Sequence[Line]) -> _Row:
    text = " ".join(line.text for line in lines)
    last = lines[-1].words[-1]
    dotted = bool(_DOTS.search(text)) and bool(_PAGE.search(text))
    before = lines[-1].words[-2].x1 if len(lines[-1].words) > 1 else lines[-2].rect.x1 if len(lines) > 1 else last.x0
    apart = last.x0 - before > _GAP * lines[0].size
    numbered = bool(_PAGE.fullmatch(last.text)) and (apart or dotted) and any(map(str.isalpha, lines[0].text))
    return _Row(tuple(lines), numbered, dotted)


def _end(rows: Sequence[_Row], names: Sequence[str], start: int) -> int:
    """Behind the last row of a list that begins with a row; the row itself where none does."""
    end, right, before = start, 0.0, start
    for n in range(start, len(rows)):
        row = rows[n]
        far = n > start and row.base - rows[n - 1].base > _FAR * max(row.size, rows[n - 1].size)
        if far or n - before > 3 or (n > start and names[n]):
            break
        if row.numbered and (not right or abs(row.right - right) < _EDGE):
            right = row.right
            end, before = n + 1, n
        elif row.numbered or (right and row.right > right + _EDGE):
            break
    return end


def _entries(rows: Sequence[_Row]) -> list[OutlineEntry]:
    """The titles of a list with their levels: by their numbers, else by how far they are set in."""
    titles: list[tuple[float, str]] = []
    waiting: list[str] = []
    left = 0.0
    for row in rows:
        left = left if waiting else row.lines[0].rect.x0
        waiting.append(row.title)
        if row.numbered:
            titles.append((left, " ".join(waiting)))
            waiting = []
    steps = sorted({round(x / 4) for x, _ in titles})
    return [OutlineEntry(depth_of(title) or steps.index(round(x / 4)) + 1, title, 0, None) for x, title in titles]
