"""`to_html`: a paper as one plain HTML page, for people and for programs that take HTML; it has no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby

from kag.core.types import Cell
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
from kag.export.documents.markup import RunWriter, span
from kag.export.documents.runs import Run, words_of
from kag.text.latex import formula_words

_STYLE = """
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.55 Georgia, serif }
h1, h2, h3, h4, h5, h6 { line-height: 1.25 }
figure { margin: 1.5rem 0; overflow-x: auto }
figcaption, .note, .affiliation { font-size: 0.9em }
img { max-width: 100% }
table { border-collapse: collapse; font-size: 0.9em }
th, td { border-top: 1px solid; padding: 0.2em 0.6em; text-align: left; vertical-align: top }
.formula { margin: 1rem 0; text-align: center; overflow-x: auto }
.references { list-style: none; padding-left: 0 }
.references li { margin: 0.4rem 0 }
:target { outline: 2px solid; outline-offset: 0.2em }
"""


def to_html(paper: Manuscript, pictures: Links) -> str:
    """Return the paper as an HTML page; `pictures` are the paths of its pictures. Same paper, same text."""
    return _Page(paper, pictures).whole()


class _Page(RunWriter):
    def whole(self) -> str:
        paper, out = self._paper, self._out
        title = words_of(paper.title.runs) if paper.title else paper.paper
        with out.block("html"):
            with out.block("head"):
                out.empty("meta", charset="utf-8")
                out.empty("meta", name="viewport", content="width=device-width, initial-scale=1")
                out.line("title", " ".join(title.split()))
                for name in paper.authors:
                    out.empty("meta", name="citation_author", content=name)
                if paper.doi:
                    out.empty("meta", name="citation_doi", content=paper.doi)
                out.line("style", _STYLE)
            with out.block("body"), out.block("article"):
                with out.block("header"):
                    if paper.title:
                        with out.block("h1", id=self._id(paper.title.node.iri)):
                            self._runs(paper.title.runs)
                    self._items(paper.front)
                self._items(paper.body)
        return "<!DOCTYPE html>\n" + out.html()

    def _items(self, items: Iterable[Item]) -> None:
        for entries, group in groupby(items, key=lambda item: isinstance(item, Entry)):
            if entries:
                with self._out.block("ol", class_="references"):
                    for item in group:
                        self._item(item)
            else:
                for item in group:
                    self._item(item)

    def _item(self, item: Item) -> None:
        if isinstance(item, Section):
            self._section(item)
        elif isinstance(item, Float):
            self._float(item)
        elif isinstance(item, Display):
            self._display(item)
        elif isinstance(item, Entry):
            self._entry(item)
        else:
            self._paragraph(item)

    def _section(self, section: Section) -> None:
        out = self._out
        with out.block("section", id=self._id(section.id)):
            if section.title:
                level = section.level + 1
                deep = {"aria_level": str(level)} if level > 6 else {}
                with out.block(f"h{min(level, 6)}", id=self._id(section.title.node.iri), **deep):
                    self._runs(section.title.runs)
            self._items(section.items)

    def _paragraph(self, item: Paragraph) -> None:
        """Return a paragraph; HTML has no paragraph around a display formula."""
        for formula, parts in groupby(item.parts, key=lambda part: isinstance(part, Display)):
            if formula:
                self._items(part for part in parts if isinstance(part, Display))
                continue
            texts = [part for part in parts if isinstance(part, Text)]
            role = texts[0].role
            with self._out.block("p", id=self._id(texts[0].node.iri), class_="" if role == "text" else role):
                for place, text in enumerate(texts):
                    self._out.say(" " if place else "")
                    self._runs(text.runs)

    def _display(self, formula: Display) -> None:
        with self._out.block("div", class_="formula", id=self._id(formula.node.iri)):
            self._formula(formula.latex, formula_words(formula.latex), "block")
            self._out.say(f" ({formula.number})" if formula.number else "")

    def _entry(self, entry: Entry) -> None:
        with self._out.block("li", id=self._id(entry.node.iri)):
            self._out.say(f"{entry.label} " if entry.label else "")
            self._runs(entry.runs)

    # floats -----------------------------------------------------------------------------------

    def _float(self, float_: Float) -> None:
        out = self._out
        with out.block("figure", id=self._id(float_.node.iri)):
            if float_.captions:
                with out.block("figcaption"):
                    for caption in float_.captions:
                        with out.block("p"):
                            self._runs(caption.runs)
            if float_.grid is not None:
                self._table(float_)
            for link in self._pictures.get(float_.node.iri, ()):
                out.empty("img", src=link, alt=float_.node.label or "Figure")

    def _cell(self, cell: Cell) -> None:
        spans = {"rowspan": span(cell.row_span), "colspan": span(cell.column_span)}
        scope = ("colgroup" if cell.column_span > 1 else "col") if cell.header else ""
        with self._out.tag("th" if cell.header else "td", scope=scope, **spans):
            self._runs(cell_runs(cell.text))

    # words ------------------------------------------------------------------------------------

    def _link(self, to: Sequence[str]) -> AbstractContextManager[None]:
        return self._out.tag("a", href=f"#{self._id(to[0])}")

    def _latex(self, run: Run) -> None:
        self._formula(run.latex, run.words, "")

    def _formula(self, latex: str, words: str, display: str) -> None:
        """A formula as its words, with its LaTeX as MathML keeps it for programs."""
        out = self._out
        with out.tag("math", display=display), out.tag("semantics"):
            with out.tag("mtext"):
                out.say(words)
            with out.tag("annotation", encoding="application/x-tex"):
                out.say(latex)
