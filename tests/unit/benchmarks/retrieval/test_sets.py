import gzip
import json
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.retrieval.chunking import ChunkKind
from scripts.benchmarks.retrieval.sets import Need, RetrievalQuestion, read_retrieval_set


def write(folder: Path, **files: list[dict]) -> Path:
    folder.mkdir()
    for name, rows in files.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


@pytest.fixture
def ottqa(tmp_path: Path) -> Path:
    data = [[[f"Site {n}", [f"/wiki/Site_{n}"]], [str(n), []]] for n in range(10)]
    table = {"table_id": "T", "title": "Rivers", "section_title": "Sites", "header": [["Site", []], ["Lost", []]]}
    passages = [{"passage_id": f"/wiki/Site_{n}", "text": f"Site {n} is a place ."} for n in (1, 9)]
    questions = [
        {"question_id": "q1", "question": "Where ?", "answer": "there", "table_id": "T", "passages": ["/wiki/Site_9"]},
        {"question_id": "q2", "question": "Why ?", "answer": "so", "table_id": "T", "passages": []},
    ]
    return write(tmp_path / "ottqa", tables=[{**table, "data": data}], passages=passages, questions=questions)


def test_tables_are_cut_and_link_to_their_own_passages(ottqa: Path) -> None:
    data = read_retrieval_set(ottqa)
    first, second, *rest = data.chunks
    assert (first.id, second.id, first.kind) == ("T#0", "T#1", ChunkKind.TABLE)
    assert second.text == "Rivers | Sites\nSite | Lost\nSite 8 | 8\nSite 9 | 9"
    assert (first.links, second.links) == (("/wiki/Site_1",), ("/wiki/Site_9",))
    assert data.cells["T#1"] == ("Site 8", "8", "Site 9", "9")
    assert [(one.id, one.title) for one in rest] == [("/wiki/Site_1", "Site 1"), ("/wiki/Site_9", "Site 9")]


def test_any_chunk_of_the_gold_table_serves(ottqa: Path) -> None:
    (question,) = read_retrieval_set(ottqa).questions
    assert question.gold == {"T#0", "T#1", "/wiki/Site_9"}
    assert question.recall({"T#0"}) == 0.5
    assert question.recall({"T#0", "/wiki/Site_9", "/wiki/Site_1"}) == 1.0
    assert question.recall({"/wiki/Site_1"}) == 0.0


def test_all_passages_of_a_hop_are_needed() -> None:
    question = RetrievalQuestion("q", "?", (Need("passages", frozenset("abc"), True),))
    assert question.recall({"a", "b", "x"}) == pytest.approx(2 / 3)


def test_the_other_sets(tmp_path: Path) -> None:
    musique = write(
        tmp_path / "musique_small",
        corpus=[{"id": 4, "title": "Ice", "text": "It melts."}],
        questions=[{"id": "q", "question": "What ?", "answer": "ice", "gold_passages": [4]}],
    )
    scifact = write(
        tmp_path / "scifact",
        corpus=[{"doc_id": 7, "title": "Owls", "abstract": ["They hunt.", "At night."]}],
        claims_train=[
            {"id": 1, "claim": "Owls hunt.", "evidence": {"7": [{"label": "SUPPORT", "sentences": [0]}]}},
            {"id": 2, "claim": "Owls sing.", "evidence": {}},
        ],
    )
    asked = [{"id": 3, "question": "When ?", "answer": "night", "evidence": [1]}]
    covidqa = write(
        tmp_path / "covidqa",
        papers=[{"doc_id": 5, "title": "Owls", "paragraphs": ["Abstract", "At night."], "questions": asked}],
    )
    found = [read_retrieval_set(folder) for folder in (musique, scifact, covidqa)]
    assert [data.chunks[-1].text for data in found] == ["Ice\nIt melts.", "Owls\nThey hunt. At night.", "At night."]
    assert [[question.id for question in data.questions] for data in found] == [["q"], ["c1"], ["q3"]]
    assert [data.questions[0].gold for data in found] == [{"p4"}, {"d7"}, {"d5#1"}]
    assert found[2].questions[0].scope == {"d5"}


def test_unknown_and_damaged_sets_are_refused(tmp_path: Path, ottqa: Path) -> None:
    with pytest.raises(SourceError, match="holds no retrieval set"):
        read_retrieval_set(tmp_path / "other")
    (ottqa / "tables.jsonl.gz").write_bytes(b"x")
    with pytest.raises(SourceError, match="ottqa"):
        read_retrieval_set(ottqa)


def test_a_set_is_known_by_its_files_whatever_it_is_called(tmp_path: Path) -> None:
    corpus = [{"doc_id": 7, "title": "Ice", "abstract": ["It", "melts."]}]
    claims = [{"id": 1, "claim": "Ice melts.", "evidence": {"7": [{"label": "SUPPORT", "sentences": [1]}]}}]
    data = read_retrieval_set(write(tmp_path / "mine", corpus=corpus, claims_dev=claims))
    assert (data.name, data.questions[0].gold) == ("mine", {"d7"})


def test_a_set_may_be_uncompressed(tmp_path: Path, ottqa: Path) -> None:
    for file in sorted(ottqa.glob("*.gz")):
        file.with_suffix("").write_text(gzip.decompress(file.read_bytes()).decode())
        file.unlink()
    assert len(read_retrieval_set(ottqa).chunks) == 4
