"""Says that a question is in a language that is not read."""

from __future__ import annotations

from collections.abc import Iterable

from kag.cli.terminal import note


def note_foreign(questions: Iterable[str]) -> None:
    """Say once for each language that questions are asked in it, and that their answers are worth nothing."""
    from kag.text.language import ONLY, foreign

    for language in dict.fromkeys(filter(None, map(foreign, questions))):
        note(f"a question is in {language}; {ONLY}")
