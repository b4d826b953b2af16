"""Secrets are removed from everything that is written or shown.

A secret is the value of an environment variable whose name says so (`..._KEY`, `..._TOKEN`, `DB_PASSWORD`), or what an
address carries (`https://user:password@host`, `?api_key=...`), in any encoding (`kag/core/spellings.py`). Words,
numbers, paths and short values are not secrets.

Keys may also stand in a `.env` file of the current folder (`load_env_file`); the environment wins. Only keys and
accounts are read from it, so that a stranger's folder cannot redirect models and stores to its own servers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from kag.core.spellings import Spellings

HIDDEN = "[secret]"
SHORTEST = 8  # characters; shorter values are such as "none" and "EMPTY"

_WORDS = "KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE"
_NAMES = re.compile(rf"(?:{_WORDS})S?\d*$|(?:^|_)(?:{_WORDS}|APIKEY|PASS|PAT|AUTH)S?(?:_|\d|$)", re.IGNORECASE)
_ADDRESSES = re.compile(r"(?:URL|URI|DSN|PROXY|ENDPOINT|BASE|HOST|HEADERS|EMBEDDINGS)$", re.IGNORECASE)
_ASKED = re.compile(rf"(?:{_WORDS}|SIG|SIGNATURE|AUTH)S?$", re.IGNORECASE)  # names in the query of an address
_WORD = r"[a-z]+|[A-Z]+|[A-Z][a-z]+"
_ORDINARY = re.compile(rf"(?=.{{1,15}}$)(?:(?:{_WORD})(?:[-_ .](?:{_WORD}))*|[\d ._:/-]+)")

_held: set[str] = set()  # what addresses carried that an option gave


def hide_secrets(text: str) -> str:
    """`text` with each secret, however it is spelled, replaced by `[secret]`."""
    return _secrets().replaced(text, HIDDEN)


def without_secrets(value: Any) -> Any:
    """A JSON value with `hide_secrets` done to each text and name in it."""
    if isinstance(value, str):
        return hide_secrets(value)
    if isinstance(value, Mapping):
        return {without_secrets(name): without_secrets(item) for name, item in value.items()}
    return [without_secrets(item) for item in value] if isinstance(value, list | tuple) else value


def safe_json(value: Any, **how: Any) -> str:
    """A value as `json.dumps` writes it, without secrets."""
    text = json.dumps(value, **how)
    return text if hide_secrets(text) == text else json.dumps(without_secrets(value), **how)


def hold_secrets_of(address: str) -> None:
    """Take what an address carries (user and password, keys in its query) for secret from now on."""
    _held.update(_carried(address))


def _secrets() -> Spellings:
    """The secrets of this moment, the longest first; made ready once for each state of the environment."""
    state = [(kind, os.environ.get(name, "")) for name in os.environ if (kind := _kind(name))]
    return _ready((*state, *(("secret", value) for value in sorted(_held))))


@lru_cache(maxsize=1024)
def _kind(name: str) -> Literal["secret", "address", ""]:
    """Return the kind of value of a variable with this name."""
    return "secret" if _NAMES.search(name) else "address" if _ADDRESSES.search(name) else ""


@lru_cache(maxsize=8)
def _ready(state: tuple[tuple[str, str], ...]) -> Spellings:
    found: set[str] = set()
    for kind, value in state:
        found.update(_values(value) if kind == "secret" else _carried(value))
    return Spellings(sorted(filter(_worth_hiding, found), key=lambda secret: (-len(secret), secret)))


def _values(value: str) -> Iterator[str]:
    """A value as a whole; its lines and items, of which one alone may be shown; and what it carries as an address."""
    value = value.strip()
    if "\n" not in value:
        yield value.partition("://")[2].partition("/")[2] if "://" in value else value
    yield from re.split(r"[\s,;\"]+", value)
    yield from _carried(value)


def _carried(address: str) -> Iterator[str]:
    """Return the secrets in addresses (`scheme://user:password@host/?key=value`) or headers
    (`name=value,name=value`)."""
    for one in re.split(r"[\s,]+", address):
        if "://" not in one:
            yield from one.partition("=")[2:]
            continue
        user, password, query = _parts(one)
        yield from (user, unquote(user)) if not password else (f"{user}:{password}", password, unquote(password))
        yield from (value for name, value in parse_qsl(query) if _ASKED.search(name))


def _parts(address: str) -> tuple[str, str, str]:
    """User, password and query of an address, also of one that no server has."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", "", address.partition("?")[2]
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    return user, password, parts.query


def _worth_hiding(value: str) -> bool:
    """Whether a value is unlikely to occur in a text for another reason: not a word, number or path."""
    if len(value) < SHORTEST or _ORDINARY.fullmatch(value):
        return False
    return not (value[0] in "/~." and "\0" not in value and os.path.exists(os.path.expanduser(value)))


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
