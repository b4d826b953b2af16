"""Mentions of figures and tables, and their links."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.crossref_finder import find_crossrefs
from kag.indexing.enrich.crossrefs import (
    formula_number,
    is_formula_number,
    link_crossrefs,
    names_itself,
    number_formulas,
)
from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace


@pytest.fixture
def workspace():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    add(ws, "f1", DOCO.Figure, "", "1", "Fig. 1.")
    add(ws, "f2", DOCO.Figure, "", "1", "Scheme 1")
    add(ws, "t1", DOCO.Table, "", "1", "Table 1:")
    caption = add(ws, "c1", DEO.Caption, "Fig. 1. A curve, see Table 1 and Fig. 9.", "1", "Fig. 1.")
    ws.add(caption, KAG.describes, ws.node("f1"))
    add(ws, "p1", DOCO.Paragraph, "We use Scheme 1 (Figure 1a).")
    return ws


def add(ws, name, cls, text, number="", label=""):
    node = ws.node(name)
    ws.add(node, RDF.type, cls)
    ws.put(node, KAG.fullText, text)
    if number:
        ws.put(node, KAG.floatNumber, number)
        ws.put(node, KAG.floatLabel, label)
    return node


def test_mentions_keep_their_characters(workspace):
    link_crossrefs(workspace)
    mentions = workspace.links(workspace.node("p1"), KAG.hasMention)
    assert [workspace.text(m, C4O.hasContent) for m in mentions] == ["Figure 1a", "Scheme 1"]
    mention = workspace.node("p1-m7")
    assert workspace.is_a(mention, KAG.CrossReference)
    start, end = workspace.number(mention, KAG.startOffset), workspace.number(mention, KAG.endOffset)
    assert workspace.text(workspace.node("p1"))[start:end] == "Scheme 1"
    assert workspace.links(mention, KAG.refersTo) == [workspace.node("f2")]


def kept(ws, name):
    """Surface, kind and panels of a text's call-outs, with the nodes they lead to."""
    return [
        (ws.text(m, C4O.hasContent), ws.text(m, KAG.targetKind), sorted(map(str, ws.graph.objects(m, KAG.panel))),
         [str(node).rpartition("/")[2] for node in ws.links(m, KAG.refersTo)])
        for m in sorted(ws.links(ws.node(name), KAG.hasMention), key=lambda m: ws.number(m, KAG.startOffset))
    ]  # fmt: skip


def test_what_is_not_in_the_paper_is_kept_as_a_call_out(workspace):
    add(workspace, "p2", DOCO.Paragraph, "See Fig. 7b and Movie S2.")
    link_crossrefs(workspace)
    assert kept(workspace, "p2") == [("Fig. 7b", "figure", ["b"], []), ("Movie S2", "supplement", [], [])]


def test_formulas_by_their_printed_number(workspace):
    for name, number in (("e1", "1"), ("e2", "2a"), ("e3", "A.1")):
        add(workspace, name, DOCO.Formula, "x", number)
    add(workspace, "p2", DOCO.Paragraph, "By Eq. (1), Eq. (2a), Eq. (A1) and Eq. (9).")
    link_crossrefs(workspace)
    assert [row[3] for row in kept(workspace, "p2")] == [["e1"], ["e2"], ["e3"], []]


def section(ws, name, title, number=""):
    node = ws.node(name)
    ws.add(node, RDF.type, DOCO.Section)
    if number:
        ws.put(node, KAG.sectionNumber, number)
    head = add(ws, f"{name}-title", DOCO.SectionTitle, title)
    ws.put(head, KAG.mainText, title)
    ws.add(node, KAG.containsAsHeader, head)


@pytest.mark.parametrize(("numbers", "linked"), [
    (("1", "2", "A", "B"), ["s3"]), (("1", "A", "B", "2"), []), (("I", "A", "1", "B"), []),
])  # fmt: skip
def test_a_letter_behind_the_last_arabic_number_is_an_appendix(workspace, numbers, linked):
    for place, number in enumerate(numbers):
        section(workspace, f"s{place}", f"{number} Ice {number}", number)
    add(workspace, "p2", DOCO.Paragraph, "See Appendix B.")
    link_crossrefs(workspace)
    assert [row[3] for row in kept(workspace, "p2")] == [linked]


