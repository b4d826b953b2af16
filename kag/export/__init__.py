"""A paper's reference list in the formats of reference managers, and its graph as JSON-LD."""

from kag.export.graphs.json_ld import to_json_ld
from kag.export.references.formats import to_bibtex, to_csl_json, to_ris
from kag.export.references.records import BibliographicRecord, Person, bibliography

__all__ = ["BibliographicRecord", "Person", "bibliography", "to_bibtex", "to_csl_json", "to_json_ld", "to_ris"]
