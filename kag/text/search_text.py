"""Text in the form in which it is searched: LaTeX, Unicode, markup, case and accents make no difference.

`89Zr` is found in `\\( ^{89} \\) Zr`, `TNF-alpha` in `TNFα`, `10^{-3}` in `10⁻³`. Each character of the form
leads back to the characters it was made from, so that a hit can be cited verbatim. One pass, left to right; the
output holds nothing that a second pass would read differently.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from kag.text.latex import command_words

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
    """Return a character's search form, and whether that is the name of a Greek letter.

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


_SPECIAL = re.compile(
    r"(?=[\t\n\r\f\v\\^<&,{}$*_`~\u0080-\U0010ffff]| [ \t\\]|-[ \t]*\r?\n)(?:"  # one look passes over all else
    r"(?P<open>[ \t]*\\[(\[][ \t]?)"
    r"|(?P<close>[ \t]*\\[)\]][ \t]*)"
    r"|(?P<degree>\^[ ]?\{?[ ]?\\circ[ ]?\}?)"
    r"|(?P<command>\\[A-Za-z]+\*?[ ]?|\\[!-@\[-`{-~ ])"
    r"|(?P<script>[\^_](?:[ ]?\{[ ]?)?)"
    r"|(?P<raised>[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁿⁱ]+)"
    r"|(?P<tag></?(?P<name>sub|sup|b|i|u|em|strong|span|small|a|br|p|div|t[hdr]|table|thead|tbody)\b[^<>]{0,200}>)"
    r"|(?P<entity>&(?:[A-Za-z]{2,8}|\#x?[0-9A-Fa-f]{1,6});)"
    r"|(?P<broken>-[ \t]*\r?\n[ \t]*(?=[a-z])|\u00ad[ \t]*\r?\n?[ \t]*)"
    r"|(?P<blank>[ ]{2,}|[\t\n\r\f\v][ \t\n\r\f\v]*)"
    r"|(?P<comma>\{?,\}?(?=\d))"
    r"|(?P<mark>[\\{}$*`&~<])"
    r"|(?P<char>[^\x00-\x7f]))"
)
_APART = {",": string.digits, "<": string.ascii_letters + "/", "~": string.ascii_letters}  # else a second pass errs
_BEHIND_TIE = string.ascii_letters + "\\"
_THIN = frozenset("\u2009\u202f\u00a0\u2008")
_ELEMENT = re.compile(r"[A-Z]{1,5}[a-z]?(?![a-z])")
_ISOTOPE = re.compile(r"[ ]?\^[ ]?\{?[ ]?\d+m?[ ]?\}?[ ]?\\\)[ ]?[A-Z]{1,5}[a-z]?(?![a-z])")
_SCRIPT = re.compile(r"[ ]?(?:\{\})?[\^_]")
_UNIT_AHEAD = re.compile(
    r"(?:\}?[ ]?\\(?:mathrm|text|rm)\b[ ]?|\}[ ]?)?\{?[A-Za-z]"
    r"|\}?[ ]?\\\)[ ]?(?:g|l|L|s|M|m|m[LlMm]|mol|A|V|W|N|F|H|J|S|Ci|Pa)(?![A-Za-z])"
)
_GROUP_AHEAD = re.compile(r"\d{3}(?!\d)")
_GROUP_BEHIND = re.compile(r"(?:^|[^\d,.])\d{1,3}(?:,\d{3})*$")
_CALL_OUT = re.compile(r"[a-z]{4}$")
_LEAD = re.compile(r"(?:\\\([ ]?)?[\^_]?\{?[ ]?$")
_TAIL = re.compile(r"(?:[ ]?\})?(?:[ ]?\\\))?")


@dataclass(frozen=True, slots=True)
class SearchText:
    """`text` is the form to search in; `source` the text it was made from.

    `starts[i]` begins a run of `text` that was made from `source[origins[i]:ends[i]]`: character by character when
    both are as long, else as a whole. Runs follow each other; what lies between two of them printed nothing.
    """

    text: str
    source: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of `source` that `text[start:end]` (not empty) was made from, with the marks that belong to it."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1, first) - 1
        left = self._place(first, start)[0]
        right = self._place(last, end - 1)[1]
        return self._balanced(left, right) if first != last else (left, right)

    def _place(self, run: int, at: int) -> tuple[int, int]:
        start, origin, end = self.starts[run], self.origins[run], self.ends[run]
        behind = self.starts[run + 1] if run + 1 < len(self.starts) else len(self.text)
        if behind - start == end - origin:
            return origin + at - start, origin + at - start + 1
        return origin, end

    def _balanced(self, left: int, right: int) -> tuple[int, int]:
        part = self.source[left:right]
        if part.count("}") > part.count("{") or part.count("\\)") > part.count("\\("):
            lead = _LEAD.search(self.source, max(0, left - 8), left)
            left = lead.start() if lead else left
            part = self.source[left:right]
        if part.count("{") > part.count("}") or part.count("\\(") > part.count("\\)"):
            tail = _TAIL.match(self.source, right)
            right = tail.end() if tail else right
        return left, right


