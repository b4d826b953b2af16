"""Numbers and prints the reference list, and says how each entry is called in the text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from .model import Paper, Reference


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference with its place in the list and its printed forms."""

    number: int
    source: Reference
    year_label: str
    text: str
    body: str

    @property
    def names(self) -> str:
        """The authors as an author-year citation names them."""
        families = [family for family, _ in self.source.authors]
        if len(families) > 2:
            return f"{families[0]} et al."
        return " & ".join(families)

    @property
    def label(self) -> str:
        """The gold's citation label."""
        return f"{self.names.replace(' & ', ' and ')} {self.year_label}"


def entries(paper: Paper, cited: list[str]) -> list[Entry]:
    """The list as printed: by first citation, or by name when the paper cites by author and year.

    Raises `ValueError` when a reference is never cited or a citation has no reference.
    """
    known = {reference.key: reference for reference in paper.references}
    if set(cited) != set(known):
        raise ValueError(f"{paper.id}: cited and listed references differ: {sorted(set(cited) ^ set(known))}")
    ordered = [known[key] for key in cited]
    by_name = paper.style.citations == "author-year"
    if by_name:
        ordered.sort(key=_sort_key)
    labels = _year_labels(ordered) if by_name else [reference.year for reference in ordered]
    result = []
    for number, (reference, label) in enumerate(zip(ordered, labels, strict=True), 1):
        body = _FORMATS[paper.style.reference_format](reference, label)
        result.append(
            Entry(number, reference, label, _PREFIXES[paper.style.reference_format].format(number) + body, body)
        )
    return result


_PREFIXES = {"vancouver": "{}. ", "bracketed": "[{}] ", "apa": ""}


_LETTERS = str.maketrans({"ø": "o", "ł": "l", "æ": "ae", "ð": "d"})  # letters that do not decompose


def _plain(text: str) -> str:
    text = text.casefold().translate(_LETTERS)
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _sort_key(reference: Reference) -> tuple[str, str, str]:
    names = " ".join(_plain(family + given) for family, given in reference.authors)
    return names, reference.year, reference.title


def _year_labels(ordered: list[Reference]) -> list[str]:
    def called(reference: Reference) -> tuple[object, ...]:
        families = tuple(family for family, _ in reference.authors)
        return (families if len(families) < 3 else families[0], len(families) < 3, reference.year)

    counts = Counter(called(reference) for reference in ordered)
    seen: Counter[tuple[object, ...]] = Counter()
    labels = []
    for reference in ordered:
        name = called(reference)
        letter = "abcdef"[seen[name]] if counts[name] > 1 else ""
        seen[name] += 1
        labels.append(reference.year + letter)
    return labels


def _closed(title: str) -> str:
    return title if title.endswith(("?", "!")) else f"{title}."


def _vancouver(reference: Reference, year: str) -> str:
    names = [f"{family} {given.replace('.', '').replace(' ', '')}".strip() for family, given in reference.authors]
    shown = ", ".join(names[:6]) + (", et al" if len(names) > 6 else "")
    place = f"{reference.container}. {year}"
    if reference.volume:
        place += f";{reference.volume}:{reference.pages}"
    doi = f" doi:{reference.doi}." if reference.doi else ""
    return f"{shown}. {_closed(reference.title)} {place}.{doi}"


def _bracketed(reference: Reference, year: str) -> str:
    shown = ", ".join(f"{given} {family}".strip() for family, given in reference.authors)
    issue = f" ({reference.issue})" if reference.issue else ""
    place = f"{reference.container} {reference.volume}{issue} ({year})" if reference.volume else ""
    place = place or f"{reference.container}, {year}"
    pages = f" {reference.pages}" if reference.pages else ""
    doi = f" https://doi.org/{reference.doi}." if reference.doi else ""
    return f"{shown}, {reference.title}, {place}{pages}.{doi}"


def _apa(reference: Reference, year: str) -> str:
    names = [f"{family}, {given}" if given else family for family, given in reference.authors]
    shown = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, & {names[-1]}"
    issue = f"({reference.issue})" if reference.issue else ""
    volume = f", {reference.volume}{issue}" if reference.volume else ""
    pages = f", {reference.pages}" if reference.pages else ""
    doi = f" https://doi.org/{reference.doi}" if reference.doi else ""
    return f"{shown} ({year}). {_closed(reference.title)} {reference.container}{volume}{pages}.{doi}"


_FORMATS = {"vancouver": _vancouver, "bracketed": _bracketed, "apa": _apa}
