import threading

import pytest

from kag.core.errors import ModelError
from kag.retrieval.embedders import Endpoint, endpoint_of
from tests.unit.retrieval.meaning.embedding_server import Server

SECRET = "sk-very-secret-words"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def endpoint(server: Server, **options) -> Endpoint:
    return Endpoint(server.url, "tiny", wait=0.01, **options)


def test_texts_go_in_batches_and_come_back_in_order(server: Server) -> None:
    rows = endpoint(server, batch=2)(["abc", "", "abc"])
    assert [body["input"] for body, _ in server.asked] == [["abc", ""], ["abc"]]
    assert rows.round(4).ravel().tolist() == pytest.approx([0.6, 0.8, 0, 1, 0.6, 0.8])
    assert str(rows.dtype) == "float32"


def test_the_key_is_sent_and_only_where_there_is_one(server: Server, monkeypatch) -> None:
    endpoint(server)(["abc"])
    monkeypatch.delenv("OPENAI_API_KEY")
    endpoint(server)(["abc"])
    assert [key for _, key in server.asked] == [f"Bearer {SECRET}", None]


def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.script = [(429, {"Retry-After": "0"}, b"slow down"), (503, {}, b""), (500, {"Retry-After": "soon"}, b"")]
    assert len(endpoint(server)(["abc"])) == 1
    assert len(server.asked) == 4


def test_no_more_often_than_allowed(server: Server) -> None:
    server.script = [(503, {}, b"down")] * 5
    with pytest.raises(ModelError, match="503 down") as raised:
        endpoint(server, attempts=2)(["abc"])
    assert len(server.asked) == 2
    assert "2 times" in raised.value.hint


def test_a_refusal_is_final_and_hides_the_key(server: Server) -> None:
    server.script = [(401, {}, f"bad key {SECRET}".encode())]
    with pytest.raises(ModelError) as raised:
        endpoint(server)(["abc"])
    assert "bad key [secret]" in raised.value.message
    assert SECRET not in repr(raised.value) + raised.value.hint
    assert len(server.asked) == 1


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    server.script = [(302, {"Location": server.url}, b"")]
    with pytest.raises(ModelError, match="302"):
        endpoint(server)(["abc"])
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": "x"}]}',
    ],
)
def test_an_answer_that_is_none_is_refused(server: Server, answer: bytes) -> None:
    server.script = [(200, {}, answer)]
    with pytest.raises(ModelError):
        endpoint(server)(["abc"])


def test_no_key_leaves_the_machine_unencrypted(monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with pytest.raises(ModelError, match="unencrypted"):
        Endpoint("http://vectors.example/v1", "tiny")(["abc"])


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(ModelError) as raised:
        Endpoint("http://127.0.0.1:9/v1", "tiny", attempts=1, key="NO_SUCH_KEY")(["abc"])
    assert "Is the server running" in raised.value.hint


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "api.openai.com"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ModelError):
        Endpoint(url, "tiny")


def test_no_texts_ask_nothing(server: Server) -> None:
    assert endpoint(server)([]).shape == (0, 0)
    assert server.asked == []


def test_an_endpoint_as_it_is_written(server: Server) -> None:
    assert endpoint_of(f"{server.url}#org/tiny#2").model == "2"
    assert endpoint_of(f"{server.url}#tiny")(["abc"]).shape == (1, 2)
    for wrong in ("", "tiny", "#tiny", "https://x.org#", "ftp://x.org#tiny"):
        with pytest.raises(ModelError):
            endpoint_of(wrong)
