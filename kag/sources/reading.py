"""How a paper is to be read: what a person may say beside its path."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Reading:
    """`paper_id` names the paper, else its file or folder does; `source` is one of
    `kag.sources.reader_registry.SOURCES`.

    `figures` is a folder of pictures other than the usual ones. `password`, `engine` and `language` are for PDF
    files; "" leaves the choice to the reader.
    """

    paper_id: str | None = None
    figures: Path | None = None
    source: str = ""
    password: str = field(default="", repr=False)  # shown to nobody
    engine: str = ""
    language: str = ""


AS_IT_IS = Reading()
