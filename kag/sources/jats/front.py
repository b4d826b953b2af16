"""What JATS says of the paper before its text: the metadata, and the front matter as it is printed."""

from __future__ import annotations

from collections.abc import Iterator

from kag.sources.draft import Draft
from kag.sources.jats.inline import words_in
from kag.sources.xml import Element, attribute, child, children, words_of
from kag.values.types import Metadata


def metadata_of(article: Element) -> Metadata:
    """Title, authors, year, identifiers, journal and language, as the publisher states them."""
    front = child(article, "front")
    meta, journal = child(front, "article-meta"), child(front, "journal-meta")
    ids = {one.get("pub-id-type", ""): words_of(one) for one in children(meta, "article-id")}
    title = child(journal, "journal-title-group", "journal-title")
    years = [words_of(child(one, "year")) for one in children(meta, "pub-date")]
    return Metadata(
        title=words_in(_title(meta)).plain if _title(meta) is not None else "",
        authors=tuple(_authors(meta)),
        year=min((year for year in years if year.isdigit()), default=""),
        doi=ids.get("doi", ""),
        arxiv=ids.get("arxiv", ""),
        journal=words_of(title if title is not None else child(journal, "journal-title")),
        language=attribute(article, "lang"),
        trusted=True,
    )


def front_drafts(front: Element | None) -> Iterator[Draft]:
    """Title, authors, affiliations, keywords as blocks; all else that is said there as data, which the text is not."""
    meta = child(front, "article-meta")
    for part in () if front is None else front:
        if part is not meta:
            yield from _data(part)
    for part in () if meta is None else meta:
        if part.tag in _WALKS:
            yield from _WALKS[part.tag](part)
        elif part.tag not in ("abstract", "trans-abstract"):
            yield from _data(part)


def _contributors(group: Element) -> Iterator[Draft]:
    """The line of authors; editors are data."""
    names = ", ".join(_names(group)) if _is_of_authors(group) else ""
    if names:
        yield Draft(1, "text", names, plain=names)
    yield from _data(group)
    for aff in children(group, "aff") if names else ():
        yield from _affiliation(aff)


def _title(meta: Element | None) -> Element | None:
    title = child(meta, "title-group", "article-title")
    return title if title is not None else child(meta, "article-title")


def _titles(group: Element) -> Iterator[Draft]:
    title = words_in(group, frozenset({"fn-group", "alt-title", "trans-title-group"}))
    yield Draft(1, "title", title.text, plain=title.plain, marks=title.marks)
    for part in children(group, "alt-title", "trans-title-group", "fn-group"):
        yield from _data(part)


def _text(label: str, element: Element) -> Draft:
    words = words_in(element)
    return Draft(1, label, words.text, plain=words.plain, marks=words.marks, key=attribute(element, "id"))


def _affiliation(aff: Element) -> Iterator[Draft]:
    """An affiliation; one that consists of fields alone has commas between them."""
    if _says_by_itself(aff):
        yield _text("text", aff)
        return
    label = words_of(child(aff, "label"))
    fields = (words_in(one).plain for one in aff if one.tag != "label")
    line = f"{label} {', '.join(filter(None, fields))}".strip()
    yield Draft(1, "text", line, plain=line, key=attribute(aff, "id"))


def _says_by_itself(element: Element) -> bool:
    between = (element.text or "") + "".join(part.tail or "" for part in element)
    return any(sign.isalnum() or sign == "," for sign in between)


def _notes(notes: Element) -> Iterator[Draft]:
    for one in notes:
        yield _text("footnote", one)


def _data(element: Element) -> Iterator[Draft]:
    words = " ".join(" ".join(element.itertext()).split())
    if words:
        yield Draft(1, "metadata", words, plain=words)


def _keywords(group: Element) -> Iterator[Draft]:
    title = words_of(child(group, "title")) or "Keywords"
    line = f"{title.rstrip(':')}: " + "; ".join(words_in(one).plain for one in group if one.tag != "title")
    yield Draft(1, "text", line, plain=line)


def _is_of_authors(group: Element) -> bool:
    kinds = {one.get("contrib-type", "author") for one in children(group, "contrib")}
    return not kinds or "author" in kinds


def _authors(meta: Element | None) -> Iterator[str]:
    for group in children(meta, "contrib-group"):
        if _is_of_authors(group):
            yield from _names(group)


def _names(group: Element) -> Iterator[str]:
    """The authors of a group, "Given Family"."""
    for contrib in children(group, "contrib"):
        if contrib.get("contrib-type", "author") != "author":
            continue
        whole = next((one for one in contrib.iter("name", "string-name", "collab")), None)
        if whole is None:
            continue
        parts = [words_of(child(whole, tag)) for tag in ("given-names", "surname", "suffix")]
        name = " ".join(filter(None, parts)) or words_of(whole)
        if name:
            yield name


_WALKS = {
    "title-group": _titles,
    "contrib-group": _contributors,
    "aff": _affiliation,
    "author-notes": _notes,
    "kwd-group": _keywords,
}
