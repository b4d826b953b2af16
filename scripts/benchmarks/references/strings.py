"""How well the fields of printed references are read, measured on strings that people labelled.

A field is *asked* where the gold has it. Recall is the share of asked fields that were read right; precision the
share of given values that are right, so a value given where the gold has another or none counts against it.
Values are compared without case, marks, blanks, hyphens and accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kag.indexing.references.parser import Reference

Labels = Mapping[str, Sequence[str]]  # field -> the pieces of the string that hold it
FIELDS = ("first_author", "title", "year", "container", "volume", "issue", "pages", "doi", "arxiv", "publisher")

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_BETWEEN_NAMES = re.compile(r"[,;&]|(?<=[\u2e80-\ud7a3])[.·․]|\band\b|\bet\b|\bund\b", re.IGNORECASE)
_CITED = {"container": ("journal", "book", "series")}


@dataclass(frozen=True, slots=True)
class FieldScore:
    """Counts for one field: strings that ask for it, values given, values that are right."""

    field: str
    asked: int
    given: int
    right: int

    @property
    def recall(self) -> float:
        return self.right / self.asked if self.asked else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 1.0


def score_references(rows: Iterable[tuple[str, Labels]], parse: Callable[[str], Reference]) -> tuple[FieldScore, ...]:
    """Scores by field of a parser, over strings and their labels."""
    asked, given, right = Counter[str](), Counter[str](), Counter[str]()
    for text, labels in rows:
        for field, wanted, value, good in judge(labels, parse(text)):
            asked[field] += wanted
            given[field] += bool(value)
            right[field] += good
    return tuple(FieldScore(field, asked[field], given[field], right[field]) for field in FIELDS)


def judge(labels: Labels, found: Reference) -> list[tuple[str, bool, str, bool]]:
    """For each field: whether it is asked, the value given, and whether that value is right.

    The labels call some monographs a title and others a book; a value that is right under the other name is taken
    as not given.
    """
    judged = []
    for field in FIELDS:
        value = _value(found, field)
        wanted = gold_values(labels, field)
        if not wanted and value and _same(field, value, _other_name(labels, field), found):
            value = ""
        judged.append((field, bool(wanted), value, bool(value and wanted) and _same(field, value, wanted, found)))
    return judged


def gold_values(labels: Labels, field: str) -> tuple[str, ...]:
    """The values that count as right for a field, in the form they are compared in; none where it is not asked."""
    if field == "year":
        return tuple(year for piece in labels.get("date", ()) for year in _YEAR.findall(piece))
    if field == "first_author":
        return (*labels.get("author", ())[:1], *labels.get("organisation", ())[:1])
    if field == "container" and not labels.get("title") and not labels.get("journal"):
        return ()  # the book is the work itself
    names = _CITED.get(field, (field,))
    return _normal(field, (piece for name in names for piece in labels.get(name, ())))


def _other_name(labels: Labels, field: str) -> tuple[str, ...]:
    names = {"title": ("book", "report"), "container": ("book", "series", "title"), "publisher": ("organisation",)}
    return _normal(field, (piece for name in names.get(field, ()) for piece in labels.get(name, ())))


def _normal(field: str, pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(normal for piece in pieces if (normal := normalised(field, piece)))


def normalised(field: str, text: str) -> str:
    """A value in the form it is compared in."""
    if field == "pages":
        first, dash, last = re.sub(r"(?i)^\D*?pp?\b\.?|\s", "", text).translate(_DASHES).partition("-")
        return "-".join(filter(None, (_letters(first), _full(_letters(first), _letters(last)) if dash else "")))
    if field == "doi":
        bare = re.sub(r"\s", "", text)
        start = re.search(r"10\.\d{4}", bare)
        text = re.sub(r"(?i)[.]?url$", "", bare[start.start() :] if start else bare)
    if field == "arxiv":
        text = re.sub(r"(?i)^.*xiv(?:\.org)?|abs/?|\[.*|v\d+$", "", re.sub(r"\s", "", text))
    return _letters(text)


_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.replace("ı", "i").replace("ß", "ss")).casefold()
    return "".join(char for char in folded if char.isalnum())


def _full(first: str, last: str) -> str:
    return first[: len(first) - len(last)] + last if len(last) < len(first) and last.isdigit() else last


def _value(found: Reference, field: str) -> str:
    if field == "first_author":
        return found.authors[0].family if found.authors else ""
    if field == "pages":
        return "-".join(filter(None, (found.first_page, found.last_page)))
    return str(getattr(found, field, ""))


def _same(field: str, value: str, wanted: Sequence[str], found: Reference) -> bool:
    if field == "first_author":
        return any(is_first_author(value, found.authors[0].given, run) for run in wanted)
    return value in wanted if field == "year" else normalised(field, value) in wanted


def is_first_author(family: str, given: str, run: str) -> bool:
    """True when a run of names starts with this one: its family name, and next to it only its given names."""
    whole = _letters(run)
    name, first = _letters(family), _letters(given)
    first_only = re.sub(r"^(?:the)", "", name)
    if not name:
        return False
    if whole in (name, name + first, first + name) or whole == first_only:
        return True
    piece = _letters(_BETWEEN_NAMES.split(run.strip(" ,;"))[0])
    if piece in (name, name + first, first + name):
        return True
    return not first and whole.startswith(name) and " " in family  # a group's name with a comma in it
