"""`kag push`: a store holds what the runs hold, whatever fails on the way, and nothing secret is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import RdfFormat, Store

from kag.cli.export import graphs_of
from kag.cli.main import cli
from kag.core.errors import BadValue, StoreError
from kag.export import sparql_store as stores
from kag.export.rdf_datasets import NamedGraph
from kag.export.sparql_store import PASSWORD, TOKEN, USER, Way, updates
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa.library import open_library
from tests.papers import write_paper
from tests.store_servers import Server, StandIn, asked, oxigraph, stand_in, virtuoso

SECRET = "s3cr3t-of-the-store"
HOSTILE = r'a "quote", a \u0022 } ; DROP ALL ; #, \\U00000022, \\\u0022 } , two\nlines, {"@id": 1}'


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two papers."""
    folder = tmp_path_factory.mktemp("pushed")
    for name in ("ice", "snow"):
        write_run(folder / "runs", name, index_paper(write_paper(folder / name)).files)
    return folder / "runs"


@pytest.fixture
def server() -> Iterator[StandIn]:
    with stand_in() as server:
        yield server


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waits between attempts, and no credentials but a test's own."""
    monkeypatch.setattr(stores, "time", SimpleNamespace(sleep=lambda seconds: None))
    for name in (TOKEN, USER, PASSWORD):
        monkeypatch.delenv(name, raising=False)


def push(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["push", *map(str, arguments)])


def ask(server: StandIn, what: str, secret: str) -> None:
    """Let a store ask for a token, or a user with a password."""
    server.token = secret if what == "token" else ""
    server.user = "" if what == "token" else f"clerk:{secret}"
    server.digest = what == "digest"


def triples(server: StandIn) -> int:
    return sum(len(body.splitlines()) for body in server.graphs.values())


def hostile(name: str = "urn:p") -> NamedGraph:
    """A graph whose text would end a literal in an engine that reads escapes before all else."""
    escaped = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    return NamedGraph("p", name, (f'<urn:a> <urn:b> "{escaped}"', "<urn:a> <urn:c> <urn:d>"))


@pytest.fixture(scope="module", params=[oxigraph, virtuoso])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with request.param(tmp_path_factory.mktemp("real") / "store") as server:
        yield server


