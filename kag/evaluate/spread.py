"""Work on many items in groups: in this process, or each group in a process of an executor.

Results are in the order of the items, whichever was ready first, so that everything computed from them is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from kag.core.errors import KagError, RunError
from kag.core.progress import Progress, counted, quiet
from kag.core.workers import UNLIMITED, Ended, Executor

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Group(Generic[Item]):
    """Items that go together, and their numbers."""

    numbers: tuple[int, ...]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """What the items are called in reports of progress, and who receives them."""

    what: str
    progress: Progress


UNCOUNTED = Counting("items", quiet)


def in_order(
    task: Callable[[Iterable[Item]], Iterable[Result]],
    items: Iterable[Item],
    executor: Executor | None,
    by: Callable[[int, Item], Hashable],
    counting: Counting = UNCOUNTED,
) -> list[Result]:
    """A result an item; without an executor the task is done once for all.

    `by` tells the group of an item from its number and the item. Task, items and results are pickled; a task that may
    be done twice must do the same twice. Raises what the task raises of our own errors (in the first group, in order,
    that has one), and `RunError` where a process is lost.
    """
    given = list(items)
    what, progress = counting.what, counting.progress
    if executor is None:
        return list(task(counted(given, what, len(given), progress)))
    numbers: dict[Hashable, list[int]] = {}
    for number, item in enumerate(given):
        numbers.setdefault(by(number, item), []).append(number)
    groups = [_Group(tuple(own), tuple(given[number] for number in own)) for own in numbers.values()]
    found: dict[int, Result] = {}
    errors: dict[int, KagError] = {}
    for group, done in executor(partial(_done, task), groups, UNLIMITED):
        if isinstance(done, Ended):
            raise RunError(f"part of the work is lost: {done}", hint="Give the command again.")
        if isinstance(done, KagError):
            errors[group.numbers[0]] = done
        else:
            found.update(zip(group.numbers, done, strict=True))
            progress(what, len(found), len(given))
    if errors:
        raise errors[min(errors)]
    return [found[number] for number in range(len(given))]


def alone(number: int, item: object) -> int:
    """Each item is a group."""
    return number


def some(number: int, item: object) -> int:
    """A hundred items are a group: each is little work."""
    return number // 100


def _done(task: Callable[[Iterable[Item]], Iterable[Result]], group: _Group[Item]) -> list[Result] | KagError:
    try:
        return list(task(group.items))
    except KagError as error:
        return error
