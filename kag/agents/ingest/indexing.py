"""The indexing agent: passages of the documents, each with the ids of the nodes in it, and their vectors.

Passages are cut where the content changes. Ids stand under the keys that the domain gives (`characterIds`), so that a
slice of the graph filters passages. One check looks at graph and index together: nothing in one may be unknown to the
other.

In a vector client a passage is kept under its id and a hash of all its content, so that ids alone show whether graph
and vectors fit. Passages go there in batches; a command that was stopped continues where it was.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.ingest.store import Store, Whole
from kag.core.errors import MissingExtra
from kag.core.files import parse_object, read_regular, write_whole
from kag.kgrag.context import passages as stored
from kag.kgrag.domain import Domain
from kag.retrieval.chunking import semantic_chunks
from kag.retrieval.property_graph.contributions import Contributions
from kag.retrieval.property_graph.elements import GraphSnapshot
from kag.retrieval.property_graph.schema import Checked, Issue

if TYPE_CHECKING:
    from kag.kgrag.context.passages import VectorClient
    from kag.retrieval.embedders import BgeSmall


PASSAGES, VECTORS, ABOUT = "passages.jsonl", "vectors.f32", "vectors.json"
LONGEST = 1_000_000
"""Characters of a document up to which it is cut by what it says; beyond it is cut at lines, which is quick."""
FIX = "Ingest again: graph and index are made anew."


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: its characters, and the ids of nodes under the keys of the domain."""

    id: str
    document: str
    start: int
    end: int
    text: str
    metadata: Mapping[str, tuple[str, ...]]

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        place = {"id": self.id, "document": self.document, "start": self.start, "end": self.end, "text": self.text}
        return place | {"metadata": {key: list(ids) for key, ids in self.metadata.items()}}


def passages_of(store: Store, whole: Whole) -> tuple[Passage, ...]:
    """The passages of all documents, in order."""
    passages: list[Passage] = []
    for name in store.names():
        text = store.text(name)
        spans = _spans(text)
        about = _about(store.domain, whole.contributions, name, spans)
        for number, (start, end) in enumerate(spans):
            metadata = {key: tuple(sorted(ids)) for key, ids in sorted(about[number].items())}
            passages.append(Passage(f"{name}#{start}", name, start, end, text[start:end], metadata))
    return tuple(passages)


def _spans(text: str) -> tuple[tuple[int, int], ...]:
    if len(text) <= LONGEST:
        return semantic_chunks(text)
    spans, at = [], 0
    while at < len(text):
        line = text.find("\n", at + 2000)
        end = len(text) if line < 0 else line + 1
        spans.append((at, end))
        at = end
    return tuple(spans)


def _about(
    domain: Domain, contributions: Contributions, name: str, spans: Sequence[tuple[int, int]]
) -> list[dict[str, set[str]]]:
    """Return the ids of the nodes in each passage, by their characters."""
    found: list[dict[str, set[str]]] = [{} for _ in spans]
    starts = [start for start, _ in spans]
    for record in contributions.contributions_of(name):
        key = domain.metadata.get(record.element.label)
        if key is None or not spans:
            continue
        first = max(bisect_right(starts, record.source.start) - 1, 0)
        last = max(bisect_right(starts, max(record.source.end - 1, record.source.start)) - 1, first)
        for number in range(first, last + 1):
            found[number].setdefault(key, set()).add(record.element.id)
    return found


@cache
def embedder() -> BgeSmall | None:
    """The embedder of the extra `vectors`; None where it is not installed."""
    try:
        from kag.retrieval.embedders import BgeSmall

        return BgeSmall()
    except MissingExtra:
        return None


def known_vectors(folder: Path, model: str) -> dict[str, Any]:
    """The vectors that an index has by the texts that they are of; none where it is of another model, or damaged."""
    from kag.retrieval.vectors import np

    try:
        about, data = parse_object(read_regular(folder / ABOUT).decode()), read_regular(folder / VECTORS)
        lines = read_regular(folder / PASSAGES).decode("utf-8").splitlines()
        texts = [str(parse_object(line)["text"]) for line in lines]
        if about["model"] != model or about["sha256"] != _sha256(data):
            return {}
        rows = np.frombuffer(data, dtype="<f4").reshape(len(texts), int(about["size"]))
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return dict(zip(texts, rows, strict=True))


def write_index(folder: Path, passages: Sequence[Passage], embed: BgeSmall | Remembered | None) -> None:
    """Write passages and, with an embedder, their vectors: rows of 32-bit floats, little-endian, in their order."""
    write_whole(folder / PASSAGES, "".join(json.dumps(p.as_record(), ensure_ascii=False) + "\n" for p in passages))
    for name in (VECTORS, ABOUT):
        (folder / name).unlink(missing_ok=True)
    if embed is None or not passages:
        return
    rows = embed([passage.text for passage in passages])
    data = rows.astype("<f4").tobytes()
    write_whole(folder / VECTORS, data)
    about = {"model": embed.id, "rows": len(passages), "size": int(rows.shape[1]), "sha256": _sha256(data)}
    write_whole(folder / ABOUT, json.dumps(about, sort_keys=True) + "\n")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def check_index(store: Store, graph: GraphSnapshot) -> Checked:
    """Return the differences between graph and index."""
    folder = store.folder / "index"
    try:
        lines = read_regular(folder / PASSAGES).decode("utf-8").splitlines()
        passages = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        return Checked((Issue("no_index", "error", f"{PASSAGES}: {str(error)[:100]}.", FIX),))
    issues = [*_fits(store, passages), *_known(store.domain, graph, passages), *_embedded(folder, len(passages))]
    return Checked(tuple(issues))


