"""Figures of reading stories, on documents small enough to count by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.domains.stories import Printed, causes, processes, reading

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


def test_persons_places_speakers_events_are_counted(tmp_path: Path) -> None:
    row = {
        "id": "d",
        "sentences": SENTENCES,
        "entities": [
            entity(1, "PER", "Anna Berg", mention(0, 0, 2), mention(1, 6, 7, "PRON")),
            entity(2, "PER", "Otto", mention(1, 3, 4)),
            entity(3, "GPE", "Lindow", mention(0, 4, 5)),
            entity(4, "PER", None, mention(2, 0, 1, "NOM")),
        ],
        "events": [{"sentence": 0, "token": 2, "text": "went"}, {"sentence": 2, "token": 0, "text": "Mary"}],
        "quotes": [{**mention(1, 0, 6), "speaker": 1}],
    }
    tally = {what: counts["d"] for what, counts in reading(written(tmp_path, "documents", row)).items()}
    assert tally["named persons"] == (2, 1, 0)  # Mary is annotated without a name
    assert tally["named persons, those without a name not counted"] == (2, 0, 0)
    assert tally["named persons, each once"] == (2, 1, 0)
    assert tally["named places"] == (1, 0, 0)
    assert tally["speakers"] == (1, 0, 0)
    assert tally["event words"] == (1, 2, 1)


def test_a_person_found_twice_is_wrong_where_each_counts_once(tmp_path: Path) -> None:
    row = {
        "id": "d", "sentences": SENTENCES, "events": [], "quotes": [],
        "entities": [entity(1, "PER", "Anna Berg", mention(0, 0, 2), mention(2, 0, 1))],
    }  # fmt: skip
    tally = {what: counts["d"] for what, counts in reading(written(tmp_path, "documents", row)).items()}
    assert (tally["named persons"], tally["named persons, each once"]) == ((1, 1, 0), (1, 2, 0))


def test_tokens_are_set_as_they_are_printed() -> None:
    printed = Printed.of([["Anna", "'s", "lamp", "(", "old", ")", "."]])
    assert printed.text == "Anna's lamp (old)."
    assert printed.places[0, 2] == 7


def test_causes_between_sentences_are_counted(tmp_path: Path) -> None:
    row = {
        "id": "s", "selected": 1,
        "sentences": ["Anna lost her lamp.", "As a result she could not read.", "Otto slept."],
        "relations": [
            {"dimension": 1, "cause": "Anna loses her lamp", "relation": "Causes", "effect": "She cannot read"},
            {"dimension": 6, "cause": "She cannot read", "relation": "Causes", "effect": "Nobody pays the bill"},
            {"dimension": 3, "cause": "Anna is at home", "relation": "Enables", "effect": "She cannot read"},
        ],
    }  # fmt: skip
    tally = causes(written(tmp_path, "stories", row))
    assert tally["causes that are said"]["s"] == (1, 0, 0)
    assert tally["each sentence taken for a cause of the next"]["s"] == (1, 1, 0)


@pytest.mark.parametrize(("kind", "counts"), [("create", (1, 0, 0)), ("destroy", (1, 0, 0)), ("move", (1, 0, 1))])
def test_changes_of_things_are_counted(kind: str, counts: tuple[int, int, int], tmp_path: Path) -> None:
    row = {
        "para_id": 7,
        "sentence_texts": ["The water flows into the river.", "The water becomes vapor.", "All is done."],
        "participants": ["water", "vapor"],
        "states": [["hill", "river", "-", "-"], ["-", "-", "air", "sky"]],
    }
    tally = processes(written(tmp_path, "propara", row))
    assert tally[f"things: {kind}"]["7"] == counts
    assert tally["things: moved to the right place"]["7"] == (1, 0, 1)
