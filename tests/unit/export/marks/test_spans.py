"""Spans for annotation tools: brat read back by the rules of its format, spaCy by spaCy."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.export.marks.brat import brat_files
from kag.export.marks.spacy_json import spacy_lines, tokens_of
from kag.export.marks.spans import Link, Mark, Marked, MarkedText, marked
from kag.layers.runs import Layers
from kag.rdf.layer_profiles import LAYERS
from kag.read.library import open_library
from kag.values.errors import RunError
from tests.unit.layers.layered import MESH, SENTENCE, make_run, said

ODD = "Über 😀 pH\u00a07.4\nof  cells,\r\nnot dogs "
"""A text with what makes offsets go wrong: letters of two and four bytes, line breaks, several blanks."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = make_run(tmp_path_factory.mktemp("marked"))
    Layers(tuple(LAYERS), lambda source, layers: said(source)).add_to(found)
    return found


@pytest.fixture(scope="module")
def paper(run: Path) -> Marked:
    library = open_library(run)
    return marked(library["ice"])


@pytest.fixture
def odd() -> Marked:
    at = {
        words: (ODD.index(words), ODD.index(words) + len(words))
        for words in ("😀", "pH\u00a07.4", "7.4\nof  cells", "H")
    }
    marks = tuple(Mark("n", *place, label, "entity") for place, label in zip(
        sorted(at.values()), ("cell line", "(%)", "quantity", "chemical"), strict=True))  # fmt: skip
    blank = Mark("n", len(ODD) - 5, len(ODD), "blank", "entity")
    nothing = Mark("n", len(ODD) - 1, len(ODD), "nothing", "entity")
    return Marked("odd", (MarkedText("n", ODD, (*marks, blank, nothing)),), (Link("of (a)", marks[0], marks[1]),))


def read_brat(text: str, ann: str, conf: str) -> dict[str, dict[str, object]]:
    """The lines of a standoff file by id, each held to brat's grammar, to the text and to annotation.conf."""
    sections = dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", conf, re.S | re.M))
    assert list(sections) == ["entities", "relations", "events", "attributes"]
    types = {name: {line.partition("\t")[0] for line in lines.splitlines() if line} for name, lines in sections.items()}
    allowed = {line.partition("\t")[0]: set(line.rpartition("Value:")[2].split("|"))
               for line in sections["attributes"].splitlines() if line}  # fmt: skip
    found: dict[str, dict[str, object]] = {}
    for line in ann.removesuffix("\n").split("\n"):
        name, rest = line.split("\t", 1)
        assert name not in found
        if name[0] == "T":
            given = re.fullmatch(r"([A-Za-z0-9_-]+) (\d+ \d+(?:;\d+ \d+)*)\t(.+)", rest)
            assert given, line
            kind, places, words = given.groups()
            spans = [tuple(map(int, one.split())) for one in places.split(";")]
            assert all(start < end for start, end in spans)
            assert spans == sorted(spans)
            assert " ".join(text[start:end] for start, end in spans) == words
            assert not re.search(r"[\r\n]", words)
            assert kind in types["entities"]
            found[name] = {"kind": kind, "words": words, "spans": spans}
        elif name[0] == "R":
            given = re.fullmatch(r"([A-Za-z0-9_-]+) Arg1:(T\d+) Arg2:(T\d+)", rest)
            assert given, line
            assert given[1] in types["relations"]
            assert {given[2], given[3]} <= set(found)
            found[name] = {"kind": given[1], "ends": (given[2], given[3])}
        elif name[0] == "A":
            kind, of, value = rest.split(" ")
            assert of in found
            assert value in allowed[kind]
            found[name] = {"kind": kind, "of": of, "value": value}
        else:
            given = re.fullmatch(r"Reference (T\d+) (\S+?):(\S+)\t(.+)|AnnotatorNotes (T\d+)\t(.+)", rest)
            assert given, line
            assert (given[1] or given[5]) in found
            found[name] = {"of": given[1] or given[5], "iri": given[3], "note": given[6]}
    return found


