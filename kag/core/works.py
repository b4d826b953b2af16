"""Keys that identify cited works and authors across citation styles."""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from urllib.parse import quote

WORKS = "http://la3d.local/kag/work/"
DOIS = "https://doi.org/"
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/(?P<suffix>\S*[^\W_]|\S+[)\]>#*])")
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_IN_PATHS = "/:@!$&'()*+,;="  # signs that a path of an IRI may hold as they are (RFC 3986)
_SHORTEST_TITLE = 12  # letters; a shorter title ("Editorial") with year and author does not name one work


def work_key(*, doi: str = "", title: str = "", year: str = "", first_author: str = "") -> str | None:
    """The key of a work: its DOI, else its title, year and first author's family name; None when that is not known.

    Letters are compared without case, accents and marks. Two different DOIs never give the same key, and one that is
    not whole gives none.

    >>> work_key(doi="10.1000/ABC")
    'doi:10.1000/abc'
    >>> work_key(title="Ice on the Rivers", year="1999", first_author="Poë")
    'title:iceontherivers|1999|poe'
    """
    if is_whole_doi(doi):
        return f"doi:{doi.casefold()}"
    letters = _letters(title)
    author = _letters(first_author)
    if len(letters) < _SHORTEST_TITLE or not re.fullmatch(r"\d{4}", year) or not author:
        return None
    return f"title:{letters}|{year}|{author}"


def is_whole_doi(doi: str) -> bool:
    """Whether a DOI can be whole: its brackets are closed, it ends with no separator, and more than a journal is named.

    A DOI that the end of a line cut names a journal or publisher, not a work, so nothing may be joined by it.

    >>> is_whole_doi("10.1016/j.jriver.2005.01"), is_whole_doi("10.1016/j.jriver"), is_whole_doi("10.1002/(SICI)1099")
    (True, False, True)
    """
    match = _DOI.fullmatch(doi)
    if not match or any(doi.count(opener) != doi.count(closer) for opener, closer in ("()", "[]", "<>")):
        return False
    suffix = match["suffix"]
    return any(map(str.isdigit, suffix)) or "." not in suffix


def work_iri(key: str) -> str:
    """The IRI of the work with a key: the first 16 hex digits of the key's SHA-256 behind a fixed base."""
    return f"{WORKS}{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def person_iri(work: str, name: str) -> str:
    """Return the IRI of an author of a work by printed name: the same for a name within one work, never beyond it.

    It is the work's with the first 12 hex digits of the name's SHA-256. Names are compared as they are printed, so that
    a person has one name, whichever papers print it.
    """
    printed = unicodedata.normalize("NFC", " ".join(name.split()))
    return f"{work}-{hashlib.sha256(printed.encode()).hexdigest()[:12]}"


def doi_iri(doi: str) -> str:
    """The IRI by which the world knows a DOI: small letters, as DOIs make no difference; odd characters are encoded.

    >>> doi_iri("10.1002/(SICI)1097<1661::AID>3.0.CO;2-2")
    'https://doi.org/10.1002/(sici)1097%3C1661::aid%3E3.0.co;2-2'
    """
    return DOIS + quote(doi.translate(_LOWER), safe=_IN_PATHS, errors="replace")


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in folded if char.isalnum())