def test_a_call_out_cut_in_two_is_in_both_parts(workspace):
    add(workspace, "p2", DOCO.Paragraph, "Ice melts, see Fig.")
    add(workspace, "p3", DOCO.Paragraph, "1 and more.")
    workspace.add(workspace.node("p3"), KAG.continues, workspace.node("p2"))
    link_crossrefs(workspace)
    assert [row[0] for row in kept(workspace, "p2") + kept(workspace, "p3")] == ["Fig.", "1"]
    assert workspace.links(workspace.node("p3"), KAG.refersTo) == [workspace.node("f1")]


def test_apply_twice_changes_nothing(workspace):
    link_crossrefs(workspace)
    before = set(workspace.graph)
    assert link_crossrefs(workspace) == 0
    assert set(workspace.graph) == before


def sectioned(*titles):
    """A paper with sections of these numbers and titles, in their order."""
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for n, (number, title) in enumerate(titles, 1):
        section, header = ws.node(f"s{n}"), ws.node(f"h{n}")
        ws.add(section, RDF.type, DOCO.Section)
        ws.put(section, KAG.order, n)
        ws.add(section, KAG.containsAsHeader, header)
        ws.put(header, KAG.mainText, title)
        if number:
            ws.put(section, KAG.sectionNumber, number)
    return ws


TITLES = (
    ("1", "1 Introduction"), ("2", "2 Methods"), ("2.1", "2.1 Study sites"), ("3", "3 Results"), ("", "Abstract"),
    ("", "Ice"), ("", "Ice"), ("", "One two three four five six seven eight"),
    ("", "One two three four five six seven eight nine"), ("A", "A More graphs"), ("B", "B Sums"),
)  # fmt: skip


def test_only_the_beginning_of_a_caption_is_its_label():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    figure = add(ws, "f1", DOCO.Figure, "", "1", "Fig. 1")
    for name, text in (("c1", "Fig. 1. Ice, as in Fig. 1."), ("c2", "(a Fig. 1 too.")):
        ws.add(add(ws, name, DEO.Caption, text), KAG.describes, figure)
    link_crossrefs(ws)
    assert [surface for surface, *_ in kept(ws, "c1")] == ["Fig. 1"]
    assert [ws.number(m, KAG.startOffset) for m in ws.links(ws.node("c1"), KAG.hasMention)] == [19]
    assert [surface for surface, *_ in kept(ws, "c2")] == ["Fig. 1"], "it begins at the third character"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Table 1: Answers of the students.", 0),
        ("Figure S10. Eggs that broke.", 0),
        ("Table 1 shows the answers.", 1),
        ("Tables 1, 2. Then the eggs broke.", 1),
        ("Eq. (1). Then the eggs broke.", 1),
    ],
)
def test_a_text_that_begins_with_a_label_and_a_stop_is_about_it(text, kept):
    found = find_crossrefs(text)
    assert sum(not names_itself(text, crossref) for crossref in found) == kept


def refers(ws, name="p1"):
    return [str(node).rpartition("/")[2] for node in ws.links(ws.node(name), KAG.refersTo)]


def test_the_triples_that_are_added_are_counted():
    ws = sectioned(*TITLES)
    for name, number, label in (("f1", "1", "Fig. 1"), ("f2", "2", "Fig. 2")):
        add(ws, name, DOCO.Figure, "", number, label)
    add(ws, "p1", DOCO.Paragraph, "See Figs. 1a–c and 2b and Fig. 9, see Methods, in the Results section and Fig.")
    ws.add(add(ws, "p2", DOCO.Paragraph, "2 again."), KAG.continues, ws.node("p1"))
    before = len(ws.graph)
    assert link_crossrefs(ws) == len(ws.graph) - before > 0
    assert [row[:1] + row[2:] for row in kept(ws, "p1")] == [
        ("Figs. 1a–c and 2b", ["a–c", "b"], ["f1", "f2"]), ("Fig. 9", [], []), ("Methods", [], ["s2"]),
        ("Results", [], ["s4"]), ("Fig.", [], ["f2"]),
    ]  # fmt: skip


