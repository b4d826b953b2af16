"""`ocr_folder`: a PDF becomes a folder of OCR pages, read by a served model, whole or not there.

    draw a page -> ask the model -> page_NNN.md, its figures cut out      several pages at one time
                `-> no usable reply: the PDF's own text, else tesseract, else listed as not read

Replies for pages are kept in a file beside the folder, so that a run that was killed goes on where
it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kag import __version__
from kag.agents.build.vision import Vision
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.models import Server, open_server
from kag.agents.ocr.page_reading import PageReading
from kag.agents.ocr.transcript import KEYS, PROMPTS, Cut, OcrOptions, transcribe
from kag.core.errors import SourceError
from kag.core.files import (
    clear_partials,
    hint_for,
    own_file,
    own_folder,
    partial_path,
    reason,
    shown,
    sync,
    write_synced,
)
from kag.core.types import Repair
from kag.sources.ocr_record import RECORD, PageRead, record_text, repairs_of
from kag.sources.pdf.file.render import open_pages

CACHE = ".ocr.jsonl"  # beside the folder: what was read once is not asked again
FOLDER = "ocr"  # in the folder of runs: a folder of OCR pages for each PDF
METADATA = "figures_metadata.json"


@dataclass(frozen=True, slots=True)
class OcrOutcome:
    """The outcome of one PDF: its folder, how each page was read, and the model's usage (`Ledger.summary`)."""

    folder: Path
    pages: tuple[PageRead, ...]
    usage: dict[str, Any]

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The same for `Document.repairs`."""
        return repairs_of(self.pages)


def ocr_folder(pdf: Path, out: Path, options: OcrOptions) -> OcrOutcome:
    """Read the pages of `pdf` into the folder `out`, in the form that `read_document` reads.

    A folder that this wrote before is replaced. Raises `SourceError` for a PDF that cannot be read or a folder of
    something else, and `ModelError` (`BudgetExceeded` among them) where the server will read no page, or has read
    none and failed; what was read until then is remembered.
    """
    ledger, budget, prompt = Ledger(), Budget(Limits.of(options)), PROMPTS[options.prompt]
    with open_pages(pdf, options.password) as pages, _made(out) as folder:
        server = Server(options.url, options.model, KEYS, options.timeout, options.retries)
        lm = open_server(server, budget, ledger, role="vision")
        with closing(lm.engine):
            ask = transcribe(lm, prompt, options.tries)
            vision = Vision(options.model, ask, options.cache or out.parent / CACHE)
            reading = PageReading(folder, pages, vision, options)
            read = reading.all_pages()
        cuts = [cut for number in sorted(reading.cuts) for cut in reading.cuts[number]]
        if cuts:
            write_synced(folder / METADATA, _metadata(cuts))
        made_from = {
            "format": "kag-ocr/1",
            "kag_version": __version__,
            "pdf": pages.sha256,
            "model": options.model,
            "prompt": f"sha256:{hashlib.sha256(prompt.words.encode()).hexdigest()}",
        }
        write_synced(folder / RECORD, record_text(made_from, read))
    return OcrOutcome(out, read, ledger.summary())


def _metadata(cuts: Iterable[Cut]) -> str:
    rows = [
        {"page": cut.page, "label": "image", "bbox_norm": [list(box) for box in cut.boxes], "image_path": cut.name}
        for cut in cuts
    ]
    return json.dumps(rows, indent=1) + "\n"


@contextmanager
def _made(out: Path) -> Iterator[Path]:
    """Yield a folder to write into; it is moved to `out` at the end of the block, or removed on an error."""
    _refuse_others(out)
    partial, old = partial_path(out), partial_path(out.with_name(f"{out.name}-old"))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        clear_partials(out.parent)
        partial.mkdir()
    except OSError as error:
        raise SourceError(f"{shown(out)} cannot be written: {reason(error)}", hint=hint_for(error)) from error
    try:
        yield partial
        sync(partial)
        if os.path.lexists(out):
            out.rename(old)
        try:
            partial.rename(out)
        except OSError:
            if os.path.lexists(old):
                old.rename(out)
            raise
        sync(out.parent)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _refuse_others(out: Path) -> None:
    """Raise if a folder or file that kag did not write is in the way."""
    if os.path.lexists(out) and not (own_folder(out) and own_file(out / RECORD)):
        hint = "Choose another folder, or take this one away."
        raise SourceError(f"{shown(out)} is there already, and was not written by kag", hint=hint)


@dataclass(frozen=True, slots=True)
class Transcriber:
    """Has a model read PDFs, each into `out_dir/ocr/NAME` (`kag.indexing.batch.Transcribing`)."""

    options: OcrOptions

    def pages_of(self, pdf: Path, name: str, out_dir: Path, password: str) -> Path:
        """The folder of OCR pages; what the model read before costs nothing. Raises what `ocr_folder` raises."""
        folder = out_dir / FOLDER / name
        ocr_folder(pdf, folder, replace(self.options, password=password))
        return folder
