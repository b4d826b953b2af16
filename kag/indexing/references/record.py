"""What was read from one printed reference."""

from __future__ import annotations

from dataclasses import dataclass

from kag.indexing.references.names import Name


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference; fields that were not found are empty.

    `year` has its letter ("2010a") in `suffix`; `more_authors` says "et al."; `kind` is one of the names in
    `kag.indexing.references.publication_kinds.KINDS`; `confidence` holds pairs of a field's name and a share in [0, 1].
    """

    authors: tuple[Name, ...] = ()
    more_authors: bool = False
    title: str = ""
    year: str = ""
    suffix: str = ""
    doi: str = ""
    container: str = ""
    volume: str = ""
    first_page: str = ""
    last_page: str = ""
    issue: str = ""
    editors: tuple[Name, ...] = ()
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    kind: str = ""
    confidence: tuple[tuple[str, float], ...] = ()
