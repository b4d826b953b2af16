"""Measurements of running text: spans, values, what was measured of what; and what is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import SourceError
from kag.layers.measurements import find_measurements
from kag.layers.measurements.features import CONTEXTS, FOLDER, QUANTITIES, labellers
from kag.layers.values import Entity, Measurement, Mention, Passage


def found(text: str, *entities: Entity, sure: float = 0.0) -> tuple[Measurement, ...]:
    return find_measurements([Passage("n", text)], entities, sure=sure)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("The mean depth of the lake was about 12 m in May.", ["about 12 m"]),
        ("Samples were heated at 823 K for 24 h under 1 bar of nitrogen.", ["823 K", "24 h", "under 1 bar"]),
        ("The cells were grown for two days in 5 mL of medium.", ["two days", "5 mL"]),
        ("It has a maximum depth of 31 m.", ["31 m"]),
        (r"Peak absorbance lay at \( 750 - 760 \)  nm.", [r"\( 750 - 760 \)  nm"]),
        (r"\( ^{89} \) Zr-nivolumab was injected at 10  \( \mu \) g/mL.", [r"10  \( \mu \) g/mL"]),
        ("We enrolled 274 elderly participants.", ["274 elderly participants"]),
        ("Die Proben wurden 24 h bei 37 °C gelagert.", ["24 h", "37 °C"]),
    ],
)
def test_spans(text: str, spans: list[str]) -> None:
    assert [one.mention.text for one in found(text)] == spans
    assert all(text[one.mention.start : one.mention.end] == one.mention.text for one in found(text))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "II", "No numbers here.", "As shown before [4, 7] and in Fig. 3.", "The survey of 1999."),
        *("Received 9 April 2017, accepted 3 May 2017.", "Several hundred sites were seen at 05:28.", "\x00\ud800 %"),
        r"The reaction of HX4-VNB7 with \( ^{89} \) Zr.",
    ],
)
def test_what_is_none(text: str) -> None:
    assert found(text) == ()


def test_a_list_is_one_mention_of_several_values() -> None:
    told = found("Bed inventories of 4.5 kg, 6 kg and 13 kg were tested.")
    assert [one.value.value for one in told] == [4.5, 6, 13]
    assert {one.mention.text for one in told} == {"4.5 kg, 6 kg and 13 kg"}
    assert {one.entity.text for one in told if one.entity} == {"Bed inventories"}


def test_property_and_entity() -> None:
    one, two = found("The reservoir has an area of 3.8 km2 and a maximum depth of 31 m.")
    assert one.measured
    assert two.measured
    assert (one.measured.text, two.measured.text) == ("area", "maximum depth")
    assert one.entity
    assert one.entity.text.endswith("reservoir")


def test_counts_have_their_noun_and_no_property() -> None:
    [one] = found("We enrolled 274 elderly participants.")
    assert (one.value.value, one.counted, one.measured) == (274, "participants", None)
    assert one.entity
    assert one.entity.text == "elderly participants"


def test_only_what_is_sure_is_told() -> None:
    text = "The mean depth of the lake was about 12 m in May."
    [one] = found(text, sure=1.01)
    assert (one.measured, one.entity, one.conditions) == (None, None, ())
    lake = Entity("lake", "place", (Mention("n", 22, 26, "lake", "place", 0.9, "names"),))
    [two] = found(text, lake, sure=1.01)
    assert two.entity
    assert (two.entity.text, two.entity.rule) == ("lake", "only entity of the sentence")
    other = Entity("May", "place", (Mention("n", 46, 49, "May", "place", 0.9, "names"),))
    assert found(text, lake, other, sure=1.01)[0].entity is None


def test_passages_keep_their_nodes() -> None:
    told = find_measurements([Passage("a", "It weighed 5 kg."), Passage("b", "Nothing."), Passage("c", "It took 3 h.")])
    assert [one.mention.node for one in told] == ["a", "c"]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789 .,;()[]{}^\\-–±×µ°%kmghxA\nKRatowhundredays", max_size=90))
def test_any_text_is_read(text: str) -> None:
    for one in found(text):
        for mention in (one.mention, one.measured, one.entity, *one.conditions):
            assert mention is None or text[mention.start : mention.end] == mention.text != ""
        assert one.value.value is not None or one.value.low is not None


def test_a_very_long_sentence_is_read_to_its_bound() -> None:
    assert len(found("It took 3 h and " * 2000)) < 200


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in (QUANTITIES, CONTEXTS):
        shutil.copy(FOLDER / f"{name}.crf", tmp_path)
        shutil.copy(FOLDER / f"{name}.json", tmp_path)
    return tmp_path


def test_models_are_those_of_their_cards(copied: Path) -> None:
    assert labellers.__wrapped__(copied).rule == labellers().rule


@pytest.mark.parametrize("damage", ["other", "missing"])
def test_damaged_models_are_refused(copied: Path, damage: str) -> None:
    path = copied / "contexts.crf"
    path.write_bytes(b"other") if damage == "other" else path.unlink()
    with pytest.raises(SourceError, match="SHA-256" if damage == "other" else "contexts.crf"):
        labellers.__wrapped__(copied)


def test_models_of_two_trainings_are_refused(copied: Path) -> None:
    card = copied / "contexts.json"
    card.write_text(card.read_text(encoding="utf-8").replace('"version": "', '"version": "1'), encoding="utf-8")
    with pytest.raises(SourceError, match="one training"):
        labellers.__wrapped__(copied)


@pytest.mark.parametrize("card", ["", "[]", "{}", '{"sha256": 5}'])
def test_a_damaged_card_is_refused(copied: Path, card: str) -> None:
    (copied / "quantities.json").write_text(card, encoding="utf-8")
    with pytest.raises(SourceError) as told:
        labellers.__wrapped__(copied)
    assert "not whole" in (told.value.hint or "")


@pytest.mark.parametrize("name", [QUANTITIES, CONTEXTS])
def test_the_card_names_data_and_licence(name: str) -> None:
    card = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert "CC BY 4.0" in card["trained on"][0]
    assert {"licence", "seed", "settings", "sha256", "by", "limits", "figures of both"} <= set(card)
