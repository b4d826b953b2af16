"""Type checks for untrusted JSON.

A shape is a type (`str`, `int`, `float` for any number, `bool`, `object` for anything), None, `[shape]` for a list,
`{name: shape}` for an object with at least these names ("name?" may be missing), `Exactly(name=shape)` for one with no
others, `{str: shape}` for an object with any names, or a tuple of shapes one of which fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Shape = Any


class Exactly(dict[str, Shape]):
    """The shape of an object that has these names and no others."""


def without_empty(row: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out values that are None, an empty text or an empty list."""
    return {key: value for key, value in row.items() if value not in ("", [], None)}


def misfit(value: object, shape: Shape, where: str = "") -> str:
    """Describe where and how a value deviates from a shape; "" if it does not.

    >>> misfit({"page": "one", "boxes": [[1, 2]]}, {"page": int, "boxes": [[int]]})
    'page is a text where a whole number is expected'
    >>> misfit([{"text": "a"}, {}], [{"text": str}])
    '[1] has no text'
    """
    if isinstance(shape, tuple):
        found = [misfit(value, one, where) for one in shape]
        return "" if "" in found else found[-1]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return _wrong(value, "a list", where)
        return next(filter(None, (misfit(one, shape[0], f"{where}[{at}]") for at, one in enumerate(value))), "")
    if isinstance(shape, dict):
        return _object(value, shape, where) if isinstance(value, dict) else _wrong(value, "an object", where)
    kind = (int, float) if shape is float else type(None) if shape is None else shape
    if isinstance(value, kind) and (shape in (bool, object) or not isinstance(value, bool)):
        return ""
    return _wrong(value, _WORDS.get(shape, "nothing"), where)


def fitting(value: Any, shape: Shape, what: str = "") -> Any:
    """The value; raises `ValueError` saying where when it has not the shape."""
    wrong = misfit(value, shape)
    if wrong:
        raise ValueError(f"{what}: {wrong}" if what else wrong)
    return value


def _object(value: dict[str, object], shape: dict[str, Shape], where: str) -> str:
    any_name = shape.get(str)  # type: ignore[call-overload]
    if any_name is not None:
        shape = dict.fromkeys(value, any_name)
    unknown = sorted(value.keys() - shape.keys()) if isinstance(shape, Exactly) else []
    if unknown:
        return f"{where or 'it'} has the unknown key {unknown[0]!r}"
    for name, inner in shape.items():
        key = name.removesuffix("?")
        if key in value:
            wrong = misfit(value[key], inner, f"{where}.{key}" if where else key)
            if wrong:
                return wrong
        elif key == name:
            return f"{where or 'it'} has no {key}"
    return ""


def _wrong(value: object, wanted: str, where: str) -> str:
    return f"{where or 'it'} is {_WORDS.get(type(value), 'nothing')} where {wanted} is expected"


_WORDS: dict[object, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}
