"""`make_app`: the parts of the server as one ASGI application; `run` serves it until it is stopped."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from kag.serve.api.routes import routes
from kag.serve.bounds import USUAL, Bounds
from kag.serve.guard.access import Access, Bucket, Gate
from kag.serve.guard.connections import watched
from kag.serve.guard.shield import BUG, Shield
from kag.serve.home import StartedWith, open_home
from kag.serve.jobs.journal import Journal
from kag.serve.jobs.worker_pool import WorkerPool
from kag.serve.pages.routes import page_routes, shown
from kag.serve.papers.reading import Reader
from kag.serve.problems import Refusal, lack
from kag.serve.service import Service


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a server: its corpus, access rules, limits, the permitted models, its log (none if None), its socket,
    and the settings of the command line, for display. With a folder of its `own` it only reads the corpus. `proxies`
    are the addresses whose X-Forwarded-For is trusted."""

    root: Path
    access: Access
    bounds: Bounds = USUAL
    models: tuple[str, ...] = ()
    note: Callable[[str], object] | None = None
    listening: socket.socket | None = None
    started_with: tuple[StartedWith, ...] = ()
    own: Path | None = None
    proxies: tuple[str, ...] = ()


def make_app(options: Options) -> ASGIApp:
    """The application; raises `CorpusError` where the folder is not a corpus and cannot become one."""
    home = open_home(options.root, options.own)
    journal = Journal(home.jobs)
    pool = WorkerPool(home.root, journal, options.bounds, reads_only=options.own is not None)
    service = Service(home, Reader(home), journal, pool, options.bounds, options.models, options.started_with)
    bounds = options.bounds
    budget = Bucket(bounds.query_rate, bounds.query_burst)
    gate = Gate(bounds.heavy, bounds.waiting, bounds.patience, budget)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        _first(service)
        pool.start()
        try:
            yield
        finally:
            pool.stop()

    async def health(request: Request) -> Response:
        words = pool.trouble
        return Response(f"{words or 'ok'}\n", 503 if words else 200, media_type="text/plain")

    static = StaticFiles(directory=str(files("kag.serve") / "static"), follow_symlink=False)
    viewer = StaticFiles(directory=str(files("kag.qa.page") / "static"), follow_symlink=False)
    app = Starlette(
        routes=[
            Route("/healthz", health, methods=["GET"]),
            *routes(service, gate),
            *page_routes(service, gate),
            Mount("/static/viewer", viewer),
            Mount("/static", static),
        ],
        exception_handlers={Refusal: _refused, HTTPException: _http, Exception: _bug},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # an address is there or not
    return Shield(GZipMiddleware(app, minimum_size=1000), options.access, options.bounds, shown, options.note)


async def _refused(request: Request, error: Exception) -> Response:
    """Return a refusal in the client's format: a problem for programs, a page for people."""
    assert isinstance(error, Refusal)
    return shown(request, error)


async def _http(request: Request, error: Exception) -> Response:
    """Return the router's refusal."""
    assert isinstance(error, HTTPException)
    words = {404: "there is nothing here", 405: "this is not done here"}.get(error.status_code, error.detail)
    return shown(request, Refusal(error.status_code, words, headers=error.headers))


async def _bug(request: Request, error: Exception) -> Response:
    """Return the response to an unexpected error; its message only goes to the log."""
    return shown(request, lack(error) or BUG)


def _first(service: Service) -> None:
    """Build at once what a corpus made elsewhere lacks for search."""
    from kag.corpus.search_index import indexed

    waiting = any(job.open and job.kind == "populate" for job in service.journal.jobs())
    if not service.pool.reads_only and not waiting and not indexed(service.home.root):
        service.submit("populate", "Search index", {"graph": False})


def run(options: Options, ready: Callable[[], object] = lambda: None) -> None:
    """Serve until a signal: running requests are answered, jobs wait for the next start.

    `ready` is called when the corpus is open, before the first page is given.
    """
    import uvicorn

    app = make_app(options)
    tempfile.gettempdir()  # found now, while there is room to try
    ready()
    config = watched(
        app,
        options.bounds,
        options.proxies,
        log_level="error",
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
        h11_max_incomplete_event_size=65_536,
    )
    sockets = [options.listening] if options.listening else None
    uvicorn.Server(config).run(sockets)
