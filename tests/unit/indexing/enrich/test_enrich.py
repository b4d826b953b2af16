"""The passes together, and what they reach on real papers with gold structure."""

from collections import Counter

import pytest

from kag.core.types import Document
from kag.indexing.enrich.bibliography import split_entries
from kag.indexing.enrich.passes import PASSES, enrich
from kag.rdf.namespaces import C4O, CITO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM, RDF
from kag.rdf.profile import DOC
from kag.rdf.workspace import Workspace
from tests.unit.indexing.enrich.gold_workspace import gold_papers, gold_workspace, load_gold, normal, read_blocks

pytestmark = pytest.mark.slow


def test_an_empty_graph_stays_empty():
    workspace = Workspace(Document("paper", (), (), (), 0, ""))
    assert enrich(workspace) == {name: 0 for name, _ in PASSES}
    assert len(workspace.graph) == 0


@pytest.fixture(scope="module")
def enriched():
    """(gold, workspace) of each paper; renderings of the same paper left out."""
    papers = []
    for folder in gold_papers():
        if "__" not in folder.name:
            workspace = gold_workspace(folder)
            enrich(workspace)
            papers.append((load_gold(folder), workspace))
    return papers


def f1(pairs):
    """F1 over papers of (found, wanted) sets."""
    hits = sum(len(found & wanted) for found, wanted in pairs)
    return 2 * hits / sum(len(found) + len(wanted) for found, wanted in pairs)


def paragraph_links(gold, workspace, property_):
    index = {block: paragraph["idx"] for paragraph in gold["paragraphs"] for block in paragraph["blocks"]}
    for node, target in workspace.graph.subject_objects(property_):
        for block in workspace.graph.objects(node, KAG.sourceBlock):
            if str(block) in index:
                yield index[str(block)], target


def test_citations(enriched):
    pairs = []
    for gold, workspace in enriched:
        found = {(p, workspace.number(r, KAG.citationNumber)) for p, r in paragraph_links(gold, workspace, CITO.cites)}
        wanted = {(int(p[1:]), n) for p, n in gold["citation_links"] if p.startswith("p")}
        pairs.append((found, wanted))
    assert f1(pairs) >= 0.99


def test_crossrefs(enriched):
    pairs = []
    for gold, workspace in enriched:
        kinds = {DOCO.Figure: "figure", DOCO.Table: "table"}
        kind = {node: name for cls, name in kinds.items() for node in workspace.of_type(cls)}
        printed = {(kind[node], workspace.text(node, KAG.floatNumber)) for node in kind}
        found = {
            (p, kind[node], workspace.text(node, KAG.floatNumber))
            for p, node in paragraph_links(gold, workspace, KAG.refersTo)
            if node in kind
        }
        wanted = {(int(p[1:]), k, n) for p, k, n in gold["crossref_links"] if p.startswith("p") and (k, n) in printed}
        pairs.append((found, wanted))
    assert f1(pairs) >= 0.98


def test_fields(enriched):
    tally = Counter()
    for gold, workspace in enriched:
        nodes = {workspace.number(n, KAG.citationNumber): n for n in workspace.of_type(DEO.BibliographicReference)}
        for reference in gold["references"]:
            node = nodes.get(reference["number"])
            wanted = {
                DCTERMS.title: reference["title"],
                FABIO.hasPublicationYear: (reference["year"] or "")[:4],
                PRISM.doi: reference["doi"],
                KAG.authorList: (reference["authors"] or [{"family": ""}])[0]["family"],
            }
            for property_, value in wanted.items():
                value = normal(value or "")
                if value and value in normal(reference["text"]):
                    found = workspace.text(node, property_) if node else ""
                    found = found.split(";")[0].split(",")[0] if property_ == KAG.authorList else found
                    tally[property_, normal(found) == value] += 1
    share = {p: tally[p, True] / (tally[p, True] + tally[p, False]) for p, _ in tally}
    assert share[FABIO.hasPublicationYear] >= 0.99
    assert share[PRISM.doi] >= 0.99
    assert share[KAG.authorList] >= 0.975
    assert share[DCTERMS.title] >= 0.965


def test_creators(enriched):
    pairs = []
    for gold, workspace in enriched:
        found = {str(name) for name in workspace.graph.objects(workspace.paper, DCTERMS.creator)}
        pairs.append((found, {f"{a['given']} {a['family']}".strip() for a in gold["authors"]}))
    assert f1(pairs) >= 0.995


def test_every_mention_lies_at_its_place(enriched):
    seen = 0
    for _, workspace in enriched:
        for host, mention in workspace.graph.subject_objects(KAG.hasMention):
            start, end = workspace.number(mention, KAG.startOffset), workspace.number(mention, KAG.endOffset)
            assert str(mention) == f"{host}-m{start}"
            assert workspace.text(host)[start:end] == workspace.text(mention, C4O.hasContent) != ""
            seen += 1
    assert seen > 4000


def test_only_terms_of_the_profile_are_used(enriched):
    for _, workspace in enriched:
        assert {p for p in workspace.graph.predicates()} <= set(DOC.properties)
        assert set(workspace.graph.objects(None, RDF.type)) <= DOC.classes


def test_enriching_twice_changes_nothing(enriched):
    for _, workspace in enriched:
        before = set(workspace.graph)
        assert not any(enrich(workspace).values())
        assert set(workspace.graph) == before


def test_blocks_of_several_references_are_split():
    merged = right = 0
    for folder in gold_papers():
        gold = load_gold(folder)
        texts = {block.id: block.text for block in read_blocks(folder, gold)}
        for block in {block for reference in gold["references"] for block in reference["blocks"]}:
            entries = [reference["text"] for reference in gold["references"] if block in reference["blocks"]]
            if len(entries) > 1:
                merged += 1
                parts = [texts[block][start:end].strip() for start, end in split_entries(texts[block])]
                right += parts == [" ".join(entry.split()) for entry in entries] or parts == entries
    assert merged > 50
    assert right / merged >= 0.97
