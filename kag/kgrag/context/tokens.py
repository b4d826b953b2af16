"""Token counts of a text: by a real tokenizer if one is on this machine, else by an estimate that is labelled as one.

The tokenizer is cl100k_base of tiktoken (MIT), whose table litellm, which agents need, brings with it. Nothing is
fetched. Other models cut a little otherwise: a budget is kept by the count that the bundle names.
"""

from __future__ import annotations

import base64
import binascii
import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

TABLE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # what tiktoken calls the file of cl100k_base
TOKENS = 100_256
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
BYTES = 3
"""Bytes of UTF-8 that are taken for a token where nothing can count: English has about four."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A count of tokens, and by what it counts."""

    name: str
    count: Callable[[str], int]


def estimate(text: str) -> int:
    """Tokens of a text, rather too many than too few: one for 3 bytes, and at least one a word or sign.

    >>> estimate("Aspirin inhibits PTGS1.")
    8
    """
    return max(-(-len(text.encode("utf-8", "surrogatepass")) // BYTES), len(text.split()))


ESTIMATE = Counter("estimate (3 bytes a token)", estimate)


@lru_cache(maxsize=1)
def counter() -> Counter:
    """The best count that there is here."""
    encoding = _cl100k()
    if encoding is None:
        return ESTIMATE
    return Counter("cl100k_base (tiktoken)", lambda text: len(encoding.encode_ordinary(text)))


def _cl100k() -> Any:
    """The tokenizer, where both the package and its table are here, and the table is whole."""
    try:
        import tiktoken
    except ImportError:
        return None
    for file in _tables():
        try:
            lines = (line.split() for line in file.read_bytes().splitlines() if line)
            ranks = {base64.b64decode(token, validate=True): int(rank) for token, rank in lines}
        except (OSError, ValueError, binascii.Error):
            continue
        if len(ranks) == TOKENS:
            return tiktoken.Encoding("cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
    return None


def _tables() -> list[Path]:
    """Return the possible places of the table."""
    folders = [Path(os.environ["TIKTOKEN_CACHE_DIR"])] if os.environ.get("TIKTOKEN_CACHE_DIR") else []
    try:
        found = importlib.util.find_spec("litellm")
    except (ImportError, ValueError):
        found = None
    for place in found.submodule_search_locations or () if found else ():
        folders += [Path(place) / "litellm_core_utils" / "tokenizers", Path(place) / "llms" / "tokenizers"]
    return [folder / TABLE for folder in folders if (folder / TABLE).is_file()]
