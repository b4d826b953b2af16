"""A small world of drugs for tests: two names that are alike, two ways round, and a hub."""

from __future__ import annotations

from kag.kgrag.science import ScienceGraph


def drugs() -> ScienceGraph:
    """Aspirin and ibuprofen, two enzymes with their genes, three diseases."""
    one = ScienceGraph()
    for name in ("Aspirin", "Ibuprofen", "Warfarin"):
        one.add_chemical(name, id=name.lower())
    for name in ("PTGS1", "PTGS2"):
        one.add_gene(name, id=f"gene:{name}")
        one.add_protein(f"{name} protein", id=f"protein:{name}")
        one.link_encoding(f"gene:{name}", f"protein:{name}")
    for name in ("migraine", "gout", "stroke"):
        one.add_disease(name, id=name)
    for drug, target in (("aspirin", "PTGS1"), ("aspirin", "PTGS2"), ("ibuprofen", "PTGS2")):
        one.link_inhibition(drug, f"protein:{target}")
    one.link_activation("warfarin", "protein:PTGS1")
    for drug, disease in (
        ("aspirin", "migraine"),
        ("ibuprofen", "migraine"),
        ("ibuprofen", "gout"),
        ("aspirin", "stroke"),
    ):
        one.link("treats", drug, disease)
    one.link_association("gene:PTGS2", "gout")
    return one
