"""What replies of the retrieval stages must be. Nothing a model says is believed: a name stands in its text, a
sentence in its chunk, and what is too long or of no form is refused in words that the model can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kag.agents.model.calling import json_in
from kag.qa.quote import find_quote
from kag.retrieval.graph.entities import LONGEST, name_form
from kag.text.sentences import sentences

MAX_NAMES = 40  # of one text
MAX_NAME, MAX_TITLE, MAX_WORDING, MAX_SENTENCE = 100, 200, 300, 4_000  # characters
MOST_WORDINGS = 5
MODEL_S_WORDS = "(a model's words) "
"""What a note that is not verbatim begins with."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]+")


class Unusable(Exception):
    """A reply that cannot be used; the message tells the model why."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a chunk is about (SAGE section 2.1): a topic and a headline, empty where nothing is known, and names."""

    topic: str = ""
    title: str = ""
    entities: tuple[str, ...] = ()


def names_in(reply: str, text: str) -> tuple[str, ...]:
    """The names of a reply that stand in the text, each once, in its order."""
    return _in_text(_strings(reply, MAX_NAME), text)


def other_names(reply: str, name: str, most: int) -> tuple[str, ...]:
    """At most so many names of a reply that are not the name itself."""
    found = {name_form(one): one for one in reversed(_strings(reply, MAX_NAME))}
    return tuple(one for form, one in reversed(found.items()) if form and form != name_form(name))[:most]


def wordings(reply: str, question: str) -> tuple[str, ...]:
    """The wordings of a reply that differ from the question, the first five; there is at least one."""
    found = [one for one in _strings(reply, MAX_WORDING) if name_form(one) not in ("", name_form(question))]
    if not found:
        raise Unusable("there is no other wording of the question in it")
    return tuple(found[:MOST_WORDINGS])


def sentences_of(reply: str, text: str) -> str:
    """The whole sentences of a text that a reply copies from, verbatim and in the order of the text.

    Part of a sentence stands for all of it, so that no "not" is lost.
    """
    copied = _strings(reply, MAX_SENTENCE)
    spans = [span for one in copied if (span := find_quote(text, one)) is not None]
    if copied and not spans:
        raise Unusable("none of its sentences is in the passage; copy them character by character")
    kept = [text[a:b] for a, b in sentences(text) if any(start < b and a < end for start, end in spans)]
    return " ".join(kept)


def note_on(reply: str, text: str) -> str:
    """A reply's own words on a text, marked as a model's; empty where it says nothing."""
    words = " ".join(_strings(reply, MAX_SENTENCE))
    if len(words) > len(text) + MAX_TITLE:
        raise Unusable("it is longer than the passage; use at most 60 words")
    return MODEL_S_WORDS + words if words else ""


def metadata(reply: str, text: str) -> Metadata:
    """Topic, headline and names of a text; names that are not in the text are left out."""
    row = next((found for found in json_in(reply, "{") if found.keys() >= {"topic", "title", "entities"}), None)
    if row is None:
        raise Unusable('there is no JSON object with "topic", "title" and "entities" in it')
    if not isinstance(row["topic"], str) or not isinstance(row["title"], str):
        raise Unusable('"topic" and "title" are texts')
    topic, title = _clean([row["topic"], row["title"]], MAX_TITLE)
    return Metadata(topic, title, _in_text(_listed(row["entities"], MAX_NAME), text))


def _in_text(names: Sequence[str], text: str) -> tuple[str, ...]:
    words = f" {name_form(text)} "
    forms = {form: one for one in reversed(names) if 0 < len((form := name_form(one)).split()) <= LONGEST}
    found = {form: one for form, one in reversed(forms.items()) if f" {form} " in words}
    if names and not found:
        raise Unusable("none of its names is in the text; copy them as printed")
    return tuple(found[form] for form in sorted(found, key=words.index))[:MAX_NAMES]


def _strings(reply: str, longest: int) -> list[str]:
    """The first JSON list of texts in a reply."""
    for found in json_in(reply, "["):
        if all(isinstance(one, str) for one in found):
            return _listed(found, longest)
    raise Unusable("there is no JSON list of strings in it")


def _listed(found: Any, longest: int) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Unusable("its list holds something that is no text")
    return [one for one in _clean(found, longest) if one]


def _clean(texts: Iterable[str], longest: int) -> list[str]:
    """Texts on one line without control characters; raises `Unusable` for one that is too long."""
    found = [" ".join(_CONTROLS.sub(" ", one).split()) for one in texts]
    for one in found:
        if len(one) > longest:
            raise Unusable(f"{one[:40]!r}... has {len(one)} characters; {longest} are allowed")
    return found
