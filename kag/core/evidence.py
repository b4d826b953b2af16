"""Answers as values: claims, each with evidence that names paper, node, page, boxes, quote, span and hash.

An answer's text is made from its claims alone, so that nothing can stand in it that no evidence was given for.
`kag verify` re-checks every field against the graph, with no model (`kag.qa.checking.verify`). Where nothing answers
exactly and no model is asked, an answer has passages in place of claims: the best places to look, which claim nothing.
Answers are written in the format `kag-answer/3`. Older ones are read as well: claims of `kag-answer/1` have no verdict,
those of `kag-answer/2` a confidence, and neither has passages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from html import escape
from math import inf
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from kag.core.display import OneLine, html_list
from kag.core.errors import EvidenceError
from kag.core.files import read_object
from kag.core.secrets import safe_json
from kag.core.verdict import STATUSES, Verdict

FORMAT, OLDER = "kag-answer/3", ("kag-answer/2", "kag-answer/1")
_VERDICT = ("status", "score", "checker", "reasons")
LARGEST = 64 * 2**20  # bytes of an answer file
LONGEST_CLAIM = 100_000  # characters; a list of 1,000 references has fewer
LONGEST_CLAIMS = 200_000  # characters of all claims of an answer together
_SHOWN = ("format", "answer", "found")  # what a file has besides the fields of an answer
_T = TypeVar("_T")
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

    shown: ClassVar[tuple[str, ...]] = (
        "quote",
        "page",
        "paper",
        "node",
    )

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

    shown: ClassVar[tuple[str, ...]] = (
        "text",
        "evidence",
        "verdict.status",
    )

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

    shown: ClassVar[tuple[str, ...]] = (
        "text",
        "page",
        "section",
        "paper",
    )

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
    """What is answered to one question.

    `mode` says who answered ("exact", "passages", "agent"), `label` says it in words ("offline, no model").
    `value` is the answer as data where the question asks for a list, a number or a name. `searches` are what was tried.
    An answer with passages has no claims, and the other way round. `reason` is why the papers do not say it, where one
    of them gives a reason ("the results will be published elsewhere"). `notes` say what was done without, as when words
    ranked because nobody could be asked for vectors; a file has them only where there are some.
    """

    shown: ClassVar[tuple[str, ...]] = (
        "question",
        "text",
        "mode",
        "claims",
        "passages",
        "stopped",
    )

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
        """Whether the papers say anything on the question."""
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
        passages = ((one.text, f"{one.paper}, page {one.page}") for one in self.passages)
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
    """What an answer file says besides the answer's fields, all of which follows from its claims."""

    text: str
    found: bool


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


def stated(row: Mapping[str, Any]) -> tuple[Answer, Shown]:
    """An answer as the JSON object that a file holds, and what it shows; raises `ValueError` for one that is none."""
    if row.get("format") not in (FORMAT, *OLDER):
        raise ValueError(f"format {str(row.get('format'))[:80]!r} is not {FORMAT}")
    row = {"notes": [], **(row if row["format"] == FORMAT else _from_older(row))}
    _keys(row, "the answer", _SHOWN + _names(Answer))
    answer = _answer(row)
    _require_short(answer)
    return answer, Shown(_string(row["answer"]), _typed(row["found"], bool))


def _require_short(answer: Answer) -> None:
    """Raise `ValueError` for claims that would take too long to check."""
    lengths = [len(claim.text) for claim in answer.claims]
    if max(lengths, default=0) > LONGEST_CLAIM:
        raise ValueError(f"a claim has {max(lengths)} characters, more than {LONGEST_CLAIM}")
    if sum(lengths) > LONGEST_CLAIMS:
        raise ValueError(f"its claims have {sum(lengths)} characters together, more than {LONGEST_CLAIMS}")


