"""How words and names get into a query: as terms that nothing of a question can end."""

from __future__ import annotations

import pytest

from kag.core.errors import BadValue
from kag.corpus.exact.things import literal, phrase_pattern, term, values

GAP = r"[^\p{L}\p{N}]+"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ice", '"ice"'),
        ("on ice", '"on ice"'),
        ('a"b', r'"a\"b"'),
        ("a\\b", r'"a\\b"'),
        ("a\nb\rc\td", r'"a\nb\rc\td"'),
        ("a\x00b\x1fc", '"abc"'),  # signs that no query has
        ("", '""'),
    ],
)
def test_a_text_as_a_string(text: str, written: str) -> None:
    assert literal(text) == written


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        ("b7", "b7"),
        ("Xb", "xb"),
        ("x_b: v", f"x{GAP}b{GAP}v"),
        ("n", "[nñńņň]"),
        ("a", "[aàáâãäåāăą]"),
        ("Å", "[aàáâãäåāăą]"),
        ("Ǎ", "[aàáâãäåāăą]"),  # what it is sought by, too, however it is marked
        ("z", "[zźżž]"),
        ("ſ", "[sśŝşšſ]"),  # a long s is an s
        ("ß", "ß"),
        ("...", ""),
        ("", ""),
    ],
)
def test_the_pattern_of_words(words: str, pattern: str) -> None:
    assert phrase_pattern(words) == pattern


def test_a_long_phrase_is_looked_for_by_its_first_eight_words() -> None:
    assert phrase_pattern("x " * 8) == GAP.join("x" * 8) == phrase_pattern("x " * 9)


def test_nodes_as_terms() -> None:
    assert term("http://x.example/a") == "<http://x.example/a>"
    assert values("n", ["urn:a", "urn:b"]) == "VALUES ?n { <urn:a> <urn:b> }"
    assert values("n", []) == "VALUES ?n {  }"
    for odd in ("urn:a b", "urn:a>", "urn:\x01", 'urn:"', "urn:{", "urn:|", "urn:^", "urn:`", "urn:\\"):
        with pytest.raises(BadValue, match="is not an IRI"):
            term(odd)
