"""Words that identifiers and text for people may not have, each with the standard term.

Text on pages and in `--help` has none. Identifiers still have some, a number that may only fall.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shown import PAGES

ROOT = Path(__file__).resolve().parent.parent
STANDARD = {
    "told": "reported, printed",
    "said": "stated, printed",
    "reckon": "compute",
    "reckoned": "computed",
    "lean": "refer, infer",
    "leans": "refers, infers",
    "leaning": "inferred answer",
    "leant": "inferred",
    "kin": "related",
    "hear": "receive, read",
    "hears": "receives, reads",
    "heard": "received, read",
    "foretell": "estimate",
    "foretold": "estimated",
    "wish": "query, option",
    "wished": "requested",
    "wishes": "queries, options",
}
ALLOWED_ON_PAGES = {"docs/namespace.md": 1, "docs/ingest.md": 10, "docs/domains.md": 2}
"""Pages that still have some: the first has a comment of an ontology file."""
MOST_IN_IDENTIFIERS = 8
"""Definitions that still have one: when an event is told, a property of story graphs on disk (`kag/kgrag/story/`)."""


def words_of(text: str) -> list[str]:
    """The words of a page that are not allowed, code left out."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)", " ", text, flags=re.S | re.M)
    return [word for word in re.findall(r"[A-Za-z]+", prose.lower()) if word in STANDARD]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_are_written_in_standard_terms(path: Path) -> None:
    found = words_of(path.read_text(encoding="utf-8"))
    most = ALLOWED_ON_PAGES.get(str(path.relative_to(ROOT)), 0)
    assert len(found) <= most, {word: STANDARD[word] for word in found}


def test_help_is_written_in_standard_terms() -> None:
    assert words_of((ROOT / "tests" / "golden" / "help.txt").read_text(encoding="utf-8")) == []


def defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines: functions, classes, arguments, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def has_such_a_word(name: str) -> bool:
    return any(part.lower() in STANDARD for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", name))


def test_no_identifier_is_added_with_these_words() -> None:
    modules = (ROOT / "kag").rglob("*.py")
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in modules)
    count = sum(has_such_a_word(name) for tree in trees for name in defined(tree))
    assert count <= MOST_IN_IDENTIFIERS, f"use the standard terms: {STANDARD}"


def test_the_count_sees_words_in_all_kinds_of_names() -> None:
    source = (
        "def told_by(): ...\nclass Wish: ...\nfound_wish = 1\nself.said = 2\ndef f(heard): ...\nmold = wishbone = 3\n"
    )
    found = {name for name in defined(ast.parse(source)) if has_such_a_word(name)}
    assert found == {"told_by", "Wish", "found_wish", "heard", "said"}
    assert words_of("What is told `said` [wish](wish.md)\n```\nheard\n```\nmold") == ["told", "wish"]
