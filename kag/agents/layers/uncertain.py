"""What the rules are unsure of in a paper's layers, as rows for a model: few, with the words around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kag.layers.sheet import entity_name, span_name
from kag.layers.values import Claim, Entity, Mention, Passage, Said

SURE = 0.75  # confidence from which on a rule is believed
MOST = 60  # rows of a paper that are asked
_AROUND = 50  # characters to either side


def uncertain_rows(said: Said, texts: Sequence[Passage]) -> list[dict[str, Any]]:
    """The entities whose kind or identifier is uncertain, then the claims whose role is, the least sure first."""
    known = {one.node: one.text for one in texts}
    rows = [*_entities(said.entities, known), *_claims(said.claims)]
    return sorted(rows, key=lambda row: (row["sure"], row["node"]))[:MOST]


def names_by_kind(said: Said) -> dict[str, dict[str, str]]:
    """The names of all entities with their nodes, by kind, so that it can be seen what is wrong or was overlooked."""
    found: dict[str, dict[str, str]] = {}
    for entity in said.entities:
        found.setdefault(entity.kind, {})[entity.name] = f"ex:{entity_name(entity.kind, entity.name)}"
    return dict(sorted(found.items()))


def _entities(entities: Sequence[Entity], known: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for entity in entities:
        sure = max(one.score for one in entity.mentions)
        weak = [one.iri for one in entity.identifiers if one.match != "exact" or one.score < SURE]
        if sure < SURE or entity.kind == "term" or weak:
            yield {
                "node": f"ex:{entity_name(entity.kind, entity.name)}",
                "name": entity.name,
                "kind": entity.kind,
                "sure": round(sure, 2),
                "in": _around(entity.mentions[0], known),
                **({"identifiers": weak} if weak else {}),
            }


def _claims(claims: Sequence[Claim]) -> Iterator[dict[str, Any]]:
    for claim in claims:
        if claim.score < SURE:
            node = f"ex:{span_name('c', claim.sentence)}"
            yield {"node": node, "role": claim.role, "sure": round(claim.score, 2), "in": claim.sentence.text[:200]}


def _around(words: Mention, known: Mapping[str, str]) -> str:
    text = known.get(words.node, "")
    return text[max(0, words.start - _AROUND) : words.end + _AROUND]
