"""Layers as Web Annotations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kag.indexing.run import GRAPH, LAYER_FILES
from kag.layers.gate import spans
from kag.layers.pipeline import parse_layer
from kag.rdf.namespaces import KAG, OA, PROV, SAID, SKOS
from kag.rdf.profile import IS_ABOUT, REFERS_TO
from kag.rdf.published import PublishedGraph

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32  # characters of prefix and suffix
_PLAIN, _FULL = str(KAG.plainText), str(KAG.fullText)


def annotations_of(files: Mapping[str, bytes]) -> str:
    """`to_annotations` from the files of a run; raises `RunError` where a layer is damaged."""
    layers = {name: parse_layer(Path(file), files[file]) for name, file in LAYER_FILES.items() if file in files}
    return to_annotations(PublishedGraph.parse(files[GRAPH]), layers)


def to_annotations(document: PublishedGraph, layers: Mapping[str, PublishedGraph]) -> str:
    """All spans of the layers as one annotation page; offsets count in the text as `kag.layers.source` says.

    The body of a mention is its entity with name and identifiers, that of a claim its role.
    """
    items = [
        _annotation(node, layer, layers.get("entity", layer), document)
        for layer in layers.values()
        for node in spans(layer)
    ]
    page = {"@context": _CONTEXT, "type": "AnnotationPage", "items": items}
    return json.dumps(page, ensure_ascii=False, indent=2) + "\n"


def _annotation(node: str, layer: PublishedGraph, entities: PublishedGraph, document: PublishedGraph) -> dict[str, Any]:
    source = layer.value(node, str(PROV.wasDerivedFrom))
    text = document.value(source, _PLAIN) or document.value(source, _FULL)
    start, end = (int(layer.value(node, str(name)) or 0) for name in (OA.start, OA.end))
    quote = {
        "type": "TextQuoteSelector",
        "exact": layer.value(node, str(OA.exact)),
        "prefix": text[max(0, start - _AROUND) : start],
        "suffix": text[end : end + _AROUND],
    }
    place = {"type": "TextPositionSelector", "start": start, "end": end}
    return {
        "id": node,
        "type": "Annotation",
        "body": list(_bodies(node, layer, entities)),
        "target": {"source": source, "selector": [place, quote]},
    }


def _bodies(node: str, layer: PublishedGraph, entities: PublishedGraph) -> Iterator[dict[str, Any]]:
    """What is said of a span: the entities that it names or is about, and its role or kind as a tag."""
    for name, purpose in ((REFERS_TO, "identifying"), (IS_ABOUT, "linking")):
        for entity in layer.values(node, str(name)):
            same = entities.values(entity, str(SKOS.exactMatch))
            label = {"type": "TextualBody", "value": entities.value(entity, str(SKOS.prefLabel)), "purpose": purpose}
            yield from ({"id": iri, "purpose": purpose} for iri in (entity, *same))
            yield label
    for name in (SAID.role, SAID.kind):
        if tag := layer.value(node, str(name)):
            yield {"type": "TextualBody", "value": tag, "purpose": "tagging"}
