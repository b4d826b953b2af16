"""An address that cannot be bound, and a corpus that cannot be opened, before anybody is told an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import BadValue, KagError
from kag.serve.start import listening, serve_corpus


def test_the_hint_names_what_is_to_be_changed() -> None:
    with listening("127.0.0.1", 0) as taken, pytest.raises(BadValue, match="cannot be bound") as told:
        listening("127.0.0.1", taken.getsockname()[1])
    assert told.value.hint == "Give another --port."
    for host in ("192.0.2.1", "no.such.host.invalid"):  # an address for examples, which no machine has
        with pytest.raises(BadValue, match="cannot be bound") as told:
            listening(host, 0)
        assert told.value.hint == "Give as --host an address of this machine."


def test_an_address_is_told_when_the_corpus_is_open(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no corpus")
    said: list[str] = []
    with pytest.raises((KagError, OSError)):
        serve_corpus(
            tmp_path / "notes.txt", host="127.0.0.1", port=0, token="", names=(), models=(), workers=1,
            file_bytes=1_000, tell=said.append, log=None,
        )  # fmt: skip
    assert said == []
