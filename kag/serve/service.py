"""`Service`: what requests are answered with. The API and the pages ask the same functions, and get the same values."""

from __future__ import annotations

import inspect
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from kag.core.errors import BadValue, InvalidOperation
from kag.corpus.catalogue import Listed
from kag.corpus.sparql.query import Limits, Table, ask
from kag.qa.views.views import Views, overview
from kag.serve.bounds import Bounds
from kag.serve.home import Home, Settings, StartedWith, read_settings
from kag.serve.jobs.journal import Job, Journal, Kind, job_row, new_id, now
from kag.serve.jobs.worker_pool import WorkerPool
from kag.serve.papers.corrections import version_of
from kag.serve.papers.pictures import Drawn, drawn
from kag.serve.papers.reading import Reader
from kag.serve.papers.uploads import take_in
from kag.serve.problems import Refusal

SPARQL = Limits(seconds=10.0, rows=1000, bytes=1_000_000)
VIEWS = ("g_section_content", "g_node_detail", "g_search", "g_figure_info", "g_node_refs")


class Binary(Protocol):
    """A file that is read in pieces."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper of the corpus: what is known without opening it; `cites` and `cited_by` count papers of the corpus."""

    id: str
    title: str
    year: str
    doi: str
    pages: int
    triples: int
    references: int
    cites: int
    cited_by: int


_LISTED = tuple(field.name for field in fields(PaperRow) if field.name in Listed._fields)


