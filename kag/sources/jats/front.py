"""JATS front matter: the metadata, and the front matter as it is printed."""

from __future__ import annotations

from collections.abc import Iterator

from kag.core.types import Metadata
from kag.sources.draft import Draft
from kag.sources.jats.inline import words_in
from kag.sources.xml import Element, attribute, child, children, words_of

_EVENTS = {"received": "received", "rev-recd": "revised", "accepted": "accepted"}
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip


def metadata_of(article: Element) -> Metadata:
    """Title, authors, year, identifiers, journal and language, as the publisher states them."""
    front = child(article, "front")
    meta = child(front, "article-meta")
    ids = {one.get("pub-id-type", ""): words_of(one) for one in children(meta, "article-id")}
    years = [words_of(child(one, "year")) for one in children(meta, "pub-date")]
    return Metadata(
        title=words_in(_title(meta)).plain if _title(meta) is not None else "",
        authors=tuple(_authors(meta)),
        year=min((year for year in years if year.isdigit()), default=""),
        doi=ids.get("doi", ""),
        arxiv=ids.get("arxiv", ""),
        journal=_journal(child(front, "journal-meta")),
        language=attribute(article, "lang"),
        trusted=True,
    )


def _journal(meta: Element | None) -> str:
    """The journal's name, its short one where no other is given."""
    titles = (child(meta, "journal-title-group", "journal-title"), child(meta, "journal-title"))
    short = (one for one in children(meta, "journal-id") if one.get("journal-id-type") == "nlm-ta")
    return next((words_of(one) for one in (*titles, *short) if one is not None and words_of(one)), "")


def front_drafts(front: Element | None) -> Iterator[Draft]:
    """Return title, authors, affiliations, keywords and imprint as blocks, and the rest of the front matter as data."""
    meta = child(front, "article-meta")
    for part in () if front is None else front:
        if part is not meta:
            yield from _data(part)
    printed: list[str] = []
    for part in () if meta is None else meta:
        if part.tag in _WALKS:
            for draft in _WALKS[part.tag](part):
                printed += [draft.text] if draft.label != "metadata" else []
                yield draft
        elif part.tag not in ("abstract", "trans-abstract"):
            yield from _data(part)
    journal = _journal(child(front, "journal-meta"))
    if imprint := _imprint(meta, journal, "\n".join(printed)) if journal else "":
        yield Draft(1, "text", imprint, plain=imprint)


def _imprint(meta: Element | None, journal: str, printed: str) -> str:
    """Journal, dates and DOI as one line, as a journal's style sheet prints them; without what is `printed` above."""
    events = [(_EVENTS.get(one.get("date-type", "")), one) for one in children(child(meta, "history"), "date")]
    events += [("published", one) for one in sorted(children(meta, "pub-date"), key=_first_published)[:1]]
    lines = [f"{event} {when}" for event, one in events if event and (when := _date(one)) and when not in printed]
    dates = "; ".join(dict.fromkeys(lines))
    dois = [words_of(one) for one in children(meta, "article-id") if one.get("pub-id-type") == "doi"]
    doi = next((doi for doi in dois if doi not in printed), "")
    parts = (journal if journal not in printed else "", dates[:1].upper() + dates[1:], f"doi:{doi}" if doi else "")
    return ". ".join(filter(None, parts))


def _first_published(date: Element) -> tuple[str, int]:
    """Sort key of publication dates: the earliest year, and within it the most precise date."""
    return words_of(child(date, "year")) or "9999", -len(_date(date).split())


def _date(date: Element) -> str:
    """A date in words, "3 May 2014", without what is not given in figures."""
    year, month, day = (words_of(child(date, tag)) for tag in ("year", "month", "day"))
    name = _MONTHS[int(month) - 1] if month.isdecimal() and 1 <= int(month) <= len(_MONTHS) else ""
    words = (day.lstrip("0") if name and day.isdecimal() else "", name, year)
    return " ".join(filter(None, words)) if year.isdecimal() else ""


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
    for note in notes:
        yield _text("footnote", note)


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
        name = " ".join(filter(None, parts)) or words_in(whole, frozenset({"contrib-group"})).plain
        if name:
            yield name


_WALKS = {
    "title-group": _titles,
    "contrib-group": _contributors,
    "aff": _affiliation,
    "author-notes": _notes,
    "kwd-group": _keywords,
}
