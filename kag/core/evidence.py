"""Answers as values: claims, each with evidence that names paper, node, page, boxes, quote, span and hash.

An answer's text is made from its claims alone; `kag verify` re-checks every field without a model. Where nothing
answers exactly and no model is asked, an answer has passages instead. Answers are written as `kag-answer/3`; older
formats are read too (1 has no verdicts, 2 confidences, neither has passages).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from kag.core.display import OneLine, html_list
from kag.core.errors import EvidenceError
from kag.core.files import read_object
from kag.core.secrets import safe_json
from kag.core.shapes import Exactly, fitting

FORMAT, OLDER = "kag-answer/3", ("kag-answer/2", "kag-answer/1")
LARGEST = 64 * 2**20  # bytes of an answer file
LONGEST_CLAIM = 100_000  # characters; a list of 1,000 references has fewer
LONGEST_CLAIMS = 200_000  # characters of all claims of an answer together
NOT_FOUND, NONE_SAYS = "The paper does not say.", "None of these papers says so."
EXACT, PASSAGES, AGENT = "exact", "passages", "agent"
"""Modes of answers: from the graph, places to look, or by an agent with a model."""
ONLY_PASSAGES = "No exact answer. These passages may answer the question."
NO_PASSAGES = "No exact answer, and no passage has the words of the question."
NONE_IN_GRAPH = "The graph has nothing of this kind."
_NOTHING = {"0": "0.", "[]": "None.", "no": "No."}

Value = str | int | float | list[str] | dict[str, int] | None


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(OneLine):
    """A verbatim quote and where it is printed.

    `node` is the IRI of a printed node, `page` starts at 1, `boxes` are in thousandths of the page,
    `quote` is `text[start:end]` of the node's `kag:fullText` (characters), `sha256` the hash of that whole text.
    """

    shown: ClassVar[tuple[str, ...]] = ("quote", "page", "paper", "node")

    paper: str
    node: str
    page: int
    boxes: tuple[tuple[int, int, int, int], ...]
    quote: str
    start: int
    end: int
    sha256: str


@dataclass(frozen=True, slots=True, repr=False)
class Claim(OneLine):
    """One statement with its evidence; `confidence`, 0 to 1, is for those who make answers and is not written.

    `count` is set when the statement says how many things there are: then there is one evidence for each, of its own
    node or, in one node, of characters of its own. `verdict` is what a checker said when the claim was accepted.
    """

    shown: ClassVar[tuple[str, ...]] = ("text", "evidence", "verdict.status")

    text: str
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    count: int | None = None
    verdict: Verdict | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Passage(OneLine):
    """A place to look: `text[start:end]` is the sentence or table row of it that matches the question best.

    `nodes` are the IRIs of the graph nodes that print the text (several where a paragraph goes on behind a column or
    page break; a table and its caption), `kind` is a class's local name ("Paragraph", "Caption", "Table", "Footnote"),
    `section` the titles from the top joined by " > ", `page` the first page. `evidence` quotes the marked sentence or
    row. `score` orders passages of one question; it is no probability and is not written.
    """

    shown: ClassVar[tuple[str, ...]] = ("text", "page", "section", "paper")

    paper: str
    nodes: tuple[str, ...]
    kind: str
    section: str
    page: int
    text: str
    start: int
    end: int
    score: float = 0.0
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Dropped(OneLine):
    """A statement that was not accepted into the answer, and why not."""

    text: str
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class Answer(OneLine):
    """The answer to one question.

    `mode` is "exact", "passages" or "agent", `label` says it in words. `value` is the answer as data where the question
    asks for a list, a number or a name. `searches` are what was tried. An answer has claims or passages, not both.
    `reason` is why the papers do not say it, where one of them states that. `notes` name what was missing, such as
    vectors for ranking.
    """

    shown: ClassVar[tuple[str, ...]] = ("question", "text", "mode", "claims", "passages", "stopped")

    id: str
    question: str
    mode: str
    label: str
    claims: tuple[Claim, ...] = ()
    value: Value = None
    reason: Claim | None = None
    dropped: tuple[Dropped, ...] = ()
    searches: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    stopped: str = ""
    passages: tuple[Passage, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the papers state anything on the question."""
        return bool(self.claims)

    @property
    def text(self) -> str:
        """The answer in words: its claims and nothing else; that there are only passages; that nothing was found."""
        if self.claims:
            return "\n".join(claim.text for claim in self.claims)
        if self.mode == PASSAGES:
            return ONLY_PASSAGES if self.passages else NO_PASSAGES
        if self.mode == EXACT:
            return _NOTHING.get(str(self.value), NONE_IN_GRAPH)
        return NONE_SAYS if len(self.papers) > 1 else NOT_FOUND

    def _repr_html_(self) -> str:
        """The answer, its quotes or passages with their pages, and what was judged; escaped."""
        quotes = ((one.quote, f"{one.paper}, page {one.page}") for claim in self.claims for one in claim.evidence)
        passages = ((passage.text, f"{passage.paper}, page {passage.page}") for passage in self.passages)
        verdicts = {claim.verdict.status if claim.verdict else "not judged" for claim in self.claims}
        judged = f"<p><small>quoted; {escape(', '.join(sorted(verdicts)))}</small></p>" if verdicts else ""
        return f"<p><b>{escape(self.text)}</b></p>{html_list((*quotes, *passages))}{judged}"

    def to_json(self) -> str:
        """The answer as JSON, two blanks deep, keys in the order of the fields; read back by `read_answer`."""
        row = {"format": FORMAT, "answer": self.text, "found": self.found, **asdict(self)}
        for claim in (*row["claims"], *((row["reason"],) if self.reason else ())):
            claim.pop("confidence")
            (claim["verdict"] or {}).pop("features", None)  # for those who join checkers, in memory
        for passage in row["passages"]:
            passage.pop("score")
        if not self.notes:
            row.pop("notes")
        return safe_json(row, ensure_ascii=False, indent=2) + "\n"


