"""A paper's reference list in the formats of reference managers, and its graph as JSON-LD."""

from kag.export.rdf_datasets import to_json_ld
from kag.export.references import BibliographicRecord, Person, bibliography, to_bibtex, to_csl_json, to_ris

__all__ = ["BibliographicRecord", "Person", "bibliography", "to_bibtex", "to_csl_json", "to_json_ld", "to_ris"]
