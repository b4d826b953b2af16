"""What rules of print find behind the names, and how clear they say it is."""

import pytest

from kag.indexing.references.guesses import guesses, leading_names


def found(text):
    return [(guess.label, text[guess.start : guess.end], guess.clear) for guess in guesses(text, leading_names(text))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Poe E, Roe F. Ice on cold lakes. J Ice Res. 2001;3(2):45-67.",
            [
                ("title", "Ice on cold lakes", "clear"),
                ("journal", "J Ice Res", "clear"),
                ("volume", "3", "clear"),
                ("issue", "2", "clear"),
                ("pages", "45", "clear"),
                ("pages", "67", "clear"),
            ],
        ),
        (
            "Poe, E., “Ice on lakes,” Ice Letters, vol. 3, 2001.",
            [("title", "Ice on lakes", "quoted"), ("journal", "Ice Letters", "quoted"), ("volume", "3", "clear")],
        ),
        (
            "Poe, E. (2001). Ice on lakes. Example Press.",
            [("title", "Ice on lakes", "clear"), ("publisher", "Example Press", "clear")],
        ),
    ],
)
def test_fields_where_they_stand(text, wanted):
    assert [guess for guess in found(text) if guess[0] in {label for label, _, _ in wanted}] == wanted


def test_a_book_behind_in():
    assert ("book", "Ice on rivers", "clear") in found("Poe E. Ice on cold lakes. In: Ice on rivers. 2001. p. 3-9.")


def test_a_shortened_last_page_is_found_as_it_is_printed():
    text = "Poe E. Ice on cold lakes. J Ice Res. 2001;3:1451-60."
    assert [words for label, words, _ in found(text) if label == "pages"] == ["1451", "60"]


@pytest.mark.parametrize("text", ["", ".", "(((((", "2001", "Ice"])
def test_little_text_is_read_without_fault(text):
    assert all(0 <= guess.start < guess.end <= len(text) for guess in guesses(text, leading_names(text)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Poe, E. (2001). Ice on lakes. Oslo: Example Press.",
         [("title", "Ice on lakes"), ("publisher", "Example Press")]),
        ("E. Poe, “Ice on lakes,” in Proc. of Ice, 2004, pp. 1–4.",
         [("title", "Ice on lakes"), ("book", "Proc. of Ice"), ("pages", "1"), ("pages", "4")]),
        ("Poe E. Ice on lakes. J Ice. 2001;3(2):4-5.",
         [("title", "Ice on lakes"), ("journal", "J Ice"), ("volume", "3"), ("issue", "2"), ("pages", "4"),
          ("pages", "5")]),
        ("", []),
    ],
)  # fmt: skip
def test_what_rules_find(text: str, found: list[tuple[str, str]]) -> None:
    told = guesses(text, leading_names(text))
    assert [(guess.label, text[guess.start : guess.end]) for guess in told] == found
