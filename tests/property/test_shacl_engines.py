"""The compiled engine and pySHACL report the same, whatever is done to a graph.

Every message of the shapes is provoked at least once by name; random edits do the rest.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rdflib import Literal, URIRef
from rdflib.namespace import SH

from kag.core.report import Report
from kag.core.types import Document
from kag.rdf.namespaces import DEO, DOCO, KAG, PREFIXES, RDF, XSD
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from kag.rdf.shacl import Validator
from kag.rdf.workspace import Workspace

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
    "title": DOCO.Title,
    "authors": DOCO.ListOfAuthors,
    "places": DOCO.ListOfOrganizations,
    "p1": DOCO.Paragraph,
    "p2": DOCO.Paragraph,
    "note": DOCO.Footnote,
    "fig": DOCO.Figure,
    "figcap": DEO.Caption,
    "figlabel": DOCO.FigureLabel,
    "tab": DOCO.Table,
    "tabcap": DEO.Caption,
    "eq": DOCO.Formula,
    "r1": DEO.BibliographicReference,
    "r2": DEO.BibliographicReference,
}
EXTRA = """
doc prism:keyword "ice"; doc prism:keyword "rivers"; doc dcterms:dateSubmitted "2019-04-09"
doc dcterms:dateAccepted "2019-07"; doc dcterms:issued "2020"; doc dcterms:license "https://example.org/by/4.0/"
doc dcterms:title "On water"; doc dcterms:creator "Ada Lovelace"; doc dcterms:creator "Bo Li"
doc prism:doi "10.1000/w"; doc fabio:hasPublicationYear "2020"^^xsd:gYear; front rdf:type doco:FrontMatter
intro rdf:type deo:Introduction; list rdf:type doco:Bibliography; intro kag:sectionNumber "1"
p2 kag:continues ex:p1; p1 cito:cites ex:r1; p1 kag:refersTo ex:fig; p1 kag:hasMention ex:m1
p1 kag:hasMention ex:m2; m1 rdf:type c4o:InTextReferencePointer; m1 c4o:hasContent "[1]"; m1 kag:startOffset 0
m1 kag:endOffset 3; m1 c4o:denotes ex:r1; m2 rdf:type kag:CrossReference; m2 c4o:hasContent "Fig. 1"
m2 kag:startOffset 9; m2 kag:endOffset 15; m2 kag:refersTo ex:fig; m2 kag:targetKind "figure"; m2 kag:panel "b"
figcap kag:describes ex:fig; figcap kag:floatNumber "1"; fig kag:floatNumber "1"; fig kag:floatLabel "Fig. 1"
fig kag:imagePath "a.png"
fig kag:imageDescription "A curve."; said rdf:type kag:MachineDescription; said prov:wasDerivedFrom ex:fig
said kag:model "a/b"; said prov:generatedAtTime 2026-01-02T03:04:05Z
said kag:hasContentRef "image_description:0123456789abcdef"
said kag:promptHash "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
tabcap kag:describes ex:tab; tabcap kag:floatNumber "S1"; eq kag:floatNumber "1"
p1 kag:runInHeading "Sites"; p2 kag:textKind "theorem"; p2 kag:statementNumber "2.1"
p1 kag:hasQuantities "quantities:0123456789abcdef"
tab kag:floatNumber "S1"; tab kag:tableCells "table_cells:0123456789abcdef"; r1 kag:citationNumber 1
r1 kag:citationText "Li. Ice. 2019."; r1 kag:authorList "Li, Bo"; r1 dcterms:title "Ice"
r1 fabio:hasPublicationYear "2019"^^xsd:gYear; r1 prism:doi "10.1000/182"; r1 prism:publicationName "Ice J"
r1 prism:volume "1"; r1 prism:startingPage "2"; r1 prism:endingPage "3"; empty kag:contains ex:empty-title
r1 prism:number "4"; r1 dcterms:publisher "Ice Press"; r1 fabio:hasPubMedId "123"; r1 fabio:hasArXivId "1601.00001"
r1 fabio:hasURL "http://a.org"^^xsd:anyURI; r1 kag:parsedFields "reference_fields:0123456789abcdef"
r1 biro:references ex:w0
doc kag:realizes ex:w1; w0 rdf:type fabio:JournalArticle; w0 rdf:type fabio:Preprint; w1 rdf:type fabio:Expression
w0 owl:sameAs <https://doi.org/10.1000/182>
w2 rdf:type fabio:Book; w2 rdf:type fabio:BookChapter; w2 rdf:type fabio:ConferencePaper; w2 rdf:type fabio:Thesis
w2 rdf:type fabio:ReportDocument; w2 rdf:type fabio:WebPage; w2 rdf:type fabio:ComputerProgram
w2 rdf:type fabio:Dataset; w2 rdf:type fabio:PatentDocument
doc po:contains ex:intro; intro po:contains ex:p1; intro po:containsAsHeader ex:intro-title; doc kag:hasReference ex:r1
p1 kag:plainText "text"; fig kag:floatKind "figure"; w0 dcterms:title "Ice"; w0 kag:authorList "Li, Bo"
w0 fabio:hasPublicationYear "2019"^^xsd:gYear; w0 prism:doi "10.1000/182"
ada rdf:type foaf:Person; ada foaf:name "Ada Lovelace"; ada pro:holdsRoleInTime ex:ada-role
ada owl:sameAs <https://orcid.org/0000-0002-1825-0097>; ada-role rdf:type pro:RoleInTime; ada-role kag:rank 1
ada-role pro:withRole <http://purl.org/spar/pro/author>; ada-role pro:relatesToDocument ex:doc
ada-role pro:relatesToOrganization ex:lab; lab rdf:type foaf:Organization; lab foaf:name "Ice Lab"
crew rdf:type foaf:Organization; crew foaf:name "Ice Crew"; crew pro:holdsRoleInTime ex:crew-role
crew-role rdf:type pro:RoleInTime; crew-role kag:rank 2; crew-role pro:withRole <http://purl.org/spar/pro/author>
crew-role pro:relatesToDocument ex:w1
p1 kag:hasMeasurement ex:v1; v1 rdf:type qudt:QuantityValue; v1 c4o:hasContent "3 m"; v1 kag:startOffset 20
v1 kag:endOffset 23; v1 qudt:numericValue "3.0E0"^^xsd:double; v1 qudt:lowerBound "2.0E0"^^xsd:double
v1 qudt:upperBound "4.0E0"^^xsd:double; v1 qudt:standardUncertainty "0.1E0"^^xsd:double
v1 qudt:unit <http://qudt.org/vocab/unit/M>
"""

CASES = re.findall(r"^(\w[^:\n]*): (.+)\n +-> (.+)$", Path(__file__).with_name("shacl_breakages.txt").read_text(), re.M)


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
        edit(
            ws,
            f'+ {name} kag:sourceBlock "b_p001_{number:04d}"; + {name} kag:order {number}; + {name} kag:pageNumber 1',
        )
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
    if re.match(r"[0-9]{4}-", text):
        return Literal(text, datatype=XSD.dateTime)
    if typed := re.fullmatch(r'(".*")\^\^xsd:(\w+)', text):
        return Literal(json.loads(typed[1]), datatype=XSD[typed[2]], normalize=False)
    if text.startswith("<"):
        return URIRef(text.strip("<>"))
    return ws.resolve(text) if prefix == "ex" or prefix in PREFIXES else Literal(json.loads(text))


def agreed(ws: Workspace) -> Report:
    """The report on which both engines agree."""
    fast, slow = VALIDATOR.report(ws.texts()), referee(ws.graph, SHAPES)
    assert fast == slow
    return fast


def message(shape: str) -> str:
    return str(SHAPES.value(URIRef(SHAPE + shape), SH.message))


def test_the_sample_conforms_and_uses_the_whole_vocabulary():
    ws = sample()
    assert agreed(ws).issues == ()
    used = set(ws.graph.objects(None, RDF.type)) | set(ws.graph.predicates())
    sections = {
        term for term in DOC.classes - DOC.content if (URIRef(SHAPE + "SectionType"), SH.targetClass, term) in SHAPES
    }
    assert used >= (DOC.classes - sections) | set(DOC.properties)


@pytest.mark.parametrize(("edits", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_breakage_gives_its_message_and_no_other(edits: str, expected: str):
    ws = sample()
    edit(ws, edits)
    wanted = {
        (f"<{ws.node(node)}>", message(shape))
        for node, *shapes in map(str.split, expected.split("; "))
        for shape in shapes
    }
    assert {(issue.focus, issue.message) for issue in agreed(ws).issues} == wanted


def test_papers_may_print_one_work_otherwise():
    ws = sample()
    edit(ws, '+ w0 dcterms:title "Ice?"; + w0 kag:authorList "Li, B."; + w0 prism:doi "10.1000/182A"')
    edit(ws, '+ w0 fabio:hasPublicationYear "2018"^^xsd:gYear')
    assert agreed(ws).issues == ()


def test_every_message_is_provoked_by_a_breakage():
    provoked = {message(shape) for *_, expected in CASES for part in expected.split("; ") for shape in part.split()[1:]}
    assert {str(text) for text in SHAPES.objects(None, SH.message)} - provoked == set()


NAMES = st.sampled_from([*CLASSES, *CONTENT, "empty", "data-title", "front-title", "doc", "m1", "m2", "stranger"])
ODD = st.sampled_from(
    [
        *(Literal(value) for value in ("3", 0, 7, True, 3.5, "", "false", "2020", "b_p001_0099", "b_p001_0001\n")),
        *(Literal("2020", datatype=XSD.string), Literal("x", datatype=XSD.integer)),
        *(Literal("2020", datatype=XSD.gYear), Literal("http://b.org/%20", datatype=XSD.anyURI)),
        *(Literal("colour", lang="en-GB"), Literal("10.1000/a\u00a0b")),
        Literal('quote " back \\ \r\n\t\x01 end\u2028 \U0001f600'),
        *(URIRef("urn:x-other"), DOCO.Section, DOCO.Document, DEO.Caption, KAG.contains),
    ]
)
PREDICATES = st.sampled_from(
    [*DOC.properties, KAG.contains, KAG.contains, KAG.containsAsHeader, RDF.type, KAG._NS.invented]
)
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


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MUTATIONS, min_size=1, max_size=7))
def test_all_engines_agree_after_every_mutation(mutations):
    ws = sample()
    for mutation in mutations:
        mutate(ws, mutation)
        assume(not orders_booleans(ws))
        agreed(ws)


def orders_booleans(ws: Workspace) -> bool:
    """Whether an offset is a boolean: SHACL (4.6.3) has it unlike any number, rdflib's Python takes it for 0 or 1."""
    offsets = (value for path in (KAG.startOffset, KAG.endOffset) for value in ws.graph.objects(None, path))
    return any(isinstance(value, Literal) and value.datatype == XSD.boolean for value in offsets)
