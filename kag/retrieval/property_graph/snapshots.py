"""Versions of a graph in one SQLite file: what changed, who changed it and why; any version can be had again.

    with SnapshotStore(path) as store:
        first = store.commit(graph.snapshot(), author="rule:reader 1", reason="chapter 1 read")
        later = store.commit(graph.snapshot(), parent=first.id, author="person:anna", reason="names corrected")
        store.snapshot(first.id)

The name of a version is a hash of its content and of where it comes from; `content` is a hash of the content alone, the
same whatever way led there and on whatever machine. A version keeps only what changed since its parent, and elements
are kept once, by their hash: a version of a thousand changes costs a thousand rows.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from kag.core.errors import BadValue, RunError, UnknownNode
from kag.core.files import shown, sqlite_hint
from kag.retrieval.property_graph.elements import EMPTY as EMPTY_PROPS
from kag.retrieval.property_graph.elements import Change, GraphSnapshot, Kind, Link, Node, as_record, canonical_text

Element = Node | Link
Key = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes that make one snapshot of another, ordered by kind and id."""

    changes: tuple[Change, ...]

    def of(self, what: Literal["added", "removed", "changed"]) -> tuple[Change, ...]:
        """Those that add, take away, or change."""
        wanted = {"added": (False, True), "removed": (True, False), "changed": (True, True)}[what]
        return tuple(
            change for change in self.changes if (change.before is not None, change.after is not None) == wanted
        )

    def as_json_patch(self) -> list[dict[str, Any]]:
        """RFC 6902 operations on `{"nodes": {id: node}, "edges": {id: edge}}`."""
        return [_operation(change) for change in self.changes]


def _operation(change: Change) -> dict[str, Any]:
    pointer = f"/{change.kind}s/" + change.id.replace("~", "~0").replace("/", "~1")
    if change.after is None:
        return {"op": "remove", "path": pointer}
    return {"op": "add" if change.before is None else "replace", "path": pointer, "value": as_record(change.after)}


def by_key(snapshot: GraphSnapshot) -> dict[Key, Element]:
    """The elements of a snapshot by kind and id."""
    found: dict[Key, Element] = {("node", node.id): node for node in snapshot.nodes}
    found.update({("edge", edge.id): edge for edge in snapshot.edges})
    return found


def of_elements(elements: Iterable[Element]) -> GraphSnapshot:
    """A snapshot of elements, in canonical order."""
    things = tuple(elements)
    nodes = tuple(thing for thing in things if isinstance(thing, Node))
    return GraphSnapshot(nodes, tuple(thing for thing in things if isinstance(thing, Link))).canonical()


def difference(before: GraphSnapshot, after: GraphSnapshot) -> Difference:
    """Return the changes from `before` to `after`; 1 and true differ, as in JSON."""
    return differing(by_key(before), by_key(after))


def differing(old: Mapping[Key, Element], new: Mapping[Key, Element]) -> Difference:
    """`difference` of elements by key. Nodes come before edges, and go after them."""
    keys = sorted(key for key in old.keys() | new.keys() if not same(old.get(key), new.get(key)))
    changes = [change for key in keys for change in _steps(old.get(key), new.get(key))]
    return Difference(tuple(sorted(changes, key=_turn)))


def _steps(before: Element | None, after: Element | None) -> tuple[Change, ...]:
    """A change; an edge that got other ends goes and comes, so that a node it leaves can go between."""
    if _ends(before) and _ends(after) and _ends(before) != _ends(after):
        return Change(before, None), Change(None, after)
    return (Change(before, after),)


def _ends(one: Element | None) -> tuple[str, ...]:
    return (one.source, one.target) if isinstance(one, Link) else ()


def _turn(change: Change) -> int:
    """Edges that go, nodes that go, nodes that come or change, edges that come or change."""
    if change.after is None:
        return 0 if change.kind == "edge" else 1
    return 2 if change.kind == "node" else 3


def same(one: Element | None, other: Element | None) -> bool:
    """Whether two elements are equal in JSON."""
    if one is None or other is None or one != other:
        return one is other
    return canonical_text(one) == canonical_text(other)


_BITS, _REST = 3072, 1103717
PRIME: int = 2**_BITS - _REST
_MASK: int = 2**_BITS - 1
EMPTY = 1
_BYTES = 384