def text_hash(text: str) -> str:
    """The SHA-256 of a text's UTF-8 bytes, 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Shown:
    """Fields of an answer file that follow from its claims; `verdicts` is False in an older format."""

    text: str
    found: bool
    verdicts: bool = True


def read_answer(path: Path) -> tuple[Answer, Shown]:
    """An answer file, and what it shows; raises `EvidenceError` naming the file and what is wrong in it.

    Nothing is read over: a key that is unknown, missing or there twice, or a value of another type, is an error.
    """
    try:
        return stated(read_object(path, LARGEST, exact=True))
    except (OSError, ValueError) as error:
        words = str(getattr(error, "strerror", "") or error)
        raise EvidenceError(
            f"{path} is not an answer: {words}", hint="Give an answers/<id>.json that kag wrote."
        ) from error


_EVIDENCE = Exactly(paper=str, node=str, page=int, boxes=[[int]], quote=str, start=int, end=int, sha256=str)
_VERDICT = Exactly(status=str, score=float, checker=str, reasons=[str])
_CLAIM = Exactly(text=str, evidence=[_EVIDENCE], count=(None, int), verdict=(None, _VERDICT))
_PASSAGE = Exactly(
    paper=str, nodes=[str], kind=str, section=str, page=int, text=str, start=int, end=int, evidence=[_EVIDENCE]
)
_ANSWER = Exactly(
    **{"format": str, "answer": str, "found": bool, "id": str, "question": str, "mode": str, "label": str},
    claims=[_CLAIM],
    passages=[_PASSAGE],
    value=(None, str, [str], {str: int}, float),
    reason=(None, _CLAIM),
    dropped=[Exactly(text=str, why=str)],
    searches=[str],
    papers=[str],
    usage={str: float},
    stopped=str,
    notes=[str],
)
_OLDER = {"answer": str, "claims": [{"text": str, "confidence": float}]}


def stated(row: Mapping[str, Any]) -> tuple[Answer, Shown]:
    """An answer as the JSON object that a file holds, and what it shows; raises `ValueError` for one that is none."""
    if row.get("format") not in (FORMAT, *OLDER):
        raise ValueError(f"format {str(row.get('format'))[:80]!r} is not {FORMAT}")
    verdicts = row["format"] == FORMAT
    row = fitting({"notes": [], **(row if row["format"] == FORMAT else _from_older(row))}, _ANSWER, "the answer")
    json.dumps(row, ensure_ascii=False, allow_nan=False).encode()  # raises on NaN and on halves of characters
    answer = _answer(row)
    _require_short(answer)
    return answer, Shown(row["answer"], row["found"], verdicts)


def _require_short(answer: Answer) -> None:
    """Raise `ValueError` for claims that would take too long to check."""
    lengths = [len(claim.text) for claim in answer.claims]
    if max(lengths, default=0) > LONGEST_CLAIM:
        raise ValueError(f"a claim has {max(lengths)} characters, more than {LONGEST_CLAIM}")
    if sum(lengths) > LONGEST_CLAIMS:
        raise ValueError(f"its claims have {sum(lengths)} characters together, more than {LONGEST_CLAIMS}")


def _from_older(row: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of an older format in today's: confidences are checked and left out, passages and verdicts added."""
    fitting(row, _OLDER, "the answer")
    claims = []
    for claim in row["claims"]:
        if not 0 <= claim["confidence"] <= 1:
            raise ValueError(f"confidence {claim['confidence']!r} is not between 0 and 1")
        claims.append({"verdict": None} | {name: value for name, value in claim.items() if name != "confidence"})
    today = {**row, "claims": claims, "passages": [], "reason": None}
    return today if claims else {**today, "answer": _answer(fitting({"notes": [], **today}, _ANSWER)).text}


