"""Passages and the clients that search them by meaning; each client holds one project."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kag.core.errors import BadValue, KagError, RunError, SourceError
from kag.core.files import parse_json, shown, source_text
from kag.kgrag.facade import DomainGraph
from kag.retrieval.chunking import Chunk, text_chunks
from kag.retrieval.index import CURRENT, Index
from kag.retrieval.retrieve import LONGEST, search
from kag.retrieval.vectors import Embedder

if TYPE_CHECKING:
    from kag.retrieval.engines.stores import PointStore
    from kag.retrieval.vectors import Embedder

KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
"""What a key of metadata looks like: stores make paths of it."""
LONGEST_VALUE = 400
"""Characters of a project, an id or a value of metadata."""
DIGITS = 6
"""Of a score: what stands behind them depends on what else is compared at once."""
Metadata = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with an id in its project; `metadata` has values by key, such as ids under `taskIds`."""

    id: str
    text: str
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A passage that was found; scores are comparable within one search only."""

    id: str
    text: str
    score: float
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """By what passages are filtered: all of `scope` (`chapterId`: `c12`), and some value of some key of `routes`."""

    scope: Mapping[str, str] = field(default_factory=dict)
    routes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def allows(self, metadata: Metadata) -> bool:
        """Whether a passage with this metadata is wanted."""
        if any(value not in metadata.get(key, ()) for key, value in self.scope.items()):
            return False
        return not self.routes or any(set(ids) & set(metadata.get(key, ())) for key, ids in self.routes.items())


EVERYTHING = Wanted()


class VectorClient(Protocol):
    """The passages of one project."""

    @property
    def project(self) -> str: ...

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place."""

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages out; unknown ids do nothing."""

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text, the best first."""

    def ids(self) -> tuple[str, ...]:
        """The ids of all passages, sorted."""

    def save(self) -> None:
        """Let what was changed last; where it lasts at once, nothing is done."""


def checked_project(project: Any) -> str:
    """A project's name; raises `BadValue`."""
    return _text(project, "project")


def checked_passage(passage: Passage) -> Passage:
    """The passage, its metadata as tuples of texts; raises `BadValue`."""
    if not isinstance(passage.text, str) or not passage.text.strip() or "\x00" in passage.text:
        raise BadValue(f"passage {passage.id!r:.60} has no text", hint="Give a text without NUL characters.")
    metadata = {key: _values(key, value) for key, value in passage.metadata.items()}
    return Passage(_text(passage.id, "id"), passage.text, metadata)


def checked_wanted(wanted: Wanted) -> Wanted:
    """The filter, if its keys are keys; raises `BadValue`."""
    return Wanted(
        {_key(key): _text(value, key) for key, value in wanted.scope.items()},
        {key: values for key, given in wanted.routes.items() if (values := _values(key, given))},
    )


def _values(key: object, value: object) -> tuple[str, ...]:
    """One text or several."""
    name = _key(key)
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list | tuple):
        raise BadValue(f"{name} is {value!r:.60}", hint="Give a text, or a list of texts.")
    return tuple(dict.fromkeys(_text(one, name) for one in several))


def _key(key: object) -> str:
    if isinstance(key, str) and KEY.fullmatch(key):
        return key
    raise BadValue(f"{key!r:.60} is not a key of metadata", hint="A key has letters, digits and _.")


def _text(value: object, what: str) -> str:
    if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE and "\x00" not in value:
        try:
            value.encode()
        except UnicodeEncodeError:
            pass
        else:
            return value
    raise BadValue(f"{what} {value!r:.60}: no such {what}", hint=f"Give a text of 1 to {LONGEST_VALUE} characters.")


FORM = 'Give a line for each passage: {"id": "p1", "text": "...", "metadata": {"eventIds": ["e1"]}}'
DOCUMENT, PROJECT = "document", "projectId"


