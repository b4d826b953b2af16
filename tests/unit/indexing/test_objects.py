"""Folders in an object store: the same for all who read, whole or not there, whatever becomes of requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("obstore", reason="needs kag-papers[object-storage]")
pytest.importorskip("moto.server", reason="needs moto, an S3 server for tests")

from kag.core.errors import CorpusBusy, StoreError
from kag.indexing import mirror, objects
from kag.indexing.mirror import mirrored
from kag.indexing.objects import PART, Tree
from tests.object_server import BUCKET, Door, door_to, s3_server


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with s3_server() as port:
        yield port


@pytest.fixture
def door(port: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Door]:
    with door_to(port) as door:
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{door.port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "k")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s")
        monkeypatch.setenv("AWS_REGION", "us-east-1")
        monkeypatch.setenv("KAG_CACHE", str(tmp_path / "cache"))
        yield door


@pytest.fixture
def url(door: Door, request: pytest.FixtureRequest) -> str:
    return f"s3://{BUCKET}/{request.node.name}"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / "a").mkdir(exist_ok=True)
        (folder / "a" / name).write_text(text)


def held(url: str) -> dict[str, str]:
    with mirrored(url) as folder:
        return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """Be another machine."""
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / name))


@pytest.mark.parametrize("scheme", ["s3", "file"])
def test_what_one_machine_writes_others_read(
    scheme: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = url if scheme == "s3" else f"file://{tmp_path / 'disk' / 'x y'}"
    with mirrored(place) as folder:
        write(folder, one="1", two="2")
    elsewhere(monkeypatch, tmp_path, "other")
    assert held(place) == {"one": "1", "two": "2"}
    with mirrored(place) as folder:
        write(folder, two="II", three="3")
        (folder / "a" / "one").unlink()
    elsewhere(monkeypatch, tmp_path, "cache")
    assert held(place) == {"two": "II", "three": "3"}
    assert Tree(place).newest().serial == 2
    held(place)
    assert Tree(place).newest().serial == 2  # who only reads publishes nothing


def test_nothing_is_listed_and_nothing_sent_twice(door: Door, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with mirrored(url) as folder:
        write(folder, one="1" * 100, two="1" * 100)
    assert door.count("PUT", "/parts/") == 1  # the same bytes
    door.seen.clear()
    assert held(url)
    assert not [path for _, path in door.seen if "list-type" in path]
    assert door.count("GET", "/parts/") == door.count("PUT") == 0
    monkeypatch.setattr(objects, "ASKED", 1)
    with mirrored(url) as folder:
        write(folder, three="1" * 100, four="4")
    assert door.count("PUT", "/parts/") == 1


def test_what_was_interrupted_goes_on(door: Door, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "PART", 1 << 17)
    monkeypatch.setattr(objects, "TRIES", 0)
    text = "".join(f"{number:08d}" for number in range(1 << 17))  # 1 MiB in 8 parts, all different
    sent: set[str] = set()

    def fault(method: str, path: str) -> str:
        if method == "PUT" and "/parts/" in path:
            sent.add(path)
            return "503" if len(sent) > 5 else ""
        return ""

    door.fault = fault
    with pytest.raises(StoreError, match="503"), mirrored(url) as folder:
        write(folder, large=text)
    assert Tree(url).newest().serial == 0  # not there, or whole
    door.fault, door.seen = lambda method, path: "", []
    assert held(url) == {"large": text}  # what could not be published is published by the next command
    assert 3 <= door.count("PUT", "/parts/") <= 8 - 4
    elsewhere(monkeypatch, tmp_path, "other")
    assert held(url) == {"large": text}


@pytest.mark.parametrize("fault", ["503", "slow", "twice", "lost", "cut"])
def test_requests_that_go_wrong(
    fault: str, door: Door, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second one of each kind: too busy, late, delivered twice, done without a word of it, half a reply."""
    times: dict[str, int] = {}

    def strikes(method: str, path: str) -> str:
        if fault == "cut" and (method != "GET" or "/parts/" not in path):
            return ""
        times[method + path] = times.get(method + path, 0) + 1
        return fault if times[method + path] % 2 else ""

    door.fault = strikes
    with mirrored(url) as folder:
        write(folder, one="1" * 2000, two="2")
    elsewhere(monkeypatch, tmp_path, "other")
    assert held(url) == {"one": "1" * 2000, "two": "2"}
    assert Tree(url).newest().serial == 1


