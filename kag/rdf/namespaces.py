"""The namespaces of a paper's graph, and our own terms (`kag:`) that no published vocabulary defines.

A term misspelt in code fails at import time for `KAG`; for the published vocabularies the lint in
`tests/unit/rdf/test_ontology_lint.py` compares every term that code can emit with `ontology/`.
"""

from __future__ import annotations

from rdflib import Namespace, URIRef
from rdflib.namespace import DCTERMS, OWL, PROV, RDF, RDFS, XSD, DefinedNamespace

from kag.core.works import WORKS

__all__ = [
    "BIRO",
    "C4O",
    "CITO",
    "DCTERMS",
    "DEO",
    "DOCO",
    "FABIO",
    "FOAF",
    "KAG",
    "LAYER",
    "LAYER_PREFIXES",
    "OA",
    "OWL",
    "PO",
    "PREFIXES",
    "PRISM",
    "PRO",
    "PROV",
    "QUDT",
    "RDF",
    "RDFS",
    "SIO",
    "SKOS",
    "XSD",
    "paper_base",
]


class Vocabulary(Namespace):
    """A namespace that makes each of its terms once: rdflib makes one at each look, and then compares in Python.

    >>> Vocabulary("http://example.org/").Lake is Vocabulary("http://example.org/").Lake
    False
    >>> DOCO.Section is DOCO.Section
    True
    """

    def __getattr__(self, name: str) -> URIRef:
        term = super().__getattr__(name)
        setattr(self, name, term)
        return term


DOCO = Vocabulary("http://purl.org/spar/doco/")
DEO = Vocabulary("http://purl.org/spar/deo/")
CITO = Vocabulary("http://purl.org/spar/cito/")
BIRO = Vocabulary("http://purl.org/spar/biro/")
C4O = Vocabulary("http://purl.org/spar/c4o/")
FABIO = Vocabulary("http://purl.org/spar/fabio/")
PO = Vocabulary("http://www.essepuntato.it/2008/12/pattern#")
PRISM = Vocabulary("http://prismstandard.org/namespaces/basic/2.0/")
PRO = Vocabulary("http://purl.org/spar/pro/")
FOAF = Vocabulary("http://xmlns.com/foaf/0.1/")  # rdflib's own would warn of terms that it does not know
QUDT = Vocabulary("http://qudt.org/schema/qudt/")
UNITS = "http://qudt.org/vocab/unit/"
SIO = Vocabulary("http://semanticscience.org/resource/")
OA = Vocabulary("http://www.w3.org/ns/oa#")
SKOS = Vocabulary("http://www.w3.org/2004/02/skos/core#")
PAPERS = "http://la3d.local/kag/doc/"
CONCEPTS = "http://la3d.local/kag/concept/"


class KAG(DefinedNamespace):
    """Terms of our own; each is declared, with its reason, in `ontology/kag_document_ext.ttl`."""

    _fail = True
    _NS = Namespace("http://la3d.local/kag#")

    # structure
    contains: URIRef  # parent -> child; sub-property of po:contains
    containsAsHeader: URIRef  # section -> its title; sub-property of po:containsAsHeader
    continues: URIRef  # later part -> earlier part of a text cut by a column, float or page end
    depth: URIRef  # section: 1 for a top-level section
    sectionNumber: URIRef  # section: number as printed, "2.1"
    isSynthetic: URIRef  # true on a section title that no page prints
    # provenance
    sourceBlock: URIRef  # block id, once for each block a node was made from
    pageNumber: URIRef  # page of the first of them, from 1
    hasBBox: URIRef  # JSON list of boxes [[x0, y0, x1, y1], ...] in thousandths of the page
    order: URIRef  # reading order, from 1
    # content
    fullText: URIRef  # the text as printed, LaTeX kept
    plainText: URIRef  # the same in plain words, whole
    mainText: URIRef  # preview of it, plain
    hasContentRef: URIRef  # kind:16hex, the key into the content store
    tableCells: URIRef  # kind:16hex of the cells' JSON
    hasQuantities: URIRef  # kind:16hex of the JSON list of measured values in a text
    hasMeasurement: URIRef  # text -> a measured value printed in it
    imagePath: URIRef  # file of the figure's picture, relative to the paper's folder
    imageDescription: URIRef  # words of a vision model about a figure, never the authors' own
    MachineDescription: URIRef  # class of what is known of such words: which model said them, when, and asked what
    model: URIRef  # name of the model that said them
    promptHash: URIRef  # sha256:64hex of what it was asked
    runInHeading: URIRef  # paragraph: "Participants", the words set apart at its beginning
    textKind: URIRef  # paragraph: "list item", "code", "theorem", ...
    statementNumber: URIRef  # theorem and the like: number as printed, "2.1"
    # captions and mentions
    describes: URIRef  # caption -> figure or table
    floatNumber: URIRef  # "3", "S1": of a figure, table, and its caption; of a formula
    floatKind: URIRef  # "scheme", "figure": the word that the label begins with; Figure 1 is not Scheme 1
    floatLabel: URIRef  # label as printed, "Fig. 3", "Scheme 1"
    refersTo: URIRef  # text -> figure, table, formula, section or endnote it mentions
    hasMention: URIRef  # text -> call-out in it
    CrossReference: URIRef  # class of call-outs to figures, tables, ...
    targetKind: URIRef  # cross-reference: what its word names, "figure", "equation", "supplement"
    panel: URIRef  # cross-reference: part of the figure it names, as printed, "b–d"
    startOffset: URIRef  # mention: first character in the host's fullText
    endOffset: URIRef  # mention: behind its last character
    # bibliography
    citationNumber: URIRef  # number printed, or position in an unnumbered list
    citationText: URIRef  # the entry without its number, plain
    authorList: URIRef  # "Family, Given; Family, Given"
    parsedFields: URIRef  # kind:16hex of the JSON of all fields of a reference, with confidences
    hasReference: URIRef  # paper -> entry of its reference list
    rank: URIRef  # role of an author: place in the printed list, from 1
    realizes: URIRef  # paper -> the work it is, the node that other papers' references lead to


