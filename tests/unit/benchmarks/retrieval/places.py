"""A small set of invented tables and passages, and an embedder by words, for measuring retrieval."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WORDS = ("ice", "river", "harbour", "winter", "school", "bridge", "mill", "north", "founded", "frozen", "site", "days")
PLACES = ("Arvik", "Belmar", "Corsund", "Dalhem", "Elvira", "Fonnes", "Grimsta", "Holmby")


class ByWords:
    """Vectors that count words: an embedder without a model, which knows how many texts it was asked for."""

    id = "words"

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += len(texts)
        rows = [[text.lower().count(word) + 0.01 for word in WORDS] for text in texts]
        found = np.array(rows, dtype=np.float32).reshape(-1, len(WORDS))
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def write_ottqa(folder: Path) -> Path:
    """Two tables that link to eight passages, and a question about each passage, in the form of ottqa."""
    tables, passages, questions = [], [], []
    for number, (title, places) in enumerate((("Frozen rivers", PLACES[:4]), ("Old mills", PLACES[4:]))):
        rows = [[[place, [f"/wiki/{place}"]], [str(30 + n), []]] for n, place in enumerate(places)]
        table = {"table_id": f"T{number}", "title": title, "section_title": "Sites", "data": rows}
        tables.append({**table, "header": [["Site", []], ["Days", []]]})
    for n, place in enumerate(PLACES):
        about = " and ".join(WORDS[n : n + 1 + n % 4])
        text = f"{place} is a harbour of {about} . Its school was founded by bridge builder number {n} ."
        passages.append({"passage_id": f"/wiki/{place}", "text": text})
        asked = f"How many winter days is the river frozen where builder number {n} founded a school ?"
        gold = {"table_id": f"T{n // 4}", "passages": [f"/wiki/{place}"]}
        questions.append({"question_id": f"q{n}", "question": asked, "answer": str(30 + n % 4), **gold})
    folder.mkdir(parents=True)
    for name, lines in (("tables", tables), ("passages", passages), ("questions", questions)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return folder
