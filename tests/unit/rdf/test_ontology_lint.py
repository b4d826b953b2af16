"""No term leaves kag that the files of ontology/ do not define, and those files are whole."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDFS, SH

from kag.core.errors import OntologyError
from kag.rdf import ontology
from kag.rdf.namespaces import DEO, DOCO, KAG, PREFIXES, PROV, RDF
from kag.rdf.ontology import load_shapes, ontology_dir
from kag.rdf.profile import DOC, LAYERS, GraphProfile
from tests.unit.rdf.terms import undefined_terms

ROOT = Path(__file__).resolve().parents[3]
TABLES = ROOT.parent / "shared" / "data" / "ontology_terms"
SHAPE = "http://la3d.local/kag/shapes/document#"


@pytest.fixture(scope="module")
def builder():
    spec = importlib.util.spec_from_file_location("build_ontology", ROOT / "scripts" / "build_ontology.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def extension():
    return Graph().parse(ontology_dir() / "kag_document_ext.ttl")


def kag_terms():
    return {KAG[name] for name in KAG.__annotations__ if not name.startswith("_")}


def test_every_term_named_in_the_code_is_defined(builder):
    used = builder.used_terms(ROOT / "kag")
    assert {DOCO.Section, KAG.contains} <= set(used)
    assert {term: used[term] for term in undefined_terms(used)} == {}


def test_the_scan_sees_attributes_subscripts_and_short_names(builder, tmp_path):
    (tmp_path / "a.py").write_text("x = DOCO.Nonsense\ny = DEO['Other']\nz = other.Thing\nw = 'deo:A rdf:type'\n")
    assert builder.used_terms(tmp_path) == {DOCO.Nonsense: "a.py:1", DEO.Other: "a.py:2", DEO.A: "a.py:4"}


def test_our_terms_are_declared_and_labelled_and_no_other(extension):
    declared = {
        term
        for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
        for term in extension.subjects(RDF.type, kind)
    }
    assert declared == kag_terms() | {DOCO.Document}
    for term in declared:
        assert extension.value(term, RDFS.label)
        assert str(extension.value(term, RDFS.comment)).endswith(".")


def test_kind_of_property_is_the_profiles(extension):
    links = {term for term in kag_terms() & set(DOC.properties) if DOC.properties[term] == RDFS.Resource}
    assert links == set(extension.subjects(RDF.type, OWL.ObjectProperty))


@pytest.mark.parametrize("term", [DEO.Abstract, DEO.describes, DOCO.Reference, KAG._NS.cites, URIRef("http://e/x")])
def test_terms_that_no_ontology_defines_are_refused(term):
    assert undefined_terms([term, DOCO.Section, RDF.type]) == (term,)


def test_each_subset_says_source_and_licence():
    for path in sorted((ontology_dir() / "subsets").glob("*.ttl")):
        head = path.read_text(encoding="utf-8").split("@prefix")[0]
        assert re.search(r"^# Source: ", head, re.M), path.name
        assert re.search(r"licence", head, re.I), path.name


def test_subsets_are_what_the_script_writes(builder, tmp_path):
    if not TABLES.is_dir():
        pytest.skip("../shared/data/ontology_terms is not there")
    builder.main(TABLES, tmp_path)
    for path in sorted(tmp_path.iterdir()):
        assert path.read_bytes() == (ontology_dir() / "subsets" / path.name).read_bytes(), path.name


def test_shapes_name_the_profiles_terms_and_no_other():
    shapes = load_shapes(DOC)
    others = (PREFIXES[name] for name in ("foaf", "owl", "po", "prov", "qudt"))
    spaces = (str(KAG._NS), "http://purl.org/", "http://prismstandard.org/", *others)
    named = {
        node for triple in shapes for node in triple if str(node).startswith(spaces) and not str(node).startswith(SHAPE)
    }
    over = {cls for layer in LAYERS.values() for cls in layer.classes if str(cls).startswith(spaces)}
    assert named == DOC.classes | set(DOC.properties) - {RDF.type} | over | {PROV.wasGeneratedBy}


def test_messages_say_what_to_call_and_are_each_used_once():
    shapes = load_shapes(DOC)
    messages = list(shapes.subject_objects(SH.message))
    assert len({text for _, text in messages}) == len({shape for shape, _ in messages}) == len(messages)
    tools = r"op_(create_node|assert_type|set_single_literal|add_iri_link|set_single_iri_link|remove_node)\("
    assert [text for _, text in messages if not re.search(tools, text)] == []
    used = {match for _, text in messages for match in re.findall(r"\b(?:op_|validate_|finalize_)\w+", text)}
    assert used <= {"op_create_node", "op_assert_type", "op_set_single_literal", "op_add_iri_link",
                    "op_set_single_iri_link", "op_remove_node"}  # fmt: skip


def test_messages_name_terms_that_the_tools_take():
    named = {
        word for text in load_shapes(DOC).objects(None, SH.message) for word in re.findall(r'"\^?(\w+:\w+)"', text)
    }
    known = {
        f"{prefix}:{local}"
        for prefix, space in PREFIXES.items()
        for term in (DOC.classes | set(DOC.properties) - {RDF.type})
        for local in [str(term).removeprefix(space)]
        if str(term).startswith(space)
    }
    assert named - known == {"ex:document"}


def test_every_constraint_that_can_be_reported_has_a_message():
    shapes = load_shapes(DOC)
    reported = {shape for root in shapes.subjects(SH.targetClass) for shape in shapes.objects(root, SH.property)}
    assert [shape for shape in reported if (shape, SH.message, None) not in shapes] == []


def test_shapes_invert_single_predicates_only():
    shapes = load_shapes(DOC)
    assert [path for path in shapes.objects(None, SH.inversePath) if not isinstance(path, URIRef)] == []


def test_a_missing_or_broken_file_is_an_error_with_a_hint(monkeypatch, tmp_path):
    monkeypatch.setattr(ontology, "ontology_dir", lambda: tmp_path)
    profile = GraphProfile("x", frozenset(), frozenset(), {}, "x.ttl")
    with pytest.raises(OntologyError, match=r"x\.ttl cannot be read"):
        load_shapes(profile)
    (tmp_path / "x.ttl").write_text("@prefix : <")
    with pytest.raises(OntologyError, match=r"x\.ttl is not Turtle"):
        load_shapes(profile)


def test_no_ontology_at_all(monkeypatch, tmp_path):
    monkeypatch.setattr(ontology, "__file__", str(tmp_path / "kag" / "rdf" / "ontology.py"))
    with pytest.raises(OntologyError, match="missing"):
        ontology_dir()
    (tmp_path / "kag" / "_ontology" / "subsets").mkdir(parents=True)
    assert ontology_dir() == tmp_path / "kag" / "_ontology"
