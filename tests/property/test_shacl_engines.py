"""The incremental report, the full compiled report and pySHACL's say the same, whatever is done to a graph.

Every message of the shapes is provoked at least once by name; random edits do the rest.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import SH

from kag.rdf import namespaces
from kag.rdf.namespaces import DEO, DOCO, KAG, PREFIXES, RDF
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.referee import referee
from kag.rdf.shacl import Session, Validator
from kag.rdf.workspace import Workspace
from kag.types import Document

SHAPES = load_shapes(DOC)
VALIDATOR = Validator(SHAPES)
SHAPE = "http://la3d.local/kag/shapes/document#"
REF = "paragraph:0123456789abcdef"
CONTENT = {
    "front": "title authors places",
    "intro": "p1 p2 note",
    "data": "fig figcap figlabel tab tabcap eq",
    "list": "r1 r2",
}
CLASSES = {
    "title": DOCO.Title, "authors": DOCO.ListOfAuthors, "places": DOCO.ListOfOrganizations, "p1": DOCO.Paragraph,
    "p2": DOCO.Paragraph, "note": DOCO.Footnote, "fig": DOCO.Figure, "figcap": DEO.Caption, "figlabel": DOCO.FigureLabel,
    "tab": DOCO.Table, "tabcap": DEO.Caption, "eq": DOCO.Formula, "r1": DEO.BibliographicReference,
    "r2": DEO.BibliographicReference,
}  # fmt: skip
EXTRA = """
doc dcterms:title "On water"; doc dcterms:creator "Ada Lovelace"; doc dcterms:creator "Bo Li"; doc prism:doi "10.1000/w"
doc fabio:hasPublicationYear "2020"; front rdf:type doco:FrontMatter; intro rdf:type deo:Introduction
list rdf:type doco:Bibliography; intro kag:sectionNumber "1"; p2 kag:continues ex:p1; p1 cito:cites ex:r1
p1 kag:refersTo ex:fig; p1 kag:hasMention ex:m1; p1 kag:hasMention ex:m2; m1 rdf:type c4o:InTextReferencePointer
m1 c4o:hasContent "[1]"; m1 kag:startOffset 0; m1 kag:endOffset 3; m1 c4o:denotes ex:r1; m2 rdf:type kag:CrossReference
m2 c4o:hasContent "Fig. 1"; m2 kag:startOffset 9; m2 kag:endOffset 15; m2 kag:refersTo ex:fig; figcap kag:describes ex:fig
figcap kag:floatNumber "1"; fig kag:floatNumber "1"; fig kag:floatLabel "Fig. 1"; fig kag:imagePath "a.png"
fig kag:imageDescription "A curve."; tabcap kag:describes ex:tab; tabcap kag:floatNumber "S1"; tab kag:floatNumber "S1"
tab kag:tableCells "table_cells:0123456789abcdef"; r1 kag:citationNumber 1; r1 kag:citationText "Li. Ice. 2019."
r1 kag:authorList "Li, Bo"; r1 dcterms:title "Ice"; r1 fabio:hasPublicationYear "2019"; r1 prism:doi "10.1000/182"
r1 prism:publicationName "Ice J"; r1 prism:volume "1"; r1 prism:startingPage "2"; r1 prism:endingPage "3"
empty kag:contains ex:empty-title
"""

# name: (edits, what is reported: "node shape ..."). "+ s p o" adds, "- s p [o]" removes, "= s p o" sets.
BREAKAGES: dict[str, tuple[str, str]] = {
    "no class": ("- p1 rdf:type; - p1 cito:cites", "p1 hasClass oneClass; intro sectionContentClass; p2 continuesClass"),
    "ghost": ("+ ghost prism:volume \"1\"", "ghost hasClass"),
    "invented section type": ("+ intro rdf:type deo:Abstract", "intro knownClass"),
    "two content classes": ("+ note rdf:type doco:Title", "note oneClass"),
    "section type on a paragraph": ("+ note rdf:type deo:Methods", "note SectionType"),
    "document with blocks": ("+ doc kag:fullText \"x\"", "doc Document"),
    "document is no paper": ("- doc rdf:type fabio:ResearchPaper", "doc documentPaper"),
    "paper that is a footnote": ("+ note rdf:type fabio:ResearchPaper", "note Paper"),
    "no identifier": ("- doc dcterms:identifier", "doc identifierOne"),
    "author as number": ("+ doc dcterms:creator 3", "doc creatorText"),
    "empty document": ("+ doc2 rdf:type doco:Document; + doc2 rdf:type fabio:ResearchPaper; + doc2 dcterms:identifier \"b\"",
                       "doc2 documentSections"),
    "paragraph in the document": ("= note ^kag:contains ex:doc", "doc documentContent; note notInDocument"),
    "section with text": ("+ intro kag:sourceBlock \"b_p001_0001\"", "intro Section oneClass"),
    "section without title": ("- data kag:containsAsHeader; - data-title rdf:type",
                              "data sectionTitleMin; data-title hasClass oneClass"),
    "section with two titles": ("+ data kag:containsAsHeader ex:list-title",
                                "data sectionTitleMax; list-title headerMax headerSame"),
    "title is a footnote": ("= data-title rdf:type doco:Footnote",
                            "data sectionTitleClass; data-title inSection"),
    "empty section": ("- empty kag:contains", "empty sectionContentMin"),
    "section contains a mention": ("+ data kag:contains ex:m1", "data sectionContentClass"),
    "two depths": ("+ data kag:depth 3", "data depthOne"),
    "depth zero": ("= data kag:depth 0", "data depthForm"),
    "two section numbers": ("+ intro kag:sectionNumber \"2\"", "intro sectionNumberOne"),
    "section nowhere": ("- list ^kag:contains", "list sectionParentMin sectionInDocument"),
    "section in two": ("+ intro kag:contains ex:list", "list sectionParentMax"),
    "section in a paragraph": ("+ note kag:contains ex:list", "note Text; list sectionParentMax sectionParentClass"),
    "circle of sections": ("= intro ^kag:contains ex:data", "intro sectionInDocument; data sectionInDocument"),
    "title with depth": ("+ data-title kag:depth 1", "data-title SectionTitle"),
    "title of nothing": ("+ t rdf:type doco:SectionTitle; + t kag:fullText \"x\"; + t kag:mainText \"x\"; + t kag:isSynthetic true",
                         "t headerMin"),
    "title in another section": ("+ intro kag:contains ex:data-title", "data-title headerSame"),
    "title without preview": ("- data-title kag:mainText", "data-title mainTextNeeded"),
    "synthetic maybe": ("= front-title kag:isSynthetic \"maybe\"", "front-title synthetic TitleOrigin"),
    "synthetic title with a block": ("+ front-title kag:sourceBlock \"b_p001_0001\"", "front-title TitleOrigin"),
    "printed and synthetic": ("+ data-title kag:isSynthetic true", "data-title TitleOrigin"),
    "continues itself": ("= p2 kag:continues ex:p2", "p2 Content"),
    "in no section": ("- note ^kag:contains", "note inSection"),
    "in two sections": ("+ data kag:contains ex:note", "note inOneSection"),
    "in a caption": ("= note ^kag:contains ex:figcap", "figcap Caption; note parentIsSection"),
    "no source": ("- note kag:sourceBlock", "note blockMin"),
    "source is no block": ("+ note kag:sourceBlock \"p1\"", "note blockForm"),
    "block id and a newline": ("+ note kag:sourceBlock \"b_p001_0001\\n\"", "note blockForm"),
    "no page": ("- note kag:pageNumber", "note pageOne"),
    "page as text": ("= note kag:pageNumber \"3\"", "note pageForm"),
    "page zero": ("= intro kag:pageNumber 0", "intro pageForm"),
    "title on two pages": ("+ data-title kag:pageNumber 2", "data-title pageMax"),
    "no order": ("- note kag:order", "note orderOne"),
    "order below one": ("= note kag:order -1", "note orderForm"),
    "title in two places": ("+ data-title kag:order 999", "data-title orderMax"),
    "no content ref": ("- note kag:hasContentRef", "note refNeeded"),
    "two content refs": ("+ note kag:hasContentRef \"paragraph:0123456789abcdee\"", "note refOne"),
    "short content ref": ("= note kag:hasContentRef \"paragraph:0123\"", "note refForm"),
    "two boxes": ("+ note kag:hasBBox \"[[0, 0, 1, 1]]\"", "note boxOne"),
    "box of three": ("= note kag:hasBBox \"[[0, 0, 1]]\"", "note boxForm"),
    "figure without box": ("- fig kag:hasBBox", "fig boxNeeded"),
    "no full text": ("- note kag:fullText", "note fullTextOne"),
    "figure with two texts": ("+ fig kag:fullText \"a\"; + fig kag:fullText \"b\"", "fig fullTextMax"),
    "two previews": ("+ note kag:mainText \"y\"", "note mainTextOne"),
    "continues two": ("+ p2 kag:continues ex:note", "p2 continuesOne"),
    "continues a section": ("= p2 kag:continues ex:intro", "p2 continuesClass"),
    "cites a figure": ("= p1 cito:cites ex:fig", "p1 citesClass"),
    "refers to a paragraph": ("= p1 kag:refersTo ex:p2", "p1 refersToClass"),
    "mention is a paragraph": ("+ note kag:hasMention ex:p1", "note mentionClass"),
    "invented predicate": ("+ note kag:describes ex:fig", "note Text"),
    "caption with cells": ("+ figcap kag:tableCells \"a:0123456789abcdef\"", "figcap Caption"),
    "caption of nothing": ("- figcap kag:describes; - figcap kag:floatNumber", "figcap describesMin"),
    "caption of two": ("+ figcap kag:describes ex:fig2; + fig2 rdf:type doco:Figure", "figcap describesMax; fig2 inSection "
                       "blockMin pageOne orderOne refNeeded boxNeeded"),
    "caption of a paragraph": ("= figcap kag:describes ex:p1; - figcap kag:floatNumber", "figcap describesClass"),
    "numbers differ": ("= figcap kag:floatNumber \"2\"", "figcap sameNumber"),
    "two float numbers": ("+ fig kag:floatNumber \"2\"; + figcap kag:floatNumber \"2\"", "fig floatNumberOne; figcap floatNumberOne"),
    "label as number": ("= fig kag:floatLabel 1", "fig floatLabelOne"),
    "figure with cells": ("+ fig kag:tableCells \"a:0123456789abcdef\"", "fig Figure"),
    "two pictures": ("+ fig kag:imagePath \"b.png\"", "fig imagePathOne"),
    "two descriptions": ("+ fig kag:imageDescription \"b\"", "fig imageWordsOne"),
    "table with picture": ("+ tab kag:imagePath \"b.png\"", "tab Table"),
    "two sets of cells": ("+ tab kag:tableCells \"a:0123456789abcdef\"", "tab cellsOne"),
    "cells in place": ("= tab kag:tableCells \"[[1]]\"", "tab cellsForm"),
    "reference with depth": ("+ r2 kag:depth 1", "r2 Reference"),
    "two citation numbers": ("+ r1 kag:citationNumber 2", "r1 numberOne"),
    "citation number as text": ("= r1 kag:citationNumber \"1\"", "r1 numberForm"),
    "two citation texts": ("+ r1 kag:citationText \"y\"", "r1 citationTextOne"),
    "two titles": ("+ r1 dcterms:title \"y\"", "r1 titleOne"),
    "title as number": ("= doc dcterms:title 1984", "doc titleText"),
    "two years": ("+ r1 fabio:hasPublicationYear \"2020\"", "r1 yearOne"),
    "year of two digits": ("= r1 fabio:hasPublicationYear \"98\"", "r1 yearForm"),
    "two dois": ("+ r1 prism:doi \"10.1000/3\"", "r1 doiOne"),
    "doi as link": ("= r1 prism:doi \"https://doi.org/10.1000/182\"", "r1 doiForm"),
    "two journals": ("+ r1 prism:publicationName \"y\"", "r1 journalOne"),
    "volume as number": ("= r1 prism:volume 1", "r1 volumeOne"),
    "two first pages": ("+ r1 prism:startingPage \"y\"", "r1 firstPageOne"),
    "two last pages": ("+ r1 prism:endingPage \"y\"", "r1 lastPageOne"),
    "two author lists": ("+ r1 kag:authorList \"y\"", "r1 authorsOne"),
    "mention with page": ("+ m1 kag:pageNumber 1", "m1 Pointer"),
    "cross-reference with page": ("+ m2 kag:pageNumber 1", "m2 CrossReference"),
    "mention without text": ("- m1 c4o:hasContent", "m1 surfaceOne"),
    "mention without start": ("- m1 kag:startOffset", "m1 startOne"),
    "mention before the text": ("= m1 kag:startOffset -2", "m1 startForm"),
    "mention without end": ("- m2 kag:endOffset", "m2 endOne"),
    "end as fraction": ("= m2 kag:endOffset 15.5", "m2 endForm"),
    "end before start": ("= m2 kag:endOffset 9", "m2 startBeforeEnd"),
    "mention of no text": ("- m1 ^kag:hasMention", "m1 hostMin"),
    "mention in two texts": ("+ note kag:hasMention ex:m1", "m1 hostMax"),
    "denotes nothing": ("- m1 c4o:denotes", "m1 denotesMin"),
    "denotes a figure": ("= m1 c4o:denotes ex:fig", "m1 denotesClass"),
    "refers to nothing": ("- m2 kag:refersTo", "m2 targetMin"),
}  # fmt: skip


def sample() -> Workspace:
    """A small paper that conforms and uses every class and property of the layer."""
    ws = Workspace(Document("sample", (), (), (), 1, ""))
    edit(ws, '+ doc rdf:type doco:Document; + doc rdf:type fabio:ResearchPaper; + doc dcterms:identifier "sample"')
    number = 0
    for section, parent in {"front": "doc", "intro": "doc", "data": "intro", "empty": "doc", "list": "doc"}.items():
        depth = 2 if parent == "intro" else 1
        edit(ws, f"+ {section} rdf:type doco:Section; + {section} kag:pageNumber 1; + {section} kag:depth {depth}")
        edit(ws, f"+ {parent} kag:contains ex:{section}; + {section} kag:containsAsHeader ex:{section}-title")
        for name in (f"{section}-title", *CONTENT.get(section, "").split()):
            number += 1
            describe(ws, section, name, number)
    for line in EXTRA.strip().splitlines():
        edit(ws, "; ".join("+ " + fact for fact in line.split("; ")))
    return ws


def describe(ws: Workspace, section: str, name: str, number: int) -> None:
    is_title = name == f"{section}-title"
    ws.add(ws.node(name), RDF.type, DOCO.SectionTitle if is_title else CLASSES[name])
    if not is_title:
        edit(ws, f"+ {section} kag:contains ex:{name}")
    if name != "fig":
        edit(ws, f'+ {name} kag:fullText "text {number}"; + {name} kag:mainText "text {number}"')
    if name == "front-title":
        edit(ws, f"+ {name} kag:isSynthetic true")
    else:
        edit(ws, f'+ {name} kag:sourceBlock "b_p001_{number:04d}"; + {name} kag:order {number}; + {name} kag:pageNumber 1')
        edit(ws, f'+ {name} kag:hasContentRef "{REF}"; + {name} kag:hasBBox "[[1, 2, 3, 4],[5, 6, 7, 8]]"')


def edit(ws: Workspace, edits: str) -> None:
    for one in edits.split("; "):
        sign, subject, predicate, *value = one.split(" ", 3)
        inverse, iri = predicate.startswith("^"), ws.resolve(predicate.lstrip("^"))
        node, goal = ws.node(subject), read_value(ws, value[0]) if value else None
        pattern = (None, iri, node) if inverse else (node, iri, None)
        for triple in list(ws.graph.triples(pattern)) if sign in "-=" else []:
            if sign == "=" or goal in (None, triple[2]):
                ws.remove(*triple)
        if sign in "+=":
            ws.add(*((goal, iri, node) if inverse else (node, iri, goal)))


def read_value(ws: Workspace, text: str):
    prefix = text.partition(":")[0]
    return ws.resolve(text) if prefix == "ex" or prefix in PREFIXES else Literal(json.loads(text))


def agreed(session: Session, ws: Workspace):
    """The report on which all three agree."""
    step, full, slow = session.report(), VALIDATOR.full(ws.graph), referee(ws.graph, SHAPES)
    assert set(full.issues) == set(slow.issues)
    assert step == full == slow
    return step


def message(shape: str) -> str:
    return str(SHAPES.value(URIRef(SHAPE + shape), SH.message))


def test_the_sample_conforms_and_uses_the_whole_vocabulary():
    ws = sample()
    assert agreed(Session(VALIDATOR, ws), ws).issues == ()
    used = set(ws.graph.objects(None, RDF.type)) | set(ws.graph.predicates())
    sections = {term for term in DOC.classes - DOC.content if (URIRef(SHAPE + "SectionType"), SH.targetClass, term) in SHAPES}
    assert used >= (DOC.classes - sections) | set(DOC.properties)


@pytest.mark.parametrize("name", BREAKAGES)
def test_each_breakage_gives_its_message_and_no_other(name: str):
    edits, expected = BREAKAGES[name]
    ws = sample()
    session = Session(VALIDATOR, ws)
    session.report()
    edit(ws, edits)
    wanted = {(f"<{ws.node(node)}>", message(shape)) for part in expected.split("; ")
              for node, *shapes in [part.split()] for shape in shapes}  # fmt: skip
    assert {(issue.focus, issue.message) for issue in agreed(session, ws).issues} == wanted


def test_every_message_is_provoked_by_a_breakage():
    provoked = {message(shape) for _, expected in BREAKAGES.values() for part in expected.split("; ")
                for shape in part.split()[1:]}  # fmt: skip
    assert {str(text) for text in SHAPES.objects(None, SH.message)} - provoked == set()


NAMES = st.sampled_from([*CLASSES, *CONTENT, "empty", "data-title", "front-title", "doc", "m1", "m2", "stranger"])
ODD = st.sampled_from([
    Literal("3"), Literal(0), Literal(7), Literal("x", datatype=namespaces.XSD.integer), Literal("colour", lang="en-GB"), Literal(True),
    Literal("b_p001_0001\n"), Literal("b_p001_0099"), Literal("2020", datatype=namespaces.XSD.string), Literal("2020"), Literal(3.5),
    Literal(""), Literal('quote " back \\ \r\n\t\x01 end\u2028 \U0001f600'), Literal("10.1000/a\u00a0b"), Literal("false"),
    URIRef("urn:x-other"), DOCO.Section, DOCO.Document, DEO.Caption, KAG.contains,
])  # fmt: skip
PREDICATES = st.sampled_from([*DOC.properties, KAG.contains, KAG.contains, KAG.containsAsHeader, RDF.type, KAG._NS.invented])
TYPES = st.sampled_from([*sorted(DOC.classes), DEO.Abstract])
MUTATIONS = st.one_of(
    st.tuples(st.just("remove"), st.integers(0, 10**6), st.none(), st.none()),
    st.tuples(st.just("retarget"), st.integers(0, 10**6), st.one_of(NAMES, ODD), st.none()),
    st.tuples(st.just("add"), NAMES, PREDICATES, st.one_of(NAMES, ODD)),
    st.tuples(st.just("type"), NAMES, TYPES, st.booleans()),
    st.tuples(st.just("move"), NAMES, st.sampled_from([*CONTENT, "doc", "p1"]), st.none()),
)


def mutate(ws: Workspace, mutation: tuple) -> None:
    kind, first, second, third = mutation
    if kind in ("remove", "retarget"):
        triples = sorted(ws.graph)
        subject, predicate, old = triples[first % len(triples)]
        ws.remove(subject, predicate, old)
        if kind == "retarget":
            ws.add(subject, predicate, as_node(ws, second))
    elif kind == "add":
        ws.add(ws.node(first), second, as_node(ws, third))
    elif kind == "type":
        (ws.set if third else ws.add)(ws.node(first), RDF.type, second)
    else:
        edit(ws, f"= {first} ^kag:contains ex:{second}")


def as_node(ws: Workspace, value):
    return value if isinstance(value, Literal | URIRef) else ws.node(value)


@settings(max_examples=18, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MUTATIONS, min_size=1, max_size=7))
def test_all_engines_agree_after_every_mutation(mutations):
    ws = sample()
    session = Session(VALIDATOR, ws)
    session.report()
    for mutation in mutations:
        mutate(ws, mutation)
        agreed(session, ws)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(MUTATIONS, min_size=1, max_size=4), min_size=1, max_size=20))
def test_the_incremental_report_is_the_full_one_after_every_batch(batches):
    ws = sample()
    session = Session(VALIDATOR, ws)
    session.report()
    for batch in batches:
        for mutation in batch:
            mutate(ws, mutation)
        assert session.report() == VALIDATOR.full(ws.graph)


def test_agreement_on_an_empty_graph():
    assert VALIDATOR.full(Graph()) == referee(Graph(), SHAPES)


