"""A layer's contract: which classes and properties its graph may use, and where its shapes are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rdflib import URIRef

from kag.rdf.namespaces import (
    BIRO,
    C4O,
    CITO,
    DCTERMS,
    DEO,
    DOCO,
    FABIO,
    FOAF,
    KAG,
    OWL,
    PO,
    PREFIXES,
    PRISM,
    PRO,
    PROV,
    QUDT,
    RDF,
    XSD,
)

LINK = URIRef("http://www.w3.org/2000/01/rdf-schema#Resource")


@dataclass(frozen=True, slots=True)
class GraphProfile:
    """`properties` maps each property to its datatype, or to `LINK` when its values are nodes.

    `sections` are the classes a section may carry besides `doco:Section`; `content` the classes of
    nodes that are made from blocks and live inside a section. `file` is the layer's graph in a run; `rests_on` names
    the layers whose nodes it links to and never changes; `prefixes` are its namespaces.
    """

    name: str
    classes: frozenset[URIRef]
    content: frozenset[URIRef]
    properties: Mapping[URIRef, URIRef]
    shapes: str
    file: str = "knowledge_graph.ttl"
    rests_on: tuple[str, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(PREFIXES))


CONTENT = frozenset(
    {
        DOCO.Paragraph,
        DOCO.Figure,
        DOCO.Table,
        DOCO.Formula,
        DEO.Caption,
        DOCO.Footnote,
        DOCO.FigureLabel,
        DOCO.Title,
        DOCO.ListOfAuthors,
        DOCO.ListOfOrganizations,
        DEO.BibliographicReference,
    }
)

SECTION_TYPES = frozenset(
    {
        DOCO.FrontMatter,
        DOCO.Abstract,
        DOCO.Appendix,
        DOCO.Bibliography,
        DOCO.Glossary,
        DEO.Acknowledgements,
        DEO.AuthorContribution,
        DEO.Background,
        DEO.Biography,
        DEO.Conclusion,
        DEO.Data,
        DEO.Discussion,
        DEO.Evaluation,
        DEO.FutureWork,
        DEO.Introduction,
        DEO.Materials,
        DEO.Methods,
        DEO.Model,
        DEO.Motivation,
        DEO.ProblemStatement,
        DEO.RelatedWork,
        DEO.Results,
        DEO.SupplementaryInformationDescription,
    }
)

WORKS = frozenset(  # classes of what references lead to
    {
        FABIO.JournalArticle,
        FABIO.BookChapter,
        FABIO.Book,
        FABIO.ConferencePaper,
        FABIO.Thesis,
        FABIO.Preprint,
        FABIO.ReportDocument,
        FABIO.WebPage,
        FABIO.ComputerProgram,
        FABIO.Dataset,
        FABIO.PatentDocument,
        FABIO.Expression,
    }
)

DOC = GraphProfile(
    name="doc",
    classes=CONTENT
    | SECTION_TYPES
    | WORKS
    | {
        DOCO.Document,
        FABIO.ResearchPaper,
        DOCO.Section,
        DOCO.SectionTitle,
        C4O.InTextReferencePointer,
        KAG.CrossReference,
        KAG.MachineDescription,
        FOAF.Person,
        FOAF.Organization,
        PRO.RoleInTime,
        QUDT.QuantityValue,
    },
    content=CONTENT,
    properties=MappingProxyType(
        {
            RDF.type: LINK,
            KAG.contains: LINK,
            KAG.containsAsHeader: LINK,
            KAG.continues: LINK,
            KAG.describes: LINK,
            KAG.refersTo: LINK,
            KAG.hasMention: LINK,
            CITO.cites: LINK,
            C4O.denotes: LINK,
            PROV.wasDerivedFrom: LINK,
            PO.contains: LINK,
            PO.containsAsHeader: LINK,
            KAG.hasReference: LINK,
            KAG.hasMeasurement: LINK,
            PRO.holdsRoleInTime: LINK,
            PRO.withRole: LINK,
            PRO.relatesToDocument: LINK,
            PRO.relatesToOrganization: LINK,
            QUDT.unit: LINK,
            QUDT.numericValue: XSD.double,
            QUDT.lowerBound: XSD.double,
            QUDT.upperBound: XSD.double,
            QUDT.standardUncertainty: XSD.double,
            KAG.rank: XSD.integer,
            FOAF.name: XSD.string,
            KAG.plainText: XSD.string,
            KAG.floatKind: XSD.string,
            KAG.depth: XSD.integer,
            KAG.pageNumber: XSD.integer,
            KAG.order: XSD.integer,
            KAG.citationNumber: XSD.integer,
            KAG.startOffset: XSD.integer,
            KAG.endOffset: XSD.integer,
            KAG.isSynthetic: XSD.boolean,
            KAG.sectionNumber: XSD.string,
            KAG.sourceBlock: XSD.string,
            KAG.hasBBox: XSD.string,
            KAG.fullText: XSD.string,
            KAG.mainText: XSD.string,
            KAG.hasContentRef: XSD.string,
            KAG.tableCells: XSD.string,
            KAG.hasQuantities: XSD.string,
            KAG.imagePath: XSD.string,
            KAG.imageDescription: XSD.string,
            KAG.model: XSD.string,
            KAG.promptHash: XSD.string,
            PROV.generatedAtTime: XSD.dateTime,
            KAG.floatNumber: XSD.string,
            KAG.runInHeading: XSD.string,
            KAG.textKind: XSD.string,
            KAG.statementNumber: XSD.string,
            KAG.floatLabel: XSD.string,
            KAG.citationText: XSD.string,
            KAG.authorList: XSD.string,
            C4O.hasContent: XSD.string,
            KAG.targetKind: XSD.string,
            KAG.panel: XSD.string,
            DCTERMS.identifier: XSD.string,
            DCTERMS.title: XSD.string,
            DCTERMS.creator: XSD.string,
            FABIO.hasPublicationYear: XSD.gYear,
            PRISM.doi: XSD.string,
            PRISM.keyword: XSD.string,
            DCTERMS.dateSubmitted: XSD.string,
            DCTERMS.dateAccepted: XSD.string,
            DCTERMS.issued: XSD.string,
            DCTERMS.license: XSD.string,
            PRISM.publicationName: XSD.string,
            PRISM.volume: XSD.string,
            PRISM.number: XSD.string,
            DCTERMS.publisher: XSD.string,
            FABIO.hasPubMedId: XSD.string,
            FABIO.hasArXivId: XSD.string,
            FABIO.hasURL: XSD.anyURI,
            KAG.parsedFields: XSD.string,
            BIRO.references: LINK,
            KAG.realizes: LINK,
            OWL.sameAs: LINK,
            PRISM.startingPage: XSD.string,
            PRISM.endingPage: XSD.string,
        }
    ),
    shapes="kag_document_shapes.ttl",
)
