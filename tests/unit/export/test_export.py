"""Reference lists for reference managers, read back by the parsers that people use."""

import json

import bibtexparser
import pytest
import rispy
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from rdflib import Literal

from kag.core.types import Document
from kag.export.references import BibliographicRecord, Person, bibliography, to_bibtex, to_csl_json, to_ris
from kag.indexing.enrich.bibliography import apply
from kag.rdf.namespaces import DCTERMS, DEO, KAG, PREFIXES, RDF
from kag.rdf.published import PublishedGraph
from kag.rdf.turtle import turtle
from kag.rdf.workspace import Workspace

TEXTS = (
    "Poe E, Roë F, et al. Ice & snow: 50% of {all} rivers_here. J Ice Res. 1999;3(2):101-9. doi:10.1000/a_b#c",
    "World Health Organization. Growing up on ice. Ice Press. 2016.",
    "Poe E. A second paper on rivers. Rivers. 1999;4:7. PMID: 1234567",
    "Lee, S. (2001). Ice in towns. In: Doe J, Ray K (eds) Cold places. Springer, Berlin, pp. 12–15.",
    "Something that nobody can read",
)
RECORDS = (
    BibliographicRecord("poe1999", 1, "article", (Person("Poe", "E"), Person("Ice Group")), title="A ~ B ^ C $1 \\x"),
)


def published(ws):
    return PublishedGraph.parse(turtle(ws.texts(), {**PREFIXES, "ex": ws.base}))


@pytest.fixture(scope="module")
def records():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for order, text in enumerate(TEXTS, 1):
        ws.add(ws.node(f"r{order}"), RDF.type, DEO.BibliographicReference)
        ws.put(ws.node(f"r{order}"), KAG.order, order)
        ws.put(ws.node(f"r{order}"), KAG.fullText, text)
    apply(ws)
    return bibliography(published(ws), ws.content)


def test_records_hold_what_was_read(records):
    first, group, _, chapter, unread = records
    assert [record.number for record in records] == [1, 2, 3, 4, 5]
    assert first.authors == (Person("Poe", "E"), Person("Roë", "F"))
    assert first.more_authors
    assert (first.kind, first.issue, first.pages, first.doi) == ("article", "2", "101-109", "10.1000/a_b#c")
    assert (group.kind, group.authors, group.publisher) == ("book", (Person("World Health Organization"),), "Ice Press")
    assert (chapter.kind, chapter.container, chapter.publisher, chapter.place) == (
        "chapter", "Cold places", "Springer", "Berlin")  # fmt: skip
    assert chapter.editors == (Person("Doe", "J"), Person("Ray", "K"))
    assert unread.text == TEXTS[4]


def test_keys_are_unique_and_say_who_and_when(records):
    assert [record.key for record in records][:4] == ["poe1999a", "organization2016", "poe1999b", "lee2001"]
    assert len({record.key for record in records}) == len(records)


def test_what_the_graph_says_comes_before_the_store():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    ws.add(ws.node("r1"), RDF.type, DEO.BibliographicReference)
    ws.put(ws.node("r1"), KAG.order, 1)
    ws.put(ws.node("r1"), KAG.fullText, "Poe E. Ice on rivers. Rivers. 1999;4:7.")
    apply(ws)
    ws.set(ws.node("r1"), DCTERMS.title, Literal("Ice on all rivers"))
    assert bibliography(published(ws), ws.content)[0].title == "Ice on all rivers"


def test_bibtex_is_read_back(records):
    library = bibtexparser.parse_string(to_bibtex(records))
    assert not library.failed_blocks
    assert [entry.key for entry in library.entries] == [record.key for record in records]
    first, group, _, chapter, _ = library.entries
    assert (first.entry_type, group.entry_type, chapter.entry_type) == ("article", "book", "incollection")
    assert first["author"] == "Poe, E and Roë, F and others"
    assert group["author"] == "{World Health Organization}"
    assert first["title"] == r"Ice \& snow: 50\% of \{all\} rivers\_here"
    assert (first["pages"], first["number"], first["doi"]) == ("101--109", "2", "10.1000/a_b#c")
    assert chapter["booktitle"] == "Cold places"


def test_bibtex_escapes_what_tex_reads():
    title = bibtexparser.parse_string(to_bibtex(RECORDS)).entries[0]["title"]
    assert title == r"A \textasciitilde{} B \textasciicircum{} C \$1 \textbackslash{}x"


def test_ris_is_read_back(records):
    read = rispy.loads(to_ris(records))
    assert len(read) == len(records)
    assert [entry["type_of_reference"] for entry in read[:4]] == ["JOUR", "BOOK", "JOUR", "CHAP"]
    assert read[0]["authors"] == ["Poe, E", "Roë, F"]
    assert (read[0]["start_page"], read[0]["end_page"], read[0]["number"]) == ("101", "109", "2")
    assert read[0]["doi"] == "10.1000/a_b#c"
    assert read[3]["secondary_title"] == "Cold places"


def test_csl_json_is_formatted_by_a_citation_processor(records):
    items = json.loads(to_csl_json(records))
    assert items[0]["issued"] == {"date-parts": [[1999]]}
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    source = CiteProcJSON(items)
    printed = CitationStylesBibliography(style, source, formatter.plain)
    for item in items[:4]:
        printed.register(Citation([CitationItem(item["id"])]))
    lines = [str(line) for line in printed.bibliography()]
    assert len(lines) == 4
    assert any("Poe" in line and "1999" in line and "J Ice Res" in line for line in lines)


def test_an_empty_list():
    assert to_bibtex(()) == to_ris(()) == ""
    assert json.loads(to_csl_json(())) == []
