"""The notebook of the documents: it runs from its first cell to its last, and prints what stands in it.

With `KAG_UPDATE_GOLDEN=1` what it prints now is written into it; read the difference then.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.shown import ROOT

NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The notebook as it stands, and as it is after it ran in a copy of the checkout."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "test_data", folder / "test_data")
    (folder / "docs").mkdir()
    before = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(before)
    after = nbformat.read(NOTEBOOK, as_version=4)
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder)}
    runner = client.NotebookClient(
        after,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": folder / "docs"}},
    )
    runner.execute(env=environment)
    for cell in after.cells:
        if "outputs" in cell:
            cell["outputs"] = joined(cell["outputs"])
    after["metadata"] = before["metadata"]  # without the version of this Python
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        nbformat.write(after, NOTEBOOK)
    return before, after


def joined(outputs: list[Any]) -> list[Any]:
    """Outputs as they are kept: what a stream sent in pieces is one, and a picture has no address in words."""
    found: list[Any] = []
    for output in outputs:
        if output["output_type"] == "stream" and found and found[-1].get("name") == output["name"]:
            found[-1]["text"] += output["text"]
        else:
            found.append(output)
        if "image/png" in output.get("data", ()):
            output["data"].pop("text/plain", None)
    return found


def printed(cell: Any) -> list[str]:
    """What a cell gave as text; of a picture only that it is one, since its bytes are those of a library's version."""
    found = []
    for output in cell.get("outputs", ()):
        assert output["output_type"] in ("stream", "execute_result", "display_data"), output
        found.append(output["text"] if output["output_type"] == "stream" else " ".join(sorted(output["data"])))
    return found


def test_every_cell_prints_what_stands_below_it(ran: tuple[Any, Any]) -> None:
    before, after = ran
    for stands, is_now in zip(before.cells, after.cells, strict=True):
        assert printed(stands) == printed(is_now), stands["source"]
        assert stands.get("execution_count") == is_now.get("execution_count")


def test_each_code_cell_shows_something_and_it_is_small(ran: tuple[Any, Any]) -> None:
    code = [cell for cell in ran[0].cells if cell["cell_type"] == "code"]
    assert len(code) >= 8
    assert all(cell["outputs"] for cell in code)
    assert NOTEBOOK.stat().st_size < 100_000


def test_its_links_lead_somewhere(ran: tuple[Any, Any]) -> None:
    text = "\n".join(cell["source"] for cell in ran[0].cells if cell["cell_type"] == "markdown")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    assert len(targets) >= 5
    assert all((Path(NOTEBOOK.parent) / target).is_file() for target in targets)
