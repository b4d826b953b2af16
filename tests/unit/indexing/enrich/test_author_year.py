"""Who is meant by names and a year, where several could be: the proper form, the longer one, the letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.indexing.enrich.author_year import AuthorYearIndex
from kag.indexing.references.names import Name
from kag.indexing.references.parser import Reference

NAMELESS = Reference(title="T")


def by(*families: str, year: str = "2001", suffix: str = "", more: bool = False) -> Reference:
    """A reference by persons of these names."""
    return Reference(tuple(Name(one, "A.") for one in families), more, year=year, suffix=suffix)


def body(name: str, year: str = "2001") -> Reference:
    return Reference((Name(name),), year=year)


def cited(text: str, *references: Reference, printed: tuple[str, ...] = ()) -> list[tuple[int, ...]]:
    return [found.references for found in AuthorYearIndex(references, printed).find(text)]


def surfaces(text: str, *references: Reference) -> list[str]:
    return [text[found.start : found.end] for found in AuthorYearIndex(references).find(text)]


@pytest.mark.parametrize(
    ("text", "references", "found"),
    [
        # one, two, and more authors
        ("(Lee 2001)", [by("Lee")], [(0,)]),
        ("(Lee 2001)", [by("Lee", more=True)], []),  # there are others, and none are said
        ("(Lee et al. 2001)", [by("Lee", more=True)], [(0,)]),
        ("(Lee et al. 2001)", [by("Lee")], [(0,)]),  # by mistake
        ("(Lee and Roe 2001)", [by("Lee", "Roe")], [(0,)]),
        ("(Lee and Roe 2001)", [by("Lee", "Roe", more=True)], []),
        ("(Lee & Roe 2001)", [by("Lee", "Roe", "Poe")], []),
        ("(Lee, Roe and Poe 2001)", [by("Lee", "Roe", "Poe")], [(0,)]),
        ("(Lee, Roe et al. 2001)", [by("Lee", "Roe", "Poe")], [(0,)]),
        ("(Lee, Roe et al. 2001)", [by("Lee", "Roe")], []),
        ("(Lee 2001)", [by("Lee", "Roe")], []),
        # a proper form goes before one by mistake, and the longer of two proper ones
        ("(Lee et al. 2001)", [by("Lee"), by("Lee", "Roe", "Poe")], [(1,)]),
        ("(Lee et al. 2001)", [by("Lee", "Roe"), by("Lee", "Kay", more=True)], [(1,)]),
        ("(Lee et al. 2001)", [by("Lee", "Roe"), by("Lee")], []),
        ("(Lee, Roe et al. 2001)", [by("Lee", "Roe", "Poe"), by("Roe", "Kay", "Poe")], [(0,)]),
        ("(Lee and Roe 2001)", [by("Roe"), by("Lee", "Roe")], [(1,)]),
        ("(Lee, Roe and Poe 2001)", [by("Roe", "Poe"), by("Lee", "Roe", "Poe")], [(1,)]),
        # particles
        ("(van der Zee 2001)", [by("van der Zee")], [(0,)]),
        ("(Zee 2001)", [by("van der Zee")], [(0,)]),
        ("(Zee and Roe 2001)", [by("van der Zee", "Roe")], [(0,)]),
        ("(Zee et al. 2001)", [by("van der Zee", "Roe", "Poe"), by("Zee")], [(0,)]),
        ("(der Zee 2001)", [by("van der Zee")], [(0,)]),  # as "Zee" behind another word
        # bodies
        ("(World Ice Board, 2001)", [body("World Ice Board"), by("Board")], [(0,)]),
        ("(WIB, 2001)", [body("World Ice Board")], [(0,)]),
        ("(IB, 2001)", [body("Ice Board")], [(0,)]),
        ("(WBI, 2001)", [body("World Board of Ice")], [(0,)]),  # small words have no initial
        ("(WIB, 2001)", [body("World Ice Board"), by("Wib")], []),  # two are called so
        ("(World Ice Board WIB, 2001)", [body("World Ice Board"), by("Wib")], [(0,)]),
        ("(Board of Ice BOI, 2001)", [body("Board of Ice"), by("Boi")], [(1,)]),  # "BI" are its initials
        ("(IceB, 2001)", [body("World Ice Board (IceB)")], [(0,)]),
        ("(WIB, 2001)", [body("World Ice Board (IceB)")], []),
        ("(World Ice Board, 2001)", [body("World Ice Board (IceB)"), by("Board")], [(0,)]),
        ("(Board, 2001)", [body("Board")], [(0,)]),
        ("(B, 2001)", [body("Board")], []),
        # nobody
        ("(2001)", [by("Lee")], []),
        ("(Lee 2002)", [by("Lee")], []),
        ("(Lee 2001)", [NAMELESS, Reference((Name(""),), year="2001")], []),
    ],
)
def test_who_is_meant(text: str, references: list[Reference], found: list[tuple[int, ...]]) -> None:
    assert cited(text, *references) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(Lee 2001a)", [(0,)]),
        ("(Lee 2001a, b)", [(0, 1)]),
        ("(Lee 2001-a,c)", [(0, 2)]),
        ("(Lee 2001a-c)", [(0, 1, 2)]),
        ("(Lee 2001b–c)", [(1, 2)]),
        ("(Lee 2001a and c)", [(0, 2)]),
        ("(Lee 2001a, b, c)", [(0, 1, 2)]),
        ("(Lee 2001d)", []),
        ("(Lee 2001)", []),
    ],
)
def test_letters_tell_works_of_one_year_apart(text: str, found: list[tuple[int, ...]]) -> None:
    assert cited(text, *(by("Lee", suffix=letter) for letter in "abc")) == found


def test_without_a_letter_the_one_that_has_none_is_meant() -> None:
    assert cited("(Lee 2001)", by("Lee", suffix="b"), by("Lee")) == [(1,)]
    assert cited("(Lee 2001)", by("Lee"), by("Lee")) == []
    assert cited("(Lee 2001)", by("Lee", suffix="b")) == [(0,)]
    assert cited("(Lee 2001b)", by("Lee")) == [(0,)]
    assert cited("(Lee 2001b)", by("Lee"), by("Lee", suffix="a")) == []


@pytest.mark.parametrize("said", ["n.d.", "in press", "forthcoming", "n. d."])
def test_works_without_a_year(said: str) -> None:
    assert cited(f"(Lee, {said})", by("Lee", year="")) == ([] if said == "n. d." else [(0,)])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2001 was Lee", []),
        ("Lee 2001", ["Lee 2001"]),
        ("Lee (2001) and Roe (2001)", ["Lee (2001", "Roe (2001"]),
        ("Lee 2001, 2002", ["Lee 2001", "2002"]),
        ("Lee 2001, p. 3, 2002", ["Lee 2001", "2002"]),
        ("Lee 2001 and 2002", ["Lee 2001", "2002"]),
        ("Lee 2001 but 2002", ["Lee 2001"]),
        ("Lee 2001; 1999, 2002", ["Lee 2001", "2002"]),
        ("Lee12001", []),
        ("Lee 2001-2002", []),
        ("Lee 2001.5", []),
        ("Lee 2001.", ["Lee 2001"]),
        ("Lee x y 2001", ["Lee x y 2001"]),  # initials
        ("Lee xy 2001", []),
    ],
)
def test_where_a_call_out_begins_and_ends(text: str, found: list[str]) -> None:
    assert surfaces(text, by("Lee"), by("Lee", year="2002"), by("Roe")) == found


def test_names_reach_a_hundred_and_sixty_signs_and_twenty_four_words() -> None:
    families = [f"{first}{second}" for first in "BCDFG" for second in "aeiou"]
    for many, found in ((23, [(0,)]), (24, [])):
        text = f"{', '.join(families[: many - 1])} and {families[many - 1]} 2001"
        assert cited(text, by(*families[:many])) == found
    for blanks, found in ((157, [(0,)]), (158, [])):
        assert cited(f"Lee{' ' * blanks}2001", by("Lee")) == found


@pytest.mark.parametrize(
    ("text", "printed", "found"),
    [
        ("(Those who sail, 2001)", "Those who sail (2001). T.", [(0,)]),
        ("(TWS, 2001)", "Those Who Sail (2001). T.", [(0,)]),
        ("(TWS, 2001)", "Those Who, Sail (2001). T.", []),  # a list of names has no initials
        ("(Those et al., 2001)", "Those, who sail (2001). T.", [(0,)]),
        ("(Sail et al., 2001)", "Those, who sail (2001). T.", []),
        ("(Those who sail, n.d.)", "Those who sail (n.d.). T.", [(0,)]),
        ("(Those who sail, 2001b)", "Those who sail (2001b). T.", [(0,)]),
        ("(ab cd ef gh ij kl mn op qr st, 2001)", "ab cd ef gh ij kl mn op qr st (2001). T.", [(0,)]),
        ("(ab cd ef gh ij kl mn op qr st uv, 2001)", "ab cd ef gh ij kl mn op qr st uv (2001). T.", []),
        ("(Those who sail, 2001)", "Those who sail. T. 2001.", []),
    ],
)
def test_a_reference_whose_authors_were_not_read_is_named_by_its_words(text, printed, found) -> None:
    assert cited(text, NAMELESS, printed=(printed,)) == found


def test_printed_words_are_a_proper_name_and_yield_to_none() -> None:
    printed = ("Those who sail (2001). T.", "Sail, A. (2001). T.")
    assert cited("(Those who sail, 2001)", NAMELESS, by("Sail"), printed=printed) == [(0,)]
    printed = ("Lee, and so on (2001). T.", "Lee, A., Roe, A. & Poe, A. (2001). T.")
    assert cited("(Lee et al., 2001)", NAMELESS, by("Lee", "Roe", "Poe"), printed=printed) == [(1,)]


def test_what_was_read_is_not_read_again_from_the_print() -> None:
    printed = ("Those who sail (2002b). T.",)
    assert cited("(Those who sail, 2002)", by("Lee"), printed=printed) == []
    assert cited("(Those who sail, 2002)", replace(body("Lee"), year=""), printed=printed) == [(0,)]
    assert cited("(Those who sail, 2001)", body("Lee"), printed=printed) == [(0,)], "the year that was read stays"
    assert cited("(Those who sail, 2001a)", replace(body("Lee"), suffix="a"), printed=printed) == [(0,)]


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("Lee's 2001", "Lee"),
        ("Lee’s 2001", "Lee"),
        ("Muller 2001", "Müller"),
        ("Mueller 2001", "Müller"),
        ("Sorensen 2001", "Sørensen"),
        ("Soerensen 2001", "Sørensen"),
        ("Aase 2001", "Åase"),
        ("O'Neil 2001", "O’Neil"),
        ("LEE 2001", "Lee"),
        ("J. Lee 2001", "Lee"),
    ],
)
def test_how_a_name_is_spelt(text: str, family: str) -> None:
    assert cited(text, by(family)) == [(0,)]


def test_and_in_other_languages() -> None:
    two = by("Lee", "Roe")
    for joint in ("and", "&", "und", "et"):
        assert cited(f"Lee {joint} Roe 2001", two) == [(0,)], joint
    for others in ("et al.", "et coll.", "and colleagues", "and co-workers", "and others", "& al."):
        assert cited(f"Lee {others} 2001", two) == [(0,)], others


def test_names_that_a_slash_parts() -> None:
    listed = (by("Fen", "Lake", year="2003"), by("Pond", "Reed", "Sand", year="2012"))
    text = (
        "Ice (Fen/Lake 2003; Pond/Reed/Sand 2012), snow (Pond/Reed et al. 2012), fog (Pond / Reed / Sand et al. 2012)."
    )
    assert cited(text, *listed) == [(0,), (1,), (1,), (1,)]
    assert cited("km/h in 2003", *listed) == []
