"""Published sets of questions on texts: each reader, what is right, the command; the sets themselves where they are."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from kag.evaluate.answers.text_set_score import judged, text_set_tables
from kag.evaluate.answers.text_sets import Text, TextQuestion, jats, read_text_set

from kag.values.errors import SourceError
from kag.values.evidence import Answer, Claim

SHARED = Path(__file__).parents[5] / "shared" / "data"
MOSS = "Cushion moss cools slate roofs by four degrees. The survey began in 2009. Forty roofs in Weirbridge were seen."
PUBMED = {"pmid": "7", "question": "Does cushion moss cool slate roofs?", "final_decision": "yes",
          "contexts": [{"label": "RESULTS", "text": MOSS}]}  # fmt: skip
TAT = {
    "table": {"uid": "u/1", "table": [["", "2019", "2018"], ["Slate sales", "1,496.5", "1,202.9"], ["Tin", "3", "4"]]},
    "paragraphs": [{"text": MOSS}],
    "questions": [
        {"question": "What were the slate sales in 2019?", "answer": ["1,496.5"], "answer_type": "span"},
        {"question": "What was the change in slate sales?", "answer": 293.6, "answer_type": "arithmetic"},
    ],
}  # fmt: skip
QASPER = {"paper": 3, "input": f"Results\n{MOSS}\nRoofs were of slate.",
          "instructions": ["When did the survey begin?", "Is it so?", "When did the survey begin?"],
          "outputs": ["2009", "No.", "in the year 2009"]}  # fmt: skip
COVID = {"doc_id": 5, "paragraphs": [MOSS, "Abstract: nan"],
         "questions": [{"question": "When did the survey begin?", "answer": "in 2009"}]}  # fmt: skip


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "set.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return file


@pytest.mark.parametrize(
    ("row", "name", "questions"),
    [
        (PUBMED, "PubMedQA", [TextQuestion("Does cushion moss cool slate roofs?", "yes no", ((),), "yes")]),
        (TAT, "TAT-QA", [
            TextQuestion("What were the slate sales in 2019?", "span", (("1,496.5",),)),
            TextQuestion("What was the change in slate sales?", "arithmetic", (("293.6",),)),
        ]),
        (QASPER, "QASPER", [
            TextQuestion("When did the survey begin?", "free", (("2009",), ("in the year 2009",))),
            TextQuestion("Is it so?", "yes no", (("No.",),), "no"),
        ]),
        (COVID, "COVID-QA", [TextQuestion("When did the survey begin?", "span", (("in 2009",),))]),
        ({**PUBMED, "final_decision": "maybe"}, "PubMedQA", []),
    ],
)  # fmt: skip
def test_each_set_has_a_reader(tmp_path: Path, row: dict[str, Any], name: str, questions: list[TextQuestion]) -> None:
    found, (text,) = read_text_set(written(tmp_path, row))
    assert (found, list(text.questions)) == (name, questions)
    assert MOSS in " ".join(paragraph for _, paragraphs in text.parts for paragraph in paragraphs)


def test_headings_are_short_lines_of_their_own(tmp_path: Path) -> None:
    _, (text,) = read_text_set(written(tmp_path, QASPER))
    assert text.parts == (("Results", (MOSS, "Roofs were of slate.")),)


@pytest.mark.parametrize("rows", [[], [{}], [{"pmid": 1}], [{**PUBMED, "contexts": 3}], [[1]]])
def test_a_file_of_another_form(tmp_path: Path, rows: list[Any]) -> None:
    with pytest.raises(SourceError, match=r"set\.jsonl"):
        read_text_set(written(tmp_path, *rows))


def test_hostile_text_stays_text() -> None:
    made = jats(Text("t", "a", (("A<b>\x00", ("</p>&\x0b",)),), (("<i>",),), ()))
    assert b"A&lt;b&gt;" in made
    assert b"&lt;/p&gt;&amp;" in made


def said(*texts: str, value: str | None = None) -> Answer:
    return Answer("q", "?", "extractive", "", tuple(Claim(text, (), 0.8) for text in texts), value)


@pytest.mark.parametrize(
    ("question", "answer", "right"),
    [
        (TextQuestion("?", "span", (("slate", "tin"),)), said("Slate.", "And tin."), True),
        (TextQuestion("?", "span", (("slate", "tin"),)), said("Slate."), False),
        (TextQuestion("?", "span", (("slate",), ("tin",))), said("Tin."), True),
        (TextQuestion("?", "span", (("96.5",),)), said("It was 1,496.5."), False),
        (TextQuestion("?", "free", (("old slate roofs of towns",),)), said("In towns, roofs of slate."), True),
        (TextQuestion("?", "free", (("old slate",),)), said("Slate."), False),
        (TextQuestion("?", "yes no", ((),), "no"), said("It does not: no.", value="no"), True),
        (TextQuestion("?", "yes no", ((),), "no"), said("It does not."), False),
        (TextQuestion("?", "span", (("slate",),)), said(), False),
        (TextQuestion("?", "span", ()), said(), True),
        (TextQuestion("?", "span", ()), said("Slate."), False),
    ],
)
def test_what_is_right(question: TextQuestion, answer: Answer, right: bool) -> None:
    assert judged(question, answer, "q", Text("t", "a", (), (), ())).right is right


def test_texts_are_asked_as_papers_are(tmp_path: Path) -> None:
    _, texts = read_text_set(written(tmp_path, TAT, {**TAT, "table": {"uid": "2", "table": [["Fog"], ["1"]]}}))
    text = texts[0]
    tables = text_set_tables(texts[:1], tmp_path)
    (rows, plain, reliability) = tables.values()
    assert {row["kind"]: (row["right"], row["silent"]) for row in rows} == {
        "span": (1.0, 0.0), "arithmetic": (1.0, 0.0), "answerable": (1.0, 0.0), "all": (1.0, 0.0),
    }  # fmt: skip
    assert f"half {text.half}: by kind" in tables
    assert plain[-1]["silent"] == 0.0
    assert reliability[-1]["answers"] == 2


@pytest.mark.parametrize(
    ("name", "texts", "questions"),
    [
        ("pubmedqa/pqal_dev", 500, 445),
        ("tatqa/dev", 278, 1668),
        ("qasper_small/leval_scientific_qa", 23, 175),
        ("covidqa/papers", 55, 721),
    ],
)
def test_the_sets_are_read_whole(name: str, texts: int, questions: int) -> None:
    file = SHARED / f"{name}.jsonl.gz"
    if not file.exists():
        pytest.skip(f"{file} is not here")
    _, found = read_text_set(file)
    assert (len(found), sum(len(one.questions) for one in found)) == (texts, questions)
