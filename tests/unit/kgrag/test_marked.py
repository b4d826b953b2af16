"""YAML is read alike with and without libyaml: values, lines, keys that come again, and what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from kag.core.errors import SourceError
from kag.kgrag.yaml_with_positions import Lined, parse_marked

TEXTS = (
    "a: 1\nb: [x, 'y', \"2\", 2.5, ~]\na: again\n",
    "jobs:\n  one: {needs: [zero]}\n  two:\n    - run: |\n        a\n        b\n    - &x >-\n        c\n    - *x\n",
    "on: yes\nkey with a\ttab: value\twith a tab\n",
    "a: 1\n\ufeffb: 2\n",
    "? [a, b]\n: c\n",
    "a: [1, 2\nb: 3\n",
    "a: *nobody\n",
    "a: " + "[" * 300,
    "",
)


def told(text: str) -> Any:
    """All that is read of a text, or the words for what is wrong with it."""
    try:
        return _with_lines(parse_marked(text))
    except SourceError as error:
        return str(error)


def _with_lines(value: Any) -> Any:
    if isinstance(value, Lined):
        return value.line, value.lines, value.again, [(key, _with_lines(one)) for key, one in value.items()]
    return [_with_lines(one) for one in value] if isinstance(value, list) else (type(value), value)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@pytest.mark.parametrize("text", TEXTS)
def test_the_same_is_read_without_libyaml(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(text)
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert told(text) == found
