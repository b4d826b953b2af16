"""The titles that sections of papers have, read from `section_titles.toml`: the one place for them."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

UNSPACED = r"(?![年月日个個種种次例组組類类名])[\u3040-\u30ff\u3400-\u9fff]"
"""Source of an expression: a letter of Chinese or Japanese, which have no blanks between words; none that counts."""

Group = Literal["parts", "parts_of_text", "beside_parts", "back_matter", "subsections", "abstracts", "abstract_labels"]


def bare(title: str) -> str:
    """Lowercase a title and drop its accents.

    >>> bare("Introdução"), bare("참고문헌")
    ('introducao', '참고문헌')
    """
    if title.isascii():
        return title.lower()
    apart = unicodedata.normalize("NFKD", title).casefold()
    return unicodedata.normalize("NFC", "".join(char for char in apart if not unicodedata.combining(char)))


def titles(group: Group) -> frozenset[str]:
    """The titles of a group in all languages, bare; `parts` are all of them."""
    groups = (group, "parts_of_text", "back_matter") if group == "parts" else (group,)
    return frozenset[str]().union(*(_of_all_languages(_table()[name]) for name in groups))


def phrases_of_types() -> dict[str, frozenset[str]]:
    """For each type of section ("deo:Methods") the phrases that are its titles, bare and in the singular."""
    return {name: _of_all_languages(listed) for name, listed in _table()["types"].items()}


def _of_all_languages(listed: Mapping[str, list[str]]) -> frozenset[str]:
    return frozenset(bare(title) for language in listed.values() for title in language)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("kag.text").joinpath("section_titles.toml").read_text(encoding="utf-8"))
