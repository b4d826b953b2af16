"""What crosses the border of the sandbox: values in, text and errors out, each made plain on its way."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

STEP_FILE = "<step>"  # the name under which a step's code is parsed on this side
MAX_FRAMES = 5

# A step is parsed only to find its last expression; what Python would warn of there is the model's affair.
warnings.filterwarnings("ignore", module=STEP_FILE)

PRELUDE = """\
import json, re, math, collections, itertools

_next = next

def next(iterable, *default):
    # A generator expression is a list here; taking its first item is what next() means for it.
    if isinstance(iterable, list):
        if iterable:
            return iterable.pop(0)
        if default:
            return default[0]
        raise StopIteration
    return _next(iterable, *default)

def callable(value):
    kinds = ("function", "builtin_function_or_method", "type", "method")
    return str(type(value))[8:-2] in kinds or hasattr(type(value), "__call__")

def __show__(value):
    if value is not None:
        print(repr(value))
"""

# Errors a tool may raise under its own name. The names that stand for limits of the sandbox are left out on purpose.
SHARED_ERRORS = (
    *(ArithmeticError, AssertionError, AttributeError, FileNotFoundError, IndexError, KeyError, LookupError, NameError),
    *(NotImplementedError, OSError, OverflowError, PermissionError, RuntimeError, TypeError, ValueError),
    *(UnicodeDecodeError, UnicodeEncodeError, ZeroDivisionError),
)


class Output:
    """What a step printed: the head and the tail within `cap` characters, and how long it truly was."""

    def __init__(self, cap: int) -> None:
        self._half = max(1, cap // 2)
        self._head: list[str] = []
        self._room = self._half
        self._tail = ""
        self.length = 0

    def write(self, _stream: str, text: str) -> None:
        self.length += len(text)
        if self._room:
            self._head.append(text[: self._room])
            text = text[self._room :]
            self._room -= len(self._head[-1])
        if text:
            self._tail = (self._tail + text[-self._half :])[-self._half :]

    def text(self) -> str:
        head = "".join(self._head)
        if self.length == len(head) + len(self._tail):
            return head + self._tail
        # Said at the very end, because whoever cuts the text again keeps its end.
        return f"{head}\n...\n{self._tail}\n[{self.length} characters were printed; the middle is not shown]"


def echo(code: str) -> str:
    """The code with its last expression shown, as a console does, by `__show__` inside the sandbox.

    Inside, because an odd or huge value would not survive the way out. Lines keep their numbers.
    Code that does not parse is returned as it is: the sandbox says what is wrong with it.
    """
    try:
        body = ast.parse(code, STEP_FILE).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    if not body or not isinstance(body[-1], ast.Expr):
        return code
    value = body[-1].value
    lines = [line.encode() for line in code.split("\n")]
    if value.end_lineno is None or value.end_col_offset is None or value.end_lineno > len(lines):
        return code
    for line, column, mark in (
        (value.end_lineno - 1, value.end_col_offset, b"))"),
        (value.lineno - 1, value.col_offset, b"__show__(("),
    ):
        lines[line] = lines[line][:column] + mark + lines[line][column:]
    return b"\n".join(lines).decode()


def legible(text: str) -> str:
    """The text without halves of surrogate pairs, which cannot be written as UTF-8, and without subclass of `str`."""
    return str.__str__(text) if text.isascii() else text.encode("utf-8", "replace").decode()


def step_code(code: str) -> str:
    """A step's code with line feeds only, so that both sides count the same lines."""
    return legible(code).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain(value: Any) -> Any:
    """A value as JSON has it: sets are sorted, tuples are lists, records are dicts; raises `TypeError` for the rest."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, Mapping):
        return {name if type(name) is str else str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} is no type of JSON")


def seen(value: Any) -> Any:
    """A value as JSON has it, for the record: what JSON has not is named by its type, here or one level down."""
    try:
        return plain(value)
    except (TypeError, RecursionError):
        pass
    if isinstance(value, Mapping):
        return {str(name): _seen_part(item) for name, item in value.items()}
    return [_seen_part(item) for item in value] if isinstance(value, list | tuple) else f"<{type(value).__name__}>"


def _seen_part(value: Any) -> Any:
    try:
        return plain(value)
    except (TypeError, RecursionError):
        return f"<{type(value).__name__}>"


def call(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call a tool as the sandbox did; dspy's tools take names only, so positions are given their names.

    Arguments that do not fit go to the function below dspy's wrapper as they are: it says so in its own words.
    """
    signature = inspect.signature(function)
    try:
        named = dict(signature.bind(*args, **kwargs).arguments)
    except TypeError:
        return getattr(function, "__wrapped__", function)(*args, **kwargs)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            named.update(named.pop(parameter.name, {}))
    return function(**named)


def raised(error: Exception) -> dict[str, str]:
    """An error of a tool as the sandbox is to raise it, with its hint when it has one."""
    kind = next((cls for cls in type(error).__mro__ if cls in SHARED_ERRORS), RuntimeError)
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    hint = getattr(error, "hint", "")
    message = " ".join(part for part in (text, hint) if part)
    return {
        "exc_type": kind.__name__,
        "message": message if type(error) is kind else f"{type(error).__name__}: {message}",
    }


def located(message: str, frames: Sequence[Any], code: str, prelude_file: str) -> str:
    """An error with the lines it came through: the step's own, then those of functions made earlier, innermost last."""
    lines = code.split("\n")
    shown = []
    for frame in [frame for frame in frames if frame.filename != prelude_file][-MAX_FRAMES:]:
        own = frame.filename == frames[0].filename and 0 < frame.line <= len(lines)
        source = lines[frame.line - 1] if own else frame.source_line or ""
        where = f" in {frame.function_name}" if frame.function_name not in (None, "<module>") else ""
        shown.append(f"  line {frame.line}{where}: {source.strip()}")
    return "\n".join([message, *shown])
