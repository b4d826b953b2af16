"""Reading what is a regular file and nothing else; writing whole files."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kag.core.files import (
    about,
    append_line,
    clear_partials,
    hint_for,
    partial_path,
    read_regular,
    write_output,
    write_whole,
)
from kag.export.folders import write_folder


def test_a_regular_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "page_001.md"
    file.write_bytes(b"ice")
    assert read_regular(file, limit=3) == b"ice"
    with pytest.raises(OSError, match="has 3 bytes, more than the 2"):
        read_regular(file, limit=2)


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices of POSIX systems")
def test_links_pipes_devices_sockets_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("ice")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for name, reason in {
            "link": "is a symbolic link",
            "loop": "is a symbolic link",
            "dangling": "is a symbolic link",
            "pipe": "is a pipe and no regular file",
            "socket": "No such device|is a socket",
            "nothing": "No such file",
        }.items():
            with pytest.raises(OSError, match=reason):
                read_regular(tmp_path / name)
    for path, reason in {tmp_path: "is a folder|Is a directory", Path("/dev/zero"): "is a device"}.items():
        with pytest.raises(OSError, match=reason):
            read_regular(path)


def test_a_file_without_a_size_is_read_to_the_limit_only() -> None:
    endless = Path("/proc/self/smaps")  # its size is said to be 0
    if not endless.exists():
        pytest.skip("no /proc on this system")
    with pytest.raises(OSError, match="more than the 100"):
        read_regular(endless, limit=100)


def test_a_file_is_written_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "inside" / ("long" * 60 + ".json")
    write_whole(file, "old\r\n")
    assert file.read_bytes() == b"old\r\n"

    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space") as caught:
        write_whole(file, "new")
    assert "full" in hint_for(caught.value)
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"old\r\n"]


def test_what_other_tools_keep_hidden_is_not_cleared(tmp_path: Path) -> None:
    for name in (".partial-x", ".partial-12", ".hidden"):
        (tmp_path / name).write_text("somebody's")
    (tmp_path / partial_path(Path("x")).name.replace(f"-{os.getpid()}-", "-" + "9" * 400 + "-")[:250]).write_text("odd")
    clear_partials(tmp_path)
    assert {".partial-x", ".partial-12", ".hidden"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ELOOP, "is a symbolic link", "notes/ice.txt"), "notes/ice.txt: is a symbolic link"),
        (OSError(errno.ENOENT, "No such file or directory"), "notes/ice.txt: No such file or directory"),
        (OSError(errno.ENOTDIR, "Not a directory", "out/texts"), "notes/ice.txt: out/texts: Not a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_once(error: OSError, words: str) -> None:
    assert about(Path("notes/ice.txt"), error) == words


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is full")
def test_a_full_disk_is_told_with_the_file() -> None:
    with pytest.raises(OSError, match="No space left") as told:
        write_output(Path("/dev/full"), "ice")
    assert about("x", told.value) == "x: /dev/full: No space left on device"


@pytest.mark.skipif(sys.platform != "linux", reason="only there a limit stops a file in the middle of a line")
def test_a_line_that_the_disk_takes_half_is_told(tmp_path: Path) -> None:
    """The first bytes are written without an error; the rest was lost, and nobody heard of it."""
    lines = tmp_path / "lines.jsonl"
    code = "import resource, sys; from pathlib import Path; from kag.core.files import append_line; "
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)); append_line(Path(sys.argv[1]), 'x' * 50)"
    done = subprocess.run([sys.executable, "-c", code, str(lines)], capture_output=True, text=True)
    assert f"OSError: [Errno 27] File too large: '{lines}'" in done.stderr
    append_line(lines, "whole")
    assert lines.read_text().splitlines()[1:] == ["whole"]


def test_a_file_that_cannot_be_made_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(OSError, match="director") as told:
        write_whole(tmp_path / "there", "ice")
    assert told.value.filename == str(tmp_path / "there")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in which nobody may write")
def test_where_nothing_can_be_written_the_file_is_named_and_not_what_it_is_first_called() -> None:
    """On a disk that can only be read even removing what is not there is refused, and that was told."""
    for write in (lambda path: write_whole(path, "ice"), lambda path: write_folder(path, {"a.txt": "ice"})):
        with pytest.raises(OSError, match="") as told:
            write(Path("/proc/ice"))
        assert told.value.filename == "/proc/ice"
