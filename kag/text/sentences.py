"""Sentence boundaries as verbatim spans, and DOIs or URLs that continue on the next line."""

from __future__ import annotations

import re

_END = re.compile(
    r"[.!?][\"'”’)\]]{0,2}(?:\s?\\\(\s?\^\{[^{}]{1,40}\}\s?\\\)|\s?\[\d[^\[\]]{0,40}\])?\s++"
    r"(?=[\"“(\['‘]?[^\W_a-zß-öø-ÿ]|\\\()"
)
_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?:et al|e\.g|i\.e|vs|cf|ca|approx|[Ff]igs?|[Tt]abs?|[Ee]qs?|[Rr]efs?|[Ss]ecs?|[Nn]os?|spp?|subsp"
    r"|var|[DM]r|Mrs|Ms|[Pp]rof|St|[Vv]ol|pp|viz|resp|[Ss]uppl|Inc|Ltd|Co|[A-Z])\.$"
)
_LONGEST_ABBREVIATION = 8  # characters, with the stop


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a text's sentences in order, blanks around them left out; "et al." and "J. Doe" end none.

    >>> [text[slice(*span)] for text in ["Ice melts, see Fig. 2. Ödegård says so."] for span in sentences(text)]
    ['Ice melts, see Fig. 2.', 'Ödegård says so.']
    """
    found: list[tuple[int, int]] = []
    start = 0
    for end in _borders(text):
        found += stripped(text, start, end)
        start = end
    return tuple(found)


def stripped(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """A span without the blanks at its ends; none where it holds nothing else."""
    piece = text[start:end]
    bare = piece.strip()
    first = start + len(piece) - len(piece.lstrip())
    return ((first, first + len(bare)),) if bare else ()


def _borders(text: str) -> list[int]:
    found = []
    for match in _END.finditer(text):
        at = match.start()
        if text[at] != "." or not _ABBREVIATED.search(text, max(0, at - _LONGEST_ABBREVIATION), at + 1):
            found.append(match.end())
    return [*found, len(text)]


_LAST_TOKEN = re.compile(r"\S+$")
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
    token = _LAST_TOKEN.search(before)
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
