"""Corrections of a paper's parse by people, as calls of the build tools (`op_*`), stored and repeated.

A correction is a line of a file: who made it, when, in words, and its calls. They follow the rules' own calls each time
the paper is indexed, before the graph is judged: a graph that would not conform is not kept, and neither is its
correction. A call that a later form of the paper has no place for is left out and named in `summary.json`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kag.core.addresses import is_public
from kag.core.errors import BadValue, SourceError, UnknownNode
from kag.core.files import read_regular, write_whole
from kag.core.types import Document
from kag.corpus.store import open_corpus
from kag.indexing.baseline import build_baseline
from kag.indexing.batch import Rules
from kag.indexing.pipeline import Builder, Tools
from kag.indexing.structure.floats import float_label
from kag.qa.paper import Node, PaperGraph, Section
from kag.rdf.namespaces import KAG
from kag.serve.home import Home, checked_id

TOOLS = frozenset(
    ("op_create_node", "op_assert_type", "op_set_single_literal", "op_add_iri_link", "op_set_single_iri_link")
) | {"op_remove_node", "op_skip_block"}
MOST = 1_000  # corrections of one paper
_FLOATS = ("Figure", "Table")
_LARGEST = 16_000_000

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction: by whom, when (UTC), in words, and its calls."""

    who: str
    at: str
    what: str
    calls: tuple[Call, ...]


def read_corrections(path: Path) -> tuple[Correction, ...]:
    """The corrections of a paper, the oldest first; a line that is damaged is an error, since it would be lost."""
    try:
        lines = read_regular(path, _LARGEST).decode("utf-8").splitlines()
    except FileNotFoundError:
        return ()
    try:
        return tuple(_correction(json.loads(line)) for line in lines if line.strip())
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SourceError(f"{path} is damaged: {error}", hint="Correct it or delete it, then try again.") from error


def _correction(row: Mapping[str, Any]) -> Correction:
    calls = tuple((str(name), dict(arguments)) for name, arguments in row["calls"])
    if not calls or any(name not in TOOLS for name, _ in calls):
        raise ValueError("it holds calls that are none of a correction")
    return Correction(str(row["who"]), str(row["at"]), str(row["what"]), calls)


def write_corrections(path: Path, corrections: Sequence[Correction]) -> None:
    """Keep these corrections, in place of those that were there."""
    write_whole(path, "".join(json.dumps(asdict(correction), ensure_ascii=False) + "\n" for correction in corrections))


def version_of(home: Home, paper: str) -> str:
    """Return the version that a change of a paper names (`If-Match`): a new one after each change of the paper or of
    its corrections; raises `UnknownNode` if there is no such paper."""
    listed = next((one for one in open_corpus(home.root).papers() if one.id == checked_id(paper)), None)
    if listed is None:
        raise UnknownNode(f"there is no paper {paper[:80]!r}", hint="Use an id from the list of papers.")
    try:
        made = read_regular(home.corrections(paper), _LARGEST)
    except FileNotFoundError:
        made = b""
    return hashlib.sha256(f"{listed.version}\n".encode() + made).hexdigest()[:20]


# as a builder ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Corrected(Rules):
    """Options that build papers by rules and apply corrections.

    With `strict` the last correction must be possible: else `SourceError` says which of its calls is not.
    """

    corrections: tuple[Correction, ...] = ()
    strict: bool = False

    def open_builder(self, document: Document, work: Path, *, afresh: bool) -> AbstractContextManager[Builder]:
        """The rules with the corrections behind them."""
        return nullcontext(Builder("baseline", self.build, f"{len(self.corrections)} corrections by hand"))

    def build(self, document: Document, tools: Tools) -> dict[str, Any]:
        """Write the paper by the rules' plan, then make the calls."""
        facts = build_baseline(document, tools)
        lines = []
        for place, correction in enumerate(self.corrections, start=1):
            refused = _made(correction, tools)
            if refused and self.strict and place == len(self.corrections):
                raise SourceError(f"cannot be corrected so: {refused['error']}", hint=str(refused.get("hint", "")))
            lines.append({"who": correction.who, "at": correction.at, "what": correction.what, "made": not refused})
        return {**facts, "corrections": lines}


def _made(correction: Correction, tools: Tools) -> Mapping[str, Any] | None:
    """Make the calls of a correction; return the first refusal, or None. Later calls are then skipped."""
    for name, arguments in correction.calls:
        result = tools[name](**arguments)
        if not result["ok"]:
            return dict(result)
    return None


