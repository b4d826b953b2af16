"""Addresses that the end of a line cuts."""

from __future__ import annotations

import pytest

from kag.text.sentences import goes_on


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("doi: 10.5555/", "2630667.3380945."),
        ("2012. https://doi.org/10.5555/j.jriver.", "2005.01.006"),
        ("doi:10.5555/978-3-", "16-000001-0"),
        ("doi: 10.5555/(SICI)1099-0001(1999", "05)50:6<533::AID-RIV8>3.0.CO;2-U"),
        ("https://doi.org/", "10.5555/journal.pond.0260149."),
        ("doi:10.5555/comp_99(80)", "853."),
        ("doi: 10.5555/s47374-073", "-34462-5"),
        ("doi:10.5555/river_", "77(19)178"),
        ("doi:10.", "5555/77"),
        ("http://example.org/records/", "2009/gauges.html"),
        ("https://www.", "archive.example.org/records"),
        ("http://example.org/a", "?page=3"),
    ],
)
def test_an_address_goes_on(before: str, after: str) -> None:
    assert goes_on(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("https://example.org/", "Accessed 3 May 2001."),
        ("https://example.org/", "and others"),
        ("doi:10.5555/abc12.", "Hill A. Ice."),
        ("doi:10.5555/abc12.", "2001."),
        ("doi:10.5555/abc12", "12 pages of it"),
        ("see 10.5 and", "10.5555/77"),
        ("http://example.org/a.html", "(accessed 2 May)"),
        ("doi:10.5555/abc12", ""),
    ],
)
def test_an_address_ends_with_its_line(before: str, after: str) -> None:
    assert not goes_on(before, after)
