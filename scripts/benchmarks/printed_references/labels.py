"""Labelled strings as characters with labels, and as records that can be printed in another style."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kag.indexing.references.names import read_names
from kag.indexing.references.parser import cleaned, tidy

from .styles import Labelled, Person

LABELS = {
    "author": "author", "editor": "editor", "title": "title", "journal": "journal", "book": "book", "series": "series",
    "report": "report", "date": "date", "volume": "volume", "issue": "issue", "pages": "pages",
    "publisher": "publisher", "organisation": "body", "place": "place", "note": "note",
}  # fmt: skip
_NO_SIGN = re.compile(r"[\s˜´¨ˆ`¸˚*†‡§¶]")  # what cleaning takes out or moves
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_THESIS = re.compile(r"(?i)thesis|dissertation|thèse")
_TAKEN = ("title", "journal", "book", "date", "volume", "issue", "pages", "publisher", "place", "editor")


def labelled(text: str, fields: Mapping[str, Sequence[str]]) -> Labelled:
    """The characters of a string, cleaned as the parser cleans it, with the labels of the fields they belong to.

    Pieces are looked for without blanks, the first of each field in the order in which the labels name them.
    """
    words = cleaned(text)[1]
    places = [n for n, char in enumerate(words) if not _NO_SIGN.match(char)]
    signs = "".join(words[n] for n in places)
    labels = ["O"] * len(signs)
    reached = 0
    named = [(field, piece) for field, pieces in fields.items() if field in LABELS for piece in pieces]
    firsts = {field: pieces[0] for field, pieces in fields.items() if field in LABELS and pieces}
    later = [(field, piece) for field, piece in named if firsts[field] is not piece]
    for number, (field, piece) in enumerate([*firsts.items(), *later]):
        wanted = _NO_SIGN.sub("", piece)
        wanted = wanted.strip(".,;") if len(piece) > 3 else wanted
        span = _free(signs, places, labels, wanted, reached) or _free(signs, places, labels, wanted, 0)
        if span:
            labels[span[0] : span[1]] = [LABELS[field]] * (span[1] - span[0])
            if number < len(firsts):
                reached = max(reached, span[1])
    known = dict(zip(places, labels, strict=True))
    return [(char, known.get(n, "O")) for n, char in enumerate(words)]


def _free(signs: str, places: Sequence[int], labels: Sequence[str], wanted: str, start: int) -> tuple[int, int] | None:
    """Where a piece stands that has no label yet and does not cut a number in two."""
    at = signs.find(wanted, start) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        cut = _one_number(signs, places, at) or _one_number(signs, places, end)
        if not cut and all(label == "O" for label in labels[at:end]):
            return at, end
        at = signs.find(wanted, at + 1)
    return None


def _one_number(signs: str, places: Sequence[int], at: int) -> bool:
    """True where two digits stand side by side in the text."""
    inside = 0 < at < len(signs) and places[at] - places[at - 1] == 1
    return inside and signs[at - 1].isdigit() and signs[at].isdigit()


def record(fields: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], list[Person]]:
    """The fields of a string as one value each, and its persons; empty where it has no year."""
    values = {name: tidy(fields[name][0]).strip(" ,;:") for name in _TAKEN if fields.get(name)}
    values |= {name: value.rstrip(".") for name, value in values.items() if name != "journal"}
    year = _YEAR.search(values.get("date", ""))
    if not year:
        return {}, []
    values["date"] = year.group()
    if _THESIS.search(" ".join(fields.get("note", ()))) and fields.get("organisation") and values.get("title"):
        school = fields["organisation"][0]
        values = {"thesis": "yes", "book": values["title"], "publisher": school, "date": year.group()}
    run = tidy((fields.get("author") or fields.get("organisation") or [""])[0])
    names = read_names(run)
    if names.people and names.end > len(run) - 12:
        return values, [(person.family, person.given) for person in names.people]
    return ({**values, "author": run} if run else {}), []
