"""A wish in a line, for tables of questions: `reference(cited in [section(is 'Methods'/role)] ONLY) .title`."""

from __future__ import annotations

from pathlib import Path

from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Name, Order, Place, Query


def query(one: Query) -> str:
    parts = [f"{one.ask} " if one.ask != "list" else "", one.kind, f"({'; '.join(map(condition, one.where))})"]
    parts += [order(one.order)] if one.order else []
    parts += [place(one.place)] if one.place else []
    parts += [f" .{','.join(one.get)}"] if one.get else []
    parts += [f" among {', '.join(map(query, one.among))}"] if one.among else []
    parts += [f" each {one.each}"] if one.each else []
    return "".join(parts)


def condition(one: Condition | AnyOf) -> str:
    if isinstance(one, AnyOf):
        return f"any({' | '.join(map(condition, one.conditions))})"
    parts = ["not" if one.negated else "", one.relation]
    parts += [name(one.name)] if one.name else []
    parts += [f"[{query(one.of)}]"] if one.of else []
    parts += [f"{one.low}..{one.high if one.high < MANY else '*'}"] if (one.low, one.high) != (1, MANY) else []
    parts += ["ONLY" if one.only else "", "DIRECT" if one.direct else ""]
    return " ".join(filter(None, parts))


def name(one: Name) -> str:
    return f"{one.text!r}/{one.way}"


def order(one: Order) -> str:
    return f" by {one.by}{f' of {query(one.of)}' if one.of else ''}{' desc' if one.descending else ''}"


def place(one: Place) -> str:
    where = query(one.of) if one.of else f"{one.at}..{one.to}"
    return f" @{one.way} {where}{'~' if one.level else ''}"


def table(name: str) -> list[tuple[str, str]]:
    """(queries, question) for each question of a file of groups."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    groups = [[line for line in group.splitlines() if line[:1] != "#"] for group in text.strip().split("\n\n")]
    return [(group[0], question) for group in groups for question in group[1:]]
