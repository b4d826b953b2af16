"""Answers as values: claims, each with evidence that names paper, node, page, boxes, quote, span and hash.

An answer's text is made from its claims alone, so that nothing can stand in it that no evidence was given for.
`kag verify` re-checks every field against the graph, with no model (`kag.verify`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kag.errors import EvidenceError
from kag.secrets import safe_json

FORMAT = "kag-answer/1"
NOT_FOUND, NONE_SAYS = "The paper does not say.", "None of these papers says so."

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
    node or, in one node, of characters of its own.
    """

    text: str
    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    count: int | None = None


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
        return "\n".join(claim.text for claim in self.claims) or (NONE_SAYS if len(self.papers) > 1 else NOT_FOUND)

    def to_json(self) -> str:
        """The answer as JSON, two blanks deep, keys in the order of the fields; read back by `read_answer`."""
        row = {"format": FORMAT, "answer": self.text, "found": self.found, **asdict(self)}
        return safe_json(row, ensure_ascii=False, indent=2) + "\n"


def text_hash(text: str) -> str:
    """The SHA-256 of a text's UTF-8 bytes, 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_answer(path: Path) -> tuple[Answer, str]:
    """An answer file, and the text it shows; raises `EvidenceError` naming the file and what is wrong in it."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        if row["format"] != FORMAT:
            raise ValueError(f"format {row['format']!r} is not {FORMAT}")
        return _answer(row), str(row["answer"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        words = f"{type(error).__name__}: {error}" if isinstance(error, KeyError | TypeError) else str(error)
        raise EvidenceError(
            f"{path} is no answer: {words}", hint="Give an answers/<id>.json that kag wrote."
        ) from error


def _answer(row: Mapping[str, Any]) -> Answer:
    return Answer(
        id=_string(row["id"]),
        question=_string(row["question"]),
        mode=_string(row["mode"]),
        label=_string(row["label"]),
        claims=tuple(_claim(claim) for claim in row["claims"]),
        value=row["value"],
        dropped=tuple(Dropped(_string(one["text"]), _string(one["why"])) for one in row["dropped"]),
        searches=tuple(_string(one) for one in row["searches"]),
        papers=tuple(_string(one) for one in row["papers"]),
        usage=dict(row["usage"]),
        stopped=_string(row["stopped"]),
    )


def _claim(row: Mapping[str, Any]) -> Claim:
    count = row["count"]
    confidence = row["confidence"]
    if not isinstance(confidence, int | float) or isinstance(confidence, bool) or not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence!r} is not between 0 and 1")
    evidence = tuple(read_evidence(one) for one in row["evidence"])
    return Claim(_string(row["text"]), evidence, float(confidence), None if count is None else _whole(count))


def read_evidence(row: Mapping[str, Any]) -> Evidence:
    """Evidence from JSON values; raises `ValueError`, `KeyError` or `TypeError` when a field is missing or wrong."""
    boxes = tuple(tuple(_whole(side) for side in box) for box in row["boxes"])
    if any(len(box) != 4 for box in boxes):
        raise ValueError("a box has four numbers")
    return Evidence(
        paper=_string(row["paper"]),
        node=_string(row["node"]),
        page=_whole(row["page"]),
        boxes=boxes,  # type: ignore[arg-type]
        quote=_string(row["quote"]),
        start=_whole(row["start"]),
        end=_whole(row["end"]),
        sha256=_string(row["sha256"]),
    )


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is not a whole number")
    return value
