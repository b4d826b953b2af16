"""The page as a file: strangers' texts stay data, the policy fits what is inlined, the script is sound JavaScript."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess

import pytest

from kag.qa.page.whole_page import bundle, embedded, render
from tests.report_pages import HOSTILE

BLOCK = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)


@pytest.mark.parametrize("text", [HOSTILE, "</SCRIPT >", "<!--<script>", "]]>&lt;", "\u2028\u2029", "\ud800", '"\\'])
def test_texts_neither_end_the_block_nor_change(text: str) -> None:
    page = render({"text": text})
    page.encode()
    (block,) = BLOCK.findall(page)
    assert not set("<>&\u2028\u2029") & set(block)
    assert json.loads(block) == {"text": text}


def test_names_of_the_template_inside_texts_are_not_filled_in() -> None:
    assert '"{{SCRIPT}}"' in render({"text": "{{SCRIPT}}"})


def test_the_policy_allows_this_style_and_this_script_only() -> None:
    page = render({})
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    for kind, content in (
        ("style-src", re.findall(r"<style>(.*?)</style>", page, re.S)),
        ("script-src", re.findall(r'<script type="module">(.*?)</script>', page, re.S)),
    ):
        (text,) = content
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert not re.findall(r"\b(?:src|href)=\"(?!#)[^\"]*\"|\bon[a-z]+=|url\(|@import", page)


def test_the_script_is_one_module_that_writes_texts_only_as_text() -> None:
    script = bundle()
    assert not re.search(r"^(?:import|export)\b", script, re.M)
    assert "</" not in script
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "DOMParser"):
        assert way not in script


def test_values_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError):
        embedded({"number": float("nan")})


@pytest.mark.skipif(not shutil.which("node"), reason="node, which checks the script's syntax, is not installed")
def test_the_bundle_is_valid_javascript() -> None:
    done = subprocess.run(
        ["node", "--input-type=module", "--check"], input=bundle(), text=True, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
