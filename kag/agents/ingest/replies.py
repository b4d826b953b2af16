"""Pydantic models of a model's reply, made from a domain's schema, and the valid part of a reply.

Items are read one by one: a wrong one costs only itself and is reported with its place. Syntax that is almost JSON is
mended by json-repair. A quote must stand in the text; its characters are found here and never taken from the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from json_repair import repair_json
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from kag.agents.model.failures import json_in
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.schema import StructureSchema

LONGEST_REPLY = 400_000
MOST_ITEMS = 2000
_KINDS: Mapping[str, Any] = {
    "string": str, "number": int | float, "integer": int, "boolean": bool, "list": list, "object": dict
}  # fmt: skip
_LOOSE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-", "\u00a0": " "})


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class EdgeReply(_Item):
    """An edge of a reply; `source` and `target` are ids, or refs of the reply's nodes."""

    label: str = Field(min_length=1, max_length=200)
    source: str = Field(alias="from", min_length=1, max_length=4000)
    target: str = Field(alias="to", min_length=1, max_length=4000)
    props: dict[str, Any] = Field(default_factory=dict)
    quote: str = Field(min_length=1, max_length=4000)


@dataclass(frozen=True, slots=True)
class Wrong:
    """An item that cannot be used: its place in the reply, what it is, and why."""

    path: str
    item: Any
    why: str


class ReplySchema:
    """The models of a domain's replies."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._nodes = TypeAdapter(self._node_model(domain.schema))
        self._edges = TypeAdapter(self._edge_model(domain.schema))

    def _node_model(self, schema: StructureSchema) -> type[_Item]:
        labels: Any = Literal[tuple(sorted(schema.node_labels))] if schema.node_labels else str
        return create_model(
            "NodeReply",
            __base__=_Item,
            ref=(str, ""),
            label=(labels, ...),
            name=(str, Field(min_length=1, max_length=400)),
            props=(dict[str, Any], Field(default_factory=dict)),
            quote=(str, Field(min_length=1, max_length=4000)),
            namesake=(bool, False),
        )

    def _edge_model(self, schema: StructureSchema) -> type[_Item]:
        labels: Any = Literal[tuple(sorted(schema.edge_labels))] if schema.edge_labels else str
        return create_model("LabelledEdge", __base__=EdgeReply, label=(labels, ...))

    def props(self, props: Mapping[str, Any]) -> str:
        """Why properties are not of their types; "" where they are."""
        fields: Any = {
            key: (_KINDS[kind] | None, None) for key, kind in self._domain.schema.types.items() if key in props
        }
        try:
            create_model("Props", __config__=ConfigDict(extra="allow"), **fields)(**props)
        except ValidationError as error:
            return _first(error)
        return ""

    def node(self, item: Any) -> Any:
        """A node of a reply; raises `ValueError` saying why it is none."""
        return self._checked(self._nodes, item)

    def edge(self, item: Any) -> Any:
        """An edge of a reply; raises `ValueError` saying why it is none."""
        return self._checked(self._edges, item)

    def _checked(self, adapter: TypeAdapter[Any], item: Any) -> Any:
        try:
            found = adapter.validate_python(_in_spelling(item, self._domain))
        except ValidationError as error:
            raise ValueError(_first(error)) from error
        wrong = self.props(found.props)
        if wrong:
            raise ValueError(f"props: {wrong}")
        return found


def _in_spelling(item: Any, domain: Domain) -> Any:
    """An item with its label in the domain's spelling: `participates in` is `participates_in`."""
    if not isinstance(item, dict) or not isinstance(item.get("label"), str):
        return item
    known = {_bare(one): one for one in (*domain.schema.node_labels, *domain.schema.edge_labels)}
    return item | {"label": known.get(_bare(item["label"]), item["label"])}


def _bare(label: str) -> str:
    return "".join(sign for sign in label.casefold() if sign.isalnum())


def _first(error: ValidationError) -> str:
    """The first faults in words."""
    messages = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors(include_url=False)]
    return "; ".join(messages[:3])[:400]


def object_in(reply: str, *keys: str) -> dict[str, Any] | None:
    """The first JSON object in a reply that has one of these keys; almost-JSON is mended. None where there is none."""
    text = reply[:LONGEST_REPLY]
    found = next((one for one in json_in(text, "{") if isinstance(one, dict) and one.keys() & set(keys)), None)
    if found is not None:
        return found
    begin = text.find("{")
    try:
        mended = repair_json(text[begin:], return_objects=True) if begin >= 0 else None
    except (ValueError, RecursionError):
        return None
    return mended if isinstance(mended, dict) and mended.keys() & set(keys) else None


def items_of(found: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Any]]:
    """The items of a kind with their places."""
    listed = found.get(kind)
    for number, item in enumerate(listed[:MOST_ITEMS] if isinstance(listed, list) else ()):
        yield f"{kind}[{number}]", item


def pairs_of(found: Mapping[str, Any], kind: str) -> Sequence[tuple[str, str]]:
    """The pairs of texts that a reply lists under a key."""
    listed = found.get(kind)
    pairs = [one for one in listed if isinstance(one, list) and len(one) == 2] if isinstance(listed, list) else []
    return [(one, other) for one, other in pairs if isinstance(one, str) and isinstance(other, str)]


def quoted_at(quote: str, text: str) -> tuple[int, int] | None:
    """The characters of a text that a quote copies: exactly, else but for signs, case and blanks.

    >>> quoted_at("the  “old” mill", 'At the "old" mill.')
    (3, 17)
    """
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    words = quote.translate(_LOOSE).split()
    if not words:
        return None
    form = r"\s+".join(re.escape(word) for word in words)
    match = re.search(form, text.translate(_LOOSE), re.IGNORECASE)
    return match.span() if match else None
