"""Answer files that were changed: each asserts something else than the true answer that it was made from.

The text that a file shows is made to agree with the claims afterwards, so that nothing is refused for that alone.

Changes of an answer's value, of what a file shows besides its claims, of its keys and types, and of the file itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random

from kag.core.evidence import Answer
from kag.qa.library import Library
from scripts.attacks.answer_claims import CLAIM_CHANGES, EVIDENCE_CHANGES, Change, Row, pick


def _item(row: Row, random: Random, library: Library) -> bool:
    """An item of a list dropped, put twice, changed, or at another place."""
    items = row["value"]
    if not isinstance(items, list) or not items or not isinstance(items[0], str):
        return False
    before, at = list(items), random.randrange(len(items))
    way = random.choice(("drop", "twice", "change", "move", "cut", "add", "join"))
    if way in ("drop", "move"):
        gone = items.pop(at)
        items += [gone] if way == "move" else []
    elif way == "twice":
        items += items[at : at + 1] if row["answer"].count(items[at]) == 1 else []
    elif way == "join":
        items[at : at + 2] = ["; ".join(items[at : at + 2])]
    elif way == "add":
        items.append("One more")
    else:
        items[at] = items[at][:-1] if way == "cut" and items[at][-2:].isalnum() else items[at] + " too"
    return items != before


def _number(row: Row, random: Random, library: Library) -> bool:
    """Another number, in place of a count or of one among counts by name."""
    if isinstance(row["value"], dict):
        name = random.choice(list(row["value"]))
        row["value"][name] += random.choice((1, 7))
        return True
    if isinstance(row["value"], int):
        row["value"] += random.choice((-1, 1, 7))
        return True
    return False


def _name(row: Row, random: Random, library: Library) -> bool:
    """A name among counts dropped, changed or added."""
    if not isinstance(row["value"], dict):
        return False
    name = random.choice([name for name, number in row["value"].items() if number] or [""])
    number = row["value"].pop(name, 3)
    row["value"] |= random.choice(({}, {"mice": number}, {name: number, "mice": 1}, {name + "x": number}))
    return True


def _words(row: Row, random: Random, library: Library) -> bool:
    """Another text in place of a value that is a text."""
    value = row["value"]
    if not isinstance(value, str) or not row["claims"]:
        return False
    cut = value[:-1] if value[-2:].isalpha() else value + "9"
    row["value"] = random.choice((cut, "no", "Something that nobody says", value.replace("e", "е", 1) + "x", ""))
    return True


def _kind(row: Row, random: Random, library: Library) -> bool:
    """A value of another type."""
    value = row["value"]
    if value is None or value in ("no", 0, []):
        return False
    others = [True, 0.5, [], {}, "", [1], {"a": "b"}, [None], {"a": 1.0}, [["a"]], 0, "no", [str(value)[:-1]]]
    row["value"] = random.choice([*others, *([None] if any(claim["count"] for claim in row["claims"]) else [])])
    return True


def _value_of_nothing(row: Row, random: Random, library: Library) -> bool:
    row["value"] = random.choice((3, "yes", ["Ice"], {"figures": 2}))
    return not row["claims"]


def _found(row: Row, random: Random, library: Library) -> bool:
    row["found"] = random.choice((not row["claims"], None, "true", 1))
    return True


def _told(row: Row, random: Random, library: Library) -> bool:
    """Another text shown than the claims say."""
    row["answer"] = random.choice((row["answer"] + " Surely.", row["answer"][:-1], "", row["answer"] + "\n"))
    return True


def _papers(row: Row, random: Random, library: Library) -> bool:
    before = list(row["papers"])
    row["papers"] = random.choice(
        ([], [*before, "nobody"], [*before, *before], [name for name in library if name not in before])
    )
    return bool(row["claims"]) and row["papers"] != before


def _key(row: Row, random: Random, library: Library) -> bool:
    """A key too many or too few, at any level."""
    places = [row, *row["claims"], *(one for claim in row["claims"] for one in claim["evidence"]), *row["dropped"]]
    place = random.choice(places)
    if random.randrange(2):
        place[random.choice(("note", "Answer", "text ", "verified"))] = random.choice((True, "as I said", None))
    else:
        place.pop(random.choice([key for key in place if key != "answer"]))
    return True


def _type(row: Row, random: Random, library: Library) -> bool:
    """A field with a value of another type."""
    picked = pick(row, random)
    place, key = random.choice(
        [
            (
                row,
                random.choice(
                    ("id", "question", "mode", "label", "claims", "dropped", "searches", "papers", "stopped")
                ),
            ),
            *(
                [
                    (picked[0], random.choice(("text", "evidence", "verdict"))),
                    (picked[1], random.choice(list(picked[1]))),
                ]
                if picked
                else []
            ),
        ]
    )
    before = place[key]
    place[key] = random.choice((True, 1.5, -1, None, {"a": 1}, [[]], "x", float("inf"), float("nan"), 10**30))
    return type(before) is not type(place[key]) and not (key == "confidence" and place[key] is True and before == 1)


VALUE_CHANGES: tuple[Change, ...] = (_item, _number, _name, _words, _kind, _value_of_nothing, _found, _told, _papers)
BREAKS: tuple[Change, ...] = (_key, _type)


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


_CHANGES = (*EVIDENCE_CHANGES, *CLAIM_CHANGES, *VALUE_CHANGES)
_FREE: Row = {
    "id": "another",
    "label": "somebody else",
    "question": "What is said?",
    "usage": {"calls": 9},
    "stopped": "the budget",
}


def changed(true: Sequence[Answer], library: Library, random: Random) -> Iterator[tuple[str, bytes, bool]]:
    """Changed answer files without end: what was done, the bytes, whether the file has to verify all the same."""
    while True:
        row = json.loads(random.choice(true).to_json())
        asked, way = row["question"], random.random()
        if way < 0.1:
            name = random.choice(list(_FREE))
            row[name] = _FREE[name] if name != "question" else asked + " Please."
            yield f"unchecked {name}: {asked}", _bytes(row), True
        elif way < 0.25:
            name, spoil = random.choice(SPOILT)
            yield f"{name}: {asked}", spoil(_bytes(row).decode(), random).encode("utf-8", "surrogatepass"), False
        elif way < 0.4:
            change = random.choice(BREAKS)
            if change(row, random, library):
                yield f"{change.__name__}: {asked}", _bytes(row), False
        else:
            names = _change(row, random, library)
            if names:
                yield f"{', '.join(names)}: {asked}", _bytes(row), False


def _change(row: Row, random: Random, library: Library) -> list[str]:
    """Change an answer in one or two places, and the text that it shows with its claims; what was done, by name."""
    before = deepcopy(row)
    chosen = random.sample(_CHANGES, random.choice((1, 1, 2)))
    done = [change.__name__.strip("_") for change in chosen if change(row, random, library)]
    if row["claims"] != before["claims"] and "told" not in done:
        row["answer"] = "\n".join(claim["text"] for claim in row["claims"]) or "The paper does not say."
        row["found"] = row["found"] if "found" in done else bool(row["claims"])
    return done if row != before else []


def _bytes(row: Row) -> bytes:
    return (json.dumps(row, ensure_ascii=False, indent=2) + "\n").encode()
