"""Many wordings of each intent, none of them from a data set: what is asked is read the same way from all."""

from __future__ import annotations

from pathlib import Path

import pytest
from kag.read.exact.intents import Intent, parse

FILE = Path(__file__).parent / "paraphrases.txt"


def cases() -> list[tuple[str, str]]:
    """(expected, question) for each question of the file."""
    found: list[tuple[str, str]] = []
    for group in FILE.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in group.strip().splitlines() if not line.startswith("#")]
        found += [(lines[0], question) for question in lines[1:]]
    return found


def shown(intent: Intent | None) -> str:
    if intent is None:
        return "none"
    anchor = intent.anchor
    named = "-" if anchor is None else f"{anchor.kind} {anchor.sub or '-'} {anchor.text}"
    return f"{intent.ask} {intent.subject} {intent.relation or '-'} {intent.scope or '-'} / {named}"


@pytest.mark.parametrize(("expected", "question"), cases())
def test_wording(expected: str, question: str) -> None:
    said = [shown(part) for part in parse(question)]
    if expected == "none":  # one part beyond the grammar is enough to ask the text instead
        assert "none" in said
    else:
        assert [one.casefold() for one in said] == [expected.casefold()]


def test_enough_wordings_of_every_kind() -> None:
    assert len({question for _, question in cases()}) >= 200
    assert len({expected for expected, _ in cases()}) >= 50


COMPOUND = {
    "How many figures and how many tables are there?": ["count figure - - / -", "count table - - / -"],
    "State how many tables and how many figures the paper has.": ["count table - - / -", "count figure - - / -"],
    "How many sections are there, and what are they called?": ["count section - - / -", "list section - - / -"],
    "How many references are listed? Name the first 4 by number and title.": [
        "count reference - - / -",
        "list reference - - / -",
    ],
    "What does Figure 2 show? Which section discusses the melting it depicts?": [
        "get caption - - / float figure 2",
        "list section refers - / float figure 2",
    ],
    "What is in Table 3, and which paragraphs mention it?": [
        "get caption - - / float table 3",
        "list paragraph refers - / float table 3",
    ],
    "Who wrote reference 8 and in which year was it published?": [
        "get author - - / work number 8",
        "get year - - / work number 8",
    ],
    "Which references does the Discussion cite? List them by number.": [
        "list reference cites - / section role Discussion"
    ],
    "In which sections is [4] cited, and what is its title?": [
        "list section cites - / work number 4",
        "get title - - / work number 4",
    ],
}


@pytest.mark.parametrize("question", COMPOUND)
def test_a_compound_question_is_answered_part_by_part(question: str) -> None:
    assert [shown(part) for part in parse(question)] == COMPOUND[question]


def test_a_limit_is_read() -> None:
    assert [part and part.limit for part in parse("List the first five references.")] == [5]
    assert [part and part.limit for part in parse("How many references are there? List the first 3.")] == [0, 3]


def test_a_title_of_the_paper_is_known_without_marks() -> None:
    question = "What does Labelling of peptides cite?"
    assert parse(question)[0] is None
    (known,) = parse(question, ["Labelling of peptides"])
    assert shown(known) == "list reference cites - / section title Labelling of peptides"


@pytest.mark.parametrize("question", ["", "?", "@float0", "\x00", "(" * 4000, "a " * 4000, '"' * 999, "Fig. " * 900])
def test_no_question_breaks_the_grammar(question: str) -> None:
    assert all(part is None or part.ask for part in parse(question))


def test_two_things_named_are_not_guessed_at() -> None:
    assert parse("Which references are cited in Figure 2 and in the Discussion?") == (None,)
    assert parse("What do Figures 2 and 3 show?") == (None,)
