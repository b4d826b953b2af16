"""The layers over a document's graph: what is said in it (entities, measurements), and what is claimed."""

from __future__ import annotations

from types import MappingProxyType

from rdflib import URIRef

from kag.rdf.namespaces import (
    CITO,
    LAYER_PREFIXES,
    OA,
    PROV,
    QUDT,
    RDF,
    SAID,
    SIO,
    SKOS,
    XSD,
)
from kag.rdf.profile import DOC, LINK, GraphProfile

THING, ATTRIBUTE, MEASURED = SIO.SIO_000000, SIO.SIO_000614, SIO.SIO_000070
REFERS_TO, IS_ABOUT = SIO.SIO_000628, SIO.SIO_000332
IS_VALUE_OF, IS_ATTRIBUTE_OF = SIO.SIO_000215, SIO.SIO_000011
IS_SUPPORTED_BY = SIO.SIO_000206

# What a claim is to its paper.
ROLES = (
    "background",
    "objective",
    "hypothesis",
    "method",
    "result",
    "conclusion",
    "limitation",
    "future work",
    "funding",
    "availability",
)

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
    {
        "conclusion": SIO.SIO_000262,
        "hypothesis": SIO.SIO_000284,
        "objective": SIO.SIO_000337,
    }
)
STATEMENT = SIO.SIO_001183
INTENTS = (  # why a paper cites another
    CITO.agreesWith,
    CITO.citesAsEvidence,
    CITO.citesAsPotentialSolution,
    CITO.citesForInformation,
    CITO.disagreesWith,
    CITO.discusses,
    CITO.extends,
    CITO.obtainsBackgroundFrom,
    CITO.obtainsSupportFrom,
    CITO.usesDataFrom,
    CITO.usesMethodIn,
)

_SPAN: dict[URIRef, URIRef] = {  # of all that stands in a text
    RDF.type: LINK,
    OA.exact: XSD.string,
    OA.start: XSD.integer,
    OA.end: XSD.integer,
    SAID.confidence: XSD.double,
    SAID.kind: XSD.string,
    PROV.wasDerivedFrom: LINK,
    PROV.wasGeneratedBy: LINK,
}
_ACTIVITY: dict[URIRef, URIRef] = {
    SAID.rule: XSD.string,
    SAID.version: XSD.string,
    PROV.used: LINK,
}

ENTITY = GraphProfile(
    name="entity",
    classes=frozenset(KIND_CLASSES.values())
    | {
        THING,
        ATTRIBUTE,
        MEASURED,
        QUDT.QuantityValue,
        PROV.Activity,
        SAID.Entity,
        SAID.Match,
        SAID.Mention,
        SAID.Relation,
    },
    content=frozenset({SAID.Mention, QUDT.QuantityValue}),
    properties=MappingProxyType(
        {
            **_SPAN,
            **_ACTIVITY,
            SKOS.prefLabel: XSD.string,
            SKOS.altLabel: XSD.string,
            SKOS.exactMatch: LINK,
            SKOS.closeMatch: LINK,
            SAID.concept: LINK,
            SAID.hasMatch: LINK,
            SAID.matches: LINK,
            SAID.head: LINK,
            SAID.tail: LINK,
            REFERS_TO: LINK,
            IS_VALUE_OF: LINK,
            IS_ATTRIBUTE_OF: LINK,
            QUDT.numericValue: XSD.double,
            QUDT.lowerBound: XSD.double,
            QUDT.upperBound: XSD.double,
            QUDT.standardUncertainty: XSD.double,
            QUDT.unit: LINK,
            SAID.bound: XSD.string,
            SAID.counted: XSD.string,
            SAID.unitText: XSD.string,
            SAID.unitName: XSD.string,
            SAID.uncertaintyKind: XSD.string,
            SAID.powerFactor: XSD.double,
            SAID.siValue: XSD.double,
            SAID.siUnit: XSD.string,
            SAID.propertyMention: LINK,
            SAID.entityMention: LINK,
            SAID.condition: LINK,
        }
    ),
    shapes="kag_entity_shapes.ttl",
    file="entity_graph.ttl",
    rests_on=("doc",),
    prefixes=MappingProxyType(LAYER_PREFIXES),
)

CLAIM = GraphProfile(
    name="claim",
    classes=frozenset(ROLE_CLASSES.values())
    | {STATEMENT, CITO.Citation, PROV.Activity, SAID.Claim, SAID.Mention, SAID.Scope},
    content=frozenset({CITO.Citation, SAID.Claim}),
    properties=MappingProxyType(
        {
            **_SPAN,
            **_ACTIVITY,
            SAID.role: XSD.string,
            SAID.polarity: XSD.string,
            SAID.certainty: XSD.string,
            SAID.direction: XSD.string,
            SAID.statesValue: LINK,
            SAID.hasScope: LINK,
            SAID.cue: LINK,
            IS_ABOUT: LINK,
            IS_SUPPORTED_BY: LINK,
            CITO.hasCitationCharacterization: LINK,
            CITO.hasCitedEntity: LINK,
        }
    ),
    shapes="kag_claim_shapes.ttl",
    file="claim_graph.ttl",
    rests_on=("doc", "entity"),
    prefixes=MappingProxyType(LAYER_PREFIXES),
)

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
