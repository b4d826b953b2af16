"""`Client`: the API of a server from Python, with the values that kag itself gives.

    with Client("http://127.0.0.1:7860") as server:
        job = server.wait(server.upload("paper.pdf"))
        answer = server.ask("What does Table 1 show?", paper=job.paper)

Answers are `kag.Answer`, places `kag.Place`, errors those of kag: `Refused` says which status and why. Lists are read
page by page as they are gone through.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import httpx

from kag.core.errors import KagError
from kag.core.evidence import Answer, read_evidence, stated
from kag.core.secrets import hold_secrets_of
from kag.qa.found_place import Place
from kag.serve.api.bodies import JobRow, PaperDetail
from kag.serve.service import PaperRow

_T = TypeVar("_T")
TRIES = 5  # of a request that the server has no room for


class Refused(KagError):
    """A server does not do what was asked; `status` is HTTP's."""

    code = "refused"

    def __init__(self, message: str, *, hint: str, status: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Event:
    """An event during answering: its name, and its data."""

    name: str
    data: Mapping[str, Any]


class Client:
    """A server at an address; close it, or use a `with`. Every call raises `Refused`."""

    def __init__(self, address: str, token: str = "", *, timeout: float = 60.0) -> None:
        hold_secrets_of(address)
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._http = httpx.Client(base_url=f"{address.rstrip('/')}/api/v1/", headers=headers, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    # papers -----------------------------------------------------------------------------------

    def papers(self, words: str = "", year: str = "") -> Iterator[PaperRow]:
        """The papers of the corpus."""
        return (_as(PaperRow, row) for row in self._pages("papers", {"words": words, "year": year}))

    def paper(self, paper: str) -> PaperDetail:
        """A paper."""
        return _as(PaperDetail, self._read("GET", f"papers/{paper}"))

    def parts(
        self, paper: str, kind: Literal["sections", "figures", "tables", "references", "citations", "nodes"]
    ) -> Iterator[dict[str, Any]]:
        """The parts of a paper, as `as_dict()` of kag's own values gives them."""
        return self._pages(f"papers/{paper}/{kind}", {})

    def view(self, paper: str, name: str, **arguments: Any) -> dict[str, Any]:
        """One of the five views, or the overview."""
        found: dict[str, Any] = self._read("GET", f"papers/{paper}/views/{name}", params=arguments)
        return found

    def export(self, paper: str, form: str) -> str:
        """A paper in another format (`kag.Paper.export`)."""
        return self._send("GET", f"papers/{paper}/exports/{form}").text

    def version(self, paper: str) -> str:
        """The version of a paper, to be named in `correct` and `remove`."""
        return self._send("GET", f"papers/{paper}/corrections").headers["ETag"]

    def correct(
        self, paper: str, kind: str, node: str = "", target: str = "", *, who: str, reason: str = "", version: str = "*"
    ) -> JobRow:
        """Put something right in the parse; the job is to be waited for.

        With a `version` it is refused (412) where the paper was changed since, and (409) while another change is made.
        """
        body = {"kind": kind, "node": node, "target": target, "who": who, "reason": reason}
        headers = {**_key(), "If-Match": version}
        return _as(JobRow, self._read("POST", f"papers/{paper}/corrections", json=body, headers=headers))

    def remove(self, paper: str, *, version: str = "*") -> JobRow:
        """Remove a paper; the job is to be waited for. `version` as in `correct`."""
        headers = {**_key(), "If-Match": version}
        return _as(JobRow, self._read("DELETE", f"papers/{paper}", headers=headers))

    # questions --------------------------------------------------------------------------------

    def search(self, query: str, k: int = 10, **wanted: Any) -> tuple[Place, ...]:
        """Return at most `k` passages, and `k_prime` expanded ones behind them; `plan` and `hops` choose the method,
        `from_year`, `to_year` and facets (`entity`, `role`, ...) narrow the search."""
        more = {"k": k, "limit": min(k + wanted["k_prime"], 100)} if wanted.get("k_prime") else {"limit": k}
        found = self._read("GET", "search", params={"query": query, **more, **wanted})
        return tuple(_place(row) for row in found["items"])

    def facets(self, query: str, **wanted: Any) -> dict[str, dict[str, int]]:
        """By what a search can be narrowed down: of each facet its values, and how many hits have them."""
        found: dict[str, dict[str, int]] = self._read("GET", "search", params={"query": query, "limit": 1, **wanted})[
            "facets"
        ]
        return found

    def ask(self, question: str, *, paper: str = "", mode: str | None = None, model: str | None = None) -> Answer:
        """Answer a question; the value is the one that `kag.Paper.ask` gives."""
        body = _asking(question, paper, mode, model)
        return _answer(self._send("POST", "ask", json=body).text)

    def ask_events(
        self, question: str, *, paper: str = "", mode: str | None = None, model: str | None = None
    ) -> Iterator[Event]:
        """Yield the events of answering a question; the last one, "answer", is the complete answer."""
        body, headers = _asking(question, paper, mode, model), {"Accept": "text/event-stream"}
        with self._http.stream("POST", "ask", json=body, headers=headers, timeout=None) as response:
            if response.status_code != 200:
                response.read()
                _require(response)
            yield from _events(response.iter_lines())

    def verify(self, answer: Answer) -> dict[str, Any]:
        """Check an answer against the papers of the server."""
        found: dict[str, Any] = self._read("POST", "verify", json=json.loads(answer.to_json()))
        return found

    def sparql(self, query: str) -> dict[str, Any]:
        """A read-only query, in the SPARQL 1.1 JSON format."""
        found: dict[str, Any] = self._read("POST", "sparql", json={"query": query})
        return found

    # jobs -------------------------------------------------------------------------------------

    def upload(self, path: str | Path, *, replace: bool = False, hold: bool = False, key: str = "") -> JobRow:
        """Send a paper; the same `key` gives the same job again, so that it can be sent once more after a failure."""
        file = Path(path)
        given = {"replace": str(replace).lower(), "hold": str(hold).lower()}
        with file.open("rb") as data:
            sent = {"file": (file.name, data)}
            (row,) = self._read("POST", "papers", files=sent, data=given, headers=_key(key), timeout=600)
        return _as(JobRow, row)

    def populate(self, *, vectors: bool = False, graph: bool = True, layers: bool = False) -> JobRow:
        """Build what is not built yet; the job is to be waited for."""
        body = {"vectors": vectors, "graph": graph, "layers": layers}
        return _as(JobRow, self._read("POST", "populate", json=body, headers=_key()))

    def jobs(self, state: str = "") -> Iterator[JobRow]:
        """The jobs, the newest first."""
        return (_as(JobRow, row) for row in self._pages("jobs", {"state": state} if state else {}))

    def job(self, name: str) -> JobRow:
        """A job as it is now."""
        return _as(JobRow, self._read("GET", f"jobs/{name}"))

    def cancel(self, name: str) -> JobRow:
        """End a job."""
        return _as(JobRow, self._read("DELETE", f"jobs/{name}"))

    def wait(self, job: JobRow, seconds: float = 600.0, tell: Callable[[str], object] | None = None) -> JobRow:
        """Wait for a job; `tell` receives each stage. Raises `Refused` if it failed or takes too long."""
        deadline, stage = time.monotonic() + seconds, ""
        while time.monotonic() < deadline:
            job = self.job(job.id)
            if tell and job.stage != stage:
                tell(stage := job.stage)
            if job.state == "done":
                return job
            if job.state in ("failed", "cancelled"):
                raise Refused(job.message or f"the job was {job.state}", hint=job.hint or "Begin it again.")
            time.sleep(0.2)
        raise Refused(f"the job takes longer than {seconds:g} s", hint="Wait longer, or cancel it.")

    # inside -----------------------------------------------------------------------------------

    def _send(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Send a request; rejections that name a time (429, 503) are retried then."""
        for attempt in range(TRIES):
            try:
                response = self._http.request(method, path, **given)
            except httpx.HTTPError as error:
                hint = "See whether `kag serve` runs there."
                raise Refused(f"the server cannot be asked: {type(error).__name__}", hint=hint) from error
            again = response.status_code in (429, 503) and "files" not in given and attempt + 1 < TRIES
            if not again:
                break
            time.sleep(min(float(response.headers.get("Retry-After", "1")), 30.0))
        _require(response)
        return response

    def _read(self, method: str, path: str, **given: Any) -> Any:
        return self._send(method, path, **given).json()

    def _pages(self, path: str, wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        cursor = ""
        while True:
            page = self._read("GET", path, params={**wanted, "limit": 100, "cursor": cursor})
            yield from page["items"]
            cursor = page["cursor"]
            if not cursor:
                return


def _require(response: httpx.Response) -> None:
    """Raise the error of a problem response."""
    if response.status_code < 400:
        return
    try:
        reply = response.json()
        message, hint = str(reply["detail"]), str(reply.get("hint", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        message, hint = f"the server said {response.status_code}", ""
    raise Refused(message, hint=hint or "Look at the log of the server.", status=response.status_code)


def _key(key: str = "") -> dict[str, str]:
    return {"Idempotency-Key": key or uuid.uuid4().hex}


def _asking(question: str, paper: str, mode: str | None, model: str | None) -> dict[str, Any]:
    return {"question": question, "paper": paper, "mode": mode, "model": model}


def _as(kind: type[_T], row: Mapping[str, Any]) -> _T:
    """Read a value from JSON; unknown fields of a newer server are ignored."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in row.items() if name in known})


def _place(row: Mapping[str, Any]) -> Place:
    proof = row["evidence"]
    return _as(
        Place, {**row, "section": tuple(row["section"]), "evidence": None if proof is None else read_evidence(proof)}
    )


def _answer(text: str) -> Answer:
    """An answer, read as strictly as one from a file."""
    try:
        return stated(json.loads(text))[0]
    except ValueError as error:
        raise Refused(f"the server sent no answer: {error}", hint="Is it of the same version?") from error


def _events(lines: Iterator[str]) -> Iterator[Event]:
    name = ""
    for line in lines:
        key, _, value = line.partition(": ")
        if key == "event":
            name = value
        elif key == "data" and name:
            yield Event(name, json.loads(value))
            name = ""
