"""When a schedule fires: five fields of cron, as POSIX and GitHub Actions read them, and the usual `@` names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
NAMES = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
}
NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_PART = re.compile(r"(\*|[0-9a-z]{1,3})(?:-([0-9a-z]{1,3}))?(?:/([0-9]{1,3}))?\Z")
FARTHEST = 4 * 366 + 1
"""Days that are looked through for the next time: 29 February comes once in four years."""


def cron_fault(value: object) -> str:
    """What is wrong with an expression; nothing where it is right.

    >>> cron_fault("0 25 * * 1")
    "is '0 25 * * 1': 25 is no hour"
    >>> cron_fault("*/15 0-6,12 * jan-mar mon")
    ''
    """
    if not isinstance(value, str):
        return "is not a text"
    try:
        cron_times(value)
    except ValueError as error:
        return f"is {value!r:.60}: {error}"
    return ""


def cron_times(expression: str) -> tuple[frozenset[int], ...]:
    """The minutes, hours, days, months and weekdays (0 is Sunday) of an expression; raises `ValueError`."""
    text = expression.strip().lower()
    fields = NICKNAMES.get(text, text).split()
    if len(fields) != len(FIELDS):
        raise ValueError(f"{len(fields)} fields, not {len(FIELDS)}")
    found = [_field(text, *about) for text, about in zip(fields, FIELDS, strict=True)]
    found[-1] = frozenset(day % 7 for day in found[-1])
    return tuple(found)


def _field(text: str, name: str, least: int, most: int) -> frozenset[int]:
    """The numbers that one field allows."""
    found: set[int] = set()
    for part in text.split(","):
        match = _PART.match(part)
        if match is None or (match[1] == "*" and match[2]):
            raise ValueError(f"{part!r:.20} is no {name}")
        first = least if match[1] == "*" else _number(match[1], name, least, most)
        last = most if match[1] == "*" or (match[3] and not match[2]) else first
        if match[2]:
            last = _number(match[2], name, least, most)
        step = int(match[3] or 1)
        if step < 1 or last < first:
            raise ValueError(f"{part!r:.20} is no {name}")
        found.update(range(first, last + 1, step))
    return frozenset(found)


def _number(text: str, name: str, least: int, most: int) -> int:
    names = NAMES.get(name, [])
    value = names.index(text) + (name == "month") if text in names else int(text) if text.isdigit() else -1
    if not least <= value <= most:
        raise ValueError(f"{text} is no {name}")
    return value


def cron_next(expression: str, after: datetime) -> datetime | None:
    """The next minute after that at which an expression fires; None where it never does. Raises `ValueError`."""
    return next(_fires(expression, after), None)


def _fires(expression: str, after: datetime) -> Iterator[datetime]:
    minutes, hours, days, months, weekdays = cron_times(expression)
    either = len(days) < 31 and len(weekdays) < 7  # both restricted: cron fires on either
    start = after.replace(second=0, microsecond=0) + timedelta(minutes=1)
    for ahead in range(FARTHEST):
        day = (start + timedelta(days=ahead)).replace(hour=0, minute=0)
        on_day, on_weekday = day.day in days, day.isoweekday() % 7 in weekdays
        if day.month in months and (on_day or on_weekday if either else on_day and on_weekday):
            for hour in sorted(hours):
                for minute in sorted(minutes):
                    moment = day.replace(hour=hour, minute=minute)
                    if moment >= start:
                        yield moment
