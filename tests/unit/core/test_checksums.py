"""Checksums of a folder: a changed byte is seen, damage is never given a good checksum."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kag.core import checksums
from kag.core.files import remove_inside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one" / "inner").mkdir(parents=True)
    (tmp_path / "one" / "a").write_bytes(b"first")
    (tmp_path / "one" / "inner" / "b").write_bytes(b"second")
    checksums.seal(tmp_path / "one")
    return tmp_path / "one"


def test_any_change_of_any_file_is_seen(folder: Path) -> None:
    assert (checksums.changed(folder), checksums.damaged(folder)) == ((), ())
    for name in ("a", "inner/b", checksums.NAME):
        data = (folder / name).read_bytes()
        for at in range(len(data)):
            (folder / name).write_bytes(data[:at] + bytes([data[at] ^ 32]) + data[at + 1 :])
            assert checksums.damaged(folder) == (name,)
            assert checksums.changed(folder) == ((name,) if name == checksums.NAME else ()), "sizes are the same"
        (folder / name).write_bytes(data)
    (folder / "a").write_bytes(b"longer")
    (folder / "inner" / "b").unlink()
    assert checksums.changed(folder) == checksums.damaged(folder) == ("a", "inner/b")


def test_what_is_no_file_is_seen_at_once(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "a").symlink_to(folder / "inner" / "b")
    os.mkfifo(folder / "inner" / "pipe")
    assert checksums.changed(folder) == checksums.damaged(folder) == ("a", "inner/pipe")


def test_without_checksums_only_a_full_look_says_so(folder: Path) -> None:
    (folder / checksums.NAME).unlink()
    assert (checksums.changed(folder), checksums.damaged(folder)) == ((), (checksums.NAME,))


def test_a_file_that_is_the_same_one_keeps_its_checksum(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    os.link(folder / "a", other / "a")
    (folder / "a").write_bytes(b"fIrst")  # both are damaged now
    checksums.seal(other, folder)
    assert checksums.damaged(other) == ("a",)


def test_only_what_lies_inside_is_removed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    for path in (tmp_path, folder, folder / "..", folder / ".." / "one", Path("/nowhere"), folder.parent / "two"):
        with pytest.raises(OSError, match="does not lie inside"):
            remove_inside(folder, path)
    with pytest.raises(OSError, match="symbolic link"):
        remove_inside(tmp_path, tmp_path / "link" / "inner")
    remove_inside(tmp_path, tmp_path / "link")
    remove_inside(folder, folder / "nothing" / "there")
    remove_inside(folder, folder / "inner")
    assert sorted(path.name for path in folder.iterdir()) == ["a", checksums.NAME]
