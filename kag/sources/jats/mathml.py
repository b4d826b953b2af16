"""MathML as LaTeX, in the form that OCR and PDF readers write, so that all sources agree."""

from __future__ import annotations

from collections.abc import Callable

from kag.sources.xml import Element, children, words_of

_ACCENTS = {"¯": "bar", "‾": "bar", "_": "bar", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "→": "vec",
            "⃗": "vec", "˙": "dot", "¨": "ddot", "⏞": "overbrace", "⏟": "underbrace"}  # fmt: skip
_SIGNS = {"×": r"\times ", "−": "-", "\u2062": "", "\u2061": "", "\u2063": "", "\u2064": "", "∑": r"\sum ",
          "∏": r"\prod ", "∫": r"\int ", "≤": r"\leq ", "≥": r"\geq ", "≠": r"\neq ", "∞": r"\infty ", "∈": r"\in ",
          "±": r"\pm ", "·": r"\cdot ", "⋅": r"\cdot ", "≈": r"\approx ", "∂": r"\partial ", "%": r"\%", "{": r"\{",
          "}": r"\}", "#": r"\#", "&": r"\&", "$": r"\$"}  # fmt: skip
_SIDES = {"msub": "_", "msup": "^", "munder": "_", "mover": "^"}


def latex_of(element: Element) -> str:
    """The formula of a `<math>` element, or of a part of one, in LaTeX without delimiters.

    What is not known is written as what is in it, so that no symbol is lost.
    """
    form = _FORMS.get(element.tag)
    if form and (form[0] is None or form[0] == len(element)):
        return form[1](element)
    return _row(element)


def _symbol(element: Element) -> str:
    return _signs(words_of(element))


def _words(element: Element) -> str:
    words = words_of(element)
    return rf"\text{{{_signs(words)}}}" if words else " "


def _fraction(element: Element) -> str:
    return rf"\frac{{{latex_of(element[0])}}}{{{latex_of(element[1])}}}"


def _root(element: Element) -> str:
    return rf"\sqrt[{latex_of(element[1])}]{{{latex_of(element[0])}}}"


def _script(element: Element) -> str:
    return _accent(element) or f"{_group(element[0])}{_SIDES[element.tag]}{{{latex_of(element[1])}}}"


def _scripts(element: Element) -> str:
    return f"{_group(element[0])}_{{{latex_of(element[1])}}}^{{{latex_of(element[2])}}}"


def _matrix(element: Element) -> str:
    rows = (" & ".join(map(_row, children(row, "mtd"))) for row in children(element, "mtr", "mlabeledtr"))
    return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"


def _row(element: Element) -> str:
    pieces = [_signs(element.text or "")]
    for part in element:
        pieces += (latex_of(part), _signs(part.tail or ""))
    return " ".join("".join(pieces).split())


def _group(element: Element) -> str:
    """The base of a script: more than one symbol is put in braces."""
    made = latex_of(element).strip()
    return made if len(made) == 1 or made.startswith("\\") else f"{{{made}}}"


def _accent(element: Element) -> str:
    if element.tag not in ("mover", "munder"):
        return ""
    name = _ACCENTS.get(words_of(element[1]))
    if name == "bar" and element.tag == "munder":
        name = "underline"
    return rf"\{name}{{{latex_of(element[0])}}}" if name else ""


def _fenced(element: Element) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    between = (element.get("separators", ",") or "").strip()[:1]
    return _signs(opening) + f"{between} ".join(map(latex_of, element)) + _signs(closing)


def _signs(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)


_FORMS: dict[str, tuple[int | None, Callable[[Element], str]]] = {  # how many parts it has, where that matters
    **dict.fromkeys(("mi", "mo", "mn", "ms"), (0, _symbol)),
    **dict.fromkeys(_SIDES, (2, _script)),
    "mtext": (0, _words),
    "mspace": (0, lambda element: " "),
    "mfrac": (2, _fraction),
    "msqrt": (None, lambda element: rf"\sqrt{{{_row(element)}}}"),
    "mroot": (2, _root),
    "msubsup": (3, _scripts),
    "munderover": (3, _scripts),
    "mfenced": (None, _fenced),
    "mtable": (None, _matrix),
    "semantics": (None, lambda element: latex_of(element[0]) if len(element) else ""),
}
