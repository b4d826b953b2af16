"""Measures answers to the natural questions of `test_data`, beside those of a plain picker of sentences by BM25.

    python scripts/measure_questions.py [--data ../shared/data/jats_gold] [--half a|b] [--wrong]

Papers are indexed in memory. An answer is right when one way of its gold stands in it (in its words where the question
wants a number or a cell, else in its quotes, too) and it does not say yes for no. Who is sure has a confidence of more
than .5. A group of wordings is answered alike when all five have the same words.
"""

import argparse
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import kag
from kag.read.passages import passages
from kag.text.plain import plain
from kag.text.search_text import tokens
from kag.text.sentences import sentences

DATA = Path(__file__).resolve().parent.parent / "test_data"
SHARED = DATA.parent.parent / "shared" / "data" / "jats_gold"
IN_WORDS = {"table_value", "table_extreme", "table_mean", "how_many", "value", "doi", "date", "when"}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """What was answered: its words, words and quotes together, and how sure; nothing where it was silent."""

    text: str = ""
    all: str = ""
    confidence: float = 0.0


def norm(text: str) -> str:
    r"""Words for comparing: without case, marks of formulas and kinds of dashes.

    >>> norm(r"58.7 ± 2.4 kJ mol \( ^{-1} \)") == norm("58.7 ± 2.4 kJ mol⁻¹")
    True
    """
    folded = unicodedata.normalize("NFKC", plain(text)).casefold()
    return " ".join(re.sub(r"[‐-―−]", "-", folded).split())


def right(row: Row, given: Given) -> bool:
    where = norm(given.text if row["kind"] in IN_WORDS else given.all)
    said = re.match(r"(yes|no)\b", given.text.casefold())
    if row["says"] and said and said[1] != row["says"]:
        return False
    return any(all(re.search(rf"(?<![\w.]){re.escape(norm(key))}(?!\w)", where) for key in way) for way in row["gold"])


@cache
def paper(name: str, root: Path) -> kag.Paper:
    return kag.index(root / name)


def by_kag(row: Row, root: Path) -> Given:
    answer = paper(row["paper"], root).ask(row["question"])
    if not answer.claims:
        return Given()
    quotes = " ".join(one.quote for claim in answer.claims for one in claim.evidence)
    return Given(answer.text, f"{answer.text} {quotes}", max(claim.confidence for claim in answer.claims))


@cache
def sentence_index(name: str, root: Path) -> tuple[tuple[str, ...], tuple[Counter[str], ...]]:
    graph = next(iter(paper(name, root).graphs.values()))
    found = [one.text[a:b] for one in passages(graph) for a, b in sentences(one.text)]
    return tuple(found), tuple(Counter(token.text for token in tokens(one, stem=True)) for one in found)


def by_bm25(row: Row, root: Path) -> Given:
    """The sentence of the paper that has most of the question's words (k1 1.2, b .75)."""
    texts, bags = sentence_index(row["paper"], root)
    asked = {token.text for token in tokens(row["question"], stem=True)}
    mean = sum(bag.total() for bag in bags) / max(1, len(bags))
    rare = {word: sum(word in bag for bag in bags) for word in asked}
    weigh = {word: math.log(1 + (len(bags) - many + 0.5) / (many + 0.5)) for word, many in rare.items()}
    scores = [
        sum(weigh[word] * bag[word] * 2.2 / (bag[word] + 1.2 * (0.25 + 0.75 * bag.total() / mean)) for word in asked)
        for bag in bags
    ]
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    return Given(texts[best], texts[best], 1.0) if best is not None and scores[best] > 0 else Given()


def table(rows: Iterable[Row], answered: Mapping[str, Given]) -> None:
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        given = answered[row["id"]]
        well = row["answerable"] and bool(given.text) and right(row, given)
        state = "right" if well else "wrong" if given.text else "silent"
        for kind in ("all", row["kind"] if row["answerable"] else "unanswerable"):
            kinds[kind][state] += 1
            kinds[kind]["sure and wrong"] += state == "wrong" and given.confidence > 0.5
    for name, part in (("answerable", True), ("unanswerable", False)):
        of = [row for row in rows if row["answerable"] is part]
        print(f"{name}: {len(of)}")
    print(f"{'kind':16}{'n':>5}{'right':>7}{'wrong':>7}{'silent':>7}{'sure and wrong':>16}")
    for kind, counts in sorted(kinds.items(), key=lambda one: (one[0] != "all", one[0])):
        total = counts["right"] + counts["wrong"] + counts["silent"]
        print(
            f"{kind:16}{total:5}{counts['right']:7}{counts['wrong']:7}{counts['silent']:7}{counts['sure and wrong']:16}"
        )


def alike(rows: Iterable[Row], answered: Mapping[str, Given]) -> str:
    groups: dict[str, set[str]] = defaultdict(set)
    several = Counter(row["group"] for row in rows)
    for row in rows:
        if several[row["group"]] == 5:
            groups[row["group"]].add(norm(answered[row["id"]].text))
    same = sum(len(texts) == 1 for texts in groups.values())
    return f"{same} of {len(groups)} groups of five wordings answered alike"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED, help="Where the papers of the shared set are.")
    parser.add_argument("--half", choices=("a", "b"), help="Only this half.")
    parser.add_argument("--wrong", action="store_true", help="List what was not answered right.")
    given = parser.parse_args()
    rows: list[Row] = []
    roots: dict[str, Path] = {}
    for name, root in (("natural_questions", DATA), ("natural_questions_shared", given.data)):
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if root.is_dir() and given.half in (None, row["half"]):
                rows.append(row)
                roots[row["id"]] = root
    first = [row for row in rows if row["wording"] == 0]
    ways: tuple[tuple[str, Callable[[Row, Path], Given], list[Row]], ...] = (
        ("kag", by_kag, rows),
        ("a sentence by BM25", by_bm25, first),
    )
    for name, ask, asked in ways:
        answered = {row["id"]: ask(row, roots[row["id"]]) for row in asked}
        print(f"\n{name}")
        table(first, answered)
        if asked is rows:
            print(alike(rows, answered))
        for row in first if given.wrong and asked is rows else ():
            mine = answered[row["id"]]
            if row["answerable"] != bool(mine.text) or (mine.text and not right(row, mine)):
                print(f"{row['id']} {row['kind']} {mine.confidence:.2f} {row['question']!r} -> {mine.text[:160]!r}")


if __name__ == "__main__":
    main()