@dataclass(frozen=True, slots=True)
class Service:
    """A home with those who read it and those who work for it."""

    home: Home
    reader: Reader
    journal: Journal
    pool: WorkerPool
    bounds: Bounds
    models: tuple[str, ...] = ()
    started_with: tuple[StartedWith, ...] = ()
    _order: Lock = field(default_factory=Lock, repr=False, compare=False)

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        found = read_settings(self.home)
        return found if found.model in ("", *self.models) else replace(found, model="", mode="agent")

    def require_model(self, model: str) -> None:
        """Raise `BadValue` for a model that the operator did not permit: a name may lead to a program."""
        if model and model not in self.models:
            there = (
                f"There are {', '.join(self.models)}." if self.models else "Start the server with --lm to name some."
            )
            raise BadValue(f"no model {model[:60]!r} may be asked here", hint=there)

    # papers -----------------------------------------------------------------------------------

    def rows(self, words: str = "", year: str = "", order: str = "id") -> list[PaperRow]:
        """The papers whose id, title or DOI has these words, of a year if one is given."""
        state = self.reader.state
        cites, cited = Counter(a for a, _ in state.citations), Counter(b for _, b in state.citations)
        wanted = words.casefold().split()
        rows = [
            PaperRow(
                **{name: getattr(paper, name) for name in _LISTED}, cites=cites[paper.id], cited_by=cited[paper.id]
            )
            for paper in state.papers
            if (not year or paper.year == year) and _has(paper, wanted)
        ]
        keys: Mapping[str, Callable[[PaperRow], Any]] = {
            "title": lambda row: (row.title.casefold(), row.id),
            "year": lambda row: (-int(row.year) if row.year.isdecimal() else 1, row.id),
            "cited": lambda row: (-row.cited_by, row.id),
            "pages": lambda row: (-row.pages, row.id),
        }
        return sorted(rows, key=keys[order]) if order in keys else rows

    def views(self, paper: str) -> Views:
        """The five views over a paper."""
        return Views(self.reader.graph(paper))

    def view(self, paper: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a view, by its name; raises `InvalidOperation` as the view does."""
        if name == "overview":
            if arguments:
                raise InvalidOperation("the overview takes no arguments", hint="Leave them out.")
            return overview(self.reader.graph(paper))
        view = getattr(self.views(paper), name)
        found: dict[str, Any] = view(**arguments_of(view, arguments))
        return found

    def pictures(self, paper: str) -> Drawn:
        """The pictures of a paper's pages and figures."""
        return drawn(self.home.pages(self.reader.state.listed(paper).id))

    def evidence_page(self, paper: str) -> dict[str, Any]:
        """The values of the evidence viewer, with addresses of pictures in the place of pictures."""
        from kag.export.references import fields_by_entry
        from kag.qa.page.whole_page import page_data
        from kag.serve.papers.asking import answers

        listed = self.reader.state.listed(paper)
        pictures = self.pictures(paper).as_pictures(f"/papers/{listed.id}/pictures")
        run = self.reader.state.library.path(listed.id)
        own = [path for path in answers(self.home)[:200] if _is_about(path, listed.id)]
        values = page_data(run, own, fields=fields_by_entry, pictures=pictures)
        return {**values, "review": f"/papers/{listed.id}/review?node="}

    def sparql(self, query: str) -> Table:
        """A read-only query to all graphs, within `SPARQL`."""
        return ask(self.home.root, query, SPARQL)

    # jobs -------------------------------------------------------------------------------------

    def job_row(self, job: Job) -> dict[str, Any]:
        """A job as it is now, as anybody may see it."""
        return job_row(self.pool.look(job.id), self.journal.jobs())

    def submit(
        self,
        kind: Kind,
        what: str,
        given: Mapping[str, Any],
        *,
        paper: str = "",
        client: str = "",
        key: str = "",
        check: Callable[[], object] | None = None,
    ) -> Job:
        """Put one job on record; see `WorkerPool.submit`."""
        with self._order:  # ids rise in the order in which jobs are done, also after a restart
            job = Job(new_id(), kind, what[:200], created=now(), given=dict(given), paper=paper, client=client, key=key)
            return self.pool.submit([job], check)[0]

    def change(
        self, kind: Kind, paper: str, what: str, given: Mapping[str, Any], wanted: frozenset[str], client: str, key: str
    ) -> Job:
        """Put a change of one paper on record, made to one of the `wanted` versions ("*" is any).

        Raises `Refusal` 409 while another change of that version is under way, 412 where the paper has another one;
        either holds the version that it has.
        """

        def check() -> None:
            current = version_of(self.home, paper)
            tag = {"ETag": f'"{current}"'}
            if "*" in wanted:
                return
            if current not in wanted:
                hint = f'Look at it again: its version is "{current}" now.'
                raise Refusal(412, f"{paper} was changed meanwhile", hint, tag)
            if job := self.pool.writing(paper):
                hint = f"Wait for the job {job.id}, then look at the paper again."
                raise Refusal(409, f"{paper} is being changed: {job.what}", hint, tag)

        version = "" if "*" in wanted else version_of(self.home, paper)
        return self.submit(kind, what, {**given, "version": version}, paper=paper, client=client, key=key, check=check)

    def upload(self, files: Sequence[tuple[Binary, str]], client: str, key: str = "", **given: Any) -> list[Job]:
        """Take files in, and put their indexing on record, all or none.

        Raises `Refusal` 413, 415 and 429; 409 where two of them would take each other's place.
        """
        jobs: list[Job] = []
        names: list[str] = []
        try:
            for place, (file, name) in enumerate(files):
                names.append(job := new_id())
                taken = take_in(file, name, self.journal.folder(job) / "input", self.bounds)  # type: ignore[arg-type]
                about = {**given, "file": taken.path.name, "sha256": taken.sha256}
                own = f"{key}#{place}" if key else ""
                jobs.append(
                    Job(job, "add", taken.name, created=now(), given=about, paper=taken.paper, client=client, key=own)
                )
                if given.get("replace"):
                    _require_apart(jobs)
            return self.pool.submit(jobs)
        finally:
            kept = {job.id for job in self.journal.jobs()}
            for name in names:
                if name not in kept:
                    shutil.rmtree(self.journal.folder(name), ignore_errors=True)

    def statistics(self) -> dict[str, Any]:
        """Return counts by paper, year, kind of text and relation."""
        from kag.qa.views.search_tools import CorpusTools

        state = self.reader.state
        years = Counter(paper.year for paper in state.papers if paper.year)
        found: dict[str, Any] = {
            "papers": len(state.papers),
            "pages": sum(paper.pages for paper in state.papers),
            "triples": sum(paper.triples for paper in state.papers),
            "references": sum(paper.references for paper in state.papers),
            "citations": len(state.citations),
            "years": dict(sorted(years.items())),
        }
        if state.papers:
            with self.reader.turn:
                statistics = CorpusTools(self.reader.shelf().index).graph_statistics()
            found |= {name: statistics[name] for name in ("chunks", "kinds", "vectors", "edges", "waiting")}
        return found


def _require_apart(jobs: Sequence[Job]) -> None:
    """Raise `Refusal` 409 where the last of some uploads would take the place of one before it."""
    *before, last = jobs
    for job in before:
        if job.paper == last.paper and job.given["sha256"] != last.given["sha256"]:
            detail = f"{job.what} and {last.what} would both be the paper {last.paper}"
            raise Refusal(409, detail, "Name them apart, or send them without `replace`: the second gets another id.")


def _has(paper: Listed, wanted: list[str]) -> bool:
    text = f"{paper.id} {paper.title} {paper.doi}".casefold()
    return all(word in text for word in wanted)


def _is_about(path: Path, paper: str) -> bool:
    """Whether an answer may be about a paper: whether its file names it at all. It is looked at closely later."""
    return f'"{paper}"'.encode() in path.read_bytes()


def arguments_of(view: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a view; raises `InvalidOperation` for one that it does not take, and for one that it lacks."""
    known = inspect.signature(view).parameters
    found = {**({"section_iri": ""} if "section_iri" in known else {}), **given}
    if unknown := sorted(set(found) - set(known)):
        raise InvalidOperation(f"the view takes no {unknown[0][:40]!r}", hint=f"It takes {', '.join(known)}.")
    if missing := [name for name, one in known.items() if one.default is one.empty and name not in found]:
        hint = "The document of the API says what each view takes."
        raise InvalidOperation(f"{missing[0]} is needed", hint=hint)
    return found
