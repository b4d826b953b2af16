"""The schema of a corpus in a few lines: its classes and properties with counts and examples, as models see it."""

from __future__ import annotations

from collections.abc import Mapping

from kag.corpus.exact.schema_query import KNOWN_PREFIXES, Run, with_prefixes
from kag.corpus.shared_works import GRAPH
from kag.rdf.layer_profiles import PROFILES
from kag.rdf.namespaces import BIRO, C4O, CITO, DCTERMS, DEO, DOCO, FABIO, KAG, OWL, PRISM, RDF, SAID

LONGEST = 3_500
"""Characters of a description."""
_SHOWN = 40  # characters of an example

_NODES: Mapping[str, str] = {  # class -> what it is
    str(FABIO.ResearchPaper): "a paper of the corpus; its IRI is also the name of its graph",
    str(DEO.BibliographicReference): "an entry of a paper's reference list",
    str(DOCO.Section): "a section; also typed by what it is (deo:Methods, deo:Results, doco:Abstract, ...)",
    str(DOCO.Paragraph): "a paragraph",
    str(DOCO.Figure): "a picture of a figure",
    str(DOCO.Table): "a table",
    str(DEO.Caption): "a caption, which kag:describes its figure or table",
    str(DOCO.Formula): "a displayed formula",
    str(C4O.InTextReferencePointer): "a call-out of references in a text",
    str(SAID.Entity): "what a paper speaks of: skos:prefLabel, kag:kind, kag:concept (the same node in all papers)",
    str(SAID.Claim): "a sentence that states something: oa:exact, kag:role, sio:SIO_000332 its entities",
}
_LINKS = (  # property, from, to
    (KAG.contains, "paper, section", "section, paragraph, figure, ..."),
    (KAG.containsAsHeader, "section", "its printed title (kag:fullText)"),
    (KAG.describes, "caption", "figure or table"),
    (BIRO.references, "reference", "the work, one node for all papers that cite it"),
    (KAG.realizes, "paper", "the work it is"),
    (OWL.sameAs, "work", "the IRI of its DOI"),
    (CITO.cites, "paragraph, caption", "reference"),
    (KAG.hasMention, "paragraph", "call-out"),
    (C4O.denotes, "call-out", "reference"),
    (KAG.refersTo, "paragraph", "figure, table, formula or section"),
)
_VALUES = (  # property, of what; all are strings but where another type is said
    (DCTERMS.title, "paper, reference"),
    (DCTERMS.creator, "paper: an author, \"Given Family\""),
    (KAG.authorList, "reference: \"Family, Given; Family, Given\""),
    (FABIO.hasPublicationYear, 'paper, reference, xsd:gYear: compare STR(?year) with "2019"'),
    (PRISM.publicationName, "paper, reference: the journal"),
    (PRISM.doi, "paper, reference"),
    (PRISM.keyword, "paper"),
    (DCTERMS.identifier, "paper: its id"),
    (KAG.fullText, "paragraph, caption, reference, ...: the text as printed"),
    (KAG.citationNumber, "reference, integer"),
    (KAG.floatNumber, "figure, table, caption, formula"),
    (KAG.sectionNumber, "section"),
    (KAG.pageNumber, "whatever is printed, integer"),
    (KAG.order, "whatever is printed: reading order, integer"),
)  # fmt: skip
_CLASSES = "SELECT ?term (COUNT(?node) AS ?n) WHERE { GRAPH ?paper { ?node a ?term } } GROUP BY ?term"
_EXAMPLE = "SELECT ?value WHERE { GRAPH ?paper { ?node <%s> ?value FILTER(STRLEN(STR(?value)) > 3) } } LIMIT 1"
_ANY = "SELECT ?value WHERE { GRAPH ?paper { ?node <%s> ?value } } LIMIT 1"


def describe(run: Run) -> str:
    """What can be asked of a corpus: at most `LONGEST` characters; values in it are data of the papers, quoted."""
    counts = {row[0]["value"]: row[1]["value"] for row in run(_CLASSES).rows if row[0] and row[1]}
    lines = ["Each paper is a named graph: GRAPH ?paper { ... }. Classes, with the number of their nodes:"]
    lines += [f"  {short(iri)} ({counts[iri]}): {what}" for iri, what in _NODES.items() if iri in counts]
    types = [short(iri) for iri in sorted(counts) if iri not in _NODES and iri.startswith((str(DEO), str(DOCO)))]
    lines += ["  others: " + " ".join(types), "Links, from -> to:"]
    lines += [f"  {short(str(name))}: {start} -> {end}" for name, start, end in _LINKS]
    lines += [
        f"In GRAPH <{GRAPH}>:",
        "  cito:cites: paper -> paper; owl:sameAs: work -> the name it has in this corpus",
        "Values:",
    ]
    lines += [f"  {short(str(name))}: {what}{_example(run, str(name))}" for name, what in _VALUES]
    return "\n".join(lines)[:LONGEST]


def known_terms() -> frozenset[str]:
    """The classes and properties that a query may use: those of the layers, and the corpus's own."""
    layers = PROFILES.values()
    return frozenset(str(term) for layer in layers for term in (*layer.classes, *layer.properties)) | {str(RDF.type)}


def short(iri: str) -> str:
    """An IRI with its prefix, as queries write it."""
    space = max((one for one in KNOWN_PREFIXES.values() if iri.startswith(one)), key=len, default="")
    name = next((name for name, one in KNOWN_PREFIXES.items() if one == space and space), "")
    return f"{name}:{iri[len(space) :]}" if name else f"<{iri}>"


def _example(run: Run, name: str) -> str:
    rows = run(with_prefixes(_EXAMPLE % name)).rows or run(with_prefixes(_ANY % name)).rows
    value = rows[0][0]["value"] if rows and rows[0][0] else ""
    text = " ".join(value.split())
    return f', as in "{text[:_SHOWN]}{"…" if len(text) > _SHOWN else ""}"' if text else " (none here)"
