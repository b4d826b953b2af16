"""The evaluation papers: they all conform, alone and together, are conserved, and score at least what they did."""

from __future__ import annotations

import importlib.util
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from rdflib import RDF, Graph, Literal, URIRef

from kag.indexing.audit import audit
from kag.indexing.batch import find_papers, index_all
from kag.indexing.pipeline import document_validator
from kag.indexing.run import Run, load_run
from kag.rdf.namespaces import C4O, DCTERMS, DEO, FABIO, KAG, PRISM
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from kag.sources.ocr.folder import read_document

# What the issue of this builder asked for; reports/ holds what was reached.
FLOORS = {
    "headings_f1": 0.99, "membership_f1": 0.99, "heading_parent_f1": 0.90, "order": 0.99, "captions_f1": 0.95,
    "references_f1": 0.97, "accounted": 1.0, "content_kept": 1.0, "citations_f1": 0.99, "crossrefs_f1": 0.98,
}  # fmt: skip
FIELDS = {DCTERMS.title: 0.965, FABIO.hasPublicationYear: 0.99, PRISM.doi: 0.99, KAG.authorList: 0.975}
REAL = ("chemrxiv", "pet_test")


@pytest.fixture(scope="module")
def runs(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """All 67 papers, indexed in this process; each run with the folder it was made from in its summary."""
    out = tmp_path_factory.mktemp("runs")
    data = shared / "data"
    jobs = find_papers([data / "jats_gold", *(data / "kag_reference" / f"{name}_ocr" for name in REAL)], out)
    outcomes = list(index_all(jobs))
    assert [outcome.message for outcome in outcomes if outcome.state != "indexed"] == []
    assert len(outcomes) == 67
    return {outcome.job.name: load_run(outcome.run) for outcome in outcomes if outcome.run}


@pytest.fixture(scope="module")
def scorer(shared: Path) -> ModuleType:
    """The outside scorer that lies with the data."""
    spec = importlib.util.spec_from_file_location("score_structure", shared / "tools" / "score_structure.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_graphs_conform_alone_under_pyshacl(runs: dict[str, Run]) -> None:
    shapes = load_shapes(DOC)
    some = dict(list(runs.items())[1::16])  # the union below shows pyshacl others
    assert {name: referee(run.graph, shapes).issues[:2] for name, run in some.items()} == dict.fromkeys(some, ())


def test_each_run_is_conserved_against_its_source(runs: dict[str, Run], shared: Path) -> None:
    for name, run in runs.items():
        folder = shared / "data" / ("kag_reference" if name.removesuffix("_ocr") in REAL else "jats_gold") / name
        assert audit(run, read_document(folder)).issues == (), name


def test_the_union_of_all_graphs_conforms_and_no_block_is_shared(runs: dict[str, Run]) -> None:
    union, some = Graph(), Graph()
    owners: Counter[str] = Counter()
    for place, run in enumerate(runs.values()):
        union += run.graph
        if place % 12 == 0:
            some += run.graph  # pyshacl takes more than a second a paper
        owners.update({str(node) for node in run.graph.subjects(KAG.sourceBlock)})
    assert max(owners.values()) == 1
    assert document_validator().full(union).issues == ()
    assert referee(some, load_shapes(DOC)).issues == ()


def test_scores(runs: dict[str, Run], shared: Path, scorer: ModuleType) -> None:
    total: Counter[str] = Counter()
    for folder in sorted((shared / "data" / "jats_gold").glob("*/gold.json")):
        gold = json.loads(folder.read_text(encoding="utf-8"))
        total += scorer.score_paper(gold, runs[folder.parent.name].path)
    scores = scorer.ratios(total)
    assert {name: scores[name] for name, floor in FLOORS.items() if scores[name] < floor} == {}


def normal(text: str | None) -> str:
    """Words in lower case without accents and marks, to compare texts by."""
    return re.sub(r"[^a-z0-9]+", " ", unicodedata.normalize("NFKD", text or "").casefold()).strip()


def test_fields_of_references_are_those_of_the_publisher(runs: dict[str, Run], shared: Path) -> None:
    """Of the fields that are printed: title, year, DOI and the family name of the first author."""
    right: Counter[URIRef] = Counter()
    printed: Counter[URIRef] = Counter()
    for folder in sorted((shared / "data" / "jats_gold").glob("*/gold.json")):
        graph = runs[folder.parent.name].graph
        entries = {
            graph.value(node, KAG.citationNumber): node for node in graph.subjects(RDF.type, DEO.BibliographicReference)
        }
        for reference in json.loads(folder.read_text(encoding="utf-8"))["references"]:
            node = entries.get(Literal(reference["number"]))
            wanted = {
                DCTERMS.title: reference["title"],
                FABIO.hasPublicationYear: (reference["year"] or "")[:4],
                PRISM.doi: reference["doi"],
                KAG.authorList: (reference["authors"] or [{"family": ""}])[0]["family"],
            }
            for field in (
                field for field, value in wanted.items() if normal(value) and normal(value) in normal(reference["text"])
            ):
                value = str(graph.value(node, field) or "") if node else ""
                value = re.split("[;,]", value)[0] if field == KAG.authorList else value
                printed[field] += 1
                right[field] += normal(value) == normal(wanted[field])
    assert {
        field: right[field] / printed[field] for field in FIELDS if right[field] < FIELDS[field] * printed[field]
    } == {}


def test_authors_are_those_of_the_publisher(runs: dict[str, Run], shared: Path) -> None:
    hits = total = 0
    for folder in sorted((shared / "data" / "jats_gold").glob("*/gold.json")):
        names = {str(name) for name in runs[folder.parent.name].graph.objects(None, DCTERMS.creator)}
        authors = json.loads(folder.read_text(encoding="utf-8"))["authors"]
        wanted = {f"{author['given']} {author['family']}".strip() for author in authors}
        hits, total = hits + 2 * len(names & wanted), total + len(names) + len(wanted)
    assert hits / total >= 0.995


def test_every_call_out_lies_at_its_place(runs: dict[str, Run]) -> None:
    seen = 0
    for run in runs.values():
        for host, mention in run.graph.subject_objects(KAG.hasMention):
            start, end = (int(run.graph.value(mention, side)) for side in (KAG.startOffset, KAG.endOffset))
            assert str(mention) == f"{host}-m{start}"
            assert (
                str(run.graph.value(host, KAG.fullText))[start:end]
                == str(run.graph.value(mention, C4O.hasContent))
                != ""
            )
            seen += 1
    assert seen > 4000


def test_only_terms_of_the_profile_are_used(runs: dict[str, Run]) -> None:
    for run in runs.values():
        assert set(run.graph.predicates()) <= {RDF.type, *DOC.properties}
        assert set(run.graph.objects(None, RDF.type)) <= DOC.classes


@pytest.mark.parametrize("name", ["chemrxiv", "pet"])
def test_real_ocr_is_structured_as_people_read_it(
    name: str, runs: dict[str, Run], shared: Path, scorer: ModuleType
) -> None:
    """Headings, their parents, captions and references of the two papers in real OCR output."""
    gold = json.loads((shared / "data" / "kag_reference" / f"{name}_gold.json").read_text(encoding="utf-8"))
    run = next(run for paper, run in runs.items() if paper.startswith(name))
    built = scorer.Built(run.path)
    got = scorer.predicted(built, {**gold, "paragraphs": []})
    assert got["headings"] == {section["block"] for section in gold["sections"]}
    assert got["heading_parent"] == {(section["block"], section["parent"]) for section in gold["sections"]}
    floats = [*gold["figures"], *gold["tables"]]
    assert got["captions"] == {
        (caption, body)
        for item in floats
        for caption in item["caption_blocks"]
        for body in item.get("image_blocks", item.get("table_blocks"))
    }
    assert got["references"] == {reference["number"] for reference in gold["references"]}
    cites = {
        (block, built.number(reference))
        for node, reference in built.graph.subject_objects(scorer.CITO.cites)
        for block in built.blocks_of[node]
    }
    linked = {(block, number) for block, number in gold["citation_links"]}
    assert cites >= linked
    # The pages also print two call-outs that the gold leaves out: 19 and 37 in the pet paper.
    assert len(cites - linked) <= 2
