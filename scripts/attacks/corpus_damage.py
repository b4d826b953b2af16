"""What may have become of a corpus' files by accident or by a stranger: one damage at a time, drawn from a seed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done, whether a check must tell it, and whether a repair must bring back what was there."""

    name: str
    seen: bool
    mended: bool


TRICKS = (
    *(
        "../../victim",
        "../../victim",
        "../../victim",
        "../victim",
        "..",
        ".",
        "/nowhere/victim",
        "papers/../../victim",
        "x/../../../victim",
        "~",
        "a\0b",
        "",
        " ",
    ),
    *("con", "x" * 300, "\ud800", "urban_pollinators/../../victim", "\u202ecod", "\x1b[2J", "-rf", "%2e%2e/victim"),
)
VALUES = (
    *("null", "true", "0", "-1", "1e400", "NaN", '"x"', "[]", "[[]]", "{}", '{"format": []}', '{"a": {"b": 1}}'),
    *("[" * 200_000, '{"a":' * 50_000, "9" * 6000, '{"pid": "\\u001b[2J", "host": []}', '"' + "x" * 2_000_000, ""),
    *('{"files": {"../../victim/kept": [1, "x"]}, "sha256": "x"}', '{"ids": [1], "sizes": [-1], "documents": {}}'),
    *('{"segments": [{"segment_id": "../../victim", "max_doc": 1}]}', '["../../../../victim/kept", "/victim"]'),
)
SCHEMAS = (
    "CREATE TRIGGER t AFTER INSERT ON paper BEGIN DELETE FROM mention; END",
    "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n",
    "ALTER TABLE paper RENAME TO p2; CREATE VIEW paper AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 "
    "FROM n) SELECT i, i, i, i, i, i, i, i, i FROM n",
    "CREATE TABLE more(x)",
    "ALTER TABLE paper ADD COLUMN evil TEXT DEFAULT 'x'",
    "DROP TABLE mention",
    "UPDATE paper SET title=zeroblob(40000000) WHERE id=(SELECT min(id) FROM paper)",
    "UPDATE paper SET title=x'00ff', pages='many'",
    "UPDATE paper SET iri='x> <y> <z> . <a'",
    "UPDATE mention SET same='x> <y> <z> .' || char(10), own=1",
    "UPDATE place SET start=-5, length=9000000000000000000",
    "UPDATE paper SET pages=9223372036854775807, triples=NULL WHERE 0; DELETE FROM place",
    "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql='CREATE TABLE paper(' || char(0)",
)
HEADERS = (b"'shape': (4611686018427387904, 4)", b"'shape': (0, 99999999999999999999)", b"'shape': (1, 2, 3)")

Change = Callable[[Random, Path, Path], Damage]
"""Does something to the corpus at a path; beside it lies a folder that is none of its business."""


def sealed(random: Random, root: Path) -> Path:
    """A file that has a checksum, or the file of checksums."""
    files = [path for part in ("search/index-*", "graph/snapshots/*") for path in root.glob(f"{part}/**/*")]
    return random.choice(sorted(path for path in files if path.is_file() and path.stat().st_size))


def flip(random: Random, root: Path, _: Path) -> Damage:
    path = sealed(random, root)
    _flip(random, path)
    return _damage("flip", root, path, seen=True)


def spoil(random: Random, root: Path, _: Path) -> Damage:
    path, how = sealed(random, root), random.choice(["cut", "noise", "empty", "gone", "longer"])
    data = path.read_bytes()
    spoilt = {"cut": data[: random.randrange(len(data))], "noise": random.randbytes(len(data)), "longer": data + b"\0"}
    path.write_bytes(spoilt.get(how, b""))
    if how == "gone":
        path.unlink()
    return _damage(how, root, path, seen=True)


def spoil_writers(random: Random, root: Path, _: Path) -> Damage:
    """Files of the writer's store and the tables, which have no checksums: they change all the time."""
    files = [path for path in [*(root / "graph" / "store").iterdir(), root / "corpus.db"] if path.stat().st_size]
    path, how = random.choice(sorted(files)), random.choice(["flip", "cut", "noise", "gone"])
    data = path.read_bytes()
    path.unlink()  # it may be shared with what is published
    if how != "gone":
        path.write_bytes(data[: random.randrange(len(data))] if how == "cut" else data)
    if how == "flip":
        _flip(random, path)
    if how == "noise":
        path.write_bytes(random.randbytes(len(data)))
    return _damage(how, root, path, seen=False)


def spoil_paper(random: Random, root: Path, _: Path) -> Damage:
    path = random.choice(sorted(path for path in root.glob("papers/*/*/*") if path.stat().st_size))
    _flip(random, path)
    return _damage("flip", root, path, seen=True, mended=False)


def other_json(random: Random, root: Path, _: Path) -> Damage:
    fixed = [root / name for name in ("intent.json", "writer.json", "corpus.json", "search/current")]
    inner = [path for path in root.glob("search/index-*/**/*.json")] + sorted(root.glob("papers/*/*/summary.json"))
    path = random.choice([*fixed, *fixed, *sorted(inner)])
    value = random.choice(VALUES)
    path.write_text(value, encoding="utf-8")
    by_hand = path.name in ("corpus.json", "intent.json", "summary.json")
    harmless = path.name == "writer.json" or value == "{}"
    return _damage(f"json {value[:30]}", root, path, seen=not harmless, mended=not by_hand)


