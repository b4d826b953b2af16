"""The pages of one paper on their way into a folder: drawn, read, cut; several at one time.

A page that the model did not read comes from the PDF's own text, else from tesseract, as a page of tagged blocks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from html import escape
from pathlib import Path

from kag.agents.build.vision import Vision
from kag.agents.ocr.transcript import PROMPTS, Cut, OcrOptions, Unusable, cuts_of
from kag.core.errors import BudgetExceeded, KagError, ModelError, SourceError
from kag.core.files import write_synced
from kag.core.types import Cell, Table
from kag.sources.draft import Draft
from kag.sources.ocr_record import PageRead
from kag.sources.pdf.file.render import PDFIUM, PagePicture, PdfPages, crop
from kag.sources.pdf.read import read_pdf
from kag.sources.pdf.scans.tesseract import SCALE, Word, page_text, version, without_tags, words_of
from kag.sources.pictures import Picture

ENOUGH = 40  # letters and digits of a page's text; a scan with a number typed on it has fewer


class OtherWays:
    """Fallbacks that read pages of one PDF without the model. Threads may share them."""

    def __init__(self, pages: PdfPages, language: str) -> None:
        self._pages, self._language = pages, language

    def read(self, page: int, error: KagError) -> tuple[PageRead, str]:
        """Return how the page was read and its text; `error` says why the model did not read it."""
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
    """Return blocks in the form of OCR pages: `<|ref|>label<|/ref|><|det|>[[boxes]]<|/det|>` and the text behind."""
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
    attributes = "".join(f' {span}="{count}"' for span, count in spans if count > 1)
    return f"<{name}{attributes}>{escape(cell.text, quote=False)}</{name}>"


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


MAX_SIDE = 2400  # pixels of a page's picture: A3 at 144 dots an inch; models shrink larger ones themselves

_HOPELESS = frozenset(("auth", "billing", "unsupported_model", "not_configured"))  # for every page the same
_GONE = frozenset(("transport",))  # after all retries: the other pages are not asked about
_PATIENCE = 3  # pages one after the other at which the server fails in some other way: so is this


class PageReading:
    """Reads pages into `folder`; threads share it."""

    def __init__(self, folder: Path, pages: PdfPages, vision: Vision, options: OcrOptions) -> None:
        self._folder, self._pages, self._vision = folder, pages, vision
        self._prompt, self._workers = PROMPTS[options.prompt], max(1, options.concurrency)
        self._others = OtherWays(pages, options.language)
        self._failed: ModelError | None = None  # the first time that the server, and no reply, was the reason
        self._failures = 0  # since it last answered
        self._gone: ModelError | None = None  # why it is not asked any more
        self.cuts: dict[int, tuple[Cut, ...]] = {}

    def all_pages(self) -> tuple[PageRead, ...]:
        """Read them all. Raises `ModelError` where the server will read none, or has read none and failed at one."""
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="ocr")
        try:
            read = tuple(pool.map(self._page, range(1, self._pages.count + 1)))
        except BaseException as error:
            pool.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
            raise
        pool.shutdown()
        if self._failed is not None and not any(page.by == "model" for page in read):
            raise self._failed
        return read

    def _page(self, number: int) -> PageRead:
        try:
            picture = self._drawn(number)
        except SourceError as error:  # a broken page costs itself
            read, text = self._others.read(number, error)
            self._write(read, text)
        else:
            read, text = self._read(number, picture)
            self._write(read, text)
            self._write_pictures(number, text, picture)
        return read

    def _drawn(self, number: int) -> PagePicture:
        width, height = self._pages.size(number)
        return self._pages.picture(number, min(self._prompt.scale, MAX_SIDE / max(width, height, 1.0)))

    def _write(self, read: PageRead, text: str) -> None:
        if read.by != "nothing":
            write_synced(self._folder / f"page_{read.page:03d}.md", text + "\n" if text else "")

    def _write_pictures(self, number: int, text: str, picture: PagePicture) -> None:
        write_synced(self._folder / f"page_{number:03d}.png", picture.png)
        self.cuts[number] = cuts_of(text, number, (picture.width, picture.height))
        for cut in self.cuts[number]:
            write_synced(self._folder / cut.name, crop(picture.png, cut.whole, picture.scale))

    def _read(self, number: int, picture: PagePicture) -> tuple[PageRead, str]:
        if picture.blank:
            return PageRead(number, "blank"), ""
        try:
            if self._gone is not None:
                raise self._gone
            answer = self._vision.ask(_sent(picture), self._prompt.words)
            self._failures = 0
            return PageRead(number, "model", tool=answer.model), answer.text
        except ModelError as error:
            self._note(error)
            return self._others.read(number, error)

    def _note(self, error: ModelError) -> None:
        """Remember what a failure means for the other pages; raises it where they would all fail alike."""
        slug = getattr(error, "slug", "")
        if isinstance(error, Unusable) or slug == "refusal":
            self._failures = 0
            return
        self._failures += 1
        self._failed = self._failed or error
        if slug in _HOPELESS | _GONE or isinstance(error, BudgetExceeded) or self._failures >= _PATIENCE:
            self._gone = self._gone or error
        if slug in _HOPELESS:
            raise error


def _sent(picture: PagePicture) -> Picture:
    digest = hashlib.sha256(picture.png).hexdigest()
    return Picture(picture.png, "image/png", digest, picture.width, picture.height)
