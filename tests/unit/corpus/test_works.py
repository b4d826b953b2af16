"""Works across papers: what is one work, what is not, and who cites whom."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

from kag.corpus import graphs, shared_works
from kag.corpus.catalogue import open_tables
from kag.corpus.layout import Layout
from kag.corpus.sparql.query import ask
from kag.corpus.submission import Mention, Submission
from tests.unit.corpus.runs import put

TITLE = "title:sensorsunderriverice|2019|lima"


def paper(name: str, *mentions: Mention) -> Submission:
    return Submission(name, "v1", f"p:{name}", name, "", "", 1, (), (), mentions)


def own(work: str, title: str = "", *, doi: bool = False) -> Mention:
    return Mention("document", work, title, doi, True)


def reference(number: int, work: str, title: str = "", *, doi: bool = False) -> Mention:
    return Mention(f"r{number}", work, title, doi, False)


def derived(papers: Iterable[Submission]) -> set[tuple[str, ...]]:
    with open_tables(None, write=True) as rows:
        for one in papers:
            shared_works.enter(rows, (), [one])
        lines = shared_works.derived(rows)
    return {tuple(part.strip("<>").rpartition("/")[2] for part in line.split(" ")) for line in lines}


def test_a_cited_work_that_is_in_the_corpus_is_the_paper() -> None:
    ice = paper("ice", own("w:1", TITLE, doi=True), reference(1, "w:9"))
    snow = paper("snow", own("w:2"), reference(1, "w:1", doi=True), reference(2, "w:1", TITLE, doi=True))
    assert derived([ice, snow]) == {("p:snow", "cites", "p:ice")}
    assert derived([snow]) == set()


def test_a_paper_does_not_cite_itself() -> None:
    assert derived([paper("ice", own("w:1"), reference(1, "w:1"))]) == set()


def test_a_missing_doi_is_bridged_by_title_year_and_author() -> None:
    ice = paper("ice", own("w:t", TITLE))
    snow = paper("snow", own("w:2"), reference(1, "w:1", TITLE, doi=True))
    assert derived([ice, snow]) == {("p:snow", "cites", "p:ice"), ("w:t", "owl#sameAs", "w:1")}
    third = paper("fog", reference(1, "w:t", TITLE))
    assert ("p:fog", "cites", "p:ice") in derived([ice, third])
    assert ("p:fog", "cites", "p:ice") in derived([ice, snow, third])


def test_two_dois_with_one_title_are_not_merged() -> None:
    ice = paper("ice", own("w:t", TITLE))
    preprint = paper("snow", reference(1, "w:1", TITLE, doi=True))
    journal = paper("fog", reference(1, "w:2", TITLE, doi=True), reference(2, "w:t", TITLE))
    assert derived([ice, preprint, journal]) == {("p:fog", "cites", "p:ice")}


def test_unknown_titles_are_not_equal() -> None:
    assert derived([paper("ice", own("w:1", "", doi=True)), paper("snow", reference(1, "w:2", ""))]) == set()


def test_order_of_papers_does_not_matter() -> None:
    papers = [
        paper("ice", own("w:t", TITLE), reference(1, "w:2")),
        paper("snow", own("w:2"), reference(1, "w:1", TITLE, doi=True)),
        paper("fog", own("w:3"), reference(1, "w:t", TITLE), reference(2, "w:2")),
    ]
    results = [derived(order) for order in itertools.permutations(papers)]
    assert len(results[0]) == 5
    assert all(result == results[0] for result in results)


def test_what_a_paper_that_goes_had_brought_together_comes_apart() -> None:
    ice, snow = paper("ice", own("w:t", TITLE)), paper("snow", reference(1, "w:1", TITLE, doi=True))
    other = paper("fog", reference(1, "w:2", TITLE, doi=True))
    with open_tables(None, write=True) as rows:
        shared_works.enter(rows, (), [ice, snow])
        merged = shared_works.derived(rows)
        assert len(merged) == 2
        shared_works.enter(rows, (), [other])
        assert shared_works.derived(rows) == (), "two DOIs: nobody can tell"
        shared_works.enter(rows, ["fog"], [])
        assert shared_works.derived(rows) == merged
        shared_works.enter(rows, ["snow"], [])
        assert shared_works.derived(rows) == ()


def test_citations_of_real_papers_are_in_the_works_graph(runs: dict[str, Path], tmp_path: Path) -> None:
    put(tmp_path / "corpus", *(runs[name] for name in ("ice", "snow", "fog")))
    query = f"SELECT ?a ?b {{ GRAPH <{shared_works.GRAPH}> {{ ?a <http://purl.org/spar/cito/cites> ?b }} }}"
    table = ask(tmp_path / "corpus", query)
    base = "http://la3d.local/kag/doc/"
    found = [{name: term["value"] for name, term in zip(table.names, row, strict=True) if term} for row in table.rows]
    assert found == [{"a": f"{base}snow/document", "b": f"{base}ice/document"}]
    lines = graphs.lines_of(graphs.open_snapshot(Layout(tmp_path / "corpus")), f"{base}snow/document")
    work = next(line.split()[2] for line in lines if "biro/references" in line and "b_p002_0011" in line)
    ice = graphs.lines_of(graphs.open_snapshot(Layout(tmp_path / "corpus")), f"{base}ice/document")
    assert any(line.endswith(f"#realizes> {work}") for line in ice), "the same node on both sides"