def intent(random: Random, root: Path, _: Path) -> Damage:
    name, version = random.choice(TRICKS), random.choice([None, "0" * 16, 5, [], {}, "../victim", "0" * 15 + "G"])
    entries = [(random.choice([name, "urban_pollinators", "nobody"]), version), (name, None)]
    (root / "intent.json").write_text(json.dumps(dict(entries)), encoding="utf-8")
    return Damage(f"intent {dict(entries)!a}", seen=True, mended=False)


def row(random: Random, root: Path, _: Path) -> Damage:
    table, column = random.choice([("paper", "id"), ("paper", "version"), ("paper", "iri"), ("mention", "same")])
    value = random.choice(TRICKS).encode("utf-8", "replace").decode()
    with closing(sqlite3.connect(root / "corpus.db")) as tables, tables:
        tables.execute(
            f"UPDATE {table} SET {column}=? WHERE rowid_less=?".replace("rowid_less", _key(table)),
            (value, *tables.execute(f"SELECT {_key(table)} FROM {table}").fetchone()),
        )
    return Damage(f"row {table}.{column}={value!a}", seen=True, mended=True)


def schema(random: Random, root: Path, _: Path) -> Damage:
    script = random.choice(SCHEMAS)
    with closing(sqlite3.connect(root / "corpus.db")) as tables:
        try:
            tables.executescript(script)
        except sqlite3.Error:
            script += " (refused)"
        tables.commit()
    return Damage(f"schema {script}", seen="refused" not in script, mended=True)


def journal(random: Random, root: Path, victim: Path) -> Damage:
    """A journal that asks SQLite to remove the victim's file, and others that make no sense."""
    name = str(victim / "kept").encode()
    tail = len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    start = bytes.fromhex("d9d505f920a163d7") + bytes(20) + (512).to_bytes(4, "big") * 2 + bytes(476)
    data = random.choice([start + (b"\xff" * 4) + name + tail + start[:8], random.randbytes(2000), start])
    end = random.choice(["-journal", "-wal", "-shm"])
    (root / f"corpus.db{end}").write_bytes(data)
    return Damage(f"corpus.db{end}", seen=False, mended=True)


def link(random: Random, root: Path, victim: Path) -> Damage:
    """A link or a device in place of something, or where a next writer would put something."""
    paths = [path for path in sorted(root.rglob("*")) if random.random() < 0.1 or len(path.relative_to(root).parts) < 3]
    extra = [
        root / name for name in ("intent.json", "writer.json", "staged/nobody-" + "0" * 16, "search/index-00000000")
    ]
    path = random.choice(
        [*paths, *extra, root / "graph/snapshots/99", root / "graph/store/999.sst", root / "papers/nobody"]
    )
    if path == root / "corpus.json":
        path = root / "writer.json"
    kind = random.choice(["folder", "file", "nowhere", "pipe"])
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"folder": victim, "file": victim / "kept", "nowhere": victim / "new"}[kind])
    papers = path.relative_to(root).parts[0] == "papers"
    lost = papers or path == root / "search"  # without its folder nobody knows that there was an index
    return _damage(f"{kind} as", root, path, seen=papers, mended=not lost)


def stray(random: Random, root: Path, _: Path) -> Damage:
    """What a writer that died may have left, and what nobody made."""
    name = random.choice(
        [
            "staged/urban_pollinators-" + "0" * 16,
            "graph/snapshots/.partial-000000-1-9-x",
            "staged/x",
            "search/index-0123abcd",
            "search/.partial-000000-1-current-x",
            ".partial-000000-1-intent",
        ]
    )
    (root / name).mkdir(parents=True)
    (root / name / "file").write_text("x", encoding="utf-8")
    return Damage(f"left behind {name}", seen=False, mended=True)


def managed(random: Random, root: Path, victim: Path) -> Damage:
    """The words' index calls the victim's file its own to remove; without checksums, as before there were any."""
    (folder,) = root.glob("search/index-*")
    listed = folder / "sparse" / ".managed.json"
    names = json.loads(listed.read_text(encoding="utf-8"))
    listed.write_text(json.dumps([*names, str(victim / "kept"), "../../../../victim/kept"]), encoding="utf-8")
    (folder / "checksums.json").unlink()
    return Damage("managed.json", seen=True, mended=True)


def array(random: Random, root: Path, _: Path) -> Damage:
    """An array's header with other numbers; without checksums, as before there were any."""
    (folder,) = root.glob("search/index-*")
    path = random.choice(sorted(folder.rglob("*.npy")))
    data, header = path.read_bytes(), random.choice(HEADERS)
    start, rest = data.index(b"'shape'"), data.index(b")") + 1
    size = int.from_bytes(data[8:10], "little")
    text = (data[10:start] + header + data[rest : 10 + size].rstrip())[: size - 1].ljust(size - 1) + b"\n"
    path.write_bytes(data[:10] + text + data[10 + size :])
    (folder / "checksums.json").unlink()
    return _damage("header of", root, path, seen=True)


CHANGES: tuple[Change, ...] = (
    *(flip, flip, spoil, spoil, spoil_writers, spoil_paper, other_json, other_json, intent, row, schema, journal),
    *(link, link, link, stray, managed, array),
)


def _flip(random: Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    path.unlink()
    path.write_bytes(data)


def _damage(what: str, root: Path, path: Path, *, seen: bool, mended: bool = True) -> Damage:
    return Damage(f"{what} {path.relative_to(root)}", seen, mended)


def _key(table: str) -> str:
    return {"paper": "id", "mention": "node"}[table]
