"""A kind of entity has one class of SIO, wherever it is said."""

from __future__ import annotations

from kag.layers.entities.identifiers import kinds
from kag.rdf.profile import KIND_CLASSES


def test_the_profile_knows_the_kinds_that_are_found():
    assert {name: str(cls) for name, cls in KIND_CLASSES.items()} == {name: one.iri for name, one in kinds().items()}
