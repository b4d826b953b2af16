"""The reference list as numbered, parsed nodes."""

import json
from dataclasses import replace

import pytest
from rdflib import Literal

from kag.core.types import Document
from kag.indexing.enrich import bibliography, citations, crossrefs, endnotes
from kag.indexing.enrich.bibliography import apply, list_starts, number_entries
from kag.indexing.references.parser import parse_reference
from kag.indexing.structure.paragraphs import endnotes as notes_under
from kag.rdf.namespaces import C4O, CITO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM, RDF, XSD
from kag.rdf.ntriples import term
from kag.rdf.workspace import Workspace
from tests.unit.indexing.enrich.made import named, workspace_of
from tests.unit.indexing.structure.blocks import page


def test_a_lost_number_follows_its_predecessor():
    assert number_entries(["1. A", "2. B", "C lost", "4. D", "5. E", "F lost"])[2::3] == [(3, "C lost"), (6, "F lost")]


def test_positions_in_an_unnumbered_list():
    texts = ["10 Downing Street Group. T.", "Adams B. T.", "Brown C. T."]
    assert number_entries(texts) == [(1, texts[0]), (2, texts[1]), (3, texts[2])]


def test_leading_numbers_that_do_not_count_belong_to_the_words():
    assert number_entries(["3 Guys. T.", "12 Monkeys. T.", "7 Samurai. T."]) == [
        (1, "3 Guys. T."),
        (2, "12 Monkeys. T."),
        (3, "7 Samurai. T."),
    ]


def make(*texts):
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for order, text in enumerate(texts, 1):
        node = ws.node(f"r{order}")
        ws.add(node, RDF.type, DEO.BibliographicReference)
        ws.put(node, KAG.order, order)
        ws.put(node, KAG.fullText, text)
    return ws


def test_apply_sets_what_is_printed():
    ws = make(r"12. Deri MA, Lewis JS. PET with  \( {}^{89} \) Zr. Nucl Med Biol. 2013;40:3–14. doi:10.1016/j.x")
    assert apply(ws) == 11
    node = ws.node("r1")
    assert ws.number(node, KAG.citationNumber) == 12
    assert ws.text(node, KAG.citationText).startswith("Deri MA, Lewis JS. PET with ⁸⁹Zr.")
    assert ws.text(node, KAG.authorList) == "Deri, MA; Lewis, JS"
    assert ws.text(node, DCTERMS.title) == "PET with ⁸⁹Zr"
    assert ws.text(node, FABIO.hasPublicationYear) == "2013"
    assert ws.text(node, PRISM.doi) == "10.1016/j.x"
    assert ws.text(node, PRISM.publicationName) == "Nucl Med Biol"
    assert ws.text(node, PRISM.volume) == "40"
    assert (ws.text(node, PRISM.startingPage), ws.text(node, PRISM.endingPage)) == ("3", "14")
    stored = json.loads(ws.content[ws.text(node, KAG.parsedFields)].text)
    assert (stored["type"], stored["title"]) == ("article", "PET with ⁸⁹Zr")
    start, end = stored["spans"]["container"]
    assert stored["text"][start:end] == "Nucl Med Biol"
    assert 0.9 <= stored["confidence"]["doi"] <= 1


def test_years_and_addresses_have_types():
    ws = make("1. Smith J. One. J. 2001a;1:2.", "2. Smith J. Notes. Available at www.example.org/a|b")
    apply(ws)
    assert ws.graph.value(ws.node("r1"), FABIO.hasPublicationYear) == Literal("2001", datatype=XSD.gYear)
    address = ws.graph.value(ws.node("r2"), FABIO.hasURL)
    assert address == Literal("http://www.example.org/a%7Cb", datatype=XSD.anyURI)
    assert term(address) == '"http://www.example.org/a%7Cb"^^<http://www.w3.org/2001/XMLSchema#anyURI>'


@pytest.mark.parametrize(
    ("property_", "value"),
    [
        (FABIO.hasPublicationYear, "2019a"),
        (FABIO.hasPublicationYear, "in press"),
        (FABIO.hasPublicationYear, "0000"),
        (FABIO.hasPublicationYear, "٢٠١٩"),
        (FABIO.hasURL, "example.org/a"),
        (FABIO.hasURL, ""),
    ],
)
def test_what_is_no_year_or_address_is_left_to_the_record(monkeypatch, property_, value):
    name = "year" if property_ == FABIO.hasPublicationYear else "url"

    def parsed(texts):
        return [replace(parse_reference(words), **{name: value, "doi": ""}) for words in texts]

    monkeypatch.setattr(bibliography, "parse_references", parsed)
    bibliography._read_list.cache_clear()
    ws = make("1. Smith J. One. J. 2001;1:2.")
    apply(ws)
    bibliography._read_list.cache_clear()
    assert list(ws.graph.objects(ws.node("r1"), property_)) == []
    assert json.loads(ws.content[ws.text(ws.node("r1"), KAG.parsedFields)].text).get(name, "") == value


