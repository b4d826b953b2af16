"""`import kag`: the names, what they give and refuse, and that nothing is imported before it is used."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

import kag
from tests.conftest import BUNDLED
from tests.papers import write_paper

pytestmark = pytest.mark.slow

HEAVY = {"rdflib", "numpy", "dspy", "lxml", "pyoxigraph", "tantivy", "pyshacl", "click", "rich", "PIL", "markdown_it"}
BEES = BUNDLED / "urban_pollinators"


@pytest.fixture(scope="module")
def bees() -> kag.Paper:
    return kag.index(BEES)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, bundled_runs: Path) -> kag.Corpus:
    corpus = kag.Corpus(tmp_path_factory.mktemp("face") / "library")
    corpus.add(bundled_runs)
    return corpus


# the names ------------------------------------------------------------------------------------


def test_the_public_names_are_these() -> None:
    assert kag.__all__ == [
        "Answer", "Citation", "Corpus", "Figure", "KagError", "Paper", "Place", "Reference", "Section", "Table",
        "answer_all", "errors", "index", "index_all", "open", "verify",
    ]  # fmt: skip
    for name in kag.__all__:
        assert name in dir(kag)
        assert getattr(kag, name).__doc__, f"{name} says what it is"
    assert {name for names in kag._HOMES.values() for name in names} == set(kag.__all__) - {"errors"}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'kag' has no attribute 'paper_of'"):
        kag.paper_of  # noqa: B018
    with pytest.raises(ImportError, match="paper_of"):
        exec("from kag import paper_of")


def told(code: str) -> set[str]:
    """The heavy packages that a program has imported when it ends."""
    program = f"{code}\nimport sys, json; print(json.dumps([name for name in sys.modules if '.' not in name]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return HEAVY & set(json.loads(done.stdout))


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    assert told("import kag") == set()
    assert told("from kag import KagError, errors, Answer; dir()") == set()
    assert told("import kag; dir(kag); kag.errors.SourceError") == set()
    program = (
        f"import kag; paper = kag.index({str(BEES)!r}); paper.ask('How many figures are there?'); paper.search('bee')"
    )
    assert not told(program) & {"dspy", "tantivy", "pyshacl", "click", "rich"}, "these are extras, or slow"


def test_checkers_and_programs_find_the_same_names() -> None:
    tree = ast.parse(Path(kag.__file__).read_text(encoding="utf-8"))
    (branch,) = [node for node in tree.body if isinstance(node, ast.If)]
    stated = {
        (node.module, alias.name) for node in branch.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    loaded = {(home, name) for home, names in kag._HOMES.items() for name in names}
    assert stated == loaded | {("kag.core", "errors")}


# one paper ------------------------------------------------------------------------------------


def test_what_a_paper_is(bees: kag.Paper) -> None:
    assert bees.id == "urban_pollinators"
    assert bees.title.startswith("Allotments, verges and the wild bees of three mid-sized cities")
    assert bees.authors == ("Ágnes Szőke", "Tor M. Ødegård", "Folake Adeyemi", "Sara Lindqvist-Moss", "Paweł Łuczak")
    assert (bees.year, bees.doi) == (2021, "")
    assert repr(bees) == f"<kag.Paper 'urban_pollinators': {bees.title[:60]!r}>"
    assert bees.path is None


def test_sections_have_their_own_text(bees: kag.Paper) -> None:
    analysis = next(section for section in bees.sections if section.title == "Analysis")
    assert (analysis.depth, analysis.path, analysis.page) == (2, ("MATERIALS AND METHODS", "Analysis"), 2)
    assert analysis.text.startswith("Diversity was expressed as")
    above = next(section for section in bees.sections if section.title == "MATERIALS AND METHODS")
    assert above.text == "", "the text of subsections is theirs"
    assert [section.title for section in bees.sections if not section.printed] == ["Front matter"]
    assert not any("TABLE 1" in section.text or "FIGURE 1 " in section.text for section in bees.sections)


def test_cells_as_rows(bees: kag.Paper) -> None:
    habitats, terms = bees.tables
    assert habitats.columns[:3] == ("Habitat", "Species per site", "Shannon index")
    assert [row["Habitat"] for row in habitats.rows] == ["Allotment", "Cemetery", "Park", "Verge"]
    assert terms.rows[1] == {"Term": "Flower cover (log)", "Estimate": "0.36", "Standard error": "0.04", "P": "<0.001"}
    assert terms.caption == "TABLE 2 Estimates of the mixed model for the number of bee species."
    assert len(terms.grid) == len(terms.rows) + terms.header_rows


def test_figures(bees: kag.Paper) -> None:
    first = bees.figures[0]
    assert (first.number, first.label, first.page, first.image) == ("1", "FIGURE 1", 2, "fig_page002_01.png")
    assert (BEES / first.image).is_file()
    assert first.boxes == ((514, 248, 932, 424),)


def test_references_as_csl_json(bees: kag.Paper) -> None:
    baker = bees.references[1]
    assert (baker.number, baker.key, baker.year) == (2, "baker2012", 2012)
    assert baker.authors == ("Baker, J. L.", "Osei-Tutu, K.")
    assert baker.csl["type"] == "article-journal"
    assert [reference.csl for reference in bees.references] == json.loads(bees.export("csl-json"))
    assert baker.text.startswith("Baker, J. L., & Osei-Tutu, K. (2012).")


def test_citations_say_where_and_what(bees: kag.Paper) -> None:
    first = bees.citations[0]
    assert (first.surface, first.references, first.section) == (
        "European Pollinator Assembly, 2019", (7,), ("INTRODUCTION",))  # fmt: skip
    assert first.surface in first.sentence
    host = next(iter(bees.graphs.values())).nodes[first.node]
    assert host.text[first.start : first.end] == first.surface


def test_parts_are_rows_for_data_frames(bees: kag.Paper) -> None:
    for some in (bees.sections, bees.figures, bees.tables, bees.references, bees.citations):
        rows = [part.as_dict() for part in some]
        assert json.loads(json.dumps(rows))
        assert len({tuple(row) for row in rows}) == 1, "every row has the same columns"
        assert len(set(some)) == len(some), "values can be compared and put into sets"


def test_the_graph_is_what_the_run_says(bees: kag.Paper) -> None:
    graph = bees.graph()
    assert isinstance(graph, rdflib.Graph)
    assert len(graph) == bees.run.summary["graph"]["triples"]
    graph.remove((None, None, None))
    assert len(bees.graph()) > 0, "a graph that is changed is the caller's own"


def test_nodes_and_edges_are_those_of_the_graph(bees: kag.Paper) -> None:
    nodes, edges = bees.network()
    names = {name for name, _ in nodes}
    assert len(names) == len(nodes)
    assert {end for one, other, _ in edges for end in (one, other)} <= names
    graph = bees.graph()
    links = {(str(s), str(o)) for s, p, o in graph if isinstance(o, rdflib.URIRef) and (o, None, None) in graph}
    assert {(one, other) for one, other, _ in edges} == links
    assert dict(nodes)[bees.sections[2].node] == {"kind": "Section", "page": 1, "text": "INTRODUCTION"}
    assert bees.network() == (nodes, edges)


def test_an_answer_has_quotes_and_boxes_and_verifies(bees: kag.Paper) -> None:
    answer = bees.ask("How many tables are there?")
    assert (answer.value, answer.text) == (2, "The paper has 2 tables.")
    evidence = answer.claims[0].evidence[0]
    assert (evidence.page, bool(evidence.boxes), bool(evidence.quote)) == (2, True, True)
    assert kag.verify(answer, bees).conforms
    assert kag.verify(answer, [kag.index(BUNDLED / "zirconium_tracers"), bees]).conforms
    false = replace(answer, claims=(replace(answer.claims[0], text="The paper has 3 tables."),))
    assert not kag.verify(false, bees).conforms
    assert not kag.verify(answer, kag.index(BUNDLED / "zirconium_tracers")).conforms


def test_an_answer_file_is_verified_with_what_it_shows(bees: kag.Paper, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(bees.ask("How many tables are there?").to_json(), encoding="utf-8")
    assert kag.verify(str(file), bees).conforms
    file.write_text(file.read_text().replace('"answer": "The paper has 2', '"answer": "The paper has 9'))
    assert [issue.component for issue in kag.verify(file, bees).issues] == ["text"]
    with pytest.raises(kag.errors.EvidenceError):
        kag.verify(tmp_path / "none.json", bees)


def test_an_agent_can_be_asked(bees: kag.Paper) -> None:
    answer = bees.ask("How was flower cover estimated?", mode="agent", model="offline", max_calls=20)
    assert (answer.mode, answer.stopped) == ("agent", "")
    assert kag.verify(answer, bees).conforms
    with pytest.raises(kag.errors.ModelError):
        bees.ask("Which model was fitted?", mode="agent")


@pytest.mark.parametrize("question", ["", "  \n", "why? " * 1000])
def test_a_question_that_is_none(question: str, bees: kag.Paper, library: kag.Corpus) -> None:
    for source in (bees, library):
        with pytest.raises(kag.errors.BadValue, match=r"question is (needed|too long)"):
            source.ask(question)


def test_search_finds_what_is_printed(bees: kag.Paper) -> None:
    hits = bees.search('kind:caption page:3 "mixed model"')
    assert [hit.kind for hit in hits] == ["caption"]
    assert "mixed model" in hits[0].text
    assert hits[0].evidence.quote == hits[0].text
    assert (hits[0].page, hits[0].paper) == (3, "urban_pollinators")
    assert len(bees.search("bees", k=2)) == 2
    assert bees.search("zirconium") == ()
    for query, k in (("", 3), (" ", 3), ("bees", 0)):
        with pytest.raises(kag.errors.BadValue):
            bees.search(query, k)


def test_checks(bees: kag.Paper, tmp_path: Path) -> None:
    assert bees.validate().conforms
    assert bees.audit().conforms
    assert bees.audit(BEES).conforms
    changed = Path(shutil.copytree(BEES, tmp_path / "urban_pollinators"))
    page = next(changed.glob("page_001.md"))
    page.write_text(page.read_text().replace("Wild bees have declined", "Wild bees have thrived"))
    assert {issue.component for issue in bees.audit(changed).issues} == {"Stale", "SourceChanged"}


def test_formats(bees: kag.Paper) -> None:
    assert bees.export("bibtex").startswith("@book{amietroth2004,")
    assert bees.export("turtle").startswith("@prefix")
    assert json.loads(bees.export("jsonld"))
    with pytest.raises(kag.errors.BadValue, match="unknown format 'docx'"):
        bees.export("docx")


def test_threads_may_share_a_paper() -> None:
    paper = kag.index(BEES)
    questions = ("How many tables are there?", "What does Figure 2 show?", "How was flower cover measured?") * 4

    def read(question: str) -> tuple[str, int, int]:
        return paper.ask(question).text, len(paper.citations), len(paper.search("flower cover"))

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(read, questions))
    assert found == [read(question) for question in questions]


# files ----------------------------------------------------------------------------------------


def test_a_paper_in_memory_and_its_run_are_the_same(bees: kag.Paper, tmp_path: Path) -> None:
    before = set(Path.cwd().iterdir())
    run = bees.save(str(tmp_path / "runs"))
    opened, above = kag.open(run), kag.open(str(run.parent))
    assert (opened.path, above.path) == (run, run)
    assert opened.sections == bees.sections
    assert opened.export("turtle") == bees.export("turtle") == (run / "knowledge_graph.ttl").read_text(encoding="utf-8")
    assert opened.ask("How many tables are there?") == bees.ask("How many tables are there?")
    written = kag.index(str(BEES), tmp_path / "again")
    assert written.path.parent == tmp_path / "again"
    assert written.export("turtle") == bees.export("turtle")
    assert kag.index(BEES, str(tmp_path / "again")).path == written.path, "what is up to date is not made again"
    assert kag.index(BEES, tmp_path / "again", force=True).path != written.path
    assert set(Path.cwd().iterdir()) == before


def test_a_paper_is_named_as_is_wished(tmp_path: Path) -> None:
    write_paper(tmp_path / "papers" / "ice")
    named = kag.index(tmp_path / "papers", paper_id="lima-2019")
    assert named.id == "lima-2019", "a folder that holds one paper stands for it"


def test_folders_that_are_no_paper(tmp_path: Path, bundled_runs: Path) -> None:
    with pytest.raises(kag.errors.SourceError, match="nowhere"):
        kag.index(tmp_path / "nowhere")
    with pytest.raises(kag.errors.SourceError, match="holds no paper"):
        kag.index(tmp_path)
    with pytest.raises(kag.errors.SourceError, match="holds 3 papers") as several:
        kag.index(BUNDLED)
    assert "index_all" in several.value.hint
    for none in (tmp_path / "nowhere", tmp_path, BEES):
        with pytest.raises(kag.errors.RunError):
            kag.open(none)
    with pytest.raises(kag.errors.RunError, match="holds 3 papers"):
        kag.open(bundled_runs)
    with pytest.raises(kag.errors.ModelError) as unnamed:
        kag.index(BEES, builder="rlm")
    assert "in Python `lm`" in unnamed.value.hint
    with pytest.raises(kag.errors.ModelError, match="the mode agent") as unnamed:
        kag.index(BEES).ask("How many tables are there?", mode="agent")
    assert "in Python `lm`" in unnamed.value.hint


def test_pictures_that_reading_made_are_kept(tmp_path: Path) -> None:
    paper = kag.index(BUNDLED / "zirconium_tracers.pdf")
    images = sorted(figure.image for figure in paper.figures)
    assert images[0] == "pictures/fig_page002_01.png"
    run = paper.save(tmp_path / "one")
    again = kag.open(run).save(tmp_path / "two")
    for image in images:
        data = (run / image).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert (again / image).read_bytes() == data


def test_a_run_that_is_damaged(bees: kag.Paper, tmp_path: Path) -> None:
    run = bees.save(tmp_path)
    (run / "skipped.jsonl").unlink()
    opened = kag.open(run)
    assert opened.title == bees.title, "questions need the graph alone"
    with pytest.raises(kag.errors.RunError, match=r"lacks skipped\.jsonl"):
        opened.audit()
    (run / "knowledge_graph.ttl").write_text("no turtle")
    with pytest.raises(kag.errors.RunError):
        kag.open(run)


def test_many_folders_are_indexed_and_a_bad_one_costs_itself(tmp_path: Path) -> None:
    for name in ("ice", "snow"):
        write_paper(tmp_path / "papers" / name)
    bad = tmp_path / "papers" / "bad"
    bad.mkdir()
    (bad / "page_001.md").mkdir()
    outcomes = {
        outcome.job.name: outcome for outcome in kag.index_all(tmp_path / "papers", tmp_path / "runs", workers=2)
    }
    assert {name: outcome.state for name, outcome in outcomes.items()} == {
        "bad": "failed", "ice": "indexed", "snow": "indexed"}  # fmt: skip
    assert kag.open(outcomes["ice"].run).title == "Sensors under river ice"
    assert "page_001.md" in outcomes["bad"].message
    again = kag.index_all([tmp_path / "papers" / "ice"], str(tmp_path / "runs"), workers=1)
    assert [outcome.state for outcome in again] == ["up to date"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(kag.errors.SourceError):
        kag.index_all(tmp_path / "empty", tmp_path / "runs")


# many papers ----------------------------------------------------------------------------------


def test_a_corpus_is_a_mapping(library: kag.Corpus) -> None:
    assert list(library) == ["reservoir_sensors", "urban_pollinators", "zirconium_tracers"]
    assert len(library) == 3
    assert library["urban_pollinators"].year == 2021
    assert "nobody" not in library
    assert library.get("nobody") is None
    with pytest.raises(KeyError):
        library["nobody"]
    assert [paper.references for paper in library.papers] == [28, 28, 35]
    assert library.citations == []
    assert library in {library}
    assert library != kag.Corpus(library.path)
    assert library.check().conforms


def test_a_corpus_answers_searches_and_verifies(library: kag.Corpus) -> None:
    answer = library.ask("How was flower cover estimated?")
    assert answer.papers == ("urban_pollinators",)
    assert library.verify(answer).conforms
    assert kag.verify(answer, library).conforms
    assert kag.verify(answer, library["urban_pollinators"]).conforms
    assert kag.verify(answer, [kag.index(BUNDLED / "zirconium_tracers"), library]).conforms
    of_one = library.ask("How many tables are there?", paper="urban_pollinators")
    assert (of_one.value, of_one.papers) == (2, ("urban_pollinators",))
    hits = library.search("flower cover", k=3)
    assert {hit.paper for hit in hits} == {"urban_pollinators"}
    assert hits[0].evidence.quote == hits[0].text
    assert {hit.paper for hit in library.search("samples", papers=["zirconium_tracers"])} == {"zirconium_tracers"}
    with pytest.raises(kag.errors.EvidenceError, match="no paper 'nobody'"):
        library.ask("How many tables are there?", paper="nobody")
    with pytest.raises(kag.errors.BadValue):
        library.search("flower", papers=["nobody"])


def test_sparql_gives_rows(library: kag.Corpus) -> None:
    query = "SELECT ?id { ?p <http://purl.org/dc/terms/identifier> ?id } ORDER BY ?id"
    assert library.sparql(query) == [{"id": name} for name in library]
    with pytest.raises(kag.errors.QueryError):
        library.sparql("CLEAR ALL")
    with pytest.raises(kag.errors.QueryError, match="limit of rows"):
        library.sparql("SELECT * { ?s ?p ?o }")


def test_papers_come_and_go(tmp_path: Path, bees: kag.Paper) -> None:
    root = tmp_path / "library"
    with kag.Corpus(str(root)) as corpus:
        assert (len(corpus), corpus.citations, root.exists()) == (0, [], False)
        pages = write_paper(tmp_path / "ice")
        changes = corpus.add(pages, bees, out_dir=tmp_path / "runs")
        assert {change.paper: change.state for change in changes} == {"ice": "added", "urban_pollinators": "added"}
        assert corpus["ice"].title == "Sensors under river ice"
        assert corpus.ask("How many of the sensors fail?").found in (True, False)
        assert [change.state for change in corpus.add(bees)] == ["unchanged"]
        pages.joinpath("page_002.md").write_text(
            pages.joinpath("page_002.md").read_text().replace("Twelve", "Thirteen")
        )
        with pytest.raises(kag.errors.CorpusError, match="another version"):
            corpus.add(pages)
        assert [change.state for change in corpus.update(pages)] == ["replaced"]
        assert "Thirteen sites" in corpus.search("sites along the river")[0].text, "the index follows"
        assert [change.state for change in corpus.remove(pages)] == ["removed"]
        with pytest.raises(kag.errors.CorpusError, match="nobody is not in the corpus"):
            corpus.remove("nobody")
        assert list(kag.Corpus(root)) == ["urban_pollinators"], "nothing has to be saved"
    with pytest.raises(kag.errors.CorpusError, match="closed"):
        corpus.ask("How many tables are there?")
    with pytest.raises(kag.errors.CorpusError, match="closed"):
        corpus.add(bees)
    with pytest.raises(kag.errors.CorpusError, match="closed"):
        len(corpus)


def test_a_paper_that_fails_is_an_error_and_the_others_are_in(tmp_path: Path, bees: kag.Paper) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "page_001.md").mkdir()
    corpus = kag.Corpus(tmp_path / "library")
    with pytest.raises(kag.errors.CorpusError, match=r"page_001\.md"):
        corpus.add(bad, bees)
    assert list(corpus) == ["urban_pollinators"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(kag.errors.SourceError, match="holds no paper"):
        corpus.add(tmp_path / "empty")


def test_folders_that_are_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for wrong in (tmp_path, tmp_path / "file", BEES):
        with pytest.raises(kag.errors.CorpusError):
            kag.Corpus(wrong)
    (tmp_path / "empty").mkdir()
    empty = kag.Corpus(tmp_path / "empty")
    assert len(empty) == 0
    for asking in (lambda: empty.ask("What fails?"), lambda: empty.search("ice"), lambda: empty.remove("ice")):
        with pytest.raises(kag.errors.CorpusError):
            asking()
