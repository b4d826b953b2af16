"""The layers' contracts: which classes and properties each graph may use, and where its shapes are.

The entity layer and the claim layer lie over the document's. Terms are listed as in Turtle (`layer:` is
`kag.rdf.namespaces.LAYER`); undefined ones fail at import or in the lint of the ontology.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rdflib import URIRef

from kag.rdf import namespaces
from kag.rdf.namespaces import LAYER_PREFIXES, PREFIXES, SIO, XSD

LINK = URIRef("http://www.w3.org/2000/01/rdf-schema#Resource")


@dataclass(frozen=True, slots=True)
class GraphProfile:
    """`properties` maps each property to its datatype, or to `LINK` when its values are nodes.

    `content` are the classes of nodes that are made from blocks and live inside a section. `file` is the layer's graph
    in a run; `rests_on` names the layers whose nodes it links to and never changes; `prefixes` are its namespaces.
    """

    name: str
    classes: frozenset[URIRef]
    content: frozenset[URIRef]
    properties: Mapping[URIRef, URIRef]
    shapes: str
    file: str = "knowledge_graph.ttl"
    rests_on: tuple[str, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(PREFIXES))


def _terms(names: str) -> tuple[URIRef, ...]:
    """The terms of some short names."""
    pairs = (name.split(":") for name in names.split())
    return tuple(getattr(getattr(namespaces, prefix.upper()), local) for prefix, local in pairs)


def _properties(names: Mapping[URIRef, str]) -> Mapping[URIRef, URIRef]:
    """The properties of some short names, listed by datatype."""
    return MappingProxyType({term: datatype for datatype, listed in names.items() for term in _terms(listed)})


# the document ---------------------------------------------------------------------------------

CONTENT = frozenset(
    _terms("""
        doco:Paragraph doco:Figure doco:Table doco:Formula deo:Caption doco:Footnote doco:FigureLabel doco:Title
        doco:ListOfAuthors doco:ListOfOrganizations deo:BibliographicReference
    """)
)
SECTION_TYPES = frozenset(
    _terms("""
        doco:FrontMatter doco:Abstract doco:Appendix doco:Bibliography doco:Glossary deo:Acknowledgements
        deo:AuthorContribution deo:Background deo:Biography deo:Conclusion deo:Data deo:Discussion deo:Evaluation
        deo:FutureWork deo:Introduction deo:Materials deo:Methods deo:Model deo:Motivation deo:ProblemStatement
        deo:RelatedWork deo:Results deo:SupplementaryInformationDescription
    """)
)
WORKS = frozenset(  # classes of what references lead to
    _terms("""
        fabio:JournalArticle fabio:BookChapter fabio:Book fabio:ConferencePaper fabio:Thesis fabio:Preprint
        fabio:ReportDocument fabio:WebPage fabio:ComputerProgram fabio:Dataset fabio:PatentDocument fabio:Expression
    """)
)
_OTHERS = _terms("""
    doco:Document fabio:ResearchPaper doco:Section doco:SectionTitle c4o:InTextReferencePointer kag:CrossReference
    kag:MachineDescription foaf:Person foaf:Organization pro:RoleInTime qudt:QuantityValue
""")
_NUMBERS = "qudt:numericValue qudt:lowerBound qudt:upperBound qudt:standardUncertainty"

DOC = GraphProfile(
    name="doc",
    classes=CONTENT | SECTION_TYPES | WORKS | frozenset(_OTHERS),
    content=CONTENT,
    properties=_properties({
        LINK: """
            rdf:type kag:contains kag:containsAsHeader kag:continues kag:describes kag:refersTo kag:hasMention
            kag:hasReference kag:hasMeasurement kag:realizes cito:cites c4o:denotes prov:wasDerivedFrom po:contains
            po:containsAsHeader pro:holdsRoleInTime pro:withRole pro:relatesToDocument pro:relatesToOrganization
            qudt:unit biro:references owl:sameAs
        """,
        XSD.string: """
            kag:sectionNumber kag:sourceBlock kag:hasBBox kag:fullText kag:plainText kag:mainText kag:hasContentRef
            kag:tableCells kag:hasQuantities kag:imagePath kag:imageDescription kag:model kag:promptHash kag:floatNumber
            kag:floatKind kag:floatLabel kag:runInHeading kag:textKind kag:statementNumber kag:citationText
            kag:authorList kag:targetKind kag:panel kag:parsedFields c4o:hasContent foaf:name dcterms:identifier
            dcterms:title dcterms:creator dcterms:dateSubmitted dcterms:dateAccepted dcterms:issued dcterms:license
            dcterms:publisher prism:doi prism:keyword prism:publicationName prism:volume prism:number
            prism:startingPage prism:endingPage fabio:hasPubMedId fabio:hasArXivId
        """,
        XSD.integer: """
            kag:rank kag:depth kag:pageNumber kag:order kag:citationNumber kag:startOffset kag:endOffset
        """,
        XSD.double: _NUMBERS,
        XSD.boolean: "kag:isSynthetic",
        XSD.dateTime: "prov:generatedAtTime",
        XSD.gYear: "fabio:hasPublicationYear",
        XSD.anyURI: "fabio:hasURL",
    }),
    shapes="kag_document_shapes.ttl",
)  # fmt: skip

# the layers over it ---------------------------------------------------------------------------

THING, ATTRIBUTE, MEASURED = SIO.SIO_000000, SIO.SIO_000614, SIO.SIO_000070
REFERS_TO, IS_ABOUT = SIO.SIO_000628, SIO.SIO_000332
IS_VALUE_OF, IS_ATTRIBUTE_OF = SIO.SIO_000215, SIO.SIO_000011
IS_SUPPORTED_BY = SIO.SIO_000206
STATEMENT = SIO.SIO_001183

ROLES = (  # what a claim is to its paper
    "background", "objective", "hypothesis", "method", "result", "conclusion", "limitation", "future work", "funding",
    "availability",
)  # fmt: skip
KIND_CLASSES = MappingProxyType(  # the class of SIO that an entity of a kind belongs to
    {
        "accession": SIO.SIO_000756,  # database entry
        "anatomy": SIO.SIO_001262,  # anatomical entity
        "cell": SIO.SIO_010001,  # cell
        "cell line": SIO.SIO_010054,  # cell line
        "chemical": SIO.SIO_010004,  # chemical entity
        "component": SIO.SIO_001400,  # subcellular entity
        "dataset": SIO.SIO_000089,  # dataset
        "device": SIO.SIO_000956,  # device
        "disease": SIO.SIO_010299,  # disease
        "gene": SIO.SIO_010035,  # gene
        "grant": SIO.SIO_000966,  # agreement
        "material": SIO.SIO_011126,  # chemical substance
        "method": SIO.SIO_000999,  # procedure
        "metric": SIO.SIO_000052,  # quantity
        "organisation": SIO.SIO_000012,  # organization
        "place": SIO.SIO_000414,  # geographic region
        "process": SIO.SIO_000006,  # process
        "sequence": SIO.SIO_010335,  # nucleic acid part
        "software": SIO.SIO_000097,  # software entity
        "species": SIO.SIO_010000,  # organism
        "task": SIO.SIO_000337,  # objective
        "term": SIO.SIO_000326,  # concept
        "variant": SIO.SIO_010277,  # allele
    }
)
ROLE_CLASSES = MappingProxyType(  # the class of SIO that a claim of a role belongs to
    {"conclusion": SIO.SIO_000262, "hypothesis": SIO.SIO_000284, "objective": SIO.SIO_000337}
)
INTENTS = _terms("""
    cito:agreesWith cito:citesAsEvidence cito:citesAsPotentialSolution cito:citesForInformation cito:disagreesWith
    cito:discusses cito:extends cito:obtainsBackgroundFrom cito:obtainsSupportFrom cito:usesDataFrom cito:usesMethodIn
