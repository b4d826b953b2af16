"""Notes at the end of a paper, and the raised numbers that lead to them."""

from kag.indexing.enrich import bibliography, citations, endnotes
from kag.indexing.structure.paragraphs import endnotes as notes_under
from kag.rdf.namespaces import C4O, CITO, DEO, DOCO, KAG
from tests.unit.indexing.enrich.made import named, workspace_of
from tests.unit.indexing.structure.blocks import page

TEXT, NOTE = DOCO.Paragraph, DOCO.Footnote
NOTES = (("n1", NOTE, "1. See the files."), ("n2", NOTE, "2. Ice is rare."), ("n3", NOTE, "and short."))


def paper(text: str, *entries: str):
    listed = [(f"r{n}", DEO.BibliographicReference, entry) for n, entry in enumerate(entries, start=1)]
    workspace = workspace_of(
        ("p1", TEXT, text), ("t1", DOCO.SectionTitle, "Notes"), ("s1", DOCO.Section, ""), *NOTES, *listed
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
    workspace = workspace_of(("p1", TEXT, text), ("f1", NOTE, note), *listed)
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
