"""SPARQL as an agent asks it: the schema in a few lines, a check before the run, small pages of results.

The schema has classes and properties with counts and examples. A check finds forbidden forms and terms that no graph
has; each problem has a way out, so that a query of a model goes back to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kag.core.errors import BadValue, QueryError
from kag.core.tool import tool
from kag.corpus.exact.things import Run
from kag.corpus.shared_works import GRAPH
from kag.corpus.sparql.query import Term
from kag.corpus.sparql.text import counting, read, short, unbound_columns, unknown_terms, with_prefixes
from kag.qa.views.query_rows import KeptRows
from kag.qa.views.view_bounds import paged, printable, text_of
from kag.rdf.namespaces import BIRO, C4O, CITO, DCTERMS, DEO, DOCO, FABIO, KAG, LAYER, OWL, PAPERS, PRISM

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
    str(LAYER.Entity): "what a paper speaks of: skos:prefLabel, kag:kind, kag:concept (the same node in all papers)",
    str(LAYER.Claim): "a sentence that states something: oa:exact, kag:role, sio:SIO_000332 its entities",
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
_VALUES = (  # property, of what; all are strings but where another type is given
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
    """Describe the queryable schema of a corpus in at most `LONGEST` characters; values are quoted data of the
    papers."""
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


def _example(run: Run, name: str) -> str:
    rows = run(with_prefixes(_EXAMPLE % name)).rows or run(with_prefixes(_ANY % name)).rows
    value = rows[0][0]["value"] if rows and rows[0][0] else ""
    text = " ".join(value.split())
    return f', as in "{text[:_SHOWN]}{"…" if len(text) > _SHOWN else ""}"' if text else " (none here)"


def query_issues(query: str) -> tuple[str, ...]:
    """All that keeps a query from being run as it stands, each with a way out; the query is read and not run."""
    try:
        reading = read(query)
    except QueryError as error:
        return (f"{error.message}. {error.hint}",)
    unbound = unbound_columns(query)
    columns = (
        f"?{name} is projected and nothing binds it. Bind it in the pattern or leave it out." for name in unbound
    )
    return (*unknown_terms(reading.iris), *columns)


LONGEST_QUERY = 4_000  # characters of a query
_VALUE = 300  # characters of a value


class QueryTools:
    """The actions over the graphs of a corpus; `run` puts an agent's query to it, bounded
    (`kag.corpus.sparql.query.ask`), `own` those that describe the graphs. Results are `kept` as evidence.
    """

    def __init__(self, run: Run, own: Run, kept_rows: KeptRows | None = None) -> None:
        self._run, self._own, self._kept = run, own, KeptRows() if kept_rows is None else kept_rows

    @tool
    def graph_schema(self) -> dict[str, Any]:
        """Classes and properties of the papers' graphs, with counts and examples.

        Returns {"ok": true, "schema": text}.
        """
        return {"ok": True, "schema": describe(self._own)}

    @tool
    def query_graph(self, sparql: str, cursor: str = "") -> dict[str, Any]:
        """A SPARQL query over all graphs, for counts, lists and who cites whom; see graph_schema first.

        SPARQL 1.1, read-only, no SERVICE, no FROM. Put patterns on one paper inside GRAPH ?paper { ... }. The usual
        prefixes need no declaration.
        Returns {"ok": true, "columns", "total": rows, "items": [{column: value; a node as "smith2020/ex:b_p001_0004",
        paper and node in one}], "ended": the limit that cut the rows short or "", "query": a key, "cursor"}.
        Evidence {"query": key} stands for all rows, with "row": number for one, from 0, or for what they count.
        """
        asked = printable(text_of(sparql, "sparql").strip())
        if not asked or len(asked) > LONGEST_QUERY:
            raise BadValue("a query is needed", hint=f"Give SPARQL in 1 to {LONGEST_QUERY} characters.")
        issues = query_issues(asked)
        if issues:
            raise BadValue("; ".join(issues[:5]), hint="graph_schema lists the terms.")
        try:
            table = self._run(asked)
        except QueryError as error:
            raise BadValue(error.message, hint=error.hint) from error

        def row(number: int) -> dict[str, Any]:
            return {name: _term_text(term) for name, term in zip(table.names, table.rows[number], strict=True) if term}

        def count() -> Sequence[str] | None:
            again = counting(asked)
            return None if again is None else [row[-1]["value"] if row[-1] else "" for row in self._run(again).rows]

        texts = [[term["value"] if term else "" for term in row] for row in table.rows]
        key = self._kept.keep(asked, texts, count)
        head = {"columns": list(table.names), "ended": table.ended, "query": key}
        return paged(("query_graph", asked), head, range(len(table.rows)), row, text_of(cursor, "cursor"))


def _term_text(term: Term) -> str:
    """A value in short: nodes of papers by paper and name."""
    value = term["value"]
    paper, slash, name = value.removeprefix(PAPERS).partition("/")
    if term["type"] == "uri" and value.startswith(PAPERS) and slash:
        return f"{paper}/ex:{name}"
    return value[:_VALUE]
