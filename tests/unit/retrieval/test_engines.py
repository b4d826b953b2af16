"""Engines of others: whatever holds the parts of an index, all plans find what they find in its own files."""

from __future__ import annotations

import json
import random
import urllib.request
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("tantivy")

from click.testing import CliRunner, Result  # noqa: E402

from kag.cli.main import cli  # noqa: E402
from kag.core.errors import BadValue, CorpusError, RunError  # noqa: E402
from kag.corpus.search_index import open_index  # noqa: E402
from kag.retrieval.chunking import Chunk, ChunkKind, Query  # noqa: E402 - needs what may be absent
from kag.retrieval.engines.moving import lost, place, restore  # noqa: E402
from kag.retrieval.engines.placing import STATED, engine_at  # noqa: E402
from kag.retrieval.engines.stores import (  # noqa: E402
    EngineVectors,
    EngineWords,
    Point,
)
from kag.retrieval.graph.build import chunk_graph  # noqa: E402
from kag.retrieval.index import Index  # noqa: E402
from kag.retrieval.plan import retrieve  # noqa: E402
from kag.retrieval.presets import PRESETS, preset  # noqa: E402
from tests.engine_servers import Searching, opensearch  # noqa: E402

pytestmark = pytest.mark.slow

WORDS = ["ice", "river", "gauge", "sensor", "lake", "frost", "flow", "probe", "valve", "bridge", "spring", "melt"]
ASKED = (
    "ice on the river",
    "frost frost probe",
    "which sensor at the lake bridge melts",
    "o'ring 漢字",
    "nothing of it",
)


def embed(texts: Sequence[str]) -> Any:
    """Words thrown into 64 cells: near is who shares words."""
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.casefold().split():
            rows[row, zlib.crc32(word.encode()) % 64] += 1 + zlib.crc32(word.encode()) % 7
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def chunk(number: int, text: str = "") -> Chunk:
    draw = random.Random(number)
    words = text or " ".join(draw.choices(WORDS, range(12, 0, -1), k=draw.randint(3, 60))) + f" n{number}"
    table = number % 5 == 0
    return Chunk(
        f"c{number}'\"",
        words,
        ChunkKind.TABLE if table else ChunkKind.DOCUMENT,
        document=f"d{number // 6}'",
        title=f"{draw.choice(WORDS)} 漢字 o'ring",
        entities=(draw.choice(WORDS),),
        columns=("place", draw.choice(WORDS)) if table else (),
        links=(f"c{number + 3}'\"",),
    )


CHUNKS = [chunk(number) for number in range(120)]


@pytest.fixture(scope="module")
def searching() -> Iterator[Searching]:
    with opensearch() as server:
        yield server


