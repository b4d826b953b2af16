"""What one character is searched as: without case, accents and typographic form; Greek letters by their names."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LETTERS = dict(zip("øłđðþıæœ", ("o", "l", "d", "d", "th", "i", "ae", "oe"), strict=True))
_SIGNS = {
    **dict.fromkeys("‐‑‒–—―−﹣－⁃", "-"),
    **dict.fromkeys("‘’‚‛′ʹʼ´`", "'"),
    **dict.fromkeys("“”„‟″ʺ«»", '"'),
    **dict.fromkeys("∘◦º˚", "°"),
    "×": " x ", "✕": " x ", "±": "+/-", "≤": "<=", "⩽": "<=", "≦": "<=", "≥": ">=", "⩾": ">=", "≧": ">=",
    "∼": "~", "≈": "~", "≃": "~", "≅": "~", "·": "·", "⋅": "·", "∙": "·", "•": " ", "…": "...", "\u200b": "",
    "\u200c": "", "\u200d": "", "\ufeff": "", "\u2060": "",
}  # fmt: skip
UNSTABLE = frozenset("\\{}$*_`&<^,\n\t\r")  # a folded character must not look like markup


@lru_cache(maxsize=8192)
def folded(char: str, fold_case: bool = True) -> tuple[str, bool]:
    """What one character is searched as, and whether that is the name of a Greek letter.

    Without `fold_case`, which is for units, letters keep case and accents, but not their typographic form.
    """
    if char in _SIGNS:
        return _SIGNS[char], False
    if not fold_case and char.isupper():
        return _upper(char)
    wide = unicodedata.normalize("NFKC", char)
    bare = "".join(c for c in unicodedata.normalize("NFKD", wide) if not "\u0300" <= c <= "\u036f").casefold()
    name = unicodedata.name(bare, "") if len(bare) == 1 else ""
    if name.startswith("GREEK SMALL LETTER "):
        word = name.split()[3].lower()
        return {"lamda": "lambda"}.get(word, word), True
    words = "".join(_LETTERS.get(c, _SIGNS.get(c, c)) for c in bare if c != "·" or len(bare) == 1)
    words = unicodedata.normalize("NFC", words.replace("μ", "u"))  # ㎍
    return (char.casefold() if UNSTABLE & set(words) or any("α" <= c <= "ω" for c in words) else words), False


def _upper(char: str) -> tuple[str, bool]:
    words, greek = folded(char)
    if greek:
        return words.capitalize(), True
    letter = unicodedata.normalize("NFKC", char)
    return (letter if len(letter) == 1 else words), False
