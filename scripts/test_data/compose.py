"""Turns a numbered paper into items for the page: what is printed where, and what each block is."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from .figures import draw_panel
from .inline import Rich, Writer
from .items import FloatItem, Item, Page, PictureItem, TextItem
from .layout import Furniture, Setter, column_width
from .model import Equation, Figure, Heading, Paper, Paragraph, Table
from .numbering import Names
from .pictures import draw_equation, draw_table, place_cells, table_html
from .typeset import Look

_NBSP = "\u00a0"


@dataclass(frozen=True, slots=True)
class Composed:
    """The paper on pages, with its texts as printed: by paragraph index, float or reference."""

    pages: tuple[Page, ...]
    texts: dict[str, Rich]
    cells: dict[str, tuple[tuple[Rich, ...], ...]]
    paragraphs: tuple[tuple[Paragraph, str], ...]
    homes: dict[str, str]


class Composer:
    """Makes the items of one paper in order and remembers the texts for the gold."""

    def __init__(self, paper: Paper, names: Names) -> None:
        self._paper = paper
        self._names = names
        style = paper.style
        self._body = Look(style.family, style.size, round(style.size * 1.22))
        self._small = Look(style.family, style.size - 2, round((style.size - 2) * 1.22), align="left")
        self._section: str | None = None
        self._texts: dict[str, Rich] = {}
        self._cells: dict[str, tuple[tuple[Rich, ...], ...]] = {}
        self._paragraphs: list[tuple[Paragraph, str]] = []
        self._homes: dict[str, str] = {}

    def compose(self) -> Composed:
        """Lay the whole paper out."""
        style = self._paper.style
        small = Look(style.family, style.size - 3, style.size + 1, align="center")
        front = self._paper.front
        setter = Setter(style.columns, Furniture(front["head_even"], front["head_odd"], small))
        setter.place(self._front())
        split = next(i for i, e in enumerate(self._paper.elements) if isinstance(e, Heading) and e.type != "abstract")
        abstract, body = self._paper.elements[:split], self._paper.elements[split:]
        setter.place([item for element in abstract for item in self._items(element, 1)])
        setter.place(self._notice())
        setter.start_columns()
        items = [item for element in body for item in self._items(element, style.columns)]
        setter.place(items + self._reference_items())
        pages = tuple(setter.finish())
        return Composed(pages, self._texts, self._cells, tuple(self._paragraphs), self._homes)

    def _rich(self, text: str, style: str = "normal") -> Rich:
        return Writer(self._paper.style, self._names).write(text, style)

    def _front(self) -> list[Item]:
        front, size, family = self._paper.front, self._paper.style.size, self._paper.style.family
        title = Look(family, size + 8, size + 13, "bold", "left")
        authors = Look(family, size + 1, size + 7, align="left")
        affiliations = Look(family, size - 2, size + 2, "italic", "left")
        items: list[Item] = [
            TextItem("title", "title", None, None, self._rich(front["title"]), title, 0, "# "),
            TextItem("text", "authors", None, None, self._rich(front["authors"]), authors, 10),
            TextItem("text", "affiliations", None, None, self._rich(front["affiliations"].strip()), affiliations, 8),
        ]
        return items

    def _notice(self) -> list[Item]:
        front = self._paper.front
        items: list[Item] = []
        if front["keywords"]:
            items.append(TextItem("text", "keywords", None, None, self._rich(front["keywords"]), self._small, 8))
        if front["history"]:
            items.append(TextItem("text", "noise", None, None, self._rich(front["history"]), self._small, 8))
        return items

    def _items(self, element: Heading | Paragraph | Equation | Figure | Table, columns: int) -> list[Item]:
        match element:
            case Heading():
                return [self._heading(element)]
            case Paragraph():
                return [self._paragraph(element)]
            case Equation():
                return [self._equation(element, columns)]
            case Figure():
                return [self._figure(element, columns)]
            case Table():
                return [self._table(element, columns)]

    def _heading(self, heading: Heading) -> TextItem:
        section = self._names.sections[heading.id]
        self._section = section.id
        size, family = self._paper.style.size, self._paper.style.family
        face = "bold" if heading.depth == 1 else "italic"
        look = Look(family, size + 2 - heading.depth, size + 6 - heading.depth, face, "left")
        before = 18 - 4 * heading.depth
        text = self._rich(section.shown)
        return TextItem("sub_title", "heading", section.id, section.id, text, look, before, "## ", keep=True)

    def _paragraph(self, paragraph: Paragraph) -> TextItem:
        ref = f"p{len(self._paragraphs)}"
        self._paragraphs.append((paragraph, self._section or ""))
        text, look = paragraph.text, self._body
        if paragraph.kind == "code":
            indented = [_NBSP * (len(line) - len(line.lstrip())) + line.lstrip() for line in text.split("\n")]
            text = "\n".join(indented)
            look = Look("mono", self._body.size - 3, self._body.leading - 2, align="left")
        elif paragraph.kind == "list":
            look = Look(self._body.family, self._body.size, self._body.leading, align="left")
        rich = self._rich(text)
        self._texts[ref] = rich
        return TextItem("text", "paragraph", ref, self._section, rich, look)

    def _equation(self, equation: Equation, columns: int) -> PictureItem:
        number = self._names.numbers[equation.id]
        self._homes[f"eq:{number}"] = self._section or ""
        image, ink = draw_equation(equation.latex, number, column_width(columns), self._body)
        markdown = f" \\[ {equation.latex} \\quad ({number}) \\] "
        return PictureItem("equation", "equation", f"e{number}", self._section, image, markdown, ink=ink)

    def _figure(self, figure: Figure, columns: int) -> FloatItem:
        number = self._names.numbers[figure.id]
        ref = f"fig:{number}" if figure.kind == "Figure" else f"fig:{figure.kind} {number}"
        self._homes[ref] = self._section or ""
        width = column_width(1 if figure.wide else columns)
        each = min((width - 12 * (figure.panels - 1)) // figure.panels, 640)
        pictures = []
        for panel in range(figure.panels):
            colour = draw_panel(self._paper.id, figure.id, panel, each, figure.height)
            grey = colour.convert("L").resize((each, figure.height), Image.Resampling.LANCZOS)
            pictures.append(PictureItem("image", "figure", ref, self._section, grey, "", colour))
        label = self._figure_label(figure, number)
        caption = self._rich(figure.caption)
        self._texts[ref] = caption
        shown = self._rich(f"{label} {figure.caption}")
        text = TextItem("figure_title", "figure-caption", ref, self._section, shown, self._small, 2)
        return FloatItem(figure.kind, (tuple(pictures), (text,)), figure.wide)

    def _figure_label(self, figure: Figure, number: str) -> str:
        if figure.kind == "Scheme":
            return f"Scheme {number}."
        return self._paper.style.figure_label.format(number)

    def _table(self, table: Table, columns: int) -> FloatItem:
        number = self._names.numbers[table.id]
        ref = f"tab:{number}"
        self._homes[ref] = self._section or ""
        rows = [[(self._rich(c.text), c.column_span, c.row_span) for c in row] for row in table.rows]
        self._cells[ref] = tuple(tuple(text for text, _, _ in row) for row in rows)
        width = column_width(1 if table.wide else columns)
        look = Look(self._small.family, self._small.size, self._small.leading, align="left")
        image, ink = draw_table(place_cells(rows), width, look)
        grid = PictureItem("table", "table", ref, self._section, image, table_html(rows), ink=ink)
        notes = table.notes.replace("\n", " ")
        self._texts[ref] = self._rich(f"{table.caption} {notes}".strip())
        captions = [(part,) for part in self._table_captions(table, ref, number)]
        foot = TextItem("text", "table-foot", ref, self._section, self._rich(table.notes), self._small, 4)
        return FloatItem("Table", (*captions, (grid,), *([(foot,)] if notes else [])), table.wide)

    def _table_captions(self, table: Table, ref: str, number: str) -> list[TextItem]:
        label = self._paper.style.table_label.format(number)
        texts = [label, table.caption] if table.split_caption else [f"{label} {table.caption}"]
        kind = self._paper.style.caption_label
        return [TextItem(kind, "table-caption", ref, self._section, self._rich(t), self._small, 3) for t in texts]

    def _reference_items(self) -> list[Item]:
        style = self._paper.style
        hang = 18 if style.reference_format != "bracketed" else 26
        look = Look(style.family, style.size - 2, round((style.size - 2) * 1.2), align="left", hang=hang)
        later = {number for group in style.merged_references for number in group[1:]}
        items: list[Item] = []
        for entry in sorted(self._names.references.values(), key=lambda entry: entry.number):
            ref = f"r{entry.number}"
            text = self._rich(entry.text)
            merge = entry.number in later
            items.append(TextItem("text", "reference", ref, self._section, text, look, 3, merge=merge))
        return items
