"""Changes of an answer's value, and of what a file shows besides its claims; and of its keys and types."""

from __future__ import annotations

from random import Random

from kag.qa.library import Library
from scripts.attacks.answer_parts import Change, Row, pick


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


CHANGES: tuple[Change, ...] = (_item, _number, _name, _words, _kind, _value_of_nothing, _found, _told, _papers)
BREAKS: tuple[Change, ...] = (_key, _type)
