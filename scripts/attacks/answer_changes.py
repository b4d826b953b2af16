"""Answer files that were changed: each asserts something else than the true answer that it was made from.

The text that a file shows is made to agree with the claims afterwards, so that nothing is refused for that alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random

from kag.core.evidence import Answer
from kag.qa.library import Library
from scripts.attacks import answer_claims, answer_evidence, answer_files, answer_values
from scripts.attacks.answer_parts import Row

_CHANGES = (*answer_evidence.CHANGES, *answer_claims.CHANGES, *answer_values.CHANGES)
_FREE: Row = {
    "id": "another",
    "label": "somebody else",
    "question": "What is said?",
    "usage": {"calls": 9},
    "stopped": "the budget",
}


def changed(true: Sequence[Answer], library: Library, random: Random) -> Iterator[tuple[str, bytes, bool]]:
    """Changed answer files without end: what was done, the bytes, whether the file has to verify all the same."""
    while True:
        row = json.loads(random.choice(true).to_json())
        asked, way = row["question"], random.random()
        if way < 0.1:
            name = random.choice(list(_FREE))
            row[name] = _FREE[name] if name != "question" else asked + " Please."
            yield f"unchecked {name}: {asked}", _bytes(row), True
        elif way < 0.25:
            name, spoil = random.choice(answer_files.SPOILT)
            yield f"{name}: {asked}", spoil(_bytes(row).decode(), random).encode("utf-8", "surrogatepass"), False
        elif way < 0.4:
            change = random.choice(answer_values.BREAKS)
            if change(row, random, library):
                yield f"{change.__name__}: {asked}", _bytes(row), False
        else:
            names = _change(row, random, library)
            if names:
                yield f"{', '.join(names)}: {asked}", _bytes(row), False


def _change(row: Row, random: Random, library: Library) -> list[str]:
    """Change an answer in one or two places, and the text that it shows with its claims; what was done, by name."""
    before = deepcopy(row)
    chosen = random.sample(_CHANGES, random.choice((1, 1, 2)))
    done = [change.__name__.strip("_") for change in chosen if change(row, random, library)]
    if row["claims"] != before["claims"] and "told" not in done:
        row["answer"] = "\n".join(claim["text"] for claim in row["claims"]) or "The paper does not say."
        row["found"] = row["found"] if "found" in done else bool(row["claims"])
    return done if row != before else []


def _bytes(row: Row) -> bytes:
    return (json.dumps(row, ensure_ascii=False, indent=2) + "\n").encode()