def test_brat_is_read_back(paper: Marked) -> None:
    files = brat_files([paper])
    assert set(files) == {"annotation.conf", "ice.txt", "ice.ann"}
    found = read_brat(files["ice.txt"], files["ice.ann"], files["annotation.conf"])
    words = [(one["kind"], one["words"]) for name, one in found.items() if name[0] == "T"]
    assert words.count(("device", "sensors")) == 2
    assert ("claim", SENTENCE) in words
    assert ("quantity", "12.5 ± 0.5 MPa") in words
    assert ("negation", "not") in words
    assert words.count(("quantity", "3 and 4 kg")) == 1, "two values in the same words are one mark"
    attributes = {(one["kind"], one["value"]) for name, one in found.items() if name[0] == "A"}
    assert attributes == {("Role", "result"), ("Polarity", "negative"), ("Certainty", "hedged"), ("Direction", "less")}
    assert [one["iri"] for name, one in found.items() if name[0] == "N"] == [MESH, MESH], "close is not the same"
    links = {(one["kind"], *(found[end]["words"] for end in one["ends"]))  # type: ignore[attr-defined]
             for name, one in found.items() if name[0] == "R"}  # fmt: skip
    assert {("along", "sites", "river"), ("value_of", "12.5 ± 0.5 MPa", "survive"),
            ("under", "12.5 ± 0.5 MPa", "in March"), ("of", "12.5 ± 0.5 MPa", "Upper sensors")} <= links  # fmt: skip
    assert len([name for name in found if name[0] == "#"]) == len(words), "each leads back to its node"


def test_brat_parts_words_at_line_breaks_and_counts_characters(odd: Marked) -> None:
    files = brat_files([odd])
    found = read_brat(files["odd.txt"], files["odd.ann"], files["annotation.conf"])
    told = {one["words"]: (one["kind"], len(one["spans"])) for name, one in found.items() if name[0] == "T"}  # type: ignore[arg-type]
    assert told["😀"] == ("cell_line", 1)
    assert told["7.4 of  cells"] == ("chemical", 2)
    assert "nothing" not in {kind for kind, _ in told.values()}


def docs(lines: list[str]) -> list:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Doc

    vocab = spacy.blank("xx").vocab
    return [Doc(vocab).from_json(json.loads(line), validate=True) for line in lines]


def test_spacy_is_read_back_by_spacy_and_kept_in_a_docbin(paper: Marked, tmp_path: Path) -> None:
    lines = list(spacy_lines([paper]))
    assert [json.loads(line)["node"] for line in lines] == [text.node for text in paper.texts]
    read = docs(lines)
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    DocBin(docs=read, store_user_data=True).to_disk(tmp_path / "spans.spacy")
    again = list(DocBin().from_disk(tmp_path / "spans.spacy").get_docs(Vocab()))
    assert [doc.text for doc in again] == [text.text for text in paper.texts]
    for doc, text in zip(again, paper.texts, strict=True):
        there = {(span.start_char, span.end_char) for group in doc.spans.values() for span in group}
        assert there == {(mark.start, mark.end) for mark in text.marks}
    (site,) = (doc for doc in again if "12.5" in doc.text)
    assert {(span.text, span.label_, span.kb_id_) for span in site.spans["entity"]} >= {
        ("sensors", "device", MESH), ("river", "place", ""),
    }  # fmt: skip
    assert [(span.text, span.label_) for span in site.spans["claim"]] == [(SENTENCE, "result")]
    assert [one.text for one in site.ents if one.label_ == "device"] == ["sensors"]


def test_spacy_keeps_odd_texts_as_they_are(odd: Marked) -> None:
    (doc,) = docs(list(spacy_lines([odd])))
    assert doc.text == ODD
    words = {span.text for span in doc.spans["entity"]}
    assert words == {"😀", "pH\u00a07.4", "H", "7.4\nof  cells", "dogs"}
    assert [one.text for one in doc.ents] == ["😀", "H", "7.4\nof  cells", "dogs"], "the longest that lie apart"


@pytest.mark.parametrize("text", ["", " ", "  a", "a  ", "a\n\n b", "\u3000x\u2003y", "a.b-c 日本", ODD])
def test_tokens_are_those_that_spacy_makes_of_them(text: str) -> None:
    words = [text[start:end] for start, end in tokens_of(text, range(0, len(text), 3))]
    pytest.importorskip("spacy")
    from spacy.util import get_words_and_spaces

    assert get_words_and_spaces(words, text)[0] == words


def test_the_commands_write_them(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "brat"
    assert CliRunner().invoke(cli, ["export", str(run), "--format", "brat", "--out", str(out)]).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["annotation.conf", "ice.ann", "ice.txt"]
    assert b"\r" not in (out / "ice.ann").read_bytes()
    done = CliRunner().invoke(cli, ["export", str(run), "--format", "spacy"])
    assert done.exit_code == 0
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == len(marked(open_library(run)["ice"]).texts)


def test_a_run_without_layers_or_with_a_false_one_is_told(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="has no layers"):
        marked(open_library(make_run(tmp_path / "bare"))["ice"])
    copy = shutil.copytree(run, tmp_path / run.name)
    file = copy / "entity_graph.ttl"
    file.write_text(file.read_text("utf-8").replace('oa:exact "sensors"', 'oa:exact "censors"'), "utf-8")
    with pytest.raises(RunError, match="'censors' does not stand at"):
        marked(open_library(copy)["ice"])
