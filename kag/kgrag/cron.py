"""Check cron expressions: five fields as POSIX and GitHub Actions read them, and the usual `@` names."""

from __future__ import annotations

import re

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
NAMES = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
}
NICKNAMES = frozenset({"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"})
_PART = re.compile(r"(\*|[0-9a-z]{1,3})(?:-([0-9a-z]{1,3}))?(?:/([0-9]{1,3}))?\Z")


def cron_fault(value: object) -> str:
    """Return what is wrong with an expression, "" if nothing is.

    >>> cron_fault("0 25 * * 1")
    "is '0 25 * * 1': 25 is no hour"
    >>> cron_fault("*/15 0-6,12 * jan-mar mon")
    ''
    """
    if not isinstance(value, str):
        return "is not a text"
    try:
        _check(value)
    except ValueError as error:
        return f"is {value!r:.60}: {error}"
    return ""


def _check(expression: str) -> None:
    """Raise `ValueError` for what is no cron expression."""
    text = expression.strip().lower()
    if text in NICKNAMES:
        return
    fields = text.split()
    if len(fields) != len(FIELDS):
        raise ValueError(f"{len(fields)} fields, not {len(FIELDS)}")
    for field, (name, least, most) in zip(fields, FIELDS, strict=True):
        _check_field(field, name, least, most)


def _check_field(text: str, name: str, least: int, most: int) -> None:
    for part in text.split(","):
        match = _PART.match(part)
        if match is None or (match[1] == "*" and match[2]):
            raise ValueError(f"{part!r:.20} is no {name}")
        first = least if match[1] == "*" else _number(match[1], name, least, most)
        last = most if match[1] == "*" or (match[3] and not match[2]) else first
        if match[2]:
            last = _number(match[2], name, least, most)
        if int(match[3] or 1) < 1 or last < first:
            raise ValueError(f"{part!r:.20} is no {name}")


def _number(text: str, name: str, least: int, most: int) -> int:
    names = NAMES.get(name, [])
    value = names.index(text) + (name == "month") if text in names else int(text) if text.isdigit() else -1
    if not least <= value <= most:
        raise ValueError(f"{text} is no {name}")
    return value