def test_apply_twice_changes_nothing_and_leaves_out_what_is_not_printed():
    ws = make("Lotfi M. A title. Publisher.")
    apply(ws)
    before = set(ws.graph)
    assert apply(ws) == 0
    assert set(ws.graph) == before
    assert not list(ws.graph.objects(ws.node("r1"), PRISM.doi))
    assert not list(ws.graph.objects(ws.node("r1"), FABIO.hasPublicationYear))


def test_the_rest_of_a_cut_entry_is_read_with_it():
    ws = make("1. Smith J. A title that")
    rest = ws.node("p1")
    ws.add(rest, RDF.type, DOCO.Paragraph)
    ws.put(rest, KAG.fullText, "goes on. Nature. 2001;1:2.")
    ws.add(rest, KAG.continues, ws.node("r1"))
    apply(ws)
    assert ws.text(ws.node("r1"), DCTERMS.title) == "A title that goes on"
    assert ws.text(ws.node("r1"), FABIO.hasPublicationYear) == "2001"


def test_apply_replaces_an_older_value():
    ws = make("1. Smith J. Ice on cold rivers. Ice Lett. 2001;1:2.")
    ws.put(ws.node("r1"), DCTERMS.title, "Wrong")
    apply(ws)
    assert [str(value) for value in ws.graph.objects(ws.node("r1"), DCTERMS.title)] == ["Ice on cold rivers"]


@pytest.mark.parametrize(("texts", "numbers"), [
    (["[1] A", "[2] B", "C", "D", "E"], [1, 2, 3, 4, 5]),  # two of five: not a numbered list
    (["[3] A", "[4] B", "[5] C", "D", "E"], [3, 4, 5, 6, 7]),  # three of five are one
    (["[3] A", "[4] B", "C", "D", "E"], [1, 2, 3, 4, 5]),
    (["[1] A", "B", "[2] C", "[3] D"], [1, 4, 2, 3]),  # numbers that are printed are taken
    (["A", "[2] B", "[3] C"], [1, 2, 3]),
    (["[1] A", "B", "C", "[2] D", "[3] E", "[4] F"], [1, 5, 6, 2, 3, 4]),
    (["[1] A", "[5] B", "[9] C", "[13] D"], [1, 2, 3, 4]),  # none follows the one before
    ([], []),
    (["[1] A", "[2] B", "[9] C"], [1, 2, 9]),  # half of the steps are enough
])  # fmt: skip
def test_numbers_of_entries(texts, numbers):
    assert [number for number, _ in number_entries(texts)] == numbers


def test_what_is_known_of_an_entry():
    words = "Poe E, Roe F, et al. Ice on rivers. Rivers. 2004;4:14-19."
    found = bibliography.fields(words, parse_reference(words))
    assert found["text"] == words
    assert found["authors"] == [{"family": "Poe", "given": "E"}, {"family": "Roe", "given": "F"}]
    assert found["others"] is True
    spans = {name: words[slice(*span)] for name, span in found["spans"].items()}
    assert spans["title"] == "Ice on rivers"
    assert spans["year"] == "2004"
    assert "volume" not in spans, "it stands there more than once"
    assert found["volume"] == "4"
    assert set(spans) < set(found)
    alone = bibliography.fields("", replace(parse_reference(words), more_authors=False))
    assert "others" not in alone
    assert alone["spans"] == {}
    body = "World Health Organization (2019). Seventh. WHO."
    assert bibliography.fields(body, parse_reference(body))["authors"] == [{"family": "World Health Organization"}]
    first = "Ice E. Ice on rivers. Rivers. 2004;5:14-19."
    assert bibliography.fields(first, parse_reference(first))["spans"]["volume"][0] == first.index("5:")


def test_a_value_may_stand_at_the_beginning():
    words = "The state of the world. Penguin. 2001."
    found = bibliography.fields(words, replace(parse_reference(words), title="The state of the world"))
    assert found["spans"]["title"] == [0, 22]


def test_a_dash_stands_for_the_names_of_the_entry_before() -> None:
    texts = ("Hill, A., & Dale, B. 2001, J Ice, 3, 1", "—. 2002, J Ice, 4, 2", "———. Snow. J Ice, 2003, 5, 3.")
    assert [[name.family for name in found.authors] for _, _, found in bibliography._read_list(texts)] == [
        ["Hill", "Dale"]
    ] * 3


