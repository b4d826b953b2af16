"""Papers with several reference lists: numbers begin again, and each text cites the list it belongs to."""

import pytest

from kag.indexing.enrich import bibliography, citations, crossrefs
from kag.indexing.enrich.bibliography import list_starts, number_entries
from kag.rdf.namespaces import CITO, DEO, DOCO, KAG
from tests.unit.indexing.enrich.made import named, workspace_of

REFERENCE, TEXT, CAPTION = DEO.BibliographicReference, DOCO.Paragraph, DEO.Caption


@pytest.mark.parametrize(("numbers", "starts"), [
    ([], []),
    ([1, 2, 3], [0]),
    ([1, 2, 3, 1, 2], [0, 3]),
    ([1, 2, None, 1, 2, 1, 2], [0, 3, 5]),
    ([None, None, 1, 2], [0, 2]),  # a list without numbers before one with
    ([1, 2, 1, 3, 4], [0]),  # a 1 that is no number of the list
    ([31, 32, 1, None, 2], [0, 2]),  # the number of an entry may be lost
    ([1, 2, 3, 4, 1], [0]),
])  # fmt: skip
def test_where_lists_begin(numbers: list[int | None], starts: list[int]) -> None:
    assert list_starts(numbers) == starts


def test_each_list_is_numbered_for_itself() -> None:
    texts = ["1. A", "2. B", "3. C", "4. D", "1. E", "2. F", "G lost", "4. H"]
    assert [number for number, _ in number_entries(texts)] == [1, 2, 3, 4, 1, 2, 3, 4]
    later = ["Abel A. T.", "Berg B. T.", "Chen C. T.", "[1] D", "[2] E"]
    assert [number for number, _ in number_entries(later)] == [1, 2, 3, 1, 2]


def entries(letter: str, count: int) -> list[tuple[str, object, str]]:
    return [(f"{letter}{n}", REFERENCE, f"{n}. Name{letter} A. Ice. J. 200{n};1:2.") for n in range(1, count + 1)]


def cited(workspace, *names: str) -> list[list[str]]:
    bibliography.apply(workspace)
    crossrefs.link_crossrefs(workspace)
    citations.link_citations(workspace)
    return [sorted(named(workspace.links(workspace.node(name), CITO.cites))) for name in names]


def test_a_text_cites_the_list_behind_it_and_the_last_one_behind_all() -> None:
    workspace = workspace_of(
        ("p1", TEXT, "Ice [1, 2] and snow [3]."), *entries("a", 3),
        ("p2", TEXT, "Sites [1] and maps [2]."), *entries("b", 2),
        ("p3", TEXT, "More maps [2]."),
    )  # fmt: skip
    assert cited(workspace, "p1", "p2", "p3") == [["a1", "a2", "a3"], ["b1", "b2"], ["b2"]]


def test_numbers_that_only_the_other_list_has_lead_there() -> None:
    """ "Further reading" behind an appendix is no list that the appendix cites."""
    workspace = workspace_of(
        ("p1", TEXT, "Ice [1, 2]."), *entries("a", 6), ("p2", TEXT, "Sites [1], [4–6]."), *entries("b", 2)
    )
    assert cited(workspace, "p1", "p2") == [["a1", "a2"], ["a1", "a4", "a5", "a6"]]


def test_a_caption_cites_the_list_of_the_text_that_calls_it_out() -> None:
    workspace = workspace_of(
        ("p1", TEXT, "Ice [1, 2], in Figure 1."), *entries("a", 3), ("p2", TEXT, "Sites [1], in Figure S1."),
        *entries("b", 3), ("c1", CAPTION, "Figure 1. From [3]."), ("f1", DOCO.Figure, ""),
        ("c2", CAPTION, "Figure S1. From [3]."), ("f2", DOCO.Figure, ""),
    )  # fmt: skip
    for name, number in (("1", "1"), ("2", "S1")):
        workspace.add(workspace.node(f"c{name}"), KAG.describes, workspace.node(f"f{name}"))
        workspace.put(workspace.node(f"f{name}"), KAG.floatNumber, number)
    assert cited(workspace, "c1", "c2") == [["a3"], ["b3"]]