def taken_on(state: int, *, come: Iterable[bytes] = (), gone: Iterable[bytes] = ()) -> int:
    """The state of a set after things came and went, each given by its digest.

    Each thing becomes a number of 3,072 bits, and a set is the product of its numbers modulo a prime, so that a version
    with few changes need not read all that did not change. Bellare and Micciancio, "A new paradigm for collision-free
    hashing: incrementality at reduced cost" (1997); the prime is that of Bitcoin's MuHash3072.
    """
    undone: int = pow(_product(gone), -1, PRIME)
    return state * _product(come) * undone % PRIME


def _product(digests: Iterable[bytes]) -> int:
    found = 1
    for digest in digests:
        found *= int.from_bytes(hashlib.shake_256(digest).digest(_BYTES), "little")
        while found > _MASK:  # what is above the bits counts as often as the prime falls short of them
            found = (found & _MASK) + (found >> _BITS) * _REST
    return found % PRIME


def name_of(state: int) -> str:
    """The name of a set: 64 hexadecimal digits."""
    return hashlib.sha256(state.to_bytes(_BYTES, "little")).hexdigest()


def packed(state: int) -> bytes:
    """A state as bytes to keep."""
    return state.to_bytes(_BYTES, "little")


def unpacked(data: bytes) -> int:
    """The state that bytes keep."""
    return int.from_bytes(data, "little")


SCHEMA = """
CREATE TABLE IF NOT EXISTS element (hash BLOB PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS version (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL, parent INTEGER REFERENCES version,
  merged INTEGER REFERENCES version, author TEXT NOT NULL, reason TEXT NOT NULL, state BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS change (
  version INTEGER NOT NULL REFERENCES version, kind TEXT NOT NULL, id TEXT NOT NULL, hash BLOB,
  PRIMARY KEY (kind, id, version)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS change_version ON change (version);
PRAGMA user_version = 1;
"""
CHAIN = """
WITH RECURSIVE chain (number, depth) AS (
  SELECT ?, 0 UNION ALL
  SELECT version.parent, depth + 1 FROM chain JOIN version USING (number) WHERE version.parent IS NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class Version:
    """One version. `author` is a rule, a model with its prompt's hash, or a person; ids are of versions."""

    id: str
    content: str
    author: str
    reason: str
    parent: str = ""
    merged: str = ""


