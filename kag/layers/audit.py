"""Whether what a layer quotes stands where it says: each span against the document's own text."""

from __future__ import annotations

from collections.abc import Iterator

from kag.core.report import Issue, Report
from kag.layers.passages import text_of
from kag.layers.source import Source
from kag.rdf.namespaces import OA, PROV
from kag.rdf.published import PublishedGraph

_START, _END, _EXACT = str(OA.start), str(OA.end), str(OA.exact)
_FROM = str(PROV.wasDerivedFrom)


def audit_layer(layer: PublishedGraph, source: Source) -> Report:
    """What does not stand where a layer says; issues carry the node as focus."""
    return Report.of(_misquotes(layer, source))


def spans(layer: PublishedGraph) -> list[str]:
    """The nodes of a layer that stand in a text."""
    return sorted(node for node in layer if layer.value(node, _EXACT))


def _misquotes(layer: PublishedGraph, source: Source) -> Iterator[Issue]:
    for node in spans(layer):
        try:
            start, end = int(layer.value(node, _START)), int(layer.value(node, _END))
        except ValueError:
            yield _issue(node, "NoSpan", "start or end is no number")
            continue
        text = text_of(source.graph, layer.value(node, _FROM))
        if start < 0 or text[start:end] != layer.value(node, _EXACT):
            said = "the text has no such characters" if end > len(text) else f"there stands {text[start:end][:60]!r}"
            yield _issue(node, "TextChanged", f"what it quotes does not stand at {start} to {end}: {said}")


def _issue(node: str, kind: str, message: str) -> Issue:
    return Issue(f"<{node}>", "", kind, f"{message}. Make the layers again: `kag layers RUN --force`.")
