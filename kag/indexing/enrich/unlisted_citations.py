"""Citation call-outs of a paper whose reference list was not found.

Style and length of the list are inferred from the texts: the numbers of a list count from 1 without gaps, and names
with years are believed where several of them are of the kind that nothing else is ("et al.", two surnames).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rdflib import URIRef

from kag.indexing.enrich.bibliography import in_order, list_length
from kag.indexing.enrich.citations import Citation, Citations, apart
from kag.indexing.enrich.mentions import HOSTS, add_mention
from kag.indexing.enrich.numeric_citations import Mark, flat_marks, numeric_marks
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace

_LONGEST = 999  # entries; larger numbers are years
_FEWEST = {"bracket": 2, "superscript": 4, "paren": 5, "author-year": 3, "flat": 8}  # entries that prove a style
_IN_ORDER = 0.7  # of the numbers in round brackets must be cited in order, which other numbers are not

_WORD = r"[^\W\d_a-z][^\W\d_]*(?:\s?[´¨`’']\s?[^\W\d_]+|-\s?[^\W\d_]+){0,3}"  # "Kamin ´ski": accents come apart
_NAME = rf"(?:(?:van|von|de[nrlt]?|della|di|da|du|la|le|el|al|ter?|zu[rm]?)\s){{0,3}}{_WORD}"
_YEAR = r"(?:(?:1[6-9]|20)\d\d|n\.\s?d\.|in press|forthcoming)"
_YEARS = rf"{_YEAR}(?:[a-z]\b)?(?:,\s?(?:(?:1[6-9]|20)\d\d)?[a-z]?\b){{0,6}}(?![\w–-])"
_NAMED = re.compile(
    rf"(?<![\w-]){_NAME}(?:(?P<more>,?\s(?:et\sal\b\.?,?|and\s(?:colleagues|co-?workers|others)))"
    rf"|(?P<two>(?:,\s{_NAME}){{0,6}},?\s(?:and|&)\s{_NAME}(?:\set\sal\.?)?))?(?:['’]s)?,?\s\(?(?P<years>{_YEARS})"
)
_NOT_A_NAME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct|Nov|Dec|In|Since|From|Until|During|Before|After|By|Between|Of|The|Spring|Summer|Autumn|Fall|Winter"
    r"|Version|Release|Windows|Office|Excel|Access|Copyright|Year|Figure|Fig|Table|Section|Early|Late|Mid|And|To|On|At"
    r"|Directive|Act|Law|Regulation|Committee|University|Inc|Ltd|Corp|Corporation|Software|Edition|Statistics)$"
)


def apply(workspace: Workspace) -> int:
    """Keep the call-outs of a paper of which no list was found, as cross-references to a "reference".

    They lead nowhere, but what is printed is not lost. Returns the triples added.
    """
    if workspace.of_type(DEO.BibliographicReference):
        return 0
    hosts = workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table))
    texts = [workspace.text(host) for host in hosts]
    added = 0
    for found in find_unlisted(texts).found:
        host, surface = hosts[found.host], texts[found.host][found.start : found.end]
        new = add_mention(workspace, (host, found.start, surface), KAG.CrossReference, KAG.refersTo, ())
        if new:
            added += new + workspace.state(URIRef(f"{host}-m{found.start}"), KAG.targetKind, "reference")
    return added


def find_unlisted(texts: Sequence[str]) -> Citations:
    """The call-outs of a paper's texts without its list; `numbers` are those printed, none for author and year.

    The style is the one that cites most different entries, and has enough of them to be no coincidence.
    """
    by_style: dict[str, list[Citation]] = {style: [] for style in _FEWEST}
    worded: list[tuple[int, Mark]] = []
    marks: dict[str, list[tuple[int, Mark]]] = {style: [] for style in _FEWEST}
    for host, text in enumerate(texts):
        for mark in numeric_marks(text, _LONGEST):
            (worded if mark.style == "worded" else marks[mark.style]).append((host, mark))
    for style, placed in marks.items():
        by_style[style] = _counted(style, placed)
    by_style["author-year"] = _named(texts)
    by_style["flat"] = _citations(flat_marks(texts, _LONGEST))
    reach = {style: _reach(texts, found) for style, found in by_style.items()}
    style = max(_FEWEST, key=lambda name: reach[name] if reach[name] >= _FEWEST[name] else -1)
    if reach[style] < _FEWEST[style]:
        return Citations("", ())
    numbers = {number for citation in by_style[style] for number in citation.numbers}
    named = _citations([(host, mark) for host, mark in worded if numbers.issuperset(mark.numbers)])
    by_style[style] += apart(named, by_style[style])
    return Citations(style, tuple(sorted(by_style[style], key=lambda citation: (citation.host, citation.start))))


def _counted(style: str, placed: list[tuple[int, Mark]]) -> list[Citation]:
    """The numeric call-outs of a style that lie within the list they count through."""
    certain = [mark.numbers for _, mark in placed if not mark.doubtful]
    length = list_length(number for numbers in certain for number in numbers)
    within = [numbers for numbers in certain if max(numbers) <= length]
    if style == "paren" and in_order(within) < _IN_ORDER:
        return []
    cited = {number for numbers in within for number in numbers}
    kept = [(host, mark) for host, mark in placed if max(mark.numbers) <= length]
    return _citations([(host, mark) for host, mark in kept if not (mark.doubtful and cited.intersection(mark.numbers))])


def _citations(placed: list[tuple[int, Mark]]) -> list[Citation]:
    return [Citation(host, mark.numbers, mark.start, mark.end) for host, mark in placed]


def _named(texts: Sequence[str]) -> list[Citation]:
    """Call-outs by name and year; single names only beside enough that cannot be anything else."""
    found: list[Citation] = []
    proofs: set[str] = set()
    for host, text in enumerate(texts):
        for named in _NAMED.finditer(text):
            if named["more"] or named["two"]:
                proofs.add(_folded(named.group()))
            elif _NOT_A_NAME.match(named.group().split()[0].rstrip(",")):
                continue
            found.append(Citation(host, (), *named.span()))
    return found if len(proofs) >= _FEWEST["author-year"] else []


def _reach(texts: Sequence[str], found: Sequence[Citation]) -> int:
    numbers = {number for citation in found for number in citation.numbers}
    return len(numbers) or len({_folded(texts[cited.host][cited.start : cited.end]) for cited in found})


def _folded(surface: str) -> str:
    return " ".join(re.findall(r"\w+", surface))
