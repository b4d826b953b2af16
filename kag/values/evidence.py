"""Answers as values: claims, each with evidence that names paper, node, page, boxes, quote, span and hash.

An answer's text is made from its claims alone, so that nothing can stand in it that no evidence was given for.
`kag verify` re-checks every field against the graph, with no model (`kag.read.checking.verify`). Answers are written
in the form `kag-answer/2`; those of the form before, whose claims have no verdict, are read still.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from kag.safety.files import read_object
from kag.safety.secrets import safe_json
from kag.values.errors import EvidenceError
from kag.values.verdict import STATUSES, Verdict

FORMAT, BEFORE = "kag-answer/2", "kag-answer/1"
_VERDICT = ("status", "score", "checker", "reasons")
LARGEST = 64 * 2**20  # bytes of an answer file
LONGEST_CLAIM = 100_000  # characters; a list of 1,000 references has fewer
LONGEST_CLAIMS = 200_000  # characters of all claims of an answer together
_SHOWN = ("format", "answer", "found")  # what a file has besides the fields of an answer
_T = TypeVar("_T")
NOT_FOUND, NONE_SAYS = "The paper does not say.", "None of these papers says so."
NOT_SURE = "No sure answer was found by rules; the nearest passages are listed."
NEAREST = "not sure enough for an answer: one of the nearest passages"
FALSE = "stands in the question, and the paper says otherwise"
LEANT = "is not said outright by the paper: it is what the results in its summary lean to"
"""Why a passage that is only near was left out, a number of a question that the paper contradicts, and a yes or no that
is read from what is reported."""

Value = str | int | float | list[str] | dict[str, int] | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim quote and where it is printed.

    `node` is the IRI of a printed node, `page` starts at 1, `boxes` are in thousandths of the page,
    `quote` is `text[start:end]` of the node's `kag:fullText` (characters), `sha256` the hash of that whole text.
    """

    paper: str
    node: str
    page: int
    boxes: tuple[tuple[int, int, int, int], ...]
    quote: str
    start: int
    end: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement with its evidence; `confidence` is 0 to 1.

    `count` is set when the statement says how many things there are: then there is one evidence for each, of its own
    node or, in one node, of characters of its own. `verdict` is what a checker said when the claim was let in.
    """

    text: str
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    count: int | None = None
    verdict: Verdict | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A statement that was not let into the answer, and why not."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered to one question.

    `mode` is the rung that answered ("extractive", "single", "agent"), `label` says it in words ("offline, no
    model"). `value` is the answer as data where the question asks for a list, a number or a name. Without claims
    the answer is that the paper does not say, and `searches` are what was tried.
    """

    id: str
    question: str
    mode: str
    label: str
    claims: tuple[Claim, ...] = ()
    value: Value = None
    dropped: tuple[Dropped, ...] = ()
    searches: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    stopped: str = ""

    @property
    def found(self) -> bool:
        """Whether the papers say anything on the question."""
        return bool(self.claims)

    @property
    def text(self) -> str:
        """The answer in words: its claims, and nothing else."""
        if self.claims:
            return "\n".join(claim.text for claim in self.claims)
        if any(one.why.startswith(NEAREST) for one in self.dropped):
            return NOT_SURE
        return NONE_SAYS if len(self.papers) > 1 else NOT_FOUND

    def to_json(self) -> str:
        """The answer as JSON, two blanks deep, keys in the order of the fields; read back by `read_answer`."""
        row = {"format": FORMAT, "answer": self.text, "found": self.found, **asdict(self)}
        for claim in row["claims"]:
            (claim["verdict"] or {}).pop("features", None)  # for those who join checkers, in memory
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
            f"{path} is no answer: {words}", hint="Give an answers/<id>.json that kag wrote."
        ) from error


def stated(row: Mapping[str, Any]) -> tuple[Answer, Shown]:
    """An answer as the JSON object that a file holds, and what it shows; raises `ValueError` for one that is none."""
    if row.get("format") not in (FORMAT, BEFORE):
        raise ValueError(f"format {str(row.get('format'))[:80]!r} is not {FORMAT}")
    row = _from_before(row) if row["format"] == BEFORE else row
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


def _from_before(row: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of the form before in today's: its claims have no verdict."""
    claims = [_keys(claim, "a claim", [*set(_names(Claim)) - {"verdict"}]) for claim in _typed(row.get("claims"), list)]
    return {**row, "claims": [{**claim, "verdict": None} for claim in claims]}


def _answer(row: Mapping[str, Any]) -> Answer:
    return Answer(
        id=_string(row["id"]),
        question=_string(row["question"]),
        mode=_string(row["mode"]),
        label=_string(row["label"]),
        claims=tuple(_claim(claim) for claim in _typed(row["claims"], list)),
        value=_value(row["value"]),
        dropped=tuple(_dropped(one) for one in _typed(row["dropped"], list)),
        searches=_strings(row["searches"]),
        papers=_strings(row["papers"]),
        usage={name: _number(used) for name, used in _typed(row["usage"], dict).items()},
        stopped=_string(row["stopped"]),
    )


def _claim(row: object) -> Claim:
    claim = _keys(row, "a claim", _names(Claim))
    confidence = _number(claim["confidence"])
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence!r} is not between 0 and 1")
    count = claim["count"]
    evidence = tuple(read_evidence(one) for one in _typed(claim["evidence"], list))
    verdict = None if claim["verdict"] is None else _verdict(claim["verdict"])
    return Claim(_string(claim["text"]), evidence, float(confidence), None if count is None else _whole(count), verdict)


def _verdict(row: object) -> Verdict:
    one = _keys(row, "a verdict", _VERDICT)
    status, score = _string(one["status"]), _number(one["score"])
    if status not in STATUSES or not 0 <= score <= 1:
        raise ValueError(f"{status[:80]!r} with the score {score!r} is no verdict")
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
