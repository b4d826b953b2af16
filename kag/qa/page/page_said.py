"""What a paper says, as rows of the page: entities, measured values, claims, each with the nodes where it stands."""

from __future__ import annotations

from typing import Any

from kag.layers.values import Claim, Entity, Measurement
from kag.qa.layer_queries.papers import said_by
from kag.qa.page.page_nodes import Index
from kag.qa.paper import PaperGraph
from kag.text.plain import plain


def said_rows(paper: PaperGraph, index: Index) -> dict[str, Any]:
    """The rows; none where the run has no layers. What stands in a node that the page does not show is left out."""
    said = said_by(paper)
    return {
        "entities": [row for one in said.entities if (row := _entity(one, index))["nodes"]],
        "values": [_value(one, index) for one in said.measurements if one.mention.node in index.numbers],
        "claims": [_claim(one, index) for one in said.claims if one.sentence.node in index.numbers],
    }


def _entity(entity: Entity, index: Index) -> dict[str, Any]:
    nodes = dict.fromkeys(index.numbers[one.node] for one in entity.mentions if one.node in index.numbers)
    same = [
        one.iri for one in entity.identifiers if one.match == "exact" and one.iri.startswith(("http://", "https://"))
    ]
    return {"name": entity.name, "kind": entity.kind, "same": same, "nodes": list(nodes)}


def _value(one: Measurement, index: Index) -> dict[str, Any]:
    return {
        "text": plain(one.mention.text),
        "property": plain(one.measured.text) if one.measured else "",
        "of": plain(one.entity.text) if one.entity else "",
        "node": index.numbers[one.mention.node],
    }


def _claim(claim: Claim, index: Index) -> dict[str, Any]:
    told = [claim.polarity == "negative" and "negative", claim.certainty == "hedged" and "hedged", claim.direction]
    return {
        "text": plain(claim.sentence.text),
        "role": claim.role,
        "notes": [word for word in told if word],
        "node": index.numbers[claim.sentence.node],
    }
