"""The ontology files, and the shapes among them."""

from __future__ import annotations

from pathlib import Path

from rdflib import Graph

from kag.core.errors import OntologyError
from kag.rdf.profile import GraphProfile

_HINT = "Reinstall kag, or restore ontology/ from its repository."


def ontology_dir() -> Path:
    """The folder of the ontology files: `ontology/` of a checkout, or the copy in an installed package.

    Raises `OntologyError` when there is neither.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parent / "ontology", package / "_ontology"):
        if (folder / "subsets").is_dir():
            return folder
    raise OntologyError("the ontology files are missing", hint=_HINT)


def load_shapes(profile: GraphProfile) -> Graph:
    """The shapes of a layer; raises `OntologyError` when its file is missing or broken."""
    return _read(ontology_dir() / profile.shapes)


def _read(path: Path) -> Graph:
    try:
        return Graph(bind_namespaces="none").parse(path, format="turtle")
    except OSError as error:
        raise OntologyError(f"{path.name} cannot be read: {error.strerror}", hint=_HINT) from error
    except Exception as error:  # rdflib's parser lets many kinds of error through
        raise OntologyError(f"{path.name} is not Turtle: {error}", hint=_HINT) from error