@pytest.fixture(params=["postgresql", "lancedb", "qdrant", "milvus", "opensearch", "several"])
def addresses(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where an index is put, and stated so."""
    kind = request.param
    package = {"lancedb": "lancedb", "qdrant": "qdrant_client", "milvus": "milvus_lite"}.get(kind)
    if package:
        pytest.importorskip(package, reason=f"{kind} is not installed")
    found = {
        "postgresql": lambda: [request.getfixturevalue("postgres_url")],
        "lancedb": lambda: [f"lancedb:{tmp_path / 'lance'}"],
        "qdrant": lambda: [f"qdrant:{tmp_path / 'points'}"],
        "milvus": lambda: [f"milvus:{tmp_path / 'points.db'}"],
        "opensearch": lambda: [f"opensearch:{request.getfixturevalue('searching').url}"],
        "several": lambda: [
            request.getfixturevalue("postgres_url"),
            f"opensearch:{request.getfixturevalue('searching').url}",
        ],
    }[kind]()
    monkeypatch.setenv(STATED, " ".join(found))
    return found


@pytest.fixture
def local() -> Index:
    return built()


def built() -> Index:
    index = Index.build(CHUNKS, embed)
    index.edges = chunk_graph(index)
    return index


def found(index: Index, plan: str, text: str, scope: frozenset[str] = frozenset()) -> list[str]:
    return [hit.chunk for hit in retrieve(Query(text, scope), index, preset(plan, index, 10)).hits]


def assert_same(index: Index, other: Index, *, exactly: bool) -> None:
    """All plans give the same hits, but for those whose scores an engine reckons a little differently."""
    same = total = 0
    for plan in PRESETS:
        for text in ASKED:
            for scope in (frozenset(), frozenset({"d1'", "d7'", "d15'"})):
                one, two = found(index, plan, text, scope), found(other, plan, text, scope)
                if exactly:
                    assert one == two, (plan, text, scope)
                same += len(set(one) & set(two))
                total += max(len(one), len(two))
    assert same / total > 0.95


def exact(addresses: Sequence[str]) -> bool:
    return not any(address.startswith("lancedb") for address in addresses)


def test_all_plans_find_the_same_in_every_engine(local: Index, addresses: list[str], tmp_path: Path) -> None:
    moved = built()
    place(moved, addresses)
    assert_same(local, moved, exactly=exact(addresses))
    moved.save(tmp_path / "index")
    again = Index.load(tmp_path / "index", embed)
    assert set(again.engines) == set().union(*(engine_at(one).parts for one in addresses))
    assert isinstance(again.sparse, EngineWords) == ("words" in again.engines)
    assert isinstance(again.vectors, EngineVectors) == ("vectors" in again.engines)
    assert_same(local, again, exactly=exact(addresses))
    for word in (*WORDS, "nowher"):
        assert again.sparse.frequency(word) == local.sparse.frequency(word)
    assert len(again.sparse) == len(CHUNKS)
    assert again.edges is not None
    assert local.edges is not None
    assert list(again.edges.edges) == list(local.edges.edges)
    assert list(again.edges.nodes) == list(local.edges.nodes)


def test_a_changed_index_is_as_one_made_anew(addresses: list[str], tmp_path: Path) -> None:
    moved = Index.build(CHUNKS[:80], embed)
    place(moved, addresses)
    moved.save(tmp_path / "index")
    moved = Index.load(tmp_path / "index", embed)
    moved.add(CHUNKS[60:])  # some again
    moved.add([chunk(3, "ice ice ice on the bridge"), chunk(200)])
    moved.delete([chunk(200).id, "nobody", CHUNKS[7].id])
    moved.delete([])
    moved.save(tmp_path / "index")
    kept = [
        chunk(3, "ice ice ice on the bridge") if one is CHUNKS[3] else one for one in CHUNKS if one is not CHUNKS[7]
    ]
    fresh = Index.build(kept, embed)
    again = Index.load(tmp_path / "index", embed)
    for plan in ("bm25", "dense", "hybrid", "hybrid_linear"):
        for text in ASKED:
            one, two = found(fresh, plan, text), found(again, plan, text)
            strict = plan == "dense" or ("words" in again.engines and exact(addresses))  # files count deleted words
            assert one == two or (not strict and len(set(one) & set(two)) >= len(one) - 2), (plan, text)
    assert sorted(again.vectors.ids) == sorted(fresh.vectors.ids)
    order = {name: row for row, name in enumerate(again.vectors.ids)}
    rows = again.vectors.matrix[[order[name] for name in fresh.vectors.ids]]
    assert np.allclose(rows, fresh.vectors.matrix, atol=1e-6)
    anew = "words" in again.engines  # else their files still count what was deleted
    place(again, ["files"])
    again.save(tmp_path / "index")
    back = Index.load(tmp_path / "index", embed)
    assert not back.engines
    assert_same(fresh, back, exactly=anew)


def test_no_engine_is_asked_that_is_not_stated(
    addresses: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = built()
    place(moved, addresses)
    moved.save(tmp_path / "index")
    monkeypatch.delenv(STATED)
    with pytest.raises(BadValue, match="not stated"):
        Index.load(tmp_path / "index", embed)


def test_what_an_engine_is_ahead_of_the_index_is_left_out(addresses: list[str], tmp_path: Path) -> None:
    """A writer that was killed between the engine and the index."""
    moved = Index.build(CHUNKS, embed)
    place(moved, addresses)
    moved.save(tmp_path / "index")
    moved.add([chunk(300, "ice on the river, ice on the river")])
    moved.delete([CHUNKS[0].id])
    behind = Index.load(tmp_path / "index", embed)
    for plan in ("bm25", "dense", "hybrid"):
        assert chunk(300).id not in found(behind, plan, "ice on the river")
    behind.add([chunk(300, "ice on the river, ice on the river")])
    behind.delete([CHUNKS[0].id])
    fresh = Index.build([*CHUNKS[1:], chunk(300, "ice on the river, ice on the river")], embed)
    assert found(behind, "bm25", "ice on the river")[:5] == found(fresh, "bm25", "ice on the river")[:5]


def test_lancedb_on_an_object_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lancedb", reason="lancedb is not installed")
    moto = pytest.importorskip("moto.server", reason="no object store to run: pip install 'moto[server]'")
    store = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    store.start()
    try:
        host, port = store.get_host_and_port()
        where = f"http://{host}:{port}"
        urllib.request.urlopen(urllib.request.Request(f"{where}/papers", method="PUT")).close()
        address = "lancedb:s3://papers/library"
        given = {"AWS_ENDPOINT_URL": where, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", STATED: address}
        for name, value in {**given, "AWS_REGION": "us-east-1"}.items():
            monkeypatch.setenv(name, value)
        moved = Index.build(CHUNKS, embed)
        place(moved, [address])
        moved.save(tmp_path / "index")
        again = Index.load(tmp_path / "index", embed)
        again.delete([CHUNKS[0].id])
        assert len(again.sparse) == len(CHUNKS) - 1
        assert (
            len(set(found(again, "hybrid", "ice on the river")) & set(found(moved, "hybrid", "ice on the river"))) > 7
        )
    finally:
        store.stop()


def test_names_of_tables_are_plain(postgres_url: str) -> None:
    with pytest.raises(BadValue):
        engine_at(postgres_url).words('x"; DROP TABLE y; --')


@pytest.mark.parametrize("address", ["", "mysql://h/d", "lancedb:", "opensearch:ftp://h", "opensearch:http://u:p@h"])
def test_what_is_no_engine(address: str) -> None:
    with pytest.raises(BadValue):
        engine_at(address)


def test_a_server_that_is_not_there_or_refuses_is_told(searching: Searching) -> None:
    with pytest.raises(RunError, match="postgresql://127"):
        engine_at("postgresql://127.0.0.1:9/none")
    words = engine_at(f"opensearch:{searching.url}").words("refusing")
    searching.fault = 503
    try:
        with pytest.raises(RunError, match="503"):
            words.having("ice")
    finally:
        searching.fault = 0


def command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["corpus", *map(str, arguments)])


def test_a_corpus_keeps_its_index_where_it_is_told_to(
    bundled_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lancedb", reason="lancedb is not installed")
    runs, root, address = sorted(bundled_runs.iterdir()), tmp_path / "corpus", f"lancedb:{tmp_path / 'lance'}"
    assert command("add", *runs[:2], "--corpus", root).exit_code == 0
    assert command("index", "--corpus", root, "--engine", address, "--graph").exit_code == 0
    assert isinstance(command("add", runs[2], "--corpus", root).exception, BadValue)  # it is in, and waits
    monkeypatch.setenv(STATED, address)
    index = open_index(root)
    assert isinstance(index.sparse, EngineWords)
    assert len(index.documents) == 3
    assert {len(index.sparse), len(index.chunks)} == {len(index.chunks)}
    assert command("remove", index.documents[0], "--corpus", root).exit_code == 0
    assert command("check", "--corpus", root).exit_code == 0
    fewer = open_index(root)
    assert len(fewer.documents) == 2
    assert len(fewer.sparse) == len(fewer.chunks)
    assert command("index", "--corpus", root, "--engine", "files").exit_code == 0
    monkeypatch.delenv(STATED)
    assert not open_index(root).engines


def test_what_a_client_raises_is_told(tmp_path: Path) -> None:
    """Clients raise what their libraries do: of a server that is not there, of vectors of another size, of damage."""
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    one, other = (Point(name, np.ones(size, dtype=np.float32)) for name, size in (("a", 3), ("b", 4)))
    points = engine_at(f"qdrant:{tmp_path / 'points'}").points("kag_ice")
    with pytest.raises(RunError, match="Qdrant: Collection kag_ice_points not found"):
        points.near(one.vector, 3)
    points.create(3)
    points.put([one])
    with pytest.raises(RunError, match="Qdrant: Wrong input"):
        points.put([other])
    with pytest.raises(RunError, match=r"Qdrant: .*refused") as told:
        engine_at("qdrant:http://127.0.0.1:1").points("kag_ice").ids()
    assert "QDRANT_API_KEY" in told.value.hint


def test_what_lancedb_raises_is_told(tmp_path: Path) -> None:
    pytest.importorskip("lancedb", reason="lancedb is not installed")
    words = engine_at(f"lancedb:{tmp_path / 'lance'}").words("kag_ice")
    words.put([("t", "d", {"ice": 2})])
    for path in (tmp_path / "lance").rglob("*"):
        if path.is_file():
            path.write_bytes(b"xx")
    with pytest.raises(RunError, match="LanceDB: "):
        words.best({"ice": 1.0}, 3, [])


def test_what_an_engine_lost_is_told_and_put_there_again(
    bundled_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search found nothing, and the check called the corpus sound."""
    pytest.importorskip("lancedb", reason="lancedb is not installed")
    root, address = tmp_path / "corpus", f"lancedb:{tmp_path / 'lance'}"
    monkeypatch.setenv(STATED, address)
    assert command("add", bundled_runs, "--corpus", root).exit_code == 0
    assert command("index", "--corpus", root, "--engine", address).exit_code == 0
    whole = found(open_index(root), "bm25", "sensors in a reservoir")
    table = engine_at(address).words(json.loads(next(root.rglob("engine.json")).read_text())["name"])
    gone = whole[:2]
    table.drop(gone)
    done = command("check", "--corpus", root)
    count = len(open_index(root).chunks)
    assert (done.exit_code, f"holds {count - 2} of its {count} texts" in done.output) == (1, True), done.output
    assert command("check", "--corpus", root, "--repair").exit_code == 0
    assert found(open_index(root), "bm25", "sensors in a reservoir") == whole
    table.drop([one.id for one in open_index(root).chunks.values()])
    with pytest.raises(CorpusError, match=r"holds none of the .* texts") as told:
        open_index(root)
    assert "--repair" in told.value.hint
    assert command("check", "--corpus", root).exit_code == 1
    assert command("check", "--corpus", root, "--repair").exit_code == 0
    assert found(open_index(root), "bm25", "sensors in a reservoir") == whole


def test_vectors_that_an_engine_lost_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    address = f"qdrant:{tmp_path / 'points'}"
    monkeypatch.setenv(STATED, address)
    index = built()
    before = found(index, "dense", "ice on the river")
    place(index, [address])
    assert lost(index) == ()
    assert index.vectors is not None
    index.vectors.delete([CHUNKS[0].id, CHUNKS[1].id])
    assert lost(index) == (f"{address} holds 118 of its 120 vectors",)
    restore(index)
    assert (lost(index), found(index, "dense", "ice on the river")) == ((), before)
