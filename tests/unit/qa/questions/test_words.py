"""A question as words: contractions written out, what is quoted whole, and where each stands."""

from __future__ import annotations

import pytest

from kag.qa.questions.words import WAYS, Word, Words, _inflected, quotes, rule, split


def told(question: str) -> list[str]:
    """Each word with its mark, if it has one."""
    return [f"{word.text}/{word.mark}" if word.mark else word.text for word in split(question)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Don't they cite it?", ["Do", "not", "they", "cite", "it", "?"]),
        ("It couldn’t", ["It", "could", "not"]),
        ("I cannot and can't", ["I", "can", "not", "and", "can", "not"]),
        ("What's it?", ["What", "is", "it", "?"]),
        ("it’s Kay’s", ["it", "is", "Kay", "'s"]),
        ("section(s)", ["sections"]),
        ("the paper's title", ["the", "paper", "'s", "title"]),
        ("the authors' names", ["the", "authors", "'s", "names"]),
        ("Figure 3—figure supplement 2", ["Figure", "3-s2"]),
        ("Figs. 2, eq. 4 and Ref. 3.", ["Figs", "2", ",", "eq", "4", "and", "Ref", "3", "."]),
        ("J. Kay et al. n.d. in U.S. rivers", ["J.", "Kay", "et", "al.", "n.d.", "in", "U.S.", "rivers"]),
        ("2.1.3 and A-1", ["2.1.3", "and", "A-1"]),
        ("a (b) §2 #3; d/e", ["a", "(", "b", ")", "§", "2", "#", "3", ";", "d", "/", "e"]),
        ("“Ice on it.”, «x», ‘y’, 'zz' or `w`", [
            "Ice on it/quote", ",", "x/quote", ",", "y/quote", ",", "zz/quote", "or", "w/quote"]),
        ("the lake's 'ice' isn't", ["the", "lake", "'s", "ice/quote", "is", "not"]),
        ("see doi:10.1234/ab.c).", ["see", "10.1234/ab.c/doi", ")", "."]),
        ("https://doi.org/10.1234/x?", ["10.1234/x/doi", "?"]),
        ("[1, 2–3] and [12345]", ["1, 2–3/bracket", "and", "12345"]),
        ("", []),
    ],
)  # fmt: skip
def test_the_words_of_a_question(question: str, words: list[str]) -> None:
    assert told(question) == words


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Don't it", [(0, 2), (3, 5), (6, 8)]),
        ("What's it", [(0, 4), (5, 6), (7, 9)]),
        ("the paper's title", [(0, 3), (4, 9), (10, 11), (12, 17)]),
        ("Figure 3—figure supplement 2.", [(0, 6), (7, 28), (28, 29)]),
        ("Figs. 2 is", [(0, 4), (6, 7), (8, 10)]),
        ("is “Ice on it.” ice", [(0, 2), (3, 15), (16, 19)]),
        ("see doi:10.1234/ab [1]", [(0, 3), (4, 18), (19, 22)]),
    ],
)
def test_where_words_stand(question: str, places: list[tuple[int, int]]) -> None:
    assert [(word.start, word.end) for word in split(question)] == places


def test_of_names_that_overlap_the_longest_counts_and_in_quotes_the_name() -> None:
    names = (Word("ice", "", "title", 4, 7), Word("ice on it", "", "title", 4, 13), Word("fog", "", "paper", 18, 21))
    assert [(word.text, word.mark, word.start, word.end) for word in split('see ice on it or "fog".', names)] == [
        ("see", "", 0, 3), ("ice on it", "title", 4, 13), ("or", "", 14, 16), ("fog", "paper", 17, 22),
        (".", "", 22, 23),
    ]  # fmt: skip
    assert [word.mark for word in split("see ice on", names[:1])] == ["", "title", ""]


def test_what_is_quoted() -> None:
    text = "a \"b c\" [1] 'dd' 10.1234/x “e”"
    assert [text[start:end] for start, end in quotes(text)] == ["b c", "dd", "e"]


def test_a_rule_is_read_once_at_a_place_and_in_so_many_ways() -> None:
    asked = []

    @rule
    def many(words: Words, at: int):
        asked.append(at)
        yield from ((number // 2, at) for number in range(100))

    words = Words(tuple(split("ice on it")))
    assert many(words, 0) == many(words, 0) == [(number, 0) for number in range(WAYS)]
    assert asked == [0]
    many(words, 1)
    assert asked == [0, 1]


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("cite", ("cites", "cited", "cited", "citing")),
        ("rely", ("relies", "relied", "relied", "relying")),
        ("employ", ("employs", "employed", "employed", "employing")),
        ("discuss", ("discusses", "discussed", "discussed", "discussing")),
        ("publish", ("publishes", "published", "published", "publishing")),
        ("reach", ("reaches", "reached", "reached", "reaching")),
        ("mix", ("mixes", "mixed", "mixed", "mixing")),
        ("list", ("lists", "listed", "listed", "listing")),
    ],
)
def test_forms_of_verbs(base: str, forms: tuple[str, ...]) -> None:
    assert _inflected(base) == forms
