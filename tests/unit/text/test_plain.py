"""Plain words from inline Markdown and LaTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.text.latex import formula_words
from kag.text.plain import plain, preview
from tests.growth import linear


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (r"^{89}", "⁸⁹"),
        (r"{}^{124}", "¹²⁴"),
        (r"K_{D}", "K_D"),
        (r"K_{\mathrm{obs}}", "K_obs"),
        (r"k_{obs,193K}", "k_obs,193K"),
        (r"x_{i+1}", "x_(i+1)"),
        (r"H_{2}O", "H₂O"),
        (r"10^{-9}", "10⁻⁹"),
        (r"10^{−9}", "10⁻⁹"),
        (r"^{24–28}", "²⁴–²⁸"),
        (r"^{30-32}", "³⁰-³²"),
        (r"^{[31,32]}", "[31,32]"),
        (r"^{a,*}", "^a,*"),
        (r"19^{th}", "19th"),
        (r"Ca^{2+}", "Ca²⁺"),
        (r"SO_4^{2-}", "SO₄²⁻"),
        (r"-80^{\circ}C", "-80°C"),
        (r"^{\ddagger}", "‡"),
        (r"\alpha\beta", "αβ"),
        (r"\theta _{i}", "θ_i"),
        (r"352 \pm 87", "352 ± 87"),
        (r"352\pm87", "352±87"),
        (r"53 \pm 8\%", "53 ± 8%"),
        (r"2 \times 10^3", "2 × 10³"),
        (r"x^23", "x²3"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{a+b}{2}", "(a+b)/2"),
        (r"\frac12", "1/2"),
        (r"\sqrt{x+1}", "√(x+1)"),
        (r"\sqrt[3]{x}", "³√x"),
        (r"\bar{x}", "x̄"),
        (r"\overset{˜}{\xi }", "ξ̃"),
        (r"\left( x \right)", "( x )"),
        (r"\left.x\right|_{0}", "x|₀"),
        (r"\text{if } x\leq 5", "if x≤5"),
        (r"\log x", "log x"),
        (r"\begin{array}{l}a&=b\\ c\end{array}", "a =b c"),
        (r"5 % of", "5 % of"),
        (r"\unknown", "unknown"),
        (r"a}b{c", "abc"),
        (r"\frac{a", "a/"),
        ("^", ""),
        ("\\", ""),
    ],
)
def test_formula_words(formula, words):
    assert formula_words(formula) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"of  \( ^{89} \) Zr-nivolumab", "of ⁸⁹Zr-nivolumab"),
        (r"Fe \( _{2} \) O \( _{3} \) .", "Fe₂O₃."),
        (r"activation. \( ^{5} \)  Inhibition", "activation.⁵ Inhibition"),
        (r"with a  \( K_{D} \)  of 3", "with a K_D of 3"),
        (r"( \( k_{obs} \) ) derived", "(k_obs) derived"),
        (r"300  \( \mu \) L of", "300 μL of"),
        (r"\( \Delta G_{\text{DA}} \)  \( ^{\ddagger} \)", "ΔG_DA‡"),
        (r"the value \( x \) is", "the value x is"),
        (r"the value \(x\) is", "the value x is"),
        (r"\[ E=mc^{2} \quad (1) \]", "E=mc² (1)"),
        ("$$a^2$$ and $x_1$", "a² and x₁"),
        ("costs $5 and $6, US$7 and $8", "costs $5 and $6, US$7 and $8"),
        (r"open \( and shut", "open ( and shut"),
        ("**bold** and *slanted* and `code*`", "bold and slanted and code*"),
        ("*p < 0.05, a*b*c, `d*e`", "*p < 0.05, a*b*c, d*e"),
        ("E_Tnp_x and 8_MITO_", "E_Tnp_x and 8_MITO_"),
        ("[a link](http://a.b/c) ![a picture](x.png)", "a link a picture"),
        ("[1,2] and [3]", "[1,2] and [3]"),
        ("H<sub>2</sub>O, 10<sup>-9</sup>, <i>in vivo</i><br>x", "H₂O, 10⁻⁹, in vivo x"),
        (r"<r \( ^{2} \) > 0.5", "<r²> 0.5"),
        (r"**a  \( x_{i} \)  b** \( ^{c*d*e} \)", "a x_i b^c*d*e"),
        ("p &lt; 0.05 &amp; 50\\%", "p < 0.05 & 50%"),
        ("two\n  lines\u00a0here ", "two lines here"),
        ("", ""),
    ],
)
def test_plain(text, words):
    assert plain(text) == words


def test_plain_leaves_ordinary_prose_alone():
    text = "The 2.5 mg/kg dose (n = 3), i.e. 5-10% of #7, gave A|B; see Fig. 3a-c [12-14]."
    assert plain(text) == text


@pytest.mark.parametrize(
    "hostile",
    ["{" * 50_000, r"\( " + "^" * 50_000 + r" \)", r"\(" * 50_000, r"\[" * 50_000, "$a " * 20_000, "*a " * 6000,
     "[" * 90_000 + "](", "<sup>" * 3000, r"\( " + r"\frac" * 20_000 + r" \)", "![a](" * 3000],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_hostile_text_takes_no_time(hostile):
    assert linear(plain, hostile)


@given(st.text(alphabet="ab 1\\(){}^_$*[]<>&;|%\n", max_size=60))
def test_plain_never_fails_and_is_one_line(text):
    words = plain(text)
    assert words == " ".join(words.split())


def test_preview_cuts_at_a_word():
    text = "Water boils,  at 100\ndegrees."
    assert preview(text) == "Water boils, at 100 degrees."
    assert preview(text, 14) == "Water boils…"
    assert preview("Wasserkochtopf", 5) == "Wass…"
    assert preview("", 5) == ""


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_preview_keeps_its_limit(text, limit):
    assert len(preview(text, limit)) <= limit
