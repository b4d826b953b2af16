"""`told`: what the client of an engine raises, of its network, its files, its versions, is a `RunError`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from kag.core.errors import KagError, RunError

Store = TypeVar("Store")
LONGEST = 300  # characters of what a client says


def told(engine: str, hint: str) -> Callable[[type[Store]], type[Store]]:
    """Make a `RunError` with this hint of all that the methods of a store raise and that is no `KagError`.

    Clients raise what their libraries do, of no common kind, and differently with a server and with a folder.
    """

    def decorated(store: type[Store]) -> type[Store]:
        for name, method in list(vars(store).items()):
            if callable(method) and not name.startswith("_"):
                setattr(store, name, _told(method, engine, hint))
        return store

    return decorated


def _told(method: Callable[..., Any], engine: str, hint: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except (KagError, MemoryError):
            raise
        except Exception as error:
            said = " ".join(str(error).split())[:LONGEST] or type(error).__name__
            raise RunError(f"{engine}: {said}", hint=hint) from error

    return call
