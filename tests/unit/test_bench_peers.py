"""The comparison with other programs: what is read from a peer, and what the report says of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = str(Path(__file__).resolve().parents[2] / "scripts")
TEXTS = {
    "ice": "River ice hides the sensors from the sky",
    "owl": "Owls hunt at night over snow",
    "tea": "Tea is grown on steep slopes",
}


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.syspath_prepend(SCRIPTS)
    pytest.importorskip("numpy", reason="numpy is not installed")
    import numpy as np
    from peers.peer import Pool

    from kag.search.chunk import Chunk

    places = {"hidden": 0, "bird": 1, "drink": 2}
    rows = np.eye(3, dtype=np.float32)
    chunks = [Chunk(name, text) for name, text in TEXTS.items()]
    yield Pool(chunks, tuple(TEXTS.values()), rows, lambda texts: rows[[places[text] for text in texts]])
    for name in [name for name in sys.modules if name.partition(".")[0] == "peers"]:
        del sys.modules[name]


def test_bm25s_finds_by_stems_only_with_a_stemmer(pool: object, tmp_path: Path) -> None:
    pytest.importorskip("bm25s", reason="bm25s is a peer; install it to compare")
    from peers.flat import bm25s

    plain, stems = bm25s(pool, tmp_path)
    assert (plain.like, stems.like) == ("bm25", "bm25")
    assert list(stems.search("which owl hunts", 1)) == ["owl"]
    assert list(plain.search("sensors under ice", 1)) == ["ice"]
    assert len(plain.search("ice", 9)) == len(TEXTS)


def test_the_report_stars_what_is_significant_and_says_what_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    from peers.report import markdown

    at = {"value": 0.5, "low": 0.4, "high": 0.6}
    scores = {"recall@10": at, "mrr@10": at, "ndcg@10": at}

    def row(value: float, holm: float) -> dict[str, object]:
        clocks = {f"{clock}_p{q}_ms": 1.25 for clock in ("wall", "cpu") for q in (50, 99)}
        against = {"kag, bm25": {"recall@10": {"value": value, "holm": holm}}}
        cost = {"build_s": 2.0, "memory_bytes": 3_000_000, "disk_bytes": 0, **clocks}
        return {"like": "bm25", "scores": scores, "against": against, **cost}

    report = {
        "machine": {"command": "scripts/bench_peers.py x", "commit": "c", "cores": 2, "memory_gib": 24, "python": "3"},
        "model": "m",
        "versions": {"bm25s": "0.3"},
        "settings": {"bm25s": "as it is"},
        "absent": {"txt": "txtsearch"},
        "unfinished": ["C on s"],
        "sets": {"s": {"chunks": 3, "questions": 4, "ks": [10], "methods": {"A": row(0.1, 0.01), "B": row(-0.1, 0.2)}}},
    }
    text = markdown(report)
    assert "txt was left out: `txtsearch` is not installed." in text
    assert "C on s did not finish" in text
    assert "3 chunks, 4 questions" in text
    first, second = ([line for line in text.splitlines() if line.startswith(f"| {name}")] for name in "AB")
    assert "40.0-60.0" in first[0]
    assert "+10.0* |" in first[0]
    assert "-10.0 |" in second[0]
    assert first[1].split("|")[2:5] == ["     2.0 ", "         3 ", "       - "]
