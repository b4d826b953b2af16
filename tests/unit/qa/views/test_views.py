"""The five views over a small paper: what they say, how they page, and what they refuse."""

import json

import pytest

from kag.core.content import ContentStore
from kag.core.errors import BadValue, InvalidOperation, UnknownNode
from kag.qa.paper import GRAPH, PaperGraph
from kag.qa.quote import find_quote
from kag.qa.views.view_bounds import MAX_BYTES, MAX_ITEMS, size
from kag.qa.views.views import Views, outline, overview
from kag.rdf.published import PublishedGraph
from kag.text.words import tokens
from tests.unit.qa.papers import BASE, Maker, ice


@pytest.fixture(scope="module")
def views():
    return Views(ice())


def nodes(result):
    return [item["node"] for item in result["items"]]


def every(call):
    """All items of a paged view."""
    found, cursor = [], ""
    while True:
        result = call(cursor)
        found += result["items"]
        cursor = result["cursor"]
        if not cursor:
            assert len(found) == result["total"]
            return found


@pytest.mark.parametrize("name", ["ex:s_methods", "s_methods", BASE + "s_methods", "2", "Section 2", "methods",
                                  "Materials and Methods", "2 MATERIALS AND METHODS", "Materials"])  # fmt: skip
def test_a_section_has_many_names(views, name):
    assert views.g_section_content(name)["section"] == "ex:s_methods"


def test_section_content(views):
    assert views.g_section_content("Introduction") == {
        "ok": True,
        "section": "ex:s_intro",
        "title": "1 Introduction",
        "number": "1",
        "page": 1,
        "path": [],
        "types": ["Introduction"],
        "header": "ex:s_intro_title",
        "total": 3,
        "items": [
            {
                "node": "ex:b_1",
                "kind": "Paragraph",
                "page": 1,
                "text": "The half-life of  \\( ^{89} \\) Zr is 78 h [1]. Sensors fail as",
                "chars": 61,
                "continued": [{"node": "ex:b_4", "page": 2}],
            },
            {"node": "ex:b_2", "kind": "Figure", "page": 1, "label": "Fig. 1", "text": "", "chars": 0},
            {
                "node": "ex:b_3",
                "kind": "Caption",
                "page": 1,
                "text": "Fig. 1. (a) Losses. (b) Depth of the ice.",
                "chars": 41,
            },
        ],
        "cursor": "",
    }
    assert views.g_section_content("2")["items"] == [
        {"node": "ex:s_sites", "kind": "Section", "page": 2, "text": "2.1 Sites", "number": "2.1", "items": 3}
    ]
    assert views.g_section_content("2.1")["path"] == ["2 Materials and Methods"]


def test_the_paper_itself_is_the_outermost_section(views):
    told = views.g_section_content("")
    assert nodes(told) == ["ex:s_intro", "ex:s_methods", "ex:s_refs"]
    assert told["title"] == "Sensors under river ice"
    assert views.g_section_content("ex:document") == told


def test_node_detail_reads_on_through_a_continuation(views):
    told = views.g_node_detail("b_4")
    assert told["text"].endswith("Sensors fail as\nwas shown before [2, 1].")
    assert told["parts"] == [
        {"node": "ex:b_1", "page": 1, "start": 0, "end": 61},
        {"node": "ex:b_4", "page": 2, "start": 62, "end": 86},
    ]
    assert (told["page"], told["section"]) == (2, {"node": "ex:s_intro", "title": "1 Introduction"})
    properties = {one["name"]: one for one in told["properties"]}
    assert properties["cito:cites"] == {"name": "cito:cites", "total": 2, "values": ["ex:b_8", "ex:b_9"]}
    assert properties["kag:continues"]["values"] == ["ex:b_1"]
    assert told["properties_total"] == len(properties)
    assert "kag:fullText" not in properties


def test_a_long_text_is_read_window_by_window():
    make = Maker()
    text = " ".join(f"word{number}" for number in range(900))
    make.add("b_1", "doco:Paragraph", text)
    views, read, offset = Views(make.paper()), "", 0
    while offset is not None:
        told = views.g_node_detail("b_1", offset)
        assert len(told["text"]) == min(2000, told["chars"] - offset)
        read, offset = read + told["text"], told["next"]
    assert read == text
    assert views.g_node_detail("b_1", 10**6)["text"] == ""


