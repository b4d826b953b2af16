"""The rule book: how a paper is read into a graph, each rule once, with when it fails.

The builders without a model follow these rules in code (`kag.indexing.structure`), and the prompts of those with one
quote them. `tests/unit/indexing/test_rule_book.py` checks that the code follows the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that holds for most papers, and its exceptions."""

    says: str
    fails: str = ""

    def __str__(self) -> str:
        return f"{self.says} But: {self.fails}" if self.fails else self.says


# What a float is called, and the number it gets.
FLOAT_NUMBERS: Mapping[str, str] = {
    "Fig. 3": "3",
    "Table S1": "S1",
    "Supplementary Figure 2": "S2",
    "Figure 2—figure supplement 1": "2-s1",
    "Appendix 1—Table 2": "Appendix 1-2",
}

RULES: Mapping[str, Rule] = {
    "numbers": Rule(
        "Printed numbers decide how headings nest: 2.1 lies below 2.",
        "letters after the last number may be appendices (A, B) or parts of the section before.",
    ),
    "parts": Rule(
        "Standard parts (Introduction, Methods, Results, References, ...) are top-level, and other headings lie below "
        "the part before them.",
        "a part repeated inside another (Conclusion in the Discussion, Methods in the abstract or in each experiment) "
        "lies in it, and a paper without such parts has its own top-level headings.",
    ),
    "group": Rule(
        "Headings of one kind are siblings: a series (Case 1, Case 2), the terms that the text above announces, titles "
        "in the same case (CAPITALS, Title Case, Sentence case) or the same size of type where it is given."
    ),
    "topics": Rule(
        "In a review or essay, thematic headings after the Introduction are top-level, not parts of the Introduction."
    ),
    "floats": Rule(
        "A figure mostly has its caption below, a table above, the same way throughout a journal; pictures under one "
        "caption are one figure, and a table in two blocks under one caption is one table.",
        "a table may be printed as a picture; captions may stand on the next page.",
    ),
    "float numbers": Rule(
        "A float's number is what its caption calls it: "
        + ", ".join(f"{label} is {number}" for label, number in FLOAT_NUMBERS.items())
        + ". Fig. 1 and Scheme 1 both have 1."
    ),
    "unprinted": Rule("What names a figure that the paper does not print (a list of supporting files) is a paragraph."),
    "notes": Rule("A note under a table is a footnote.", "running text may stand right below a table at a page's top."),
    "continues": Rule(
        "A paragraph cut by a page, a column or a float continues where the first part has no end of sentence; blocks "
        "of one paragraph right below each other are one node.",
        "a list of files ends in (TIF), and a table's note may stand between the two parts.",
    ),
    "front": Rule(
        "Before the first heading: one title, then the authors, their organisations, and paragraphs (keywords, dates)."
    ),
    "references": Rule(
        "One entry of a reference list is one reference, in however many blocks; a table or picture printed between "
        "the entries is none."
    ),
    "code": Rule("Lines of program code are paragraphs, a line that begins with # too: no headings."),
    "noise": Rule(
        "Left out: running heads, page numbers, logos, empty blocks, a cover that prints title and abstract twice."
    ),
}


def rules_text(names: Iterable[str]) -> str:
    """The rules of these names, a line each."""
    return "\n".join(f"- {RULES[name]}" for name in names)
