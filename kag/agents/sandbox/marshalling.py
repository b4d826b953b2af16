"""Conversion of values, texts and errors into and out of the sandbox, each plain and bounded.

A value is JSON or it does not cross: what is too large, too deep or of another type is an error that says so. An error
crosses as a few words, whatever it makes of being asked for them.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kag.core.errors import BudgetExceeded

STEP_FILE = "<step>"  # the name under which a step's code is parsed on this side
MAX_FRAMES = 5
MAX_SOURCE = 200  # characters of a line of code in an error
MAX_MESSAGE = 2_000  # characters of an error's words
LARGEST = 8 << 20  # characters of a value that crosses, each value in it counted as 16 more
DEEPEST = 100  # levels of lists and dicts
LONGEST_NUMBER = 14_000  # bits of a whole number; Python writes none of more than 4,300 digits

_NAMES = re.compile(r"[^\W\d]\w*")

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
"""

# Errors a tool may raise under its own name. The names that stand for limits of the sandbox are left out on purpose.
SHARED_ERRORS = (
    *(ArithmeticError, AssertionError, AttributeError, FileNotFoundError, IndexError, KeyError, LookupError, NameError),
    *(NotImplementedError, OSError, OverflowError, PermissionError, RuntimeError, TypeError, ValueError),
    *(UnicodeDecodeError, UnicodeEncodeError, ZeroDivisionError),
)


class Output:
    """The output of a step: its head and tail within `cap` characters, and its full length."""

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


@dataclasses.dataclass(frozen=True, slots=True)
class Prepared:
    """A step's code as it is run: whether its value is the text to be shown, and the names that it may set."""

    code: str
    shows: bool = False
    names: frozenset[str] = frozenset()