def test_search_gives_what_can_be_quoted(views):
    (found,) = views.g_search("half life 89Zr kind:paragraph")["items"]
    assert (found["node"], found["page"], found["section"]) == ("ex:b_1", 1, "1 Introduction")
    text = views.g_node_detail(found["node"])["text"]
    assert text[found["start"] : found["end"]] == found["text"]
    assert find_quote(text, found["text"]) == (found["start"], found["end"])
    assert views.g_search("zebra ice")["unknown"] == ["zebra"]


def test_search_is_paged(views):
    assert [item["node"] for item in every(lambda cursor: views.g_search("ice", 1, cursor))] == nodes(
        views.g_search("ice")
    )
    assert len(views.g_search("ice", limit=2)["items"]) == 2
    assert len(views.g_search("ice", limit="2")["items"]) == 2


def test_figures_and_tables(views):
    told = views.g_figure_info("Figure 1")
    assert (told["figure"], told["label"], told["caption"]["node"]) == ("ex:b_2", "Fig. 1", "ex:b_3")
    assert told["caption"]["text"] == "Fig. 1. (a) Losses. (b) Depth of the ice."
    assert [row["node"] for row in told["referred_by"]] == ["ex:b_5"]
    assert (told["picture"], told["problem"]) == (None, "the figure has no picture file")
    table = views.g_figure_info("table 1.")
    assert (table["figure"], table["kind"], table["caption"]["node"]) == ("ex:b_6", "Table", "ex:b_7")
    assert table["table"] == {
        "rows": None,
        "columns": None,
        "text": "Site | Lost\nUpper | 3\nLower | 14",
        "chars": 32,
        "next": None,
    }


def test_the_size_of_a_table():
    make, content = Maker(), ContentStore()
    ref = content.put("cells", json.dumps([["Site", "Lost"], ["Upper", "3"], ["Lower", "14"]]))
    make.add("b_1", "doco:Table", "Site | Lost", tableCells=ref)
    table = Views(make.paper(content)).g_figure_info("b_1")["table"]
    assert (table["rows"], table["columns"]) == (3, 2)


def test_refs_of_a_text_with_its_continuation(views):
    told = views.g_node_refs("b_1")
    assert told["counts"] == {"cites": 2}
    first, second = told["items"]
    assert (first["node"], first["in"], first["surface"], first["times"]) == ("ex:b_8", "ex:b_1", "[1]", 2)
    assert (second["node"], second["in"], second["surface"]) == ("ex:b_9", "ex:b_4", "[2, 1]")
    assert views.g_node_detail("b_1")["text"][first["start"] : first["end"]] == "[1]"
    assert views.g_node_refs("b_4")["items"] == told["items"]


def test_refs_backwards(views):
    reference = views.g_node_refs("b_8")
    assert reference["counts"] == {"cited_by": 2}
    assert [(item["node"], item["surface"]) for item in reference["items"]] == [("ex:b_1", "[1]"), ("ex:b_4", "[2, 1]")]
    figure = views.g_node_refs("Figure 1")
    assert [(item["relation"], item["node"]) for item in figure["items"]] == [
        ("referred_by", "ex:b_5"),
        ("described_by", "ex:b_3"),
    ]


def test_refs_of_a_section_are_those_in_it(views):
    assert views.g_node_refs("Introduction")["counts"] == {"cites": 2, "describes": 1}
    assert views.g_node_refs("Methods")["counts"] == {"refers_to": 1, "describes": 1}
    assert views.g_node_refs("ex:document")["counts"] == {"cites": 2, "refers_to": 1, "describes": 2}


def test_links_without_mentions_count_as_well():
    make = Maker()
    make.add("b_1", "doco:Paragraph", "As said before.")
    make.add("b_2", "deo:BibliographicReference", "Poe E. 1999.")
    make.link("b_1", "cito:cites", "b_2")
    views = Views(make.paper())
    (item,) = views.g_node_refs("b_1")["items"]
    assert (item["relation"], item["node"], "surface" in item) == ("cites", "ex:b_2", False)
    assert views.g_node_refs("b_2")["counts"] == {"cited_by": 1}


