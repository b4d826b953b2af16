"""Field accuracy and speed of reference parsing on labelled strings, beside another parser on the same strings.

    python scripts/bench_references.py STRINGS [--peer PYTHON] [--confidence]

STRINGS is a `.jsonl` or `.jsonl.gz` file: one object a line with `text` and `fields` (field -> substrings). Give
strings that the labeller was not trained on; for the others `scripts/train_references.py` measures each source with a
model trained without it. `--peer` is the interpreter of an environment of its own that has `refextract` installed: it
reads the same strings in the same run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.evaluate.references.labelled import read_strings
from kag.evaluate.references.strings import FIELDS, judge, score_references
from kag.references.parser import Reference, parse_reference

PEER = """
import json, sys
from refextract import extract_references_from_string
for line in sys.stdin:
    try:
        found = extract_references_from_string(json.loads(line), is_only_references=True)
    except Exception:
        found = []
    print(json.dumps(found[0] if found else {}, default=str))
"""
CONFIDENCE = {"first_author": "authors"}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("strings", type=Path)
    arguments.add_argument("--peer", type=Path)
    arguments.add_argument("--peer-strings", type=int, default=400, help="of how many strings the peer is asked")
    arguments.add_argument("--confidence", action="store_true", help="confidence against observed accuracy")
    given = arguments.parse_args()
    rows = read_strings(given.strings)
    parse_reference(rows[0]["text"])  # reads the model
    start = time.process_time()
    table("kag", rows, parse_reference)
    print(f"{1000 * (time.process_time() - start) / len(rows):.2f} ms of CPU a string\n")
    if given.confidence:
        calibration(rows)
    if given.peer:
        some = rows[: given.peer_strings]
        table("kag, the strings of the peer", some, parse_reference)
        table("refextract", some, ask_peer(given.peer, [row["text"] for row in some]).__getitem__)


def table(name: str, rows: list[dict[str, Any]], parse: Callable[[str], Reference]) -> None:
    print(f"{name}: {len(rows)} strings\n\n| field | asked | recall | precision |\n|---|---|---|---|")
    for score in score_references(((row["text"], row["fields"]) for row in rows), parse):
        print(f"| {score.field} | {score.asked} | {score.recall:.4f} | {score.precision:.4f} |")
    print()


def calibration(rows: list[dict[str, Any]]) -> None:
    """For each field, how often values of each confidence are right; given values only, where the gold asks."""
    met: dict[tuple[str, float], list[bool]] = defaultdict(list)
    for row in rows:
        found = parse_reference(row["text"])
        sure = dict(found.confidence)
        for field, asked, value, right in judge(row["fields"], found):
            if value and asked:
                met[field, sure.get(CONFIDENCE.get(field, field), 0.0)].append(right)
    print("| field | confidence | values | right |\n|---|---|---|---|")
    for (field, share), rights in sorted(met.items(), key=lambda item: (FIELDS.index(item[0][0]), -item[0][1])):
        print(f"| {field} | {share:.2f} | {len(rights)} | {sum(rights) / len(rights):.3f} |")
    print()


def ask_peer(python: Path, texts: list[str]) -> dict[str, Reference]:
    """What refextract reads from each string, as far as it gives the field at all."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run([python, "-c", PEER], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {text: _peer_reference(answer) for text, answer in zip(texts, answers, strict=True)}


def _peer_reference(answer: dict[str, Any]) -> Reference:
    from kag.references.names import read_names

    def first(name: str) -> str:
        values = answer.get(name) or [""]
        return str(values[0] if isinstance(values, list) else values)

    pages = re.split(r"[-–]", first("journal_page"))
    return Reference(
        authors=read_names(first("author")).people,
        title=first("title"),
        year=first("year") or first("journal_year"),
        doi=first("doi").removeprefix("doi:"),
        container=first("journal_title"),
        volume=first("journal_volume"),
        issue=first("journal_issue"),
        first_page=pages[0],
        last_page=pages[1] if len(pages) > 1 else "",
        arxiv=first("reportnumber") if "arxiv" in first("reportnumber").lower() else "",
        publisher=first("publisher"),
    )


if __name__ == "__main__":
    main()
