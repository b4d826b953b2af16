"""Every page at three widths, light and dark, looks as it did when somebody looked at it; pages are light and quick.

The pictures of `tests/golden/pages/` are grey and a quarter of their size. `scripts/screenshots.py --small` makes them
anew for a server with `test_data/zirconium_tracers.pdf`; look at the large ones first.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from scripts.screenshots import SCHEMES, WIDTHS, addresses, small, take
from tests.serving import PDF, ROOT, Served, served

pytest.importorskip("starlette", reason="the extra serve is not installed")
GOLDEN = ROOT / "tests" / "golden" / "pages"
PAPER = "zirconium_tracers"
MEAN, FAR, SHARE = 4.0, 40, 0.03  # mean difference of greys; a difference that is seen; pixels that may have one
PROBE = """() => { const one = document.createElement("span"); one.textContent = "Evidence 0123 of kag";
    document.body.append(one); const width = one.getBoundingClientRect().width; one.remove(); return width; }"""
PROBED = 173.2  # pixels of it where the pictures were made
HEAVIEST = 1_000_000  # bytes of a page without pictures


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    from kag.serve.client import Client

    with served(tmp_path_factory.mktemp("golden") / "library") as running:
        with Client(running.address) as client:
            client.wait(client.upload(PDF))
        yield running


def differs(picture: Image.Image, golden: Image.Image) -> str:
    """How far a picture is from the one that is kept; "" where it is near enough."""
    if picture.size != golden.size:
        return f"it is {picture.size}, not {golden.size}"
    difference = ImageChops.difference(picture, golden)
    mean = ImageStat.Stat(difference).mean[0]
    share = sum(difference.histogram()[FAR:]) / (picture.width * picture.height)
    return f"mean {mean:.1f}, {share:.1%} of it" if mean > MEAN or share > SHARE else ""


def test_all_pages_look_as_they_did(browser: Any, server: Served, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(server.address)
    width = page.evaluate(PROBE)
    page.close()
    if abs(width - PROBED) > 1:
        pytest.skip(f"the system's font is another one: {width:.0f} pixels, not {PROBED:.0f}")
    pages = addresses(PAPER)
    wrong = []
    for name, png in take(browser, server.address, pages, whole=False):
        found = differs(small(png), Image.open(GOLDEN / name).convert("L"))
        if found:
            (tmp_path / name).write_bytes(png)
            wrong.append(f"{name}: {found}; see {tmp_path / name}")
    assert not wrong, "\n".join(wrong)
    assert len(list(GOLDEN.glob("*.png"))) == len(pages) * len(WIDTHS) * len(SCHEMES)


def test_a_page_that_moved_is_seen() -> None:
    golden = Image.open(GOLDEN / "library-1440-light.png").convert("L")
    moved = ImageChops.offset(golden, 0, 8)
    assert differs(golden, golden) == ""
    assert differs(moved, golden)


def test_pages_are_light_without_their_pictures(browser: Any, server: Served) -> None:
    script = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
        .filter((one) => !/pictures/.test(one.name)).reduce((sum, one) => sum + one.encodedBodySize, 0)"""
    for name, address in addresses(PAPER).items():
        page = browser.new_page()
        page.goto(server.address + address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(script) < HEAVIEST, name
        page.close()


def test_the_pictures_take_little_room() -> None:
    assert sum(path.stat().st_size for path in GOLDEN.glob("*.png")) < 1_500_000
    assert Image.open(io.BytesIO((GOLDEN / "paper-390-dark.png").read_bytes())).width == 390 // 4
