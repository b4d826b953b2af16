"""RIS, the exchange format of reference managers: a tag of two letters, two blanks, a dash and a blank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.export.references.records import BibliographicRecord, Person

_TYPES = {"article": "JOUR", "chapter": "CHAP", "book": "BOOK", "conference": "CPAPER", "thesis": "THES",
          "preprint": "UNPB", "report": "RPRT", "webpage": "ELEC", "software": "COMP", "dataset": "DATA",
          "patent": "PAT"}  # fmt: skip


def to_ris(records: Sequence[BibliographicRecord]) -> str:
    """One record after the other, each from its TY to its ER."""
    return "".join(_record(record) for record in records)


def _record(record: BibliographicRecord) -> str:
    lines = [("TY", _TYPES.get(record.kind, "GEN")), *_lines(record), ("ER", "")]
    return "".join(f"{tag}  - {' '.join(value.split())}\n" for tag, value in lines) + "\n"


def _lines(record: BibliographicRecord) -> Iterable[tuple[str, str]]:
    values = [
        ("ID", record.key),
        *(("AU", _name(person)) for person in record.authors),
        *(("ED", _name(person)) for person in record.editors),
        ("TI", record.title),
        ("T2", record.container),
        ("PY", record.year),
        ("VL", record.volume),
        ("IS", record.issue),
        ("SP", record.first_page),
        ("EP", record.last_page),
        ("ET", record.edition),
        ("PB", record.publisher),
        ("CY", record.place),
        ("DO", record.doi),
        ("AN", f"PMID:{record.pmid}" if record.pmid else f"arXiv:{record.arxiv}" if record.arxiv else ""),
        ("UR", record.url),
        ("N1", "et al." if record.more_authors else ""),
        ("N1", "" if record.title else record.text),
    ]
    return ((tag, value) for tag, value in values if value)


def _name(person: Person) -> str:
    return f"{person.family}, {person.given}" if person.given else person.family
