"""YAML and JSON read with their lines, and without losing keys that are there twice.

Both become the same: objects are `Lined`, dicts that know the line they begin at, the line of each key, and the keys
that came again. Nothing in a file is run: YAML tags are not followed. Files that grow when they are read (aliases of
aliases), nest without end or never end are refused.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import yaml

from kag.core.errors import SourceError
from kag.core.files import shown

DEEPEST = 200
MOST_VALUES = 5_000_000
"""Values of a YAML file at most, each alias counted with all that it stands for."""
_DIFFERENT = re.compile("[\t\ufeff]")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\Z")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]{1,18}\.[0-9]{0,18}|\.[0-9]{1,18})(?:[eE][-+]?[0-9]{1,2})?\Z")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "false": False}
_WORDS |= {"True": True, "TRUE": True, "False": False, "FALSE": False}


Scan = Callable[[str, int], tuple[Any, int]]


class Lined(dict[str, Any]):
    """An object with its line (the first is 1), the lines of its keys, and the keys that came again, left out."""

    __slots__ = ("again", "line", "lines")

    def __init__(self, line: int = 0) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}
        self.again: list[tuple[str, int]] = []

    def take(self, key: str, value: Any, line: int) -> None:
        """Add a key; one that is there already is noted and left as it was first."""
        if key in self:
            self.again.append((key, line))
        else:
            self[key] = value
            self.lines[key] = line


def lined(value: Any) -> Lined:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Lined) else Lined()


def listed(value: Any) -> list[Any]:
    """The value if it is a list, nothing if there is none, else a list of it alone."""
    return value if isinstance(value, list) else [] if value is None else [value]


def text_of(value: Any) -> str:
    """A value as a text: what a person wrote there."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def parse_marked(text: str, name: str = "text") -> Any:
    """Parse YAML or JSON text, recognised by its first character."""
    begin = text.lstrip("\ufeff \t\r\n")[:1]
    read: Callable[[str], Any] = _json if begin in ("{", "[") else _yaml
    try:
        return read(text)
    except RecursionError as error:
        raise SourceError(f"{shown(name)}: is nested too deeply", hint=f"Nest {DEEPEST} values at most.") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise SourceError(f"{shown(name)}:{line}: no YAML: {error.problem}", hint="Correct the line.") from error
    except (ValueError, yaml.YAMLError) as error:
        kind = "JSON" if read is _json else "YAML"
        raise SourceError(f"{shown(name)}: no {kind}: {error}"[:400], hint="Correct the file.") from error


# --- JSON ----------------------------------------------------------------------------------------------------


def _json(text: str) -> Any:
    """JSON with lines; flow-style YAML begins alike, and is tried where it is no JSON."""
    text = text.removeprefix("\ufeff")
    try:
        return _LinedDecoder(text).decode(text)
    except json.JSONDecodeError as error:
        try:
            return _yaml(text)
        except yaml.YAMLError:
            raise error from None


class _LinedDecoder(json.JSONDecoder):
    """A decoder of the standard library whose objects know where in the text they begin."""

    def __init__(self, text: str) -> None:
        super().__init__(parse_constant=_refuse_constant)
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self.parse_object = self._object  # the Python scanner calls it with the place
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _object(self, place: tuple[str, int], strict: bool, scan: Scan, *hooks: Any) -> tuple[Lined, int]:
        """An object that begins at a place of the text."""
        found, marks = Lined(self._line(place[1] - 1)), list[int]()

        def scanned(text: str, at: int) -> tuple[Any, int]:
            marks.append(at)
            return scan(text, at)

        decode: Any = json.decoder.JSONObject  # type: ignore[attr-defined]
        pairs, end = decode(place, strict, scanned, None, list, hooks[-1])
        for (key, value), at in zip(pairs, marks, strict=True):
            found.take(key, value, self._line(at))
        return found, end

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1 if at > 0 else 1


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


# --- YAML ----------------------------------------------------------------------------------------------------


def _yaml(text: str) -> Any:
    """The first document of YAML 1.2 text: only true, false, null and plain numbers are no text.

    libyaml reads it, where PyYAML has it, in a tenth of the time. It differs from PyYAML's own parser in some letters,
    and in the words for what is wrong: there the own one has the say, so that all machines say the same.
    """
    if not _DIFFERENT.search(text):
        with suppress(ValueError, yaml.YAMLError):
            return _first_document(getattr(yaml, "CSafeLoader", yaml.SafeLoader), text)
    return _first_document(yaml.SafeLoader, text)


def _first_document(parser: Callable[[str], Any], text: str) -> Any:
    loader = parser(text)
    try:
        if not loader.check_event(yaml.StreamStartEvent):
            return None
        loader.get_event()
        if loader.check_event(yaml.StreamEndEvent):
            return None
        loader.get_event()
        return _Composer(loader).value(0)[0]
    finally:
        loader.dispose()


class _Composer:
    """Makes values of events, and counts what they stand for."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._count = 0

    def value(self, depth: int) -> tuple[Any, int]:
        """The next value, and how many values are in it, aliases spread out."""
        event = self._loader.get_event()
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise yaml.MarkedYAMLError(None, None, f"no anchor {event.anchor!r:.40} before", event.start_mark)
            return self._counted(*self._anchors[event.anchor], event)
        if depth > DEEPEST:
            raise yaml.MarkedYAMLError(None, None, f"nested more than {DEEPEST} deep", event.start_mark)
        if isinstance(event, yaml.ScalarEvent):
            found, size = _scalar(event), 1
        elif isinstance(event, yaml.SequenceStartEvent):
            found, size = self._sequence(depth)
        else:
            found, size = self._mapping(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = found, size
        return self._counted(found, size, event) if size == 1 else (found, size)

    def _counted(self, value: Any, size: int, event: Any) -> tuple[Any, int]:
        self._count += size
        if self._count > MOST_VALUES:
            raise yaml.MarkedYAMLError(None, None, f"stands for more than {MOST_VALUES} values", event.start_mark)
        return value, size

    def _sequence(self, depth: int) -> tuple[list[Any], int]:
        found, size = [], 1
        while not self._loader.check_event(yaml.SequenceEndEvent):
            value, inside = self.value(depth + 1)
            found.append(value)
            size += inside
        self._loader.get_event()
        return found, size

    def _mapping(self, event: Any, depth: int) -> tuple[Lined, int]:
        found, size = Lined(event.start_mark.line + 1), 1
        while not self._loader.check_event(yaml.MappingEndEvent):
            start = self._loader.peek_event()
            key = start.value if isinstance(start, yaml.ScalarEvent) else None
            other, _ = self.value(depth + 1)
            value, inside = self.value(depth + 1)
            found.take(text_of(other)[:200] if key is None else key, value, start.start_mark.line + 1)
            size += 1 + inside
        self._loader.get_event()
        return found, size


def _scalar(event: Any) -> Any:
    """A plain word as what it says, a quoted one as text."""
    word = event.value
    if event.style or (event.tag is not None and event.tag.endswith(":str")):
        return word
    if word in _WORDS:
        return _WORDS[word]
    if _NUMBER.match(word):
        return int(word)
    return float(word) if _DECIMAL.match(word) else word
