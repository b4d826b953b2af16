"""`ingest`: documents into the graph of a folder. Each is read, checked and kept by itself; then all are made one.

    documents -> rules, a model -> draft -> checked, mended, rejected -> kept -> joined -> graph, versions, index

Documents are read side by side, and what comes out does not depend on which is done first. One that is up to date is
left alone; one that fails takes only itself down.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kag.agents.ingest.checking import validated
from kag.agents.ingest.indexing import (
    Passage,
    Remembered,
    Synced,
    check_client,
    check_index,
    embedder,
    known_vectors,
    passages_of,
    sync,
    write_index,
)
from kag.agents.ingest.rules import RUN, RuleReader, documents_at, read_document
from kag.agents.ingest.store import Store
from kag.agents.ingest.values import Document, Drafted, Ingested, IngestOptions, checked_options
from kag.core.display import Progress, counted, quiet
from kag.core.errors import BUG, KagError, SourceError, fault, wants_memory
from kag.core.files import about, hint_for, shown
from kag.core.workers import UNLIMITED, Ended, apart, here
from kag.kgrag.domain import Domain
from kag.kgrag.files import domain_named
from kag.retrieval.property_graph.schema import Checked

if TYPE_CHECKING:
    from kag.agents.ingest.asking import ModelReader

State = Literal["read", "up to date", "failed"]

_LOST = {
    "time": "Give the command again.",
    "memory": "Give fewer documents at a time, or use fewer --workers.",
    "died": "Give the command again, with fewer --workers where memory is short.",
}


@dataclass(frozen=True, slots=True)
class Task:
    """One document to ingest."""

    name: str
    path: Path
    out: Path
    rules: str
    options: IngestOptions


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one document."""

    name: str
    state: State
    counts: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    hint: str = ""
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The graph of the folder: how large it is, its version, how many joins, what is wrong, passages and vectors.

    `synced` is what changed in the project of a vector client, where one was asked for.
    """

    nodes: int
    edges: int
    version: str
    joins: int
    issues: Checked
    passages: int
    vectors: bool
    synced: Synced | None = None


def ingest(
    paths: Sequence[Path],
    out: Path,
    rules: str,
    options: IngestOptions,
    *,
    workers: int = 1,
    progress: Progress = quiet,
) -> Iterator[Outcome]:
    """Read the documents at some paths into the folder `out`, and yield each outcome as it comes.

    `rules` names the domain; `progress` counts the documents. `finish` makes the graph of them.
    Raises `SourceError` and `ModelError` before the first.
    """
    checked_options(options)
    if options.vectors_at:
        from kag.kgrag.context.passages import checked_place

        checked_place(options.vectors_at, options.project)
    domain_named(rules)
    tasks = [Task(name, path, out, rules, options) for name, path in documents_at(paths)[: options.max_docs]]
    alone = min(workers, len(tasks)) <= 1
    done = here(run_task, tasks) if alone else apart(run_task, tasks, workers, UNLIMITED)
    for task, result in counted(done, "documents", len(tasks), progress):
        if isinstance(result, Ended):
            message = f"{shown(task.path)}: {result}"
            yield Outcome(task.name, "failed", message=message, hint=_LOST[result.why], exit_code=2)
        else:
            yield result


def run_task(task: Task) -> Outcome:
    """Ingest one document; every failure is an outcome."""
    try:
        return _run(task)
    except KagError as error:
        return Outcome(task.name, "failed", message=error.message, hint=error.hint, exit_code=error.exit_code)
    except OSError as error:
        message = about(task.path, error)
        return Outcome(task.name, "failed", message=message, hint=hint_for(error), exit_code=2)
    except MemoryError:
        raise
    except Exception as error:  # a bug must not cost the documents behind it
        if wants_memory(error):
            raise MemoryError from error
        message = f"{shown(task.path)}: {fault(error)}"
        hint = "This is a bug in kag; please report it with the document."
        return Outcome(task.name, "failed", message=message, hint=hint, exit_code=BUG)


def _run(task: Task) -> Outcome:
    domain = domain_named(task.rules)
    store = Store(task.out, domain)
    document = read_document(task.name, task.path)
    author = task.options.author(domain)
    known = store.document(task.name)
    same = known is not None and (known.sha256, known.mode, known.author) == (
        document.sha256,
        task.options.mode,
        author,
    )
    if known is not None and same and not task.options.force and not known.drafted.failures:
        return Outcome(task.name, "up to date", known.counts, known.drafted.usage)
    drafted = read_one(document, domain, task)
    ingested = Ingested(document.name, document.sha256, document.form, domain.name, task.options.mode, author, drafted)
    store.put(document, ingested)
    outcome = Outcome(task.name, "read", ingested.counts, drafted.usage)
    return _with_failures(outcome, drafted)


def without_rules(domain: Domain) -> Domain:
    """The domain with its structure alone. Nothing is checked under its name, either: the state of a story."""
    return replace(domain, name="", rules=())


def _with_failures(outcome: Outcome, drafted: Drafted) -> Outcome:
    """Return an outcome that lists the parts that could not be read."""
    if not drafted.failures:
        return outcome
    why = drafted.failures[0].reason
    message = f"{outcome.name}: {len(drafted.failures)} pieces were not read ({why})"
    code = 0 if why.startswith("budget") else 3
    again = "Give the same command again to go on; what was answered is not asked again."
    return Outcome(outcome.name, "read", outcome.counts, outcome.usage, message, again, code)


def read_one(document: Document, domain: Domain, task: Task) -> Drafted:
    """Read, check and correct a document. Structured files are read by rules in every mode."""
    by_rules = RuleReader(task.rules)
    checked = domain if task.options.validate else without_rules(domain)
    structured = document.form not in ("text", RUN)
    if not task.options.model or structured:
        drafted = by_rules.read(document, domain)
        broken = {rule.name for rule in domain.rules} if not task.options.validate else set()
        drafted = replace(drafted, issues=tuple(issue for issue in drafted.issues if issue.rule not in broken))
        return validated(checked, drafted)
    base = by_rules.read(document, domain).entries if task.options.mode == "hybrid" or document.form == RUN else ()
    with _open(task, domain) as reader:
        drafted = reader.read(document, domain, base)
        mender = None if drafted.failures else reader.mender(document, domain)
        found = validated(checked, drafted, mender, task.options.rounds)
        return reader.with_usage(found)


@contextmanager
def _open(task: Task, domain: Domain) -> Iterator[ModelReader]:
    """The model that the options name, within its limits, with its replies kept until the document is done."""
    from kag.agents.ingest.asking import ModelReader
    from kag.agents.model.budget import Limits, cassette_for
    from kag.agents.model.models import opened_model

    options, work = task.options, task.out / f".work-{task.name}"
    if options.force:
        shutil.rmtree(work, ignore_errors=True)
    named = {key: folder / f"{task.name}.jsonl" for key in ("record", "replay") if (folder := getattr(options, key))}
    tape = cassette_for(replace(options, **named), work / "replies.jsonl", resumed=True)
    with opened_model(options.lm, Limits.of(options), tape) as (lm, ledger):
        reader = ModelReader(lm, ledger, options.author(domain), rounds=options.rounds)
        yield reader
    if reader.finished:
        shutil.rmtree(work, ignore_errors=True)


def finish(out: Path, rules: str, options: IngestOptions, why: str = "ingested") -> Finished:
    """Make graph, joins, version and index of all documents of a folder."""
    checked_options(options)
    domain = domain_named(rules)
    store = Store(out, domain)
    whole = store.whole(validate=options.validate)
    if not store.names() and not (out / "graph.json").exists():
        raise SourceError(f"{shown(out)}: no document was read", hint="The reasons are listed above.")
    version = store.finish(whole, options.author(domain), why)
    passages = passages_of(store, whole)
    embed = _embedder(out) if options.vectors else None
    write_index(out / "index", passages, embed)
    issues = Checked(whole.issues) + check_index(store, whole.graph)
    synced, wrong = _synced(options, passages, embed) if options.vectors_at else (None, Checked(()))
    size = len(whole.graph.nodes), len(whole.graph.edges)
    return Finished(*size, version, len(whole.joins), issues + wrong, len(passages), embed is not None, synced)


def _embedder(out: Path) -> Remembered | None:
    """Return the embedder, unless the folder has the vectors; None where the extra is not installed."""
    embed = embedder()
    return Remembered(embed, known_vectors(out / "index", embed.id)) if embed else None


def _synced(options: IngestOptions, passages: Sequence[Passage], embed: Remembered | None) -> tuple[Synced, Checked]:
    """The passages put into the project of a vector client, and what does not fit there afterwards."""
    from kag.kgrag.context.passages import client_at

    client = client_at(options.vectors_at, options.project, embed)
    model = embed.id if embed else ""
    synced = sync(client, passages, model)
    return synced, Checked(tuple(check_client(client, passages, model)))


def remove(out: Path, rules: str, name: str) -> None:
    """Take a document away; raises `SourceError` where it is not there. `finish` makes the rest anew."""
    store = Store(out, domain_named(rules))
    if not store.remove(name):
        known = ", ".join(store.names()[:20])
        raise SourceError(f"no document {name!r:.80} in {shown(out)}", hint=f"There are: {known or 'none'}.")
