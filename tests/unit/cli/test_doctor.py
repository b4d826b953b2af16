"""`kag doctor` tells what is here by looking, and shows nothing secret."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.doctor import EXTRAS, KEYS, WEIGHTS, findings
from kag.cli.main import cli
from kag.retrieval.embedders import READER_WEIGHTS as READER
from kag.sources.pdf.scans.layout_detector import PACKAGE as LAYOUT
from kag.sources.pdf.scans.tesseract import PROGRAM

ROOT = Path(__file__).resolve().parents[3]


def test_every_extra_is_known() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    former = {name for name, packages in extras.items() if not packages or packages[0].startswith("kag-papers[")}
    assert set(EXTRAS) == set(extras) - {"dev"} - former
    page = (ROOT / "docs" / "install.md").read_text("utf-8").partition("## Extras")[2]
    listed = {name for row in re.findall(r"^\| (`.*?) \|", page, re.M) for name in re.findall(r"`([\w-]+)`", row)}
    assert listed == set(EXTRAS)
    assert former <= {*re.findall(r"`([\w-]+)`", page), "agents", "anthropic", "retrieve", "layers", "evaluate"}
    assert set(WEIGHTS) == {READER.package, LAYOUT}
    assert PROGRAM in {one.name for one in findings()}


@pytest.mark.parametrize("name", sorted(KEYS))
def test_a_key_is_told_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv(name, "pr1vate-and-l0ng")
    for form in ([], ["--json"]):
        done = CliRunner().invoke(cli, ["doctor", *form])
        assert done.exit_code == 0
        assert "pr1vate" not in done.output
    told = {one["name"]: one["here"] for one in json.loads(done.stdout)["findings"] if one["kind"] == "key"}
    assert [key for key, here in told.items() if here] == [name]


def test_what_is_missing_is_told_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "serve", (("no_such_module", "no.such.module"), "pages"))
    monkeypatch.setenv("PATH", "")
    found = {one.name: one for one in findings()}
    assert not found["serve"].here
    assert found["serve"].detail == "no no_such_module, no.such.module"
    assert "kag-papers[serve]" in found["serve"].how
    assert not found["tesseract"].here


def test_it_imports_nothing_heavy() -> None:
    code = "import sys; from kag.cli.doctor import findings; list(findings()); print('dspy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
