"""Where sentences end, in the texts of papers."""

from __future__ import annotations

import pytest

from kag.text.sentences import sentences
from tests.growth import linear


def cut(text: str) -> list[str]:
    return [text[slice(*span)] for span in sentences(text)]


SENTENCES = {
    "One is. Two are!  Three? (Four.) Five": ["One is.", "Two are!", "Three?", "(Four.)", "Five"],
    "Seen by Poe et al. In Fig. 2 of J. Doe it is.": ["Seen by Poe et al. In Fig. 2 of J. Doe it is."],
    "It melts. \\( ^{1,2} \\) It flows.": ["It melts. \\( ^{1,2} \\)", "It flows."],
    "It melts. [3, 4] It flows.": ["It melts. [3, 4]", "It flows."],
    "At 3.5 mm, i.e. Less. than 4": ["At 3.5 mm, i.e. Less. than 4"],
    'Ice of 3.5 m (thick). "It broke." Then e.g. this.': ["Ice of 3.5 m (thick).", '"It broke."', "Then e.g. this."],
    "Ice melts. Ödegård saw it. \u041b\u0451\u0434 too. α falls.": [
        "Ice melts.",
        "Ödegård saw it.",
        "\u041b\u0451\u0434 too.",
        "α falls.",
    ],
    "": [],
    " \n ": [],
}


@pytest.mark.parametrize(("text", "wanted"), SENTENCES.items())
def test_sentences(text: str, wanted: list[str]) -> None:
    assert cut(text) == wanted


@pytest.mark.parametrize(
    "text",
    [". " * 20_000, 'A."' * 20_000 + " " * 20_000, ".[" * 20_000, ". \\( ^{" * 10_000, "a." * 30_000, "\n" * 50_000],
)
def test_hostile_texts_are_cut_in_linear_time(text: str) -> None:
    assert linear(sentences, text)