@pytest.fixture(scope="module")
def large():
    """A section of 200 paragraphs that all cite the same of 50 references."""
    make = Maker()
    make.section("s", "Results")
    for number in range(50):
        make.add(
            f"r_{number:03d}", "deo:BibliographicReference", f"Poe E{number}. Ice.", citationNumber=str(number + 1)
        )
    for number in range(200):
        name = make.add(f"b_{number:03d}", "doco:Paragraph", f"Ice {number} " + "was thick. " * 30, "s")
        make.mention(name, f"{name}-m", str(number), *(f"r_{one:03d}" for one in range(50)))
    return Views(make.paper())


def test_long_lists_are_bounded_and_paged(large):
    contents = every(lambda cursor: large.g_section_content("s", cursor))
    assert [item["node"] for item in contents] == [f"ex:b_{number:03d}" for number in range(200)]
    cited = every(lambda cursor: large.g_node_refs("s", cursor))
    assert [item["times"] for item in cited] == [200] * 50
    assert len(every(lambda cursor: large.g_node_refs("r_001", cursor))) == 200
    for result in (large.g_section_content("s"), large.g_node_refs("s"), large.g_search("ice", 99)):
        assert size(result) <= MAX_BYTES
        assert 0 < len(result["items"]) <= MAX_ITEMS


def test_a_cursor_belongs_to_its_call(large):
    cursor = large.g_section_content("s")["cursor"]
    assert cursor == large.g_section_content("Results")["cursor"]
    for call in (lambda: large.g_node_refs("s", cursor), lambda: large.g_section_content("", cursor)):
        with pytest.raises(BadValue, match="cursor"):
            call()
    for bad in ("x", "0-" + cursor.partition("-")[2], "999-" + cursor.partition("-")[2], "²-a", cursor + " "):
        with pytest.raises(BadValue):
            large.g_section_content("s", bad)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ex:b_10", "ex:b_1"),
        ("b_33", "ex:b_3"),
        ("Figure 9", "ex:b_2 Fig. 1, ex:b_6 Table 1"),
        ("Weather", "ex:s_intro 1 Introduction"),
        ("", "ex:s_intro 1 Introduction"),
    ],
)
def test_an_unknown_name_is_told_what_there_is(views, name, hint):
    with pytest.raises(UnknownNode) as refused:
        views.g_node_detail(name)
    assert hint in refused.value.hint


def test_wrong_arguments(views):
    with pytest.raises(BadValue, match="not a section"):
        views.g_section_content("ex:b_1")
    with pytest.raises(BadValue, match="not a figure or table"):
        views.g_figure_info("ex:b_1")
    for call in (
        lambda: views.g_search(" "),
        lambda: views.g_search("x" * 2000),
        lambda: views.g_search("ice", 0),
        lambda: views.g_search("ice", True),
        lambda: views.g_search("ice", 1.5),
        lambda: views.g_search(None),
        lambda: views.g_node_detail("b_1", -1),
        lambda: views.g_node_detail(5),
        lambda: views.g_node_refs("b_1", 5),
    ):
        with pytest.raises(BadValue):
            call()


def test_two_sections_of_one_name_are_told_apart():
    make = Maker()
    make.section("s_1", "Sites")
    make.section("s_2", "Sites")
    with pytest.raises(BadValue, match="2 sections") as refused:
        Views(make.paper()).g_section_content("sites")
    assert "ex:s_1" in refused.value.hint
    assert "ex:s_2" in refused.value.hint


def test_overview(views):
    told = overview(ice())
    assert (told["title"], told["authors"], told["year"]) == (
        "Sensors under river ice",
        ["Ana Lima", "Jon Berg"],
        "2021",
    )
    assert told["counts"] == {
        "pages": 3,
        "sections": 4,
        "paragraphs": 2,
        "figures": 1,
        "tables": 1,
        "formulas": 0,
        "footnotes": 0,
        "references": 2,
        "citing_texts": 2,
        "cited_references": 2,
    }
    assert [(row["node"], row["depth"]) for row in told["sections"]] == [
        ("ex:s_intro", 1),
        ("ex:s_methods", 1),
        ("ex:s_sites", 2),
        ("ex:s_refs", 1),
    ]
    assert [(row["label"], row["caption"]) for row in told["floats"]] == [
        ("Fig. 1", "Fig. 1. (a) Losses. (b) Depth of the ice."),
        ("Table 1", "Table 1. Losses by site."),
    ]


