"""Put a fault into a module that is imported already, so that nothing has to be imported again.

The faulty source is run beside the module; then each function takes over the code of its faulty twin, and what the
module computes when it is imported (patterns, tables, numbers) takes the place of what stood there, wherever it has
been imported to. Classes stay the ones they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

SAME = ("__name__", "__file__", "__loader__", "__spec__", "__package__", "__builtins__", "__cached__", "__doc__")


def swap(module: ModuleType, source: str, *, values: bool) -> None:
    """Let a module behave as its faulty source says; `values` is for a fault outside of all functions."""
    twin = ModuleType(module.__name__)
    twin.__dict__.update({name: module.__dict__[name] for name in SAME if name in module.__dict__})
    known = sys.modules[module.__name__]
    sys.modules[module.__name__] = twin  # a dataclass looks its module up
    try:
        exec(compile(source, str(module.__file__), "exec"), twin.__dict__)  # its own faults are what it is for
    finally:
        sys.modules[module.__name__] = known
    for name, new in twin.__dict__.items():
        old = module.__dict__.get(name)
        if isinstance(old, type) and isinstance(new, type) and old.__module__ == module.__name__:
            _swap_class(old, new, values=values)
        elif _functions(old) and getattr(old, "__module__", None) == module.__name__:
            _swap_code(old, new)
        elif values and name not in SAME and _is_plain(new, module.__name__):
            _replace(name, old, new)


def _is_plain(value: Any, module: str) -> bool:
    """Whether a value is of no class of the module itself: such a one would equal none of the known ones."""
    return not isinstance(value, (type, ModuleType)) and type(value).__module__ != module


def _functions(value: Any) -> list[FunctionType]:
    """The function that stands behind a name: itself, or what a property, a cache or a decorator wraps."""
    found = list[FunctionType]()
    for _ in range(4):
        if isinstance(value, FunctionType):
            found.append(value)
        wrapped = (
            value.fget
            if isinstance(value, property)
            else value.func
            if isinstance(value, cached_property)
            else getattr(value, "__wrapped__", None) or getattr(value, "__func__", None)
        )
        if wrapped is None:
            break
        value = wrapped
    return found


def _swap_code(old: Any, new: Any) -> None:
    for one, other in zip(_functions(old), _functions(new), strict=True):
        one.__code__, one.__defaults__, one.__kwdefaults__ = other.__code__, other.__defaults__, other.__kwdefaults__
    if hasattr(old, "cache_clear"):
        old.cache_clear()


def _swap_class(old: type, new: type, *, values: bool) -> None:
    for name, value in list(vars(new).items()):
        mine = vars(old).get(name)
        if _functions(mine) and _functions(value):
            _swap_code(mine, value)
        elif values and not name.startswith("__") and not hasattr(value, "__get__"):
            setattr(old, name, value)


def _replace(name: str, old: Any, new: Any) -> None:
    """Put a value where another stood, in all of kag and the tests that hold it."""
    for space in _spaces():
        if name in space and space[name] is old:
            space[name] = new


def _spaces() -> Iterator[dict[str, Any]]:
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("kag", "tests") and module is not None:
            yield module.__dict__
