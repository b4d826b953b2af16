"""Marks as brat standoff: a text and an .ann file a paper, and the annotation.conf that brat asks for.

The texts of a paper stand one below the other, an empty line between them. Types are kinds with "_" for what brat's
names cannot have; words that a line break parts are written as fragments, as brat has it. What is the same elsewhere is
a normalisation (N), role, polarity and certainty of a claim are attributes (A), the node of the graph is a note (#).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kag.export.marks.spans import Mark, Marked

CONF = "annotation.conf"
_BETWEEN = "\n\n"
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")


def brat_files(papers: Iterable[Marked]) -> dict[str, str]:
    """`<paper>.txt` and `<paper>.ann` of each paper, and `annotation.conf`."""
    every = list(papers)
    files = {}
    for one in every:
        files[f"{one.paper}.txt"] = _BETWEEN.join(text.text for text in one.texts) + "\n"
        files[f"{one.paper}.ann"] = "".join(f"{line}\n" for line in _lines(one))
    return {CONF: _conf(every), **files}


def type_name(kind: str) -> str:
    """A kind as brat writes it.

    >>> type_name("cell line"), type_name("p-value"), type_name("(%)")
    ('cell_line', 'p-value', 'other')
    """
    return _NO_NAME.sub("_", kind).strip("_") or "other"


def _lines(paper: Marked) -> Iterator[str]:
    """The lines of an .ann file: texts, then relations, attributes, normalisations and notes."""
    names: dict[Mark, str] = {}
    below: list[str] = []
    start = 0
    for text in paper.texts:
        for mark in text.marks:
            if not (parts := _fragments(text.text, mark)):
                continue
            names[mark] = f"T{len(names) + 1}"
            places = ";".join(f"{start + begin} {start + end}" for begin, end in parts)
            words = " ".join(text.text[begin:end] for begin, end in parts)
            yield f"{names[mark]}\t{type_name(mark.label)} {places}\t{words}"
            below += _about(mark, names[mark], words)
        start += len(text.text) + len(_BETWEEN)
    numbers = dict.fromkeys("RAN#", 0)
    for link in paper.links:
        if link.head in names and link.tail in names:
            below.append(f"R\t{type_name(link.kind)} Arg1:{names[link.head]} Arg2:{names[link.tail]}")
    for line in below:
        numbers[line[0]] += 1
        yield f"{line[0]}{numbers[line[0]]}{line[1:]}"


def _about(mark: Mark, name: str, words: str) -> Iterator[str]:
    """What is said of a mark, without the numbers of the lines."""
    for key, value in mark.about if mark.group == "claim" else ():
        yield f"A\t{key.capitalize()} {name} {type_name(value)}"
    for iri in mark.same:
        yield f"N\tReference {name} IRI:{iri}\t{words}"
    yield f"#\tAnnotatorNotes {name}\t{mark.node}"


def _fragments(text: str, mark: Mark) -> list[tuple[int, int]]:
    """The parts of a mark between line breaks, without blanks at their ends."""
    found = []
    for part in re.finditer(r"[^\n\r]+", text[mark.start : mark.end]):
        words = part[0]
        begin = mark.start + part.start() + len(words) - len(words.lstrip())
        if words.strip():
            found.append((begin, begin + len(words.strip())))
    return found


def _conf(papers: Sequence[Marked]) -> str:
    """The types that occur."""
    marks = [mark for paper in papers for text in paper.texts for mark in text.marks]
    types = sorted({type_name(mark.label) for mark in marks})
    links = sorted({type_name(link.kind) for paper in papers for link in paper.links})
    values: dict[str, set[str]] = {}
    for mark in marks:
        for key, value in mark.about if mark.group == "claim" else ():
            values.setdefault(key.capitalize(), set()).add(type_name(value))
    return "".join(f"{line}\n" for line in _sections(types, links, values))


def _sections(types: Sequence[str], links: Sequence[str], values: Mapping[str, set[str]]) -> Iterator[str]:
    yield from ("[entities]", *types, "", "[relations]")
    yield from (f"{name}\tArg1:<ENTITY>, Arg2:<ENTITY>" for name in links)
    yield "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>"
    yield from ("", "[events]", "", "[attributes]")
    yield from (f"{name}\tArg:claim, Value:{'|'.join(sorted(values[name]))}" for name in sorted(values))
