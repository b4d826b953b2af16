"""The words of a small piece of HTML, as converters write one for each block: lines kept, formulas as LaTeX."""

from __future__ import annotations

import re
from html import unescape

_MATH = re.compile(r"<math\b([^<>]*+)>((?:[^<]|<(?!/?math\b))*+)</math>", re.I)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6])\b[^>]*>", re.I)
_SCRIPT = re.compile(r"<(su[bp])>([^<]*)</su[bp]>", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>", re.I)
_LEVEL = re.compile(r"\s*<h([1-6])\b", re.I)


def html_words(html: str) -> str:
    """The words of some HTML; what is raised or lowered, and formulas, become LaTeX.

    >>> html_words("<p>CO<sub>2</sub> &lt; 5</p>")
    'CO \\\\( _{2} \\\\)  < 5'
    """
    text = _MATH.sub(_formula, html)
    text = _SCRIPT.sub(lambda found: f" \\( {'_' if found[1].lower() == 'sub' else '^'}{{{found[2]}}} \\) ", text)
    text = unescape(_TAG.sub("", _BREAK.sub("\n", text)))
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def html_level(html: str) -> int:
    """The level of a heading, 0 for anything else."""
    found = _LEVEL.match(html)
    return int(found[1]) if found else 0


def _formula(found: re.Match[str]) -> str:
    marks = ("\\[", "\\]") if "block" in found[1] else (" \\(", "\\) ")
    return f"{marks[0]} {_TAG.sub('', found[2]).strip()} {marks[1]}"
