"""The name of an entity that readers know best: "lung" rather than "pulmonary"."""

from __future__ import annotations

from dataclasses import replace

from kag.layers.values import Entity

_KIDNEY_LIVER_HEART = ("renal", "nephric", "hepatic", "cardiac")
_OTHER_ORGANS = ("pulmonary", "cerebral", "gastric", "ovarian", "colonic", "prostatic", "vesical", "pancreatic")
_TISSUES = ("cutaneous", "dermal", "osseous", "mammary", "esophageal", "thyroidal")
_ADJECTIVES = frozenset((*_KIDNEY_LIVER_HEART, *_OTHER_ORGANS, *_TISSUES))


def recognised(entity: Entity) -> Entity:
    """The entity under a name of as many words with fewer adjectives of organs; its own name becomes an alias."""

    def adjectives(name: str) -> int:
        return sum(word in _ADJECTIVES for word in name.casefold().split())

    length = len(entity.name.split())
    names = [entity.name, *(alias for alias in entity.aliases if len(alias.split()) == length)]
    best = min(names, key=adjectives)
    aliases = tuple(sorted({entity.name, *entity.aliases} - {best}))
    return entity if best == entity.name else replace(entity, name=best, aliases=aliases)
