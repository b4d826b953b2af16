"""Call-outs to references: numeric, author-year, and which of them a paper uses."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.citations import Citation, _most_cited, apart, find_citations, link_citations
from kag.indexing.enrich.mentions import join
from kag.indexing.enrich.numeric_citations import expand, numeric_marks
from kag.indexing.references.parser import parse_reference
from kag.rdf.namespaces import C4O, CITO, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace


@pytest.mark.parametrize(("listed", "numbers"), [
    ("1, 3–5", (1, 3, 4, 5)), ("2-4;7", (2, 3, 4, 7)), ("3,3", (3,)), ("1--3", (1, 2, 3)),
    ("5-3", ()), ("3-3", ()), ("0", ()), ("9-12", ()), ("1–999", ()),
])  # fmt: skip
def test_expand(listed, numbers):
    assert expand(listed, 10) == numbers


REFERENCES = [
    parse_reference(text)
    for text in (
        "Smith, J., Roe, K., & Lee, M. (2010a). First. Nature, 1, 2–3.",
        "Smith, J., Poe, K., & Lee, M. (2010b). Second. Nature, 1, 2–3.",
        "Jones, A., & Lee, B. (2011). Third. Nature, 1, 2–3.",
        "Jones, A., Kim, C., & Ray, D. (2011). Fourth. Nature, 1, 2–3.",
        "Müller, F. (1998). Fifth. Nature, 1, 2–3.",
        "van der Zee, M., & Roth, S. (2006). Sixth. Nature, 1, 2–3.",
        "World Health Organization (2019). Seventh. WHO.",
        "O'Neill, C. (2012). Eighth. Nature, 1, 2–3.",
        "Müller, F. (2001). Ninth. Nature, 1, 2–3.",
    )
]


def numbered(count):
    return {n: parse_reference(f"Author{n} A. Title {n}. J. 2000;1:2.") for n in range(1, count + 1)}


def test_doubtful_call_outs_are_believed_for_what_nothing_else_cites():
    texts = ["Ice (1), snow (2), fog (3) and rain (4) in parts 6 to 12 (5) and in 7 (2)."]
    assert [c.numbers for c in find_citations(texts, numbered(5)).found] == [(1,), (2,), (3,), (4,), (5,)]
    assert [c.numbers for c in find_citations(texts, numbered(50)).found] == [(1,), (2,), (3,), (4,)]


def test_references_named_in_words_belong_to_any_numeric_style():
    found = find_citations([r"Ice \( ^{1} \) and snow \( ^{2} \) as in ref. 3 (ref. 1)."], numbered(3))
    assert found.style == "superscript"
    assert [c.numbers for c in found.found] == [(1,), (2,), (3,), (1,)]


def test_labels():
    printed = {1: "[ABC+10] Abel A. Ice. 2010.", 2: "[Roe99b] Roe B. Snow. 1999."}
    references = {number: parse_reference(text) for number, text in printed.items()}
    found = find_citations(["Ice [ABC+10, Roe99b] and [Roe99b, p. 3] and [XY00]."], references, printed)
    assert found.style == "label"
    assert [c.numbers for c in found.found] == [(1, 2), (2,)]


def test_a_label_may_begin_in_small_letters_and_is_no_part_of_the_title():
    printed = {1: "[vdB21] J. van den Berg. Slow ice. 2021.", 2: "[KL+03] K. Kor and L. Lam. Ice on rivers. Ice, 2003."}
    references = {number: parse_reference(text) for number, text in printed.items()}
    assert [c.numbers for c in find_citations(["See [vdB21] and [KL+03]."], references, printed).found] == [(1,), (2,)]
    assert references[2].title == "Ice on rivers"


@pytest.mark.parametrize(("before", "after", "parts"), [
    ("as said [1,", "2] by", ("[1,", "2]")),
    ("as said [1–", "3] by", ("[1–", "3]")),
])  # fmt: skip
def test_a_call_out_cut_in_two_is_in_both_texts(before, after, parts):
    texts = ["Ice [1], [2], [3].", before, after]
    found = find_citations(texts, numbered(3), seams=[join(1, before, 2, after)])
    cut = [c for c in found.found if c.host]
    assert tuple(texts[c.host][c.start : c.end] for c in cut) == parts
    assert cut[0].numbers == cut[1].numbers
    assert len(cut[0].numbers) >= 2


def test_names_cut_in_two():
    texts = ["as said (Jones and", "Lee 2011), and so"]
    found = find_citations(texts, dict(enumerate(REFERENCES, 1)), seams=[join(0, texts[0], 1, texts[1])])
    assert [(c.host, texts[c.host][c.start : c.end], c.numbers) for c in found.found] == [
        (0, "Jones and", (3,)), (1, "Lee 2011", (3,)),
    ]  # fmt: skip


def test_nothing_to_cite():
    assert find_citations(["[1]"], {}).found == ()
    assert find_citations(["words"], numbered(3)).style == ""


@pytest.fixture
def workspace():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    for order, name, cls, text in (
        (1, "p1", DOCO.Paragraph, r"Water boils \( ^{1,2} \) at 10 \( ^{2} \) degrees."),
        (2, "n1", DOCO.Footnote, "As before.²"),
        (3, "r1", DEO.BibliographicReference, "1. Smith J. One. J. 2001;1:2."),
        (4, "r2", DEO.BibliographicReference, "2. Jones K. Two. J. 2002;1:2."),
    ):
        node = ws.node(name)
        ws.add(node, RDF.type, cls)
        ws.put(node, KAG.order, order)
        ws.put(node, KAG.fullText, text)
    return ws


def test_apply_links_and_keeps_the_characters(workspace):
    link_citations(workspace)
    r1, r2 = workspace.node("r1"), workspace.node("r2")
    assert workspace.links(workspace.node("p1"), CITO.cites) == [r1, r2]
    assert workspace.links(workspace.node("n1"), CITO.cites) == [r2]
    (mention,) = workspace.links(workspace.node("p1"), KAG.hasMention)
    assert mention == workspace.node("p1-m12")
    assert workspace.is_a(mention, C4O.InTextReferencePointer)
    assert workspace.links(mention, C4O.denotes) == [r1, r2]
    start, end = workspace.number(mention, KAG.startOffset), workspace.number(mention, KAG.endOffset)
    assert workspace.text(workspace.node("p1"))[start:end] == workspace.text(mention, C4O.hasContent)


def test_the_rest_of_a_cut_entry_cites_nothing(workspace):
    rest = workspace.node("p9")
    workspace.add(rest, RDF.type, DOCO.Paragraph)
    workspace.put(rest, KAG.fullText, r"as shown. \( ^{1} \) Nature.")
    workspace.add(rest, KAG.continues, workspace.node("r2"))
    link_citations(workspace)
    assert workspace.links(rest, CITO.cites) == []


def test_apply_twice_changes_nothing(workspace):
    assert link_citations(workspace) > 0
    before = set(workspace.graph)
    assert link_citations(workspace) == 0
    assert set(workspace.graph) == before


def listed(count):
    """A list of so many references whose names are cited nowhere."""
    return {
        n: parse_reference(f"Name{chr(96 + n)}, A. (20{n:02}). Title. Nature, 1, 2–3.") for n in range(1, count + 1)
    }


def cited(texts, count, seams=()):
    found = find_citations(texts, listed(count), seams=seams)
    return found.style, [(one.host, one.numbers, texts[one.host][one.start : one.end]) for one in found.found]


def test_nothing_is_cited_without_a_list():
    assert find_citations(["Ice [1]."], {}).style == ""
    assert cited(["No call-out."], 3) == ("", [])


def test_the_style_is_the_one_that_reaches_most_of_the_list():
    texts = ["Ice [1], snow [2].", "Fog (3), hail (4), rain (5)."]
    assert cited(texts, 5) == ("paren", [(1, (3,), "(3)"), (1, (4,), "(4)"), (1, (5,), "(5)")])
    assert cited(["Ice [1], snow [1], fog [1].", "Hail (2), rain (3)."], 3)[0] == "paren", "different ones count"
    assert cited(["Ice [1], snow [2].", "Fog (3), hail (4)."], 4)[0] == "bracket", "the earlier style wins a tie"


def test_call_outs_are_told_in_the_order_of_the_texts():
    assert cited(["Fog [3], ice [1].", "Snow [2]."], 3)[1] == [(0, (3,), "[3]"), (0, (1,), "[1]"), (1, (2,), "[2]")]


def test_numbers_that_the_list_lacks_are_left_out():
    references = {n: fields for n, fields in listed(5).items() if n != 3}
    (one,) = find_citations(["Ice [2–4]."], references).found
    assert one.numbers == (2, 4)
    assert find_citations(["Ice [3]."], references).found == ()


@pytest.mark.parametrize(("certain", "believed"), [
    (7, True),  # of ten are cited beyond doubt
    (6, False),
])  # fmt: skip
def test_doubtful_call_outs_are_believed_where_most_is_cited_beyond_doubt(certain, believed):
    doubtful = "a load of 45 [8–10] kg"
    (mark,) = numeric_marks(doubtful, 10)
    assert mark.doubtful
    texts = [f"Ice melts [1–{certain}].", doubtful]
    assert ((1, (8, 9, 10), "[8–10]") in cited(texts, 10)[1]) == believed


def test_a_doubtful_call_out_to_what_is_cited_beyond_doubt_is_none():
    assert cited(["Ice melts [1–8].", "a load of 45 [8–10] kg"], 10)[1] == [(0, tuple(range(1, 9)), "[1–8]")]


def test_names_are_looked_for_where_numbers_reach_too_little():
    references = {n: fields for n, fields in enumerate(REFERENCES[:5], 1)}
    names = "(Smith et al., 2010a; Smith et al., 2010b; Jones and Lee 2011; Jones et al., 2011)"
    assert find_citations([f"Ice {names}.", "Ice [1, 2]."], references).style == "author-year"
    assert find_citations([f"Ice {names}.", "Ice [1–3]."], references).style == "bracket", "three of five decide"


def test_touching_call_outs_are_one():
    one, other = Citation(0, (1,), 10, 15), Citation(0, (2,), 15, 20)
    assert apart([other], [one]) == [other]
    assert apart([Citation(0, (2,), 14, 20)], [one]) == []
    assert apart([Citation(0, (2,), 5, 11)], [one]) == []
    assert apart([Citation(0, (2,), 5, 10)], [one]) == [Citation(0, (2,), 5, 10)]
    assert apart([Citation(1, (2,), 10, 15)], [one]) == [Citation(1, (2,), 10, 15)]
    long = Citation(0, (3,), 0, 40)
    assert apart([Citation(0, (2,), 30, 35)], [one, long]) == [], "a long one reaches over a later short one"
    assert apart([other], []) == [other]
    two = [Citation(0, (1,), 0, 5), one]
    assert apart([Citation(0, (2,), 14, 20)], two) == []
    assert apart([Citation(0, (2,), 6, 9)], two) == [Citation(0, (2,), 6, 9)]


def test_a_call_out_cut_by_a_seam_is_cited_in_both_texts():
    texts = ["Snow [3]. Ice is cold [1,", "2] and hard [3]."]
    assert cited(texts, 3, [join(0, texts[0], 1, texts[1])])[1] == [
        (0, (3,), "[3]"), (0, (1, 2), "[1,"), (1, (1, 2), "2]"), (1, (3,), "[3]"),
    ]  # fmt: skip


def test_numbers_cite_only_where_no_other_style_reaches_a_sixth_of_the_list():
    """Numbers that lost their raising are read in a paper that cites in no other way."""
    words = ("rivers", "lakes", "winter", "spring", "sensors", "floods", "storms", "glaciers", "valleys", "forests")
    flat = " ".join(f"We saw {word} {n} ." for n, word in enumerate(words, 1))
    assert cited([flat], 10)[0] == "flat"
    assert cited([flat, "Ice [1]."], 10)[0] == "flat", "a tenth may be anything"
    assert cited([flat, "Ice [1, 2]."], 10)[0] == "bracket"


def test_a_list_that_cannot_be_the_most_cited_is_not_read_for(monkeypatch):
    asked = []

    def read(texts, entries, seams):
        asked.append(len(entries))
        return [Citation(0, tuple(number for _, number, _, _ in entries[:3]), 0, 1)]

    monkeypatch.setattr("kag.indexing.enrich.citations._from_list", read)
    lists = [[(f"{size}-{n}", n, "", None) for n in range(size)] for size in (2, 4, 3, 9)]
    found, nodes = _most_cited([""], lists, ())
    assert asked == [2, 4, 9]
    assert found[0].numbers == (0, 1, 2)
    assert nodes[0] == "4-0"


def test_labels_with_accents_blanks_and_raised_marks():
    printed = {1: "[BES⁺80] Abel A. Ice. 1980.", 2: "[de 13] de Roe B. Snow. 2013.", 3: "[Šim93] Šimek C. Fog. 1993."}
    references = {number: parse_reference(text) for number, text in printed.items()}
    texts = ["See [BES+80, de 13] and [Šim93].", r"Or [BES \( ^{+} \) 80]."]
    assert [c.numbers for c in find_citations(texts, references, printed).found] == [(1, 2), (3,), (1,)]
