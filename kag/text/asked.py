"""`require_question`: that there is a question, and that it is no longer than one may be."""

from __future__ import annotations

from kag.core.errors import BadValue


def require_question(text: str, longest: int, how: str = "Ask in") -> None:
    """Raise `BadValue` for no text, and for one of more than `longest` characters.

    >>> require_question("Which bees?", 100)
    """
    hint = f"{how} 1 to {longest} characters."
    if len(text) > longest:
        raise BadValue(f"the question is too long: it has {len(text)} characters", hint=hint)
    if not text.strip():
        raise BadValue("a question is needed", hint=hint)
