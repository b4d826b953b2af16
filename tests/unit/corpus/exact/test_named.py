"""What names mean in a corpus: papers, cited works and entries, or nothing that is sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.corpus.exact.named import Ambiguous, Label, Names, label
from kag.qa.questions.structured_query import Name
from tests.unit.corpus.exact.small import listed, local, runner


def entry(name: str, text: str, title: str = "", work: str = "", doi: str = "") -> str:
    more = f' ; dcterms:title "{title}"' if title else ""
    more += f" ; biro:references <urn:work:{work}>" if work else ""
    more += f' ; prism:doi "{doi}"' if doi else ""
    return f':{name} a deo:BibliographicReference ; kag:fullText """{text}"""{more} .\n'


ICE = "".join(
    (
        "<> kag:realizes <urn:work:ice> .",
        entry("a", "Poe E. Frost on cold lakes. Rivers. 1999;3:1-9.", "Frost on cold lakes", "frost", "10.1/FROST"),
        entry("b", "Roe E. Snow on lakes. Rivers. 2000.", "Snow on lakes"),
        entry("c", "Doe E, Hail on lakes and rivers, Rivers 2001."),  # no title was read
        entry("d", "Doe E. On hail and lakes in spring. Rivers 2002.", "On hail and lakes in spring", "hail"),
    )
)
FOG = "".join(
    (
        entry("a", "[7] POE E (1999). Frost on cold lakes? Rivers", "Frost on cold lakes", "frost2"),
        entry("b", "Lima A. Sensors under river ice. 2019.", "Sensors under river ice", "sensors"),
        entry(
            "c", "Lima A. Sensors under river ice: the winter after. 2020.", "Sensors under river ice: the winter after"
        ),
    )
)
SAME = "<urn:work:frost2> owl:sameAs <urn:work:frost> . <urn:work:frost3> owl:sameAs <urn:work:frost> ."
PAPERS = (
    listed("ice", "Sensors under river ice", "10.5/ICE"),
    listed("fog", "Fog over harbours", "10.5/fog"),
    listed("fog2", "Fog over harbours at night"),
    listed("short", "Rain now"),
)


@pytest.fixture
def names() -> Names:
    return Names(runner(ice=ICE, fog=FOG, works=SAME), PAPERS)


def works(*found: str) -> tuple[str, ...]:
    return tuple(f"urn:work:{one}" for one in found)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Kay", Label(("Kay",), 0)),
        ("Kay 2009", Label(("Kay",), 2009)),
        ("Kay, 1509", Label(("Kay",), 1509)),
        ("Kay and Lee (2009)", Label(("Kay", "Lee"), 2009)),
        ("Kay, Lee & Roe [2009b]", Label(("Kay", "Lee", "Roe"), 2009)),
        (" Kay et al. (2009) ", Label(("Kay",), 2009)),
        ("Kay and colleagues", Label(("Kay",), 0)),
        ("van den Berg et al 2009a", Label(("van den Berg",), 2009)),
        ("et al. 2009", None),
        ("2009", None),
        ("Kay 1499", None),
        ("", None),
    ],
)
def test_labels(text: str, read: Label | None) -> None:
    assert label(text) == read


@pytest.mark.parametrize(
    ("name", "papers"),
    [
        (Name("ice", "id"), ["ice"]),
        (Name("ICE", "words"), ["ice"]),
        (Name("ice", "doi"), []),  # an id is no DOI
        (Name("10.5/ice", "doi"), ["ice"]),
        (Name("Fog over harbours"), ["fog"]),  # the whole title of one, part of another
        (Name("fog OVER Harbours.", "words"), ["fog"]),
        (Name("harbours at night", "words"), ["fog2"]),
        (Name("at night harbours", "words"), []),
        (Name("harbours at night", "label"), []),
        (Name("rain now"), ["short"]),
        (Name("rain"), []),
        (Name("...", "words"), []),
    ],
)
def test_papers_by_name(names: Names, name: Name, papers: list[str]) -> None:
    assert local(names.papers_called(name)) == papers


def test_part_of_two_titles_is_no_name(names: Names) -> None:
    with pytest.raises(Ambiguous):
        names.papers_called(Name("over harbours", "words"))
    assert names.papers_called(Name("s at night", "words")) == (), "eight letters are too few for part of a title"
    assert local(names.papers_called(Name("rs at night", "words"))) == ["fog2"]


@pytest.mark.parametrize(
    ("name", "found", "entries"),
    [
        # a title, with the other names of its work
        (Name("Frost on cold lakes"), works("frost", "frost2", "frost3"), []),
        (Name("FROST on cold lakes.", "words"), works("frost", "frost2", "frost3"), []),
        (Name("Snow on lakes"), (), ["ice/b"]),
        (Name("Hail on lakes and rivers"), (), ["ice/c"]),  # as a whole between marks
        (Name("hail and lakes"), works("hail"), []),  # part of one title
        # a paper's own work, and what cites it by its title alone
        (Name("ice", "id"), works("ice", "sensors"), []),
        (Name("Sensors under river ice"), works("ice", "sensors"), []),
        (Name("short", "id"), (), []),
        (Name("10.1/frost", "doi"), works("frost", "frost2", "frost3"), []),
        (Name("10.5/ice", "doi"), works("ice", "sensors"), []),
        (Name("Dust on the moon"), (), []),
    ],
)
def test_works_by_name(names: Names, name: Name, found: tuple[str, ...], entries: list[str]) -> None:
    meant = names.works(name)
    assert (meant.works, local(meant.entries)) == (found, entries)
    assert bool(meant) == bool(found or entries)
    assert names.unknown == ([] if meant else [name.text])
    assert names.works(name) is meant
    assert len(names.unknown) == (not meant), "told once"


@pytest.mark.parametrize(
    "name",
    [
        Name("on lakes"),  # part of several titles
        Name("moons of dust", "words"),  # perhaps no title
        Name("10.9/none", "doi"),  # many entries print none
    ],
)
def test_names_of_nobody_that_is_sure(names: Names, name: Name) -> None:
    with pytest.raises(Ambiguous):
        names.works(name)


def test_a_title_that_two_papers_have_names_the_entries_of_neither() -> None:
    twice = (listed("ice", "Sensors under river ice"), listed("fog", "Sensors under River Ice"))
    alone = Names(runner(ice=ICE, fog=FOG), twice)
    assert alone.works(Name("ice", "id")).works == works("ice")


@pytest.mark.parametrize(
    ("title", "is_long"), [("Rain nows", False), ("Rains nows", True)]
)  # of eight and nine letters
def test_a_short_title_names_a_paper_and_no_entry(title: str, is_long: bool) -> None:
    text = entry("a", f"Lima A. {title}. 2019.", title, "rain")
    run = runner(ice="<> kag:realizes <urn:work:own> ." + text)
    found = Names(run, (listed("ice", title),)).works(Name("ice", "id")).works
    assert found == works("own", *(["rain"] if is_long else []))


@pytest.mark.parametrize(
    ("title", "text", "read", "is_one"),
    [
        ("Ice on deep lakes", "Poe E. Ice on deep lakes. Rivers", "Ice on deep lakes of the north", True),
        ("Ice on lakes", "Poe E. Ice on lakes. Rivers", "Ice on lakes of the north", False),  # three words: a journal?
        ("Ice on lakes", "Poe E. Ice on lakes. Rivers", "", True),
        ("Ice on lakes", "Ice on lakes", "", True),
        ("Ice on lakes", "2001 Ice on lakes; Rivers", "", True),
        ("Ice on lakes", "Ice-on\nlakes? Rivers", "", True),
        ("Ice on lakes", "More ice on lakes. Rivers", "", False),
        ("Ice on lakes", "Ice on lakes and rivers", "", False),
        ("Ice on lakes", "Lakes on ice.", "", False),
    ],
)
def test_a_title_stands_whole_in_an_entry(title: str, text: str, read: str, is_one: bool) -> None:
    names = Names(runner(ice=entry("a", text, read)), ())
    found = names._titled(title, part=False)
    assert bool(found) == is_one


def test_whether_anything_meets_a_pattern(names: Names) -> None:
    assert names.is_any("GRAPH ?g { ?n a deo:BibliographicReference }")
    assert not names.is_any("GRAPH ?g { ?n a deo:Methods }")


def test_a_result_that_a_limit_cut_is_no_answer() -> None:
    run = runner(ice=ICE)
    with pytest.raises(Ambiguous):
        Names(lambda query: replace(run(query), ended="rows"), PAPERS).works(Name("Snow on lakes"))
