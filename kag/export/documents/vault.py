"""Papers as a folder of linked Markdown notes, as Obsidian and its like open it.

A note a paper, with its fields on top, links to the papers of the vault that it cites and that cite it, and its text;
pictures in `pictures/<paper>/`; `Papers.md` lists all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from kag.export.documents.write import document_text, find_pictures
from kag.export.parts import authors
from kag.rdf.namespaces import FABIO, PRISM
from kag.read.chunks import citations
from kag.read.paper import PaperGraph

LIST = "Papers.md"


def vault_files(papers: Mapping[str, PaperGraph]) -> dict[str, str | bytes]:
    """The notes and pictures by their path in the vault."""
    cited = sorted({(one.document, one.cited) for one in citations(papers.values())})
    files: dict[str, str | bytes] = {}
    rows = ["| paper | title | year |", "|---|---|---|"]
    for name, paper in papers.items():
        links = [
            _links("Cites", (to for by, to in cited if by == name)),
            _links("Cited by", (by for by, to in cited if to == name)),
        ]
        pictures = find_pictures(paper).pictures
        place = {node: tuple(f"../pictures/{name}/{one.name}" for one in found) for node, found in pictures.items()}
        text = _apart(document_text(paper, "markdown", place))
        files[f"papers/{name}.md"] = "\n".join([_front(paper), *filter(None, links), text])
        files |= {f"pictures/{name}/{one.name}": one.data for found in pictures.values() for one in found}
        title = " ".join(paper.title.split()).replace("\\", "\\\\").replace("|", "\\|")
        rows.append(f"| [[papers/{name}\\|{name}]] | {_apart(title)} | {_year(paper)} |")
    return {LIST: "\n".join(rows) + "\n", **files}


def _front(paper: PaperGraph) -> str:
    """The note's properties; JSON strings are YAML strings whatever is in them."""
    told = {
        "title": paper.title,
        "authors": list(authors(paper)),
        "year": _year(paper),
        "doi": paper.graph.value(paper.document, str(PRISM.doi)),
        "iri": paper.document,
        "tags": ["paper"],
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=True)}" for name, value in told.items() if value]
    return "\n".join(["---", *lines, "---", ""])


def _year(paper: PaperGraph) -> str:
    return paper.graph.value(paper.document, str(FABIO.hasPublicationYear))


def _links(head: str, names: Iterable[str]) -> str:
    listed = [f"- [[papers/{name}|{name}]]" for name in names]
    return "\n".join([f"> [!info] {head}", *(f"> {line}" for line in listed), ""]) if listed else ""


def _apart(text: str) -> str:
    """A text of a paper without what a vault takes for a link or an embedded note of its own; formulas stay sound.

    >>> _apart("see [[secret]], ![[x]] and [[[y]]]")
    'see [ [secret]], ![ [x]] and [ [ [y]]]'
    """
    return re.sub(r"\[(?=\[)", "[ ", text)
