"""Addresses of servers and papers: which are ones, and which may be stored."""

from __future__ import annotations

import pytest

from kag.core.addresses import is_public, web_parts
from kag.core.errors import BadValue, ModelError
from kag.retrieval.embedders import Endpoint
from kag.retrieval.engines.opensearch import Http
from kag.sources.reading import Reading

BROKEN = ("", "a.org", "ftp://a.org", "http://", "http://[::1", "http://a.org:x", "http://a.org:0", "http://a.org/ b",
          "http://a.org/\n", "http://a.org/<b>", "http://a.org/\u00e9", "javascript:alert(1)")  # fmt: skip


@pytest.mark.parametrize("url", BROKEN)
def test_what_is_no_web_address_is_refused_wherever_one_is_named(url: str) -> None:
    assert web_parts(url) is None
    with pytest.raises(BadValue, match="not a web address"):
        Http(url)
    with pytest.raises(ModelError, match="not a web address"):
        Endpoint(url, "minilm")
    if url:
        with pytest.raises(BadValue, match="not a web address"):
            Reading(url=url)


@pytest.mark.parametrize("url", ["http://a.org", "https://a.org:8443/b%20c?d=(e)#f", "http://[::1]:80/x"])
def test_web_addresses_are_stored(url: str) -> None:
    assert is_public(url)
    assert Reading(url=url).url == url


def test_an_address_with_a_password_is_not_stored() -> None:
    assert web_parts("https://me:secret@a.org/")
    with pytest.raises(BadValue) as raised:
        Reading(url="https://me:secret@a.org/")
    assert "secret" not in str(raised.value)
