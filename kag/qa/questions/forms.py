"""Forms of words: what stands in a row, written as a line, so that a form of questions is one line of a table.

    who|whom        one of these words          THE                 a set of words
    the?  THE*      if it stands here; all that do                  {size}  {asking.count}   a phrase of a table
    <thing>         what a rule reads here      <ed:cite,refer>     a verb in these forms, of these meanings

What rules, verbs and tables without a row read is handed on in the order of the line, None for what is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from kag.qa.questions.lexicon import FORMS
from kag.qa.questions.words import Read, Words

SETS = {
    "BE": "is|are|was|were|can|be|may",
    "DO": "do|does|did",
    "HAVE": "has|have|had",
    "THE": "the|a|an|all|of|any|these",
    "FOR": "of|for|in|from|on|by|to",
    "ASKS": "what|which|how",
}
RULES: dict[str, Callable[[Words, int], list[Read[Any]]]] = {}
"""Rules by the name that forms call them by."""


def called(name: str) -> Callable[[Callable[[Words, int], list[Read[Any]]]], Callable[[Words, int], list[Read[Any]]]]:
    """Give a rule its name in forms."""

    def keep(read: Callable[[Words, int], list[Read[Any]]]) -> Callable[[Words, int], list[Read[Any]]]:
        RULES[name] = read
        return read

    return keep


def said(words: Words, at: int, form: str) -> Iterator[Read[tuple[Any, ...]]]:
    """Every way in which a form stands here, with what it hands on."""
    yield from _said(words, at, _elements(form))


@lru_cache(maxsize=1024)
def _elements(form: str) -> tuple[str, ...]:
    return tuple(form.split())


def _said(words: Words, at: int, elements: tuple[str, ...]) -> Iterator[Read[tuple[Any, ...]]]:
    if not elements:
        yield (), at
        return
    element, rest = elements[0], elements[1:]
    bare = element.rstrip("?*")
    for handed, end in _one(words, at, bare):
        again = elements if element.endswith("*") and not handed else rest
        for more, last in _said(words, end, again):
            yield (*handed, *more), last
        if element.endswith("*"):
            return
    if element != bare:
        for more, last in _said(words, at, rest):
            yield (*((None,) if bare[0] == "<" else ()), *more), last


def _one(words: Words, at: int, element: str) -> Iterator[Read[tuple[Any, ...]]]:
    name = element[1:-1]
    if element[0] == "{":
        table, _, value = name.partition(".")
        for found, end in words.of(table, at):
            if not value or found == value:
                yield (() if value else (found,)), end
    elif element[0] == "<" and name.partition(":")[0].split(",")[0] in FORMS:
        forms, _, meanings = name.partition(":")
        for verb, end in words.verbs(at, *forms.split(",")):
            if verb.meaning in meanings.split(","):
                yield (verb,), end
    elif element[0] == "<":
        yield from (((one,), end) for one, end in RULES[name](words, at))
    elif words.low(at) in SETS.get(element, element).split("|"):
        yield (), at + 1
