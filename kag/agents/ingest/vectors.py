"""The passages of an ingestion in a vector client: what is missing there is added, what is no more is taken out.

A passage is kept under its id and a hash of all that it says, so that ids alone tell whether graph and vectors fit:
one that has changed is another. Passages go there some at a time; a command that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kag.agents.ingest.indexing import FIX, Passage
from kag.kgrag.context import passage as stored
from kag.retrieval.property_graph.issues import Issue

if TYPE_CHECKING:
    from kag.kgrag.context.passage import VectorClient

DOCUMENT = "document"
AT_ONCE = 256
SHOWN = 3  # ids in a message


@dataclass(frozen=True, slots=True)
class Synced:
    """How many passages were added to a project, and how many taken out."""

    added: int = 0
    removed: int = 0


def keyed(passages: Sequence[Passage], model: str) -> Mapping[str, stored.Passage]:
    """Passages as a client keeps them; `model` makes the vectors. Those without a word have none."""
    return {key_of(one, model): _stored(one, model) for one in passages if one.text.strip()}


def key_of(one: Passage, model: str) -> str:
    """The id of a passage in a client."""
    content = json.dumps([model, one.as_record()], ensure_ascii=False, sort_keys=True)
    return f"{one.id[-stored.LONGEST // 2 :]}:{hashlib.sha256(content.encode()).hexdigest()[:32]}"


def _stored(one: Passage, model: str) -> stored.Passage:
    metadata = {key: tuple(id for id in ids if len(id) <= stored.LONGEST) for key, ids in one.metadata.items()}
    return stored.Passage(key_of(one, model), one.text.replace("\x00", " "), {**metadata, DOCUMENT: (one.document,)})


def sync(client: VectorClient, passages: Sequence[Passage], model: str) -> Synced:
    """Let a project hold these passages and no others; raises what the client raises."""
    wanted, there = keyed(passages, model), set(client.ids())
    missing = [one for key, one in wanted.items() if key not in there]
    for begin in range(0, len(missing), AT_ONCE):
        client.add(missing[begin : begin + AT_ONCE])
    extra = sorted(there - wanted.keys())
    client.delete(extra)
    client.save()
    return Synced(len(missing), len(extra))


def check_client(client: VectorClient, passages: Sequence[Passage], model: str) -> Iterator[Issue]:
    """What of a project's passages is not what the graph's are."""
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
        from kag.retrieval.meaning.arrays import np

        fresh = list(dict.fromkeys(text for text in texts if text not in self._known))
        if fresh:
            self._known.update(zip(fresh, self._embed(fresh), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32).reshape(len(texts), -1)
