"""The kinds of entities, as `kinds.toml` lists them, and the classes that annotated corpora call them by."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

SIO = "http://semanticscience.org/resource/"
BIORED: Mapping[str, str] = {
    "GeneOrGeneProduct": "gene",
    "DiseaseOrPhenotypicFeature": "disease",
    "ChemicalEntity": "chemical",
    "OrganismTaxon": "species",
    "SequenceVariant": "variant",
    "CellLine": "cell line",
}
CRAFT: Mapping[str, str] = {
    "CHEBI": "chemical",
    "NCBITaxon": "species",
    "CL": "cell",
    "UBERON": "anatomy",
    "GO_BP": "process",
    "GO_MF": "process",
    "GO_CC": "component",
    "SO": "sequence",
    "MONDO": "disease",
    "PR": "gene",
}
SOFC: Mapping[str, str] = {"MATERIAL": "material", "DEVICE": "device", "VALUE": "value", "EXPERIMENT": "experiment"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entities with the IRI of its class in SIO."""

    name: str
    iri: str
    remark: str


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, Kind]:
    """The kinds by name.

    >>> kinds()["chemical"].iri
    'http://semanticscience.org/resource/SIO_010004'
    """
    told = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))["kind"]
    return {one["name"]: Kind(one["name"], SIO + one["sio"], one["remark"]) for one in told}
