"""Keys live in the environment and nowhere else: what is written down goes through here first."""

from __future__ import annotations

import os
import re

_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SHORTEST = 8  # shorter values are words such as "none" and "EMPTY", which would be hidden all over a text


def hide_secrets(text: str) -> str:
    """`text` with each value of a secret environment variable (by its name) replaced by `[secret]`."""
    secrets = {value for name, value in os.environ.items() if _NAMES.search(name) and len(value) >= _SHORTEST}
    for secret in sorted(secrets, key=lambda value: (-len(value), value)):
        text = text.replace(secret, "[secret]")
    return text
