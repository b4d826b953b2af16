"""Shapes of JSON from files."""

from __future__ import annotations

import json

import pytest

from kag.core.content import CELLS, ContentStore
from kag.core.errors import RunError
from kag.core.shapes import Exactly, fitting, misfit

ROW = {"block": str, "page": int, "boxes": [[int]], "share?": float, "flag?": bool, "note?": (str, [str])}
GOOD = {"block": "b", "page": 1, "boxes": [[1, 2, 3, 4]]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"share": 1, "flag": True, "note": ["a"], "else": None}, ""),
        ({"page": True}, "page is true or false where a whole number is expected"),
        ({"page": 1.0}, "page is a number where a whole number is expected"),
        ({"share": "1"}, "share is a text where a number is expected"),
        ({"share": True}, "share is true or false where a number is expected"),
        ({"flag": 1}, "flag is a whole number where true or false is expected"),
        ({"boxes": [[1], [None]]}, "boxes[1][0] is null where a whole number is expected"),
        ({"boxes": {}}, "boxes is an object where a list is expected"),
        ({"note": [1]}, "note[0] is a whole number where a text is expected"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(change: dict[str, object], said: str) -> None:
    assert misfit({**GOOD, **change}, ROW) == said


@pytest.mark.parametrize(
    ("value", "shape", "problem"),
    [
        ({"a": 1, "b": 2}, {str: int}, ""),
        ({"a": 1, "b": "2"}, {str: int}, "b is a text where a whole number is expected"),
        ({"a": 1}, Exactly(a=(None, int)), ""),
        ({"a": None}, Exactly(a=(None, int)), ""),
        ({"a": 1, "b": 2}, Exactly(a=int), "it has the unknown key 'b'"),
        ({}, Exactly(a=int), "it has no a"),
    ],
)
def test_objects_may_have_any_names_or_no_others(value: object, shape: object, problem: str) -> None:
    assert misfit(value, shape) == problem


def test_a_missing_name_is_said_and_a_value_that_fits_is_given_back() -> None:
    with pytest.raises(ValueError, match="a row: it has no boxes"):
        fitting({"block": "b", "page": 1}, ROW, "a row")
    assert fitting(GOOD, ROW) is GOOD


@pytest.mark.parametrize("line", ["[]", "1", '{"ref": "a", "kind": "b"}', '{"ref": 1, "kind": "b", "text": ""}',
                                  '{"ref": "a", "kind": "b", "text": "", "nodes": [{}]}', "["])  # fmt: skip
def test_a_content_store_of_another_shape_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        ContentStore.from_jsonl(line + "\n")


def test_data_of_another_shape_is_an_error_of_the_run() -> None:
    store = ContentStore()
    good = store.put("cells", json.dumps([["a", 1], [None]]))
    assert store.data(good, CELLS) == [["a", 1], [None]]
    assert store.data("cells:none", CELLS) is None
    for text in ("{}", "[1]", "[[{}]]", "[", "[" * 100_000):
        with pytest.raises(RunError, match="cannot be read"):
            store.data(store.put("cells", text), CELLS)
