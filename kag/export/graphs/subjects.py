"""The tasks, datasets and models that a paper is about, from its layers: what the property graph names beside papers.

A layer has every task and method that is mentioned, most of them in passing. A paper's own task or model is named in
its title or abstract, and three times at least; its dataset is named there, or its own claims are about it.

What is wrong is left out rather than right left in. A paper that speaks more of organisms, substances or devices than
of tasks, methods, datasets and metrics names no task and no model: its methods are those of a laboratory. A dataset has
a name with two capitals at least, which is not made of two others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kag.layers.entities.identifiers import BIORED, CRAFT
from kag.layers.source import passages
from kag.layers.values import Entity, Mention
from kag.qa.compare import OWN, said_by
from kag.qa.paper import PaperGraph

Label = Literal["Task", "Dataset", "Model"]
LABELS: Mapping[str, Label] = {"task": "Task", "dataset": "Dataset", "method": "Model"}
"""Kinds of entities, and what the property graph calls them."""
_MATTER = frozenset((*BIORED.values(), *CRAFT.values(), "material", "device"))  # kinds of what laboratories study
_COMPUTING = frozenset((*LABELS, "metric"))
_CAPITALS = 2  # of a dataset's name: "ImageNet", not "Hence" or "35"
_OFTEN = 3  # mentions of a task or a model that is the paper's own
_WORDS = re.compile(r"[^\W_]+")
_TITLED = re.compile(r"\b[A-Z][a-z]+\b")
_PLURAL = re.compile(r"(?<=\w\w[a-z])(?<![siu])(?<!aye)s$")  # not of "analysis", "corpus", "naive Bayes"


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a paper names as its own subject; `node` is the IRI of the text that names it first."""

    paper: str
    label: Label
    name: str
    node: str = field(default="", compare=False)


def subjects(paper: PaperGraph) -> Iterator[Named]:
    """What a paper is about; nothing where its run has no layers. Raises `RunError` where one is damaged."""
    said = said_by(paper)
    head = {one.node for one in passages(paper.graph) if one.kind in ("title", "abstract")} if said.entities else set()
    claimed = {_place(mention) for claim in said.claims if claim.role in OWN for mention in claim.about}
    kinds = Counter(entity.kind for entity in said.entities for _ in entity.mentions)
    of_matter = sum(kinds[one] for one in _COMPUTING) < sum(kinds[one] for one in _MATTER)
    own = [entity for entity in said.entities if _own(entity, head, claimed)]
    datasets = {entity.name for entity in own if entity.kind == "dataset"}
    told = (
        _named(paper.id, entity)
        for entity in own
        if (_is_dataset(entity.name, datasets) if entity.kind == "dataset" else not of_matter)
    )
    yield from dict.fromkeys(told)


def _is_dataset(name: str, others: Iterable[str]) -> bool:
    """Whether a name can be that of one dataset: with two capitals, and not two of the others joined."""
    words = _WORDS.findall(name)
    inside = [other for other in others if other != name and set(_WORDS.findall(other)) <= set(words)]
    return sum(sign.isupper() for sign in name) >= _CAPITALS and len(inside) < 2


def _own(entity: Entity, head: set[str], claimed: set[tuple[str, int, int]]) -> bool:
    if entity.kind not in LABELS:
        return False
    named = any(one.node in head for one in entity.mentions)
    if entity.kind == "dataset":
        return named or any(_place(one) in claimed for one in entity.mentions)
    return named and len(entity.mentions) >= _OFTEN


def _named(paper: str, entity: Entity) -> Named:
    label = LABELS[entity.kind]
    name = entity.name if label == "Dataset" else plain_name(entity.name)
    return Named(paper, label, name, entity.mentions[0].node)


def derived(named: Iterable[Named]) -> Iterator[tuple[Named, Named]]:
    """The models of a paper whose names say from which other model of it they derive, and that model.

    A name says so where it is the other one with words before it ("convolutional neural network", "neural network"), or
    a proper name with more behind it ("BERT-large", "BERT"). Of several the longest is taken.
    """
    models: dict[str, list[Named]] = {}
    for one in named:
        if one.label == "Model":
            models.setdefault(one.paper, []).append(one)
    for some in models.values():
        words = {one: tuple(_WORDS.findall(one.name)) for one in some}
        for one in some:
            longer = sorted(some, key=lambda other: -len(words[other]))
            base = next((other for other in longer if _is_derived(words[one], words[other])), None)
            if base is not None:
                yield one, base


def _is_derived(name: tuple[str, ...], base: tuple[str, ...]) -> bool:
    if not base or len(name) <= len(base):
        return False
    proper = base[0] != base[0].lower()
    return name[-len(base) :] == base or (proper and name[: len(base)] == base)


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
