"""A reference of which nothing was read says nothing."""

from dataclasses import astuple

from kag.indexing.references.parser import Reference


def test_what_was_not_found_is_empty() -> None:
    assert not any(astuple(Reference()))
    assert Reference().more_authors is False
