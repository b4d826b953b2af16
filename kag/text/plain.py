"""Text for people and for matching: inline Markdown, HTML and LaTeX reduced to plain words.

DeepSeek-OCR sets formulas as ` \\( ... \\) ` with one blank of its own on each side; those two belong
to the delimiter, not to the sentence. Raised and lowered digits become Unicode ones (`⁸⁹Zr`, `H₂O`,
`10⁻⁹`): a plain `10-9` or `activation.5` would say something else, and NFKC folds them for search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kag.text.latex import formula_words, subscript, superscript

# The content of a delimiter cannot hold its opener again, so each character is looked at once.
_FORMULA = re.compile(
    r"(?=[ \\$])(?:"  # one look passes over all else
    r" ?\\\((?P<inline>(?:[^\\]|\\[^()])*+)\\\) ?"
    r"|\\\[(?P<display>(?:[^\\]|\\[^\[\]])*+)\\\]"
    r"|\$\$(?P<dollars>[^$]++)\$\$"
    r"|(?<![\w\\$])\$(?=\S)(?P<dollar>[^$\n]{1,400}+)(?<=\S)\$(?![\w$]))"
)
_TEX = re.compile(r"[\\^_{]")
# Each alternative begins with a character of its own, so that the search can skip to these.
_MARKUP = re.compile(r"\*|`|\]\(|<[A-Za-z/!]|&[#A-Za-z]|\\[!-/:-@\[-`{-~]|_(?:(?<!\w_)|(?!\w))")
_CODE_OR_PRODUCT = re.compile(r"(?P<code>`[^`]*+`)|(?<=\w)\*(?=\w)")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_TAG = re.compile(
    r"</?(?P<name>sub|sup|br|b|i|u|s|p|a|em|strong|span|small|center|div|table|thead|tbody|tfoot|tr|td|th|caption|img"
    r"|font|code|li|ul|ol|hr|h[1-6])\b[^>]*>",
    re.I,
)
_INLINE_TAGS = frozenset(("b", "i", "u", "s", "a", "em", "strong", "span", "small", "font", "code"))
_LONGEST = 20_000  # characters; no printed paragraph is longer, and Markdown's worst cases grow with the square


class Formula(NamedTuple):
    """A formula in a text, from character `start` to `end`: its LaTeX, which begins at `at`, and its `words`.

    The words begin and end with a blank where one is to stay between the formula and the text around it.
    """

    start: int
    end: int
    at: int
    latex: str
    words: str


def formulas(text: str) -> Iterator[Formula]:
    """The formulas of a text in their order."""
    for match in _FORMULA.finditer(text) if "\\" in text or "$" in text else ():
        words = _formula(match)
        if words is not None:
            name = match.lastgroup or "inline"
            yield Formula(match.start(), match.end(), match.start(name), match[name], words)


def plain(text: str) -> str:
    """The words of a text on one line, without Markdown, HTML or LaTeX marks.

    >>> plain(r"the  \\( ^{89} \\) Zr label, **half-life** 78 h,  \\( K_{D} \\)  of 3 nM")
    'the ⁸⁹Zr label, half-life 78 h, K_D of 3 nM'
    """
    pieces: list[str] = []  # text and formulas take turns
    at = 0
    for formula in formulas(text):
        pieces += (text[at : formula.start], formula.words)
        at = formula.end
    pieces.append(text[at:])
    if any(_MARKUP.search(piece) for piece in pieces[::2]) and len(text) <= _LONGEST:
        pieces[1::2] = [_PUNCTUATION.sub(r"\\\1", words) for words in pieces[1::2]]
        # In a paper, a*b is a product, not the start of emphasis.
        marked = _CODE_OR_PRODUCT.sub(lambda match: match["code"] or r"\*", "".join(pieces))
        return " ".join(_inline_words(marked).split())
    return " ".join("".join(pieces).split())


def preview(text: str, limit: int = 200) -> str:
    """The beginning of a text on one line, at most `limit` characters (at least 1), cut at a word with "…".

    >>> preview("Water boils at 100 degrees.", 14)
    'Water boils…'
    """
    words = " ".join(text.split())
    if len(words) <= limit:
        return words
    room = words[: max(limit, 1)]
    head, blank, _ = room.rpartition(" ")
    return (head if blank else room[:-1]).rstrip(" ,;:") + "…"


def _formula(match: re.Match[str]) -> str | None:
    """Return the words that replace a match; None if it is not a formula."""
    inline = match["inline"]
    if inline is not None:
        return _inline_formula(match, inline)
    dollar = match["dollar"]
    if dollar is not None and not _TEX.search(dollar):
        return None  # money
    return formula_words(match["display"] or match["dollars"] or dollar or "")


def _inline_formula(match: re.Match[str], inline: str) -> str:
    whole, words = match[0], formula_words(inline)
    left, right = " " * whole.startswith(" "), " " * whole.endswith(" ")
    if not (inline.startswith(" ") and inline.endswith(" ")):
        return left + words + right
    text, start, end = match.string, match.start(), match.end()
    script = inline.lstrip(" {}").startswith(("^", "_"))
    between_words = left and right and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
    # A symbol with one blank on each side between two words was not set by the OCR: gluing would join three words.
    return f" {words} " if between_words and not script else words


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _inline_words(text: str) -> str:
    children = _parser().parseInline(text)[0].children or []
    pieces: list[str] = []
    raised: list[tuple[str, int]] = []  # open <sub> and <sup>, and where their words start
    for token in children:
        if token.type == "html_inline":
            _html(token.content, pieces, raised)
        else:
            pieces.append(_token_words(token))
    return "".join(pieces)


def _token_words(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content


def _html(tag: str, pieces: list[str], raised: list[tuple[str, int]]) -> None:
    match = _TAG.fullmatch(tag)
    if match is None:
        pieces.append(tag)  # "<r²>" is text that looks like a tag
        return
    name = match["name"].lower()
    if name not in ("sub", "sup"):
        pieces.append("" if name in _INLINE_TAGS else " ")
    elif not tag.startswith("</"):
        raised.append((name, len(pieces)))
    elif raised and raised[-1][0] == name:
        _, start = raised.pop()
        words = "".join(pieces[start:])
        pieces[start:] = [superscript(words) if name == "sup" else subscript(words)]
