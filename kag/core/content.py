"""Content-addressed texts. The content ref `kind:16hex` is the handle by which anyone asks for text.

Seed names for it are symbolic handle, content store and hasContentRef: here they are one thing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kag.core.errors import RunError
from kag.core.files import parse_object
from kag.core.shapes import Shape, fitting

_PLACES = [{"node": str, "blocks": [{"block": str, "page": int, "boxes": [[int]]}]}]
_CONTENT: Shape = {
    "ref": str,
    "kind": str,
    "text": str,
    "raw?": str,
    "nodes?": (_PLACES, [str]),  # where a printed text stands; the figures that a description is of
    "machine?": bool,
    "header_rows?": int,
    "stub_columns?": int,
    "columns?": [[str]],
    "rows?": [[str]],
    "spans?": [[int]],  # row, column, rows, columns of a cell that covers several places
    "values?": [{"at": [int]}],
}
CELLS: Shape = [[(str, float, type(None))]]
"""The cells of a table, by row and column."""


def content_ref(kind: str, text: str) -> str:
    """`kind:` and the first 16 hex digits of the SHA-256 of the text's UTF-8 bytes."""
    return f"{kind}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


class Place(NamedTuple):
    """The location of a text: `length` bytes from `start` of the paper's content store."""

    ref: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Content:
    """A stored text; `details` holds what else is known of it (cells, boxes), JSON values only."""

    ref: str
    kind: str
    text: str
    details: dict[str, Any] = field(default_factory=dict)


class ContentStore:
    """Texts by content ref; equal texts of one kind are stored once.

    >>> store = ContentStore()
    >>> ref = store.put("paragraph", "Water boils.")
    >>> store.window(ref, 6, 5)
    'boils'
    """

    def __init__(self) -> None:
        self._contents: dict[str, Content] = {}

    def put(self, kind: str, text: str, **details: Any) -> str:
        """Store a text and return its ref; details given later for the same text are added."""
        ref = content_ref(kind, text)
        content = self._contents.get(ref)
        merged = {**content.details, **details} if content else details
        self._contents[ref] = Content(ref, kind, text, merged)
        return ref

    def copy(self) -> ContentStore:
        """A store with the same texts; the details of each text are shared until they are added to."""
        copied = ContentStore()
        copied._contents = dict(self._contents)
        return copied

    def append(self, ref: str, name: str, value: Any) -> None:
        """Add a value to a list among the details of a stored text; the list is made when there is none."""
        self._contents[ref].details.setdefault(name, []).append(value)

    def __contains__(self, ref: str) -> bool:
        return ref in self._contents

    def __iter__(self) -> Iterator[Content]:
        return iter(self._contents[ref] for ref in sorted(self._contents))

    def __len__(self) -> int:
        return len(self._contents)

    def __getitem__(self, ref: str) -> Content:
        return self._contents[ref]

    def data(self, ref: str, shape: Shape) -> Any:
        """Return the JSON value of the text with a ref, None if there is no such text.

        Raises `RunError` when it is none of this shape (`kag.core.shapes`).
        """
        if ref not in self:
            return None
        try:
            return fitting(json.loads(self[ref].text), shape)
        except (ValueError, RecursionError) as error:
            hint = "The run was changed or damaged; index the paper again."
            raise RunError(f"the content {ref} cannot be read: {error}", hint=hint) from error

    def window(self, ref: str, start: int = 0, length: int = 1000) -> str:
        """At most `length` characters of the text from `start`."""
        return self._contents[ref].text[start : start + length]

    def to_jsonl(self) -> str:
        """One JSON object a line, sorted by ref: ref, kind, text, then the details."""
        return "".join(
            json.dumps(
                {"ref": c.ref, "kind": c.kind, "text": c.text, **dict(sorted(c.details.items()))}, ensure_ascii=False
            )
            + "\n"
            for c in self
        )

    @classmethod
    def from_jsonl(cls, lines: str) -> ContentStore:
        """Read what `to_jsonl` wrote; raises `ValueError` on a line that is not such an object."""
        store = cls()
        for line in filter(None, lines.split("\n")):  # a text may hold what splitlines takes for a line's end
            row = fitting(parse_object(line), _CONTENT, "a content")
            ref, kind, text = row.pop("ref"), row.pop("kind"), row.pop("text")
            store._contents[ref] = Content(ref, kind, text, row)
        return store