def test_a_long_overview_keeps_the_top_of_the_tree():
    make = Maker()
    for number in range(30):
        make.section(f"s_{number}", f"Chapter {number} on ice")
        for sub in range(20):
            make.section(f"s_{number}_{sub}", f"Part {sub} of chapter {number}", f"s_{number}")
        make.add(f"f_{number}", "doco:Figure", "", floatNumber=str(number), floatLabel=f"Fig. {number}")
    told = overview(make.paper())
    assert size(told) <= 6000
    assert sum(row["depth"] == 1 for row in told["sections"]) == 30
    assert told["sections_left_out"] == 630 - len(told["sections"])
    assert told["floats_left_out"] == 30 - len(told["floats"]) < 30


def test_the_views_read_what_kag_writes(bundled_runs):
    for run in sorted(path.parent for path in bundled_runs.glob(f"*/{GRAPH}")):
        look_at_everything(PaperGraph.load(run))


def test_the_views_read_graphs_of_the_reference_implementation(shared):
    runs = sorted(path.parent for path in (shared / "data" / "kag_reference" / "results").glob(f"*/{GRAPH}"))
    assert len(runs) == 2
    for run in runs:
        look_at_everything(PaperGraph.load(run))


def look_at_everything(paper):
    """Each view on each node it is for, bounded and the same as JSON; the sections hold every printed text."""
    views, listed = Views(paper), set()
    for section in ["", *paper.sections]:
        for item in every(lambda cursor, section=section: views.g_section_content(section, cursor)):
            listed |= {item["node"], *(part["node"] for part in item.get("continued", []))}
    headers = {paper.name(section.header) for section in paper.sections.values()}
    assert {node.name for node in paper.nodes.values()} <= listed | headers
    for iri in [*paper.nodes, *paper.sections, paper.document]:
        for result in (views.g_node_detail(iri), views.g_node_refs(iri)):
            assert size(result) <= MAX_BYTES
            assert json.loads(json.dumps(result)) == result
    for node in paper.of_kind("Figure", "Table"):
        assert size(views.g_figure_info(node.iri)) <= MAX_BYTES
    for node in paper.nodes.values():
        words = [token.text for token in tokens(node.text, wholes=False)[:6]]
        if node.kind == "Paragraph" and len(words) == 6:
            assert node.name in nodes(views.g_search(f'"{" ".join(words)}" kind:paragraph', 20))
    assert size(overview(paper)) <= 6000
    with pytest.raises(InvalidOperation):
        views.g_section_content("no such section")


def test_an_older_graph_without_a_base_of_its_own():
    graph = PublishedGraph.parse(
        "@prefix doco: <http://purl.org/spar/doco/> . @prefix ex: <http://la3d.local/kag/doc/> . "
        "@prefix kag: <http://la3d.local/kag#> . ex:document a doco:Document . "
        'ex:b_p002_0003 a doco:Paragraph ; kag:pageNumber 2 ; kag:fullText "Ice." .'
    )
    views = Views(PaperGraph(graph, ContentStore(), "old"))
    assert views.g_search("ice")["items"][0]["node"] == "ex:b_p002_0003"
    assert nodes(views.g_section_content("")) == ["ex:b_p002_0003"]


def test_an_outline_is_lines_that_fit_a_prompt() -> None:
    make = Maker()
    for number in range(120):
        parent = f"s_{number - 1}" if number % 3 else "document"
        make.section(f"s_{number}", f"{number} {'A title of some words ' * 3}", parent)
    told = outline(make.paper())
    assert len(told.encode()) <= 1_500
    assert told.splitlines()[-1].endswith(" more)")
    assert "0 A title" in told
    assert "; 1 A title" not in told, "the deepest are left out first"