def read_passages(path: Path, graph: DomainGraph, project: str) -> tuple[Passage, ...]:
    """The passages in a .jsonl file, without those of other projects; or of texts, tagged. Raises `SourceError`."""
    if path.suffix.lower() == ".jsonl":
        return tuple(_rows(path, project))
    return tuple(passages_of(((f"{chunk.id}", chunk.text, chunk.document) for chunk in text_chunks(path)), graph))


def passages_of(texts: Iterable[tuple[str, str, str]], graph: DomainGraph) -> Iterator[Passage]:
    """Passages from (id, text, document), each with the ids of the nodes that it names."""
    for name, text, document in texts:
        yield Passage(name, text, {DOCUMENT: (document,), **named_in(text, graph)})


def named_in(text: str, graph: DomainGraph) -> Metadata:
    """The nodes that a text names, under the keys by which their labels are filtered."""
    found: dict[str, dict[str, None]] = {}
    for nodes in graph.asking.names.find(text):
        for node in nodes:
            key = graph.domain.metadata.get(graph.graph.node(node).label)
            if key:
                found.setdefault(key, {})[node] = None
    return {key: tuple(ids) for key, ids in sorted(found.items())}


def _rows(path: Path, project: str) -> Iterator[Passage]:
    for number, line in enumerate(source_text(path).splitlines(), start=1):
        if line.strip():
            try:
                passage = _passage(parse_json(line))
            except (BadValue, ValueError, RecursionError) as error:
                raise SourceError(f"{shown(path)}:{number}: {str(error)[:200]}", hint=FORM) from error
            if passage.metadata.get(PROJECT, (project,)) == (project,):
                yield passage


def _passage(row: Any) -> Passage:
    if not isinstance(row, dict) or not isinstance(row.get("metadata", {}), dict):
        raise BadValue("is not a passage", hint=FORM)
    return checked_passage(Passage(row.get("id", ""), row.get("text", ""), row.get("metadata", {})))


FIELDS = "fields"


class EmbeddedVectors:
    """A `VectorClient` over `kag.retrieval`; `save` keeps it in `folder` if given, `plan` is a name of `PRESETS`."""

    def __init__(
        self, project: str, folder: Path | None = None, embed: Embedder | None = None, *, plan: str = ""
    ) -> None:
        self._project, self._plan = checked_project(project), plan
        self._folder = folder / folder_of(project) if folder else None
        there = self._folder is not None and (self._folder / CURRENT).exists()
        self.index = Index.load(self._folder, embed) if self._folder and there else Index.build((), embed)
        self._fields = {name: _fields(chunk) for name, chunk in self.index.chunks.items()}

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    def __len__(self) -> int:
        return len(self._fields)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        whole = [checked_passage(passage) for passage in passages]
        self.index.add(
            Chunk(passage.id, passage.text, document=passage.id, metadata={FIELDS: json.dumps(passage.metadata)})
            for passage in whole
        )
        self._fields.update((passage.id, passage.metadata) for passage in whole)

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages out; unknown ids do nothing."""
        gone = [name for name in dict.fromkeys(ids) if name in self._fields]
        self.index.delete(gone)
        for name in gone:
            del self._fields[name]

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text, the best first."""
        request = checked_wanted(wanted)
        allowed = [name for name, fields in self._fields.items() if request.allows(fields)]
        if not allowed or not text.strip() or k < 1:  # no documents would mean all of them
            return ()
        within = () if len(allowed) == len(self._fields) else allowed
        found = search(self.index, text[:LONGEST], plan=self._plan, k=k, documents=within)
        return tuple(
            VectorHit(hit.chunk, self.index.chunks[hit.chunk].text, hit.score, self._fields[hit.chunk])
            for hit in found.hits
        )

    def ids(self) -> tuple[str, ...]:
        """The ids of all passages, sorted."""
        return tuple(sorted(self._fields))

    def save(self) -> None:
        """Write the index into its folder."""
        if self._folder is None:
            raise BadValue("these passages are in memory only", hint="Give a folder when making the client.")
        self.index.save(self._folder)


def folder_of(project: str) -> str:
    """The name of a project's folder: no text of a project becomes a path."""
    return hashlib.sha256(project.encode()).hexdigest()[:32]


