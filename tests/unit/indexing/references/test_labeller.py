"""The model is the one that was trained, or nothing is read; it tells how sure it is."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from kag.core.errors import SourceError
from kag.indexing.references.labeller import FOLDER, MODEL, Labeller, labeller
from kag.indexing.references.parser import parse_reference
from kag.text.crf import read

TEXT = "Poe E, Roe F. Ice on cold lakes. J Ice Res. 2001;3(2):45-67."
FILES = ("labeller.crf", "labeller.json")


@pytest.fixture
def copied(tmp_path):
    for name in FILES:
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path


def test_labels_stand_on_tokens():
    [found] = labeller().label([TEXT])
    words = {label: [t.text for t, named in zip(found.row, found.labels, strict=True) if named == label]
             for label in set(found.labels)}  # fmt: skip
    assert words["title"] == ["Ice", "on", "cold", "lakes"]
    assert words["volume"] == ["3"]
    assert words["pages"] == ["45", "-", "67"]
    assert all(0 <= share <= 1 for share in found.sure)


def test_no_text_has_no_labels():
    assert [[*found.labels] for found in labeller().label(["", ""])] == [[], []]
    assert labeller().label([]) == []


def test_a_list_is_labelled_as_its_entries_are_one_by_one():
    texts = [TEXT, "", "Ice", "E. Poe, “Ice on lakes,” J. Ice, vol. 3, no. 2, pp. 1–4, 2004.", TEXT * 4]
    together, alone = labeller().label(texts), [labeller().label([text])[0] for text in texts]
    assert [found.labels for found in together] == [found.labels for found in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.sure == pytest.approx(other.sure, abs=1e-9)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(copied, name):
    (copied / name).unlink()
    with pytest.raises(SourceError, match=name):
        labeller.__wrapped__(copied / MODEL.name)


def test_weights_of_another_training_are_refused(copied):
    weights = bytearray((copied / FILES[0]).read_bytes())
    weights[1000] ^= 1
    (copied / FILES[0]).write_bytes(weights)
    with pytest.raises(SourceError, match="SHA-256"):
        labeller.__wrapped__(copied / MODEL.name)


def test_a_damaged_card_is_refused(copied):
    (copied / FILES[1]).write_text("{", encoding="utf-8")
    with pytest.raises(SourceError):
        labeller.__wrapped__(copied / MODEL.name)


def test_the_card_names_licence_and_source():
    card = json.loads((FOLDER / FILES[1]).read_text(encoding="utf-8"))
    assert card["licence"] == "Apache-2.0"
    assert any("grobid" in source for source in card["trained on"])


def test_shares_are_steps_that_never_fall():
    model = Labeller(read(MODEL), {"any": [[0.0, 0.5], [0.9, 0.8]], "title": [[0.4, 0.3], [0.7, 0.6]]})
    assert [model.share("title", marginal) for marginal in (0.0, 0.4, 0.69, 0.7, 1.0)] == [0.3, 0.3, 0.3, 0.6, 0.6]
    assert model.share("place", 0.95) == 0.8, "a field without steps of its own"
    card = json.loads((FOLDER / FILES[1]).read_text(encoding="utf-8"))
    for steps in card["calibration"].values():
        assert steps == sorted(steps)
        assert [share for _, share in steps] == sorted(share for _, share in steps)


def test_threads_do_not_disturb_each_other():
    texts = [TEXT, "E. Poe, J. Ice 3 (2001) 45.", "Roe, F. (1999). Snow. Oslo: Example Press."] * 20
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(parse_reference, texts)] == [parse_reference(text) for text in texts]


def test_confidence_is_of_the_fields_that_were_found_in_a_fixed_order():
    shares = parse_reference("E. Poe, “Ice on lakes,” J. Ice, vol. 3, no. 2, pp. 1–4, 2004. doi:10.1234/ice").confidence
    assert [name for name, _ in shares] == [
        "authors", "title", "year", "container", "volume", "issue", "pages", "kind", "doi",
    ]  # fmt: skip
    assert all(0 < share < 1 for _, share in shares)


def test_less_print_is_less_sure():
    whole = dict(parse_reference(TEXT).confidence)
    part = dict(parse_reference("Ice on cold lakes J Ice Res").confidence)
    assert part.get("title", 0) < whole["title"]
