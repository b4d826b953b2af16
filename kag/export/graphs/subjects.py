"""The tasks, datasets and models that a paper is about, from its layers: what the property graph names beside papers.

A layer tells every task and method that is mentioned, most of them in passing. The paper's own subject is what stands
in its title or abstract, or what its own claims are about: of tasks and models more than once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kag.layers.source import passages
from kag.layers.values import Entity, Mention
from kag.qa.layer_queries.papers import OWN, said_by
from kag.qa.paper import PaperGraph

Label = Literal["Task", "Dataset", "Model"]
LABELS: Mapping[str, Label] = {"task": "Task", "dataset": "Dataset", "method": "Model"}
"""Kinds of entities, and what the property graph calls them."""
_OFTEN = 2  # mentions of a task or a model that claims are about
_TITLED = re.compile(r"\b[A-Z][a-z]+\b")
_PLURAL = re.compile(r"(?<=\w\w[a-z])(?<![siu])(?<!aye)s$")  # not of "analysis", "corpus", "naive Bayes"


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a paper names as its own subject."""

    paper: str
    label: Label
    name: str


def subjects(paper: PaperGraph) -> Iterator[Named]:
    """What a paper is about; nothing where its run has no layers. Raises `RunError` where one is damaged."""
    said = said_by(paper)
    head = {one.node for one in passages(paper.graph) if one.kind in ("title", "abstract")} if said.entities else set()
    claimed = {_place(mention) for claim in said.claims if claim.role in OWN for mention in claim.about}
    told = (_named(paper.id, entity) for entity in said.entities if _own(entity, head, claimed))
    yield from dict.fromkeys(told)


def _own(entity: Entity, head: set[str], claimed: set[tuple[str, int, int]]) -> bool:
    if entity.kind not in LABELS:
        return False
    if any(one.node in head for one in entity.mentions):
        return True
    often = entity.kind == "dataset" or len(entity.mentions) >= _OFTEN
    return often and any(_place(one) in claimed for one in entity.mentions)


def _named(paper: str, entity: Entity) -> Named:
    label = LABELS[entity.kind]
    return Named(paper, label, entity.name if label == "Dataset" else plain_name(entity.name))


def _place(mention: Mention) -> tuple[str, int, int]:
    return mention.node, mention.start, mention.end


def plain_name(name: str) -> str:
    """The name that a task or a model has in all papers, whether it is printed as a title or in the plural.

    >>> plain_name("Convolutional Neural Networks"), plain_name("BERT transformer"), plain_name("ResNet")
    ('convolutional neural network', 'BERT transformer', 'ResNet')
    """
    words = " ".join(name.split())
    lower = _TITLED.sub(lambda word: word[0].lower(), words) if " " in words else words
    return _PLURAL.sub("", lower)