# from what a person did -----------------------------------------------------------------------


def calls_of(
    paper: PaperGraph, kind: str, node: str, target: str = "", reason: str = ""
) -> tuple[str, tuple[Call, ...]]:
    """Return a correction in words and as calls.

    `kind` is what is wrong with `node`:

    - "noise": it is left out;
    - "caption": it is the caption of the float `target`;
    - "heading": the section `node`, or the one with this title, goes into the section `target`, "" for the top;
    - "level": that section goes one level "up" or "down" (`target`);
    - "text": it is no heading but a paragraph, and what follows it belongs to the section before;
    - "merge": the reference entry goes on in `target`, or it is the rest of the entry before where that is "";
    - "split": a second entry begins in it with the words `target`;
    - "metadata": the "title", "authors" (with semicolons between them), "year", "doi" or "url" is `target`.

    Raises `BadValue` and `UnknownNode`.
    """
    if kind not in _KINDS:
        raise BadValue(f"unknown correction {kind[:40]!r}", hint=f"Use one of {', '.join(_KINDS)}.")
    return _KINDS[kind](paper, node, target, reason)


def _noise(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    node = _printed(paper, name)
    if node.kind == "SectionTitle":
        raise BadValue("a heading has a section behind it", hint="Move the heading instead.")
    blocks = paper.graph.values(node.iri, str(KAG.sourceBlock))
    shared = [one for one in paper.nodes.values() if one.iri != node.iri and _blocks(paper, one) & set(blocks)]
    if shared or not blocks:
        raise BadValue(f"{node.name} shares a block with {len(shared)} others", hint="Leave out all of them by hand.")
    calls: list[Call] = [("op_remove_node", {"node_iri": node.name})]
    section = paper.sections.get(node.section)
    if section and section.contents == (node.iri,) and not section.sections and section.header:
        calls.append(_link(section.name, "kag:contains", paper.name(section.header)))
    why = " ".join(reason.split())[:200] or "marked as noise by hand"
    calls += [("op_skip_block", {"block_id": block, "reason": why}) for block in sorted(blocks)]
    return f"{node.name} is noise: {why}", tuple(calls)


def _blocks(paper: PaperGraph, node: Node) -> set[str]:
    return set(paper.graph.values(node.iri, str(KAG.sourceBlock)))


def _caption(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    """A text becomes the caption of a float, or the rest of the one that it has; two captions change places."""
    text, figure = _printed(paper, name), _printed(paper, target)
    if figure.kind not in _FLOATS or text.kind not in ("Caption", "Paragraph", "FigureLabel"):
        raise BadValue(
            f"{text.name} cannot be the caption of {figure.name}", hint="Take a text, and a figure or table."
        )
    there = paper.caption_of(figure.iri)
    if text.kind == "Caption":
        calls = _described(text, figure)
        before = next(
            (paper.nodes[iri] for iri in paper.graph.values(text.iri, str(KAG.describes)) if iri in paper.nodes), None
        )
        if there and before and there.iri != text.iri:
            calls += _described(there, before)
        return f"{text.name} is the caption of {figure.name}", tuple(calls)
    parts = sorted(_blocks(paper, text) | (_blocks(paper, there) if there else set()))
    section = paper.sections[(there or text).section]
    again: dict[str, Any] = {"block_id": parts[0], "class_iri": "deo:Caption"}
    again |= {"more_blocks": parts[1:]} if parts[1:] else {}
    caption = f"ex:{parts[0]}"
    calls = [("op_remove_node", {"node_iri": node.name}) for node in (text, there) if node]
    calls += [("op_create_node", again), _link(section.name, "kag:contains", caption)]
    calls += [_link(caption, "kag:describes", figure.name), *(_labelled((caption, figure.name), (there or text).plain))]
    return f"{text.name} belongs to the caption of {figure.name}", tuple(calls)


def _described(caption: Node, figure: Node) -> list[Call]:
    link = {"subject_iri": caption.name, "predicate_iri": "kag:describes", "object_iri": figure.name}
    return [("op_set_single_iri_link", link), *_labelled((figure.name,), caption.plain)]


def _labelled(names: Sequence[str], words: str) -> list[Call]:
    """Call a float, and a caption that is made anew, what the caption calls it."""
    label = float_label(words)
    literals = (("kag:floatNumber", label.number), ("kag:floatLabel", label.label)) if label else ()
    return [
        ("op_set_single_literal", {"node_iri": name, "property_iri": key, "value": value})
        for name in names
        for key, value in literals
    ]


def _link(subject: str, predicate: str, target: str) -> Call:
    return "op_add_iri_link", {"subject_iri": subject, "predicate_iri": predicate, "object_iri": target}


def _heading(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    section = _section(paper, name)
    parent = _section(paper, target) if target.strip() else None
    if parent and parent.iri in _below(paper, section):
        raise BadValue(f"{parent.name} is in {section.name}", hint="Move it to a section beside it, or to the top.")
    holder = parent.name if parent else paper.name(paper.document)
    link = {"subject_iri": section.name, "predicate_iri": "^kag:contains", "object_iri": holder}
    calls: list[Call] = [("op_set_single_iri_link", link)]
    by = (parent.depth if parent else 0) + 1 - section.depth
    for iri in _below(paper, section) if by else ():
        one = paper.sections[iri]
        deep = {"node_iri": one.name, "property_iri": "kag:depth", "value": max(1, one.depth + by)}
        calls.append(("op_set_single_literal", deep))
    where = f"into “{parent.title}”" if parent else "to the top"
    return f"the section “{section.title}” goes {where}"[:300], tuple(calls)


def _below(paper: PaperGraph, section: Section) -> list[str]:
    """A section and all in it."""
    found = [section.iri]
    for iri in found:
        found += [one for one in paper.sections[iri].sections if one not in found]
    return found


def _printed(paper: PaperGraph, name: str) -> Node:
    node = paper.nodes.get(paper.resolve(name) or "")
    if node is None:
        raise UnknownNode(f"no node {name[:80]!r} is printed", hint='Name it as in "ex:b_p001_0004".')
    return node


def _section(paper: PaperGraph, name: str) -> Section:
    iri = paper.resolve(name) or ""
    node = paper.nodes.get(iri)
    section = paper.sections.get(iri) or (paper.section_of(iri) if node and node.kind == "SectionTitle" else None)
    if section is None:
        raise UnknownNode(f"unknown section {name[:80]!r}", hint="Name a section, or the node of its title.")
    return section


def _level(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    """A section goes out of the one that it is in, or into the one before it at its level."""
    section = _section(paper, name)
    parent = paper.sections.get(section.parent)
    if target == "up":
        if parent is None:
            raise BadValue(f"“{section.title}” is at the top", hint="It cannot go up.")
        above = paper.sections.get(parent.parent)
        return _heading(paper, section.name, above.name if above else "", reason)
    beside = [one for one in paper.sections.values() if one.parent == section.parent]
    before = beside[beside.index(section) - 1] if beside.index(section) else None
    if target != "down" or before is None:
        raise BadValue(f"“{section.title}” cannot go {target[:20] or 'there'}", hint='Give "up" or "down".')
    return _heading(paper, section.name, before.name, reason)


def _text(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    """Turn a heading into a paragraph of the previous section, which takes over its content."""
    section = _section(paper, name)
    header = paper.nodes.get(section.header)
    order = list(paper.sections)
    place = order.index(section.iri)
    if header is None or place == 0:
        raise BadValue(f"“{section.title}” has no section before it", hint="Leave it out as noise instead.")
    before = paper.sections[order[place - 1]]
    first, *more = _own_blocks(paper, header)
    again: dict[str, Any] = {"block_id": first, "class_iri": "doco:Paragraph"} | ({"more_blocks": more} if more else {})
    holder = section.parent if section.parent in paper.sections else paper.document
    calls: list[Call] = [("op_remove_node", {"node_iri": one}) for one in (header.name, section.name)]
    calls += [("op_create_node", again), _link(before.name, "kag:contains", f"ex:{first}")]
    inside = [(content, before.name) for content in section.contents if content != section.header]
    inside += [(one, paper.name(holder)) for one in section.sections]
    calls += [_link(target, "kag:contains", paper.name(one)) for one, target in inside]
    return f"“{section.title}” is no heading"[:300], tuple(calls)


def _own_blocks(paper: PaperGraph, node: Node) -> list[str]:
    """The blocks of a node that no other node has; raises `BadValue` where it is a part of a block."""
    blocks = sorted(_blocks(paper, node))
    if not blocks or any(one.iri != node.iri and _blocks(paper, one) & set(blocks) for one in paper.nodes.values()):
        raise BadValue(f"{node.name} is a part of a block", hint="Correct the others of its block first.")
    return blocks


def _merge(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    entries = paper.of_kind("BibliographicReference")
    entry = _entry(paper, name)
    place = entries.index(entry)
    node = _entry(paper, target) if target.strip() else (entries[place - 1] if place else None)
    if node is None or node is entry:
        raise BadValue(f"{entry.name} is the first entry", hint="Name the entry that it belongs to.")
    first, second = sorted((entry, node), key=entries.index)
    blocks = [sorted(_blocks(paper, one)) for one in (first, second)]
    if blocks[0] == blocks[1] and len(blocks[0]) == 1:
        again: dict[str, Any] = {"block_id": blocks[0][0], "start": _start(first), "end": _end(second)}
    else:
        again = {"block_id": blocks[0][0], "more_blocks": [*_own_blocks(paper, first), *_own_blocks(paper, second)][1:]}
    return f"{second.name} belongs to {first.name}", _entries_again(paper, (first, second), [again])


def _split(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    entry = _entry(paper, name)
    blocks, words = sorted(_blocks(paper, entry)), target.strip()
    at = entry.text.find(words) if words else -1
    if at <= 0 or len(blocks) != 1:
        hint = "Copy the first words of the second entry, letter by letter."
        raise BadValue(f"{entry.name} cannot be split there", hint=hint)
    cut = _start(entry) + at
    again = [
        {"block_id": blocks[0], "start": low, "end": high} for low, high in ((_start(entry), cut), (cut, _end(entry)))
    ]
    return f"{entry.name} is two entries", _entries_again(paper, (entry,), again)


def _entries_again(paper: PaperGraph, old: Sequence[Node], again: Sequence[Mapping[str, Any]]) -> tuple[Call, ...]:
    """Take entries out and make them anew, in the section of the first."""
    section = paper.sections[old[0].section]
    calls: list[Call] = [("op_remove_node", {"node_iri": node.name}) for node in old]
    for row in again:
        calls.append(("op_create_node", {**row, "class_iri": "deo:BibliographicReference"}))
        name = f"ex:{row['block_id']}" + (f"-{row['start']}" if "start" in row else "")
        calls.append(_link(section.name, "kag:contains", name))
    return tuple(calls)


def _entry(paper: PaperGraph, name: str) -> Node:
    node = _printed(paper, name)
    if node.kind != "BibliographicReference":
        raise BadValue(f"{node.name} is not a reference entry", hint="Use an entry of the reference list.")
    return node


def _start(node: Node) -> int:
    """Return the offset of a node in its block, from its name."""
    end = node.name.rpartition("-")[2]
    return int(end) if "-" in node.name and end.isdecimal() else 0


def _end(node: Node) -> int:
    return _start(node) + len(node.text)


def _metadata(paper: PaperGraph, name: str, target: str, reason: str) -> tuple[str, tuple[Call, ...]]:
    """A value of the paper itself, which then counts before what is printed."""
    value = " ".join(target.split())
    if name not in _VALUES or not _VALUES[name][1](value):
        raise BadValue(f"this is no {name[:20]} of a paper: {value[:60]!r}", hint=_VALUE_HINT)
    if name == "doi":
        value = re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", value, flags=re.I)
    if name == "authors":
        value = "; ".join(one.strip() for one in value.split(";") if one.strip()) + ";"  # a list, also of one
    literal = {"node_iri": paper.name(paper.document), "property_iri": _VALUES[name][0], "value": value}
    return f"the {name} is {value}"[:300], (("op_set_single_literal", literal),)


_VALUES: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "title": ("dcterms:title", re.compile(r".{1,1000}").fullmatch),
    "authors": ("dcterms:creator", re.compile(r"[^\W\d][^<>]{0,4000}").fullmatch),
    "year": ("fabio:hasPublicationYear", re.compile(r"(?:1[5-9]|20)\d\d").fullmatch),
    "url": ("fabio:hasURL", is_public),
    "doi": ("prism:doi", re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S{1,200}", re.I).fullmatch),
}
_VALUE_HINT = "Give a title, authors with semicolons between them, a year (2021), a DOI (10.1234/abc) or a web address."
_KINDS = {
    "noise": _noise,
    "caption": _caption,
    "heading": _heading,
    "level": _level,
    "text": _text,
    "merge": _merge,
    "split": _split,
    "metadata": _metadata,
}
