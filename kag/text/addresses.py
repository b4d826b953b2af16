"""DOIs and URLs that go on in the next line: there no blank stands between, and a hyphen stays."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\S+$")
_DOI = re.compile(r"10\.\d{4,9}/(?P<suffix>\S*)$")
_DOI_BEGINS = re.compile(r"(?:doi:|doi\.org/)10\.?$|(?:doi:|doi\.org/)10\.\d{4,9}$", re.I)
_URL = re.compile(r"(?:https?://|www\.)\S*$", re.I)
_PART = re.compile(r"[\w.,()<>:;/?&=#%~+-]+")  # what a part of an address is made of
_YEAR = re.compile(r"\(?(?:19|20)\d\d[a-z]?\)?[.,;:]?")
_TIED = "/_=&?#%~(<"  # no address ends with these but for "/"
_OPEN = (("(", ")"), ("<", ">"), ("[", "]"))


def goes_on(before: str, after: str) -> bool:
    """Whether an address at the end of a line goes on in the next one.

    >>> goes_on("doi:10.5555/", "2630667.3380945."), goes_on("https://example.org/", "Accessed 3 May")
    (True, False)
    """
    token = _TOKEN.search(before)
    words = after.split()
    if not token or not words or not _PART.fullmatch(words[0]):
        return False
    if _DOI_BEGINS.search(token[0]):
        return words[0][0].isdigit() or words[0][0] in "./"
    if doi := _DOI.search(token[0]):
        return _doi_goes_on(doi["suffix"], words)
    url = _URL.search(token[0])
    return bool(url) and _url_goes_on(url[0] if url else "", words)


def _doi_goes_on(suffix: str, words: list[str]) -> bool:
    part = words[0]
    numbered = any(map(str.isdigit, part))
    if not suffix or suffix[-1] in _TIED or any(suffix.count(a) > suffix.count(b) for a, b in _OPEN):
        return numbered or len(words) == 1
    if suffix[-1] in "-–":
        return numbered or part[0].islower() or len(words) == 1
    if not numbered or part[0].isupper():
        return False
    dated = bool(_YEAR.fullmatch(part)) and any(map(str.isdigit, suffix))
    if suffix[-1] == ".":
        return not dated
    return part[0] in "-./_:;<(" or (len(words) == 1 and not dated)


def _url_goes_on(url: str, words: list[str]) -> bool:
    part = words[0]
    if part[0].isupper() or part[0] in "([":
        return False
    linked = any(mark in part.rstrip(".,;") for mark in "/._-=?&#")
    if url[-1] in "-_=&?#%~":
        return True
    if url[-1] in "/.:":
        return linked or len(words) == 1
    return part[0] in "/?&=#_%" or (part[0] == "-" and len(part) > 1)
