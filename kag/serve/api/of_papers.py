"""Operations on papers: lists, parts, nodes, views, neighbourhoods, exports, corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kag.export.parts import Citation, Figure, Reference, Section, Table
from kag.indexing.run import warnings_of
from kag.paper import Paper
from kag.qa.paper import Node
from kag.serve.api.bodies import CorrectionBody, CorrectionRow, JobRow, NodeRow, PaperDetail
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, page_of
from kag.serve.jobs.journal import Job
from kag.serve.papers.corrections import calls_of, read_corrections, version_of
from kag.serve.papers.neighbours import FAR, MOST, NEAR, Neighbourhood, around, library
from kag.serve.problems import Refusal
from kag.serve.service import VIEWS, PaperRow, Service, arguments_of

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


def _papers(service: Service, given: Given) -> Any:
    return page_of(service.rows(given["words"], given["year"], given["order"]), given)


def _paper(service: Service, given: Given) -> PaperDetail:
    return detail(service, given["paper"])


def detail(service: Service, name: str) -> PaperDetail:
    """Return all details of a paper."""
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


def _parts(take: Callable[[Paper], Sequence[Any]]) -> Callable[[Service, Given], Any]:
    def call(service: Service, given: Given) -> Any:
        return page_of(take(service.reader.paper(given["paper"])), given, lambda one: one.as_dict())

    return call


def _nodes(service: Service, given: Given) -> Any:
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


def _node(service: Service, given: Given) -> Any:
    return service.views(given["paper"]).g_node_detail(given["node"], given["offset"])


def _view(service: Service, given: Given) -> Any:
    wanted = {name: given[name] for name in _ARGUMENTS if given[name] is not None}
    view = getattr(service.views(given["paper"]), given["view"], None) if given["view"] in VIEWS else None
    if view is None and wanted:
        raise Refusal(400, "the overview takes no arguments", "Leave them out.")
    arguments = arguments_of(view, wanted) if view else {}
    needed = {
        "g_node_detail": "node_iri",
        "g_search": "query",
        "g_figure_info": "figure_iri",
        "g_node_refs": "node_iri",
    }
    name = needed.get(given["view"], "")
    if name and name not in arguments:
        raise Refusal(400, f"{name} is needed", "The document of the API says what each view takes.")
    if given["view"] == "g_section_content":
        arguments.setdefault("section_iri", "")
    return service.view(given["paper"], given["view"], arguments)


def _neighbours(service: Service, given: Given) -> Neighbourhood:
    return around(service.reader.graph(given["paper"]), given["node"], given["hops"], given["most"])


def _library_graph(service: Service, given: Given) -> Neighbourhood:
    return library(service.reader.state, given["most"])


def _export(service: Service, given: Given) -> Reply:
    paper = service.reader.paper(given["paper"])
    media, end = EXPORTS[given["form"]]
    return Reply(text=paper.export(given["form"]), media=f"{media}; charset=utf-8", filename=f"{paper.id}.{end}")


def _evidence(service: Service, given: Given) -> Any:
    return service.evidence_page(given["paper"])


def _corrections(service: Service, given: Given) -> Reply:
    paper = service.reader.state.listed(given["paper"]).id
    made = list(read_corrections(service.home.corrections(paper)))
    return Reply(made, tag=version_of(service.home, paper))


def _correct(service: Service, given: Given) -> Reply:
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


def _remove(service: Service, given: Given) -> Reply:
    paper, versions = service.reader.state.listed(given["paper"]).id, given.versions
    return _accepted(service, service.change("remove", paper, f"remove {paper}", {}, versions, given.client, given.key))


def _accepted(service: Service, job: Job) -> Reply:
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


_ARGUMENTS = ("section_iri", "node_iri", "figure_iri", "query", "limit", "offset", "cursor")
_WORDS = (
    Parameter("section_iri", "Of g_section_content: a section by IRI, title or number; nothing is the whole paper."),
    Parameter("node_iri", "Of g_node_detail and g_node_refs: a node."),
    Parameter("figure_iri", 'Of g_figure_info: a figure or table, also as "Figure 3".'),
    Parameter("query", "Of g_search: words."),
    Parameter("limit", "Of g_search: how many hits.", "integer", None, 1, 20),
    Parameter("offset", "Of g_node_detail: where in the text to go on.", "integer", None, 0),
    Parameter("cursor", "Where to go on."),
)
_MOST = Parameter("most", f"Nodes at most, up to {MOST}.", "integer", NEAR, 1, MOST)


def _listing(name: str, what: str, kind: Any, take: Callable[[Paper], Sequence[Any]]) -> Operation:
    path = f"/papers/{{paper}}/{name}"
    return Operation(f"list_{name}", "GET", path, what, _parts(take), (PAPER, *PAGING), returns=kind, paged=True)


OPERATIONS = (
    Operation(
        "list_papers",
        "GET",
        "/papers",
        "The papers of the corpus.",
        _papers,
        (
            Parameter("words", "Only papers with these words in id, title or DOI.", default=""),
            Parameter("year", "Only papers of this year.", default=""),
            Parameter("order", "In which order.", default="id", choices=("id", "title", "year", "cited", "pages")),
            *PAGING,
        ),
        returns=PaperRow,
        paged=True,
    ),
    Operation("get_paper", "GET", "/papers/{paper}", "A paper.", _paper, (PAPER,), returns=PaperDetail),
    Operation(
        "remove_paper",
        "DELETE",
        "/papers/{paper}",
        "Remove a paper (a job).",
        _remove,
        (PAPER,),
        returns=JobRow,
        status=202,
        writes_paper=True,
    ),
    _listing("sections", "Its sections, each with its own text.", Section, lambda paper: paper.sections),
    _listing("figures", "Its figures.", Figure, lambda paper: paper.figures),
    _listing("tables", "Its tables with their cells.", Table, lambda paper: paper.tables),
    _listing("references", "Its reference list.", Reference, lambda paper: paper.references),
    _listing("citations", "Its call-outs.", Citation, lambda paper: paper.citations),
    Operation(
        "list_nodes",
        "GET",
        "/papers/{paper}/nodes",
        "Everything printed, in reading order.",
        _nodes,
        (
            PAPER,
            Parameter("kind", "Only nodes of this kind (Paragraph, Caption, ...).", many=True),
            Parameter("page", "Only nodes on this page.", "integer", None, 1),
            *PAGING,
        ),
        returns=NodeRow,
        paged=True,
    ),
    Operation(
        "get_node",
        "GET",
        "/papers/{paper}/nodes/{node}",
        "All that is known of a node.",
        _node,
        (
            PAPER,
            Parameter("node", "A node, as ex:b_p001_0004 or b_p001_0004.", required=True),
            Parameter("offset", "Where in its text to begin.", "integer", 0, 0),
        ),
        returns=dict[str, Any],
    ),
    Operation(
        "view_paper",
        "GET",
        "/papers/{paper}/views/{view}",
        "One of the five bounded views that agents use, or the overview.",
        _view,
        (PAPER, Parameter("view", "Which view.", required=True, choices=(*VIEWS, "overview")), *_WORDS),
        returns=dict[str, Any],
    ),
    Operation(
        "get_neighbours",
        "GET",
        "/papers/{paper}/neighbours",
        "A node and what it is linked to, as nodes and links.",
        _neighbours,
        (
            PAPER,
            Parameter("node", "A node; nothing is the paper itself.", default=""),
            Parameter("hops", "How far.", "integer", 1, 1, FAR),
            _MOST,
        ),
        returns=Neighbourhood,
    ),
    Operation(
        "get_citation_graph",
        "GET",
        "/graph",
        "Papers that cite one another.",
        _library_graph,
        (_MOST,),
        returns=Neighbourhood,
    ),
    Operation(
        "export_paper",
        "GET",
        "/papers/{paper}/exports/{form}",
        "A paper as a document, its reference list, or its graph.",
        _export,
        (PAPER, Parameter("form", "Which format.", required=True, choices=tuple(EXPORTS))),
        media="*/*",
    ),
    Operation(
        "get_evidence_page",
        "GET",
        "/papers/{paper}/evidence",
        "The values of the evidence viewer.",
        _evidence,
        (PAPER,),
        returns=dict[str, Any],
    ),
    Operation(
        "list_corrections",
        "GET",
        "/papers/{paper}/corrections",
        "What was put right in its parse.",
        _corrections,
        (PAPER,),
        returns=list[CorrectionRow],
    ),
    Operation(
        "correct_paper",
        "POST",
        "/papers/{paper}/corrections",
        "Put something right in its parse (a job).",
        _correct,
        (PAPER,),
        CorrectionBody,
        JobRow,
        202,
        writes_paper=True,
        errors=(400, 404, 415, 422, 429),
    ),
)