""")
"""Why a paper cites another."""

_SPAN_LINKS = "rdf:type prov:wasDerivedFrom prov:wasGeneratedBy prov:used"  # of all that stands in a text
_SPAN_TEXTS = "oa:exact layer:kind layer:rule layer:version"

ENTITY = GraphProfile(
    name="entity",
    classes=frozenset(
        (
            *KIND_CLASSES.values(), THING, ATTRIBUTE, MEASURED,
            *_terms("qudt:QuantityValue prov:Activity layer:Entity layer:Match layer:Mention layer:Relation"),
        )
    ),
    content=frozenset(_terms("layer:Mention qudt:QuantityValue")),
    properties=MappingProxyType(
        {
            **dict.fromkeys((REFERS_TO, IS_VALUE_OF, IS_ATTRIBUTE_OF), LINK),
            **_properties({
                LINK: f"""
                    {_SPAN_LINKS} skos:exactMatch skos:closeMatch layer:concept layer:hasMatch layer:matches layer:head
                    layer:tail qudt:unit layer:propertyMention layer:entityMention layer:condition
                """,
                XSD.string: f"""
                    {_SPAN_TEXTS} skos:prefLabel skos:altLabel layer:bound layer:counted layer:unitText layer:unitName
                    layer:uncertaintyKind layer:siUnit
                """,
                XSD.integer: "oa:start oa:end",
                XSD.double: f"layer:confidence {_NUMBERS} layer:powerFactor layer:siValue",
            }),
        }
    ),
    shapes="kag_entity_shapes.ttl",
    file="entity_graph.ttl",
    rests_on=("doc",),
    prefixes=MappingProxyType(LAYER_PREFIXES),
)  # fmt: skip

CLAIM = GraphProfile(
    name="claim",
    classes=frozenset(
        (
            *ROLE_CLASSES.values(), STATEMENT,
            *_terms("cito:Citation prov:Activity layer:Claim layer:Mention layer:Scope"),
        )
    ),
    content=frozenset(_terms("cito:Citation layer:Claim")),
    properties=MappingProxyType(
        {
            **dict.fromkeys((IS_ABOUT, IS_SUPPORTED_BY), LINK),
            **_properties({
                LINK: f"""
                    {_SPAN_LINKS} layer:statesValue layer:hasScope layer:cue cito:hasCitationCharacterization
                    cito:hasCitedEntity
                """,
                XSD.string: f"{_SPAN_TEXTS} layer:role layer:polarity layer:certainty layer:direction",
                XSD.integer: "oa:start oa:end",
                XSD.double: "layer:confidence",
            }),
        }
    ),
    shapes="kag_claim_shapes.ttl",
    file="claim_graph.ttl",
    rests_on=("doc", "entity"),
    prefixes=MappingProxyType(LAYER_PREFIXES),
)  # fmt: skip

LAYERS = MappingProxyType({profile.name: profile for profile in (ENTITY, CLAIM)})
"""The layers over the document's graph, in the order in which they are made."""
PROFILES = MappingProxyType({DOC.name: DOC, **LAYERS})


def layer_graph(paper: str, name: str) -> str:
    """The name of a layer's graph in a dataset, from the paper's IRI, which is the name of its document's graph.

    >>> layer_graph("http://la3d.local/kag/doc/smith2020/document", "entity")
    'http://la3d.local/kag/doc/smith2020/layer-entity'
    """
    return f"{paper.rpartition('/')[0]}/layer-{name}"


def layer_graphs(paper: str) -> set[str]:
    """The names of the graphs of all layers that a paper may have."""
    return {layer_graph(paper, name) for name in LAYERS}
