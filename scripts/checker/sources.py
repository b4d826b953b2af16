"""The texts that pairs are made of: openly licensed ones, without those that claims of half b are measured on."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.text.plain import plain
from kag.text.sentences import sentences
from scripts.checker.pairs import half_of

OURS = ("claims.jsonl", "claims_shared.jsonl", "claims_further.jsonl")
_OPEN = ("CC BY 4", "CC BY 3", "CC BY 2", "CC0")


@dataclass(frozen=True, slots=True)
class Text:
    """A text as sentences: `doc` its id, `most` how many of them pairs are made of."""

    doc: str
    sentences: list[str]
    most: int


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, packed or not."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def split(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in sentences(text)]


def abstracts(shared: Path) -> list[dict[str, Any]]:
    """SciFact's abstracts (ODC-By) of half a."""
    found = [row for row in rows(shared / "scifact/corpus.jsonl.gz") if half_of(str(row["doc_id"])) == "a"]
    return [{**row, "abstract": [text for text in row["abstract"] if text.strip()]} for row in found]


def papers(shared: Path, tests: Path) -> list[dict[str, Any]]:
    """The gold files of papers under CC BY and CC0, without other styles of one and papers that half b quotes."""
    measured = {row["paper"] for name in OURS for row in rows(tests / name) if row["half"] == "b"}
    found = []
    for path in sorted((shared / "jats_gold").glob("*/gold.json")):
        gold, name = json.loads(path.read_text(encoding="utf-8")), path.parent.name
        licence = str(gold["source"].get("licence", ""))
        is_open = licence == "CC BY" or licence.startswith(_OPEN)
        if is_open and "__" not in name and not {name, gold["paper_id"]} & measured:
            found.append(gold)
    return found


def body(gold: dict[str, Any], *, abstract: bool = False) -> list[str]:
    """The sentences of a paper's body, or of its abstract."""
    found = [one for one in gold["paragraphs"] if (one["kind"] == "abstract") is abstract]
    return [said for one in found for said in split(plain(one["text"]))]


def texts(shared: Path, tests: Path) -> list[Text]:
    """All texts: abstracts, papers, articles of COVID-QA under CC BY, abstracts of PubMedQA (MIT)."""
    found = [Text(str(row["doc_id"]), row["abstract"], 3) for row in abstracts(shared)]
    found += [Text(gold["paper_id"], body(gold), 70) for gold in papers(shared, tests)]
    for row in rows(shared / "covidqa/papers.jsonl.gz"):
        if row["licence"] == "cc-by":
            found.append(
                Text(f"covidqa {row['doc_id']}", [said for one in row["paragraphs"] for said in split(one)], 50)
            )
    found += [Text(row["pmid"], _contexts(row), 3) for row in rows(shared / "pubmedqa/pqal_dev.jsonl.gz")]
    return found


def conclusions(shared: Path) -> Iterator[tuple[str, str, list[str], list[str], bool]]:
    """PubMedQA: id, question, the abstract, the sentences of its conclusion, and whether the answer is yes."""
    for row in rows(shared / "pubmedqa/pqal_dev.jsonl.gz"):
        yield row["pmid"], row["question"], _contexts(row), split(row["long_answer"]), row["final_decision"] == "yes"


def cited(shared: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Sentences of experts' answers (ScholarQA, ODC-By), those of the passages they cite, those of the others."""
    for row in rows(shared / "scholarqa_multi/human_answers.jsonl.gz"):
        passages = [split(one["text"] or "") for one in row["ctxs"]]
        for said in split(row["output"].replace("\n", " ")):
            numbers = {int(one) for one in re.findall(r"\[(\d+)\]", said)}
            if 1 <= len(numbers) <= 2 and max(numbers) < len(passages):
                own = [text for at in sorted(numbers) for text in passages[at]]
                others = [text for at, one in enumerate(passages) if at not in numbers for text in one]
                yield re.sub(r" *\[[\d, ]+\]", "", said).strip(), own, others


def tables(shared: Path, tests: Path) -> Iterator[tuple[str, str, list[str], list[list[str]], int]]:
    """Id, caption, header, rows and how many claims: papers, SciTab's half a (MIT), TAT-QA (CC BY)."""
    for gold in papers(shared, tests):
        for one in gold["tables"]:
            if one["cells"]:
                yield gold["paper_id"], one["caption"], one["cells"][0], one["cells"][1:], 12
    for row in rows(shared / "claim_check/scitab.jsonl.gz"):
        if half_of(row["doc"]) == "a":
            yield row["doc"], row["table"]["caption"], row["table"]["header"], row["table"]["rows"], 6
    for row in rows(shared / "tatqa/dev.jsonl.gz"):
        cells = row["table"]["table"]
        at = next((at for at in range(min(2, len(cells))) if sum(map(bool, cells[at])) > 1), None)
        if at is not None:
            yield row["table"]["uid"], "", cells[at], cells[at + 1 :], 4


def measured(shared: Path) -> Iterator[tuple[str, str, list[dict[str, dict[str, Any]]]]]:
    """MeasEval (CC BY): id, text, and for each quantity the spans of what is told of it, by their kinds."""
    for name in ("measeval", "measeval_same_papers"):
        for row in rows(shared / f"measeval/{name}.jsonl.gz"):
            groups: dict[int, dict[str, dict[str, Any]]] = {}
            for span in row["spans"]:
                groups.setdefault(span["set"], {}).setdefault(span["type"], span)
            yield (
                row["doc"],
                row["text"],
                [one for one in groups.values() if {"Quantity", "MeasuredEntity"} <= one.keys()],
            )


def _contexts(row: dict[str, Any]) -> list[str]:
    return [said for one in row["contexts"] for said in split(one["text"])]