class SnapshotStore:
    """The versions in a file; `:memory:` keeps them only while it is open. Raises `RunError` for another file, and
    where it is used in a `with` also for what the file or the disk refuses later."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        try:
            self._db = sqlite3.connect(str(path), isolation_level=None)
            if self._db.execute("PRAGMA user_version").fetchone()[0] not in (0, 1):
                raise RunError(f"{path}: versions of a later form", hint="Read it with a later release.")
            self._db.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise self._error(error) from error

    def __enter__(self) -> SnapshotStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()
        if isinstance(error, sqlite3.Error):
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error) -> RunError:
        hint = "Name a file of versions, or one that is not there."
        return RunError(f"{shown(self._path)}: no versions: {error}", hint=sqlite_hint(error, hint))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All that is written inside is there as a whole, or not."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # where the disk is full SQLite has taken all back itself
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # --- writing -----------------------------------------------------------------------------------------------------

    def commit(
        self, snapshot: GraphSnapshot, *, author: str, reason: str, parent: str = "", merged_with: str = ""
    ) -> Version:
        """Keep a snapshot as a version after its parent."""
        new: dict[Key, Node | Link] = {("node", node.id): node for node in snapshot.nodes}
        new.update({("edge", edge.id): edge for edge in snapshot.edges})
        if len(new) < len(snapshot.nodes) + len(snapshot.edges):
            raise BadValue("a snapshot with one id twice", hint="Check it with `check_structure` first.")
        old = self._hashes(self._number(parent)) if parent else {}
        texts = {key: canonical_text(thing) for key, thing in new.items()}
        hashes = {key: hashlib.sha256(text.encode("utf-8")).digest() for key, text in texts.items()}
        changed = {
            key: (hashes.get(key), texts.get(key, ""))
            for key in old.keys() | hashes.keys()
            if old.get(key) != hashes.get(key)
        }
        gone = [old[key] for key in changed if key in old]
        return self._keep(changed, gone, author, reason, parent, merged_with)

    def _keep(
        self,
        changed: dict[Key, tuple[bytes | None, str]],
        gone: Sequence[bytes],
        author: str,
        reason: str,
        parent: str,
        merged_with: str,
    ) -> Version:
        """Write a version and what changed in it."""
        state = unpacked(self._row(parent)[2]) if parent else EMPTY
        come = [hash for hash, _ in changed.values() if hash is not None]
        state = taken_on(state, come=come, gone=gone)
        content = name_of(state)
        about = json.dumps([content, parent, merged_with, author, reason], ensure_ascii=True)
        version = Version(hashlib.sha256(about.encode()).hexdigest(), content, author, reason, parent, merged_with)
        numbers = [self._number(one) if one else None for one in (parent, merged_with)]
        with self._writing():
            if self._db.execute("SELECT 1 FROM version WHERE id = ?", (version.id,)).fetchone():
                return version
            row = (version.id, content, *numbers, author, reason, packed(state))
            made = self._db.execute(
                "INSERT INTO version (id, content, parent, merged, author, reason, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            texts = ((hash, text) for hash, text in changed.values() if hash is not None)
            self._db.executemany("INSERT OR IGNORE INTO element VALUES (?, ?)", texts)
            rows = ((made.lastrowid, kind, name, hash) for (kind, name), (hash, _) in sorted(changed.items()))
            self._db.executemany("INSERT INTO change VALUES (?, ?, ?, ?)", rows)
        return version

    # --- reading -----------------------------------------------------------------------------------------------------

    def versions(self) -> tuple[Version, ...]:
        """All versions in the order in which they were kept."""
        names = dict(self._db.execute("SELECT number, id FROM version").fetchall())
        rows = self._db.execute("SELECT id, content, author, reason, parent, merged FROM version ORDER BY number")
        return tuple(Version(i, c, a, r, names.get(p, ""), names.get(m, "")) for i, c, a, r, p, m in rows)

    def snapshot(self, version: str) -> GraphSnapshot:
        """The graph as it was in a version; raises `UnknownNode` where there is none."""
        return of_elements(self._elements(self._number(version)).values())

    def _row(self, version: str) -> tuple[int, str, bytes]:
        row = self._db.execute("SELECT number, content, state FROM version WHERE id = ?", (version,)).fetchone()
        if row is None:
            raise UnknownNode(f"no version {version!r:.70}", hint="Take the id of a version that is there.")
        return int(row[0]), str(row[1]), bytes(row[2])

    def _number(self, version: str) -> int:
        return self._row(version)[0]

    def _hashes(self, number: int) -> dict[Key, bytes]:
        """The hash of each element of a version: that of the nearest version of its line which changed it."""
        rows = self._db.execute(
            CHAIN + "SELECT kind, id, hash FROM change JOIN chain ON chain.number = change.version ORDER BY depth DESC",
            (number,),
        )
        found: dict[Key, bytes] = {}
        for kind, name, hash in rows:
            if hash is None:
                found.pop((kind, name), None)
            else:
                found[kind, name] = hash
        return found

    def _elements(self, number: int) -> dict[Key, Node | Link]:
        return self._read(self._hashes(number))

    def _read(self, hashes: dict[Key, bytes]) -> dict[Key, Node | Link]:
        """The elements of these hashes; raises `RunError` where one is damaged."""
        found: dict[Key, Node | Link] = {}
        for key, hash in hashes.items():
            row = self._db.execute("SELECT text FROM element WHERE hash = ?", (hash,)).fetchone()
            text = row[0] if row else ""
            if hashlib.sha256(text.encode("utf-8")).digest() != hash:
                raise RunError(f"{key[0]} {key[1]!r:.60} is damaged", hint="Take the file from a backup.")
            found[key] = _element(key[0], text)
        return found


def _element(kind: str, text: str) -> Node | Link:
    """Return the element of a text that was validated before it was written."""
    record = json.loads(text)
    if kind == "node":
        return Node(record["id"], record["label"], record["props"] or EMPTY_PROPS)
    return Link(record["id"], record["label"], record["from"], record["to"], record["props"] or EMPTY_PROPS)
