"""What `folders` puts into papers. No attack itself: a plant makes a folder and says whether it must be refused.

A plant is called with the folder to make, a source of chance, and what lies outside; it returns the folder (a plant
may choose another name) and True where the paper must fail, False where it must be indexed all the same, None where
it is no paper and must be told as left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

from scripts.attacks.outside import HUGE, Outside, png, special
from tests.papers import write_paper

Made = tuple[Path, bool | None]


def _name(random: Random) -> str:
    """A file that is read: a page, or all pages in one."""
    return random.choice(["page_001.md", "page_002.md", "page_003.md", "PAGE_2.MD", "document.md", "a_det.mmd"])


def _with_only(folder: Path, name: str) -> Path:
    """A paper in which the file of this name is still to be put; the only one, where it stands for all pages."""
    write_paper(folder)
    if not name.lower().startswith("page"):
        for page in folder.iterdir():
            page.unlink()
    number = name[4:].strip("_0").partition(".")[0]
    for page in folder.glob(f"page_00{number}.md"):
        page.unlink()
    return folder / name


def _figure(random: Random) -> str:
    return random.choice(["fig_page001_01.png", "images/fig_page001_01.jpg", "images/0_0.png"])


def _place(folder: Path, name: str) -> Path:
    write_paper(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    return folder / name


# pages ----------------------------------------------------------------------------------------


def page_that_is_no_file(folder: Path, random: Random, outside: Outside) -> Made:
    special(_with_only(folder, _name(random)), random, outside)
    return folder, True


def page_of_another_paper(folder: Path, random: Random, outside: Outside) -> Made:
    _with_only(folder, "page_002.md").symlink_to(outside.paper / "page_001.md")
    return folder, True


def huge_page(folder: Path, random: Random, outside: Outside) -> Made:
    with _with_only(folder, _name(random)).open("wb") as file:
        file.truncate(random.choice([HUGE, 2**31, 65 * 2**20]))
    return folder, True


def odd_bytes(folder: Path, random: Random, outside: Outside) -> Made:
    data = random.choice([b"\xff\xfet\0e\0", b"\xed\xa0\x80", b"caf\xe9", bytes(range(256))])
    _with_only(folder, _name(random)).write_bytes(data)
    return folder, True


def controls(folder: Path, random: Random, outside: Outside) -> Made:
    text = random.choice(
        ["\0\0\0a", "\x1b]0;owned\x07 b", "\u202ecod\u202c", "\ufeff\ufeffx", "a\x85b\u2028c", "\x0c" * 99]
    )
    _with_only(folder, "page_003.md").write_text(f"Words {text} and words", encoding="utf-8")
    return folder, False


def odd_page_numbers(folder: Path, random: Random, outside: Outside) -> Made:
    name, refused = random.choice(
        [("page_999999.md", False), ("page_000.md", True), ("page_1.md", True), ("page_9.md", False)]
    )
    write_paper(folder)
    (folder / name).write_text("Some words.", encoding="utf-8")
    return folder, refused


def odd_boxes(folder: Path, random: Random, outside: Outside) -> Made:
    digits = "9" * random.choice([30, 400, 5000])
    boxes = random.choice(
        [f"[[1, 2, 3, {digits}]]", f"[[{digits}, 1, -{digits}, 2]]", "[[1e400, 2, 3, 4]]", "[" * 9000]
    )
    page = write_paper(folder) / "page_003.md"
    page.write_text(f"<|ref|>text<|/ref|><|det|>{boxes}<|/det|>\nSome words.", encoding="utf-8")
    return folder, False


# figures --------------------------------------------------------------------------------------


def figure_that_is_no_file(folder: Path, random: Random, outside: Outside) -> Made:
    special(_place(folder, _figure(random)), random, outside)
    return folder, False


def figures_behind_a_link(folder: Path, random: Random, outside: Outside) -> Made:
    write_paper(folder)
    place = random.choice([folder / "images", folder.parent / f"{folder.name}_figures"])
    place.symlink_to(random.choice([outside.pictures, Path("/proc/self"), Path("/proc/self/fd"), Path("."), place]))
    return folder, False


def odd_picture(folder: Path, random: Random, outside: Outside) -> Made:
    sizes = [(60_000, 60_000), (2**31 - 1, 2**31 - 1), (12_000, 10_000), (0, 0), (1, 2**20)]
    data = random.choice(
        [
            *(png(*size, rows=b"\0" * 99) for size in sizes),
            png(9, 9, rows=b"\0" * 50_000_000),
            png(9, 9)[: random.randrange(90)],
            b"GIF89a" + random.randbytes(60),
            b"\xff\xd8\xff\xe0" + random.randbytes(60),
            b"RIFF\x99\0\0\0WEBPVP8 " + random.randbytes(60),
        ]
    )
    _place(folder, _figure(random)).write_bytes(data)
    return folder, False


def huge_picture(folder: Path, random: Random, outside: Outside) -> Made:
    with _place(folder, _figure(random)).open("wb") as file:
        file.truncate(HUGE)
    return folder, False


def odd_metadata(folder: Path, random: Random, outside: Outside) -> Made:
    _place(folder, "fig_page001_01.png").write_bytes(png(4, 3))
    digits = int("9" * 400)
    row = {"image_path": "../../fig_page001_01.png", "bbox_norm": [1, 2, 3, 4]}
    texts = [
        *map(json.dumps, ({}, 1, "a", None, [], [1], [[]], [None], [{}], [{"image_path": 1}])),
        *(
            json.dumps([{**row, "bbox_norm": value}])
            for value in (digits, [digits] * 4, [[digits] * 4], "x", {}, [True] * 4)
        ),
        json.dumps([{**row, "image_path": random.choice(["\ud800", "a\0b", "../" * 999, "\x1b[2J"])}]),
        "[" * 200_000,
        "[" + "9" * 6000 + "]",
        '[{"image_path": "\\ud800"}]',
        "\xff",
    ]
    name = random.choice(["figures_metadata.json", "\x1b[31m_figures_metadata.json", "a\n_figures_metadata.json"])
    (folder / name).write_bytes(random.choice(texts).encode("utf-8", "surrogatepass"))
    return folder, False


def metadata_that_is_no_file(folder: Path, random: Random, outside: Outside) -> Made:
    _place(folder, "fig_page001_01.png").write_bytes(png(4, 3))
    special(folder / "figures_metadata.json", random, outside)
    return folder, False


def huge_metadata(folder: Path, random: Random, outside: Outside) -> Made:
    write_paper(folder)
    with (folder / "figures_metadata.json").open("wb") as file:
        file.truncate(HUGE)
    return folder, False


# folders --------------------------------------------------------------------------------------


def linked_folder(folder: Path, random: Random, outside: Outside) -> Made:
    folder.symlink_to(random.choice([outside.paper, Path("/proc"), Path("/proc/self"), outside.pictures]))
    return folder, None


def no_paper(folder: Path, random: Random, outside: Outside) -> Made:
    folder.mkdir()
    name = random.choice(["page_x.md", "page_0000001.md", "notes", "page_001.md.txt"])
    special(folder / name, random, outside)
    return folder, None


def unreadable(folder: Path, random: Random, outside: Outside) -> Made:
    write_paper(folder)
    path = random.choice([folder, folder / "page_001.md"])
    path.chmod(0)
    return folder, not os.access(path, os.R_OK)  # root may read it


def odd_name(folder: Path, random: Random, outside: Outside) -> Made:
    """Names of 255 bytes, that are not UTF-8, or that a terminal would obey; figures lie in a folder named alike."""
    stem = folder.name.encode()
    names = [stem + b"x" * (255 - len(stem)), stem + "\u00e9".encode() * 60, stem + b"\xff\xfe", stem + b"\n[9:9] a"]
    names += [
        stem + b"\x1b[2J",
        stem + b"'\"`$(id);&|*",
        stem + "\u202e".encode(),
        b"-" + stem,
        stem + b" ",
        stem + b"_ocr",
    ]
    named = folder.parent / os.fsdecode(random.choice(names))
    write_paper(named)
    if len(os.fsencode(named.name)) < 240 and random.random() < 0.5:
        pictures = folder.parent / f"{named.name.removesuffix('_ocr')}_figures"
        pictures.mkdir()
        (pictures / "fig_page001_01.png").write_bytes(png(5, 5))
    return named, False


def loops_inside(folder: Path, random: Random, outside: Outside) -> Made:
    write_paper(folder)
    for name, end in (("up", ".."), ("here", "."), ("images", "images"), ("a", "b"), ("b", "a")):
        (folder / name).symlink_to(end)
    return folder, False


def crowd(folder: Path, random: Random, outside: Outside) -> Made:
    write_paper(folder)
    for number in range(300):
        (folder / f"page_{number:07d}.md").touch()
        (folder / f"fig_page{number:06d}_0001.png").touch()
    return folder, False


PLANTS: tuple[Callable[[Path, Random, Outside], Made], ...] = (
    page_that_is_no_file,
    page_that_is_no_file,
    page_of_another_paper,
    huge_page,
    odd_bytes,
    controls,
    odd_page_numbers,
    odd_boxes,
    figure_that_is_no_file,
    figure_that_is_no_file,
    figures_behind_a_link,
    odd_picture,
    odd_picture,
    huge_picture,
    odd_metadata,
    odd_metadata,
    metadata_that_is_no_file,
    huge_metadata,
    linked_folder,
    no_paper,
    unreadable,
    odd_name,
    odd_name,
    loops_inside,
    crowd,
)

# given themselves -----------------------------------------------------------------------------


def a_loop(work: Path, random: Random, outside: Outside) -> Path:
    (work / "loop").symlink_to(random.choice(["loop", "./loop/x"]))
    return work / "loop"


def a_special_file(work: Path, random: Random, outside: Outside) -> Path:
    special(work / "page_001.md", random, outside)
    return work / "page_001.md"


def a_long_name(work: Path, random: Random, outside: Outside) -> Path:
    return work / ("x" * random.choice([255, 256, 300, 5000]))


def a_folder_without_pages(work: Path, random: Random, outside: Outside) -> Path:
    (work / "in").mkdir()
    special(work / "in" / "notes", random, outside)
    return work / "in"


ALONE: tuple[Callable[[Path, Random, Outside], Path], ...] = (
    a_loop,
    a_special_file,
    a_long_name,
    a_folder_without_pages,
)
