"""`Transcriber`: the pages of PDFs by a served model, for a batch; its packages wait until a PDF is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kag.agents.ocr.options import OcrOptions

FOLDER = "ocr"  # in the folder of runs: a folder of OCR pages for each PDF


@dataclass(frozen=True, slots=True)
class Transcriber:
    """Has a model read PDFs, each into `out_dir/ocr/NAME` (`kag.indexing.batch.Transcribing`)."""

    options: OcrOptions

    def pages_of(self, pdf: Path, name: str, out_dir: Path, password: str) -> Path:
        """The folder of OCR pages; what the model said before costs nothing. Raises what `ocr_folder` raises."""
        from kag.agents.ocr.folder import ocr_folder

        folder = out_dir / FOLDER / name
        ocr_folder(pdf, folder, replace(self.options, password=password))
        return folder
