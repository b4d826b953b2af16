"""Gold answers of a question file, and comparison of answers with them.

Gold is a list of texts (a set, or an order), a number, counts by name, or a text; unanswerable questions have none.
Spelling does not count: case, blanks, dashes, LaTeX and section numbers are evened out on both sides.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kag.core.errors import EvidenceError
from kag.core.evidence import Answer, Claim
from kag.qa.exact.labels import bare
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question, read_questions
from kag.rdf.namespaces import KAG
from kag.text.plain import plain
from kag.text.search_text import search_text
from kag.text.words import tokens

QUESTIONS = "questions.json"  # of a paper, in its folder
DEPTHS = (1, 3, 5)  # claims whose evidence is looked at

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold answer: `value` is None if the question is unanswerable, `known` is whether a gold answer exists.

    `caption` is the whole of a caption whose beginning is the value; `blocks` are the ids of the blocks that the
    answer stands in; `hints` are words that a good answer rests on, where nobody wrote the answer down.
    """

    value: object
    ordered: bool = False
    known: bool = True
    caption: str = ""
    blocks: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


Asked = tuple[Question, Gold]


def read_gold(path: Path) -> tuple[Asked, ...]:
    """The questions of a file with their gold, or of the `questions.json` in each folder of a folder.

    A question in a folder that names no paper is about the paper of that folder. Raises `EvidenceError` as
    `read_questions` does.
    """
    if not path.is_dir():
        return _read(path)
    files = sorted(path.glob(f"*/{QUESTIONS}"))
    if not files:
        raise EvidenceError(f"{path} holds no */{QUESTIONS}", hint="Give a file of questions, or a folder of papers.")
    return tuple(
        (replace(question, paper=question.paper or file.parent.name), gold)
        for file in files
        for question, gold in _read(file)
    )


def _read(path: Path) -> tuple[Asked, ...]:
    questions = read_questions(path)
    text = path.read_text(encoding="utf-8-sig")
    try:
        whole = json.loads(text)
        rows = whole.get("questions", [whole]) if isinstance(whole, dict) else whole
    except ValueError:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    if len(rows) != len(questions):
        raise EvidenceError(f"{path}: gold and questions do not pair", hint="Give one object for each question.")
    return tuple((question, _gold(row)) for question, row in zip(questions, rows, strict=True))


def _gold(row: Mapping[str, Any]) -> Gold:
    key = "gold" if "gold" in row else "answer"
    return Gold(
        value=row.get(key),
        ordered=row.get("answer_kind") == "ordered list",
        known=key in row,
        caption=str(row.get("caption", "")),
        blocks=tuple(map(str, row.get("evidence_blocks") or ())),
        hints=tuple(map(str, row.get("evidence_hints") or ())),
    )


def is_right(answer: Answer, gold: Gold) -> bool:
    """Whether an answer equals the gold answer; for a caption its first sentence suffices."""
    value, wanted = answer.value, gold.value
    if wanted is None:
        return not answer.found
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return False
        items, right = [_item(one) for one in value], [_item(one) for one in wanted]
        return items == right if gold.ordered else set(items) == set(right)
    if isinstance(wanted, dict):
        return isinstance(value, dict) and value == wanted
    if isinstance(wanted, int | float):
        return value == wanted or (isinstance(value, list) and len(value) == wanted)
    shown, text = even(str(value or answer.text)), even(str(wanted))
    return shown == text or _caption(shown, text, gold.caption)


def _caption(nodes: str, right: str, caption: str) -> bool:
    """A caption that is given whole, or whose first sentence is the gold."""
    if not caption:
        return False
    return nodes == even(caption) or nodes.startswith(right) or even(_SENTENCE.split(caption)[0]) == nodes


def set_f1(answer: Answer, gold: Gold) -> float | None:
    """Return the F1 of a list's items; None if the gold is not a list."""
    if not isinstance(gold.value, list):
        return None
    items = {_item(one) for one in answer.value} if isinstance(answer.value, list) else set()
    right = {_item(one) for one in gold.value}
    return 2 * len(items & right) / (len(items) + len(right)) if items or right else 1.0


def contains(claims: Iterable[Claim], gold: Gold) -> bool | None:
    """Whether one of the claims has all words of the gold; None if the gold is not a text."""
    if not isinstance(gold.value, str):
        return None
    wanted = _words(gold.value)
    return any(wanted <= _words(claim.text) for claim in claims)


def recalls(answer: Answer, gold: Gold, paper: PaperGraph) -> tuple[float, ...] | None:
    """The share of the gold's blocks among the evidence of the first 1, 3, 5 and all claims; None without blocks."""
    if not gold.blocks or gold.value is None:
        return None
    wanted = set(gold.blocks)
    shares = []
    for depth in (*DEPTHS, None):
        nodes = {evidence.node for claim in answer.claims[:depth] for evidence in claim.evidence}
        found = {block for node in nodes for block in paper.graph.values(node, str(KAG.sourceBlock))}
        shares.append(len(wanted & found) / len(wanted))
    return tuple(shares)


def hinted(answer: Answer, gold: Gold) -> float | None:
    """Return the share of hints found in the claims, their quotes or the value; None without hints, or with gold."""
    if not gold.hints or gold.known:
        return None
    quotes = (one.quote for claim in answer.claims for one in claim.evidence)
    words = even(" ".join([*(claim.text for claim in answer.claims), *quotes, str(answer.value or "")]))
    return sum(even(hint) in words for hint in gold.hints) / len(gold.hints)


def even(text: str) -> str:
    """A text as it is compared: case, blanks, dashes, LaTeX and final stops make no difference."""
    folded = re.sub(r"[-‐-―−]+", "-", search_text(plain(text)).text)
    return re.sub(r"[\s^]+", "", folded).strip(".,;:")


def _item(one: object) -> str:
    text = str(one)
    return text if text.isdigit() else even(bare(text)).replace(",", "")


def _words(text: str) -> Counter[str]:
    return Counter(token.text for token in tokens(text, wholes=False))
