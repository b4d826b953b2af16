"""Publishing houses, towns, editions and editors, cut from what an entry prints beside its title."""

from __future__ import annotations

import pytest

from kag.indexing.references.imprint import Imprint, cut_editors, cut_imprint


def told(found: Imprint) -> tuple[str, str, str, str]:
    return found.rest.rstrip(" ."), found.publisher, found.place, found.edition


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Waves on ice (Example Press, Oslo,", ("Waves on ice", "Example Press", "Oslo", "")),
        ("Waves on ice. Oslo: Example Press", ("Waves on ice", "Example Press", "Oslo", "")),
        ("Waves on ice (Oslo: Example Press,", ("Waves on ice", "Example Press", "Oslo", "")),
        ("Waves on ice, 2nd ed. Example Press, Oslo", ("Waves on ice", "Example Press", "Oslo", "2nd")),
        ("Waves on ice. In Lakes, Springer, Berlin", ("Waves on ice. In Lakes", "Springer", "Berlin", "")),
        # a town, or a body by its initials, behind a title of some words
        ("Waves on ice, Oslo", ("Waves on ice", "", "Oslo", "")),
        ("Waves on ice, WHO", ("Waves on ice", "WHO", "", "")),
        ("Ice, Oslo", ("Ice, Oslo", "", "", "")),
        # a school is the house of a thesis
        ("Waves on ice. PhD thesis, University of Oslo, Oslo", ("Waves on ice", "University of Oslo", "Oslo", "")),
        # brackets with a name and a town, and those of a title
        ("Waves on ice (Hill, Oslo", ("Waves on ice", "Hill", "Oslo", "")),
        ("Waves on ice (Hill Oslo", ("Waves on ice (Hill Oslo", "", "", "")),
        ("Waves on ice (cold lakes,", ("Waves on ice (cold lakes,", "", "", "")),
        ("Waves on ice (A b c d e f g, Oslo", ("Waves on ice (A b c d e f g", "", "Oslo", "")),
        ("Waves on ice (cold) lakes", ("Waves on ice (cold) lakes", "", "", "")),
        ("Waves on ice. Springer Lecture Notes", ("Waves on ice. Springer Lecture Notes", "", "", "")),
        ("Waves on ice", ("Waves on ice", "", "", "")),
        ("", ("", "", "", "")),
    ],
)
def test_an_imprint(text: str, found: tuple[str, str, str, str]) -> None:
    assert told(cut_imprint(text, placed=False)) == found


def test_a_work_with_a_place_in_a_volume_has_no_town_and_no_thesis() -> None:
    for text in ("Waves on ice, Oslo", "Waves on ice. PhD thesis, Hill school, Oslo", "Waves on ice (Hill, Oslo"):
        assert told(cut_imprint(text, placed=True)) == (text, "", "", "")
    assert cut_imprint("Waves on ice. Oslo: Example Press", placed=True).publisher == "Example Press"
    assert cut_imprint("Waves on ice, Oslo", placed=False, ended=False).place == ""


def test_a_house_that_is_known_by_its_name_is_named() -> None:
    assert cut_imprint("Waves on ice (Example Press, Oslo,", placed=False).named
    assert not cut_imprint("Waves on ice (Hill, Oslo", placed=False).named
    assert not cut_imprint("Waves on ice, Oslo", placed=False).named


@pytest.mark.parametrize(
    ("text", "people", "rest"),
    [
        ("Lee S, Poe E (eds) Ice on rivers", ["Lee, S", "Poe, E"], "Ice on rivers"),
        ("Lee S, Poe E, Eds., Ice on rivers", ["Lee, S", "Poe, E"], "Ice on rivers"),
        ("Ice on rivers, edited by S. Lee and E. Poe", ["Lee, S.", "Poe, E."], "Ice on rivers"),
        ("Ice on rivers, ed. by S. Lee. Snow", ["Lee, S."], "Ice on rivers. Snow"),
        ("Ice on rivers", [], "Ice on rivers"),
        ("Edited by ice", [], "Edited by ice"),
    ],
)
def test_editors(text: str, people: list[str], rest: str) -> None:
    names, without = cut_editors(text)
    assert ([str(name) for name in names], without) == (people, rest)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # the town begins behind the last mark before it
        ("Waves on ice. Was it? Oslo: Example Press", ("Waves on ice. Was it", "Example Press", "Oslo", "")),
        ("Waves. On ice, Oslo: Example Press", ("Waves. On ice", "Example Press", "Oslo", "")),
        ("Waves, on ice. Oslo: Example Press", ("Waves, on ice", "Example Press", "Oslo", "")),
        ("Waves? On ice? Oslo: Example Press", ("Waves? On ice", "Example Press", "Oslo", "")),
        ("Waves on ice: Example Press, Oslo", ("Waves on ice:", "Example Press", "Oslo", "")),
        # what stands behind a house is its town, or goes on
        ("Waves on ice. Example Press, a b c d", ("Waves on ice. a b c d", "Example Press", "", "")),
        ("Waves on ice. Example Press, a b c", ("Waves on ice", "Example Press", "", "")),
        # no house
        ("Waves on ice. A b c d e f Press, Oslo", ("Waves on ice", "A b c d e f Press", "Oslo", "")),
        ("Waves on ice. A b c d e f g Press, Oslo", ("Waves on ice. A b c d e f g Press", "", "Oslo", "")),
        ("Waves. In Example Press, Oslo", ("Waves. In Example Press", "", "Oslo", "")),
        ("Example Press, Oslo, and more", ("Example Press, Oslo, and more", "", "", "")),
        ("Waves on ice (A b c d e f, Oslo", ("Waves on ice", "A b c d e f", "Oslo", "")),
        # of several the last
        ("Waves on ice. Springer, Example Press, Oslo", ("Waves on ice. Springer", "Example Press", "Oslo", "")),
        # editions
        ("Waves on ice (3rd edn). Example Press", ("Waves on ice", "Example Press", "", "3rd")),
        ("Waves on ice. Second edition", ("Waves on ice", "", "", "Second")),
        ("Waves on ice, MSc dissertation, Hill", ("Waves on ice", "Hill", "", "")),
        ("Abc. PhD thesis, Hill", ("Abc", "Hill", "", "")),
        ("Ab. PhD thesis, Hill School of", ("Ab. PhD thesis, Hill School of", "", "", "")),  # nothing stands before it
    ],
)
def test_towns_houses_and_editions(text: str, found: tuple[str, str, str, str]) -> None:
    assert told(cut_imprint(text, placed=False)) == found
