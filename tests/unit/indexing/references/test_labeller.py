"""The model is the one that was trained, or nothing is read; it tells how sure it is."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from kag.core.errors import SourceError
from kag.indexing.references.features import features
from kag.indexing.references.labeller import FOLDER, MODEL, Labeller, labeller
from kag.indexing.references.parser import parse_reference
from kag.indexing.references.tokens import MOST_TOKENS, tokens
from kag.text.crf import read
from scripts.benchmarks.train_references import calibrated, steps, train

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
    for shares in card["calibration"].values():
        assert shares == sorted(shares)
        assert [share for _, share in shares] == sorted(share for _, share in shares)


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


@pytest.mark.parametrize(("text", "parts"), [
    ("Poe, E.-J.", ["Poe", ",", "E", ".", "-", "J", "."]),
    ("PhysRev D61", ["Phys", "Rev", "D", "61"]),
    ("41:e123", ["41", ":", "e", "123"]),
    ("湖泊冰层[J]", ["湖泊冰层", "[", "J", "]"]),
    ("제14권", ["제", "14", "권"]),
    ("", []),
])  # fmt: skip
def test_parts(text, parts):
    assert [token.text for token in tokens(text)] == parts


def test_places_lead_back_to_the_text():
    text = "Poe E. Ice  (on lakes)."
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text for token in found)
    assert [token.apart for token in found] == [True, True, False, True, True, False, True, False, False]


def test_a_text_without_end_is_cut():
    assert len(tokens("a " * 10_000)) == MOST_TOKENS


def told(text, word):
    found = tokens(text)
    return features(text, found)[[token.text for token in found].index(word)]


def test_what_is_told_of_a_token():
    text = "Poe E, Roe F. “Ice on lakes,” J. Ice, Bd. 3, 2001."
    assert {"named", "w=roe", "f=Xs"} <= set(told(text, "Roe"))
    assert {"quoted", "w=lakes", "f=x", "-1w=on"} <= set(told(text, "lakes"))
    assert "serial" in told(text, "J")
    assert {"w=1d", "under=volume"} <= set(told(text, "3"))
    assert "f=year" in told(text, "2001")


def test_an_apostrophe_within_a_word_opens_no_quotation():
    assert "unquoted" in told("Poe E. The lake's ice isn't warm. Rivers. 2001.", "ice")


def test_units_are_told_in_many_languages():
    for text, number, unit in (
        ("제14권", "14", "volume"),
        ("第3期", "3", "issue"),
        ("S. 12", "12", "pages"),
        ("t. 5", "5", "volume"),
    ):
        found = told(text, number)
        assert f"over={unit}" in found or f"under={unit}" in found


def test_nothing_is_told_of_nothing():
    assert features("", []) == []


def test_five_hundred_tokens_are_read() -> None:
    assert [len(tokens("a " * many)) for many in (499, 500, 501)] == [499, 500, 500]


def test_the_first_token_stands_apart() -> None:
    assert [token.apart for token in tokens("a,b")] == [True, False, False]
    assert [token.apart for token in tokens(" a")] == [True]


RECORD = "[3] Poe, E., Roe, F. Ice on lakes ,J .Ice 12 ,45 -67( 2001 ). doi:10.1234/ice"
FIELDS = {
    "author": ["Poe, E., Roe, F."], "title": ["Ice on lakes"], "journal": ["J .Ice"], "volume": ["12"],
    "pages": ["45 -67"], "date": ["2001"], "doi": ["10.1234/ice"],
}  # fmt: skip


def test_the_same_strings_make_the_same_weights():
    rows = [{"text": RECORD.replace("12", str(n)), "fields": FIELDS | {"volume": [str(n)]}} for n in range(10, 40)]
    one, other = train(rows), train(rows)
    assert (one.labels, one.rows) == (other.labels, other.rows)
    assert (one.weights == other.weights).all()
    assert (one.follow == other.follow).all()


def test_steps_of_calibration_never_fall():
    values = [(n / 1000, n % 10 < n / 100) for n in range(1000)]
    found = steps(values)
    assert [share for _, share in found] == sorted(share for _, share in found)
    assert found[0][1] < 0.3
    assert found[-1][1] > 0.8
    assert calibrated([])["title"] == []
    assert labeller().share("place", 0.5) <= labeller().share("place", 0.99)
