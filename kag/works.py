"""Which work a reference leads to: one name for a work, whoever cites it and in whatever style."""

from __future__ import annotations

import hashlib
import re
import unicodedata

WORKS = "http://la3d.local/kag/work/"
_SHORTEST_TITLE = 12  # letters; a shorter title ("Editorial") with year and author does not name one work


def work_key(*, doi: str = "", title: str = "", year: str = "", first_author: str = "") -> str | None:
    """The key of a work: its DOI, else its title, year and first author's family name; None when that is not known.

    Letters are compared without case, accents and marks. Two different DOIs never give the same key.

    >>> work_key(doi="10.1000/ABC")
    'doi:10.1000/abc'
    >>> work_key(title="Ice on the Rivers", year="1999", first_author="Poë")
    'title:iceontherivers|1999|poe'
    """
    if doi:
        return f"doi:{doi.casefold()}"
    letters = _letters(title)
    author = _letters(first_author)
    if len(letters) < _SHORTEST_TITLE or not re.fullmatch(r"\d{4}", year) or not author:
        return None
    return f"title:{letters}|{year}|{author}"


def work_iri(key: str) -> str:
    """The IRI of the work with a key: the first 16 hex digits of the key's SHA-256 behind a fixed base."""
    return f"{WORKS}{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in folded if char.isalnum())