def prepared(code: str) -> Prepared:
    """The code with its last expression as the text a console shows. Lines keep their numbers.

    The text is made inside, because an odd or huge value would not survive the way out, and by an operator, because
    every name may mean something else there. Code that does not parse is returned as it is: the sandbox says what is
    wrong with it.
    """
    try:
        tree = ast.parse(code, STEP_FILE)
        names = frozenset(_names_set(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Prepared(code, names=frozenset(_NAMES.findall(code)))
    if "exec" in code:  # what a text sets, nobody can tell
        names = frozenset(_NAMES.findall(code))
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return Prepared(code, names=names)
    value = tree.body[-1].value
    lines = [line.encode() for line in code.split("\n")]
    if value.end_lineno is None or value.end_col_offset is None or value.end_lineno > len(lines):
        return Prepared(code, names=names)
    for line, column, mark in (
        (value.end_lineno - 1, value.end_col_offset, b"),)"),
        (value.lineno - 1, value.col_offset, b"'%r' % (("),
    ):
        lines[line] = lines[line][:column] + mark + lines[line][column:]
    return Prepared(b"\n".join(lines).decode(), True, names)


def _names_set(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]


def legible(text: str) -> str:
    """The text without halves of surrogate pairs, which cannot be written as UTF-8, and without subclass of `str`."""
    return str.__str__(text) if str.isascii(text) else str.encode(text, "utf-8", "replace").decode()


def step_code(code: str) -> str:
    """A step's code with line feeds only, so that both sides count the same lines."""
    return legible(code).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain(value: Any, largest: int = LARGEST) -> Any:
    """A value as JSON has it: sets are sorted, tuples are lists, records are dicts.

    Raises `TypeError` for what JSON does not have, `ValueError` for what is too large or too deep.
    """
    return _Plain(largest).made(value)


class _Plain:
    """Makes one value plain while it has room for it."""

    def __init__(self, largest: int) -> None:
        self._largest = self._room = largest

    def made(self, value: Any, depth: int = 0) -> Any:
        self._take(16)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int | float):
            return _number(value)
        if depth >= DEEPEST:
            raise ValueError(f"a value nested more than {DEEPEST} deep (or in itself) does not cross the border")
        depth += 1
        if isinstance(value, Mapping):
            return {self._text(_key(name)): self.made(item, depth) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.made(item, depth) for item in value]
        if isinstance(value, set | frozenset):
            return sorted((self.made(item, depth) for item in value), key=repr)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: self.made(getattr(value, field.name), depth) for field in dataclasses.fields(value)}
        raise TypeError(f"{type(value).__name__} is not a JSON type")

    def _text(self, text: str) -> str:
        self._take(str.__len__(text))
        return legible(text)

    def _take(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise ValueError(f"a value of more than {self._largest} characters does not cross: take less at a time")


def _key(name: Any) -> str:
    return name if isinstance(name, str) else str(name)


def _number(value: float) -> float:
    """A number without subclass, of a size that can be written down."""
    if isinstance(value, int):
        if int.bit_length(value) > LONGEST_NUMBER:
            raise ValueError("a number of more than 4,200 digits does not cross the border")
        return int.__int__(value)
    if not math.isfinite(value):
        raise ValueError(f"{float.__repr__(value)} is not a JSON number")
    return float.__float__(value)


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a tool call: its result, or the error's name and the error to raise in the sandbox."""

    result: Any = None
    error: str | None = None
    raised: dict[str, str] | None = None


def outcome(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
    """Call a tool as the sandbox did. Whatever it does is data, SystemExit too: a tool does not end the program.

    Only a budget that is used up (`BudgetExceeded`) and Ctrl-C (`KeyboardInterrupt`) go through.
    """
    try:
        return Outcome(plain(call(function, plain(args), plain(kwargs))))
    except (BudgetExceeded, KeyboardInterrupt):
        raise
    except BaseException as error:
        return Outcome(error=type(error).__name__, raised=raised(error))


def call(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call a tool as the sandbox did; dspy's tools take names only, so positions are given their names.

    Arguments that do not fit go to the function below dspy's wrapper as they are: it says so in its own words.
    """
    signature = inspect.signature(function)
    try:
        named = dict(signature.bind(*args, **kwargs).arguments)
    except TypeError:
        return getattr(function, "__wrapped__", function)(*args, **kwargs)
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in signature.parameters.values()):
        return function(*args, **kwargs)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            named.update(named.pop(parameter.name, {}))
    return function(**named)


def raised(error: BaseException) -> dict[str, str]:
    """An error of a tool as the sandbox is to raise it, with its hint when it has one."""
    kind = next((cls for cls in type(error).__mro__ if cls in SHARED_ERRORS), RuntimeError)
    message = words_of(error)
    return {
        "exc_type": kind.__name__,
        "message": message if type(error) is kind else legible(f"{type(error).__name__}: {message}"),
    }


def words_of(error: BaseException) -> str:
    """Return an error's message with its hint, in at most `MAX_MESSAGE` characters; "" if it has none."""
    try:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        message = " ".join(part for part in (text, str(getattr(error, "hint", ""))) if part)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a stranger's `__str__` may do anything
        message = "it cannot say what is wrong"
    return legible(head_and_tail(message, MAX_MESSAGE))


def located(message: str, frames: Sequence[Any], code: str, prelude_file: str) -> str:
    """An error with the lines it came through: the step's own, then those of functions made earlier, innermost last."""
    lines = code.split("\n")
    shown = []
    for frame in [frame for frame in frames if frame.filename != prelude_file][-MAX_FRAMES:]:
        own = frame.filename == frames[0].filename and 0 < frame.line <= len(lines)
        source = lines[frame.line - 1] if own else frame.source_line or ""
        where = f" in {frame.function_name}" if frame.function_name not in (None, "<module>") else ""
        shown.append(f"  line {frame.line}{where}: {_cut(source.strip())}")
    return "\n".join([head_and_tail(message, MAX_MESSAGE), *shown])


def _cut(line: str) -> str:
    return line if len(line) <= MAX_SOURCE else f"{line[:MAX_SOURCE]}..."


def head_and_tail(text: str, limit: int) -> str:
    """A text within `limit` characters, the middle left out.

    >>> head_and_tail("abcdefgh", 4)
    'ab\\n[4 characters left out]\\ngh'
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
