"""What every source must give, shown on the same paper in every form; and what none may do with a damaged file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import kag
from kag.core.errors import SourceError
from kag.core.types import Block, Document
from kag.indexing.audit import audit
from kag.indexing.pipeline import index_document
from kag.indexing.run import load_run, write_run
from kag.sources import loading
from kag.sources.ocr.folder import is_ocr_folder
from kag.sources.reader_registry import kind_of, read_form
from kag.sources.reading import Reading
from kag.sources.survey import read_paper
from tests.unit.sources import forms
from tests.unit.sources.forms import BOXES, FILES, FORMS

pytestmark = pytest.mark.slow

ALL = pytest.mark.parametrize("name", FILES)
TEXTS = pytest.mark.parametrize("name", FORMS)
BOXED = pytest.mark.parametrize("name", sorted(set(FILES) - forms.WITHOUT_BOXES - {"pdf"}))
GROUNDS = {"ocr": {""}, "pdf": {"size", "number"}}  # where nothing is marked up, levels are told by rules


def put(folder: Path, name: str, sites: str = "Twelve") -> Path:
    _, read_from, files = FILES[name]
    for file, data in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(data.replace(b"Twelve", sites.encode()))
    return folder / read_from


def read(folder: Path, name: str) -> Document:
    return read_paper(put(folder, name))


def words(text: str) -> str:
    return "".join(re.findall(r"\w+", text))


def block(document: Document, text: str) -> Block:
    return next(one for one in document.blocks if words(one.plain) == words(text))


@ALL
def test_what_it_is_is_told_by_what_is_in_it(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name)
    assert kind_of(path) == ("" if path.is_dir() else FILES[name][0]), "a folder of pages is told by its files"
    assert is_ocr_folder(path) == (name == "ocr")
    assert read(tmp_path, name).paper_id == "ice"


@ALL
def test_all_that_is_printed_is_read_in_order(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name)
    printed = [
        forms.TITLE, "Abstract", forms.ABSTRACT, "1 Introduction", forms.INTRODUCTION, "2 Methods", "2.1 Sites",
        forms.SITES, "References", *forms.ENTRIES,
    ]  # fmt: skip
    places = [document.blocks.index(block(document, text)) for text in printed]
    assert places == sorted(places)
    for text in (forms.AUTHORS, forms.FIGURE, forms.TABLE, forms.FORMULA):
        assert block(document, text)
    heads = [one for one in document.blocks if words(forms.HEAD) in words(one.plain)]
    imprint = f"{forms.HEAD}. Published 2020. doi:10.1234/ice.4"
    assert {one.label for one in heads if one.plain != imprint} <= {"page_header", "metadata"}
    assert (name in forms.WITHOUT_FURNITURE) != any(words(forms.HEAD) in words(one.plain) for one in document.blocks)


@ALL
def test_headings_have_the_levels_that_are_told(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name)
    headings = [one for one in document.blocks if one.label == "sub_title"]
    assert [one.plain for one in headings] == list(forms.HEADINGS)
    levels = [one.heading_level for one in headings]
    told = list(forms.LEVELS.values())
    assert levels in (told, [level + 1 for level in told]), "from the top, or below the title"
    assert {one.ground for one in headings} == GROUNDS.get(name, {"markup"})


@ALL
def test_the_graph_has_it_all_and_conforms(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name)
    indexed = index_document(document)
    run = load_run(write_run(tmp_path / "runs", "ice", {**indexed.files, **document.pictures}))
    assert audit(run, document).issues == ()
    paper = kag.open(run.path)
    assert paper.title == forms.TITLE
    assert [one.text for one in paper.references] == list(forms.ENTRIES)
    (table,) = paper.tables
    assert table.rows == [dict(zip(forms.CELLS[0], row, strict=True)) for row in forms.CELLS[1:]]
    assert table.caption.endswith("Losses by site.")
    titles = {f"{section.number} {section.title}".strip() for section in paper.sections}
    assert titles - {"Front matter"} == set(forms.HEADINGS)
    assert [figure.caption for figure in paper.figures] == [forms.FIGURE]
    assert {number for one in paper.citations for number in one.references} == {1, 2}


@ALL
def test_the_same_file_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    one, two = read(tmp_path / "one", name), read(tmp_path / "two", name)
    assert one == two
    assert index_document(one).files == index_document(two).files
    assert read_paper(put(tmp_path / "one", name, "Eleven")).sha256 != two.sha256


@BOXED
def test_boxes_are_those_of_the_page(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name)
    for text in ("2 Methods", "1 Introduction", forms.SITES):
        (box,) = block(document, text).boxes
        assert all(abs(found - true) <= 2 for found, true in zip(box, BOXES[text], strict=True)), text
    for kind, label in (("figure", "image"), ("table", "table")):
        (box,) = next(one for one in document.blocks if one.label == label).boxes
        assert all(abs(found - true) <= 2 for found, true in zip(box, BOXES[kind], strict=True)), kind
    assert [one.page for one in document.blocks] == sorted(one.page for one in document.blocks)
    assert document.pages == 2


# damaged and hostile files --------------------------------------------------------------------


def refused_or_read(path: Path, kind: str) -> bool:
    """Read a file; True where it was refused. Any other error than a `SourceError` with file and fix fails the test."""
    document, said = attempt(path, kind)
    if document is None:
        assert said is not None
        assert said.hint
        assert path.name in said.message or "ice" in said.message
        return True
    for one in document.blocks:
        assert all(0 <= box.x0 <= box.x1 <= 1000 and 0 <= box.y0 <= box.y1 <= 1000 for box in one.boxes)
    return False


def attempt(path: Path, kind: str) -> tuple[Document | None, SourceError | None]:
    try:
        return read_form(path, kind, Reading(), "ice"), None
    except SourceError as error:
        return None, error


@TEXTS
def test_a_file_that_was_cut_off(tmp_path: Path, name: str) -> None:
    path, (kind, _, text) = put(tmp_path, name), FORMS[name]
    data = text.encode()
    for end in range(0, len(data), max(1, len(data) // 60)):
        path.write_bytes(data[:end])
        refused = refused_or_read(path, kind)
        assert refused or kind in ("markdown", "doctags"), "other forms tell that their end is missing"
    path.write_bytes(b"")
    assert refused_or_read(path, kind)


@TEXTS
def test_a_file_that_is_no_text(tmp_path: Path, name: str) -> None:
    path, (kind, _, text) = put(tmp_path, name), FORMS[name]
    for data in (
        b"\xff\xfe\xfa" + text.encode(),
        b"\x00" * 5000,
        b"[" * 200_000,
        b"{" * 50,
        b"null",
        b'"x"',
        b"[[[1]]]",
    ):
        path.write_bytes(data)
        refused_or_read(path, kind)
    path.write_bytes(b"\xff\xfe\xfa" + text.encode())
    assert refused_or_read(path, kind)


@TEXTS
def test_a_file_that_is_too_large(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, name)
    monkeypatch.setattr(loading, "LARGEST_FILE", 100)
    assert refused_or_read(path, FORMS[name][0])


STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**12,
    1e300,
    "x",
    "",
    [],
    {},
    [None],
    [[["x"]]],
    {"text": None},
    "a\u0000b",
)


@pytest.mark.parametrize("name", [name for name, (_, file, _) in FORMS.items() if file.endswith((".json", ".jsonl"))])
def test_values_of_the_wrong_kind(tmp_path: Path, name: str) -> None:
    path, (kind, _, text) = put(tmp_path, name), FORMS[name]
    whole = json.loads(text)
    seen: set[tuple[str | int, ...]] = set()
    for place in places_in(whole):
        known = tuple("n" if isinstance(step, int) else step for step in place)
        if known in seen:
            continue
        seen.add(known)
        for strange in STRANGE[len(seen) % 3 :: 3]:  # each at every third place
            path.write_text(json.dumps(changed(whole, place, strange)), encoding="utf-8")
            refused_or_read(path, kind)


def places_in(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inner:
        yield (*at, step)
        yield from places_in(one, (*at, step))


def changed(whole: Any, place: tuple[str | int, ...], strange: object) -> Any:
    made = deepcopy(whole)
    inner = made
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = strange
    return made


@pytest.mark.parametrize("name", ["jats", "tei"])
def test_xml_bombs_and_entities_are_refused(tmp_path: Path, name: str) -> None:
    path, (kind, _, text) = put(tmp_path, name), FORMS[name]
    body = re.sub(r"<!DOCTYPE[^>]*>", "", text.partition("?>")[2]).replace(forms.SITES, "&a;")
    secret = tmp_path / "secret"
    secret.write_text("private", encoding="utf-8")
    many = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    for declared in (
        '<!ENTITY a "x">',
        f'<!ENTITY a0 "x">{many}<!ENTITY a "&a11;">',
        f'<!ENTITY a SYSTEM "file://{secret}">',
    ):
        path.write_text(f"<!DOCTYPE x [{declared}]>{body}", encoding="utf-8")
        with pytest.raises(SourceError, match=r"entities of its own|amplification"):
            read_form(path, kind, Reading(), "ice")
    path.write_text(body.replace("&a;", f"{'<bold>' * 3000}x{'</bold>' * 3000}"), encoding="utf-8")
    assert refused_or_read(path, kind)
    path.write_text(body.replace("&a;", f"{'<bold>' * 210}x{'</bold>' * 210}"), encoding="utf-8")
    with pytest.raises(SourceError, match="deep"):
        read_form(path, kind, Reading(), "ice")


def test_characters_that_html_names_are_read(tmp_path: Path) -> None:
    path = put(tmp_path, "jats")
    path.write_text(FORMS["jats"][2].replace("Twelve sites", "Twelve&nbsp;sites&mdash;all&nosuch;"), encoding="utf-8")
    assert block(read_paper(path), "Twelve sites—all&nosuch; were chosen along the river.")


HOSTILE = {
    "markdown": (
        ("", "![", 400_000),
        ("", "![a](", 200_000),
        ("", "- ", 300_000),
        ("", "$$", 300_000),
        ("", "|", 300_000),
        ("", "\\[", 300_000),
    ),
    "doctags": (
        ("", "<text>", 150_000),
        ("<otsl>", "<fcel><nl>", 50_000),
        ("", "<loc_1>", 200_000),
        ("", "<caption>x", 100_000),
    ),
    "marker": (("", "<math>", 200_000), ("", "<sub>", 200_000), ("", "<", 400_000), ("", "<b ", 200_000)),
    "jats": (
        ("", "&nbsp;", 100_000),
        ("", "<xref rid='a'>1</xref>", 20_000),
        ("", "<sup>1</sup>", 20_000),
        ("", "<?a?>", 100_000),
    ),
}


@pytest.mark.parametrize(("kind", "parts"), [(kind, parts) for kind, texts in HOSTILE.items() for parts in texts])
def test_hostile_texts_take_no_time(tmp_path: Path, kind: str, parts: tuple[str, str, int]) -> None:
    before, piece, times = parts
    text = before + piece * times
    block = {"block_type": "Text", "html": text}
    made = {
        "doctags": f"<doctag>{text}Ice</doctag>",
        "marker": json.dumps({"children": [{"block_type": "Page", "children": [block]}]}),
        "jats": f"<!DOCTYPE article SYSTEM 'x.dtd'><article><body><p>{text}Ice</p></body></article>",
    }.get(kind, f"{text} Ice")
    path = tmp_path / "ice.md"
    path.write_text(made, encoding="utf-8")
    start = process_time()
    refused_or_read(path, kind)
    assert process_time() - start < 10
