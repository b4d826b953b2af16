"""Authors and affiliations as printed: names without marks and degrees, and who belongs to which affiliation.

Marks lead from names to affiliations. Without marks, an affiliation belongs to the authors printed right before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.core.types import Block
from kag.text.plain import plain
from kag.text.section_titles import bare

MARKS = re.compile(  # what is printed behind names: superscripts and other signs of affiliations
    r"\s?(?:\\\(|\$)\s?(?:\{\})?[\^_]\{?[^\\${}]{0,40}\}?\s?(?:\\\)|\$)|<sup>[^<]{0,40}</sup>|\^\{[^{}]{0,40}\}"
    r"|\s?\((?:\d{1,2}|[a-z])(?:,\s?(?:\d{1,2}|[a-z]))*\)|[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶‖✉⋆]+(?:,[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶‖✉⋆]+)*|(?<=[^\W\d_])\d{1,2}(?:,\d{1,2})*\b"
    r"|\s\d{1,2}(?:\s?,\s?\d{1,2}){0,20}(?=\s*(?:[,;·•*]|and\b|&|$))"
)
_BETWEEN = re.compile(r"\s*(?:[,;·•|]|\n|\s[-–—]\s|(?<!\S)(?:and|AND|und|et)(?!\S)(?!\sal\b)|&)\s*")
_DEGREE = re.compile(
    r"(?:M\.?D|Ph\.?D|M\.?Sc|B\.?Sc|M\.?P\.?H|Dr|Prof|MBBS|FRCP|RN|DVM|PharmD|iD|ID|IEEE"
    r"|(?:Student |Senior |Life )*(?:Member|Fellow)(?: of)?)\.?",
    re.IGNORECASE,
)
_TITLES = re.compile(r"(?:\s(?:M\.?D|Ph\.?D|M\.?Sc|MPH|MBBS|iD)\.?)+\s*$|^(?:Dr|Prof)\.?\s+")
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV)\.?")
_NAME = re.compile(r"[^\W\d_][^\d@:/]{1,60}")
_LEAD = re.compile(r"^\s*(?:by|authors?)\s*:?\s+", re.IGNORECASE)
_BEHALF = re.compile(r"(?:on behalf of|for the|the members of)\b", re.IGNORECASE)
_NOTES = re.compile(r"\n\s*(?:\n|\\\(|\$|<sup>|\^|[¹²³⁴⁵⁶⁷⁸⁹*†‡]|\d\s|[a-z]\s)")  # affiliations below the names
_ORCID = re.compile(r"\[?\b\d{4}(?:[−–-]\d{4}){2}[−–-]\d{3}[\dX]\]?|\(?https?://\S+|\\\(\s*\^\{\[[\d−–-]+X?\]\}\s*\\\)")
_ADDRESS = re.compile(r"[\w.+{},-]{1,200}@[\w.-]{1,100}")
_MARK = re.compile(r"[1-9]\d?|(?<![A-Za-z])[a-z](?![A-Za-z])|[*∗†‡§¶‖#]")
_PLAIN_MARK = re.compile(r"(?:^|\n)[ \t]*(\d{1,2}|[a-z]|[*∗†‡§¶])[.)]?\s+(?=[A-Z])")
_INNER_MARK = re.compile(r"(?<=[,;.]\s)(\d{1,2})(?=\s?[A-Z][a-z])")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_IS_WITH = re.compile(r"\s(?:is|are)(?: also)? with (?:the )?(?P<place>[^()@]{5,200}?)(?=\s?\(|\.(?:\s|$)|;)")
_BEFORE = re.compile(r"[);]|\w{2}\.\s")  # what ends the sentence before
_STATED = 200  # characters in which the names stand before that
_OPEN = re.compile(r"(?:[,;&·•]|\band|\bund|\b[A-Z]\.)$")


@dataclass(frozen=True, slots=True)
class Author:
    """An author, the marks printed behind the name, and the affiliations that these lead to."""

    name: str
    marks: tuple[str, ...] = ()
    affiliations: tuple[str, ...] = ()


def split_authors(text: str) -> tuple[str, ...]:
    """Split a printed author list into names without affiliation marks and degrees; none if any part is not a name.

    >>> split_authors(r"Florian Uhl \\( ^{1} \\) , Max Ringler \\( ^{2,3} \\)  and Ann Lee*")
    ('Florian Uhl', 'Max Ringler', 'Ann Lee')
    """
    found = list(_names(_NOTES.split(text.strip())[0]))
    return () if any(author is None for author in found) else tuple(dict.fromkeys(a.name for a in found if a))


def _names(text: str) -> Iterator[Author | None]:
    """Return the names of a list in order with their marks; None for each part that is not a name."""
    waiting: Author | None = None
    marked = MARKS.sub(_as_token, _ORCID.sub(" ", text))
    for part in _BETWEEN.split(_LEAD.sub("", plain(marked))):
        marks = tuple(mark for token in re.findall(r"\x01([^\x02]*)\x02", part) for mark in token.split("+") if mark)
        bare = re.sub(r"\x01[^\x02]*\x02", " ", part)
        name = " ".join(_TITLES.sub("", bare).strip(" .,").split())
        if waiting and not name:
            waiting = replace(waiting, marks=waiting.marks + marks)
        elif waiting and (_SUFFIX.fullmatch(bare.strip(" ,")) or _DEGREE.fullmatch(name) or _BEHALF.match(name)):
            suffix = f" {bare.strip(' ,')}" if _SUFFIX.fullmatch(bare.strip(" ,")) else ""
            waiting = replace(waiting, name=waiting.name + suffix, marks=waiting.marks + marks)
        elif not name or _DEGREE.fullmatch(name) or _BEHALF.match(name):
            continue
        else:
            if waiting:
                yield waiting
            waiting = Author(name, marks) if _NAME.fullmatch(name) and len(name.split()) <= 6 else None
            if waiting is None:
                yield None
    if waiting:
        yield waiting


def _as_token(match: re.Match[str]) -> str:
    """Marks between two control characters, parted by plus signs; a name ends there."""
    return "\x01" + "+".join(_MARK.findall(match[0].translate(_SUPERSCRIPTS))) + "\x02 , "


def affiliations(text: str) -> dict[str, str]:
    """Affiliations by the mark printed before them; by their position where none is ("1" is not a mark then: "@1")."""
    marked = re.sub(_PLAIN_MARK, lambda m: f"\n\\( ^{{{m[1]}}} \\) ", text)
    if re.match(r"\s*\\\( \^\{1\} \\\)", marked):
        marked = re.sub(_INNER_MARK, lambda m: f"\\( ^{{{m[1]}}} \\) ", marked)
    pieces = re.split(r"(\\\(\s*(?:\{\})?\^\{[^{}]{1,12}\}\s*\\\)|[¹²³⁴-⁹]+|\n)", marked)
    found: dict[str, str] = {}
    mark = ""
    for piece in pieces:
        marks = _MARK.findall(piece.translate(_SUPERSCRIPTS)) if re.match(r"\\\(|[¹²³⁴-⁹]", piece) else []
        words = plain(_ADDRESS.sub(" ", piece)).strip(" ,;.\n") if not marks else ""
        if marks or piece == "\n":
            mark = marks[0] if marks else ""
        elif len(words) > 3:
            found.setdefault(mark or f"@{len(found) + 1}", words)
            mark = ""
    return found


def listed_authors(text: str) -> tuple[str, ...]:
    """Return the names of a list separated by semicolons, the given name first; none in a text without one.

    >>> listed_authors("Lovelace, Ada; Plato;"), listed_authors("Ada Lovelace")
    (('Ada Lovelace', 'Plato'), ())
    """
    parts = (name.partition(",") for name in text.split(";") if name.strip())
    return tuple(f"{given.strip()} {family.strip()}".strip() for family, _, given in parts) if ";" in text else ()


def authors(text: str, places: Mapping[str, str]) -> tuple[Author, ...]:
    """The authors of a printed list with their marks, and with the affiliations that have these marks."""
    names = split_authors(text)
    marks: dict[str, tuple[str, ...]] = {}
    for author in _names(_NOTES.split(text.strip())[0]):
        if author:
            marks.setdefault(author.name, author.marks)
    alone = tuple(places.values()) if len(places) == 1 and not any(marks.values()) else ()
    return tuple(
        Author(name, marks.get(name, ()), tuple(places[m] for m in marks.get(name, ()) if m in places) or alone)
        for name in names
    )


def labelled_authors(blocks: Sequence[Block]) -> tuple[Author, ...]:
    """Return the authors that a source labels as "author", in order.

    Where no mark leads to an affiliation, it belongs to the authors between the affiliation before and itself.
    """
    front = [block for block in blocks if block.label in ("author", "affiliation")]
    places: dict[str, str] = {}
    for block in front:
        if block.label == "affiliation":
            found = affiliations(block.text)
            places |= {mark: place for mark, place in found.items() if mark[0] != "@" and mark not in places}
    groups: list[tuple[list[Author], list[str]]] = []
    for block in front:
        if block.label == "author":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].extend(one for one in _names(block.text) if one and any(map(str.isupper, one.name)))
        elif groups:
            groups[-1][1].extend(_places_of(block))
    linked = {author.name: author for names, near in reversed(groups) for author in _linked(names, near, places)}
    order = dict.fromkeys(author.name for names, _ in groups for author in names)
    last = max((block.page for block in front), default=0)
    notes = " ".join(block.text for block in blocks if block.page <= last and block not in front[:1])
    stated = _stated(notes, list(order))
    return tuple(
        replace(linked[name], affiliations=linked[name].affiliations or stated.get(name, ())) for name in order
    )


def _stated(notes: str, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Affiliations that notes state in words: "A. Lee and B. Chen are with the Institute of Ice, Norland (e-mail: ...".

    The names are those of the list, or their initials with the family name.
    """
    found: dict[str, tuple[str, ...]] = {}
    for match in _IS_WITH.finditer(notes):
        place = plain(_ADDRESS.sub(" ", match["place"])).strip(" ,;.")
        who = bare(_BEFORE.split(notes[max(0, match.start() - _STATED) : match.start()])[-1])
        for name in names:
            if place and re.search(rf"(?<!\w){re.escape(bare(name.split()[-1]))}(?!\w)", who):
                found.setdefault(name, (place,))
    return found


def _places_of(block: Block) -> list[str]:
    """The affiliations of a block; lines without a comma between them get one."""
    found = affiliations(block.text)
    lines = [line.strip() for line in block.raw.split("\n")]
    if len(found) == 1 and next(iter(found))[0] == "@" and not any(_OPEN.search(line) for line in lines[:-1]):
        return [plain(_ADDRESS.sub(" ", ", ".join(lines))).strip(" ,;.")]
    return list(found.values())


def _linked(names: Sequence[Author], near: Sequence[str], places: Mapping[str, str]) -> Iterator[Author]:
    """Authors with the affiliations that their marks lead to, or with those printed near them."""
    for author in names:
        own = tuple(places[mark] for mark in author.marks if mark in places)
        yield replace(author, affiliations=own or (tuple(near) if not places or not author.marks else ()))
