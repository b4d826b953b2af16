"""What is taken in, and the archives that are not."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.serve.bounds import USUAL
from kag.serve.papers.uploads import take_in, unpack
from kag.serve.problems import Refusal

PDF = b"%PDF-1.7\n"


def test_a_name_is_shown_and_is_no_path(tmp_path: Path) -> None:
    for name in (
        "../../etc/passwd.pdf",
        "C:\\Windows\\x.pdf",
        "/etc/x.pdf",
        "a\0b.pdf",
        ".pdf",
        "",
        "x" * 500 + ".pdf",
    ):
        taken = take_in(io.BytesIO(PDF), name, tmp_path / "in", USUAL)
        assert taken.path.parent == tmp_path / "in"
        assert taken.path.suffix == ".pdf"
        assert "/" not in taken.name
        assert "\\" not in taken.name.replace("\\u", "")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_file_is_what_its_bytes_are(tmp_path: Path) -> None:
    assert take_in(io.BytesIO(PDF), "x.md", tmp_path, USUAL).path.suffix == ".pdf"
    assert take_in(io.BytesIO(b"# Ice\n\nText."), "ice.md", tmp_path, USUAL).paper == "ice"
    for data, name in (
        (b"MZ\x90\0", "x.exe"),
        (b"MZ\x90\0", "x.md"),
        (b"", "x.md"),
        (b"<svg/>", "x.svg"),
        (b"\x89PNG", "page_001.png"),
        (b"#!/bin/sh", "x.sh"),
        (b"plain", "README"),
    ):
        with pytest.raises(Refusal, match="nothing that a paper comes in") as refused:
            take_in(io.BytesIO(data), name, tmp_path, USUAL)
        assert refused.value.status == 415


def test_a_file_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refused:
        take_in(io.BytesIO(PDF + b" " * 5_000_000), "x.pdf", tmp_path, replace(USUAL, file=1_000_000))
    assert refused.value.status == 413
    assert not list(tmp_path.glob("x*"))


def archive(path: Path, fill: Callable[[zipfile.ZipFile], object]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        fill(made)
    return path


def _link(made: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("page_001.md")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    made.writestr(info, "/etc/passwd")


def _twice(made: zipfile.ZipFile) -> None:
    made.writestr("A.md", "a")
    made.writestr("a.md", "b")


BAD: dict[str, Callable[[zipfile.ZipFile], object]] = {
    "up": lambda made: made.writestr("../evil.md", "x"),
    "root": lambda made: made.writestr("/evil.md", "x"),
    "drive": lambda made: made.writestr("C:/evil.md", "x"),
    "backslash": lambda made: made.writestr("a\\..\\evil.md", "x"),
    "hidden": lambda made: made.writestr(".ssh/authorized_keys", "x"),
    "deep": lambda made: made.writestr("a/" * 20 + "x.md", "x"),
    "line": lambda made: made.writestr("a\nb.md", "x"),
    "link": _link,
    "twice": _twice,
    "many": lambda made: [made.writestr(f"{n}.md", "") for n in range(6_000)],
    "bomb": lambda made: made.writestr("bomb.md", b"\0" * 60_000_000),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_archives_that_are_refused(name: str, tmp_path: Path) -> None:
    made = archive(tmp_path / "in.zip", BAD[name])
    with pytest.raises(SourceError):
        unpack(made, tmp_path / "out" / "paper", USUAL)
    assert {path.name for path in tmp_path.iterdir()} <= {"in.zip", "out"}
    assert not list(tmp_path.rglob("evil*"))


def test_an_archive_that_lies_about_its_size_is_stopped(tmp_path: Path) -> None:
    made = archive(tmp_path / "in.zip", lambda one: one.writestr("a.md", b"x" * 3_000_000))
    data = made.read_bytes()
    size = (3_000_000).to_bytes(4, "little")
    assert data.count(size) == 2
    made.write_bytes(data.replace(size, (1000).to_bytes(4, "little")))
    with pytest.raises(SourceError):
        unpack(made, tmp_path / "out", USUAL)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.md")) <= 1_100_000


def test_a_plain_archive_is_unpacked(tmp_path: Path) -> None:
    made = archive(tmp_path / "in.zip", lambda one: one.writestr("Smith (2020)/page_001.md", "text"))
    unpack(made, tmp_path / "out", USUAL)
    assert (tmp_path / "out" / "Smith (2020)" / "page_001.md").read_text() == "text"
    for junk in (b"PK\x03\x04 no archive", b""):
        made.write_bytes(junk)
        with pytest.raises(SourceError):
            unpack(made, tmp_path / "other", USUAL)
