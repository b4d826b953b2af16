"""Operations on papers: lists, parts, nodes, views, neighbourhoods, exports, corrections."""

from __future__ import annotations

from typing import Any

from kag.export.parts import Citation, Figure, Reference, Section, Table
from kag.indexing.run import warnings_of
from kag.qa.paper import Node
from kag.serve.api.bodies import CorrectionBody, CorrectionRow, JobRow, NodeRow, PaperDetail
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, operation, page_of
from kag.serve.jobs.journal import Job
from kag.serve.papers.corrections import calls_of, read_corrections, version_of
from kag.serve.papers.neighbours import FAR, MOST, NEAR, Neighbourhood, around, library
from kag.serve.problems import Refusal
from kag.serve.service import VIEWS, PaperRow, Service

PAPER = Parameter("paper", "The id of a paper.", required=True)
LEAD = 160
EXPORTS = {
    "markdown": ("text/markdown", "md"),
    "html": ("text/html", "html"),
    "jats": ("application/xml", "xml"),
    "bibtex": ("application/x-bibtex", "bib"),
    "csl-json": ("application/vnd.citationstyles.csl+json", "json"),
    "ris": ("application/x-research-info-systems", "ris"),
    "jsonld": ("application/ld+json", "jsonld"),
    "turtle": ("text/turtle", "ttl"),
}


@operation(
    "GET /papers",
    Parameter("words", "Only papers with these words in id, title or DOI.", default=""),
    Parameter("year", "Only papers of this year.", default=""),
    Parameter("order", "In which order.", default="id", choices=("id", "title", "year", "cited", "pages")),
    *PAGING,
    returns=PaperRow,
    paged=True,
)
def list_papers(service: Service, given: Given) -> Any:
    """The papers of the corpus."""
    return page_of(service.rows(given["words"], given["year"], given["order"]), given)


@operation("GET /papers/{paper}", PAPER, returns=PaperDetail)
def get_paper(service: Service, given: Given) -> PaperDetail:
    """A paper."""
    return detail(service, given["paper"])


def detail(service: Service, name: str) -> PaperDetail:
    """Return the details of a paper for the pages and the API."""
    state = service.reader.state
    listed, paper = state.listed(name), service.reader.paper(name)
    return PaperDetail(
        id=listed.id,
        version=listed.version,
        iri=listed.iri,
        title=paper.title,
        authors=list(paper.authors),
        year=paper.year,
        doi=paper.doi,
        pages=listed.pages,
        sections=len(paper.sections),
        figures=len(paper.figures),
        tables=len(paper.tables),
        references=len(paper.references),
        cites=sorted(other for one, other in state.citations if one == listed.id),
        cited_by=sorted(one for one, other in state.citations if other == listed.id),
        pictures=len(service.pictures(name).pages),
        corrections=len(read_corrections(service.home.corrections(name))),
        builder=dict(paper.run.summary.get("builder", {})),
        warnings=[one["message"] for one in warnings_of(state.library.path(listed.id))],
    )


def _parts(name: str, words: str, kind: Any) -> Operation:
    """The operation that lists the parts of a paper that `kag.Paper` has under a name."""

    def call(service: Service, given: Given) -> Any:
        return page_of(getattr(service.reader.paper(given["paper"]), name), given, lambda part: part.as_dict())

    call.__name__, call.__doc__ = f"list_{name}", words
    return operation(f"GET /papers/{{paper}}/{name}", PAPER, *PAGING, returns=kind, paged=True)(call)


@operation(
    "GET /papers/{paper}/nodes",
    PAPER,
    Parameter("kind", "Only nodes of this kind (Paragraph, Caption, ...).", many=True),
    Parameter("page", "Only nodes on this page.", "integer", None, 1),
    *PAGING,
    returns=NodeRow,
    paged=True,
)
def list_nodes(service: Service, given: Given) -> Any:
    """Everything printed, in reading order."""
    graph = service.reader.graph(given["paper"])
    kinds = frozenset(given["kind"])
    nodes = [one for one in graph.nodes.values() if not kinds or one.kind in kinds]
    if given["page"]:
        nodes = [one for one in nodes if one.page == given["page"]]

    def row(node: Node) -> NodeRow:
        section = graph.sections.get(node.section)
        title = section.title if section else ""
        text = node.plain
        return NodeRow(node.name, node.kind, node.page, node.label, title, text[:LEAD], len(text))

    return page_of(nodes, given, row)


@operation(
    "GET /papers/{paper}/nodes/{node}",
    PAPER,
    Parameter("node", "A node, as ex:b_p001_0004 or b_p001_0004.", required=True),
    Parameter("offset", "Where in its text to begin.", "integer", 0, 0),
    returns=dict[str, Any],
)
def get_node(service: Service, given: Given) -> Any:
    """All that is known of a node."""
    return service.views(given["paper"]).g_node_detail(given["node"], given["offset"])


