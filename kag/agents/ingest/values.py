"""Values that the ingestion agents exchange: options, a document, its draft, the outcome.

A draft is contributions (`kag.retrieval.property_graph.contributions`): nodes and edges, each with the characters of
the document that say it and with who read it there. Ids are the document's own: `tale/character-anna`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from kag.agents.ingest.prompts import prompt_hash
from kag.agents.model.options import OFFLINE, POLICY, ModelOptions
from kag.core.errors import BadValue, ModelError
from kag.core.shapes import Shape, fitting
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.as_json import from_records
from kag.retrieval.property_graph.contributions import Contribution, Source
from kag.retrieval.property_graph.elements import Link, Node, as_record
from kag.retrieval.property_graph.schema import Issue

Mode = Literal["rule", "llm", "hybrid"]
MODES: tuple[Mode, ...] = ("rule", "llm", "hybrid")
ROUNDS = 2
"""How often the drafter is asked for corrections."""
RULES = "rule"
"""How the name of a reader begins that is a rule and no model."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document: the name it goes by, its text (what spans count in), its SHA-256, and the form it has."""

    name: str
    text: str
    sha256: str
    form: str
    path: Path = field(default_factory=Path)


@dataclass(frozen=True, slots=True)
class Repair:
    """One change that a check brought about: in which round, because of which rule, by whom, and what it changed."""

    round: int
    rule: str
    by: str
    message: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An entry that was proposed and rejected, with the reason."""

    what: Any
    rule: str
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A part of a document of which nothing was read: characters, why, and what was replied, if anything."""

    start: int
    end: int
    reason: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A reader's draft of a document. `same` are pairs of ids that it takes for one thing."""

    entries: tuple[Contribution, ...]
    repairs: tuple[Repair, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    issues: tuple[Issue, ...] = ()
    failures: tuple[Failure, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ingested:
    """A stored document: its draft after all checks, and its origin."""

    document: str
    sha256: str
    form: str
    domain: str
    mode: Mode
    author: str
    drafted: Drafted

    @property
    def counts(self) -> dict[str, int]:
        """Return counts by kind, for display."""
        nodes = {
            contribution.element.id for contribution in self.drafted.entries if isinstance(contribution.element, Node)
        }
        edges = {
            contribution.element.id for contribution in self.drafted.entries if isinstance(contribution.element, Link)
        }
        found = {"nodes": len(nodes), "edges": len(edges)}
        for name in ("repairs", "rejected", "issues", "failures"):
            found[name] = len(getattr(self.drafted, name))
        return found

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        about = {name: getattr(self, name) for name in ("document", "sha256", "form", "domain", "mode", "author")}
        drafted = self.drafted
        return about | {
            "usage": dict(drafted.usage),
            "same": [list(pair) for pair in drafted.same],
            "said": [
                {"element": as_record(contribution.element), "author": contribution.author, "span": _span(contribution)}
                for contribution in drafted.entries
            ],
            "issues": [issue.as_record() for issue in drafted.issues],
            "repairs": [asdict(repair) for repair in drafted.repairs],
            "rejected": [asdict(one) for one in drafted.rejected],
            "failures": [asdict(failure) for failure in drafted.failures],
        }


def _span(contribution: Contribution) -> list[Any]:
    return [contribution.source.start, contribution.source.end, contribution.source.digest]


SHAPE: Shape = {
    "document": str, "sha256": str, "form": str, "domain": str, "mode": str, "author": str, "usage": dict,
    "same": [[str]], "said": [{"element": dict, "author": str, "span": [object]}],
    "issues": [{"rule": str, "severity": str, "message": str, "fix": str, "nodes?": [str], "edges?": [str]}],
    "repairs": [{"round": int, "rule": str, "by": str, "message": str, "before": object, "after": object}],
    "rejected": [{"what": object, "rule": str, "reason": str, "by": str}],
    "failures": [{"start": int, "end": int, "reason": str, "reply": str}],
}  # fmt: skip


def ingested_of(record: Mapping[str, Any]) -> Ingested:
    """The value that `as_record` wrote; raises `ValueError` for anything else."""
    fitting(dict(record), SHAPE)
    drafted = Drafted(
        tuple(_contribution(one, record["document"]) for one in record["said"]),
        tuple(Repair(**one) for one in record["repairs"]),
        tuple(Rejected(**one) for one in record["rejected"]),
        tuple(_issue(one) for one in record["issues"]),
        tuple(Failure(**one) for one in record["failures"]),
        tuple((one, other) for one, other in record["same"]),
        record["usage"],
    )
    about = {name: record[name] for name in ("document", "sha256", "form", "domain", "mode", "author")}
    return Ingested(**about, drafted=drafted)


def _contribution(one: Mapping[str, Any], document: str) -> Contribution:
    kind = "edges" if "from" in one["element"] else "nodes"
    snapshot = from_records({kind: [one["element"]]})
    start, end, digest = one["span"]
    elements: tuple[Node | Link, ...] = (*snapshot.nodes, *snapshot.edges)
    return Contribution(elements[0], Source(document, int(start), int(end), digest), one["author"])


def _issue(one: Mapping[str, Any]) -> Issue:
    given = dict(one)
    for key in ("nodes", "edges"):
        given[key] = tuple(given.get(key, ()))
    return Issue(**given)


def slug(name: str) -> str:
    """A name as a part of an id: letters and digits of any script, `-` between.

    >>> slug("Mrs. O'Hara"), slug("Ёлка 2"), slug("!")
    ('mrs-o-hara', 'ёлка-2', 'x')
    """
    plain = unicodedata.normalize("NFC", name).casefold()
    return re.sub(r"\W+", "-", plain).strip("-_")[:80] or "x"


class Draft:
    """A draft in the making: ids are given here, so that namesakes are two."""

    def __init__(self, document: Document, author: str) -> None:
        self._document, self._author = document, author
        self._entries: list[Contribution] = []
        self._ids: dict[str, Node] = {}
        self._edges = 0

    @property
    def entries(self) -> tuple[Contribution, ...]:
        """Return the drafted entries in order."""
        return tuple(self._entries)

    def node(self, label: str, name: str, span: tuple[int, int], props: Mapping[str, Any], id: str = "") -> str:
        """Add the node at the characters of `span`; return its id."""
        wanted = id or f"{self._document.name}/{label.lower()}-{slug(name)}"
        free, count = wanted, 1
        while free in self._ids:
            count += 1
            free = f"{wanted}-{count}"
        self._ids[free] = Node(free, label, dict(props))
        self._add(self._ids[free], span)
        return free

    def again(self, node: str, span: tuple[int, int]) -> None:
        """Add another place that mentions a node."""
        self._add(self._ids[node], span)

    def edge(
        self, label: str, source: str, target: str, span: tuple[int, int], props: Mapping[str, Any] | None = None,
        id: str = "",
    ) -> None:  # fmt: skip
        """Add the edge that the characters of `span` state."""
        self._edges += 1
        name = id or f"{self._document.name}/e{self._edges}"
        self._add(Link(name, label, source, target, dict(props or {})), span)

    def _add(self, element: Node | Link, span: tuple[int, int]) -> None:
        source = Source.of(self._document.name, self._document.text, *span)
        self._entries.append(Contribution(element, source, self._author))


@dataclass(frozen=True, slots=True)
class IngestOptions(ModelOptions):
    """Options for reading documents. `record` and `replay` are folders with one file of replies for each document.

    `vectors_at` is where a vector client keeps the passages of `project`, beside the index in files. At most `max_docs`
    documents are read. Without `validate` only the structure is checked, not the rules of the domain.
    """

    mode: Mode = "rule"
    lm: str = ""
    rounds: int = field(default=ROUNDS, kw_only=True)
    vectors: bool = field(default=True, kw_only=True)
    vectors_at: str = field(default="", kw_only=True)
    project: str = field(default="", kw_only=True)
    force: bool = field(default=False, kw_only=True)
    max_docs: int | None = field(default=None, kw_only=True)
    validate: bool = field(default=True, kw_only=True)

    @property
    def model(self) -> str:
        """Return the name of the model that is asked, of the policy, or ""."""
        if self.mode == "rule":
            return ""
        return POLICY if self.lm == OFFLINE else self.lm

    def author(self, domain: Domain) -> str:
        """The reader as it is stored: a rule, or a model with the hash of its prompt."""
        return f"model:{self.model}#{prompt_hash(domain)}" if self.model else RULES


def checked_options(options: IngestOptions) -> IngestOptions:
    """The options, where they go together; raises `ModelError`, `BadValue`."""
    if options.mode != "rule" and not options.lm:
        message = f"the mode {options.mode} asks a model, and none is configured"
        raise ModelError(message, hint="Name one, as anthropic/claude-sonnet-4-5: --lm or KAG_LM; rule needs none.")
    if bool(options.vectors_at) != bool(options.project):
        raise BadValue("a place for vectors and a project go together", hint="Give both --vectors-at and --project.")
    if options.vectors_at and not options.vectors:
        raise BadValue("vectors are to be kept, and none are to be made", hint="Leave out --no-vectors.")
    return options
