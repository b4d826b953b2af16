"""`to_jats`: a paper as JATS 1.3, the XML of publishers and archives; `kag index` reads it back."""

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
    label_of,
)
from kag.export.documents.markup import RunWriter, span
from kag.export.documents.runs import Run, words_of

_KINDS = {"BibliographicReference": "bibr", "Figure": "fig", "Table": "table", "Formula": "disp-formula",
          "Section": "sec", "SectionTitle": "sec", "Footnote": "fn"}  # fmt: skip
_DOCTYPE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and '
    'Interchange DTD v1.3 20210610//EN" "JATS-archivearticle1-3.dtd">\n'
)


def to_jats(paper: Manuscript, pictures: Links) -> str:
    """Return the paper as JATS; `pictures` are the paths of its pictures. Same paper, same text."""
    return _Article(paper, pictures).whole()


class _Article(RunWriter):
    def whole(self) -> str:
        paper, out = self._paper, self._out
        with out.block(
            "article", dtd_version="1.3", xmlns__xlink="http://www.w3.org/1999/xlink", article_type="research-article"
        ):
            abstracts, body, back = _parted(paper.body)
            notes = [item for item in paper.front if isinstance(item, Paragraph)]
            with out.block("front"):
                self._front(notes, abstracts)
            rest = [item for item in paper.front if item not in notes]
            if rest or body:
                with out.block("body"):
                    self._items([*rest, *body])
            if back:
                with out.block("back"):
                    self._items(back)
        return _DOCTYPE + out.xml()

    # front matter -----------------------------------------------------------------------------

    def _front(self, notes: Sequence[Paragraph], abstracts: Sequence[Section]) -> None:
        out, paper = self._out, self._paper
        roles = {item: item.first.role if isinstance(item.first, Text) else "" for item in notes}
        named = any(role == "authors" for role in roles.values())
        with out.block("article-meta"):
            out.line("article-id", paper.doi, pub_id_type="doi")
            if paper.title:
                with out.block("title-group"), out.block("article-title"):
                    self._runs(paper.title.runs)
            names = paper.authors or [_words(item) for item, role in roles.items() if role == "authors"]
            if names and named:
                with out.block("contrib-group"):
                    for name in names:
                        with out.block("contrib", contrib_type="author"):
                            out.line("string-name", name)
            for item in (paragraph for paragraph, role in roles.items() if role == "affiliation"):
                with out.block("aff", id=self._id(item.first.node.iri)):
                    self._paragraph_runs(item)
            others = [paragraph for paragraph, role in roles.items() if role not in ("authors", "affiliation")]
            if others:
                with out.block("author-notes"):
                    for item in others:
                        with out.block("fn", id=self._id(item.first.node.iri)), out.tag("p"):
                            self._paragraph_runs(item)
            if paper.year:
                with out.block("pub-date", date_type="pub"):
                    out.line("year", paper.year)
            for section in abstracts:
                self._section(section, "abstract")

    def _paragraph_runs(self, item: Paragraph) -> None:
        for place, part in enumerate(item.parts):
            if place:
                self._out.say(" ")
            self._part(part)

    # what stands in the text ------------------------------------------------------------------

    def _items(self, items: Iterable[Item]) -> None:
        for entries, group in groupby(items, key=lambda item: isinstance(item, Entry)):
            if entries:
                with self._out.block("ref-list"):
                    self._entries(group)
                continue
            for item in group:
                self._item(item)

    def _item(self, item: Item) -> None:
        if isinstance(item, Section):
            self._section(item, "ref-list" if _is_list(item) else "sec")
        elif isinstance(item, Float):
            self._float(item)
        elif isinstance(item, Display):
            self._display(item)
        elif isinstance(item, Paragraph):
            self._paragraph(item)

    def _section(self, section: Section, name: str) -> None:
        out = self._out
        with out.block(name, id=self._id(section.id)):
            if section.title:
                with out.block("title"):
                    self._runs(section.title.runs)
            if name == "ref-list":
                self._entries(section.items)
            else:
                self._items(section.items)

    def _paragraph(self, item: Paragraph) -> None:
        out = self._out
        if isinstance(item.first, Text) and item.first.role == "note":
            with out.block("fn-group"), out.block("fn", id=self._id(item.first.node.iri)), out.tag("p"):
                self._paragraph_runs(item)
            return
        with out.block("p", id=self._id(item.first.node.iri)):
            self._paragraph_runs(item)

    def _part(self, part: Text | Display) -> None:
        if isinstance(part, Text):
            self._runs(part.runs)
        else:
            self._display(part)

    def _display(self, formula: Display) -> None:
        out = self._out
        with out.block("disp-formula", id=self._id(formula.node.iri)):
            out.line("label", f"({formula.number})" if formula.number else "")
            with out.tag("tex-math"):
                out.say(formula.latex)

    def _entries(self, items: Iterable[Item]) -> None:
        out = self._out
        for item in items:
            if not isinstance(item, Entry):
                self._item(item)
                continue
            with out.block("ref", id=self._id(item.node.iri)):
                out.line("label", item.label)
                with out.block("mixed-citation"):
                    self._runs(item.runs)

    # floats -----------------------------------------------------------------------------------

    def _float(self, float_: Float) -> None:
        out = self._out
        figure = float_.grid is None
        with out.block("fig" if figure else "table-wrap", id=self._id(float_.node.iri)):
            label, first = label_of(float_)
            out.line("label", label)
            texts = [first, *(caption.runs for caption in float_.captions[1:])]
            if any(map(words_of, texts)):
                with out.block("caption"):
                    for runs in filter(words_of, texts):
                        with out.block("p"):
                            self._runs(runs)
            if float_.grid is not None:
                self._table(float_)
            for link in self._pictures.get(float_.node.iri, ()):
                out.empty("graphic", xlink__href=link)

    def _cell(self, cell: Cell) -> None:
        spans = {"rowspan": span(cell.row_span), "colspan": span(cell.column_span)}
        with self._out.tag("th" if cell.header else "td", **spans):
            self._runs(cell_runs(cell.text))

    # words ------------------------------------------------------------------------------------

    def _link(self, to: Sequence[str]) -> AbstractContextManager[None]:
        kind = _KINDS.get(self._paper.kinds.get(to[0], ""), "other")
        return self._out.tag("xref", ref_type=kind, rid=" ".join(map(self._id, to)))

    def _latex(self, run: Run) -> None:
        with self._out.tag("inline-formula"), self._out.tag("tex-math"):
            self._out.say(run.latex)


def _parted(items: Sequence[Item]) -> tuple[list[Section], list[Item], list[Item]]:
    """The abstracts that open the paper, its body, and what begins with its reference list."""
    opening = 0
    while opening < len(items) and _is_abstract(items[opening]):
        opening += 1
    lists = [n for n, item in enumerate(items) if isinstance(item, Section) and _is_list(item)]
    end = lists[0] if lists else len(items)
    abstracts = [item for item in items[:opening] if isinstance(item, Section)]
    return abstracts, list(items[opening:end]), list(items[max(end, opening) :])


def _is_abstract(item: Item) -> bool:
    return isinstance(item, Section) and "Abstract" in item.types and bool(item.title)


def _is_list(section: Section) -> bool:
    return any(isinstance(item, Entry) for item in section.items)


def _words(item: Paragraph) -> str:
    return " ".join(words_of(part.runs) for part in item.parts if isinstance(part, Text))
