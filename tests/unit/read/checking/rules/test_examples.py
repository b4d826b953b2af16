"""Each rule by the examples of `examples.txt` and those beside it: a quote, and what it bears.

Before a claim stands what the rules are to say: `+` supported, `-` contradicted, `?` undecided, with the rules that
speak. A table's row that is quoted begins with `>`, the others with `|`. Lines such as `before: ...` say what else is
known of the quote or the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kag.read.checking.rules.checker import RuleChecker
from kag.values.verdict import Context, Quote

FILES = sorted(Path(__file__).parent.glob("examples*.txt"))
STATUS = {"+": "supported", "-": "contradicted", "?": "undecided"}
Example = tuple[tuple[Quote, ...], Context, str, str, list[str]]


def examples(text: str) -> Iterator[Any]:
    """Each claim with its quotes, what is known, and what is to be said of it."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        claims = [line for line in lines if line[:2] in ("+ ", "- ", "? ")]
        quotes, context = _given([line for line in lines if line not in claims])
        for line in claims:
            rules, _, claim = line[2:].rpartition(" : ") if line[0] != "+" else ("", "", line[2:])
            yield pytest.param((quotes, context, claim, STATUS[line[0]], rules.split()), id=line)


def _given(lines: list[str]) -> tuple[tuple[Quote, ...], Context]:
    said = dict(line.split(": ", 1) for line in lines if line.partition(": ")[0] in ("before", "after", "question"))
    said |= dict(line.split(": ", 1) for line in lines if line.partition(": ")[0] in ("caption", "section", "kind"))
    if "section" in said:
        said["section"] = tuple(said["section"].split(" / "))
    rest = [line for line in lines if line.partition(": ")[0] not in said]
    context = Context(said.pop("question", ""))
    table = [tuple(cell.strip() for cell in line[2:].split(" | ")) for line in rest if line[0] in "|>"]
    if not table:
        return tuple(Quote(line, **said) for line in rest), context
    headers, *rows = table
    quoted = [row for row, line in zip(rows, rest[1:], strict=True) if line[0] == ">"]
    if not quoted:
        whole = Quote(" ".join(map(" | ".join, table)), "table", headers=headers, rows=tuple(rows), **said)
        return (whole,), context
    return tuple(
        Quote(" | ".join(r), "row", headers=headers, cells=r, rows=tuple(rows), **said) for r in quoted
    ), context


@pytest.mark.parametrize("example", [one for file in FILES for one in examples(file.read_text(encoding="utf-8"))])
def test_what_a_rule_says(example: Example) -> None:
    quotes, context, claim, status, rules = example
    found = RuleChecker().check(claim, quotes, context)
    spoke = sorted(rule for rule, times in found.features.items() if times and rule not in ("known", "unknown"))
    assert (found.status, spoke) == (status, sorted(rules)), found.reasons
