"""Numbers printed beside formulas."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.crossrefs import formula_number, is_formula_number, number_formulas
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.workspace import Workspace


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (r"\[ a = b \tag{3} \]", "3"),
        (r"\[ a = b \tag*{(S2)} \]", "S2"),
        (r"\[ a = b, \quad (3) \]", "3"),
        (r"\[ a = b \qquad(1a) \]", "1a"),
        (r"\[ a = b \quad \text{(2.1)} \]", "2.1"),
        (r"\[ a = b \] (12)", "12"),
        (r"$$ a = b $$ (4)", "4"),
        (r"\[ a \hspace{2cm} (5) \]", "5"),
        (r"\[ \begin{aligned} a &= b \tag{6} \\ c &= d \tag{7} \end{aligned} \]", "6"),
        (r"\[ a = f(3) \]", ""),
        (r"\[ a = 2 \, (3) \]", ""),
        (r"\[ x \quad (x > 0) \]", ""),
        (r"\[ a = b \]", ""),
    ],
)
def test_number_of_a_formula(text: str, number: str) -> None:
    assert formula_number(text) == number


def test_a_number_alone() -> None:
    assert is_formula_number(" (3) ")
    assert is_formula_number("[S1]")
    assert not is_formula_number("(see 3)")
    assert not is_formula_number("3")


def test_formulas_get_their_numbers_once() -> None:
    workspace = Workspace(Document("p", (), (), (), 1, ""))
    for name, text in (("f1", r"\[ a \tag{1} \]"), ("f2", r"\[ b \]")):
        workspace.add(workspace.node(name), RDF.type, DOCO.Formula)
        workspace.put(workspace.node(name), KAG.fullText, text)
    assert number_formulas(workspace) == 1
    assert workspace.text(workspace.node("f1"), KAG.floatNumber) == "1"
    assert workspace.text(workspace.node("f2"), KAG.floatNumber) == ""
    assert number_formulas(workspace) == 0


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (("y = a + b (1)", "z = c, (2)", "x = d", "w = f(z) (4)."), ["1", "2", "", "4"]),
        (("y = a + b (1)",), ["1"]),
        (("y = a + f (3)",), [""]),  # perhaps the argument of a function
        (("y = a + b (2)", "z = c (1)"), ["", ""]),
        (("y = a + b (1)", "z = c (40)"), ["", ""]),
        ((r"\[ a \tag{1} \]", "b = f (2)"), ["1", ""]),  # this paper marks its numbers
    ],
)
def test_numbers_without_a_mark_count_the_formulas(texts: tuple[str, ...], numbers: list[str]) -> None:
    workspace = Workspace(Document("p", (), (), (), 1, ""))
    for order, text in enumerate(texts):
        node = workspace.node(f"f{order}")
        workspace.add(node, RDF.type, DOCO.Formula)
        workspace.state(node, KAG.order, order)
        workspace.put(node, KAG.fullText, text)
    number_formulas(workspace)
    assert [workspace.text(workspace.node(f"f{order}"), KAG.floatNumber) for order in range(len(texts))] == numbers
