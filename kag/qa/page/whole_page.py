"""`build_page`: a run folder becomes one HTML page; `page_data` are the values that the page is made from."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kag.core.files import own_file
from kag.indexing.run import FILES, Run, load_run
from kag.qa.figure_files import figure_files
from kag.qa.page.embedded_pictures import PageView, Pictures, find_pictures
from kag.qa.page.page_answers import conservation_rows, layer_rows, read_answers, shape_rows
from kag.qa.page.page_nodes import float_rows, index_nodes, node_rows, reference_rows, section_rows
from kag.qa.paper import PaperGraph

MOST_BYTES = 20_000_000  # of all pictures together

Fields = Mapping[str, Mapping[str, str]]
"""What was read in the entries of a reference list: words by the name of the field, by the IRI of the entry."""


def no_fields(paper: PaperGraph) -> Fields:
    """For a page that shows entries as they are printed."""
    return {}


def build_page(
    run: Path,
    answers: Iterable[Path] = (),
    source: Path | None = None,
    most_bytes: int = MOST_BYTES,
    fields: Callable[[PaperGraph], Fields] = no_fields,
) -> str:
    """The page of a run folder; the same files give the same text.

    `answers` are answer files, `source` is the PDF of the paper or the folder with the page pictures (else the boxes
    are drawn), `most_bytes` what all pictures may take, `fields` reads the reference list. A folder that holds only a
    graph is shown without the checks. Raises `RunError`, `EvidenceError`, `SourceError`.
    """
    return render(page_data(run, answers, source, most_bytes, fields))


def page_data(
    path: Path,
    answers: Iterable[Path] = (),
    source: Path | None = None,
    most_bytes: int = MOST_BYTES,
    fields: Callable[[PaperGraph], Fields] = no_fields,
    pictures: Pictures | None = None,
) -> dict[str, Any]:
    """The values of the page; nodes are named by their number in `nodes`, places are `[page, x0, y0, x1, y1]`.

    `pictures` are taken as they are where somebody has them already, by whatever addresses.
    """
    paper = PaperGraph.load(path)
    run = load_run(path) if all(os.path.lexists(path / name) for name in FILES) else None
    files = figure_files(paper, source)
    pictures = pictures or _pictures(path, {name for names in files.values() for name in names}, source, most_bytes)
    index = index_nodes(paper, {row["block"]: row for row in run.ledger} if run else {}, pictures.lines)
    data = {
        "paper": {"id": paper.id, "title": paper.title, "run": os.path.basename(os.path.realpath(path))},
        "nodes": node_rows(paper, index),
        "sections": section_rows(paper, index),
        "floats": _with_pictures(float_rows(paper, index), list(paper.nodes), files, pictures),
        "references": reference_rows(paper, index, fields(paper)),
        "said": layer_rows(paper, index),
        **read_answers(answers, paper, index),
        "shapes": shape_rows(run, index) if run else None,
        "conservation": conservation_rows(run, index) if run else None,
        "facts": _facts(run) if run else [],
        "problems": list(pictures.problems),
    }
    return {**data, "pages": _pages(data, pictures)}


def _pictures(run: Path, images: set[str], source: Path | None, most_bytes: int) -> Pictures:
    """Those that were given; else those that reading the paper made, which are in the run."""
    if source:
        return find_pictures(source, images, most_bytes, run)
    made = {image for image in images if own_file(run / image)}
    return find_pictures(run, made, most_bytes) if made else Pictures()


def _with_pictures(
    rows: list[dict[str, Any]], names: Sequence[str], files: Mapping[str, Sequence[str]], pictures: Pictures
) -> list[dict[str, Any]]:
    shown = [
        [pictures.figures[file] for file in files.get(names[row["node"]], ()) if file in pictures.figures]
        for row in rows
    ]
    return [{**row, "pictures": uris} for row, uris in zip(rows, shown, strict=True)]


def _pages(data: dict[str, Any], pictures: Pictures) -> list[dict[str, Any]]:
    """The pages on which anything is printed, or of which there is a picture."""
    rows = [*data["nodes"], *(data["conservation"] or {}).get("skipped", [])]
    printed = {place[0] for row in rows for place in row.get("places", ())} | {
        row["page"] for row in data["nodes"] if "page" in row
    }
    return [_page(n, pictures.pages.get(n)) for n in sorted(printed | set(pictures.pages))]


def _page(number: int, view: PageView | None) -> dict[str, Any]:
    """A page, its picture, and its height for a width of 1 (0 where that is not known)."""
    if view is None:
        return {"number": number, "picture": "", "height": 0}
    return {"number": number, "picture": view.uri, "height": round(view.height / view.width, 4)}


def _facts(run: Run) -> list[list[str]]:
    """Return facts of the summary about how the run was made, as pairs of words; missing ones are left out."""
    summary = run.summary
    builder, source = summary.get("builder") or {}, summary.get("source") or {}
    facts = {
        "Paper": summary.get("paper"),
        "Made with": f"kag {summary.get('kag_version', '')}",
        "Builder": " ".join(str(name) for name in (builder.get("name"), builder.get("model")) if name),
        "Triples": len(run.graph),
        "Source": f"sha256 {source.get('sha256', '')}",
    }
    repairs = [f"page {row['page']}: {row['problem']}; {row['action']}" for row in summary.get("repairs") or []]
    return [[name, str(value)] for name, value in facts.items() if value] + [["Repair", words] for words in repairs]


MODULES = (
    "text.js",
    "dom.js",
    "crops.js",
    "column.js",
    "sheets.js",
    "claims.js",
    "panels.js",
    "main.js",
)  # in the order of their imports

_IMPORT = re.compile(r"^import [^;]{0,400};\n", re.M)
_EXPORT = re.compile(r"^export ", re.M)
# What could end the block, begin markup, or is not allowed in UTF-8. JSON reads the escapes back.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def render(data: Mapping[str, Any]) -> str:
    """The HTML page of `kag.qa.page.data.page_data`; the same values give the same text."""
    style, script = _static("design.css"), bundle()
    parts = {
        "POLICY": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "STYLE": style,
        "DATA": embedded(data),
        "SCRIPT": script,
    }
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: parts[match[1]], _static("page.html"))


def embedded(data: Mapping[str, Any]) -> str:
    """Return values as JSON that is safe inside `<script type="application/json">`."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@cache
def bundle() -> str:
    """The script: all modules as one, without the imports and exports between them."""
    return "".join(_EXPORT.sub("", _IMPORT.sub("", _static(name))) for name in MODULES)


def _static(name: str) -> str:
    return files("kag.qa.page").joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
