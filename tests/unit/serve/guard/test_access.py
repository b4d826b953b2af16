"""Who may ask: hosts, origins, tokens and cookies, each with what must be refused."""

from __future__ import annotations

import pytest

from kag.serve.guard.access import Access, access_for, host_of, is_loopback

HERE = {"host": "127.0.0.1:7860"}
OPEN = access_for("127.0.0.1")
CLOSED = access_for("0.0.0.0", "a-token-of-some-length", ("kag.example",))


def test_a_server_for_this_machine_alone_needs_no_token() -> None:
    assert not OPEN.token
    assert OPEN.judge("GET", HERE) == "ok"
    assert OPEN.judge("POST", HERE) == "ok"  # a program, which tells no origin


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:7860",
        "",
        "evil@127.0.0.1",
        "127.0.0.1/x",
        "[::1",
    ],
)
def test_a_name_that_was_made_to_lead_here_is_refused(host: str) -> None:
    assert OPEN.judge("GET", {"host": host}) == "host"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:7860", "[::1]:7860", "localhost."])
def test_the_names_of_this_machine_are_known(host: str) -> None:
    assert OPEN.judge("GET", {"host": host}) == "ok"


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1", "file://", "http://[::1", ""],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_page_of_another_site_is_refused(origin: str, method: str) -> None:
    assert OPEN.judge(method, {**HERE, "origin": origin}) == "origin"


def test_our_own_page_may_change_things() -> None:
    assert OPEN.judge("POST", {**HERE, "origin": "http://127.0.0.1:7860", "sec-fetch-site": "same-origin"}) == "ok"


LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
PICTURE = {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
FRAME = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}


@pytest.mark.parametrize("site", ["cross-site", "same-site", "else"])
def test_another_site_opens_a_page_by_a_link_and_nothing_else(site: str) -> None:
    there = {**HERE, "sec-fetch-site": site}
    assert OPEN.judge("GET", {**there, **LINK}) == "ok"
    assert OPEN.judge("GET", {**there, **LINK}, costly=True) == "origin"
    assert OPEN.judge("POST", {**there, **LINK}) == "origin"
    for loaded in (PICTURE, FRAME, {}):
        assert OPEN.judge("GET", {**there, **loaded}) == "origin"


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_our_own_pages_and_people_ask_what_is_costly(site: str) -> None:
    assert OPEN.judge("GET", {**HERE, "sec-fetch-site": site, "user-agent": "Mozilla/5.0"}, costly=True) == "ok"


def test_a_browser_that_does_not_name_the_site_asks_nothing_costly() -> None:
    browser = {**HERE, "user-agent": "Mozilla/5.0 (Macintosh)"}
    assert OPEN.judge("GET", browser) == "ok"
    assert OPEN.judge("GET", browser, costly=True) == "origin"
    assert OPEN.judge("GET", {**browser, "referer": "http://127.0.0.1:7860/search"}, costly=True) == "ok"
    assert OPEN.judge("GET", {**HERE, "referer": "http://evil.example/"}, costly=True) == "origin"
    assert OPEN.judge("GET", {**HERE, "user-agent": "curl/8"}, costly=True) == "ok"
    signed_in = {"host": "kag.example", "user-agent": "Mozilla/5.0"}
    assert CLOSED.judge("GET", signed_in, CLOSED.session, costly=True) == "ok"  # the cookie is same-site


def test_others_need_the_token() -> None:
    there = {"host": "kag.example"}
    assert CLOSED.judge("GET", there) == "token"
    assert CLOSED.judge("GET", {**there, "authorization": "Bearer a-token-of-some-length"}) == "ok"
    for wrong in ("Bearer ", "Bearer a-token-of-some-lengtH", "Basic a-token-of-some-length", "a-token-of-some-length"):
        assert CLOSED.judge("GET", {**there, "authorization": wrong}) == "token"


def test_a_cookie_reads_but_changes_only_what_a_browser_vouches_for() -> None:
    there = {"host": "kag.example"}
    assert CLOSED.judge("GET", there, CLOSED.session) == "ok"
    assert CLOSED.judge("GET", there, CLOSED.token) == "token"  # the cookie is not the token
    assert CLOSED.judge("POST", there, CLOSED.session) == "origin"
    assert CLOSED.judge("POST", {**there, "origin": "http://kag.example"}, CLOSED.session) == "ok"


def test_an_address_that_others_reach_gets_a_token_by_itself() -> None:
    made = access_for("192.0.2.7")
    assert len(made.token) >= 32
    assert made.token not in repr(made)
    assert made.judge("GET", {"host": "192.0.2.7:80"}) == "token"
    assert made.session != access_for("192.0.2.7").session


def test_no_token_opens_nothing() -> None:
    assert not Access(frozenset(), "").knows("")
    assert not Access(frozenset(), "").session


def test_hosts_and_loopback() -> None:
    assert host_of("a:b") == ""
    assert host_of("127.0.0.1:99999") == ""
    assert is_loopback("127.8.8.8")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("127.0.0.1.example")
