"""What was done to a graph, so that it can be undone: steps of changes, and those who want to hear of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from kag.core.errors import InvalidOperation
from kag.retrieval.property_graph.elements import Change

Listener = Callable[[tuple[Change, ...]], None]
Put = Callable[[Change], None]


class Journal:
    """Steps that were done. A step is one edit, or all edits of a transaction; the oldest are forgotten.

    Listeners hear of a step when it is done for good: at the end of the outermost transaction. What they raise
    reaches who made the edit, and changes nothing.
    """

    def __init__(self, put: Put, steps: int) -> None:
        self._put = put
        self._done: deque[tuple[Change, ...]] = deque(maxlen=steps)
        self._open: list[Change] | None = None
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell somebody of each step; what comes back ends that."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def do(self, changes: Sequence[Change]) -> None:
        """Make changes as one step, or as a part of the open transaction."""
        for change in changes:
            self._put(change)
        if self._open is not None:
            self._open.extend(changes)
        elif changes:
            self._keep(tuple(changes))

    def _keep(self, step: tuple[Change, ...]) -> None:
        self._done.append(step)
        self._tell(step)

    def _tell(self, step: tuple[Change, ...]) -> None:
        for listener in tuple(self._listeners):
            listener(step)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All edits inside are one step, or none happened where something is raised. One inside another joins it."""
        if self._open is not None:
            mark = len(self._open)
            try:
                yield
            except BaseException:
                self._back_to(mark)
                raise
            return
        self._open = []
        try:
            yield
        except BaseException:
            self._back_to(0)
            self._open = None
            raise
        step, self._open = tuple(self._open), None
        if step:
            self._keep(step)

    def _back_to(self, mark: int) -> None:
        """Undo the open transaction down to so many changes."""
        assert self._open is not None
        while len(self._open) > mark:
            self._put(self._open.pop().undone)

    def undo(self) -> tuple[Change, ...]:
        """Take the last step back and return it; nothing where none is known. Raises in an open transaction."""
        if self._open is not None:
            raise InvalidOperation("a transaction is open", hint="Undo after it, or raise inside of it to end it.")
        if not self._done:
            return ()
        step = self._done.pop()
        back = tuple(change.undone for change in reversed(step))
        for change in back:
            self._put(change)
        self._tell(back)
        return step

    def forget(self) -> None:
        """Forget all steps: what is there now stays."""
        self._done.clear()
