"""Options of reading a paper besides its path."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kag.core.addresses import is_public
from kag.core.errors import BadValue


@dataclass(frozen=True, slots=True)
class Reading:
    """`paper_id` names the paper, else its file or folder does; `source` is one of
    `kag.sources.reader_registry.SOURCES`.

    `figures` is a folder of pictures other than the usual ones. `password`, `engine` and `language` are for PDF
    files; "" leaves the choice to the reader. `url` is where the paper was found, an absolute address.
    """

    paper_id: str | None = None
    figures: Path | None = None
    source: str = ""
    password: str = field(default="", repr=False)  # shown to nobody
    engine: str = ""
    language: str = ""
    url: str = ""

    def __post_init__(self) -> None:
        """Raise `BadValue` for an invalid address, or one with a password: it is stored in the graph."""
        if self.url and not is_public(self.url):
            hint = "Give one such as https://example.org/a.pdf."
            raise BadValue("the paper's url is not a web address, or holds a password", hint=hint)  # which is not shown


AS_IT_IS = Reading()
