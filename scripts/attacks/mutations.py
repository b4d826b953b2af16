"""Damage to files: bytes flipped, cut off or doubled, JSON of another type, links and pipes in place of files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

_OBEYED = "\x1b]0;owned\x07\u202e"  # by terminals
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**63, 10**400, 0.5, -1e308, "", "x", _OBEYED, "\ud800", "../../victim"),
    *("/nowhere/victim", "http://127.0.0.1:1/", [], {}, [[]], {"": {}}, ["x"] * 3, "9" * 400, "\x00"),
)
"""Values that a field does not expect."""


def damage(file: Path, random: Random) -> str:
    """Damage a file in one of many ways; returns in words how."""
    ways = [_flip, _cut, _double, _drop_line, _odd_bytes, _pipe, _link, _folder, _gone]
    if file.suffix in (".json", ".jsonl"):
        ways += [_odd_value] * 12
    way = random.choice(ways)
    return f"{file.name}: {way(file, random)}"


def odd(value: Any, random: Random) -> Any:
    """A JSON value in which one part, at any depth, is of another kind, missing or new."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(sorted(value))
        rest = {name: item for name, item in value.items() if name != key}
        fate = random.random()
        if fate < 0.1:
            return rest
        if fate < 0.2:
            return {**value, "unheard of": random.choice(ODD)}
        return {**value, key: odd(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.7:
        at = random.randrange(len(value))
        return [*value[:at], odd(value[at], random), *value[at + 1 :]]
    return random.choice(ODD)


def _flip(file: Path, random: Random) -> str:
    data = bytearray(file.read_bytes())
    for _ in range(random.choice((1, 1, 3, 30))):
        if data:
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    file.write_bytes(bytes(data))
    return "bits flipped"


def _cut(file: Path, random: Random) -> str:
    data = file.read_bytes()
    file.write_bytes(data[: random.randrange(len(data) + 1)])
    return "cut off"


def _double(file: Path, random: Random) -> str:
    data = file.read_bytes()
    at = random.randrange(len(data) + 1)
    file.write_bytes(data[:at] + data)
    return "begun twice"


def _drop_line(file: Path, random: Random) -> str:
    lines = file.read_bytes().splitlines(keepends=True)
    if lines:
        del lines[random.randrange(len(lines))]
    file.write_bytes(b"".join(lines))
    return "a line gone"


def _odd_bytes(file: Path, random: Random) -> str:
    deep = b"[" * 200_000, b'{"a":' * 100_000
    file.write_bytes(random.choice((b"", b"\x00" * 100, b"\xff\xfe\x00", b"null", b"[]", b"{}", b"1", *deep)))
    return "other bytes"


def _odd_value(file: Path, random: Random) -> str:
    text = file.read_text(encoding="utf-8", errors="replace")
    lines = text.split("\n") if file.suffix == ".jsonl" else [text]
    at = random.randrange(max(len(lines) - 1, 1))
    try:
        lines[at] = json.dumps(odd(json.loads(lines[at]), random))
    except (ValueError, RecursionError):  # damaged before
        return "left as it is"
    file.write_text("\n".join(lines), encoding="utf-8")
    return f"an odd value in line {at + 1}"


def _pipe(file: Path, random: Random) -> str:
    file.unlink()
    os.mkfifo(file)
    return "a pipe"


def _link(file: Path, random: Random) -> str:
    file.unlink()
    file.symlink_to(random.choice(("/nowhere/victim", "/dev/zero", "/proc/self/environ", file.name, "nowhere")))
    return "a link"


def _folder(file: Path, random: Random) -> str:
    file.unlink()
    file.mkdir()
    return "a folder"


def _gone(file: Path, random: Random) -> str:
    file.unlink()
    return "gone"
