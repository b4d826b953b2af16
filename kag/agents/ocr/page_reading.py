"""The pages of one paper on their way into a folder: drawn, read, cut; several at one time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kag.agents.build.vision import Vision
from kag.agents.ocr.cuts import Cut, cuts_of
from kag.agents.ocr.options import PROMPTS, OcrOptions
from kag.agents.ocr.other_ways import OtherWays
from kag.agents.ocr.transcript import Unusable
from kag.core.errors import BudgetExceeded, ModelError, SourceError
from kag.core.files import write_synced
from kag.sources.ocr_record import PageRead
from kag.sources.pdf.file.render import PagePicture, PdfPages, crop
from kag.sources.pictures import Picture

MAX_SIDE = 2400  # pixels of a page's picture: A3 at 144 dots an inch; models shrink larger ones themselves

_HOPELESS = frozenset(("auth", "billing", "unsupported_model", "not_configured"))  # for every page the same
_GONE = frozenset(("transport",))  # after all retries: the other pages are not asked about
_PATIENCE = 3  # pages one after the other at which the server fails in some other way: so is this


class PageReading:
    """Reads pages into `folder`; threads share it. `told` hears of each page when it is done."""

    def __init__(
        self, folder: Path, pages: PdfPages, vision: Vision, options: OcrOptions, told: Callable[[PageRead], None]
    ) -> None:
        self._folder, self._pages, self._vision, self._told = folder, pages, vision, told
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
        self._told(read)
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
