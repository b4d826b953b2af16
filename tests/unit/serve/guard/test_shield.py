"""The shield over a small application: signing in by any path, limits of guesses, and what the system lacks."""

from __future__ import annotations

import errno
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")

from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from kag.serve.bounds import USUAL
from kag.serve.guard.access import access_for
from kag.serve.guard.shield import Shield
from kag.serve.problems import Refusal, problem

TOKEN = "a-token-of-some-length"


def client_of(app: Any, address: str = "192.0.2.1") -> TestClient:
    shield = Shield(app, access_for("0.0.0.0", TOKEN, ("testserver",)), USUAL, _shown)
    return TestClient(shield, client=(address, 1), follow_redirects=False)


def _shown(request: Request, refusal: Refusal) -> Response:
    return problem(refusal)


async def plain(scope: Any, receive: Any, send: Any) -> None:
    await Response(b"here")(scope, receive, send)


async def full(scope: Any, receive: Any, send: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/", "/"),
        ("/%E4%B8%96", "/%E4%B8%96"),
        ("/%F0%9F%98%80/a%20b", "/%F0%9F%98%80/a%20b"),
        ("/%0d%0aX-Evil:%201", "/%0D%0AX-Evil%3A%201"),
        ("/%5c%5cevil.example", "/evil.example"),
        ("//evil.example/", "/evil.example/"),
        ("/%ff%00", "/%EF%BF%BD%00"),
    ],
)
def test_signing_in_leads_to_the_path_that_was_named(path: str, location: str) -> None:
    found = client_of(plain).get(f"http://testserver{path}?token={TOKEN}&words=%E4%B8%96")
    assert (found.status_code, found.headers["location"]) == (303, f"{location}?words=%E4%B8%96")
    assert "x-evil" not in found.headers


def test_wrong_tokens_are_counted_by_address_and_right_ones_are_remembered() -> None:
    client = client_of(plain)
    wrong = [client.get("/", headers={"Authorization": "Bearer wrong"}).status_code for _ in range(12)]
    assert wrong == [401] * 10 + [429] * 2
    assert client.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 429  # it is not compared now
    known = client_of(plain)
    assert known.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert [known.get("/", headers={"Authorization": "Bearer wrong"}).status_code for _ in range(12)][-1] == 429
    assert known.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_what_the_system_lacks_is_said_and_may_be_tried_again() -> None:
    found = client_of(full).get("/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (found.status_code, found.headers["retry-after"]) == (503, "30")
    assert found.json()["detail"] == "the disk of the server is full"