def test_tables_have_no_call_outs():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    add(ws, "f1", DOCO.Figure, "", "1", "Fig. 1")
    add(ws, "t1", DOCO.Table, "see Fig. 1")
    add(ws, "n1", DOCO.Footnote, "see Fig. 1")
    link_crossrefs(ws)
    assert (refers(ws, "t1"), refers(ws, "n1")) == ([], ["f1"])


@pytest.mark.parametrize(("text", "surfaces", "targets"), [
    ("Fig. 1. Ice of the lake.", [], []),
    ("Fig. 1 shows ice.", [], []),  # its own number, whatever stands behind
    ("Fig. 9 shows ice.", [], []),  # no other thing that the paper has
    ("Table 1 shows ice.", ["Table 1"], ["t1"]),
    ("See Fig. 9 and Fig. 1.", ["Fig. 9", "Fig. 1"], ["f1"]),
])  # fmt: skip
def test_what_a_caption_begins_with(text, surfaces, targets):
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    figure = add(ws, "f1", DOCO.Figure, "", "1", "Fig. 1")
    add(ws, "t1", DOCO.Table, "", "1", "Table 1")
    ws.add(add(ws, "c1", DEO.Caption, text), KAG.describes, figure)
    link_crossrefs(ws)
    assert [surface for surface, *_ in kept(ws, "c1")] == surfaces
    assert refers(ws, "c1") == targets


@pytest.mark.parametrize(("floats", "text", "targets"), [
    # the first of a number; the kind and number of the label, then the number alone
    ([("f1", "1", "Fig. 1"), ("f2", "1", "Fig. 1")], "see Fig. 1", ["f1"]),
    ([("f1", "1", "")], "see Fig. 1", ["f1"]),
    ([("f1", "", "Fig. S3")], "see Fig. S3", ["f1"]),
    ([("f1", "S3", "Fig. S3")], "see Supplementary Fig. 3", ["f1"]),
    ([("f1", "1-s2", "Figure 1—figure supplement 2")], "see Fig. 2", []),
    ([("f1", "1-s2", "Figure 1—figure supplement 2")], "see Figure 1—figure supplement 2", ["f1"]),
    ([("f1", "1-s2", "Figure 1 - Figure Supplements 2")], "see Figure 1—figure supplement 2", ["f1"]),
    ([("f1", "1", "Appendix 1—Figure 1")], "see Fig. 1", []),
    ([("f1", "1", "Appendix 1—Figure 1")], "see Appendix 1—Figure 1", ["f1"]),
    ([("f1", "1", "Scheme 1")], "see Fig. 1", []),
    ([("f1", "1", "Scheme 1")], "see Scheme 1", ["f1"]),
    ([("f1", "A1", "Fig. A.1")], "see Fig. A1 and Fig. A.1", ["f1"]),
    ([(f"f{n}", f"{n}", f"Fig. {n}") for n in (1, 2, 3)], "see Figs. 1–3 and Fig. 2", ["f1", "f2", "f3"]),
])  # fmt: skip
def test_floats_by_label_and_number(floats, text, targets):
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for name, number, label in floats:
        node = add(ws, name, DOCO.Figure, "", number, label)
        if label:
            ws.put(node, KAG.floatLabel, label)
    add(ws, "p1", DOCO.Paragraph, text)
    link_crossrefs(ws)
    assert sorted(refers(ws)) == targets


