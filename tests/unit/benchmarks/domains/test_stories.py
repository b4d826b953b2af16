"""Figures of reading stories, on documents small enough to count by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from scripts.benchmarks.domains.stories import reading

TEXTS = ("Anna Berg went to Lindow .", '" Come , Otto ! " she said .', "Mary wept .")
SENTENCES = [text.split() for text in TEXTS]


def mention(sentence: int, start: int, end: int, form: str = "PROP") -> dict[str, Any]:
    text = " ".join(SENTENCES[sentence][start:end])
    return {"sentence": sentence, "start": start, "end_sentence": sentence, "end": end, "text": text, "form": form}


def entity(number: int, kind: str, name: str | None, *mentions: dict[str, Any]) -> dict[str, Any]:
    return {"id": number, "type": kind, "name": name, "mentions": list(mentions)}


def written(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def test_persons_and_places_are_counted(tmp_path: Path) -> None:
    row = {
        "id": "d",
        "sentences": SENTENCES,
        "entities": [
            entity(1, "PER", "Anna Berg", mention(0, 0, 2), mention(1, 6, 7, "PRON")),
            entity(2, "PER", "Otto", mention(1, 3, 4)),
            entity(3, "GPE", "Lindow", mention(0, 4, 5)),
            entity(4, "PER", None, mention(2, 0, 1, "NOM")),
        ],
    }
    tally = {what: counts["d"] for what, counts in reading(written(tmp_path, "documents", row)).items()}
    assert tally["named persons"] == (2, 1, 0)  # Mary is annotated without a name
    assert tally["named persons, those without a name not counted"] == (2, 0, 0)
    assert tally["named persons, each once"] == (2, 1, 0)
    assert tally["named places"] == (1, 0, 0)


def test_a_person_found_twice_is_wrong_where_each_counts_once(tmp_path: Path) -> None:
    row = {
        "id": "d", "sentences": SENTENCES,
        "entities": [entity(1, "PER", "Anna Berg", mention(0, 0, 2), mention(2, 0, 1))],
    }  # fmt: skip
    tally = {what: counts["d"] for what, counts in reading(written(tmp_path, "documents", row)).items()}
    assert (tally["named persons"], tally["named persons, each once"]) == ((1, 1, 0), (1, 2, 0))
