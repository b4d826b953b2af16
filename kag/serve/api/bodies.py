"""Request bodies as models that reject unknown fields, and the lists that the API returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kag.qa.questions.file import LONGEST


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AskBody(_Strict):
    """A question. Without `mode` and `model` the settings decide; `wait` false makes a job of it."""

    question: str = Field(min_length=1, max_length=LONGEST)
    paper: str = Field("", max_length=100)
    mode: str | None = Field(None, max_length=20)
    model: str | None = Field(None, max_length=120)
    wait: bool = True


class SparqlBody(_Strict):
    """A read-only query."""

    query: str = Field(min_length=1, max_length=20_000)


class CorrectionBody(_Strict):
    """What is put right: `noise` leaves a node out, `caption` gives `node` to the float `target`, `heading` moves a
    section into the section `target` ("" is the top), `level` moves it "up" or "down", `text` makes a paragraph of a
    heading, `merge` and `split` mend entries of the reference list, `metadata` sets the title, authors, year, doi or
    url (`node`) of the paper to `target`, `undo` takes the last correction back."""

    kind: Literal["noise", "caption", "heading", "level", "text", "merge", "split", "metadata", "undo"]
    node: str = Field("", max_length=200)
    target: str = Field("", max_length=5000)
    reason: str = Field("", max_length=200)
    who: str = Field("somebody", min_length=1, max_length=80)


class PopulateBody(_Strict):
    """Options for existing papers: vectors (of an installed model), a graph over the passages, layers."""

    vectors: bool = False
    graph: bool = True
    layers: bool = False


class SettingsBody(_Strict):
    """Settings that are to be others; those that are left out stay."""

    plan: str | None = None
    hits: int | None = None
    k_prime: int | None = Field(None, description="0 to 100")
    graph_expansion_hops: int | None = Field(None, description="1 to 3")
    graph_min_entities_threshold: int | None = Field(None, description="5 to 20")
    graph_max_synonyms_per_entity: int | None = Field(None, description="1 to 5")
    graph_semantic_reranking_enabled: bool | None = None
    model: str | None = None
    mode: str | None = None
    max_usd: float | None = None
    max_calls: int | None = None


class VerifyBody(BaseModel):
    """An answer, as `ask` gives it or `kag qa` wrote it; it is read as strictly as a file is."""

    model_config = ConfigDict(extra="allow")

    format: str
    question: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A printed node; `text` is the beginning of its `chars` characters."""

    node: str
    kind: str
    page: int
    label: str
    section: str
    text: str
    chars: int


@dataclass(frozen=True, slots=True)
class PaperDetail:
    """A paper: its metadata, its counts, and how it was made."""

    id: str
    version: str
    iri: str
    title: str
    authors: list[str]
    year: int | None
    doi: str
    pages: int
    sections: int
    figures: int
    tables: int
    references: int
    cites: list[str]
    cited_by: list[str]
    pictures: int
    corrections: int
    builder: dict[str, Any]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job; `state` is queued, running, done, failed or cancelled, `result` is its outcome.

    `stage_text` and `outcome_text` are for people, `progress` is from 0 to 1, `seconds_left` an estimate (0: unknown).
    """

    id: str
    kind: str
    what: str
    state: str
    stage: str
    paper: str
    created: str
    started: str
    ended: str
    message: str
    hint: str
    attempts: int
    result: dict[str, Any]
    open: bool
    stage_text: str
    outcome_text: str
    progress: float
    seconds_left: int


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of verifying an answer: whether it conforms, how many quotes hold, the verdict on each claim,
    issues."""

    conforms: bool
    quotes: int
    quoted: int
    verdicts: list[dict[str, Any] | None]
    issues: list[dict[str, Any]]
    unchecked: list[str]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer that was kept."""

    id: str
    question: str
    papers: list[str]
    mode: str
    label: str
    found: bool
    claims: int
    usage: dict[str, float]


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A correction: by whom, when, in words, and its calls of the build tools."""

    who: str
    at: str
    what: str
    calls: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Problem:
    """The problem with a request (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""
