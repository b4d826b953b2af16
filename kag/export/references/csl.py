"""CSL-JSON, the input of citation processors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kag.export.references.records import BibliographicRecord, Person

_TYPES = {"article": "article-journal", "chapter": "chapter", "book": "book", "conference": "paper-conference",
          "thesis": "thesis", "preprint": "article", "report": "report", "webpage": "webpage", "software": "software",
          "dataset": "dataset", "patent": "patent"}  # fmt: skip


def to_csl_json(records: Sequence[BibliographicRecord]) -> str:
    """A JSON list with one item a record."""
    return json.dumps([csl_item(record) for record in records], indent=2, ensure_ascii=False) + "\n"


def csl_item(record: BibliographicRecord) -> dict[str, Any]:
    """One record as a CSL item; what is not known is left out."""
    item = {
        "id": record.key,
        "type": _TYPES.get(record.kind, "document"),
        "author": [*map(_name, record.authors), *([{"literal": "others"}] if record.more_authors else [])],
        "editor": [_name(person) for person in record.editors],
        "title": record.title,
        "container-title": record.container,
        "issued": {"date-parts": [[int(record.year)]]} if record.year.isdigit() else {},
        "volume": record.volume,
        "issue": record.issue,
        "page": record.pages,
        "edition": record.edition,
        "publisher": record.publisher,
        "publisher-place": record.place,
        "DOI": record.doi,
        "number": f"arXiv:{record.arxiv}" if record.arxiv else "",
        "PMID": record.pmid,
        "PMCID": record.pmcid,
        "URL": record.url,
        "note": "" if record.title else record.text,
    }
    return {name: value for name, value in item.items() if value}


def _name(person: Person) -> dict[str, str]:
    return {"family": person.family, "given": person.given} if person.given else {"literal": person.family}