def _fields(chunk: Chunk) -> Metadata:
    try:
        fields = json.loads(chunk.metadata[FIELDS])
        return {str(key): tuple(map(str, values)) for key, values in fields.items()}
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise RunError(f"passage {chunk.id!r:.60} has no fields", hint="Index the passages again.") from error


AT_ONCE = 256
ENGINES = ("postgresql", "postgres", "qdrant", "milvus")
KINDS = (
    "files:FOLDER, postgresql://HOST/DATABASE, qdrant:FOLDER, qdrant:http://HOST:6333, milvus:FILE.db, "
    "milvus:http://HOST:19530"
)


class StoredVectors:
    """A `VectorClient` over points, which are those of its project alone."""

    def __init__(self, project: str, points: PointStore, embed: Embedder) -> None:
        self._project, self._points, self._embed = checked_project(project), points, embed

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    @contextmanager
    def _engine_errors(self) -> Iterator[None]:
        """Whatever an engine's own library raises, of networks, files and versions, as a `RunError`."""
        try:
            yield
        except (KagError, MemoryError):
            raise
        except Exception as error:
            message = f"the vectors of {self._project!r:.60}: {type(error).__name__}: {str(error)[:200]}"
            raise RunError(message, hint="Is the engine running, and are its vectors of this model?") from error

    def create(self) -> None:
        """Create the storage if it is missing; vectors have the embedder's length."""
        size = int(self._embed(["one"]).shape[1])
        with self._engine_errors():
            self._points.create(size)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        from kag.retrieval.engines.stores import Point

        whole = list({passage.id: passage for passage in map(checked_passage, passages)}.values())
        for begin in range(0, len(whole), AT_ONCE):
            some = whole[begin : begin + AT_ONCE]
            vectors = self._embed([passage.text for passage in some])
            points = [
                Point(passage.id, vector, passage.text, passage.metadata)
                for passage, vector in zip(some, vectors, strict=True)
            ]
            with self._engine_errors():
                self._points.put(points)

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages of this project out; unknown ids do nothing."""
        names = list(ids)
        if names:
            with self._engine_errors():
                self._points.drop(names)

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text by cosine, the best first; equals by id."""
        request = checked_wanted(wanted)
        if not text.strip() or k < 1:
            return ()
        where = [
            *({key: (value,)} for key, value in request.scope.items()),
            *((request.routes,) if request.routes else ()),
        ]
        vector = self._embed([text])[0]
        with self._engine_errors():
            nears = self._points.near(vector, k, where)
        hits = (VectorHit(near.id, near.text, round(near.score, DIGITS), near.fields) for near in nears)
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))

    def ids(self) -> tuple[str, ...]:
        """The ids of all passages of this project, sorted."""
        with self._engine_errors():
            return tuple(self._points.ids())

    def save(self) -> None:
        """Nothing: each change lasts when its call returns."""


def checked_place(address: str, project: str) -> tuple[str, str]:
    """The kind of an address and what follows it; raises `BadValue` for another kind, or no project."""
    checked_project(project)
    kind, _, rest = address.partition(":")
    if kind not in ("files", *ENGINES) or not rest:
        raise BadValue(f"no place for passages {kind[:40]!r}", hint=f"Use one of {KINDS}.")
    return kind, rest


def client_at(address: str, project: str, embed: Embedder | None) -> VectorClient:
    """Return the client of a project; in an engine each project has a table or collection of its own.

    Raises `BadValue` for an address of another kind or an engine without an embedder, `MissingExtra`, `RunError`.
    """
    kind, rest = checked_place(address, project)
    if kind == "files":
        return EmbeddedVectors(project, Path(rest), embed)
    if embed is None:
        raise BadValue(
            "an engine keeps vectors, and nothing makes them", hint="Install the extra vectors, or take files:."
        )
    from kag.retrieval.engines.placing import engine_at

    client = StoredVectors(project, engine_at(address).points(f"kag_{folder_of(project)}"), embed)
    client.create()
    return client
