"""The words of questions, read from `lexicon.toml`: phrases by the table they stand in, verbs in all their forms."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

Phrase = tuple[str, ...]
FORMS = ("base", "s", "past", "ed", "ing")


@dataclass(frozen=True, slots=True)
class Verb:
    """A form of a verb: `meaning` is its row of the table, `behind` the words that may follow it."""

    meaning: str
    form: str
    behind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The phrases of the tables.

    `entries` has them by their first word, each with its table and row, longest first; `verbs` has all forms of verbs
    in the same way; `single` is every word of them but of the topics, `rows` the words by table and row.
    """

    entries: Mapping[str, tuple[tuple[Phrase, str, str], ...]]
    verbs: Mapping[str, tuple[tuple[Phrase, Verb], ...]]
    single: frozenset[str]
    rows: Mapping[tuple[str, str], frozenset[str]]

    def values(self, table: str) -> tuple[str, ...]:
        """The rows of a table, in order."""
        return tuple(row for name, row in self.rows if name == table)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The tables, read once."""
    text = files("kag.qa.questions").joinpath("lexicon.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, str]] = tomllib.loads(text)
    irregular = {base: tuple(_listed(forms)) for base, forms in tables.pop("irregular").items()}
    verbs: dict[str, list[tuple[Phrase, Verb]]] = {}
    for meaning, row in tables.pop("verbs").items():
        for phrase, verb in _verbs(meaning, row, irregular):
            verbs.setdefault(phrase[0], []).append((phrase, verb))
    entries: dict[str, list[tuple[Phrase, str, str]]] = {}
    for name, table in tables.items():
        for value, row in table.items():
            for said in _listed(row):
                for one in _numbers(said) if name in ("kinds", "properties") else (said,):
                    words = tuple(one.lower().split())
                    entries.setdefault(words[0], []).append((words, name, value))
    rows: dict[tuple[str, str], frozenset[str]] = {}
    for words, name, value in (entry for known in entries.values() for entry in known):
        rows[name, value] = rows.get((name, value), frozenset()) | frozenset(words)
    return Lexicon(
        {first: tuple(sorted(found, key=lambda one: -len(one[0]))) for first, found in entries.items()},
        {first: tuple(sorted(found, key=lambda one: -len(one[0]))) for first, found in verbs.items()},
        frozenset(word for known in entries.values() for words, name, _ in known if name != "topics" for word in words)
        | frozenset(word for forms in verbs.values() for words, _ in forms for word in words),
        rows,
    )


def _listed(row: str) -> list[str]:
    return [" ".join(words.split()) for words in row.split(",") if words.strip()]


def _numbers(noun: str) -> tuple[str, str]:
    """A noun in the singular and in the plural.

    >>> _numbers("bibliography entry")
    ('bibliography entry', 'bibliography entries')
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun, f"{noun[:-1]}ies"
    return noun, f"{noun}s"


def _verbs(meaning: str, row: str, irregular: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[Phrase, Verb]]:
    for words in _listed(row):
        said, _, behind = words.partition(" -")
        base, *rest = said.split()
        for form, inflected in zip(FORMS, (base, *(irregular.get(base) or _inflected(base))), strict=True):
            yield (inflected, *rest), Verb(meaning, form, tuple(behind.split()))


def _inflected(base: str) -> tuple[str, str, str, str]:
    """The third person, the past, the participle and the -ing form of a regular verb.

    >>> _inflected("cite"), _inflected("rely")
    (('cites', 'cited', 'cited', 'citing'), ('relies', 'relied', 'relied', 'relying'))
    """
    if base.endswith("e"):
        return f"{base}s", f"{base}d", f"{base}d", f"{base[:-1]}ing"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base[:-1]}ied", f"{base}ing"
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"
    return third, f"{base}ed", f"{base}ed", f"{base}ing"
