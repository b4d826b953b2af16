"""What numbers in a text are call-outs to references, in many spellings, and what are not."""

import pytest

from kag.indexing.enrich.numeric_citations import numeric_marks
from tests.growth import linear


def certain(text):
    return [mark for mark in numeric_marks(text, 100) if not mark.doubtful]


@pytest.mark.parametrize(("text", "numbers"), [
    # square brackets
    ("was seen [7].", (7,)),
    ("was seen [1,2].", (1, 2)),
    ("was seen [1, 2, 9].", (1, 2, 9)),
    ("was seen [1–3].", (1, 2, 3)),
    ("was seen [1-3, 5].", (1, 2, 3, 5)),
    ("was seen [1—3].", (1, 2, 3)),
    ("was seen [1‐3].", (1, 2, 3)),
    ("was seen [1−3].", (1, 2, 3)),
    ("was seen [1--3].", (1, 2, 3)),
    ("was seen [1; 4].", (1, 4)),
    ("was seen [ 1, 4 ].", (1, 4)),
    ("was seen [1 , 4].", (1, 4)),
    ("was seen [3 and 4].", (3, 4)),
    ("was seen [3, 4, and 6].", (3, 4, 6)),
    ("was seen [3 & 4].", (3, 4)),
    ("was seen [see 7, 8].", (7, 8)),
    ("was seen [see also 7].", (7,)),
    ("was seen [e.g., 7].", (7,)),
    ("was seen [cf. 7].", (7,)),
    ("was seen [refs. 7, 9].", (7, 9)),
    ("was seen [ref 7].", (7,)),
    ("was seen [reviewed in 7].", (7,)),
    ("was seen [3, p. 12].", (3,)),
    ("was seen [3, pp. 12–15].", (3,)),
    ("was seen [3, Theorem 3].", (3,)),
    ("was seen [3, Sect. 2.1].", (3,)),
    ("was seen [3, ch. 4].", (3,)),
    ("was seen [3, Fig. 2].", (3,)),
    ("was seen [3 and references therein].", (3,)),
    ("was seen [3 for a review].", (3,)),
    ("was seen [4a].", (4,)),
    ("was seen [4a,b].", (4,)),
    ("was seen [4a, 5c].", (4, 5)),
    (r"was seen \[7\].", (7,)),
    ("was seen[7].", (7,)),
    ("Lima et al. [7] saw it.", (7,)),
    # round brackets
    ("was seen (7).", (7,)),
    ("was seen (1, 2–4).", (1, 2, 3, 4)),
    ("was seen (see 7).", (7,)),
    ("was seen (refs 3, 4).", (3, 4)),
    ("was seen (ref. 12).", (12,)),
    ("was seen (7, p. 3).", (7,)),
    ("Lima et al. (7) saw it.", (7,)),
    ("Lima et al.\n(7) saw it.", (7,)),
    ("as in 2008 (82) and later", (82,)),
    # raised, in every spelling
    (r"was seen \( ^{1,2} \) by", (1, 2)),
    (r"was seen \(^{1}\) by", (1,)),
    (r"was seen. \( ^{[16-20]} \) We", (16, 17, 18, 19, 20)),
    (r"was seen \( {}^{35,36} \) by", (35, 36)),
    (r"was seen \( ^{1–3,7} \) by", (1, 2, 3, 7)),
    (r"was seen \( ^{3)} \) .", (3,)),
    (r"was seen \( ^{(3)} \) .", (3,)),
    (r"was seen \( ^{4a,b} \) .", (4,)),
    (r"was seen \( ^{12,} \) by", (12,)),
    (r"was seen $^{12}$ by", (12,)),
    ("was seen^{12} by", (12,)),
    ("was seen^{[16-18]} by", (16, 17, 18)),
    ("was seen{}^{35,36} by", (35, 36)),
    ("was seen.^12 Then", (12,)),
    ("was seen<sup>1</sup> by", (1,)),
    ("was seen<sup>1,2</sup> by", (1, 2)),
    ("was seen<sup>[1]</sup> by", (1,)),
    ("was seen.¹ Then", (1,)),
    ("was seen.¹²,¹⁴ Then", (12, 14)),
    ("was seen.³⁻⁵ Then", (3, 4, 5)),
    ("was seen¹⁻⁵,⁷ by", (1, 2, 3, 4, 5, 7)),
    ("seen, “so”¹² by", (12,)),
    # in words
    ("see ref. 12 for more", (12,)),
    ("see Refs. 3, 4 for more", (3, 4)),
    ("see references 3–5 for more", (3, 4, 5)),
])  # fmt: skip
def test_call_outs(text, numbers):
    assert {mark.numbers for mark in certain(text)} == {numbers}


