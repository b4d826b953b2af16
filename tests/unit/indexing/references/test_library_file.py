"""Which PDFs the field of a library's file names."""

from __future__ import annotations

import pytest

from kag.indexing.references.library_file import Entry, _files, compared


@pytest.mark.parametrize(
    ("field", "files"),
    [
        ("a.pdf", ["a.pdf"]),
        ("a.pdf:b.pdf:application/pdf", ["b.pdf"]),  # the path, and not its name
        (":x.pdf;y.PDF ; z.html", ["x.pdf", "y.PDF"]),
        (r"C\:/ice/a.pdf", ["C:/ice/a.pdf"]),
        ("C:/ice/a.pdf", ["C:/ice/a.pdf"]),
        (r"a\;b.pdf", ["a;b.pdf"]),
        ("", []),
    ],
)
def test_pdfs_of_a_field(field: str, files: list[str]) -> None:
    assert list(_files(field)) == files


def test_what_is_printed_and_what_was_found_side_by_side() -> None:
    rows = compared(Entry("k", "Ice, again", "2020", ""), {"title": "ICE AGAIN", "doi": "10.1/x"})
    assert {name: row["state"] for name, row in rows.items()} == {"title": "same", "year": "found", "doi": "printed"}
    assert compared(Entry("k"), {}) == {}
