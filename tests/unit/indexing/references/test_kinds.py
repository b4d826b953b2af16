"""What kind of work a reference leads to: marks first, then words, then the fields that were found."""

import pytest

from kag.indexing.references.parser import KINDS, Reference, kind_of


@pytest.mark.parametrize(("text", "fields", "given", "kind"), [
    ("Ice.", {}, {}, "other"),
    # a mark of Chinese lists says it
    ("PhD thesis", {}, {"mark": "J"}, "article"),
    ("Ice.", {"volume": "3", "container": "J Ice"}, {"mark": "M"}, "book"),
    ("Ice.", {}, {"mark": "Z"}, "other"),
    # a volume of a series goes before words
    ("PhD thesis", {"volume": "3", "container": "J Ice"}, {}, "article"),
    ("Ice.", {"volume": "3", "container": "J Ice", "publisher": "Press"}, {}, "article"),
    ("Ice.", {"volume": "3", "container": "Notes", "publisher": "Press"}, {"in_book": True}, "chapter"),
    ("Ice.", {"volume": "3", "container": "Notes", "editors": ("Poe",)}, {"in_book": True}, "chapter"),
    ("Ice.", {"volume": "3", "container": "J Ice"}, {"in_book": True}, "article"),
    ("Ice.", {"volume": "3", "container": "Conference on Ice"}, {}, "conference"),
    # words
    ("PhD thesis, Oslo.", {"publisher": "University"}, {}, "thesis"),
    ("US Patent 12.", {}, {}, "patent"),
    ("Technical report 3.", {"publisher": "Press"}, {}, "report"),
    ("Data from Dryad.", {"url": "https://example.org"}, {}, "dataset"),
    ("R package.", {"url": "https://example.org"}, {}, "software"),
    ("PhD thesis.", {"container": "Conference on Ice"}, {}, "thesis"),
    # the container
    ("Ice.", {"container": "Conference on Ice"}, {}, "conference"),
    ("Ice.", {"container": "Proceedings of Ice"}, {}, "conference"),
    ("Ice.", {"container": "Proceedings of Ice", "volume": "3"}, {}, "article"),
    ("Ice.", {"container": "Conference on Ice"}, {"in_book": True}, "conference"),
    ("Ice.", {"container": "Lakes"}, {"in_book": True}, "chapter"),
    ("Ice.", {"container": "bioRxiv"}, {}, "preprint"),
    ("Ice.", {"arxiv": "1408.3203"}, {}, "preprint"),
    ("Ice.", {"arxiv": "1408.3203", "container": "J Ice", "first_page": "3"}, {}, "article"),
    # the fields
    ("Ice.", {"publisher": "Press"}, {}, "book"),
    ("Ice.", {"publisher": "Press", "container": "Lakes", "first_page": "3"}, {}, "chapter"),
    ("Ice.", {"publisher": "Press", "container": "Lakes"}, {}, "book"),
    ("Ice.", {"publisher": "Press", "first_page": "3"}, {}, "book"),
    ("Ice.", {"container": "J Ice", "first_page": "3"}, {}, "article"),
    ("Ice.", {"container": "J Ice", "doi": "10.1234/ice"}, {}, "article"),
    ("Ice.", {"container": "J Ice", "pmid": "123"}, {}, "article"),
    ("Ice.", {"container": "J Ice"}, {}, "other"),
    ("Ice.", {"first_page": "3"}, {}, "other"),
    ("Ice.", {"url": "https://example.org"}, {}, "webpage"),
    ("Ice.", {"url": "https://example.org", "doi": "10.1234/ice"}, {}, "other"),
    ("Ice.", {"doi": "10.1234/ice"}, {}, "other"),
])  # fmt: skip
def test_kinds(text, fields, given, kind):
    assert kind in KINDS
    assert kind_of(text, Reference(**fields), **given) == kind
