"""How right measurements are, counted as the scorer of MeasEval (SemEval-2021 task 8) counts.

Quantities of both sides that overlap or touch are a pair; what belongs to a quantity is compared within its pair, and
all that has no pair counts 0. A row is scored "exact" (1 for the same span) and "overlap" (F1 of the words that both
spans have, cut at blanks); units, modifiers and relations are right or wrong. The figure of a kind is the mean of its
rows, the overall figure the mean of all rows. Counting follows eval/measeval-eval.py of harperco/MeasEval at 1fa738b.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.layers.values import Measurement, Mention
from kag.values.errors import SourceError

KINDS = ("Quantity", "Unit", "modifier", "MeasuredEntity", "MeasuredProperty", "Qualifier", "HasQuantity",
         "HasProperty", "Qualifies")  # fmt: skip
DRAWS, SEED = 2000, 20_240_229
_PARTS = ("MeasuredEntity", "MeasuredProperty", "Qualifier")
_HINT = "Give JSON lines, plain or .gz: an object a line with id, doc, text, spans and relations."


@dataclass(frozen=True, slots=True)
class Part:
    """A span of a text, `kind` one of the four of MeasEval; `qualifies` is the kind that a qualifier belongs to."""

    kind: str
    start: int
    end: int
    text: str
    qualifies: str = ""


@dataclass(frozen=True, slots=True)
class Annotated:
    """One quantity with its unit as printed, its modifiers, and what belongs to it."""

    quantity: Part
    unit: str = ""
    mods: frozenset[str] = frozenset()
    parts: tuple[Part, ...] = ()

    def first(self, kind: str) -> Part | None:
        return next((part for part in self.parts if part.kind == kind), None)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of a set with its annotations; `doc` names the paper."""

    id: str
    doc: str
    text: str
    gold: tuple[Annotated, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What one pair, or one thing without a pair, counts; `side` is "both", "found" or "gold"."""

    kind: str
    side: str
    exact: float = 0.0
    overlap: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One kind, or "all", over papers: rows by side, and the means with their 95 % intervals over drawn papers.

    `precision`, `recall` and `f1` count any overlap as right; `exact_f1` counts the same spans only.
    """

    kind: str
    both: int
    found_only: int
    gold_only: int
    precision: float
    recall: float
    f1: float
    exact_precision: float
    exact_recall: float
    exact_f1: float
    exact: float
    exact_interval: tuple[float, float]
    overlap: float
    overlap_interval: tuple[float, float]


def read_measeval(file: Path) -> tuple[Paragraph, ...]:
    """The paragraphs of a file; raises `SourceError`."""
    try:
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as lines:
            return tuple(_paragraph(json.loads(line)) for line in lines if line.strip())
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{file}: {type(error).__name__}: {error}", hint=_HINT) from error


def _paragraph(row: Mapping[str, Any]) -> Paragraph:
    kinds = {span["id"]: span["type"] for span in row["spans"]}
    target = {one["head"]: kinds[one["tail"]] for one in row["relations"] if one["type"] == "Qualifies"}
    sets: dict[int, list[Mapping[str, Any]]] = {}
    for span in row["spans"]:
        sets.setdefault(span["set"], []).append(span)
    return Paragraph(row["id"], row["doc"], row["text"], tuple(_annotated(spans, target) for spans in sets.values()))


def _annotated(spans: Sequence[Mapping[str, Any]], target: Mapping[str, str]) -> Annotated:
    quantity = next(span for span in spans if span["type"] == "Quantity")
    parts = tuple(
        Part(one["type"], one["start"], one["end"], one["text"], target.get(one["id"], ""))
        for one in spans
        if one is not quantity
    )
    return Annotated(
        Part("Quantity", quantity["start"], quantity["end"], quantity["text"]),
        quantity.get("unit") or "",
        frozenset(quantity.get("mods") or ()),
        parts,
    )


def annotated(found: Sequence[Measurement]) -> tuple[Annotated, ...]:
    """Measurements of one passage in the form of the set; those that share a mention are a list."""
    groups: dict[tuple[int, int], list[Measurement]] = {}
    for one in found:
        groups.setdefault((one.mention.start, one.mention.end), []).append(one)
    return tuple(_told(group) for group in groups.values())


def _told(group: Sequence[Measurement]) -> Annotated:
    last = group[-1]
    parts = [_part("MeasuredEntity", last.entity), _part("MeasuredProperty", last.measured)]
    if last.entity is None:  # the set has no property without an entity
        parts = [_part("MeasuredEntity", last.measured)]
    kind = "MeasuredProperty" if last.entity and last.measured else "Quantity"
    parts += [_part("Qualifier", condition, kind) for condition in last.conditions]
    told = tuple(part for part in parts if part)
    return Annotated(_part("Quantity", last.mention) or Part("", 0, 0, ""), last.value.unit, _mods(group), told)


def _part(kind: str, mention: Mention | None, qualifies: str = "") -> Part | None:
    return Part(kind, mention.start, mention.end, mention.text, qualifies) if mention else None


def _mods(group: Sequence[Measurement]) -> frozenset[str]:
    """The modifiers of MeasEval that a reading says."""
    one = group[0]
    value, words = one.value, f"{one.mention.text} {one.measured.text if one.measured else ''}".casefold()
    ranged = value.bound in ("<", "<=", ">", ">=") or (value.value is None and value.low is not None)
    mods = {
        "IsCount": bool(one.counted),
        "IsList": len(group) > 1,
        "IsRange": ranged and len(group) == 1,
        "IsApproximate": value.bound == "~",
        "HasTolerance": value.uncertainty is not None,
        "IsMean": "mean" in words.split() or "average" in words.split(),
    }
    return frozenset(name for name, holds in mods.items() if holds)


def rows(gold: Sequence[Annotated], found: Sequence[Annotated]) -> Iterator[Row]:
    """All rows of one text."""
    pairs = [(one, other) for one in found for other in gold if _touch(one.quantity, other.quantity)]
    yield from _spans("Quantity", [(a.quantity, b.quantity) for a, b in pairs],
                      [one.quantity for one in found], [one.quantity for one in gold])  # fmt: skip
    partner = {one.quantity: other for one, other in pairs}  # the last, where there are several
    met = [(one, partner.get(one.quantity)) for one in found]
    matched: list[tuple[Annotated, Annotated, Part, Part]] = []
    for kind in _PARTS:
        here = [(one, other, a, b) for one, other in met if other
                for a in one.parts for b in other.parts if a.kind == b.kind == kind and _touch(a, b)]  # fmt: skip
        matched += here
        yield from _spans(kind, [(a, b) for _, _, a, b in here],
                          [part for one in found for part in one.parts if part.kind == kind],
                          [part for one in gold for part in one.parts if part.kind == kind])  # fmt: skip
    yield from _facts("Unit", met, gold, lambda one: {one.unit} - {""})
    yield from _facts("modifier", met, gold, lambda one: one.mods)
    yield from _relations(met, gold, matched)


def _touch(one: Part, other: Part) -> bool:
    return one.start <= other.end and other.start <= one.end


def _spans(kind: str, pairs: Sequence[tuple[Part, Part]], found: Sequence[Part], gold: Sequence[Part]) -> Iterator[Row]:
    best: dict[int, float] = {}
    for one, other in pairs:
        best[id(one)] = max(best.get(id(one), 0.0), _overlap(one, other))
    met = {id(other) for _, other in pairs}
    for one, other in pairs:
        yield Row(kind, "both", float((one.start, one.end) == (other.start, other.end)), best[id(one)])
    yield from (Row(kind, "found") for one in found if id(one) not in best)
    yield from (Row(kind, "gold") for one in gold if id(one) not in met)


def _overlap(one: Part, other: Part) -> float:
    """F1 of words at blanks; spans that only touch share one empty word, as in the scorer."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    shared = len(one.text[start - one.start : max(end - one.start, 0)].split(" "))
    precision, recall = shared / len(one.text.split(" ")), shared / len(other.text.split(" "))
    return 2 * precision * recall / (precision + recall)


def _facts(kind: str, met: Sequence[tuple[Annotated, Annotated | None]], gold: Sequence[Annotated], of: Any) -> Iterator[Row]:
    """Units and modifiers: right when the other side says the same."""
    right = {(id(other), fact) for one, other in met if other for fact in of(one) & of(other)}
    for one, other in met:
        for fact in sorted(of(one)):
            if other and fact in of(other):
                yield Row(kind, "both", 1.0, 1.0)
            elif kind == "modifier" or not any((id(other), known) in right for known in (of(other) if other else ())):
                yield Row(kind, "found")
    yield from (Row(kind, "gold") for one in gold for fact in of(one) if (id(one), fact) not in right)


def _relations(
    met: Sequence[tuple[Annotated, Annotated | None]],
    gold: Sequence[Annotated],
    matched: Sequence[tuple[Annotated, Annotated, Part, Part]],
) -> Iterator[Row]:
    pairs = {(id(one), id(a), id(b)) for one, _, a, b in matched}
    right: set[tuple[int, str, int]] = set()
    for one, other in met:
        theirs = _related(other) if other else []
        for name, head, tail in _related(one):
            fits = [(kind, source, target) for kind, source, target in theirs if kind == name
                    and (id(one), id(head), id(source)) in pairs
                    and (tail.kind == target.kind == "Quantity" or (id(one), id(tail), id(target)) in pairs)]  # fmt: skip
            right |= {(id(other), kind, id(source)) for kind, source, _ in fits}
            yield from [Row(name, "both", 1.0, 1.0)] * len(fits) or [Row(name, "found")]
    for one in gold:
        yield from (Row(name, "gold") for name, head, _ in _related(one) if (id(one), name, id(head)) not in right)


def _related(one: Annotated) -> list[tuple[str, Part, Part]]:
    """The relations of a quantity: entity to property to quantity, and each qualifier to what it qualifies."""
    entity, measured = one.first("MeasuredEntity"), one.first("MeasuredProperty")
    told = []
    if measured:
        told.append(("HasQuantity", measured, one.quantity))
        told += [("HasProperty", entity, measured)] if entity else []
    elif entity:
        told.append(("HasQuantity", entity, one.quantity))
    for part in one.parts:
        target = one.quantity if part.qualifies == "Quantity" else one.first(part.qualifies)
        if part.kind == "Qualifier" and target:
            told.append(("Qualifies", part, target))
    return told


def figures(papers: Mapping[str, Sequence[Row]]) -> tuple[Figure, ...]:
    """The figures of all kinds that have rows, and of "all" at the end."""
    kinds = [kind for kind in KINDS if any(row.kind == kind for told in papers.values() for row in told)]
    return tuple(_figure(kind, papers) for kind in [*kinds, "all"]) if kinds else ()


def _figure(kind: str, papers: Mapping[str, Sequence[Row]]) -> Figure:
    mine = [[row for row in told if kind in (row.kind, "all")] for told in papers.values()]
    told = [row for group in mine for row in group]
    both, found, gold = (sum(row.side == side for row in told) for side in ("both", "found", "gold"))
    same = sum(row.exact for row in told)
    sums = [(sum(row.exact for row in group), sum(row.overlap for row in group), len(group)) for group in mine]
    exact, overlap = (sum(one[n] for one in sums) / len(told) for n in (0, 1))
    return Figure(
        kind, both, found, gold,
        *_f1(both, both + found, both + gold), *_f1(same, both + found, both + gold),
        exact, _interval([(one[0], one[2]) for one in sums]), overlap, _interval([(one[1], one[2]) for one in sums]),
    )  # fmt: skip


def _f1(right: float, found: int, gold: int) -> tuple[float, float, float]:
    precision, recall = (right / whole if whole else 0.0 for whole in (found, gold))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def _interval(sums: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """The 95 % interval of a ratio of sums over papers that are drawn again with replacement."""
    draw = random.Random(SEED)
    drawn = []
    for _ in range(DRAWS):
        some = draw.choices(sums, k=len(sums))
        count = sum(number for _, number in some)
        drawn.append(sum(value for value, _ in some) / count if count else 0.0)
    drawn.sort()
    return drawn[int(0.025 * DRAWS)], drawn[int(0.975 * DRAWS) - 1]
