"""Fields of one printed reference, for the common styles of print, by rules alone.

Identifiers are cut out first, then names are read from the front and numbers (volume, pages, year) from the back;
what is left between them is title and container. A field that is not clearly there stays empty.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kag.references.confidence import confidences
from kag.references.entry_titles import clean_container, container_behind, read_titles
from kag.references.identifiers import cut_identifiers, find_dois
from kag.references.imprint import cut_editors, cut_imprint
from kag.references.names import group_name, read_names
from kag.references.place import YEAR, Place, read_place
from kag.references.publication_kinds import kind_of
from kag.references.quotes import quoted_title
from kag.references.record import Reference
from kag.references.trimming import tidy, without_marks

__all__ = ["Reference", "find_dois", "parse_reference"]

_LONGEST = 4000  # characters; what an entry prints behind them is no field
_YEAR_AFTER_NAMES = re.compile(
    rf"[\s,.:]*[(\[](?P<year>{YEAR})(?P<suffix>[a-z]?)(?:[,/;–-][^()]{{0,30}}?)?[)\]][\s.,:]*"
    rf"|(?:[\s,.]+|(?<=[\s,.]))(?P<year2>{YEAR})(?P<suffix2>[a-z]?)(?:[.,:]\s*|\s+)(?![\s\d(:;])"
    r"|[\s,.]*\(?(?:n\.\s?d\.|in press|forthcoming|submitted)[a-z]?\)?[\s.,:]+"
)
_UNREAD_NAMES = re.compile(
    rf"[^()\d:\"“]{{0,200}}\((?P<year>{YEAR})(?P<suffix>[a-z]?)(?P<year2>)(?P<suffix2>)\)[.,:]?\s+(?=\S+\s\S+)"
)
_LOWER_WORD = re.compile(r"(?<!\S)[a-z]{2,}")
_ANY_YEAR = re.compile(rf"(?<![\d–\-/.:])(?P<year>{YEAR})(?P<suffix>[a-z]?)(?![\d–\-/]|\.\d)\b")
_UNSETTLED = re.compile(
    r"[,.;\s(\[]{1,3}(?:(?:private|personal)\scommunication|these\sproceedings|(?:manuscript\s)?in\spreparation|unpublished"
    r"|to\sbe\s(?:published|submitted|publ\b)|to\sappear(?:\s(?:in|on)(?![a-z]))?|submitted\sto|accepted\sfor\spublication)\b[)\].,]{0,2}"
)
_TITLED = frozenset(("vancouver", "group", "glued", "eastern"))  # styles of names whose lists print titles
_SECTION = re.compile(r"(?P<section>[A-HX])-?(?P<volume>\d{1,4})$")
_SECTIONED = re.compile(r"(?:\b(?:Phys|Rev|Lett|Review|Letters|Nucl|J|Acta|Math|Trans|Soc|Proc|Ser|Cryst)\.?|[a-z]\.)$")


def parse_reference(text: str) -> Reference:
    """Read the fields of one entry, printed without its number.

    >>> found = parse_reference("Coffelt SB, de Visser KE. A title. Trends Immunol. 2015;36:198–216.")
    >>> found.title, found.container, found.year, found.volume, found.first_page, found.last_page
    ('A title', 'Trends Immunol', '2015', '36', '198', '216')
    """
    ids = cut_identifiers(" ".join(text[:_LONGEST].split()))
    words, mark = without_marks(_UNSETTLED.sub(". ", tidy(ids.rest)).strip(" ,;"))
    names = read_names(words)
    names = names if names.people else group_name(words)
    start, year, suffix = _year_behind(words, names.end)
    body = words[start:]
    quoted = quoted_title(body, named=bool(names.people))
    behind = body[quoted[1] :] if quoted else body
    place = read_place(behind, dated=bool(year))
    head, tail = (behind, "") if place.start < 0 else (behind[: place.start], behind[place.end :])
    imprint = cut_imprint(head, placed=bool(place.volume), ended=bool(place.year))
    comma = bool(names.people) and _runs_on(words, names.end, start, dated=bool(year))
    if quoted:
        titled = replace(container_behind(imprint.rest), title=quoted[0])
    else:
        numbered = place.placed and not (imprint.publisher and not place.volume)
        titled = read_titles(imprint.rest, comma_style=comma, placed=numbered, bare=names.style not in _TITLED)
    editors, container = cut_editors(titled.container) if titled.container else ((), "")
    place, container = _section_letter(place, clean_container(container))
    if not imprint.publisher and tail.strip(" .,;"):
        late = cut_imprint(f". {tail}", placed=True)
        imprint = replace(late, edition=imprint.edition or late.edition)
    if not year:
        year, suffix = (place.year, place.suffix) if place.year else _last_year(words[names.end :])
    fields = (
        names.people, names.more, titled.title, year, suffix, ids.doi, container, place.volume, place.first, place.last,
        place.issue, editors, ids.arxiv, ids.pmid, ids.pmcid, ids.url, imprint.publisher, imprint.place, imprint.edition,  # noqa: E501
    )  # fmt: skip
    found = Reference(*fields)
    sure = confidences(found, place, titled, dated=start > names.end, style=names.style, named=imprint.named)
    return Reference(*fields, kind_of(words, found, mark, in_book=titled.how == "in"), sure)


def _runs_on(words: str, end: int, start: int, *, dated: bool) -> bool:
    """True when names and year end with a comma or nothing, so that the title may end with a comma too."""
    between = words[end:start]
    if dated:
        return "." not in between and (")" not in between or between.rstrip().endswith(","))
    return words[start:].lstrip().startswith(",") or words[:start].rstrip().endswith(",")


def _year_behind(words: str, end: int) -> tuple[int, str, str]:
    """Where the words behind the names start, with the year that stands directly behind them passed over."""
    found = _YEAR_AFTER_NAMES.match(words, end)
    if not found and end:
        found = _UNREAD_NAMES.match(words, end)
        if found and len(_LOWER_WORD.findall(words, end, found.start("year"))) > 3:
            return end, "", ""
    if not found:
        return end, "", ""
    return found.end(), found["year"] or found["year2"] or "", found["suffix"] or found["suffix2"] or ""


def _last_year(text: str) -> tuple[str, str]:
    found = list(_ANY_YEAR.finditer(text))
    return (found[-1]["year"], found[-1]["suffix"]) if found else ("", "")


def _section_letter(place: Place, container: str) -> tuple[Place, str]:
    """ "Phys. Rev. D68" is volume 68 of Phys. Rev. D: the letter of a series that is glued to a volume."""
    glued = _SECTION.match(place.volume)
    if not glued or not _SECTIONED.search(container):
        return place, container
    return replace(place, volume=glued["volume"]), f"{container} {glued['section']}"
