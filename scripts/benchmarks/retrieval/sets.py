"""Data sets for measuring retrieval, read into chunks and questions with what should be found."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.retrieval.chunking import Chunk, ChunkKind, table_segments

OTTQA_ROWS = 8


@dataclass(frozen=True, slots=True)
class Need:
    """Something a question needs: one of these chunks serves it, or each adds its share where `all_of_them`."""

    name: str
    chunks: frozenset[str]
    all_of_them: bool = False

    def recall(self, found: frozenset[str] | set[str]) -> float:
        """The share, 0 to 1, of the need that these chunks serve."""
        served = len(self.chunks & found)
        return served / len(self.chunks) if self.all_of_them else float(served > 0)


@dataclass(frozen=True, slots=True)
class RetrievalQuestion:
    """A question, what it needs, and the documents it is asked of (empty: all)."""

    id: str
    text: str
    needs: tuple[Need, ...]
    scope: frozenset[str] = frozenset()
    answer: str = ""

    def recall(self, found: frozenset[str] | set[str]) -> float:
        """The mean recall over the needs."""
        return sum(need.recall(found) for need in self.needs) / len(self.needs)

    @property
    def gold(self) -> frozenset[str]:
        """The chunks that serve any of its needs."""
        return frozenset().union(*(need.chunks for need in self.needs))


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Chunks, questions over them, and `cells`: the texts of a table chunk's cells by its id."""

    name: str
    chunks: tuple[Chunk, ...]
    questions: tuple[RetrievalQuestion, ...]
    cells: Mapping[str, tuple[str, ...]]


def read_retrieval_set(folder: Path) -> RetrievalSet:
    """Read a set in one of the four forms of `READERS`, known by the files in its folder; raises `SourceError`.

    A file is JSON lines, NAME.jsonl or NAME.jsonl.gz; the set is called what its folder is called.
    """
    reader = next((reader for names, reader in READERS if all(_files(folder, name) for name in names)), None)
    if not reader:
        forms = "; or ".join(", ".join(names) for names, _ in READERS)
        raise SourceError(f"{folder} holds no retrieval set", hint=f"A set is a folder with {forms} (.jsonl.gz).")
    try:
        return reader(folder)
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceError(f"{folder}: {error!r}", hint="A file is damaged or of another form.") from error


def read_ottqa(folder: Path) -> RetrievalSet:
    """Tables in chunks of 8 rows and the passages they link to; questions need a chunk of a table and a passage.

    A chunk's `links` are the passages that its own cells link to. Questions without a gold passage are left out.
    """
    passages = [_wiki_passage(row) for row in _rows(folder, "passages")]
    known = {passage.id for passage in passages}
    tables: dict[str, list[Chunk]] = {}
    cells: dict[str, tuple[str, ...]] = {}
    for row in _rows(folder, "tables"):
        for chunk, texts in _wiki_table(row, known):
            tables.setdefault(row["table_id"], []).append(chunk)
            cells[chunk.id] = texts
    questions = [
        RetrievalQuestion(
            row["question_id"],
            row["question"],
            (
                Need("table", frozenset(chunk.id for chunk in tables[row["table_id"]])),
                Need("passage", frozenset(row["passages"]) & known),
            ),
            answer=row["answer"],
        )
        for row in _rows(folder, "questions")
        if known.intersection(row["passages"])
    ]
    chunks = [chunk for table in tables.values() for chunk in table] + passages
    return RetrievalSet(folder.name, tuple(chunks), tuple(questions), cells)


def _wiki_passage(row: Mapping[str, Any]) -> Chunk:
    name = row["passage_id"]
    return Chunk(name, row["text"], document=name, title=name.removeprefix("/wiki/").replace("_", " "))


