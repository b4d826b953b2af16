"""Identifiers of things in public databases: CURIEs as lists have them, IRIs as graphs have them."""

from __future__ import annotations

import re

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


def of_biored(kind: str, number: str) -> str:
    """The CURIE of an identifier as BioRED writes it; empty where it has none.

    >>> of_biored("gene", "672"), of_biored("disease", "D003924"), of_biored("species", "9606")
    ('ncbigene:672', 'mesh:D003924', 'NCBITaxon:9606')
    """
    if kind == "gene" and number.isdigit():
        return f"ncbigene:{number}"
    if kind == "species" and number.isdigit():
        return f"NCBITaxon:{number}"
    if kind == "cell line" and number.startswith("CVCL"):
        return f"cellosaurus:{number}"
    if kind == "variant":
        return f"dbsnp:{number}" if re.fullmatch(r"rs\d+", number) else ""
    if number.startswith("OMIM:"):
        return number
    return f"mesh:{number}" if re.fullmatch(r"[CD]\d+", number) else ""
