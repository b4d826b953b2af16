"""A corpus in shards is the corpus in one piece: the same papers, graphs, works and answers, whatever their number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.corpus.command import corpus
from kag.corpus import changing, graphs, joined, lock, shard_edges
from kag.corpus.check import check_corpus, repair
from kag.corpus.exact.answer import answer_by_schema
from kag.corpus.rebalance import rebalance
from kag.corpus.search_index import open_index, quiet
from kag.corpus.shard_set import create_shards, shard_set
from kag.corpus.sparql.query import ask
from kag.corpus.store import open_corpus
from kag.questions.file import Question
from kag.safety.workers import processes
from kag.search.presets import PRESETS
from kag.search.retrieve import search
from kag.values.content import content_ref
from kag.values.errors import CorpusBusy, CorpusError
from tests.unit.corpus.runs import SHARED, make_run

QUERIES = ("sensors under river ice", "twelve sites along the river", "moss", "What does Table 1 show?")
ACROSS = "SELECT ?a ?b WHERE { GRAPH ?g { ?a cito:cites ?b } } ORDER BY ?a ?b"


@pytest.fixture
def papers(runs: dict[str, Path], tmp_path: Path) -> list[Path]:
    more = [make_run(tmp_path / "more", name, words=f"{name} and lichen") for name in ("rime",)]
    return [runs["ice"], runs["snow"], runs["fog"], *more]


def sharded(root: Path, number: int, papers: Sequence[Path]) -> Path:
    create_shards(root, number)
    assert {change.state for change in changing.put(root, papers)} <= {"added"}
    return root


def whole(root: Path, papers: Sequence[Path]) -> Path:
    assert [change.state for change in changing.put(root, papers)] == ["added"] * len(papers)
    return root


def nquads(root: Path) -> str:
    return "".join(graphs.nquads(graphs.open_snapshot(open_corpus(root).layout)))


def told(root: Path) -> object:
    """All that a reader can ask for, without scores."""
    corpus = open_corpus(root)
    library = corpus.library()
    answer = answer_by_schema(Question("1", 'Which papers cite "Sensors under river ice"?'), corpus)
    return (
        nquads(root),
        [paper[:4] + paper[6:] for paper in corpus.papers()],
        corpus.citations(),
        {name: library[name].title for name in library},
        corpus.text(content_ref("paragraph", SHARED)),
        ask(root, ACROSS).rows,
        answer and answer.to_json(),
    )


def hits(root: Path) -> dict[tuple[str, str], list[tuple[str, str]]]:
    index = open_index(root)
    return {
        (plan, query): [(hit.chunk, hit.via) for hit in search(index, query, plan=plan).hits]
        for plan in PRESETS
        for query in QUERIES
    }


@pytest.mark.parametrize("number", [5])
def test_shards_answer_as_one_corpus_does(
    number: int, papers: list[Path], runs: dict[str, Path], tmp_path: Path
) -> None:
    one, many = whole(tmp_path / "one", papers), sharded(tmp_path / "many", number, papers)
    assert told(many) == told(one)
    for root in (one, many):
        changing.index(root, changing.Wish(graph=True))
    assert hits(many) == hits(one)
    for root in (one, many):
        assert [c.state for c in changing.put(root, [runs["ice2"]], replace=True)] == ["replaced"]
        assert [c.state for c in changing.remove(root, ["fog", "nothing"])] in (
            ["removed", "failed"],
            ["failed", "removed"],
        )
        assert check_corpus(root).issues == ()
    assert told(many) == told(one)
    assert hits(many) == hits(one)


def test_a_graph_by_several_processes_is_that_of_one(
    papers: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_edges, "FEW", 0)
    root = sharded(tmp_path / "many", 3, papers)
    changing.index(root, changing.Wish(graph=True))
    alone = open_index(root).edges
    changing.index(root, changing.Wish(graph=True), executor=processes(2))
    spread = open_index(root).edges
    assert alone is not None
    assert spread is not None
    assert list(alone.edges) == list(spread.edges) != []
    assert not list((root / "search").glob(".partial-*"))


def test_a_busy_shard_keeps_only_its_own_papers(papers: list[Path], tmp_path: Path) -> None:
    root = tmp_path / "many"
    shards = create_shards(root, 3)
    with lock.alone(shards.home("ice")):
        changes = {change.paper: change for change in changing.put(root, papers)}
    stopped = {name for name in changes if shards.home(name) == shards.home("ice")}
    assert {name for name, change in changes.items() if change.state == "failed"} == stopped
    assert "is being written by" in changes["ice"].message
    assert {paper.id for paper in open_corpus(root).papers()} == changes.keys() - stopped
    changing_again = {change.paper: change.state for change in changing.put(root, papers)}
    assert {name for name, how in changing_again.items() if how == "added"} == stopped
    assert check_corpus(root).issues == ()


def test_what_is_joined_is_made_again(papers: list[Path], tmp_path: Path) -> None:
    root = sharded(tmp_path / "many", 2, papers)
    before = nquads(root)
    shards = shard_set(root)
    assert shards is not None
    with lock.alone(shards.joined):  # whoever writes now cannot follow
        list(changing.remove(root, ["snow"]))
    assert joined.behind(shards) == ("snow",)
    assert [issue.component for issue in check_corpus(root).issues if issue.focus == "snow"] == ["joined"]
    assert "snow" not in {paper.id for paper in open_corpus(root).papers()}  # opening brings it into step
    assert check_corpus(root).issues == ()
    list(changing.put(root, papers))
    (shards.joined.root / "corpus.db").write_bytes(b"no tables")
    assert repair(root).issues == ()
    assert nquads(root) == before


def test_other_numbers_of_shards(papers: list[Path], tmp_path: Path) -> None:
    root = sharded(tmp_path / "many", 2, papers)
    changing.index(root, changing.Wish(graph=True))
    before, found = told(root), hits(root)
    shards = shard_set(root)
    assert shards is not None
    with lock.alone(shards.layouts[0]), pytest.raises(CorpusBusy):
        rebalance(root, 5, quiet)
    (root / "shards-2" / "0001").mkdir(parents=True, exist_ok=True)  # left by one that was killed
    assert rebalance(root, 5, quiet) == len(papers)
    assert sorted(path.name for path in root.glob("shards-*")) == ["shards-2"]
    assert (told(root), hits(root)) == (before, found)
    assert check_corpus(root).issues == ()
    with pytest.raises(CorpusBusy), shards.still():  # who opened it before has to look again
        pass
    pieces = whole(tmp_path / "one", papers)
    assert nquads(pieces) == nquads(root)
    with pytest.raises(CorpusError, match="no corpus in shards"):
        rebalance(pieces, 2, quiet)


@pytest.mark.parametrize(
    "mark",
    ["", "[]", '{"format": "kag-shards/2"}', '{"format": "kag-shards/1", "folder": "../../x", "shards": 2}',
     '{"format": "kag-shards/1", "folder": "shards-1", "shards": 3}', '{"format": "kag-shards/1", "folder": "shards-1",'
     ' "shards": true}'],
)  # fmt: skip
def test_a_marker_that_is_none(mark: str, tmp_path: Path) -> None:
    create_shards(tmp_path / "c", 2)
    (tmp_path / "c" / "shards.json").write_text(mark)
    with pytest.raises(CorpusError, match="does not say which shards"):
        open_corpus(tmp_path / "c")


@pytest.mark.parametrize("name", ["search", "joined", "shards-1", "shards-1/0002"])
def test_links_are_not_followed(name: str, tmp_path: Path) -> None:
    create_shards(tmp_path / "c", 2)
    place = tmp_path / "c" / name
    if place.exists():
        place.rename(tmp_path / "moved")
    (tmp_path / "moved").mkdir(exist_ok=True)
    place.symlink_to(tmp_path / "moved")
    with pytest.raises(CorpusError, match="does not say which shards"):
        open_corpus(tmp_path / "c")


def test_an_empty_one_can_be_asked(tmp_path: Path) -> None:
    root = tmp_path / "c"
    create_shards(root, 2)
    assert open_corpus(root).papers() == ()
    assert ask(root, ACROSS).rows == ()
    assert check_corpus(root).issues == ()
    with pytest.raises(CorpusError, match="holds something already"):
        create_shards(root, 4)


def test_commands(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "c"

    def run(*arguments: object) -> tuple[int, list[str]]:
        done = CliRunner().invoke(corpus, [*map(str, arguments), "--corpus", str(root)])
        return done.exit_code, sorted(done.stdout.splitlines())

    assert run("create", "--shards", 2) == (0, [f"{root}: an empty corpus in 2 shards"])
    assert run("add", runs["ice"], runs["snow"], runs["fog"]) == (0, ["added fog", "added ice", "added snow"])
    assert run("index") == (0, [f"{root}: the search index is in step, 3 papers were not"])
    assert run("remove", "fog") == (0, ["removed fog"])
    assert run("rebalance", "--shards", 3) == (0, [f"{root}: 2 papers in 3 shards"])
    assert run("check") == (0, [f"{root}: sound"])
    assert run("sparql", "SELECT (COUNT(*) AS ?n) WHERE { ?a cito:cites ?b }", "--format", "csv")[1][0] >= "1"
    status = run("ask", 'Which papers cite "Sensors under river ice"?')
    assert status[0] == 0