@operation(
    "GET /papers/{paper}/views/{view}",
    PAPER,
    Parameter("view", "Which view.", required=True, choices=(*VIEWS, "overview")),
    Parameter("section_iri", "Of g_section_content: a section by IRI, title or number; nothing is the whole paper."),
    Parameter("node_iri", "Of g_node_detail and g_node_refs: a node."),
    Parameter("figure_iri", 'Of g_figure_info: a figure or table, also as "Figure 3".'),
    Parameter("query", "Of g_search: words."),
    Parameter("limit", "Of g_search: how many hits.", "integer", None, 1, 20),
    Parameter("offset", "Of g_node_detail: where in the text to go on.", "integer", None, 0),
    Parameter("cursor", "Where to go on."),
    returns=dict[str, Any],
)
def view_paper(service: Service, given: Given) -> Any:
    """One of the five bounded views that agents use, or the overview."""
    own = ("paper", "view")
    wanted = {name: value for name, value in given.values.items() if name not in own and value is not None}
    return service.view(given["paper"], given["view"], wanted)


_MOST = Parameter("most", f"Nodes at most, up to {MOST}.", "integer", NEAR, 1, MOST)


@operation(
    "GET /papers/{paper}/neighbours",
    PAPER,
    Parameter("node", "A node; nothing is the paper itself.", default=""),
    Parameter("hops", "How far.", "integer", 1, 1, FAR),
    _MOST,
    returns=Neighbourhood,
)
def get_neighbours(service: Service, given: Given) -> Neighbourhood:
    """A node and what it is linked to, as nodes and links."""
    return around(service.reader.graph(given["paper"]), given["node"], given["hops"], given["most"])


@operation("GET /graph", _MOST, returns=Neighbourhood)
def get_citation_graph(service: Service, given: Given) -> Neighbourhood:
    """Papers that cite one another."""
    return library(service.reader.state, given["most"])


@operation(
    "GET /papers/{paper}/exports/{form}",
    PAPER,
    Parameter("form", "Which format.", required=True, choices=tuple(EXPORTS)),
    media="*/*",
)
def export_paper(service: Service, given: Given) -> Reply:
    """A paper as a document, its reference list, or its graph."""
    paper = service.reader.paper(given["paper"])
    media, end = EXPORTS[given["form"]]
    return Reply(text=paper.export(given["form"]), media=f"{media}; charset=utf-8", filename=f"{paper.id}.{end}")


@operation("GET /papers/{paper}/evidence", PAPER, returns=dict[str, Any])
def get_evidence_page(service: Service, given: Given) -> Any:
    """The values of the evidence viewer."""
    return service.evidence_page(given["paper"])


@operation("GET /papers/{paper}/corrections", PAPER, returns=list[CorrectionRow])
def list_corrections(service: Service, given: Given) -> Reply:
    """List the corrections of its parse."""
    paper = service.reader.state.listed(given["paper"]).id
    made = list(read_corrections(service.home.corrections(paper)))
    return Reply(made, tag=version_of(service.home, paper))


@operation(
    "POST /papers/{paper}/corrections",
    PAPER,
    body=CorrectionBody,
    returns=JobRow,
    status=202,
    writes_paper=True,
    errors=(400, 404, 415, 422, 429),
)
def correct_paper(service: Service, given: Given) -> Reply:
    """Put something right in its parse (a job)."""
    body: CorrectionBody = given.body
    paper, versions = service.reader.state.listed(given["paper"]).id, given.versions
    if service.journal.with_key(given.client, given.key) is None:
        if not service.home.source(paper).is_dir():
            hint = "Send the paper here once more: it was added in another way, and its pages are not kept."
            raise Refusal(409, f"the pages of {paper} are not kept here", hint)
        if body.kind != "undo" and service.pool.writing(paper) is None:
            calls_of(service.reader.graph(paper), body.kind, body.node, body.target, body.reason)  # tried: it may raise
    what = f"{body.kind} in {paper}"
    return _accepted(
        service, service.change("correct", paper, what, body.model_dump(), versions, given.client, given.key)
    )


@operation("DELETE /papers/{paper}", PAPER, returns=JobRow, status=202, writes_paper=True)
def remove_paper(service: Service, given: Given) -> Reply:
    """Remove a paper (a job)."""
    paper, versions = service.reader.state.listed(given["paper"]).id, given.versions
    return _accepted(service, service.change("remove", paper, f"remove {paper}", {}, versions, given.client, given.key))


def _accepted(service: Service, job: Job) -> Reply:
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


OPERATIONS = (
    *(list_papers, get_paper, remove_paper),
    _parts("sections", "Its sections, each with its own text.", Section),
    _parts("figures", "Its figures.", Figure),
    _parts("tables", "Its tables with their cells.", Table),
    _parts("references", "Its reference list.", Reference),
    _parts("citations", "Its in-text citations.", Citation),
    *(list_nodes, get_node, view_paper, get_neighbours, get_citation_graph, export_paper, get_evidence_page),
    *(list_corrections, correct_paper),
)
