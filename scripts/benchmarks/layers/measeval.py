"""How right measurements are, counted as the scorer of MeasEval (SemEval-2021 task 8) counts.

Quantities of both sides that overlap or touch are a pair; what belongs to a quantity is compared within its pair, and
all that has no pair counts 0. An item is scored "exact" (1 for the same span) and "overlap" (F1 of the words that both
spans have, cut at blanks); units, modifiers and relations are right or wrong. The figure of a kind is the mean of its
items, the overall figure the mean of all. Counting follows eval/measeval-eval.py of harperco/MeasEval at 1fa738b.

The labellers of measurements are trained on the development texts, so that figures of these flatter;
`scripts/benchmarks/train_measurements.py` prints those of papers left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kag.layers.values import Measurement, Mention, Passage
from scripts.benchmarks.layers.figure import Figure, by_counts, by_values
from scripts.benchmarks.layers.rows import Row

KINDS = ("Quantity", "Unit", "modifier", "MeasuredEntity", "MeasuredProperty", "Qualifier", "HasQuantity",
         "HasProperty", "Qualifies")  # fmt: skip
_PARTS = ("MeasuredEntity", "MeasuredProperty", "Qualifier")


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
class Item:
    """What one pair, or one thing without a pair, counts; `side` is "both", "found" or "gold"."""

    kind: str
    side: str
    exact: float = 0.0
    overlap: float = 0.0


Finder = Callable[[Sequence[Passage]], Iterable[Measurement]]


def figures(files: Mapping[str, Sequence[Row]]) -> Iterator[Figure]:
    """The figures of each file."""
    from kag.layers.measurements import find_measurements

    for name, texts in files.items():
        yield from score_figures(name, scored(texts, lambda passages: find_measurements(passages, sure=0.0)))


def scored(texts: Iterable[Row], find: Finder) -> dict[str, list[Item]]:
    """The items of each document, each text read as a passage of its own."""
    found: dict[str, list[Item]] = {}
    for text in texts:
        ours = annotated([*find([Passage(text.id, text.text)])])
        found.setdefault(text.doc, []).extend(counted(gold_of(text), ours))
    return found


def score_figures(name: str, documents: Mapping[str, Sequence[Item]]) -> Iterator[Figure]:
    """Overlap and exact means by kind and of all, and F1 of quantities whose span is the same."""
    for kind in (*KINDS, "all"):
        mine = {doc: [item for item in each if kind in (item.kind, "all")] for doc, each in documents.items()}
        yield by_values(f"{name}: {kind}", "overlap", {doc: [item.overlap for item in mine[doc]] for doc in mine})
        yield by_values(f"{name}: {kind}", "exact", {doc: [item.exact for item in mine[doc]] for doc in mine})
        if kind in ("Quantity", *_PARTS):
            yield by_counts(f"{name}: {kind}, same span", {doc: _counts(mine[doc], exact=True) for doc in mine})
            yield by_counts(f"{name}: {kind}, any overlap", {doc: _counts(mine[doc], exact=False) for doc in mine})


def _counts(items: Sequence[Item], *, exact: bool) -> tuple[int, int, int]:
    """Right, wrong and missing."""
    both = sum(item.side == "both" for item in items)
    right = int(sum(item.exact for item in items)) if exact else both
    sides = [sum(item.side == side for item in items) for side in ("found", "gold")]
    return right, both - right + sides[0], both - right + sides[1]


def gold_of(row: Row) -> tuple[Annotated, ...]:
    """The annotations of a text of the set."""
    kinds = {span.id: span.type for span in row.spans}
    target = {one["head"]: kinds[one["tail"]] for one in row.relations if one["type"] == "Qualifies"}
    sets: dict[Any, list[tuple[Part, Mapping[str, Any]]]] = {}
    for span in row.spans:
        part = Part(span.type, span.start, span.end, row.text[span.start : span.end], target.get(span.id, ""))
        sets.setdefault(span.more["set"], []).append((part, span.more))
    return tuple(_annotated(parts) for parts in sets.values())


def _annotated(parts: Sequence[tuple[Part, Mapping[str, Any]]]) -> Annotated:
    quantity, more = next(one for one in parts if one[0].kind == "Quantity")
    others = tuple(part for part, _ in parts if part is not quantity)
    return Annotated(quantity, more.get("unit") or "", frozenset(more.get("mods") or ()), others)


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
        "IsCount": bool(one.counted and not value.unit),
        "IsList": len(group) > 1,
        "IsRange": ranged and len(group) == 1,
        "IsApproximate": value.bound == "~",
        "HasTolerance": value.uncertainty is not None,
        "IsMean": "mean" in words.split() or "average" in words.split(),
    }
    return frozenset(name for name, holds in mods.items() if holds)


def counted(gold: Sequence[Annotated], found: Sequence[Annotated]) -> Iterator[Item]:
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


def _spans(
    kind: str, pairs: Sequence[tuple[Part, Part]], found: Sequence[Part], gold: Sequence[Part]
) -> Iterator[Item]:
    best: dict[int, float] = {}
    for one, other in pairs:
        best[id(one)] = max(best.get(id(one), 0.0), _overlap(one, other))
    met = {id(other) for _, other in pairs}
    for one, other in pairs:
        yield Item(kind, "both", float((one.start, one.end) == (other.start, other.end)), best[id(one)])
    yield from (Item(kind, "found") for one in found if id(one) not in best)
    yield from (Item(kind, "gold") for one in gold if id(one) not in met)


def _overlap(one: Part, other: Part) -> float:
    """F1 of words at blanks; spans that only touch share one empty word, as in the scorer."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    shared = len(one.text[start - one.start : max(end - one.start, 0)].split(" "))
    precision, recall = shared / len(one.text.split(" ")), shared / len(other.text.split(" "))
    return 2 * precision * recall / (precision + recall)


def _facts(
    kind: str, met: Sequence[tuple[Annotated, Annotated | None]], gold: Sequence[Annotated], of: Any
) -> Iterator[Item]:
    """Units and modifiers: right when the other side says the same."""
    right = {(id(other), fact) for one, other in met if other for fact in of(one) & of(other)}
    for one, other in met:
        for fact in sorted(of(one)):
            if other and fact in of(other):
                yield Item(kind, "both", 1.0, 1.0)
            elif kind == "modifier" or not any((id(other), known) in right for known in (of(other) if other else ())):
                yield Item(kind, "found")
    yield from (Item(kind, "gold") for one in gold for fact in of(one) if (id(one), fact) not in right)


def _relations(
    met: Sequence[tuple[Annotated, Annotated | None]],
    gold: Sequence[Annotated],
    matched: Sequence[tuple[Annotated, Annotated, Part, Part]],
) -> Iterator[Item]:
    pairs = {(id(one), id(a), id(b)) for one, _, a, b in matched}
    right: set[tuple[int, str, int]] = set()
    for one, other in met:
        theirs = _related(other) if other else []
        for name, head, tail in _related(one):
            fits = [
                (kind, source, target)
                for kind, source, target in theirs
                if kind == name
                and (id(one), id(head), id(source)) in pairs
                and (tail.kind == target.kind == "Quantity" or (id(one), id(tail), id(target)) in pairs)
            ]
            right |= {(id(other), kind, id(source)) for kind, source, _ in fits}
            yield from [Item(name, "both", 1.0, 1.0)] * len(fits) or [Item(name, "found")]
    for one in gold:
        yield from (Item(name, "gold") for name, head, _ in _related(one) if (id(one), name, id(head)) not in right)


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