@pytest.fixture
def real(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A store of others, with its user in the environment."""
    user, _, password = running.user.partition(":")
    if user:
        monkeypatch.setenv(USER, user)
        monkeypatch.setenv(PASSWORD, password)
    return running


def test_stores_hold_the_same_graphs_however_often_they_are_pushed(runs: Path, real: Server) -> None:
    once = push(real.put, *real.options, runs)
    assert once.exit_code == 0, once.stderr
    local = {line.split("<")[1][:-1]: int(line.split(": ")[1].split()[0]) for line in once.stdout.splitlines()}
    names = " ".join(f"<{name}>" for name in local)
    each = f"SELECT ?g (COUNT(*) AS ?n) {{ VALUES ?g {{ {names} }} GRAPH ?g {{ ?s ?p ?o }} }} GROUP BY ?g"

    def held() -> dict[str, int]:
        rows = (line.replace('"', "").rsplit(",", 1) for line in asked(real, each))
        return {name: int(count) for name, count in rows}

    assert held() == local
    again = push(real.put, *real.options, runs)
    assert [line.split(":")[0] for line in again.stdout.splitlines()] == ["unchanged ice", "unchanged snow"]
    assert push(real.update, "--update", runs).exit_code == 0
    assert held() == local
    told = push(real.put, *real.options, runs).stdout.splitlines()
    assert {line.split()[0] for line in told} == {"unchanged"}


def test_stores_keep_hostile_texts_as_texts_and_large_graphs_whole(real: Server) -> None:
    put = stores.Store(real.put, Way(parameter=real.options[-1] if real.options else "graph"))
    put.push(hostile("urn:put"))
    stores.Store(real.update, Way(update=True)).push(hostile("urn:updated"))
    same = "SELECT ?o WHERE { GRAPH <urn:put> { ?s <urn:b> ?o } GRAPH <urn:updated> { ?t <urn:b> ?o } }"
    assert len(asked(real, same)) == 1
    assert put.push(hostile("urn:updated")) == "unchanged"
    assert put.push(large()) == "pushed"
    assert put.push(large()) == "unchanged"
    many = NamedGraph("p", "urn:many", tuple(f"<urn:a{number}> <urn:b> <urn:c{number}>" for number in range(6000)))
    stores.Store(real.update, Way(update=True)).push(many)
    assert put.push(many) == "unchanged"


def large() -> NamedGraph:
    """A graph of 6 MB: more than a connection holds of what nobody reads."""
    return NamedGraph("p", "urn:large", tuple(f'<urn:a{number}> <urn:b> "{"x" * 2000}"' for number in range(3000)))


def test_updates_replace_a_graph_and_say_nothing_else() -> None:
    held = Store()
    held.update("INSERT DATA { GRAPH <urn:p> { <urn:old> <urn:b> 1 } GRAPH <urn:other> { <urn:a> <urn:b> 1 } }")
    texts = list(updates(hostile(), at_once=1))
    assert len(texts) == 2
    assert sum("DROP SILENT GRAPH <urn:p>" in text for text in texts) == 1
    for text in texts:
        held.update(text)
    found = {quad.object.value for quad in held if quad.graph_name.value == "urn:p"}
    assert found == {HOSTILE, "urn:d"}
    assert len(held) == 3


@pytest.mark.parametrize("slashes", range(1, 6))
def test_no_backslash_of_a_text_stands_before_a_u(slashes: int) -> None:
    """An engine that reads escapes first would take it for one."""
    line = '<urn:a> <urn:b> "' + "\\\\" * slashes + 'u0022"'
    (text,) = updates(NamedGraph("p", "urn:p", (line,)))
    assert "\\u0022" not in text
    held = Store()
    held.update(text)
    assert [quad.object.value for quad in held] == ["\\" * slashes + "u0022"]
    first_read = text.replace("\\u0075", "u")  # what such an engine reads
    held.update(first_read)
    assert len(held) == 1


def test_no_triples_leave_no_triples() -> None:
    held = Store()
    held.load(b"<urn:a> <urn:b> <urn:c> <urn:p> .\n", RdfFormat.N_QUADS)
    for text in updates(NamedGraph("p", "urn:p", ())):
        held.update(text)
    assert len(held) == 0


@pytest.mark.parametrize("fault", [500, 503, 429, "cut"])
def test_what_passes_is_tried_again(server: StandIn, runs: Path, fault: int | str) -> None:
    server.faults = [fault, fault]
    done = push(server.url, runs)
    assert done.exit_code == 0, done.stderr
    assert len(server.graphs) == 2


def test_a_push_that_ended_halfway_is_given_again(server: StandIn, runs: Path) -> None:
    server.faults = [0, 0, 0, 500, 500, 500]  # the second paper's PUT, three times
    done = push(server.url, runs)
    assert done.exit_code == 3
    assert done.stdout.startswith("pushed ice")
    assert "snow: 127.0.0.1" in done.stderr
    assert "status 500" in done.stderr
    assert "1 failed, 1 pushed" in done.stderr
    again = push(server.url, runs)
    assert [line.split(":")[0] for line in again.stdout.splitlines()] == ["unchanged ice", "pushed snow"]
    held = triples(server)
    assert push(server.url, runs).stdout.count("unchanged") == 2
    assert triples(server) == held


def test_a_store_that_is_too_slow_is_given_up(runs: Path, server: StandIn) -> None:
    server.faults = ["slow"] * 3
    done = push(server.url, runs, "--timeout", "0.1")
    assert done.exit_code == 3
    assert "timed out" in done.stderr
    assert "1 failed, 1 not tried" in done.stderr


def test_one_graph_that_is_refused_does_not_stop_the_others(server: StandIn, runs: Path) -> None:
    server.faults = [0, 413]
    done = push(server.url, runs)
    assert done.exit_code == 3
    assert "--update" in done.stderr
    assert "pushed snow" in done.stdout


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "KAG_STORE_TOKEN"), (403, "write"), (404, "Graph Store"), (302, "redirects")]
)
def test_what_will_not_pass_is_told_at_once(server: StandIn, runs: Path, status: int, hint: str) -> None:
    server.faults = [0, status]
    done = push(server.url, runs)
    assert done.exit_code == 3
    assert hint in done.stderr
    assert len(server.seen) == 2


def test_nobody_is_there(runs: Path) -> None:
    done = push("http://127.0.0.1:9/store", runs)
    assert done.exit_code == 3
    assert "Is the store running?" in done.stderr


@pytest.mark.parametrize("what", ["token", "user", "digest"])
def test_credentials_come_from_the_environment(
    server: StandIn, runs: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ask(server, what, SECRET)
    monkeypatch.setenv(TOKEN if what == "token" else PASSWORD, SECRET)
    if what != "token":
        monkeypatch.setenv(USER, "clerk")
    done = push(server.url, runs)
    assert done.exit_code == 0, done.stderr
    assert len(server.graphs) == 2
    assert SECRET not in done.output
    stores.Store(server.url, Way(attempts=1)).push(large())
    assert len(server.graphs["urn:large"]) > 6_000_000


@pytest.mark.parametrize("what", ["token", "user", "digest"])
def test_wrong_credentials_are_told_and_not_shown(
    server: StandIn, runs: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ask(server, what, "another")
    monkeypatch.setenv(TOKEN if what == "token" else PASSWORD, SECRET)
    if what != "token":
        monkeypatch.setenv(USER, "clerk")
    done = push(server.url, runs)  # the stand-in repeats what it was given
    assert done.exit_code == 3
    assert "status 401" in done.stderr
    assert SECRET not in done.output
    assert not server.graphs


def test_none_are_sent_unasked_or_unencrypted(monkeypatch: pytest.MonkeyPatch, server: StandIn, runs: Path) -> None:
    monkeypatch.setenv(USER, "clerk")
    monkeypatch.setenv(PASSWORD, SECRET)
    assert push(server.url, runs).exit_code == 0
    assert {given for _, given in server.seen} == {""}
    with pytest.raises(BadValue, match="unencrypted"):
        stores.Store("http://store.example/rdf")
    monkeypatch.delenv(PASSWORD)
    with pytest.raises(BadValue, match="only one"):
        stores.Store("https://store.example/rdf")


@pytest.mark.parametrize(
    "url", ["", "store", "file:///etc/passwd", "ftp://host/x", "http://", "http://[", "http://h:x/", "http://h/a b"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(BadValue, match="is not a web address"):
        stores.Store(url)


def test_an_address_with_a_password_is_refused_and_not_shown() -> None:
    with pytest.raises(BadValue) as told:
        stores.Store(f"https://clerk:{SECRET}@store.example/rdf")
    assert SECRET not in str(told.value)


def test_keys_in_an_address_are_not_shown(server: StandIn) -> None:
    server.faults = [400]
    with pytest.raises(StoreError) as told:
        stores.Store(f"{server.url}?access-token={SECRET}").push(hostile())
    assert SECRET not in told.value.message


def test_graphs_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("a", "a-b", "b"):
        write_run(tmp_path / "runs", name, index_paper(write_paper(tmp_path / name)).files)
    names = [graph.name for graph in graphs_of(open_library(tmp_path / "runs"))]
    assert names == sorted(names)
    assert len(names) == 3


def test_runs_or_a_corpus(runs: Path, tmp_path: Path, server: StandIn) -> None:
    assert push(server.url).exit_code == 2
    assert push(server.url, runs, "--corpus", tmp_path).exit_code == 2
    assert CliRunner().invoke(cli, ["corpus", "add", str(runs), "--corpus", str(tmp_path / "c")]).exit_code == 0
    done = push(server.url, "--corpus", tmp_path / "c")
    assert done.exit_code == 0, done.stderr
    nquads = CliRunner().invoke(cli, ["corpus", "export", "--corpus", str(tmp_path / "c")]).stdout
    assert triples(server) == len(nquads.splitlines())
    assert {line.split()[-2][1:-1] for line in nquads.splitlines()} == set(server.graphs)