def test_bytes_that_are_not_those_of_their_name(door: Door, url: str, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    with mirrored(url) as folder:
        write(folder, one="1" * 2000)
    door.fault = lambda method, path: "cut" if "/parts/" in path else ""
    elsewhere(monkeypatch, tmp_path, "other")
    with pytest.raises(StoreError, match="is damaged"):
        held(url)


def test_two_at_once(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mirrored(url) as folder:
        write(folder, one="1")
        elsewhere(monkeypatch, tmp_path, "other")
        with mirrored(url) as theirs:
            write(theirs, two="2")
    assert held(url) == {"one": "1", "two": "2"}  # runs beside each other
    with mirrored(url) as folder:
        (folder / "corpus.json").write_text("{}")
    elsewhere(monkeypatch, tmp_path, "cache")

    def beaten() -> None:
        with mirrored(url) as folder:
            write(folder, one="I")
            elsewhere(monkeypatch, tmp_path, "other")
            with mirrored(url) as theirs:
                write(theirs, three="3")

    with pytest.raises(CorpusBusy, match="somebody else"):
        beaten()
    expected = {"one": "1", "two": "2", "three": "3", "corpus.json": "{}"}
    elsewhere(monkeypatch, tmp_path, "cache")
    assert held(url) == expected  # one thing is theirs as a whole


def test_a_pointer_that_is_behind(door: Door, url: str) -> None:
    for text in ("1", "2", "3"):
        with mirrored(url) as folder:
            write(folder, one=text)
    tree = Tree(url)
    for said in (b"1", b"2"):
        tree._store_module().put(tree._store, "kag-tree/newest", said)
        assert tree.newest().serial == 3
    tree._store_module().put(tree._store, "kag-tree/newest", b"x")
    with pytest.raises(StoreError, match="damaged"):
        tree.newest()


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a\\..\\x", ""])
def test_a_manifest_of_a_stranger(path: str, url: str) -> None:
    row = {"format": objects.FORMAT, "serial": 1, "id": "x", "files": {path: [0]}}
    tree = Tree(url)
    tree._store_module().put(tree._store, "kag-tree/manifest-1.json", json.dumps(row).encode())
    with pytest.raises(StoreError, match="is not a file of a folder"):
        held(url)


def test_files_without_a_manifest(door: Door, url: str) -> None:
    store = Tree(url)
    store._store_module().put(store._store, "paper/page_001.md", b"# Ice")
    with mirrored(url) as folder:
        assert (folder / "paper" / "page_001.md").read_bytes() == b"# Ice"
    door.seen.clear()
    assert held(url) == {"page_001.md": "# Ice"}
    assert door.count("GET", "page_001") == 0
    assert Tree(url).newest().serial == 0  # what is only read gets no manifest


def test_mirrors_have_a_limit(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mirrored(url) as folder:
        write(folder, one="1" * 5000)
    first = folder.parent
    with mirrored(f"{url}/other") as folder:
        write(folder, two="2" * 5000)
    assert first.exists()
    monkeypatch.setenv("KAG_CACHE_GB", "0.000008")
    held(f"{url}/other")
    assert not first.exists()
    assert held(url) == {"one": "1" * 5000}
    assert mirror.LIMIT == "KAG_CACHE_GB"
    assert PART >= 1 << 20


def test_a_store_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("KAG_CACHE", str(tmp_path))
    monkeypatch.setattr(objects, "TRIES", 0)
    with pytest.raises(StoreError), mirrored("s3://papers/x"):
        pass
