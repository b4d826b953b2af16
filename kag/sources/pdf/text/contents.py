"""Printed tables of contents, lists of figures and lists of tables: what they name, and the lines that they fill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import depth_of
from kag.sources.pdf.text.typography import OutlineEntry
from kag.text.section_titles import bare


def _words(text: str) -> frozenset[str]:
    """The words of a list; an underscore stands for a blank."""
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
