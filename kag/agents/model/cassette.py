"""`Cassette`: the calls of a run on file, one JSON object a line, to replay the run with no network.

    {"key": "<sha256 of the request>", "model": ..., "request": {...}, "response": {...}}

A replay is strict: a request that was not recorded is an error that says where it differs. Pictures are kept
as their hash, and values of secret environment variables are not kept at all.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from kag.agents.sandbox.marshalling import legible
from kag.core.errors import ModelError, RunError
from kag.core.secrets import without_secrets

Mode = Literal["replay", "record", "auto"]
Json = dict[str, Any]


class Cassette:
    """Recorded calls by request. Threads may share it.

    `replay` answers from the file alone, `record` writes a new file, `auto` answers from the file and
    records what is missing. A request that was recorded several times is answered in the order of recording,
    each answer once. Raises `RunError` when the file is missing, in the way or broken.
    """

    def __init__(self, path: Path, mode: Mode = "replay") -> None:
        self.path, self.mode = path, mode
        self._lock = threading.Lock()
        if mode == "replay" and not path.is_file():
            raise RunError(f"{path}: no such cassette", hint="record it first")
        if mode == "record" and path.exists() and path.stat().st_size:
            raise RunError(f"{path}: holds a recording already", hint="replay it, or record to another file")
        self._waiting = list(_read(path)) if path.is_file() and mode != "record" else []
        self._played = 0

    def find(self, request: Json) -> Json | None:
        """The recorded response, or None when it is to be fetched; `request` is in canonical form.

        Raises `ModelError` when replaying and there is none.
        """
        key = digest(request)
        with self._lock:
            for place, row in enumerate(self._waiting):
                if row["key"] == key:
                    self._played += 1
                    return dict(self._waiting.pop(place)["response"])
            if self.mode == "replay":
                raise self._miss(request)
        return None

    def add(self, request: Json, response: Json) -> None:
        """Write one call down; nothing is written when replaying."""
        if self.mode == "replay":
            return
        row = {"key": digest(request), "model": request["model"], "request": request, "response": response}
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line)

    def _miss(self, request: Json) -> ModelError:
        where = f"{self.path}: call {self._played + 1} was not recorded"
        hint = "record again: the prompt, the tools, their results or the model have changed"
        if not self._waiting:
            return ModelError(f"{where}: all {self._played} recorded calls were replayed", hint=hint)
        asked = _text(request)
        nearest = max(self._waiting, key=lambda row: _shared(asked, _text(row["request"])))
        return ModelError(f"{where}; {first_difference(nearest['request'], request)}", hint=hint)


def canonical(request: Json) -> Json:
    """A request or response as JSON values in the form that is kept: UTF-8, pictures as hashes, no secrets."""
    kept: Json = without_secrets(_without_media(request))
    return kept


def digest(request: Json) -> str:
    """SHA-256 of a request in canonical form, as 64 hex digits."""
    return hashlib.sha256(_text(request).encode()).hexdigest()


def first_difference(recorded: Any, asked: Any, path: str = "request") -> str:
    """Describe the first difference between two JSON values."""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted(recorded.keys() | asked.keys()):
            if recorded.get(name) != asked.get(name):
                return first_difference(recorded.get(name), asked.get(name), f"{path}.{name}")
    if isinstance(recorded, list) and isinstance(asked, list):
        for place, (old, new) in enumerate(zip(recorded, asked, strict=False)):
            if old != new:
                return first_difference(old, new, f"{path}[{place}]")
        return f"{path} has {len(asked)} entries instead of {len(recorded)}"
    if isinstance(recorded, str) and isinstance(asked, str):
        at = _shared(recorded, asked)
        start = max(0, at - 20)
        return f"{path} differs at character {at}: recorded {_cut(recorded, start)}, now {_cut(asked, start)}"
    return f"{path}: recorded {_cut(json.dumps(recorded), 0)}, now {_cut(json.dumps(asked), 0)}"


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cut(text: str, start: int) -> str:
    return repr(text[start : start + 60])


def _text(request: Json) -> str:
    return json.dumps(request, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _without_media(value: Any) -> Any:
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, list):
        return [_without_media(item) for item in value]
    if not isinstance(value, dict):
        return value
    cleaned = {name: _without_media(item) for name, item in value.items()}
    if "media_type" in value and isinstance(value.get("data"), str):
        cleaned["data"] = "sha256:" + hashlib.sha256(value["data"].encode()).hexdigest()
    return cleaned


def _read(path: Path) -> Iterator[Json]:
    text = path.read_text(encoding="utf-8")
    whole, _, broken = text.rpartition("\n")
    if broken:  # a recording that was killed while it wrote: what came before is good
        with path.open("r+", encoding="utf-8") as file:
            file.truncate(len((whole + "\n").encode()) if whole else 0)
    for number, line in enumerate(whole.split("\n") if whole else (), start=1):
        try:
            row = json.loads(line)
            sound = row["key"] == digest(row["request"]) and isinstance(row["response"], dict)
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise RunError(f"{path}: line {number} is not a recorded call", hint="record again")
        yield row
