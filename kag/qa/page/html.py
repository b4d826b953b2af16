"""`render`: the page's values, style and script as one HTML file that needs no network.

The values stand in a block of JSON that no browser runs; a policy in the page allows this style and this script
by their hashes, pictures that are part of the file, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

MODULES = (
    "text.js",
    "dom.js",
    "crops.js",
    "column.js",
    "sheets.js",
    "claims.js",
    "panels.js",
    "main.js",
)  # in the order of their imports

_IMPORT = re.compile(r"^import [^;]{0,400};\n", re.M)
_EXPORT = re.compile(r"^export ", re.M)
# What could end the block, begin markup, or is not allowed in UTF-8. JSON reads the escapes back.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def render(data: Mapping[str, Any]) -> str:
    """The HTML page of `kag.qa.page.data.page_data`; the same values give the same text."""
    style, script = _static("design.css"), bundle()
    parts = {
        "POLICY": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "STYLE": style,
        "DATA": embedded(data),
        "SCRIPT": script,
    }
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: parts[match[1]], _static("page.html"))


def embedded(data: Mapping[str, Any]) -> str:
    """Values as JSON that can stand inside `<script type="application/json">` whatever their texts hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@cache
def bundle() -> str:
    """The script: all modules as one, without the imports and exports between them."""
    return "".join(_EXPORT.sub("", _IMPORT.sub("", _static(name))) for name in MODULES)


def _static(name: str) -> str:
    return files("kag.qa.page").joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
