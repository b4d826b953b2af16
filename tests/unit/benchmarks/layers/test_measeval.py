"""The counting of MeasEval's scorer: pairs by overlap, parts within pairs, words at blanks."""

from __future__ import annotations

import pytest

from kag.layers.values import Measurement, Mention, Passage
from kag.text.quantities import read_quantity
from scripts.benchmarks.layers.measeval import Annotated, Item, Part, annotated, counted, gold_of, score_figures, scored
from scripts.benchmarks.layers.rows import Row, Span

TEXT = "The mean depth of the lake was about 12 m in May."


def part(kind: str, words: str, qualifies: str = "") -> Part:
    at = TEXT.index(words)
    return Part(kind, at, at + len(words), words, qualifies)


GOLD = Annotated(
    part("Quantity", "about 12 m"),
    "m",
    frozenset({"IsApproximate"}),
    (part("MeasuredEntity", "lake"), part("MeasuredProperty", "mean depth"), part("Qualifier", "in May", "Quantity")),
)


def by_kind(found: list[Annotated], gold: tuple[Annotated, ...] = (GOLD,)) -> dict[str, list[Item]]:
    items: dict[str, list[Item]] = {}
    for item in counted(gold, found):
        items.setdefault(item.kind, []).append(item)
    return items


def test_the_same_is_right() -> None:
    items = by_kind([GOLD])
    assert set(items) == {
        *("Quantity", "Unit", "modifier", "MeasuredEntity", "MeasuredProperty", "Qualifier"),
        *("HasQuantity", "HasProperty", "Qualifies"),
    }
    assert all(item.exact == item.overlap == 1 and item.side == "both" for each in items.values() for item in each)


def test_overlap_is_f1_of_words() -> None:
    other = Annotated(part("Quantity", "12 m"), "m", frozenset(), (part("MeasuredEntity", "the lake"),))
    items = by_kind([other])
    assert items["Quantity"] == [Item("Quantity", "both", 0.0, pytest.approx(0.8))]  # 2 of 2 and 2 of 3 words
    assert items["MeasuredEntity"][0].overlap == pytest.approx(2 / 3)
    assert items["modifier"] == [Item("modifier", "gold")]
    assert items["MeasuredProperty"] == [Item("MeasuredProperty", "gold")]
    assert [item.side for item in items["HasQuantity"]] == ["found", "gold"]  # of the entity, not of the property


def test_what_has_no_pair_counts_nothing() -> None:
    other = Annotated(part("Quantity", "The"), "m", frozenset({"IsCount"}), (part("MeasuredEntity", "lake"),))
    items = by_kind([other])
    for kind in ("Quantity", "Unit", "modifier", "MeasuredEntity"):
        assert sorted(item.side for item in items[kind]) == ["found", "gold"], kind
        assert not any(item.overlap for item in items[kind])


def test_two_of_one_are_two_pairs() -> None:
    pieces = [Annotated(part("Quantity", "about"), ""), Annotated(part("Quantity", "m in"), "m")]
    items = by_kind(pieces)
    assert [item.side for item in items["Quantity"]] == ["both", "both"]
    assert [item.side for item in items["Unit"]] == ["both"]


def row() -> Row:
    spans = tuple(
        Span(str(n), one.kind, one.start, one.end, (), {"set": 1, "unit": "m", "mods": ["IsApproximate"]})
        for n, one in enumerate((GOLD.quantity, *GOLD.parts))
    )
    relations = ({"type": "Qualifies", "head": "3", "tail": "0"},)
    return Row("one", "paper", TEXT, spans, relations, {})


def measurement() -> Measurement:
    def mention(words: str) -> Mention:
        at = TEXT.index(words)
        return Mention("one", at, at + len(words), words, "", 1.0, "")

    value = read_quantity("about 12 m")
    assert value
    return Measurement(mention("about 12 m"), value, mention("mean depth"), mention("lake"), (mention("in May"),))


def test_measurements_take_the_form_of_the_set() -> None:
    [one] = annotated([measurement()])
    assert gold_of(row()) == (GOLD,)
    assert (one.quantity, one.unit, one.parts[:2]) == (GOLD.quantity, "m", GOLD.parts[:2])
    assert one.mods == {"IsApproximate", "IsMean"}
    assert one.parts[2].qualifies == "MeasuredProperty"


def test_a_list_is_one_quantity() -> None:
    [one] = annotated([measurement(), measurement()])
    assert "IsList" in one.mods


def test_figures_of_all_kinds() -> None:
    def find(passages: list[Passage]) -> list[Measurement]:
        assert [passage.text for passage in passages] == [TEXT]
        return [measurement()]

    figures = {(one.what, one.metric): one for one in score_figures("set", scored([row()], find))}  # type: ignore[arg-type]
    assert figures["set: Quantity", "overlap"].value == 1.0
    assert figures["set: modifier", "overlap"].value == 0.5
    assert figures["set: Quantity, same span", "F1"].precision == 1.0
    assert figures["set: all", "overlap"].asked == 11  # one modifier too many; what is qualified is told wrongly
