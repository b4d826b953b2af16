"""Who makes vectors, by what the user says and by what an index says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import MissingExtra, ModelError
from kag.corpus.search_index import LOCAL, embedder_named, embedder_of, is_local, make_index, open_index
from kag.corpus.transaction import open_writer
from kag.retrieval.embedders import BgeSmall
from kag.retrieval.retrieve import search
from tests.unit.corpus.runs import put


@pytest.fixture
def _weights() -> None:
    try:
        embedder_named(LOCAL)
    except MissingExtra as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("_weights")
def test_the_network_of_this_machine_is_known_by_its_vectors() -> None:
    made = embedder_named(LOCAL)
    assert is_local(made.id)
    assert (embedder_of(made.id)(["ice"]) == made(["ice"])).all()


def test_an_endpoint_is_none_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_local("127.0.0.1:11434/all-minilm")
    monkeypatch.setenv("KAG_EMBEDDINGS", LOCAL)  # what is stated makes new vectors, and none of another's
    with pytest.raises(ModelError, match="all-minilm"):
        embedder_of("127.0.0.1:11434/all-minilm")(["ice"])


@pytest.mark.parametrize("words", ["bge", "http://127.0.0.1:1/v1", "BGE-SMALL "])
def test_what_names_nobody_is_refused(words: str) -> None:
    with pytest.raises(ModelError, match="makes no vectors") as told:
        embedder_named(words)
    assert LOCAL in told.value.hint


@pytest.mark.usefixtures("_weights")
def test_a_corpus_has_the_vectors_that_were_wished(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"])
    done = CliRunner().invoke(cli, ["corpus", "index", "--corpus", str(root), "--embeddings", LOCAL])
    assert done.exit_code == 0, done.output
    index = open_index(root)
    assert index.model == embedder_named(LOCAL).id
    assert search(index, "sensors", plan="dense").hits
    put(root, runs["snow"])  # what comes later is given vectors by the same
    assert search(open_index(root), "snow", plan="dense").hits


@pytest.mark.usefixtures("_weights")
def test_vectors_of_a_model_that_is_not_here_are_made_again(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"])
    with monkeypatch.context() as patched, open_writer(root) as writer:
        patched.setattr(BgeSmall, "id", "all-MiniLM-L6-v2/fp32")
        make_index(writer, embedder=LOCAL)
    with pytest.raises(ModelError, match="all-MiniLM") as raised:
        embedder_of(open_index(root).model)(["sensors"])
    assert f"--embeddings {LOCAL}" in raised.value.hint
    assert "all-MiniLM" in " ".join(search(open_index(root), "sensors", plan="hybrid").notes)
    with open_writer(root) as writer:
        make_index(writer, embedder=LOCAL)
    assert not search(open_index(root), "sensors", plan="hybrid").notes
