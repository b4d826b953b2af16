"""Kinds of entities (`kinds.toml`), their identifiers, and the forms in which names are looked up.

Identifiers are CURIEs in lists and IRIs in graphs. "cancer of the colon", "colonic tumours" and "Colonic Neoplasms"
have one form: order, number, spelling and words of one meaning are made equal, in lists and in names.
"""

from __future__ import annotations

import re
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
    rows = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))["kind"]
    return {row["name"]: Kind(row["name"], SIO + row["sio"], row["remark"]) for row in rows}


PREFIXES = {
    "mesh": "http://id.nlm.nih.gov/mesh/",
    "ncbigene": "https://identifiers.org/ncbigene:",
    "HGNC": "https://identifiers.org/hgnc:",
    "FPLX": "https://identifiers.org/fplx:",
    "OMIM": "https://identifiers.org/mim:",
    "dbsnp": "https://identifiers.org/dbsnp:",
    "cellosaurus": "https://identifiers.org/cellosaurus:",
    "EFO": "http://www.ebi.ac.uk/efo/EFO_",
    **{
        name: f"http://purl.obolibrary.org/obo/{name}_"
        for name in ("CHEBI", "DOID", "HP", "GO", "NCBITaxon", "CL", "UBERON", "SO", "MONDO", "PR")
    },
    **{
        name: f"https://identifiers.org/{name}:"
        for name in (
            "geo",
            "sra",
            "bioproject",
            "pdb",
            "uniprot",
            "arrayexpress",
            "clinicaltrials",
            "zenodo",
            "ena.embl",
        )
    },
}
_LOCAL = re.compile(r"[A-Za-z0-9._-]+")


def iri(curie: str) -> str:
    """The IRI of a CURIE; empty where its prefix is not known or its number is none.

    >>> iri("CHEBI:15365"), iri("mesh:D001241"), iri("no:thing"), iri("mesh:a b")
    ('http://purl.obolibrary.org/obo/CHEBI_15365', 'http://id.nlm.nih.gov/mesh/D001241', '', '')
    """
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local if prefix in PREFIXES and _LOCAL.fullmatch(local) else ""


_ALIKE = {
    "neoplasm": "cancer tumor carcinoma malignancy",
    "kidney": "renal nephric",
    "liver": "hepatic",
    "heart": "cardiac",
    "lung": "pulmonary",
    "brain": "cerebral",
    "stomach": "gastric",
    "ovary": "ovarian",
    "colon": "colonic",
    "prostate": "prostatic",
    "bladder": "vesical",
    "skin": "cutaneous dermal",
    "bone": "osseous",
    "pancreas": "pancreatic",
    "breast": "mammary",
    "esophagus": "esophageal",
    "uterus": "uterine",
    "thyroid": "thyroidal",
    "bleeding": "hemorrhage",
    "disorder": "disease",
    "1": "i",
    "2": "ii",
    "3": "iii",
    "4": "iv",
}
_FORM = {word: form for form, some in _ALIKE.items() for word in some.split()}
_NAMED = re.compile("alpha|beta|gamma|delta|epsilon|kappa|zeta")
_UNITS = frozenset(("subunit", "chain", "isoform"))
_EMPTY = frozenset(("a", "an", "the", "of", "in", "and", "with", "to", "for", "by", "on", "s"))
_SPELT = ((re.compile("[ao]e"), "e"), (re.compile(r"(?<=\w\w)our$"), "or"), (re.compile("sulph"), "sulf"))
_SINGULAR = (
    (re.compile(r"(?<=\w\w\w)ies$"), "y"),
    (re.compile(r"(?<=\w\w)(sta|e|\w\w\wo)ses$"), r"\1sis"),
    (re.compile(r"(?<=\w\w)(?<=s|x|h)es$"), ""),
    (re.compile(r"(?<=\w\w)(?<![sui])s$"), ""),
)
_SHORT = 5  # letters of words and symbols that are spelt in one way
_DERIVED = (
    (re.compile(r"(?<=\w\w\w)(?:osis|otic)$"), "osis"),
    (re.compile(r"(?<=\w\w\w)(?:psy|ptic)$"), "psy"),
    (re.compile(r"(?<=\w\w\w)(?:ia|y|ic|ical|icity)$"), "y"),
    (re.compile(r"(?<=\w\w\w[st])(?:ive|ion)$"), "ion"),
)


@lru_cache(maxsize=65_536)
def plain(word: str) -> str:
    """A word of a key in the spelling, number and meaning in which names meet; no word of a language, often.

    >>> [plain(one) for one in ("tumours", "renal", "anaemia", "leukemic", "metastases", "ii", "stress")]
    ['neoplasm', 'kidney', 'anemy', 'leukemy', 'metastasis', '2', 'stress']
    """
    for pattern, to in _SINGULAR:
        if pattern.search(word):
            word = pattern.sub(to, word)
            break
    for pattern, to in _SPELT if len(word) > _SHORT else ():
        word = pattern.sub(to, word)
    word = _FORM.get(word, word)
    return next((ending.sub(to, word) for ending, to in _DERIVED if ending.search(word)), word)


def loose(key: str, kind: str = "disease") -> str:
    """The form of a key: its words plain, without those of grammar, and in the order of the alphabet.

    Words of chemicals keep their order, for "1,2-" is not "2,1-".

    >>> loose("cancer of the colon") == loose("colonic tumours") == loose("colonic neoplasms")
    True
    >>> loose("1 , 3 dichloro 2 butene", "chemical") == loose("1 , 2 dichloro 3 butene", "chemical")
    False
    """
    words = [plain(word) for word in key.split() if word not in _EMPTY]
    return " ".join(words if kind == "chemical" else sorted(set(words)))


def compact(key: str) -> str:
    """The form of a gene's key: without blanks, Greek letters by their first.

    >>> compact("tgf beta 1") == compact("tgf b 1") == compact("tgfb 1")
    True
    """
    joined = "".join(word for word in key.split() if word not in _UNITS)
    return _NAMED.sub(lambda letter: letter[0][0], joined)