@pytest.mark.parametrize(("titles", "text", "found"), [
    # numbers with and without their last point
    ([("2.", "2. Ice")], "see Section 2", ["s1"]),
    ([("II.", "II. Ice")], "see Section II", ["s1"]),
    ([("2", "2 Ice"), ("2", "2 Snow")], "see Section 2", ["s1"]),
    # sections that are called an appendix, a box or an algorithm
    ([("", "Appendix A. Ice")], "see Appendix A", ["s1"]),
    ([("", "APPENDIX 2: Ice")], "see Appendix 2", ["s1"]),
    ([("", "Annexe B Ice")], "voir l’annexe B", ["s1"]),
    ([("", "Box 3. Ice")], "see Box 3", ["s1"]),
    ([("", "Algorithm 2 Ice")], "see Algorithm 2", ["s1"]),
    ([("", "Boxes 3")], "see Box 3", []),
    # letters behind the last Arabic number
    ([("1", "1 Ice"), ("A", "A Snow"), ("A.1", "A.1 Fog")], "see Appendix A and Appendix A.1", ["s2", "s3"]),
    ([("A", "A Snow"), ("B", "B Fog")], "see Appendix A", []),  # no number before: all sections have letters
    ([("", "Ice"), ("A", "A Snow")], "see Appendix A", []),
    # titles
    ([("", "Ice on lakes")], "see Ice on lakes", ["s1"]),
    ([("", "Ice on lakes.")], "see Ice on lakes", ["s1"]),
    ([("", "ice on lakes")], "see Ice on lakes", []),  # a title has a capital
    ([("", "Ice on lakes")], "see Ice on lakes2", []),
    ([("", "Ice on lakes")], "see Ice on lakes-", ["s1"]),
    ([("", "Ice"), ("", "Ice on lakes")], "see Ice on lakes, and see Ice", ["s2", "s1"]),  # the longest at a place
    ([("", "Ice")], "see also Ice", ["s1"]),
    ([("", "Ice")], "under the Ice", ["s1"]),
    ([("", "Ice")], "found in our Ice", ["s1"]),
    ([("", "Ice")], "see “Ice”", ["s1"]),
    ([("", "Ice")], "see sections Ice", ["s1"]),
    ([("", "Ice")], "melting, Ice", []),
    ([("", "Ice")], "melting Ice section", ["s1"]),
    ([("", "Ice")], "melting Ice sectional", ["s1"]),
    ([("", "Ice")], "Ice section", []),  # it begins the text
    ([("", "Results")], "melting, Results", ["s1"]),
    ([("", "Results")], "melting and Results", ["s1"]),
    ([("", "Results")], "melting Results", []),
    ([("", "References")], "see References", []),
    # the usual parts by any of their titles, where one section is meant
    ([("", "Materials and Methods")], "see Methods", ["s1"]),
    ([("", "Methods")], "see Materials and Methods", ["s1"]),
    ([("", "Methods"), ("", "Materials and Methods")], "see Online Methods", []),
    ([("", "Results and Discussion")], "see Results and see Discussion", ["s1"]),
    ([("", "Results and Discussion"), ("", "Results")], "see Results", ["s2"]),
    ([("", "Results"), ("", "Results")], "see Results and Discussion", []),
    ([("", "Conclusions")], "see Conclusion", ["s1"]),
    # titles that nothing points to, that two sections have, or that are too long to be repeated
    ([("", "Ice on lakes")], "We show Ice on lakes here.", []),
    ([("", "Ice on lakes")], "(Ice on lakes) and others", []),
    ([("", "Methods")], "(Methods) and others", ["s1"]),  # brackets are enough for the usual parts
    ([("", "Ice"), ("", "Ice")], "see Ice.", []),
    ([("", "Abstract")], "see Abstract.", []),
    ([("", "One two three four five six seven eight")], "see One two three four five six seven eight.", ["s1"]),
    ([("", "One two three four five six seven eight nine")], "see One two three four five six seven eight nine.", []),
    ([("1", "1 Ice")], "see Section 9", []),
])  # fmt: skip
def test_sections_by_number_word_and_title(titles, text, found):
    ws = sectioned(*titles)
    add(ws, "p1", DOCO.Paragraph, text)
    link_crossrefs(ws)
    assert refers(ws) == sorted(found)


def test_a_letter_of_a_formula_names_it_where_it_is_printed_so():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for name, number in (("e1", "1"), ("e2", "2"), ("e3", "2b")):
        add(ws, name, DOCO.Formula, "", number, f"({number})")
    for name, text, found in (("p1", "Eqs. (1) and (2b)", ["e3"]), ("p2", "Eq. (2c)", ["e2"]), ("p3", "Eq. 2", ["e2"])):
        add(ws, name, DOCO.Paragraph, f"by {text}")
        link_crossrefs(ws)
        assert refers(ws, name) == found


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