def test_the_parts_of_an_entry_are_put_together() -> None:
    assert bibliography._joined(["Ice. Jour-", "nal of Ice. doi:10.5555/", "j.ice.2001.7"]) == (
        "Ice. Journal of Ice. doi:10.5555/j.ice.2001.7"
    )
    assert bibliography._joined(["Ice on", "lakes"]) == "Ice on lakes"


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


PARAGRAPH, NOTE = DOCO.Paragraph, DOCO.Footnote
NOTES = (("n1", NOTE, "1. See the files."), ("n2", NOTE, "2. Ice is rare."), ("n3", NOTE, "and short."))


def paper(text: str, *entries: str):
    listed = [(f"r{n}", DEO.BibliographicReference, entry) for n, entry in enumerate(entries, start=1)]
    workspace = workspace_of(
        ("p1", PARAGRAPH, text), ("t1", DOCO.SectionTitle, "Notes"), ("s1", DOCO.Section, ""), *NOTES, *listed
    )
    workspace.add(workspace.node("s1"), KAG.containsAsHeader, workspace.node("t1"))
    workspace.put(workspace.node("t1"), KAG.mainText, "Notes")
    for name, _, _ in NOTES:
        workspace.add(workspace.node("s1"), KAG.contains, workspace.node(name))
    bibliography.apply(workspace)
    endnotes.apply(workspace)
    citations.link_citations(workspace)
    return [
        sorted(named(workspace.links(workspace.node("p1"), link))) for link in (KAG.refersTo, CITO.cites)
    ], workspace


def test_raised_numbers_lead_to_notes_and_names_to_the_list() -> None:
    found, workspace = paper(
        "Ice is cold.¹ Snow is not.² So say Abel (1999) and Berg.",
        "Abel A. (1999). Ice. J, 1, 2–3.",
        "Berg B. (2000). Snow. J, 1, 2–3.",
    )
    assert found == [["n1", "n2"], ["r1"]]
    mention = workspace.node("p1-m12")
    assert (workspace.text(mention, C4O.hasContent), workspace.text(mention, KAG.targetKind)) == ("¹", "note")
    assert endnotes.apply(workspace) == 0


def test_where_the_list_is_numbered_raised_numbers_cite() -> None:
    found, _ = paper("Ice is cold.¹ Snow is not.²", "1. Abel A. Ice. J. 1999;1:2.", "2. Berg B. Snow. J. 2000;1:2.")
    assert found == [[], ["r1", "r2"]]


def test_notes_that_nothing_calls_out_are_none() -> None:
    assert paper("An area of 5 m² is cold.")[0] == [[], []]


def test_what_stands_under_the_title_of_notes() -> None:
    blocks = page(("text", "1. See the files."), ("text", "and more files."), ("text", "2 Ice is rare."))
    assert notes_under("Endnotes", blocks) == {block.id for block in blocks}
    assert notes_under("4 Notes", blocks) == {block.id for block in blocks}
    assert notes_under("Results", blocks) == set()
    assert notes_under("Notes", page(("text", "The authors declare no competing interests."))) == set()


def footnotes(text: str, *entries: str, note: str = "¹ It was built in May.") -> list[list[str]]:
    listed = [(f"r{n}", DEO.BibliographicReference, entry) for n, entry in enumerate(entries, start=1)]
    workspace = workspace_of(("p1", PARAGRAPH, text), ("f1", NOTE, note), *listed)
    for name in ("p1", "f1"):
        workspace.put(workspace.node(name), KAG.pageNumber, 3)
    bibliography.apply(workspace)
    endnotes.apply(workspace)
    citations.link_citations(workspace)
    return [sorted(named(workspace.links(workspace.node("p1"), link))) for link in (KAG.refersTo, CITO.cites)]


def test_the_mark_of_a_footnote_leads_to_the_note_of_its_page() -> None:
    entries = (
        "[1] A. Hill. Ice. J Ice 3, 2001.",
        "[2] B. Dale. Snow. J Ice 4, 2002.",
        "[3] C. Fen. Fog. J Ice 5, 2003.",
    )
    assert footnotes("Ice [1, 2, 3] is cold. The station¹ is old.", *entries) == [["f1"], ["r1", "r2", "r3"]]
    raised = tuple(entry.replace("[", "").replace("]", ".", 1) for entry in entries)
    assert footnotes("Ice melts.¹⁻³ The station¹ is old.", *raised) == [["f1"], ["r1", "r2", "r3"]]
    assert footnotes("Ice melts.¹ Snow falls.² Fog.³", *raised) == [[], ["r1", "r2", "r3"]], "it cites"
    address = "¹ Department of Rivers, Norland University"
    assert footnotes("Ice [1, 2, 3] is cold. The station¹ is old.", *entries, note=address)[0] == []
