"""JATS: running text, formulas, entries, tables, and where the parts of an article go."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from kag.core.types import Document
from kag.sources.jats.citations import entry_words
from kag.sources.jats.inline import formula_of, table_of, words_in
from kag.sources.jats.read import read_jats
from kag.sources.reader_registry import read_form
from kag.sources.reading import AS_IT_IS, Reading


def element(xml: str) -> etree._Element:
    return etree.fromstring(xml)


def article(folder: Path, *, front: str = "", body: str = "", back: str = "", more: str = "") -> Document:
    path = folder / "a.xml"
    path.write_text(
        f"<article><front><article-meta>{front}</article-meta></front><body>{body}</body><back>{back}</back>{more}</article>"
    )
    return read_form(path, "jats", Reading(), "a")


def rows(document: Document) -> list[tuple[str, str]]:
    return [(block.label, block.text) for block in document.blocks]


def test_running_text_keeps_places() -> None:
    words = words_in(element(
        '<p>Cells<sup><xref rid="b1">1</xref>,<xref rid="b2 b3">2</xref></sup> grew in  CO<sub>2</sub>; see'
        ' <italic>Fig. <xref rid="f1">1</xref></italic>.</p>'
    ))  # fmt: skip
    assert words.text == "Cells \\( ^{1,2} \\)  grew in CO \\( _{2} \\) ; see Fig. 1."
    assert words.plain == "Cells¹,² grew in CO₂; see Fig. 1."
    linked = [(words.text[one.start : one.end], one.key) for one in words.targets]
    assert linked == [("1", "b1"), ("2", "b2"), ("2", "b3"), ("1", "f1")]
    assert [(words.text[one.start : one.end], one.kind) for one in words.marks] == [("Fig. 1", "italic")]


def test_places_behind_a_label() -> None:
    words = words_in(element('<p><xref rid="a">x</xref> <bold>y</bold></p>')).behind("2.1")
    assert words.text == "2.1 x y"
    assert [words.text[one.start : one.end] for one in (*words.targets, *words.marks)] == ["x", "y"]


@pytest.mark.parametrize(
    ("mathml", "latex"),
    [
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>2</mn></mrow></mfrac>", r"\frac{a}{b+2}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msub><mi>max</mi><mi>i</mi></msub>", "{max}_{i}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_{i}^{n}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<msqrt><mi>a</mi><mi>b</mi></msqrt>", r"\sqrt{ab}"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", r"\sqrt[3]{a}"),
        ("<mfenced open='['><mi>a</mi><mi>b</mi></mfenced>", "[a, b)"),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
            r"\begin{matrix} a & b \end{matrix}",
        ),
        ("<mi>p</mi><mo>−</mo><mtext>in vivo</mtext>", r"p-\text{in vivo}"),
        ("<semantics><mi>a</mi><annotation>other</annotation></semantics>", "a"),
        ("<mstrange><mi>a</mi>b</mstrange>", "ab"),
    ],
)
def test_formulas(mathml: str, latex: str) -> None:
    assert formula_of(element(f"<inline-formula><math>{mathml}</math></inline-formula>")) == latex


def test_the_publishers_own_tex_comes_first() -> None:
    whole = r"\documentclass{minimal}\begin{document}$$a^2$$\end{document}"
    formula = f"<alternatives><tex-math>{whole}</tex-math><math><mi>x</mi></math></alternatives>"
    assert formula_of(element(f"<disp-formula>{formula}</disp-formula>")) == "a^2"


NAMES = (
    '<person-group person-group-type="author"><name><surname>Poe</surname><given-names>E</given-names></name>'
    "<name><surname>Roe</surname><given-names>AB</given-names></name><etal/></person-group>"
)


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (
            f"<label>3</label><element-citation>{NAMES}<year>2001</year><article-title>On <italic>ice</italic>"
            "</article-title><source>Rivers</source><volume>4</volume><issue>2</issue><fpage>5</fpage><lpage>9</lpage>"
            '<comment>In German</comment><pub-id pub-id-type="doi">10.1/x</pub-id></element-citation>',
            "3. Poe E, Roe AB, et al. (2001). On ice. Rivers 4(2):5–9. In German. doi:10.1/x.",
        ),
        (
            "<label>[4]</label><mixed-citation>Poe E. <source>Rivers</source>. <year>2001</year>;4:5.</mixed-citation>",
            "[4] Poe E. Rivers. 2001;4:5.",
        ),
        (
            "<mixed-citation><name><surname>Hill</surname><given-names>AB</given-names></name>, <name><surname>Dale"
            "</surname><given-names>C</given-names></name><year>2001</year><article-title>Ice of <italic>x</italic>y"
            "</article-title>. <source>J Ice</source>. <volume>3</volume>.<pub-id>10.1/x</pub-id></mixed-citation>",
            "Hill AB, Dale C. 2001 Ice of xy. J Ice. 3. 10.1/x",
        ),
        (
            "<element-citation><collab>The Ice Group</collab><source>A book of ice</source><publisher-name>Floe"
            "</publisher-name></element-citation>",
            "The Ice Group. A book of ice. Floe.",
        ),
    ],
)
def test_entries(inner: str, text: str) -> None:
    assert entry_words(element(f"<ref id='b'>{inner}</ref>")).text == text


def test_cells_with_spans() -> None:
    table = table_of(element(
        "<table><thead><tr><th rowspan='2'>Site</th><th colspan='2'>Lost</th></tr><tr><th>May</th><th>June</th></tr>"
        "</thead><tbody><tr><td>Up<sub>1</sub></td><td colspan='x'>3</td><td rowspan='99999999'>4</td></tr>"
        "</tbody></table>"
    ))  # fmt: skip
    assert table.grid() == (("Site", "Lost", "Lost"), ("Site", "May", "June"), ("Up \\( _{1} \\)", "3", "4"))
    assert [cell.header for cell in table.cells] == [True] * 4 + [False] * 3


def test_what_is_set_apart_cuts_a_paragraph_and_floats_stand_behind_it(tmp_path: Path) -> None:
    body = (
        "<p>We set <disp-formula id='e1'><label>(3)</label><tex-math>a = b</tex-math></disp-formula> where a is ice"
        "<fig id='f1'><label>Fig. 1</label><caption><title>Ice.</title><p>In May.</p></caption></fig> of rivers.</p>"
    )
    document = article(tmp_path, body=body)
    assert rows(document) == [
        ("text", "We set"),
        ("equation", "\\[ a = b \\tag{3} \\]"),
        ("text", "where a is ice of rivers."),
        ("image", ""),
        ("figure_caption", "Fig. 1. Ice. In May."),
    ]
    assert document.blocks[2].continues == document.blocks[0].id
    assert document.blocks[4].caption_of == document.blocks[3].id


def test_floats_that_stand_apart_come_behind_the_text_that_names_them(tmp_path: Path) -> None:
    fig = "<fig id='f{n}'><label>Figure {n}</label><caption><p>Ice.</p></caption></fig>"
    document = article(
        tmp_path,
        body="<p>One.</p><p>See <xref rid='f2'>Fig. 2</xref>.</p><p>Three.</p>",
        more=f"<floats-group>{fig.format(n=1)}{fig.format(n=2)}</floats-group>",
    )
    assert [text for label, text in rows(document) if label != "image"] == [
        "One.", "See Fig. 2.", "Figure 2. Ice.", "Three.", "Figure 1. Ice.",
    ]  # fmt: skip
    (link,) = document.blocks[1].links
    assert document.blocks[1].text[link.start : link.end] == "Fig. 2"
    assert link.block == next(block.id for block in document.blocks if block.label == "image")


def test_figures_in_figures_and_words_for_those_who_cannot_see(tmp_path: Path) -> None:
    body = (
        "<fig id='f1'><label>Figure 1.</label><caption><p>Ice.</p></caption><alt-text>A river</alt-text><p>"
        "<fig id='s1'><label>Figure 1—figure supplement 1.</label><caption><p>Snow.</p></caption></fig></p></fig>"
    )
    assert rows(article(tmp_path, body=body)) == [
        ("image", ""),
        ("figure_caption", "Figure 1. Ice."),
        ("metadata", "A river"),
        ("image", ""),
        ("figure_caption", "Figure 1—figure supplement 1. Snow."),
    ]


def test_sections_lists_notes_and_what_the_style_sheet_says(tmp_path: Path) -> None:
    body = (
        "<sec id='s1'><label>2.</label><title>Methods</title><sec><title>Sites</title><list><list-item>"
        "<label>(a)</label><p>Upper</p></list-item><list-item><p>Lower</p></list-item></list></sec></sec>"
    )
    back = (
        "<ack><p>We thank all.</p></ack><fn-group><title>Notes</title><fn><p>No conflicts.</p></fn></fn-group>"
        "<ref-list><ref id='b1'><mixed-citation>Poe E. Ice. 2001.</mixed-citation></ref></ref-list>"
    )
    abstract = "<abstract><sec><title>Aim</title><p>To see.</p></sec></abstract>"
    document = article(tmp_path, front=abstract, body=body, back=back)
    assert [(block.label, block.heading_level, block.text) for block in document.blocks] == [
        ("sub_title", 1, "Abstract"), ("sub_title", 2, "Aim"), ("text", 0, "To see."),
        ("sub_title", 1, "2. Methods"), ("sub_title", 2, "Sites"), ("text", 0, "(a) Upper"), ("text", 0, "Lower"),
        ("sub_title", 1, "Acknowledgments"), ("text", 0, "We thank all."), ("sub_title", 1, "Notes"),
        ("footnote", 0, "No conflicts."), ("sub_title", 1, "References"), ("reference", 0, "Poe E. Ice. 2001."),
    ]  # fmt: skip


def test_the_front_is_printed_or_told_as_data(tmp_path: Path) -> None:
    front = (
        "<article-id pub-id-type='doi'>10.1/x</article-id><title-group><article-title>On <italic>ice</italic>"
        "</article-title></title-group><contrib-group><contrib contrib-type='author'><name><surname>Lima</surname>"
        "<given-names>Ana</given-names></name><email>a@ice</email></contrib></contrib-group><aff><label>1</label>"
        "<institution>Ice School</institution><country>Peru</country></aff><pub-date><year>2021</year></pub-date>"
        "<pub-date><year>2020</year></pub-date><kwd-group><kwd>ice</kwd><kwd>rivers</kwd></kwd-group>"
    )
    document = article(tmp_path, front=front, body="<p>Text.</p>")
    assert [text for label, text in rows(document) if label != "metadata"] == [
        "On ice", "Ana Lima", "1 Ice School, Peru", "Keywords: ice; rivers", "Text.",
    ]  # fmt: skip
    assert "a@ice" in " ".join(text for label, text in rows(document) if label == "metadata")
    known = document.metadata
    assert (known.title, known.authors, known.year, known.doi) == ("On ice", ("Ana Lima",), "2020", "10.1/x")
    assert known.trusted


def front(tmp_path: Path, meta: str, journal: str = "") -> Document:
    text = f"<article><front><journal-meta>{journal}</journal-meta><article-meta>{meta}</article-meta></front>"
    (tmp_path / "a.xml").write_text(f"{text}<body><p>Text.</p></body></article>", encoding="utf-8")
    return read_form(tmp_path / "a.xml", "jats", Reading(), "a")


@pytest.mark.parametrize(("meta", "imprint"), [
    ("<pub-date><day>07</day><month>5</month><year>2014</year></pub-date>", "Rivers. Published 7 May 2014"),
    ("<pub-date><month>13</month><year>2014</year></pub-date>", "Rivers. Published 2014"),
    ("<pub-date><season>Spring</season><year>2014</year></pub-date>", "Rivers. Published 2014"),
    ("<pub-date><year>2015</year></pub-date><pub-date><year>2014</year></pub-date>"
     "<pub-date><month>3</month><year>2014</year></pub-date>", "Rivers. Published March 2014"),
    ("<pub-date><year>in press</year></pub-date>", "Rivers"),
    ("<history><date date-type='received'><day>1</day><month>2</month><year>2013</year></date>"
     "<date date-type='preprint'><year>2012</year></date><date date-type='rev-recd'><year>2013</year></date>"
     "<date date-type='accepted'><month>4</month><year>2013</year></date></history>",
     "Rivers. Received 1 February 2013; revised 2013; accepted April 2013"),
    ("<article-id pub-id-type='doi'>10.1/x</article-id><article-id pub-id-type='pmid'>1</article-id>",
     "Rivers. doi:10.1/x"),
    ("<author-notes><fn><p>First published 7 May 2014, doi:10.1/x</p></fn></author-notes><article-id pub-id-type='doi'>"
     "10.1/x</article-id><pub-date><day>7</day><month>5</month><year>2014</year></pub-date>", "Rivers"),  # printed
    ("", "Rivers"),
])  # fmt: skip
def test_the_imprint(tmp_path: Path, meta: str, imprint: str) -> None:
    document = front(tmp_path, meta, "<journal-title>Rivers</journal-title>")
    assert [text for label, text in rows(document) if label == "text"] == [imprint, "Text."]
    assert ("text", imprint) not in rows(front(tmp_path, meta)), "of no journal"


@pytest.mark.parametrize(("journal", "name"), [
    ("<journal-id journal-id-type='nlm-ta'>Riv</journal-id><journal-title>Rivers</journal-title>", "Rivers"),
    ("<journal-title-group><journal-title>Rivers</journal-title></journal-title-group>", "Rivers"),
    ("<journal-id journal-id-type='pmc'>riv</journal-id><journal-id journal-id-type='nlm-ta'>Riv</journal-id>", "Riv"),
    ("<issn>1234</issn>", ""),
])  # fmt: skip
def test_the_journal(tmp_path: Path, journal: str, name: str) -> None:
    document = front(tmp_path, "<pub-date><year>2014</year></pub-date>", journal)
    assert document.metadata.journal == name
    assert (("text", f"{name}. Published 2014") in rows(document)) == bool(name)


def test_the_members_of_a_group_are_not_its_name(tmp_path: Path) -> None:
    members = "<contrib-group><contrib><name><surname>Berg</surname></name></contrib></contrib-group>"
    group = f"<contrib-group><contrib><collab>The Ice Group{members}</collab></contrib></contrib-group>"
    document = front(tmp_path, group)
    assert document.metadata.authors == ("The Ice Group",)
    assert "Berg" in " ".join(text for label, text in rows(document) if label == "metadata")


def test_another_article_in_the_file_is_left_out_aloud(tmp_path: Path) -> None:
    other = "<sub-article><front-stub><title-group><article-title>Letter</article-title></title-group></front-stub>"
    document = article(tmp_path, body="<p>Text.</p>", more=f"{other}<body><p>Good.</p></body></sub-article>")
    assert rows(document) == [("text", "Text."), ("other_article", "Letter"), ("other_article", "Good.")]


def test_a_box_has_its_title_in_a_caption(tmp_path: Path) -> None:
    fig = "<fig id='f'><label>Box figure 1.</label><caption><p>Snow.</p></caption></fig>"
    box = f"<boxed-text><label>Box 1.</label><caption><title>Ice.</title><p>It melts.{fig}</p></caption></boxed-text>"
    assert [row for row in rows(article(tmp_path, body=f"<sec><title>Text</title><p>One.</p>{box}</sec>"))] == [
        ("sub_title", "Text"), ("text", "One."), ("sub_title", "Box 1. Ice."), ("text", "It melts."), ("image", ""),
        ("figure_caption", "Box figure 1. Snow."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("aff", "words"),
    [
        ("Institute of Ice, Aberdeen", "Institute of Ice, Aberdeen"),
        ("<label>1</label>Institute of Ice, Aberdeen", "1 Institute of Ice, Aberdeen"),
        ("<label>1</label><institution>Institute of Ice</institution><country>UK</country>", "1 Institute of Ice, UK"),
    ],
)
def test_an_affiliation_is_read_whole(aff, words, tmp_path):
    path = tmp_path / "paper.xml"
    path.write_text(
        "<article><front><article-meta><title-group><article-title>Ice</article-title></title-group>"
        f"<aff id='a1'>{aff}</aff></article-meta></front><body><p>Words.</p></body></article>"
    )
    texts = [(draft.label, " ".join(draft.text.split())) for draft in read_jats(path, AS_IT_IS).drafts]
    assert ("text", words) in texts
