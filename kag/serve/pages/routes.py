"""Addresses of pages: each is a template and a function that gives its values, done in a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from kag.core.errors import KagError
from kag.serve.api.routes import tagged
from kag.serve.api.streams import upload
from kag.serve.api.table import Given, client_of
from kag.serve.guard.access import Gate
from kag.serve.pages import answers, library, papers
from kag.serve.pages.render import render
from kag.serve.problems import Refusal, as_refusal, problem
from kag.serve.service import SPARQL, Service

Values = Callable[[Service, Mapping[str, str], Mapping[str, list[str]]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its address, template, and what gives its values from the names in the address and the query; `heavy` and
    `seconds` as in an `Operation`."""

    path: str
    template: str
    values: Values
    heavy: bool = False
    seconds: float = 0.0


PAGES = (
    Page("/", "library.html", library.papers_page),
    Page("/graph", "graph.html", library.graph_page),
    Page("/jobs", "jobs.html", library.jobs_page),
    Page("/statistics", "statistics.html", library.statistics_page, heavy=True),
    Page("/settings", "settings.html", library.settings_page),
    Page("/papers/{paper}", "paper.html", papers.paper_page),
    Page("/papers/{paper}/floats", "floats.html", papers.floats_page),
    Page("/papers/{paper}/references", "references.html", papers.references_page),
    Page("/papers/{paper}/review", "review.html", papers.review_page),
    Page("/papers/{paper}/graph", "graph.html", papers.graph_page),
    Page("/papers/{paper}/run", "run.html", papers.run_page),
    Page("/search", "search.html", library.search_page, heavy=True),
    Page("/ask", "ask.html", answers.ask_page, heavy=True),
    Page("/answers", "answers.html", answers.answers_page),
    Page("/answers/{answer}", "answer.html", answers.answer_page),
    Page("/sparql", "sparql.html", library.sparql_page, heavy=True, seconds=SPARQL.seconds),
)


def page_routes(service: Service, gate: Gate) -> list[Route]:
    """All pages, the pictures on them, and the form for uploads without a script."""

    async def uploaded(request: Request) -> Response:
        given = Given({}, None, client_of(request), {name.lower(): value for name, value in request.headers.items()})
        return await upload(request, service, given)

    async def picture(request: Request) -> Response:
        try:
            drawn = await to_thread.run_sync(service.pictures, request.path_params["paper"])
        except KagError as error:
            raise as_refusal(error, service.home.root) from error
        path = drawn.file(request.path_params["name"])
        if path is None:
            raise Refusal(404, "there is no such picture")
        return FileResponse(path, headers={"Cache-Control": "private, max-age=60"})

    pages = [Route(page.path, _endpoint(page, service, gate), methods=["GET"]) for page in PAGES]
    return [
        *pages,
        Route("/papers/{paper}/pictures/{name}", picture, methods=["GET"]),
        Route("/upload", uploaded, methods=["POST"]),
    ]


def _endpoint(page: Page, service: Service, gate: Gate) -> Callable[[Request], Any]:
    def made(request: Request) -> Response:
        query = {name: request.query_params.getlist(name) for name in request.query_params}
        if any(len(one) > 20_000 or "\0" in one for values in query.values() for one in values):
            raise Refusal(400, "a field is too long, or no text")
        names = {name: str(value) for name, value in request.path_params.items()}
        values = page.values(service, names, query)
        return HTMLResponse(render(page.template, {"here": page.path, **values}))

    async def endpoint(request: Request) -> Response:
        try:
            if page.heavy and request.url.query:
                async with gate.timed(client_of(request), page.seconds):
                    response = await to_thread.run_sync(made, request)
            else:
                response = await to_thread.run_sync(made, request)
        except KagError as error:
            raise as_refusal(error, service.home.root) from error
        return tagged(request, response)

    return endpoint


def shown(request: Request, refusal: Refusal) -> Response:
    """A refusal as a problem for programs, as a page for people."""
    if request.url.path.startswith("/api/"):
        return problem(refusal)
    values = {"here": "", "status": refusal.status, "detail": refusal.detail, "hint": refusal.hint}
    return HTMLResponse(render("problem.html", values), refusal.status, refusal.headers)
