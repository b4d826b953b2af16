"""The file's own links: what they lead to, and what becomes of the call-outs that rules found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.core.tool import toolset
from kag.core.types import Document
from kag.indexing.baseline import build_baseline
from kag.indexing.enrich.mentions import Seam, find_seams, join
from kag.indexing.enrich.passes import enrich
from kag.indexing.pipeline import document_validator
from kag.indexing.tools.build_tools import BuildTools
from kag.indexing.tools.judge import JudgeTools
from kag.rdf.namespaces import C4O, CITO, DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.sources.draft import Draft, Parsed, Target, assemble

LIST = (
    Draft(1, "sub_title", "References", level=1, ground="markup"),
    Draft(1, "reference", "1. Poe E. Ice on rivers. Rivers. 1999;3:1-9.", key="r1"),
    Draft(1, "reference", "2. Roe E. Snow on rivers. Rivers. 2000;4:10-19.", key="r2"),
    Draft(1, "reference", "3. Doe J. Fog on rivers. Rivers. 2001;5:20-29.", key="r3"),
    Draft(1, "reference", "4. Loe J. Hail on rivers. Rivers. 2002;6:30-39.", key="r4"),
)
FLOATS = (
    Draft(1, "image", "", key="f1"),
    Draft(1, "figure_caption", "Figure 1. Sensors lost.", key="c1", caption_of="f1"),
    Draft(1, "image", "", key="f2"),
    Draft(1, "figure_caption", "Figure 2. Sensors found.", key="c2", caption_of="f2"),
    Draft(1, "image", "", key="f3"),
    Draft(1, "figure_caption", "Figure 3. Ice.", key="c3", caption_of="f3"),
    Draft(1, "equation", r"\[ n = a \tag{1} \]", key="e1"),
    Draft(1, "equation", r"\[ n = b \tag{2} \]", key="e2"),
    Draft(1, "equation", r"\[ n = c \tag{3} \]", key="e3"),
    Draft(1, "sub_title", "Sites", level=1, ground="markup", key="s1"),
    Draft(1, "text", "Twelve sites were chosen."),
)


def linked(text: str, *links: tuple[str, str] | tuple[str, str, int], label: str = "text") -> Draft:
    """A draft with links from words to keys of drafts: (words, key) or (words, key, character there)."""
    targets = []
    for words, key, *at in links:
        start = text.index(words)
        targets.append(Target(start, start + len(words), key, *at))
    return Draft(1, label, text, targets=tuple(targets))


def document(*body: Draft, source: str = "jats", listed: tuple[Draft, ...] = LIST) -> Document:
    head = Draft(1, "sub_title", "Introduction", level=1, ground="markup")
    return assemble("a", Parsed((head, *body, *FLOATS, *listed), 1, "0" * 64, source))


def built(paper: Document) -> tuple[Workspace, dict[str, int]]:
    """The enriched graph, which conforms, and the facts by pass."""
    workspace = Workspace(paper)
    judge = JudgeTools(workspace, document_validator())
    build_baseline(paper, {tool.name: tool.call for tool in toolset(BuildTools(workspace))})
    facts = judge.finalize_graph()
    assert facts["ok"], facts
    assert judge.rescued == []
    return workspace, judge.enrichment


def called_out(workspace: Workspace) -> list[tuple[str, list[str]]]:
    """Words and targets of the call-outs; the targets of their hosts are the same."""
    found = []
    for host in workspace.of_type(DOCO.Paragraph):
        told = set()
        mentions = workspace.links(host, KAG.hasMention)
        for mention in sorted(mentions, key=lambda one: workspace.number(one, KAG.startOffset)):
            start, end = (workspace.number(mention, name) for name in (KAG.startOffset, KAG.endOffset))
            words = workspace.text(mention, C4O.hasContent)
            assert workspace.text(host)[start:end] == words
            targets = [*workspace.links(mention, C4O.denotes), *workspace.links(mention, KAG.refersTo)]
            told.update(targets)
            found.append((words, [name(workspace, target) for target in targets]))
        assert told == {*workspace.links(host, CITO.cites), *workspace.links(host, KAG.refersTo)}
    return found


def name(workspace: Workspace, node) -> str:
    number = workspace.number(node, KAG.citationNumber)
    return (
        f"r{number}"
        if number
        else workspace.text(node, KAG.floatLabel)
        or workspace.title_of(node)
        or (f"({workspace.text(node, KAG.floatNumber)})")
    )


def of(*body: Draft, source: str = "jats") -> list[tuple[str, list[str]]]:
    return called_out(built(document(*body, source=source))[0])


def test_a_link_that_no_rule_reads_is_a_call_out():
    text = linked("Poe saw it first (the classic), as the drawing shows.", ("the classic", "r1"), ("the drawing", "f2"))
    workspace, facts = built(document(text))
    assert called_out(workspace) == [("the classic", ["r1"]), ("the drawing", ["Figure 2"])]
    assert [workspace.text(one, KAG.targetKind) for one in workspace.of_type(KAG.CrossReference)] == ["figure"]
    assert facts["links"] == 15
    assert facts["links against rules"] == 0


@pytest.mark.parametrize(("key", "words"), [
    ("c2", "Figure 2"), ("f2", "Figure 2"), ("s1", "Sites"), ("e2", "(2)"), ("r2", "r2"),
])  # fmt: skip
def test_what_links_lead_to(key, words):
    assert of(linked("It was so (there), as is known.", ("there", key))) == [("there", [words])]


def test_a_link_to_a_text_is_no_call_out():
    paper = document(linked("It was so (there).", ("there", "p")), replace(linked("A remark."), key="p"))
    assert called_out(built(paper)[0]) == []


def test_a_call_out_that_rules_read_as_linked_stays():
    text = linked("It was so [1–3], see Fig. 1.", ("1", "r1"), ("3", "r3"), ("Fig. 1", "f1"))
    workspace, facts = built(document(text))
    assert called_out(workspace) == [("[1–3]", ["r1", "r2", "r3"]), ("Fig. 1", ["Figure 1"])]
    assert (facts["links"], facts["links against rules"]) == (0, 0)


def test_a_link_counts_more_than_a_rule():
    text = linked("It was so [1, 2]; see Fig. 1 and Fig. 2.", ("1, 2", "r4"), ("Fig. 1", "f2"))
    workspace, facts = built(document(text, linked("And so [2].")))
    assert called_out(workspace) == [
        ("[1, 2]", ["r4"]), ("Fig. 1", ["Figure 2"]), ("Fig. 2", ["Figure 2"]), ("[2]", ["r2"]),
    ]  # fmt: skip
    assert facts["links against rules"] == 2


def test_a_number_that_is_linked_as_a_formula_cites_nothing():
    texts = [linked(f"It was so ({n}).", (f"({n})", f"r{n}")) for n in (1, 2, 3, 4)]
    workspace, facts = built(document(*texts, linked("By (3), it is so.", ("(3)", "e3"))))
    assert called_out(workspace)[-1] == ("(3)", ["(3)"])
    assert facts["links against rules"] == 1


def test_the_figure_of_another_work_is_no_figure_of_this_one():
    text = linked("It was so, as drawn there [1: Fig. 2].", ("[1: Fig. 2]", "r1"))
    assert of(text) == [("[1: Fig. 2]", ["r1"])]


def test_call_outs_without_a_link_are_left_to_rules():
    texts = linked("It was so [1] and so [2].", ("1", "r1")), linked("And [3, 4].")
    assert of(*texts) == [("[1]", ["r1"]), ("[2]", ["r2"]), ("[3, 4]", ["r3", "r4"])]


@pytest.mark.parametrize(("text", "ends", "found"), [
    ("by (1)–(3), ice", ("e1", "e3"), [("1)–(3", ["(1)", "(2)", "(3)"])]),
    ("by (1), (3), ice", ("e1", "e3"), [("1", ["(1)"]), ("3", ["(3)"])]),  # no range
    ("by (1)–(3), ice", ("e1", "e2"), [("1", ["(1)"]), ("3", ["(2)"])]),  # not what is printed there
    ("by (1)–(3), ice", ("e1", "c3"), [("1", ["(1)"]), ("3", ["Figure 3"])]),  # of two kinds
    ("10 a (Fig. 1) 1–4 ice", ("r1", "r4"), [("Fig. 1", ["Figure 1"]), ("1–4", ["r1", "r2", "r3", "r4"])]),
])  # fmt: skip
def test_the_middle_of_a_range(text, ends, found):
    first, last = ("1–", "4 ") if "4" in text else ("1)", "3)")
    targets = [
        Target(text.index(words), text.index(words) + 1, key) for words, key in ((first, ends[0]), (last, ends[1]))
    ]
    if "Fig" in text:
        targets[0] = Target(text.index("1–4"), text.index("1–4") + 1, ends[0])
    assert of(Draft(1, "text", text, targets=tuple(targets))) == found


def test_links_in_a_row_to_one_entry_are_one_call_out():
    text = linked("As Poe and others (1999) said.", ("Poe and others", "r1"), ("1999", "r1"))
    assert of(text) == [("Poe and others (1999", ["r1"])]


def test_one_link_to_several_entries():
    assert of(linked("As was said (by both).", ("by both", "r1"), ("by both", "r2"))) == [("by both", ["r1", "r2"])]


def test_the_entry_at_the_place_in_a_block_of_several():
    entries = "[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9.\n[2] Roe E. Snow on rivers. Rivers. 2000;4:10-19."
    listed = LIST[0], Draft(1, "ref_text", entries, key="all")
    body = linked(
        "Seen before (by one), twice (by two).", ("by one", "all", 0), ("by two", "all", entries.index("[2]"))
    )
    assert called_out(built(document(body, listed=listed))[0]) == [("by one", ["r1"]), ("by two", ["r2"])]


def test_what_calls_nothing_out():
    heading = linked("Sensors as before", ("before", "r1"), label="sub_title")
    contents = linked("Sites . . . . . . . . 1", ("Sites", "s1"))
    back = linked("5. Moe K. Rime. Rivers. 2003;7:1-2. Cited on page one.", ("page one", "f1"), label="reference")
    workspace, facts = built(document(heading, contents, listed=(*LIST, back)))
    assert called_out(workspace) == []
    assert facts["links"] == 0


def test_a_caption_does_not_call_itself_out():
    own = linked("Figure 9. Ice, as in another.", ("Figure 9", "f9"), ("another", "f1"), label="figure_caption")
    workspace, _ = built(document(Draft(1, "image", "", key="f9"), replace(own, caption_of="f9")))
    (mention,) = workspace.of_type(KAG.CrossReference)
    assert workspace.text(mention, C4O.hasContent) == "another"


def test_links_to_points_of_pages_only_add():
    """A point near which something stands says less than the words that name it."""
    texts = [linked(f"It was so [{n}].", (f"{n}", f"r{n}")) for n in (1, 2, 3, 4)] * 3
    wrong = linked("And [1], and there, and Fig. 9.", ("1", "r2"), ("there", "r3"), ("Fig. 9", "f1"))
    workspace, facts = built(document(*texts, wrong, source="pdf"))
    assert called_out(workspace)[-3:] == [("[1]", ["r1"]), ("there", ["r3"]), ("Fig. 9", ["Figure 1"])]
    assert facts["links against rules"] == 1


def test_links_that_mostly_lead_elsewhere_are_not_believed():
    texts = [linked(f"It was so [{n}].", (f"{n}", f"r{n - 1}")) for n in (2, 3, 4)]
    assert of(*texts, linked("And there.", ("there", "r3")), source="pdf") == [
        ("[2]", ["r2"]), ("[3]", ["r3"]), ("[4]", ["r4"]),
    ]  # fmt: skip


def test_done_twice_is_done_once():
    texts = [linked(f"It was so ({n}).", (f"({n})", f"r{n}")) for n in (1, 2, 3, 4)]
    formula, other = linked("By (3), so.", ("(3)", "e3")), linked("See [1: Fig. 2].", ("[1: Fig. 2]", "r1"))
    differing = linked("Fig. 1 and (1), or (there).", ("Fig. 1", "f2"), ("1)", "r2"), ("there", "f3"))
    workspace, _ = built(document(*texts, formula, other, differing))
    before = set(workspace.graph)
    again = enrich(workspace)
    assert (again["links"], set(workspace.graph)) == (0, before)


def test_a_seam_has_the_words_around_the_cut():
    assert join(3, "see Fig.\n", 4, "3 for more") == Seam(3, 4, "see Fig. 3 for more", 0, 8)
    long = join(0, "a" * 300 + " end", 1, "b" * 300)
    assert (long.start, long.cut, len(long.text)) == (104, 200, 401)
    assert long.text[long.cut - 4 : long.cut + 2] == " end b"[:6]


@pytest.mark.parametrize(("words", "parts"), [
    ("Fig. 3", ((4, 8), (0, 1))),
    ("see Fig.", None),  # before the cut
    ("see Fig. ", None),  # the blank between is of neither
        (" 3", None),
        ("3 for", None),  # behind it
    (". 3 for more", ((7, 8), (0, 10))),
])  # fmt: skip
def test_parts_of_what_a_seam_cuts(words, parts):
    seam = join(0, "see Fig.", 1, "3 for more")
    at = seam.text.index(words)
    assert seam.parts(at, at + len(words)) == parts


def test_places_count_from_the_beginning_of_the_earlier_text():
    earlier, later = "x" * 300 + " (Smith et", "al. 2010) saw"
    seam = join(0, earlier, 1, later)
    at = seam.text.index("Smith et al. 2010")
    (one, end), other = seam.parts(at, at + len("Smith et al. 2010"))
    assert earlier[one:end] == "Smith et"
    assert later[slice(*other)] == "al. 2010"


def test_texts_that_continue_one_another_have_a_seam():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    hosts = [ws.node(name) for name in ("a", "b", "c", "d")]
    for later, earlier in (("b", "a"), ("c", "b"), ("d", "x")):
        ws.add(ws.node(later), KAG.continues, ws.node(earlier))
    seams = find_seams(ws, hosts, ["see", "Fig.", " ", "3"])
    assert [(seam.earlier, seam.later) for seam in seams] == [(0, 1)], "none with a blank text, or one left out"
