"""The small faults that a module's source can have: a comparison turned, a number off by one, a condition dropped.

Each is a change of a few characters at one place. Left alone are docstrings, annotations, messages, decorators, and
what stands under `if TYPE_CHECKING`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "startswith": "endswith", "endswith": "startswith"}
_SWAPPED |= {"sorted": "list", "partition": "rpartition", "rpartition": "partition", "find": "rfind", "rfind": "find"}
_EMPTY = {"bool": "False", "str": "''", "int": "0", "float": "0.0", "None": "None"}
_CONTAINERS = ("list", "tuple", "dict", "set", "frozenset", "Sequence", "Iterable", "Iterator", "Mapping", "Collection")
_COUNTABLE = 20  # numbers below are off by one; larger ones measure something, and are doubled or halved
_SHORT = 16  # characters of a change that says nothing without its line


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: where it is (line from 1, characters of the source), in which function, what stood and what stands.

    `within` is the text of its first line; `is_inside` says that a function has to run for it to tell.
    """

    line: int
    start: int
    end: int
    function: str
    old: str
    new: str
    within: str
    is_inside: bool

    def applied(self, source: str) -> str:
        return source[: self.start] + self.new + source[self.end :]

    @property
    def change(self) -> str:
        """The change in one line, the same as long as its own line stays: `audit: a < b -> a <= b`."""
        said = f"{self.function}: {_one_line(self.old)} -> {_one_line(self.new)}"
        return f"{said}  in  {self.within}" if len(self.old) < _SHORT else said


def _one_line(text: str) -> str:
    return " ".join(text.split())


def mutants(source: str) -> list[Mutant]:
    """All faults of a source, in the order of its text; those that do not compile are no faults, see `is_one`."""
    tree = ast.parse(source)
    early = _called_early(tree)
    starts, lines = _line_starts(source), [line.strip() for line in source.splitlines()]
    found = {}
    for node, function, returns, inside in _walked(tree, "module", None, False):
        for new in _changes(node, returns):
            start, end = _offset(source, starts, node, "start"), _offset(source, starts, node, "end")
            new_text = f"({ast.unparse(new)})" if isinstance(new, ast.expr) else ast.unparse(new)
            place = (node.lineno, start, end, function, source[start:end])
            found[Mutant(*place, new_text, lines[node.lineno - 1], inside and function not in early)] = None
    return sorted(found, key=lambda one: (one.start, one.end, one.new))


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _offset(source: str, starts: list[int], node: ast.expr | ast.stmt, side: str) -> int:
    """A place of the syntax tree (line, and column in bytes) in characters of the source."""
    lineno, column = (
        (node.lineno, node.col_offset) if side == "start" else (node.end_lineno or 0, node.end_col_offset or 0)
    )
    line = source[starts[lineno - 1] : starts[lineno]]
    return starts[lineno - 1] + len(line.encode()[:column].decode())


def _called_early(tree: ast.Module) -> set[str]:
    """The functions that are called when the module is imported, to make its tables."""
    outside = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    calls = [node for one in outside for node in ast.walk(one) if isinstance(node, ast.Call)]
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def is_one(mutant: Mutant, source: str) -> bool:
    """Whether a fault compiles, and changes anything but how the source is written."""
    try:
        return ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return False


Place = tuple["ast.expr | ast.stmt", str, "ast.expr | None", bool]


def _walked(node: ast.AST, function: str, returns: ast.expr | None, inside: bool) -> Iterator[Place]:
    """The expressions and statements that may change, each with its function and what that says to return."""
    if isinstance(node, ast.FunctionDef):
        function, returns, inside = node.name, node.returns, True
    elif isinstance(node, ast.ClassDef):
        function = node.name
    if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node, function, returns, inside
    for child in _kept_children(node):
        yield from _walked(child, function, returns, inside)


def _kept_children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)):
        return
    left_out = {"annotation", "returns", "decorator_list", "slice"} if _is_type(node) else set()
    left_out |= {"annotation", "returns", "decorator_list"}
    for name, value in ast.iter_fields(node):
        if name not in left_out and not _is_safeguard(node):
            yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST))


def _is_safeguard(node: ast.AST) -> bool:
    """Whether an argument only guards against bugs: `zip(..., strict=True)`."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_type(node: ast.AST) -> bool:
    """Whether a subscript is one of types: `dict[str, int]`."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _CONTAINERS


def _changes(node: ast.expr | ast.stmt, returns: ast.expr | None) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.expr):
        yield from _of_expression(node)
    else:
        yield from _of_statement(node, returns)


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:  # noqa: C901 - one case for each kind
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                for turned in _COMPARED[type(op)]:
                    yield _with(node, ops=[*ops[:place], turned(), *ops[place + 1 :]])
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _COUNTED and not _is_text(left, right):
            yield _with(node, op=_COUNTED[type(op)]())
        case ast.IfExp(test=test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Constant(value=value):
            yield from map(ast.Constant, _other_values(value))
        case ast.Call(func=func) if swapped := _swapped(func):
            yield _with(node, func=swapped)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from _unfiltered(node)


def _other_values(value: object) -> tuple[bool | int | float, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1) if value < _COUNTABLE else (value * 2, value // 2)
    return (value * 1.5, value / 2) if isinstance(value, float) else ()


def _unfiltered(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[ast.expr]:
    """A comprehension with one of its conditions dropped."""
    for place, generator in enumerate(node.generators):
        for number in range(len(generator.ifs)):
            kept = [*generator.ifs[:number], *generator.ifs[number + 1 :]]
            others = node.generators
            yield _with(node, generators=[*others[:place], _with(generator, ifs=kept), *others[place + 1 :]])


def _of_statement(node: ast.stmt, returns: ast.expr | None) -> Iterator[ast.stmt]:
    match node:
        case ast.Return(value=value) if value is not None and not _is_empty(value):
            yield ast.Return(_empty(returns))
            if isinstance(returns, ast.Name) and returns.id == "bool":
                yield ast.Return(ast.Constant(True))
        case ast.AugAssign(op=op) if type(op) in _COUNTED:
            yield _with(node, op=_COUNTED[type(op)]())
            yield ast.Pass()
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()
        case ast.Continue():
            yield from (ast.Break(), ast.Pass())
        case ast.Break():
            yield from (ast.Continue(), ast.Pass())


def _swapped(func: ast.expr) -> ast.expr | None:
    if isinstance(func, ast.Name) and func.id in _SWAPPED:
        return ast.Name(_SWAPPED[func.id])
    if isinstance(func, ast.Attribute) and func.attr in _SWAPPED:
        return _with(func, attr=_SWAPPED[func.attr])
    return None


def _is_text(*sides: ast.expr) -> bool:
    """Whether a sum is one of texts or lists, where a difference is no small fault but a crash."""
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    return any(isinstance(s, kinds) or (isinstance(s, ast.Constant) and isinstance(s.value, str)) for s in sides)


def _is_empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _empty(returns: ast.expr | None) -> ast.expr:
    """What a function of this type returns when it returns nothing."""
    said = ast.unparse(returns) if returns else "None"
    name = said.partition("[")[0]
    if "None" in said or name not in (*_EMPTY, *_CONTAINERS):
        return ast.Constant(None)
    return ast.parse(_EMPTY.get(name, "()"), mode="eval").body


def _with(node: ast.AST, **fields: object):  # noqa: ANN202 - the node's own type
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
