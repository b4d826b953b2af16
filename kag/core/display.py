"""Show values and progress in a console or a notebook.

Text from papers is data: everything is escaped in HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from html import escape
from pathlib import PurePath
from typing import Any, ClassVar, TypeVar

_LONGEST_TEXT = 40  # characters of one field
_LONGEST = 120  # characters of a line


class OneLine:
    """Mixin for dataclasses (with `repr=False`): a representation of one line, fields without a value left out.

    Long text is cut and collections are counted. `shown` names the attributes to show ("mention.text");
    without it, all fields are shown.
    """

    __slots__ = ()
    shown: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        names = self.shown or tuple(field.name for field in fields(self) if field.repr)  # type: ignore[arg-type]
        name, parts, room = type(self).__name__, [], _LONGEST
        for attribute in names:
            value = _attribute(self, attribute)
            if value is None or (isinstance(value, str | Sequence | Mapping) and not value):
                continue
            part = f"{attribute.partition('.')[0]}={_short(value)}"
            room -= len(part) + 2
            if room < len(name) + 5:
                parts.append("...")
                break
            parts.append(part)
        return f"{name}({', '.join(parts)})"


def _attribute(value: Any, name: str) -> Any:
    """The value of a dotted attribute; None behind None."""
    for part in name.split("."):
        value = None if value is None else getattr(value, part)
    return value


def _short(value: Any) -> str:
    if isinstance(value, str):
        if value.startswith("http://la3d.local/"):  # the last part tells nodes of kag apart
            value = f"…/{value.rpartition('/')[2]}"
        return repr(value if len(value) <= _LONGEST_TEXT else f"{value[: _LONGEST_TEXT - 1]}…")
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, PurePath):
        return repr(str(value))
    if isinstance(value, Sequence | Mapping):
        plain = isinstance(value, Sequence) and all(isinstance(item, str | int | float) for item in value)
        text = repr(value) if plain else ""
        return text if text and len(text) <= _LONGEST_TEXT else f"<{len(value)}>"
    return repr(value)


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table in HTML, escaped."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_list(items: Iterable[tuple[str, str]]) -> str:
    """A numbered list in HTML: a text and, in italics, a note on each; escaped."""
    rows = "".join(f"<li>{escape(text)} <i>{escape(note)}</i></li>" for text, note in items)
    return f"<ol>{rows}</ol>" if rows else ""


Item = TypeVar("Item")

Progress = Callable[[str, int, int], None]
"""Called after each item with what is counted ("papers"), how many are done and how many there are."""


def quiet(what: str, done: int, total: int) -> None:
    """Report nothing."""


def counted(items: Iterable[Item], what: str, total: int, progress: Progress) -> Iterator[Item]:
    """Yield the items; each is reported as done when the next one is asked for."""
    for done, item in enumerate(items, start=1):
        yield item
        progress(what, done, total)


def seconds_left(done: int, total: int, seconds: float) -> float:
    """Seconds that the rest will take at the rate so far; 0 while nothing is done."""
    return seconds / done * max(0, total - done) if done else 0.0


def pace(done: int, total: int, seconds: float) -> str:
    """Rate and remaining time as people read them; empty while nothing is done.

    >>> pace(30, 90, 10.0)
    '3.0 per second, 20 s left'
    >>> pace(5, 500, 100.0)
    '3.0 per minute, 2.8 h left'
    """
    if not done or seconds <= 0:
        return ""
    rate = done / seconds
    speed = f"{rate:.1f} per second" if rate >= 1 else f"{60 * rate:.1f} per minute"
    return speed if done >= total else f"{speed}, {duration(seconds_left(done, total, seconds))} left"


def duration(seconds: float) -> str:
    """A length of time in its largest fitting unit.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