for _vocabulary in (KAG, DCTERMS, OWL, PROV, RDF, RDFS, XSD):  # as in `Vocabulary`: the same value, made once
    for _name in _vocabulary.__annotations__:
        if not _name.startswith("_"):
            setattr(_vocabulary, _name, _vocabulary[_name])


class LAYER(DefinedNamespace):
    """Terms of the layers: mentions, entities, measurements, claims; see `ontology/kag_layers_ext.ttl`."""

    _fail = True
    _NS = Namespace("http://la3d.local/kag#")

    # what stands in a text
    Mention: URIRef  # words of a text that name something
    confidence: URIRef  # how sure a rule is, from 0 to 1
    rule: URIRef  # activity: the rule or model that worked, with its version
    version: URIRef  # activity: the version of kag
    # entities
    Entity: URIRef  # a thing that a paper speaks of, one for all its mentions
    kind: URIRef  # entity, mention, relation, scope: which kind, "gene", "negation"
    concept: URIRef  # entity -> what is the same in every paper's graph
    Match: URIRef  # an identifier of an entity with its confidence
    hasMatch: URIRef  # entity -> match
    matches: URIRef  # match -> the identifier's IRI
    Relation: URIRef  # two mentions that stand to each other as its kind says
    head: URIRef  # relation -> mention
    tail: URIRef  # relation -> mention
    # measurements
    bound: URIRef  # "<", "<=", ">", ">=", "~": what stands before a value
    counted: URIRef  # the noun that is counted, "participants"
    unitText: URIRef  # the unit as printed
    unitName: URIRef  # the unit in its one form, "MBq.mg-1"
    uncertaintyKind: URIRef  # "±", "sd", "se", "digits", "ci"
    powerFactor: URIRef  # the power of ten that is printed beside a value and is in it
    siValue: URIRef  # the value in SI units
    siUnit: URIRef  # their name
    propertyMention: URIRef  # measured value -> words that name what was measured
    entityMention: URIRef  # measured value -> words that name of what
    condition: URIRef  # measured value -> words that say under which condition
    # claims
    Claim: URIRef  # a sentence that states something
    role: URIRef  # "result", "method", ...: what a claim does in its paper
    polarity: URIRef  # "positive", "negative"
    certainty: URIRef  # "certain", "hedged"
    direction: URIRef  # "more", "less", "equal"
    statesValue: URIRef  # claim -> measured value in it
    Scope: URIRef  # the words that a cue rules
    hasScope: URIRef  # claim -> scope
    cue: URIRef  # scope -> mention of its cue


PREFIXES: dict[str, str] = {
    "biro": str(BIRO),
    "c4o": str(C4O),
    "cito": str(CITO),
    "dcterms": str(DCTERMS),
    "deo": str(DEO),
    "doco": str(DOCO),
    "fabio": str(FABIO),
    "foaf": str(FOAF),
    "kag": str(KAG._NS),
    "owl": str(OWL),
    "po": str(PO),
    "prism": str(PRISM),
    "pro": str(PRO),
    "prov": str(PROV),
    "qudt": str(QUDT),
    "rdf": str(RDF),
    "unit": UNITS,
    "work": WORKS,
    "xsd": str(XSD),
}
"""Those of document graphs."""

LAYER_PREFIXES: dict[str, str] = {
    **PREFIXES,
    "concept": CONCEPTS,
    "oa": str(OA),
    "rdfs": str(RDFS),
    "sio": str(SIO),
    "skos": str(SKOS),
}
"""Those of all layers."""


def paper_base(paper_id: str) -> str:
    """The IRI all nodes of a paper start with; no two papers share one.

    >>> paper_base("smith2020")
    'http://la3d.local/kag/doc/smith2020/'
    """
    return f"{PAPERS}{paper_id}/"
