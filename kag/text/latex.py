"""LaTeX formulas as readable words: `K_{D} \\approx 3\\,\\mu M` becomes `K_D ≈ 3 μM`.

This reader never fails: unknown commands keep their names, unmatched braces are dropped, and nesting is bounded. (A
full LaTeX parser stops at broken groups, and drops unknown commands and text behind `%`.)
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DEPTH = 40  # deeper than any printed formula; keeps hostile nesting off Python's stack

_TOKEN = re.compile(r"\\[A-Za-z]+\*?[ \t\n]*|\\.|[{}^_&~]|\s+|[^\\{}^_&~\s]+", re.S)


def _pairs(words: str) -> dict[str, str]:
    names = words.split()
    return dict(zip(names[::2], names[1::2], strict=True))


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SYMBOLS = _pairs(
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ "
    "mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω "
    "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ħ Re ℜ Im ℑ aleph ℵ "
    "pm ± mp ∓ times × div ÷ cdot · ast * star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ odot ⊙ cap ∩ cup ∪ wedge ∧ vee ∨ "
    "setminus ∖ leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ neq ≠ ne ≠ equiv ≡ approx ≈ cong ≅ simeq ≃ sim ~ propto ∝ "
    "ll ≪ gg ≫ lesssim ≲ gtrsim ≳ in ∈ ni ∋ notin ∉ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ perp ⊥ parallel ∥ mid | "
    "to → rightarrow → longrightarrow → leftarrow ← longleftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ "
    "Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦ uparrow ↑ downarrow ↓ rightleftharpoons ⇌ leftrightharpoons ⇌ "
    "xrightarrow → xleftarrow ← hookrightarrow ↪ sum ∑ prod ∏ int ∫ iint ∬ iiint ∭ oint ∮ partial ∂ nabla ∇ infty ∞ "
    "forall ∀ exists ∃ nexists ∄ emptyset ∅ varnothing ∅ neg ¬ lnot ¬ angle ∠ triangle △ square □ surd √ prime ′ "
    "dagger † dag † ddagger ‡ ddag ‡ S § P ¶ copyright © circledR ® textregistered ® texttrademark ™ textdegree ° "
    "degree ° AA Å aa å O Ø o ø AE Æ ae æ OE Œ oe œ ss ß pounds £ euro € textmu μ micro μ "
    "dots … ldots … cdots ⋯ vdots ⋮ ddots ⋱ dotsc … dotsb … colon : lbrace { rbrace } lbrack [ rbrack ] "
    "langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ vert | lvert | rvert | Vert ‖ lVert ‖ rVert ‖ backslash \\"
)
_SPACES = frozenset(("\\,", "\\;", "\\:", "\\/", "\\ ", "\\\n", "\\\\", "~", "&", "quad", "qquad", "newline", "space"))
_SILENT = _names(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle limits nolimits displaystyle "
    "textstyle scriptstyle nonumber notag boldsymbol bm mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak "
    "mathscr mathnormal operatorname text textrm textbf textit textsf texttt textnormal emph mbox hbox rm bf it cal "
    "ce ensuremath underline underbrace overbrace mathop mathbin mathrel phantom smash substack pmb unit si"
) | {"\\!"}
_ACCENTS = {
    "bar": "̄", "overline": "̄", "hat": "̂", "widehat": "̂", "tilde": "̃", "widetilde": "̃", "dot": "̇", "ddot": "̈",
    "vec": "⃗", "check": "̌", "breve": "̆", "acute": "́", "grave": "̀", "mathring": "̊",
    "\\'": "́", "\\`": "̀", '\\"': "̈", "\\^": "̂", "\\~": "̃", "\\=": "̄", "\\.": "̇",
}  # fmt: skip
_STRUCTURES = frozenset(("frac", "dfrac", "tfrac", "cfrac", "sqrt", "overset", "stackrel", "begin", "end", "tag"))
_OVER = {
    "~": "̃", "˜": "̃", "̃": "̃", "^": "̂", "ˆ": "̂", "̂": "̂", "¯": "̄", "‾": "̄", "-": "̄", "→": "⃗", "·": "̇", "˙": "̇",
    "¨": "̈",
}  # fmt: skip

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_SCRIPT_PART = re.compile(r"(?<=[0-9])[-−](?=[0-9])|.", re.S)
_NEEDS_BRACKETS = re.compile(r"[^\w.,*'′’−-]")


def superscript(words: str) -> str:
    """Raised words: digits and signs as Unicode superscripts, so that 10⁶ cannot be read as 106.

    A dash between digits is a range and stays. Words with letters get a caret, ordinals and bracketed
    call-outs nothing.

    >>> superscript("89"), superscript("1,2–4"), superscript("-1"), superscript("a,*"), superscript("[9]")
    ('⁸⁹', '¹,²–⁴', '⁻¹', '^a,*', '[9]')
    """
    words = words.strip()
    if words in ("∘", "◦", "o"):
        return "°"
    if words in _ORDINALS or (words.startswith("[") and words.endswith("]")):
        return words
    return _script(words, "^", _SUPERSCRIPTS)


def subscript(words: str) -> str:
    """Lowered words: digits and signs as Unicode subscripts, words with letters behind an underscore.

    >>> subscript("2"), subscript("D"), subscript("i+1")
    ('₂', '_D', '_(i+1)')
    """
    return _script(words.strip(), "_", _SUBSCRIPTS)


def _script(words: str, mark: str, table: dict[int, int]) -> str:
    if any(char.isalpha() for char in words):
        return f"{mark}({words})" if _NEEDS_BRACKETS.search(words) else mark + words
    parts = _SCRIPT_PART.finditer(words)
    return "".join(p[0] if p[0] in "-−" and _between_digits(words, p.start()) else p[0].translate(table) for p in parts)


def _between_digits(words: str, at: int) -> bool:
    return 0 < at < len(words) - 1 and words[at - 1].isdigit() and words[at + 1].isdigit()


@lru_cache(maxsize=16384)
def formula_words(formula: str) -> str:
    """A formula, without its delimiters, as Unicode words on one line.

    >>> formula_words(r"-80^{\\circ}C"), formula_words(r"\\frac{a+b}{2}"), formula_words(r"352 \\pm 87")
    ('-80°C', '(a+b)/2', '352 ± 87')
    """
    words = _Formula(_TOKEN.findall(formula)).sequence(closing=False)
    return unicodedata.normalize("NFC", " ".join(words.split()))


def command_words(name: str) -> str:
    """Return the text of a command without its arguments: a symbol, a blank, or nothing; the name if it is unknown.

    >>> command_words("alpha"), command_words("mathrm"), command_words("quad"), command_words("foo")
    ('α', '', ' ', 'foo')
    """
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    if name in _SPACES:
        return " "
    return "" if name in _SILENT or name in _ACCENTS or name in _STRUCTURES else name


def _operand(words: str) -> str:
    words = words.strip()
    return f"({words})" if any(char in " +-−±/=·×," for char in words[1:]) else words


def _accented(words: str, mark: str) -> str:
    words = words.strip()
    return words[:1] + mark + words[1:] if words else ""


class _Formula:
    """A cursor over the tokens of one formula; each method reads some and returns their words."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def sequence(self, *, closing: bool) -> str:
        """All words up to the end or, with `closing`, to the brace that ends this group."""
        parts: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token == "}" and closing:
                self._at += 1
                break
            if token in ("^", "_") and parts and parts[-1].isspace():
                parts.pop()  # "x ^{2}" is one symbol
            parts.append(self._item(spaced=not parts or parts[-1][-1:].isspace()))
        return "".join(parts)

    def _item(self, *, spaced: bool = False) -> str:
        token = self._tokens[self._at]
        self._at += 1
        if self._depth >= _DEPTH:
            return "" if token in ("{", "}", "^", "_") else token
        self._depth += 1
        words = self._read(token, spaced)
        self._depth -= 1
        return words

    def _read(self, token: str, spaced: bool) -> str:
        match token:
            case "{":
                return self.sequence(closing=True)
            case "}" | "":
                return ""
            case "^":
                return superscript(self._argument())
            case "_":
                return subscript(self._argument())
            case _ if token.isspace() or token in _SPACES:
                return " "
            case _ if token[0] == "\\":
                return self._command(token, spaced)
        return token

    def _command(self, token: str, spaced: bool) -> str:
        name = token[1:].strip().rstrip("*") if token[1:2].isalpha() else token
        behind = " " if token[-1].isspace() else ""
        if name in _SYMBOLS:
            symbol = _SYMBOLS[name]
            # TeX ends a name with a blank; an operator with a blank before it was meant to have one behind it too
            return symbol + (behind if spaced and not symbol.isalpha() else "")
        if name in _ACCENTS:
            return _accented(self._argument(), _ACCENTS[name])
        if name in _SPACES:
            return " "
        if name in _SILENT:
            return self._silent(name)
        return self._structure(name, behind)

    def _silent(self, name: str) -> str:
        if name in ("left", "right") and self._peek().startswith("."):
            self._tokens[self._at] = self._peek()[1:]  # "\right." prints nothing
        return ""

    def _structure(self, name: str, behind: str) -> str:
        match name:
            case "frac" | "dfrac" | "tfrac" | "cfrac":
                return f"{_operand(self._argument())}/{_operand(self._argument())}"
            case "sqrt":
                return superscript(self._optional()) + "√" + _operand(self._argument())
            case "overset" | "stackrel":
                over, words = self._argument().strip(), self._argument()
                return _accented(words, _OVER[over]) if over in _OVER else words.strip() + superscript(over)
            case "begin" | "end":
                if self._argument().strip().rstrip("*") in ("array", "tabular") and name == "begin":
                    self._argument()  # the columns' alignment
                return " "
            case "tag":
                return f" ({self._argument().strip()})"
        return name[1:] if name[0] == "\\" else name + behind

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _argument(self) -> str:
        """The next group, or the next single character or command."""
        while self._peek().isspace() or self._peek() == "":
            if self._at >= len(self._tokens):
                return ""
            self._at += 1
        token = self._peek()
        if token == "}":
            return ""
        if token[0] not in "\\{^_&~" and len(token) > 1:
            self._tokens[self._at] = token[1:]
            return token[0]
        return self._item()

    def _optional(self) -> str:
        """A `[...]` argument when one is next."""
        token = self._peek()
        if not token.startswith("[") or "]" not in token:
            return ""
        words, _, rest = token[1:].partition("]")
        self._tokens[self._at] = rest
        return words
