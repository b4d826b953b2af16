"""Papers side by side: a row each, a column a property, in the cells what was measured, with where it is printed."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from kag.core.evidence import Evidence
from kag.layers.pipeline import findings_of, read_layers
from kag.layers.source import cited_sentences, text_of
from kag.layers.values import Findings, Measurement, Mention
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence, find_quote
from kag.rdf.namespaces import KAG
from kag.text.plain import plain
from kag.text.search_text import search_text

COLUMNS = 8  # properties that are chosen where none is named
MOST = 5  # values of a cell that are shown
_BEFORE = 60  # characters before a value in which its property stands
_ENDS = re.compile(r"[.;:!?]\s")
_RISKY = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for a formula at the beginning of a cell


@dataclass(frozen=True, slots=True)
class Value:
    """A measured value as printed, its entity, and its place."""

    text: str
    of: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A paper: the values of each column."""

    paper: str
    title: str
    cells: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`columns` are properties, in the order that they were named, else those that most papers have first."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def compare(papers: Mapping[str, PaperGraph], properties: Sequence[str] = (), *, of: str = "") -> Comparison:
    """The measurements of papers by property; `of` limits them to those of an entity.

    Without `properties` those that several papers measure are taken, else those that are measured most.
    """
    findings = {name: layer_findings(paper) for name, paper in papers.items()}
    columns = tuple(properties) or _shared(findings)
    rows = []
    for name, paper in papers.items():
        measurements = [measurement for measurement in findings[name].measurements if not of or _of(measurement, of)]
        cells = tuple(
            _cell(paper, [measurement for measurement in measurements if _is(measurement, column, measurements, paper)])
            for column in columns
        )
        rows.append(Row(name, paper.title or name, cells))
    return Comparison(columns, tuple(rows))


def as_csv(table: Comparison) -> str:
    """Return the comparison as CSV: next to each property a column with page and words of its evidence."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["paper", "title", *(name for column in table.columns for name in (column, f"{column}: evidence"))])
    for row in table.rows:
        cells = [text for cell in row.cells for text in (_values(cell), _places(cell))]
        writer.writerow([_safe(text) for text in (row.paper, row.title, *cells)])
    return out.getvalue()


def _shared(findings: Mapping[str, Findings]) -> tuple[str, ...]:
    """The properties that most papers have, then those with most values, then by name."""
    papers: Counter[tuple[str, ...]] = Counter()
    values: Counter[tuple[str, ...]] = Counter()
    names: dict[tuple[str, ...], Counter[str]] = {}
    for finding in findings.values():
        measured = [(words_of(m.measured.text), plain(m.measured.text)) for m in finding.measurements if m.measured]
        measured = [(key, name) for key, name in measured if key]
        papers.update({key for key, _ in measured})
        values.update(key for key, _ in measured)
        for key, name in measured:
            names.setdefault(key, Counter())[name] += 1
    ranked = sorted(papers, key=lambda key: (-papers[key], -values[key], key))
    if any(papers[key] > 1 for key in ranked):
        ranked = [key for key in ranked if papers[key] > 1]
    return tuple(min(names[key], key=lambda name: (-names[key][name], name)) for key in ranked[:COLUMNS])


def _is(measurement: Measurement, column: str, measurements: Sequence[Measurement], paper: PaperGraph) -> bool:
    """Whether a value is of a property: by its own words, and where it has none by those shortly before it."""
    if measurement.measured is not None or measurement.counted:
        return measurement.measured is not None and is_named(column, (measurement.measured.text,))
    here, at = measurement.mention.node, measurement.mention.start
    others = (other.mention.end for other in measurements if other.measured is not None and other.mention.node == here)
    start = max((end for end in others if end <= at), default=0)
    before = text_of(paper.graph, here)[max(start, at - _BEFORE) : at]
    return is_named(column, (_ENDS.split(before)[-1],))


def _of(measurement: Measurement, topic: str) -> bool:
    return measurement.entity is not None and is_named(topic, (measurement.entity.text,))


def _cell(paper: PaperGraph, measurements: Sequence[Measurement]) -> tuple[Value, ...]:
    values = []
    for measurement in measurements:
        _, places = sentence_at(paper, measurement.mention)
        if places:
            values.append(
                Value(_printed(measurement), plain(measurement.entity.text) if measurement.entity else "", places)
            )
    return tuple(dict.fromkeys(values))


def _printed(measurement: Measurement) -> str:
    """A value as it is printed, with the unit of its header where that has it."""
    text, unit = plain(measurement.mention.text), plain(measurement.value.unit)
    return f"{text} {unit}" if unit and unit not in text else text


def _values(cell: Sequence[Value]) -> str:
    texts = [f"{value.text} ({value.of})" if value.of else value.text for value in cell[:MOST]]
    return "; ".join([*dict.fromkeys(texts), *([f"and {len(cell) - MOST} more"] if len(cell) > MOST else [])])


def _places(cell: Sequence[Value]) -> str:
    places = [f"p. {place.page}: “{plain(place.quote)}”" for one in cell[:MOST] for place in one.evidence]
    return "; ".join(dict.fromkeys(places))


def _safe(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; a number with a sign stays one."""
    signed = text[:1] in "+-" and text[1:2].isdigit()
    return f"'{text}" if text.startswith(_RISKY) and not signed else text


_WORD = re.compile(r"[^\W_]+")
_PLAIN = str(KAG.plainText)
OWN = frozenset(("objective", "method", "result", "conclusion", "availability"))
"""Roles of claims that are on the paper's own work."""
_known: WeakKeyDictionary[PaperGraph, Findings] = WeakKeyDictionary()


def layer_findings(paper: PaperGraph) -> Findings:
    """Return the findings of a run's layers; none if it has no layers. Raises `RunError` if one is damaged."""
    findings = _known.get(paper)
    if findings is None:
        findings = _known[paper] = findings_of(read_layers(paper.path)) if paper.path else Findings()
    return findings


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as they are compared, without a plural's s."""
    words = _WORD.findall(search_text(name).text)
    return tuple(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def is_named(topic: str, names: Iterator[str] | tuple[str, ...]) -> bool:
    """Whether a name is that of the topic, or holds it as whole words: "spleen" is in "the spleen of mice"."""
    wanted = words_of(topic)
    for name in names:
        words = words_of(name)
        if wanted and any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1)):
            return True
    return False


def sentence_at(paper: PaperGraph, words: Mention) -> tuple[str, tuple[Evidence, ...]]:
    """Return the sentence (or table line) that contains some words, in plain words, and its place."""
    node = paper.nodes.get(words.node)
    if node is None:
        return "", ()
    plain = paper.graph.value(words.node, _PLAIN)
    if not plain:
        start = node.text.rfind("\n", 0, words.start) + 1
        end = node.text.find("\n", words.end)
        end = len(node.text) if end < 0 else end
        return node.text[start:end], (evidence(paper, words.node, start, end),)
    start, end = next(
        ((s, e) for s, e in cited_sentences(plain) if s <= words.start and words.end <= e), (words.start, words.end)
    )
    sentence = plain[start:end].strip()
    place = find_quote(node.text, sentence)
    return (sentence, (evidence(paper, words.node, *place),)) if place else ("", ())
