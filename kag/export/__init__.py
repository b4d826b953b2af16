"""A paper's reference list in the formats of reference managers, and its graph as JSON-LD."""

from kag.export.graphs.json_ld import to_json_ld
from kag.export.references.bibtex import to_bibtex
from kag.export.references.csl import to_csl_json
from kag.export.references.records import BibliographicRecord, Person, bibliography
from kag.export.references.ris import to_ris

__all__ = ["BibliographicRecord", "Person", "bibliography", "to_bibtex", "to_csl_json", "to_json_ld", "to_ris"]
