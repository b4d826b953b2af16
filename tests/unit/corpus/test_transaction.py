"""Adding, replacing and removing papers, and what is left when it is cut off at any step."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kag.core.errors import CorpusError
from kag.corpus import catalogue, graphs, shared_works, transaction
from kag.corpus.check import check_corpus
from kag.corpus.layout import Layout, read_intent
from kag.corpus.store import open_corpus
from kag.corpus.transaction import open_writer
from tests.papers import write_paper
from tests.unit.corpus.runs import indexed, make_run, put, remove, state

pytestmark = pytest.mark.slow


def test_order_does_not_matter_and_removal_undoes(runs: dict[str, Path], tmp_path: Path) -> None:
    three = [runs[name] for name in ("ice", "snow", "fog")]
    built = []
    for number, order in enumerate((three, three[::-1])):
        for run in order:
            assert [change.state for change in put(tmp_path / str(number), run)] == ["added"]
        built.append(state(tmp_path / str(number)))
    assert all(one == built[0] for one in built)
    assert remove(tmp_path / "0", "snow")[0].state == "removed"
    put(tmp_path / "two", runs["ice"], runs["fog"])
    assert state(tmp_path / "0") == state(tmp_path / "two")
    remove(tmp_path / "0", "ice", "fog")
    assert state(tmp_path / "0") == ("", [], {})


def test_the_same_bytes_change_nothing(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"], runs["snow"])
    before = state(root), graphs.snapshot(Layout(root))
    assert [change.state for change in put(root, runs["snow"], runs["ice"])] == ["unchanged", "unchanged"]
    assert (state(root), graphs.snapshot(Layout(root))) == before


def test_a_paper_of_the_same_bytes_is_noted(tmp_path: Path) -> None:
    pages = write_paper(tmp_path / "pages")
    one, two, late = (indexed(tmp_path / name, pages, name) for name in ("one", "two", "late"))
    assert [change.note for change in put(tmp_path / "c", one, two)] == ["", "made from the same bytes as one"]
    (change,) = put(tmp_path / "c", late)
    assert (change.state, change.note) == ("added", "made from the same bytes as one")
    assert [change.note for change in put(tmp_path / "c", make_run(tmp_path, "fog"), two)] == ["", ""]


def test_only_update_replaces(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"], runs["snow"])
    before = state(root)
    (refused,) = put(root, runs["ice2"])
    assert refused.state == "failed"
    assert "another version" in refused.message
    assert "update" in refused.hint
    assert state(root) == before
    assert [change.state for change in put(root, runs["ice2"], replace=True)] == ["replaced"]
    put(tmp_path / "clean", runs["snow"], runs["ice2"])
    assert state(root) == state(tmp_path / "clean")
    assert "Moss was found" in state(root)[0]


def test_a_bad_run_keeps_no_other_out(runs: dict[str, Path], tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    shutil.copytree(runs["fog"], torn)
    (torn / "knowledge_graph.ttl").write_text(
        "@prefix ex: <http://la3d.local/kag/doc/fog/> . ex:a ex:b", encoding="utf-8"
    )
    foreign = tmp_path / "foreign"
    shutil.copytree(runs["fog"], foreign)
    with (foreign / "knowledge_graph.ttl").open("a", encoding="utf-8") as graph:
        graph.write('<http://la3d.local/kag/doc/ice/document> <http://purl.org/dc/terms/title> "Mine now" .\n')
    invalid = tmp_path / "invalid"
    shutil.copytree(runs["fog"], invalid)
    text = (invalid / "knowledge_graph.ttl").read_text(encoding="utf-8")
    (invalid / "knowledge_graph.ttl").write_text(
        text.replace("kag:pageNumber 1 ;", "kag:pageNumber 0 ;"), encoding="utf-8"
    )
    lacking = tmp_path / "lacking"
    shutil.copytree(runs["fog"], lacking)
    (lacking / "skipped.jsonl").unlink()
    changes = put(tmp_path / "corpus", torn, foreign, invalid, lacking, runs["snow"])
    assert [change.state for change in changes] == ["failed"] * 4 + ["added"]
    for change, words in zip(
        changes, ("damaged", "doc/ice/document", "breaks the shapes", "skipped.jsonl"), strict=False
    ):
        assert words in change.message
        assert change.hint
    assert [paper.id for paper in open_corpus(tmp_path / "corpus").papers()] == ["snow"]


def test_an_id_is_no_way_out_of_the_corpus(runs: dict[str, Path], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs["fog"], run)
    summary = (run / "summary.json").read_text(encoding="utf-8")
    (run / "summary.json").write_text(summary.replace('"fog"', '"../../fog"'), encoding="utf-8")
    assert put(tmp_path / "corpus", run)[0].state == "failed"
    assert not list(tmp_path.rglob("fog"))


def test_one_writer_at_a_time(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    with open_writer(root, create=True) as writer:
        list(writer.put([runs["ice"]]))
        with pytest.raises(CorpusError, match=r"is being written by process \d+ on") as error, open_writer(root):
            pass
        assert "Wait" in error.value.hint
        assert [paper.id for paper in open_corpus(root).papers()] == ["ice"], "reading goes on"
    assert put(root, runs["snow"])[0].state == "added"


def test_a_folder_of_something_else_is_not_touched(runs: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CorpusError, match="neither a corpus nor empty"):
        put(tmp_path, runs["ice"])
    with pytest.raises(CorpusError, match="is not a corpus"):
        remove(tmp_path, "ice")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


class Death(BaseException):
    """The process ends here."""


STEPS = (
    (transaction.Writer, "_copy"),
    (transaction, "write_intent"),
    (transaction, "read_submission"),
    (transaction.Writer, "_take_over"),
    (catalogue, "put"),
    (catalogue, "drop"),
    (shared_works, "derived"),
    (graphs, "discard"),
    (graphs, "change"),
    (graphs, "publish"),
    (transaction.Writer, "_clear"),
    (transaction, "sync"),
)

AFTER = ("_take_over", "publish", "sync")
"""Steps that are done when the process ends; before any other one the step before it is done."""


def act(what: str, root: Path, runs: dict[str, Path]) -> None:
    """One change of the corpus that holds ice and fog."""
    if what == "remove":
        remove(root, "ice", "fog")
    else:
        put(root, runs["ice2"] if what == "update" else runs["snow"], replace=True)


@pytest.fixture(scope="module")
def ends(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Corpora as each change finds them ("before") and leaves them."""
    folder = tmp_path_factory.mktemp("ends")
    put(folder / "before", runs["ice"], runs["fog"])
    for what in ("add", "update", "remove"):
        shutil.copytree(folder / "before", folder / what)
        act(what, folder / what, runs)
    return {path.name: path for path in folder.iterdir()}


@pytest.mark.parametrize("step", STEPS, ids=[name for _, name in STEPS])
@pytest.mark.parametrize("what", ["add", "update", "remove"])
def test_death_at_any_step(
    what: str,
    step: tuple[object, str],
    runs: dict[str, Path],
    ends: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = tmp_path / "corpus"
    shutil.copytree(ends["before"], root)
    owner, name = step
    real = getattr(owner, name)

    def die(*args: object, **kwargs: object) -> None:
        if name in AFTER:
            real(*args, **kwargs)
        raise Death

    decided = True  # also when this change does not take the step
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, die)
        try:
            act(what, root, runs)
        except Death:
            decided = bool(read_intent(Layout(root)))
            # The last step comes when all is done and the intent is gone.
            decided |= name == "sync" and not (root / "papers" / "ice").exists()
    open_corpus(root)  # finishes what was decided
    assert not read_intent(Layout(root))
    assert state(root) == state(ends[what] if decided else ends["before"])
    assert check_corpus(root).issues == ()
    act(what, root, runs)
    assert state(root) == state(ends[what])
    assert not list(root.glob("staged/*"))