def search_text(text: str, *, fold_case: bool = True) -> SearchText:
    r"""The form of a text in which it is searched; linear in the length of the text.

    Without `fold_case` upper case letters stay: mM is not MM.

    >>> [search_text(t).text for t in (r"\( ^{89} \) Zr", "⁸⁹Zr", r"H \( _{2} \) O", "TNFα", r"10^{-3} \mu M")]
    ['89zr', '89zr', 'h2o', 'tnf-alpha', '10^-3 um']
    """
    return _Reader(text, fold_case).read()


class _Reader:
    """Copies a text piece by piece; parts what would mean something else side by side."""

    def __init__(self, text: str, fold_case: bool) -> None:
        self._source = text
        self._fold_case = fold_case
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._ends: list[int] = []
        self._length = 0
        self._last = ""  # the last character written
        self._apart = (
            ""  # "greek" behind the name of a Greek letter, else what was written: "u" (micro), "<", "~" or ","
        )
        self._in_script = ""  # "^" or "_" inside a formula that begins so

    def read(self) -> SearchText:
        source, at = self._source, 0
        for match in _SPECIAL.finditer(source):
            start = match.start()
            if start > at:
                self._write(self._cased(source[at:start]), at, start)
            at = match.end()
            kind = match.lastgroup or ""
            if kind == "char":
                self._char(match[0], start, at)
            else:
                getattr(self, "_" + kind)(match)
        if at < len(source):
            self._write(self._cased(source[at:]), at, len(source))
        return SearchText("".join(self._pieces), source, tuple(self._starts), tuple(self._origins), tuple(self._ends))

    def _cased(self, words: str) -> str:
        return words.lower() if self._fold_case else words

    def _write(self, piece: str, start: int, end: int) -> None:
        """Append the form of `source[start:end]`; never a blank behind a blank."""
        if piece and (self._apart or self._last in _APART):
            self._part(piece[0], start)
        if self._last in (" ", "") and piece[:1] == " ":
            start += len(piece) == end - start
            piece = piece[1:]
        if not piece:
            return
        self._pieces.append(piece)
        self._starts.append(self._length)
        self._origins.append(start)
        self._ends.append(end)
        self._length += len(piece)
        self._last = piece[-1]

    def _part(self, following: str, at: int) -> None:
        greek, self._apart = self._apart == "greek", ""
        if greek and following.isalpha():
            self._write("-", at, at)
        elif following in _APART.get(self._last, ""):
            self._write(" ", at, at)

    def _greek(self, name: str, start: int, end: int) -> None:
        if self._last.isalpha() and not self._apart:
            self._write("-", start, start)
        self._write(name, start, end)
        self._apart = "greek"

    def _char(self, char: str, start: int, end: int) -> None:
        if char in "µμ":
            self._mu(start, end)
            return
        words, greek = folded(char, self._fold_case)
        if greek:
            self._greek(words, start, end)
        elif char in _THIN and self._source[start - 1 : start].isdigit() and _GROUP_AHEAD.match(self._source, end):
            return  # 10 000
        elif words == "·":
            digits = self._last.isdigit() and self._source[end : end + 1].isdigit()
            self._write("." if digits else " ", start, end)
        elif words[:1] == "°":
            self._write(" " * self._last.isdigit() + words, start, end)
        else:
            self._write(words, start, end)

    def _mu(self, start: int, end: int) -> None:
        """Micro in front of a unit is "u", as people type it; else it is the letter."""
        if _UNIT_AHEAD.match(self._source, end):
            self._write("u", start, end)
            self._apart = "unit"
        else:
            self._greek("mu", start, end)

    def _open(self, match: re.Match[str]) -> None:
        """Begin a formula: OCR sets a blank before it, so that the sentence's blank behind it is a second one."""
        words, end = match[0], match.end()
        blanks = words.index("\\")
        script = _SCRIPT.match(self._source, end)
        self._in_script = script[0][-1] if script else ""
        own = blanks == 1 and words[-1] in " \t"
        if blanks and not (own and self._glued(script, end)):
            self._write(" ", match.start(), match.start() + blanks)

    def _glued(self, script: re.Match[str] | None, end: int) -> bool:
        if script and self._last.isalpha():
            return not _ISOTOPE.match(self._source, end)
        return script is not None or not self._last.isalnum()

    def _close(self, match: re.Match[str]) -> None:
        words = match[0]
        blanks = len(words) - len(words.rstrip(" \t"))
        own = blanks == 1 and self._source[match.start() + words.index("\\") - 1] in " \t"
        script, self._in_script = self._in_script, ""
        if blanks and not (own and (self._apart == "unit" or self._joined(script, match.end()))):
            self._write(" ", match.end() - blanks, match.end())

    def _joined(self, script: str, end: int) -> bool:
        following = self._source[end : end + 1]
        if script == "_":
            return following.isupper() or following.isdigit() or not following.isalnum()
        if script == "^" and following.isalnum():
            return bool(_ELEMENT.match(self._source, end))
        return not following.isalnum()

    def _degree(self, match: re.Match[str]) -> None:
        self._char("°", *match.span())

    def _command(self, match: re.Match[str]) -> None:
        start, end = match.span()
        name = match[0][1:].rstrip(" *") or match[0][1:]
        words = command_words(name if name.isalpha() else "\\" + name)
        if words == "μ":
            self._mu(start, end)
        elif words[:1] == "\\":
            end = start + 2
            self._write("" if words[1] in UNSTABLE else words[1], end - 1, end)
        elif words == " " and self._last.isdigit() and _GROUP_AHEAD.match(self._source, end):
            return  # 10\,000
        elif len(words) == 1 and not words.isascii():
            self._char(words, start, end)
            if match[0][-1] == " " and not words.isalpha() and words not in "∘°":
                self._write(" ", end - 1, end)  # a sign that stands apart on one side stands apart on both
        else:
            self._write("".join(folded(char, self._fold_case)[0] for char in words), start, end)

    def _script(self, match: re.Match[str]) -> None:
        if match[0][0] == "^":
            self._raise(match.start(), match.end(), self._source[match.end() : match.end() + 1])

    def _raised(self, match: re.Match[str]) -> None:
        words = unicodedata.normalize("NFKC", match[0]).replace("−", "-")
        self._raise(match.start(), match.start(), words)
        self._write(words, *match.span())

    def _raise(self, start: int, end: int, words: str) -> None:
        """Put a mark before raised words whose digits would otherwise join the text before them."""
        if self._last.isdigit():
            self._write("^", start, end)
        elif words[:1].isdigit() and _CALL_OUT.search("".join(self._pieces[-2:])[-4:]):
            self._write(" ", start, end)

    def _tag(self, match: re.Match[str]) -> None:
        name, start, end = match["name"].lower(), match.start(), match.end()
        if name == "sup" and match[0][1] != "/":
            self._raise(start, end, self._source[end : end + 1])
        elif name in ("br", "p", "div", "td", "th", "tr", "table", "thead", "tbody"):
            self._write(" ", start, end)

    def _entity(self, match: re.Match[str]) -> None:
        words = unescape(match[0])
        if words == "<":
            self._write("<", *match.span())
        elif len(words) == 1 and words not in UNSTABLE:
            self._char(self._cased(words), *match.span())
        else:
            self._write(" ", *match.span())

    def _broken(self, match: re.Match[str]) -> None:
        if match[0][0] == "-" and not self._last.isalpha():
            self._write("-", match.start(), match.start() + 1)

    def _blank(self, match: re.Match[str]) -> None:
        self._write(" ", *match.span())

    def _comma(self, match: re.Match[str]) -> None:
        start, end = match.span()
        behind = self._source[max(0, start - 12) : start]
        if not (_GROUP_AHEAD.match(self._source, end) and _GROUP_BEHIND.search(behind)):
            self._write(",", start, end)

    def _mark(self, match: re.Match[str]) -> None:
        char, (start, end) = match[0], match.span()
        following = self._source[end : end + 1]
        if char == "&" or (char == "~" and following and following in _BEHIND_TIE):
            self._write(" ", start, end)
        elif char in "<~":
            self._write(char, start, end)
