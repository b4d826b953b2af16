"""A page that the model did not read: from the PDF's own text, else by tesseract, always as a page of tagged blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape

from kag.agents.ocr.transcript import Unusable
from kag.core.errors import KagError, SourceError
from kag.core.types import Cell, Table
from kag.sources.draft import Draft
from kag.sources.ocr_record import PageRead
from kag.sources.pdf.file.render import PDFIUM, PdfPages
from kag.sources.pdf.read import read_pdf
from kag.sources.pdf.scans.tesseract import SCALE, Word, page_text, version, without_tags, words_of

ENOUGH = 40  # letters and digits of a page's text; a scan with a number typed on it has fewer


class OtherWays:
    """How pages of one PDF are read without the model. Threads may share it."""

    def __init__(self, pages: PdfPages, language: str) -> None:
        self._pages, self._language = pages, language

    def read(self, page: int, error: KagError) -> tuple[PageRead, str]:
        """How the page was read after all, and its text; `error` says why the model did not read it."""
        why, own = error.message, self._own_words(page)
        found: Sequence[Word] = ()
        if _letters(own) < ENOUGH:
            try:
                picture = self._pages.picture(page, SCALE)
                found = words_of(picture.png, self._language)
            except SourceError as failure:
                why = f"{why}; {failure.message}"
        if _letters("".join(word.text for word in found)) > _letters(own):
            return PageRead(page, "tesseract", why, version()), page_text(found, (picture.width, picture.height))
        if own:
            return PageRead(page, "text layer", why, "pdfium"), self._laid_out(page, own)
        part = error.part if isinstance(error, Unusable) else ""
        return PageRead(page, "part" if part else "nothing", why), part

    def _own_words(self, page: int) -> str:
        try:
            return self._pages.words(page)
        except SourceError:
            return ""

    def _laid_out(self, page: int, words: str) -> str:
        """The page's blocks as the reader of PDFs finds them; its bare words where that fails."""
        with PDFIUM:
            drafts = self._drafts.get(page)
        return tagged(drafts or [Draft(page, "text", words)])

    @cached_property
    def _drafts(self) -> Mapping[int, list[Draft]]:
        found: dict[int, list[Draft]] = {}
        try:
            parsed = read_pdf(self._pages.path)
        except Exception:  # the bare words are left: no fault of that reader costs a page
            return found
        for draft in parsed.drafts:
            found.setdefault(draft.page, []).append(draft)
        return found


def tagged(drafts: Sequence[Draft]) -> str:
    """Blocks as they stand in an OCR page: `<|ref|>label<|/ref|><|det|>[[boxes]]<|/det|>` and the text behind."""
    return "\n".join(_block(draft) for draft in drafts)


def _block(draft: Draft) -> str:
    boxes = ", ".join(f"[{', '.join(map(str, box))}]" for box in draft.boxes)
    place = f"<|det|>[{boxes}]<|/det|>" if boxes else ""
    head = f"{'#' * draft.level} " if draft.level else ""
    text = without_tags(draft.text) if draft.table is None else _html(draft.table)
    return f"<|ref|>{draft.label}<|/ref|>{place}\n{head}{text}\n"


def _html(table: Table) -> str:
    """A table as OCR pages have it.

    >>> _html(Table((Cell("a < b", 0, 0, column_span=2, header=True), Cell("1", 1, 0), Cell("2", 1, 1)), 2, 2))
    '<table><tr><th colspan="2">a &lt; b</th></tr><tr><td>1</td><td>2</td></tr></table>'
    """
    rows = [[cell for cell in table.cells if cell.row == row] for row in range(table.rows)]
    printed = ("".join(map(_cell, row)) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in printed)}</table>"


def _cell(cell: Cell) -> str:
    name = "th" if cell.header else "td"
    spans = (("rowspan", cell.row_span), ("colspan", cell.column_span))
    said = "".join(f' {span}="{count}"' for span, count in spans if count > 1)
    return f"<{name}{said}>{escape(cell.text, quote=False)}</{name}>"


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