def _answer(row: Mapping[str, Any]) -> Answer:
    own = {one.name: row[one.name] for one in fields(Answer)}
    own |= {name: tuple(row[name]) for name in ("searches", "papers", "notes")}
    own["claims"] = tuple(map(_claim, row["claims"]))
    own["passages"] = tuple(map(_passage, row["passages"]))
    own["dropped"] = tuple(Dropped(**one) for one in row["dropped"])
    own["reason"] = row["reason"] and _claim(row["reason"])
    return Answer(**own)


def _claim(row: Mapping[str, Any]) -> Claim:
    verdict = row["verdict"] and _verdict(row["verdict"])
    return Claim(row["text"], tuple(map(_evidence, row["evidence"])), count=row["count"], verdict=verdict)


def _verdict(row: Mapping[str, Any]) -> Verdict:
    status, score = row["status"], row["score"]
    if status not in STATUSES or not 0 <= score <= 1:
        raise ValueError(f"{status[:80]!r} with the score {score!r} is not a verdict")
    return Verdict(status, float(score), row["checker"], tuple(row["reasons"]))


def _passage(row: Mapping[str, Any]) -> Passage:
    if not 0 <= row["start"] <= row["end"] <= len(row["text"]):
        raise ValueError(f"{row['start']}-{row['end']} is not a span of a passage of {len(row['text'])} characters")
    return Passage(**{**row, "nodes": tuple(row["nodes"]), "evidence": tuple(map(_evidence, row["evidence"]))})


def read_evidence(row: object) -> Evidence:
    """Evidence from JSON values; raises `ValueError` when a field is missing, unknown or wrong."""
    return _evidence(fitting(row, _EVIDENCE, "the evidence"))


def _evidence(row: Mapping[str, Any]) -> Evidence:
    boxes = tuple(map(tuple, row["boxes"]))
    if any(len(box) != 4 for box in boxes):
        raise ValueError("a box has four numbers")
    return Evidence(**{**row, "boxes": boxes})


Status = Literal["supported", "contradicted", "undecided"]
STATUSES: tuple[Status, ...] = ("supported", "contradicted", "undecided")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote as a checker sees it: the words of one piece of evidence, and their surroundings.

    `text` is the quote in plain words; `kind` is "sentence", "row", "table", "caption", "heading" or "reference".
    A row has `cells` (that with the row's name first) and `headers`, one for each cell, "" where there is none; a
    whole table has its `rows` and `headers`. `caption` is that of the table or figure, `section` the titles from the
    top, `before` and `after` the sentences around the quote. `label` is the printed name of the place ("Table 2").
    `paper` is the paper's id where evidence may be of several.
    """

    text: str
    kind: str = "sentence"
    section: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    label: str = ""
    caption: str = ""
    headers: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """Further context of a checker: the question, and the paper's abbreviations with their long forms.

    `labels` are the numbers and names of things that the evidence is called by or points to ("Table 2" has "2").
    `count` is set where the claim says how many things there are, which other rules prove.
    """

    question: str = ""
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checker's verdict on one claim.

    `score` is the probability, 0 to 1, that the claim is supported, as calibrated for the checker that is named.
    `reasons` say in words what speaks against it, all at once; none where it is supported.
    `features` are the numbers that the verdict was made from, by name, for whoever joins several checkers.
    """

    status: Status
    score: float
    checker: str
    reasons: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict, compare=False)


Case = tuple[str, Sequence[Quote], Context]
"""What a checker is given: the claim, its quotes, what else is known."""
ClaimJudge = Callable[[Sequence[Case]], Sequence[Verdict | None]]
"""Judges several claims at once; None where it has nothing to say of one."""


class Checker(Protocol):
    """Decides whether quotes support a claim; no text makes it raise."""

    name: str

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """The verdict on one claim."""
        ...
