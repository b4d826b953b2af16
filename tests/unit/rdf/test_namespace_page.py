"""docs/namespace.md says of every term of ours what the files of ontology/ say."""

from __future__ import annotations

import re

import pytest
from rdflib import Graph
from rdflib.namespace import OWL, RDF, RDFS

from kag.rdf.namespaces import KAG
from kag.rdf.ontology import ontology_dir
from kag.retrieval.hits_json_ld import CONTEXT
from scripts.build_namespace import PAGE, page

ROWS = re.findall(
    r'^\| <a id="(\w+)"></a>`kag:\w+` \| (\w+) \| (.*?) \| (.*?) \| (.*) \|$', PAGE.read_text("utf-8"), re.M
)
DECLARED = {
    str(term).rpartition("#")[2]: (graph.value(term, RDFS.comment), kind == OWL.Class)
    for path in ontology_dir().glob("*_ext.ttl")
    for graph in [Graph().parse(path)]
    for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
    for term in graph.subjects(RDF.type, kind)
    if str(term).startswith(str(KAG._NS))
}


def test_the_page_is_what_the_script_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_each_term_of_ours_is_described_once() -> None:
    names = [name for name, *_ in ROWS]
    assert sorted(names) == sorted(DECLARED)
    searched = {str(value["@id"] if isinstance(value, dict) else value) for value in CONTEXT.values()}
    used = {name for name in KAG.__annotations__ if not name.startswith("_")}
    assert set(names) >= used | {name.removeprefix("kag:") for name in searched if name.startswith("kag:")}


@pytest.mark.parametrize(("name", "kind", "of", "value", "meaning"), ROWS, ids=[row[0] for row in ROWS])
def test_a_term_has_its_comment_and_a_property_both_ends(
    name: str, kind: str, of: str, value: str, meaning: str
) -> None:
    comment, is_class = DECLARED[name]
    assert meaning.startswith(str(comment).replace("|", "\\|"))
    assert (kind == "class") is is_class
    assert all((of, value)) is not is_class
