"""An entry of the reference list as one printed line; its identity in the list is the publisher's."""

from __future__ import annotations

from collections.abc import Iterator

from kag.sources.jats.inline import Words, words_in
from kag.sources.xml import Element, child, children, words_of

_CITATIONS = ("mixed-citation", "element-citation", "citation", "nlm-citation", "citation-alternatives")
_GIVEN = ("given-names", "initials")
_IN_WORDS = ("sup", "sub", "italic", "bold", "sc", "styled-content", "named-content")  # these may touch others
_OF_NAMES = ("surname", "given-names", "initials", "prefix", "suffix")
_OF_THEIR_OWN = ("pub-id", "ext-link", "uri", "name", "string-name", "article-title", "source")
_TITLES = ("article-title", "chapter-title", "data-title", "part-title", "trans-title")


def entry_words(ref: Element) -> Words:
    """The words of a `<ref>`: its label, then the citation as set, or made up from its fields where it is not set."""
    label = words_of(child(ref, "label"))
    citations = [words for one in ref if one.tag != "label" for words in [_citation(one)] if words.text]
    if len(citations) == 1 and not label:
        return citations[0]
    lead = f"{label.rstrip('.')}. " if label.rstrip(".").isdigit() else f"{label} " if label else ""
    text = lead + " ".join(one.text for one in citations)
    return Words(text.strip(), (lead + " ".join(one.plain for one in citations)).strip())


def _citation(element: Element) -> Words:
    if element.tag == "citation-alternatives":
        inner = list(children(element, *_CITATIONS))
        return _citation(inner[0]) if inner else Words()
    if element.tag not in _CITATIONS:
        return words_in(element)
    if _is_set(element):
        _part(element)
        return words_in(element)
    line = _line(element)
    return Words(line, line)


def _is_set(element: Element) -> bool:
    """Whether words or stops are between the fields, as in print."""
    between = (element.text or "") + "".join(part.tail or "" for part in element)
    return any(not sign.isspace() for sign in between)


def _part(element: Element) -> None:
    """Put what is missing between fields that touch: a blank between the parts of a name, else a stop."""
    for field in element.iter():
        after = field.getnext() if field is not element else None
        if after is None or not isinstance(field.tag, str) or field.tag in _IN_WORDS or after.tag in _IN_WORDS:
            continue
        before = (words_of(field) + (field.tail or ""))[-1:]
        if not words_of(after)[:1].isalnum():
            continue
        if not field.tail and before.isalnum():
            field.tail = " " if field.tag in _OF_NAMES or before.isdigit() else ". "
        elif field.tail and before in ".,;:" and after.tag in _OF_THEIR_OWN:
            field.tail += " "


def _line(element: Element) -> str:
    """Return the fields in the order of author-year styles; other fields come last, so nothing is lost."""
    used: set[Element] = set()

    def take(*tags: str) -> str:
        found = next((one for tag in tags for one in element.iter(tag) if one not in used), None)
        if found is None:
            return ""
        used.update(found.iter())
        return words_in(found).plain

    groups = [one for one in element if one.tag in ("person-group", "name", "string-name", "collab", "etal")]
    authors = [group for group in groups if group.get("person-group-type", "author") != "editor"]
    people = ", ".join(name for author in authors for name in _people(author))
    for author in authors:
        used.update(author.iter())
    year, title, source = take("year"), take(*_TITLES), take("source", "conf-name")
    volume, issue, first, last = take("volume"), take("issue"), take("fpage", "elocation-id"), take("lpage")
    place = volume + (f"({issue})" if issue else "")
    pages = first + (f"–{last}" if last and last != first else "")
    if pages:
        place += f":{pages}" if place else pages
    doi = next((one for one in element.iter("pub-id") if one.get("pub-id-type") == "doi"), None)
    if doi is not None:
        used.update(doi.iter())
    rest = [words_in(one).plain for one in element if not any(inner in used for inner in one.iter())]
    pieces = [
        f"{people} ({year})" if people and year else people or year,
        title,
        f"{source} {place}".strip(),
        *rest,
        f"doi:{words_of(doi)}" if doi is not None else "",
    ]
    return " ".join(piece if piece.endswith((".", "?", "!")) else f"{piece}." for piece in pieces if piece)


def _people(element: Element) -> Iterator[str]:
    """Names as "Family GN", in order."""
    if element.tag == "person-group":
        for one in element:
            yield from _people(one)
    elif element.tag == "etal":
        yield "et al."
    elif family := words_of(child(element, "surname")):
        given = next((words_of(one) for one in children(element, *_GIVEN)), "")
        suffix = words_of(child(element, "suffix"))
        yield " ".join(filter(None, (family, given, suffix)))
    elif words := words_of(element):
        yield words
