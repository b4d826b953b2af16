"""Publisher and place of a work, its edition, and the editors of the book that contains it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.indexing.references.names import UPPER, Name, read_names

_HOUSE = re.compile(
    r"\b(?=[A-ZÉ])(?:Press(?=\s*(?:[,.:;)(\]]|$|Inc|Ltd|Syndicate|\d))|Presses|Verlag|Verlags?gesellschaft|Publish(?:ers?|ing)(?:\sCo\w*)?|Publications?|Publ\.|Springer|Wiley|Elsevier|Kluwer"
    r"|Academic(?=\s?[,.:;)(]|\sPress|$)|Birkh(?:ä|a|ae)user|World\s?Scientific|McGraw|Prentice|Addison|Routledge|Sage|SAGE|Macmillan|Palgrave"
    r"|Blackwell|Pergamon|Plenum|Dover|Benjamin|North[- ]Holland|Gordon\s(?:and|&)\sBreach|Taylor\s(?:and|&)\sFrancis"
    r"|Oxford\sUniv\w*|Cambridge\sUniv\w*"
    r"|Morgan\sKaufmann|O['’]Reilly|Éditions|Editions?\sdu|Editorial|Ediciones|Casa\sEditrice|Dekker|Masson|Dunod|Gallimard|Harper|Norton|Penguin"
    r"|Lippincott|Saunders|Mosby|Thieme|Hogrefe|Vieweg|Teubner|Gruyter|Brill|Reidel|Nijhoff|Erlbaum|Earthscan|Interscience|Freeman|Longman"
    r"|CRC|SIAM|Nauka|Mir|Artech|InTech|Éd\.|American\s(?:Mathematical|Chemical|Psychiatric|Psychological)\s(?:Society|Association|Publishing))\b"
)
_SERIAL = re.compile(r"\s(?:J\b|Journal\b|Rev\b|Review\b|Proc\b|Lecture\b)")
_EDGE = re.compile(r"[.,;:()]\s|[():;]|[,.](?=$)")
_LEFT = re.compile(r"[;()“”\"]|(?<!Univ)(?<!Acad)[.,:]\s")
_PLACE = re.compile(
    rf"\s*(?P<place>[{UPPER}][^\W\d]*(?:[\s/–-]{{1,3}}[{UPPER}a-z][^\W\d_]*\.?){{0,3}}(?:,\s(?:[A-Z]{{2,3}}|[A-Z]\.\s?[A-Z]\.|[{UPPER}][^\W\d_]+))?)\s*$"
)
_THESIS = re.compile(
    r"[\s,.;:(\[]{1,3}(?:(?:Ph\.?\s?D|D\.?\s?Phil|Dr|[Dd]octoral|[Mm]aster(?:['’]?s)?|M\.?\s?Sc|M\.?\s?S|[Dd]iploma|[Bb]achelor['’]?s?|Unpublished)\b[.,]{0,2}\s?){0,2}"
    r"(?:[Tt]hesis|[Dd]issertation|[Tt]hèse|[Dd]iplomarbeit|[Hh]abilitationsschrift|[Tt]esis)\b[\s.,:)\]]*(?:[Uu]npublished[\s.,]*)?"
)
_LAST_PIECE = re.compile(rf",\s(?P<piece>[{UPPER}][^\W\d_]+(?:[\s/-][{UPPER}][^\W\d_]+)?)\s*[,.(]{{0,2}}\s*$")
_EDITION = re.compile(
    r"[\s,.(]{1,3}(?P<edition>\d{1,2}(?:st|nd|rd|th|ª|\.)?|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Rr]ev(?:ised|\.))\s?"
    r"(?:[Ee]d(?:ition|n)?\b\.?|Aufl(?:age)?\b\.?|éd(?:ition)?\b\.?)\)?"
)
_EDITED = re.compile(
    r"[\s,.;(]{0,3}(?:\b(?:[Ee]ds?|EDS?)\b\.?(?:\s?by)?|\b[Ee]dited\sby|\b[Éé]diteurs?\s?:|\bHrsg\b\.?(?:\svon)?)[\s:.,]{0,3}(?=\S)"
)
_EDITORS = re.compile(
    r"[\s,]{0,2}\(?\b(?:[Ee]ds?\b|EDS?\b|[Ee]ditors?\b|Hrsg\b|Éds?\b|[Cc]oords?\b|dir\b)\.?\)?[\s.,:]*"
)


@dataclass(frozen=True, slots=True)
class Imprint:
    """Publisher, place and edition; `rest` is the text without them."""

    rest: str
    publisher: str = ""
    place: str = ""
    edition: str = ""
    named: bool = False  # the publisher is one by its name, not only by where it stands


def cut_imprint(head: str, *, placed: bool, ended: bool = True) -> Imprint:
    """Cut publisher, place and edition off the end of the text before the year.

    >>> cut_imprint("Waves on ice (Example Press, Oslo,", placed=False).publisher
    'Example Press'
    """
    thesis = _THESIS.search(head) if not placed else None
    if thesis and thesis.start() > 2:
        school, _, town = head[thesis.end() :].strip(" ,.;:()").partition(", ")
        return Imprint(f"{head[: thesis.start()]}. ", school, town.strip(" ,.;:()"), named=True)
    edition = _EDITION.search(head)
    words = f"{head[: edition.start()]}. {head[edition.end() :].lstrip(' .,')}" if edition else head
    imprint = _bracketed(words) if not placed else None
    imprint = imprint or _house(words) or (_town(words) if ended and not placed else None)
    rest = imprint.rest if imprint else words
    return Imprint(rest, imprint.publisher if imprint else "", imprint.place if imprint else "",
                   edition["edition"] if edition else "", bool(imprint and imprint.named))  # fmt: skip


def _bracketed(words: str) -> Imprint | None:
    """ "Title (Publisher, Place," with the year behind it."""
    opened = words.rfind("(")
    if opened < 3 or ")" in words[opened:]:
        return None
    first, comma, rest = words[opened + 1 :].strip(" ,.;").partition(",")
    if not first or not first[0].isupper() or len(first.split()) > 6:
        return None
    town, colon, house = first.partition(":")
    if colon and house.strip():
        return Imprint(words[:opened], house.strip(), town.strip(), named=bool(_HOUSE.search(house)))
    if _HOUSE.search(first) or comma:
        return Imprint(words[:opened], first.strip(), rest.strip(" ,"), named=bool(_HOUSE.search(first)))
    return None


def _town(words: str) -> Imprint | None:
    """ "A title, Oslo" with the year behind it: a town, or a body by its initials."""
    match = _LAST_PIECE.search(words)
    if not match or words[: match.start()].count(" ") < 2:
        return None
    piece = match["piece"]
    house = piece if piece.isupper() else ""
    return Imprint(f"{words[: match.start()]}. ", house, "" if house else piece)


def _house(words: str) -> Imprint | None:
    """The piece between two marks that names a publishing house, with the place on its one or other side."""
    houses = list(_HOUSE.finditer(words))
    if not houses:
        return None
    match = houses[-1]
    lefts = [mark.end() for mark in _LEFT.finditer(words, 0, match.start() + 1) if mark.end() <= match.start()]
    start = lefts[-1] if lefts else 0
    right = _EDGE.search(words, match.end())
    end = right.start() if right else len(words)
    publisher = words[start:end].strip(" ,.;:&")
    if (
        not start
        or _SERIAL.search(publisher)
        or len(publisher.split()) > 7
        or not publisher[:1].isupper()
        or publisher.startswith("In ")
    ):
        return None
    before, behind = words[:start].rstrip(" ,.;("), words[end:].lstrip(" ,.;:")
    return _with_town(before, publisher, behind)


def _with_town(before: str, publisher: str, behind: str) -> Imprint:
    if before.endswith(":"):
        cut = max(before.rfind(mark) for mark in (". ", "(", "? ", ", "))
        town = _PLACE.match(before[cut + 1 : -1]) if cut > 0 else None
        if town:
            return Imprint(f"{before[:cut]}. ", publisher, town["place"], named=True)
    town = _PLACE.match(behind.strip(" ,.;)"))
    rest = "" if town or len(behind.split()) < 4 else behind
    return Imprint(f"{before}. {rest}".rstrip(" "), publisher, town["place"] if town else "", named=True)


def cut_editors(text: str) -> tuple[tuple[Name, ...], str]:
    """The editors printed before or behind a book's title, and the text without them.

    >>> people, rest = cut_editors("Lee S, Poe E (eds) Ice on rivers")
    >>> [str(name) for name in people], rest
    (['Lee, S', 'Poe, E'], 'Ice on rivers')
    """
    if not _EDITED.search(text) and not _EDITORS.search(text):
        return (), text
    first = read_names(text)
    mark = _EDITORS.search(text, max(0, first.end - 12), first.end + 12) if first.people else None
    if mark:
        return first.people, text[mark.end() :].lstrip(" ,.:;)")
    edited = _EDITED.search(text)
    if edited and edited.start() > 3:
        names = read_names(text[edited.end() :])
        behind = text[edited.end() + names.end :].lstrip(" ,.:;)")
        return names.people, text[: edited.start()] + (f". {behind}" if behind and names.people else "")
    return (), text