@pytest.mark.parametrize("text", [
    # isotopes, powers, units, variables, charges
    r"the \( ^{89} \) Zr label", r"with \( {}^{18} \) F-FDG", "of ⁸⁹Zr and ¹⁸F", r"\( ^{13} \) C NMR",
    "the [18F] tracer", "with [18]F and [3]H-water", r"10 \( ^{5} \) cells", r"3 × 10 \( ^{3} \) cells", "10⁵ cells",
    r"5 cm \( ^{2} \) area",
    r"kg/m \( ^{2} \)", "18cm² wide", "256² points", r"R \( ^{2} \) = 0.9", r"with r \( ^{2} \) >0.39",
    r"0.6<r \( ^{2} \) >0.3",
    r"(a + b) \( ^{2} \)", r"[0, 1] \( ^{2} \)", r"Ca \( ^{2+} \) and \( ^{-1} \)", "cm⁻¹", "Cu²⁺",
    r"\( \partial ^{2}/\partial x^{2} \)", "x^2 + y^2",
    # marks that open a note or an affiliation
    r"\( ^{1} \) Department of Ice", "Lima\n¹ Department", "^{2} These authors wrote alike",
    # equations, floats, parts
    "Eq. (3)", "Eqs. (3) and more", "equation [4] holds", "Figure (2)", "Table (1)", "Scheme (4)", "step (2) of it",
    "Theorem (3)", "item (4)",
    # counts, statistics, ranges, years
    "12 (34)", "n = (5)", "F(1,23) = 4.1", "t(12) = 2.3", "a CI [2, 5] was", "95% CI [2, 5]", "range [2–5] was",
    "x in the interval [2, 5]", "of ± 2 [3, 4]", "45 [10–60] days", "since (2010)", "in [2010]",
    "[0, 5]", "[5–3]", "[101]", "at 40% (12)", "grade (3) of it", "version 2.0 (11)",
    # enumerations
    "goals: (1) to see, (2) to do", "There are (1) ice, (2) snow and (3) fog.", "either (1) ice or (2) snow",
    # chemistry, and what is no number
    "(2)-catenin", "the [2]rotaxane", "[a]", "[]", "()", "(a)", "[2H]", "(3R)",
])  # fmt: skip
def test_no_call_outs(text):
    assert certain(text) == []


def test_places():
    text = r"as said \( ^{1} \) by [2] and (3, p. 4), ref. 5"
    found = [text[mark.start : mark.end] for mark in certain(text)]
    assert found == [r"\( ^{1} \)", "[2]", "(3, p. 4)", "ref. 5"]


def test_a_number_before_brackets_makes_them_doubtful():
    (mark,) = numeric_marks("parasegments 6 to 12 (34)", 100)
    assert mark.doubtful
    assert mark.numbers == (34,)


@pytest.mark.parametrize(
    "hostile", ["[" * 20000, "[1," * 10000, "(1-" * 10000, "^{" * 10000, "¹," * 10000, "[3, p. " * 5000]
)
def test_hostile_texts_are_read_quickly(hostile):
    assert len(numeric_marks(hostile, 100)) < 20000
    assert linear(lambda text: numeric_marks(text, 100), hostile)


def test_the_end_of_a_line_before_round_brackets_is_a_blank():
    assert [mark.doubtful for mark in numeric_marks("in the lakes\n(7), too", 99)] == [False]
    assert [mark.doubtful for mark in numeric_marks("in winter 12 (7), too", 99)] == [True]
