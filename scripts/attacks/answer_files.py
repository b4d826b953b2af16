"""Changes of an answer file's characters: keys twice, numbers that are none, pieces cut off or added."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random


def _key_twice(text: str, random: Random) -> str:
    lines = [match for match in re.finditer(r'\n( *"\w+": (?:"[^"\n]*"|\d+|null|true)),?(?=\n)', text)]
    line = random.choice(lines)
    return f"{text[: line.start()]}\n{line[1]},{text[line.start() :]}"


def _constant(text: str, random: Random) -> str:
    return text.replace(
        '"usage": {', f'"usage": {{"usd": {random.choice(("NaN", "Infinity", "-Infinity", "1e999"))},', 1
    ).replace(",}", "}")


def _cut(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) - 2)]


def _more(text: str, random: Random) -> str:
    return text + random.choice(("{}", "x", "\x00", text))


def _format(text: str, random: Random) -> str:
    return text.replace("kag-answer/3", random.choice(("kag-answer/4", "kag-search/1", "", "\\ud800")), 1)


def _surrogate(text: str, random: Random) -> str:
    return text.replace('"question": "', '"question": "\\udc00', 1)


def _deep(text: str, random: Random) -> str:
    return text.replace('"usage": {', '"usage": {"a": ' + "[" * 100_000 + "1],", 1)


def _digits(text: str, random: Random) -> str:
    return (
        text.replace('"usage": {', '"usage": {"calls": "' + "9" * 5_000 + '",', 1)
        .replace('"9', "9", 1)
        .replace('9"', "9", 1)
    )


def _another(text: str, random: Random) -> str:
    return random.choice(("", "[]", "null", "3", '"x"', "{}", f"[{text}]", "\ufeff" + text))


SPOILT: tuple[tuple[str, Callable[[str, Random], str]], ...] = tuple(
    (change.__name__.strip("_"), change)
    for change in (_key_twice, _constant, _cut, _more, _format, _surrogate, _deep, _digits, _another)
)
