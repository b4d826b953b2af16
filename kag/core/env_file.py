"""Keys from a `.env` file in the current folder, as `python-dotenv` reads it; the environment always wins.

Only names of keys and accounts are taken. A folder that somebody else wrote could otherwise redirect models and stores
to servers of its own by setting their addresses.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_KEYS = re.compile(
    r"[A-Z][A-Z0-9_]*_(?:API_KEY|TOKEN)$|NEO4J_(?:USER|USERNAME|PASSWORD)$|KAG_PDF_PASSWORD$|KAG_STORE_(?:USER|PASSWORD)$"
)


def load_env_file(path: Path = Path(".env")) -> list[str]:
    """Set the keys that a `.env` file has and the environment lacks; returns their names, sorted."""
    if not path.is_file():
        return []
    from dotenv import dotenv_values

    values = dotenv_values(path, interpolate=False, encoding="utf-8")
    names = [name for name, value in values.items() if value and _KEYS.match(name) and name not in os.environ]
    os.environ.update({name: str(values[name]) for name in names})
    return sorted(names)
