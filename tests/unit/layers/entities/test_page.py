"""The page of entities says what is printed."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_says_what_is_printed() -> None:
    page = Path(__file__).parents[4] / "docs/entities.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried == 4
    assert failed == 0
