"""Questions on texts that others published, each set by a reader of its own, as papers in JATS with questions and gold.

A file is JSON lines, plain or .gz; which set it is is told by its fields.

- PubMedQA (Jin et al. 2019): an abstract without its conclusion, asked yes or no; those judged "maybe" are left out.
- TAT-QA (Zhu et al. 2021): a table of a financial report and paragraphs around it; the answer's strings or its number.
- QASPER (Dasigi et al. 2021) as in L-Eval (An et al. 2023): a whole article, free answers; a question that is asked
  twice has two golds.
- COVID-QA (Möller et al. 2020): a whole article as paragraphs, a verbatim span.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from kag.values.errors import SourceError

YES_NO = frozenset(("yes", "no"))
_HINT = (
    "Give JSON lines as PubMedQA, TAT-QA, L-Eval's scientific_qa or COVID-QA have them; "
    "see kag/evaluate/answers/text_sets.py."
)
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0
_HEADING = 80  # characters of a line without a full stop that is a heading

Part = tuple[str, tuple[str, ...]]  # a section's title, "" for none, and its paragraphs


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A question: right has all strings of one list of `gold`; where `says` is "yes" or "no", it says that instead."""

    text: str
    kind: str
    gold: tuple[tuple[str, ...], ...]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One text with its questions. `rows` are those of its table, the head first; `half` is "a" or "b" by its id."""

    id: str
    half: str
    parts: tuple[Part, ...]
    rows: tuple[tuple[str, ...], ...]
    questions: tuple[TextQuestion, ...]


def read_text_set(file: Path) -> tuple[str, tuple[Text, ...]]:
    """The name of the set that a file is of, and its texts; raises `SourceError`."""
    try:
        packed = file.read_bytes()
        text = (gzip.decompress(packed) if file.suffix == ".gz" else packed).decode()
        rows = [json.loads(line) for line in text.split("\n") if line.strip()]
        name, reader = next((name, read) for name, (fields, read) in _SETS.items() if fields <= rows[0].keys())
        return name, tuple(reader(row) for row in rows)
    except (StopIteration, IndexError) as error:
        raise SourceError(f"{file}: rows of no set that is known", hint=_HINT) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise SourceError(f"{file}: {error}", hint=_HINT) from error


def jats(text: Text) -> bytes:
    """A text as an article in JATS, its table behind the paragraphs; characters that XML cannot hold are left out."""
    article = Element("article")
    title = SubElement(SubElement(SubElement(article, "front"), "article-meta"), "title-group")
    SubElement(title, "article-title").text = text.id
    body = SubElement(article, "body")
    for name, paragraphs in text.parts:
        section = SubElement(body, "sec") if name else body
        if name:
            SubElement(section, "title").text = _legal(name)
        for paragraph in paragraphs:
            SubElement(section, "p").text = _legal(paragraph)
    if text.rows:
        wrap = SubElement(body, "table-wrap", id="t1")
        SubElement(wrap, "label").text = "Table 1"
        table = SubElement(wrap, "table")
        for number, row in enumerate(text.rows):
            line = SubElement(SubElement(table, "tbody" if number else "thead"), "tr")
            for cell in row:
                SubElement(line, "td" if number else "th").text = _legal(cell)
    return bytes(tostring(article, encoding="utf-8", xml_declaration=True))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("", text)


def _text(name: object, parts: Iterable[Part], questions: Iterable[TextQuestion], rows: Sequence[Any] = ()) -> Text:
    key = re.sub(r"[^\w-]", "-", str(name))
    half = "ab"[int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2]
    return Text(key, half, tuple(parts), tuple(tuple(map(str, row)) for row in rows), tuple(questions))


def _pubmedqa(row: Mapping[str, Any]) -> Text:
    says = str(row["final_decision"])
    asked = [TextQuestion(str(row["question"]), "yes no", ((),), says)] if says in YES_NO else []
    parts = ((str(one["label"]).capitalize(), (str(one["text"]),)) for one in row["contexts"])
    return _text(row["pmid"], parts, asked)


def _tatqa(row: Mapping[str, Any]) -> Text:
    asked = [
        TextQuestion(str(one["question"]), str(one["answer_type"]), (_strings(one["answer"]),))
        for one in row["questions"]
    ]
    said = tuple(str(one["text"]) for one in row["paragraphs"])
    return _text(row["table"]["uid"], [("", said)], asked, row["table"]["table"])


def _qasper(row: Mapping[str, Any]) -> Text:
    golds: dict[str, list[str]] = {}
    for question, answer in zip(row["instructions"], row["outputs"], strict=True):
        golds.setdefault(str(question), []).append(str(answer))
    asked = []
    for text, answers in golds.items():
        plain = {answer.lower().strip(" .") for answer in answers}
        says = plain.pop() if len(plain) == 1 and plain <= YES_NO else ""
        asked.append(TextQuestion(text, "yes no" if says else "free", tuple((answer,) for answer in answers), says))
    return _text(f"article-{row['paper']}", _sections(str(row["input"])), asked)


def _sections(text: str) -> list[Part]:
    """Sections of a text whose headings are short lines of their own, without a full stop."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in filter(None, map(str.strip, text.split("\n"))):
        if len(line) <= _HEADING and line[-1] not in ".?!:;,":
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return [(name, tuple(lines)) for name, lines in found if lines]


def _covidqa(row: Mapping[str, Any]) -> Text:
    asked = (TextQuestion(str(one["question"]), "span", ((str(one["answer"]),),)) for one in row["questions"])
    return _text(row["doc_id"], [("", tuple(map(str, row["paragraphs"])))], asked)


def _strings(answer: object) -> tuple[str, ...]:
    return tuple(map(str, answer)) if isinstance(answer, list) else (str(answer),)


_SETS: dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any]], Text]]] = {
    "PubMedQA": (frozenset(("pmid", "contexts", "final_decision")), _pubmedqa),
    "TAT-QA": (frozenset(("table", "paragraphs", "questions")), _tatqa),
    "QASPER": (frozenset(("input", "instructions", "outputs")), _qasper),
    "COVID-QA": (frozenset(("doc_id", "paragraphs", "questions")), _covidqa),
}