def _from_older(row: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of an older format in today's: confidences are checked and left out, passages and verdicts added."""
    claims = []
    for claim in _typed(row.get("claims"), list):
        verdict = () if row["format"] == OLDER[1] else ("verdict",)
        _keys(claim, "a claim", ["text", "evidence", "confidence", "count", *verdict])
        confidence = _number(claim["confidence"])
        if not 0 <= confidence <= 1:
            raise ValueError(f"confidence {confidence!r} is not between 0 and 1")
        claims.append({"verdict": None} | {name: value for name, value in claim.items() if name != "confidence"})
    text = row["answer"] if claims else _answer({**row, "claims": [], "passages": [], "reason": None, "notes": []}).text
    return {**row, "answer": text, "claims": claims, "passages": [], "reason": None}


def _answer(row: Mapping[str, Any]) -> Answer:
    return Answer(
        id=_string(row["id"]),
        question=_string(row["question"]),
        mode=_string(row["mode"]),
        label=_string(row["label"]),
        claims=tuple(_claim(claim) for claim in _typed(row["claims"], list)),
        passages=tuple(_passage(passage) for passage in _typed(row["passages"], list)),
        value=_value(row["value"]),
        reason=None if row["reason"] is None else _claim(row["reason"]),
        dropped=tuple(_dropped(one) for one in _typed(row["dropped"], list)),
        searches=_strings(row["searches"]),
        papers=_strings(row["papers"]),
        usage={name: _number(used) for name, used in _typed(row["usage"], dict).items()},
        stopped=_string(row["stopped"]),
        notes=_strings(row["notes"]),
    )


def _claim(row: object) -> Claim:
    claim = _keys(row, "a claim", [name for name in _names(Claim) if name != "confidence"])
    count = claim["count"]
    evidence = tuple(read_evidence(one) for one in _typed(claim["evidence"], list))
    verdict = None if claim["verdict"] is None else _verdict(claim["verdict"])
    return Claim(_string(claim["text"]), evidence, count=None if count is None else _whole(count), verdict=verdict)


def _passage(row: object) -> Passage:
    passage = _keys(row, "a passage", [name for name in _names(Passage) if name != "score"])
    text, start, end = _string(passage["text"]), _whole(passage["start"]), _whole(passage["end"])
    if not 0 <= start <= end <= len(text):
        raise ValueError(f"{start}-{end} is not a span of a passage of {len(text)} characters")
    return Passage(
        paper=_string(passage["paper"]),
        nodes=_strings(passage["nodes"]),
        kind=_string(passage["kind"]),
        section=_string(passage["section"]),
        page=_whole(passage["page"]),
        text=text,
        start=start,
        end=end,
        evidence=tuple(read_evidence(one) for one in _typed(passage["evidence"], list)),
    )


def _verdict(row: object) -> Verdict:
    one = _keys(row, "a verdict", _VERDICT)
    status, score = _string(one["status"]), _number(one["score"])
    if status not in STATUSES or not 0 <= score <= 1:
        raise ValueError(f"{status[:80]!r} with the score {score!r} is not a verdict")
    return Verdict(status, float(score), _string(one["checker"]), _strings(one["reasons"]))


def read_evidence(row: object) -> Evidence:
    """Evidence from JSON values; raises `ValueError` when a field is missing, unknown or wrong."""
    one = _keys(row, "an evidence", _names(Evidence))
    boxes = tuple(tuple(_whole(side) for side in _typed(box, list)) for box in _typed(one["boxes"], list))
    if any(len(box) != 4 for box in boxes):
        raise ValueError("a box has four numbers")
    return Evidence(
        paper=_string(one["paper"]),
        node=_string(one["node"]),
        page=_whole(one["page"]),
        boxes=boxes,  # type: ignore[arg-type]
        quote=_string(one["quote"]),
        start=_whole(one["start"]),
        end=_whole(one["end"]),
        sha256=_string(one["sha256"]),
    )


def _dropped(row: object) -> Dropped:
    one = _keys(row, "what was dropped", _names(Dropped))
    return Dropped(_string(one["text"]), _string(one["why"]))


def _value(value: object) -> Value:
    """The answer as data; of a list texts, of an object whole numbers."""
    if isinstance(value, list):
        return list(_strings(value))
    if isinstance(value, dict):
        return {_string(name): _whole(number) for name, number in value.items()}
    return value if value is None else _string(value) if isinstance(value, str) else _number(value)


def _names(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def _keys(row: object, what: str, names: Collection[str]) -> dict[str, Any]:
    """A JSON object that has these keys and no others."""
    found: dict[str, Any] = _typed(row, dict)
    for name in sorted(found.keys() ^ set(names)):
        raise ValueError(f"{what} has the unknown key {name!r}" if name in found else f"{what} has no {name!r}")
    return found


_NAMED = {list: "list", dict: "JSON object", bool: "true or false"}


def _typed(value: object, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise ValueError(f"{str(value)[:80]!r} is no {_NAMED[kind]}")
    return value


def _strings(value: object) -> tuple[str, ...]:
    return tuple(_string(one) for one in _typed(value, list))


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:80]!r} is not a text")
    value.encode()  # halves of surrogate pairs, which JSON can hold, are no characters
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{str(value)[:80]!r} is not a whole number")
    return value


def _number(value: object) -> int | float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < inf:
        raise ValueError(f"{str(value)[:80]!r} is not a number")
    return value