def _fits(store: Store, passages: Iterable[Mapping[str, Any]]) -> Iterator[Issue]:
    """Return the passages that differ from their document."""
    texts = {name: store.text(name) for name in store.names()}
    for passage in passages:
        text = texts.get(passage["document"])
        if text is None or text[passage["start"] : passage["end"]] != passage["text"]:
            message = f"The passage {passage['id']!r:.80} is not what its document says."
            yield Issue("passage_changed", "error", message, FIX)


def _known(domain: Domain, graph: GraphSnapshot, passages: Iterable[Mapping[str, Any]]) -> Iterator[Issue]:
    """Ids that only one of both has."""
    labels = {node.id: node.label for node in graph.nodes}
    seen: set[str] = set()
    for passage in passages:
        for ids in passage["metadata"].values():
            for id in ids:
                seen.add(id)
                if id not in labels:
                    message = f"The passage {passage['id']!r:.80} speaks of {id!r:.80}, which is not in the graph."
                    yield Issue("passage_without_node", "error", message, FIX, (id,))
    for id, label in labels.items():
        if label in domain.metadata and id not in seen:
            yield Issue("node_without_passage", "error", f"No passage speaks of {id!r:.80}.", FIX, (id,))


def _embedded(folder: Path, count: int) -> Iterator[Issue]:
    """Vectors that are not those of the passages."""
    if not (folder / ABOUT).is_file():
        return
    about = json.loads(read_regular(folder / ABOUT))
    data = read_regular(folder / VECTORS)
    if about["rows"] != count or len(data) != count * about["size"] * 4 or _sha256(data) != about["sha256"]:
        yield Issue("vectors_differ", "error", f"There are {about['rows']} vectors for {count} passages.", FIX)


DOCUMENT = "document"
AT_ONCE = 256
SHOWN = 3  # ids in a message


@dataclass(frozen=True, slots=True)
class Synced:
    """Numbers of passages added to a project and removed from it."""

    added: int = 0
    removed: int = 0


def keyed(passages: Sequence[Passage], model: str) -> Mapping[str, stored.Passage]:
    """Passages as a client keeps them; `model` makes the vectors. Those without a word have none."""
    return {key_of(passage, model): _stored(passage, model) for passage in passages if passage.text.strip()}


def key_of(passage: Passage, model: str) -> str:
    """The id of a passage in a client."""
    content = json.dumps([model, passage.as_record()], ensure_ascii=False, sort_keys=True)
    return f"{passage.id[-stored.LONGEST_VALUE // 2 :]}:{hashlib.sha256(content.encode()).hexdigest()[:32]}"


def _stored(passage: Passage, model: str) -> stored.Passage:
    metadata = {
        key: tuple(id for id in ids if len(id) <= stored.LONGEST_VALUE) for key, ids in passage.metadata.items()
    }
    return stored.Passage(
        key_of(passage, model), passage.text.replace("\x00", " "), {**metadata, DOCUMENT: (passage.document,)}
    )


def sync(client: VectorClient, passages: Sequence[Passage], model: str) -> Synced:
    """Let a project hold these passages and no others; raises what the client raises."""
    wanted, there = keyed(passages, model), set(client.ids())
    missing = [passage for key, passage in wanted.items() if key not in there]
    for begin in range(0, len(missing), AT_ONCE):
        client.add(missing[begin : begin + AT_ONCE])
    extra = sorted(there - wanted.keys())
    client.delete(extra)
    client.save()
    return Synced(len(missing), len(extra))


def check_client(client: VectorClient, passages: Sequence[Passage], model: str) -> Iterator[Issue]:
    """Return the differences between a project's passages and the graph's."""
    wanted, there = set(keyed(passages, model)), set(client.ids())
    for what, ids in (("are not in", wanted - there), ("are only in", there - wanted)):
        if ids:
            named = ", ".join(f"{one!r:.60}" for one in sorted(ids)[:SHOWN])
            message = f"{len(ids)} passages {what} the vectors of {client.project!r:.60}: {named}."
            yield Issue("vectors_differ", "error", message, FIX)


class Remembered:
    """An embedder that asks another one only for texts whose vectors are not known."""

    def __init__(self, embed: Any, known: Mapping[str, Any]) -> None:
        self.id, self._embed, self._known = embed.id, embed, dict(known)

    def __call__(self, texts: Sequence[str]) -> Any:
        from kag.retrieval.vectors import np

        fresh = list(dict.fromkeys(text for text in texts if text not in self._known))
        if fresh:
            self._known.update(zip(fresh, self._embed(fresh), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32).reshape(len(texts), -1)