def _wiki_table(row: Mapping[str, Any], known: set[str]) -> Iterator[tuple[Chunk, tuple[str, ...]]]:
    header = [cell[0] for cell in row["header"]]
    texts = [[cell[0] for cell in cells] for cells in row["data"]]
    heading = " | ".join(part for part in (row["title"], row["section_title"]) if part)
    segments = table_segments(header, texts, size=OTTQA_ROWS)
    for number, segment in enumerate(segments):
        cells = [cell for cells in row["data"][segment.first : segment.last] for cell in cells]
        links = dict.fromkeys(link for cell in cells for link in cell[1] if link in known)
        chunk = Chunk(
            f"{row['table_id']}#{number}",
            f"{heading}\n{segment.text}",
            ChunkKind.TABLE,
            document=row["table_id"],
            title=row["title"],
            topic=row["section_title"],
            columns=tuple(header),
            links=tuple(links),
        )
        yield chunk, tuple(cell[0] for cell in cells)


def read_musique(folder: Path) -> RetrievalSet:
    """Passages and multi-hop questions, which need all of their gold passages."""
    chunks = tuple(
        Chunk(f"p{row['id']}", f"{row['title']}\n{row['text']}", document=f"p{row['id']}", title=row["title"])
        for row in _rows(folder, "corpus")
    )
    questions = tuple(
        RetrievalQuestion(
            row["id"],
            row["question"],
            (Need("passages", frozenset(f"p{name}" for name in row["gold_passages"]), True),),
            answer=row["answer"],
        )
        for row in _rows(folder, "questions")
    )
    return RetrievalSet(folder.name, chunks, questions, {})


def read_scifact(folder: Path) -> RetrievalSet:
    """Abstracts and claims; a claim needs all abstracts that support or contradict it. Others are left out."""
    chunks = tuple(
        Chunk(
            f"d{row['doc_id']}",
            f"{row['title']}\n{' '.join(row['abstract'])}",
            document=f"d{row['doc_id']}",
            title=row["title"],
        )
        for row in _rows(folder, "corpus")
    )
    questions = tuple(
        RetrievalQuestion(
            f"c{row['id']}",
            row["claim"],
            (Need("abstracts", frozenset(f"d{name}" for name in row["evidence"]), True),),
        )
        for row in _rows(folder, "claims*")
        if row["evidence"]
    )
    return RetrievalSet(folder.name, chunks, questions, {})


def read_covidqa(folder: Path) -> RetrievalSet:
    """Paragraphs of all articles in one pool; a question needs a paragraph that holds its answer.

    `scope` names the article a question was asked of; leave it out to search all of them.
    """
    chunks: list[Chunk] = []
    questions: list[RetrievalQuestion] = []
    for row in _rows(folder, "papers"):
        article = f"d{row['doc_id']}"
        for number, text in enumerate(row["paragraphs"]):
            chunks.append(Chunk(f"{article}#{number}", text, document=article, title=row["title"]))
        for asked in row["questions"]:
            gold = frozenset(f"{article}#{number}" for number in asked["evidence"])
            if gold:
                need = Need("paragraph", gold)
                name, scope = f"q{asked['id']}", frozenset({article})
                questions.append(RetrievalQuestion(name, asked["question"], (need,), scope, asked["answer"]))
    return RetrievalSet(folder.name, tuple(chunks), tuple(questions), {})


READERS: tuple[tuple[tuple[str, ...], Callable[[Path], RetrievalSet]], ...] = (
    (("passages", "tables", "questions"), read_ottqa),
    (("corpus", "questions"), read_musique),
    (("corpus", "claims*"), read_scifact),
    (("papers",), read_covidqa),
)
"""Which files make a form, and who reads it."""


def _files(folder: Path, name: str) -> list[Path]:
    """The files of a name, which may be a pattern; one that is there compressed too is read once."""
    found = {
        path.name.partition(".")[0]: path for end in ("jsonl.gz", "jsonl") for path in folder.glob(f"{name}.{end}")
    }
    return [path for _, path in sorted(found.items())]


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for file in _files(folder, name):
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
