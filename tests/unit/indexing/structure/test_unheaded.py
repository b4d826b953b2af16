from __future__ import annotations

from kag.core.types import Block
from kag.indexing.structure.unheaded import Part, front_part, is_introduction, reference_part, text_under_abstract
from tests.unit.indexing.structure.blocks import block

WORDS = "We went to the river in each month of the winter and looked at the sensors under the ice. " * 4
PEOPLE = "Ana Lima, Jon Berg, Department of Ice, University of the North, Tromso, Norway. " * 6


def texts(*words: str) -> list[Block]:
    return [block(f"1.{n}", text) for n, text in enumerate(words, 1)]


def test_prose_right_before_the_introduction_is_the_abstract() -> None:
    front = texts("Ana Lima", PEOPLE, WORDS, "Keywords: ice")
    assert front_part(front, ["1 Introduction", "2 Methods"]) == Part("Abstract", (front[2],))
    assert front_part(front, ["Introduction", "Methods"]) == Part("Abstract", (front[2],))
    assert front_part(front, ["Introduction", "Abstract"]) is None
    assert front_part(front, ["Rivers in winter"]) is None
    assert front_part(front[:2], ["Introduction"]) is None


def test_an_abstract_that_names_itself() -> None:
    front = texts("Ana Lima", "Abstract. Ice is cold.")
    assert front_part(front, ["Rivers in winter"]) == Part("Abstract", (front[1],))
    assert front_part(texts("Abstract art is old. " + WORDS), ["Rivers in winter"]) is None


def test_much_prose_before_the_first_heading_is_the_text() -> None:
    front = texts("Ana Lima", WORDS, WORDS + "More.", WORDS + "Most.")
    assert front_part(front, ["Box 1", "References"]) == Part("Text", tuple(front[1:]))
    assert front_part(front[:3], ["Box 1", "References"]) is None


def test_text_goes_on_under_the_abstract() -> None:
    under = texts(WORDS, *(WORDS + str(n) for n in range(3)))
    assert text_under_abstract("Abstract", under) == Part("Text", tuple(under[1:]))
    assert is_introduction("1. Introduction")
    assert not is_introduction("Methods")
    assert text_under_abstract("Summary", under) is None
    assert text_under_abstract("Abstract", under[:3]) is None


def test_a_reference_list_without_heading() -> None:
    numbered = texts("We thank all.", *(f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)))
    assert reference_part(numbered) == Part("References", tuple(numbered[1:]))
    assert reference_part(numbered[:4]) is None
    raised = texts(*(f"{mark} E. Poe, Rivers 3, 1 (199{n})." for n, mark in enumerate("¹²³⁴⁵")))
    assert reference_part(raised) == Part("References", tuple(raised))
    one = texts("\n".join(f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)))
    assert reference_part(one) == Part("References", tuple(one))


def test_a_list_of_years_is_no_reference_list() -> None:
    items = texts(*(f"{n}. In 199{n} the river froze." for n in range(2, 8)))
    assert reference_part(items) is None
    named = texts(
        *(f"{name}, E. (199{n}). Ice on rivers. Rivers, 3, 1-9." for n, name in enumerate(("Poe", "Roe", "Doe", "Zoe")))
    )
    assert reference_part(named) == Part("References", tuple(named))


def test_how_much_prose_is_an_abstract() -> None:
    for number, title in ((1, "Abstract"), (3, "Abstract"), (4, "")):
        front = texts(*(WORDS + str(n) for n in range(number)))
        for heading in ("Introduction", "1 Overview", "I. Overview"):
            part = front_part(front, [heading, "Sites"])
            assert (part.title if part else "") == title, (number, heading)
    named = texts("Abstract: ice.", *(WORDS + str(n) for n in range(4)))
    assert front_part(named, ["Sites"]) == Part("Abstract", tuple(named[:3]))
    assert front_part(named, []) is None


def test_only_running_text_is_prose() -> None:
    exactly = "a" * 249 + " b"
    assert len(exactly) == 251
    for text, prose in ((exactly, True), (exactly[1:], False), ("Aa " * 100 + "aa " * 100, False), (WORDS, True)):
        assert bool(front_part(texts(text), ["Introduction"])) == prose, text
    assert front_part([block("1.1", WORDS, "title")], ["Introduction"]) is None


def test_entries_stand_at_the_end_and_in_a_row() -> None:
    entries = [f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)]
    part = reference_part(texts("We thank all.", *entries[:4]))
    assert part is not None
    assert len(part.blocks) == 4, "as few as can be"
    assert reference_part(texts(*entries, "We thank all.")) is None
    assert reference_part(texts("In 1999 it froze.", *entries)) == Part("References", tuple(texts("", *entries)[1:]))
    no_year = [entry.replace("199", "19") for entry in entries]
    assert reference_part(texts(*no_year)) is None
    titles = [block(f"1.{n}", text, "sub_title") for n, text in enumerate(entries, 1)]
    assert reference_part(titles) is None


def test_a_long_text_is_no_entry() -> None:
    entries = [f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)]
    for letters, found in ((500, True), (501, False)):
        long = entries[4] + "a" * (letters - len(entries[4]))
        assert bool(reference_part(texts(*entries[:4], long))) == found
