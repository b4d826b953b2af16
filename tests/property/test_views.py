"""Whatever stands in a paper and whatever is asked: views stay small, page through everything, and refuse politely."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import InvalidOperation
from kag.core.tool import error_data
from kag.qa.passage_index import SearchIndex
from kag.qa.passages import passages
from kag.qa.views.view_bounds import MAX_BYTES, MAX_ITEMS, size
from kag.qa.views.views import Views, overview
from tests.unit.qa.papers import Maker

WILD = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="\"'\\\n\t\x00\x1f😀漢ß<>{}$^_-*: ice", max_size=2000),
    st.builds(lambda part, times: part * times, st.text(min_size=1, max_size=5), st.integers(1, 3000)),
)
NAMES = st.one_of(
    st.sampled_from(
        ["", "ex:document", "s_0", "s_1", "b_0", "ex:b_1", "r_0", "1", "Figure 1", "f_0", "f_0_description"]
    ),
    WILD,
    st.text(alphabet=st.characters(), max_size=20),  # half surrogates as well
)
ARGUMENTS = st.one_of(NAMES, st.integers(-5, 10**12), st.none(), st.booleans(), st.floats(), st.lists(st.text()))


@st.composite
def papers(draw):
    """A paper of wild texts; often with many children, many links and long names."""
    make = Maker()
    make.put("document", "dcterms:title", draw(WILD))
    make.put("document", "dcterms:creator", *draw(st.lists(WILD, max_size=30)))
    tail = draw(st.sampled_from(["", "x" * 50, "é" * 3000]))
    for number in range(2):
        make.section(f"s_{number}", draw(WILD), "document" if draw(st.booleans()) or not number else "s_0", number="1")
    texts = draw(st.lists(WILD, min_size=1, max_size=6))
    count = draw(st.sampled_from([1, 5, 60, 150]))
    for number in range(count):
        make.add(f"b_{number}{tail}", "doco:Paragraph", texts[number % len(texts)], f"s_{number % 2}", 1 + number // 9)
    for number in range(min(count, 40)):
        make.add(f"r_{number}{tail}", "deo:BibliographicReference", texts[-1], citationNumber=str(number))
        make.link("b_0" + tail, "cito:cites", f"r_{number}{tail}")
        make.link(f"b_{number}{tail}", "kag:refersTo", f"f_{number % 2}", "s_1")
    for number in range(2):
        cls = ("doco:Figure", "doco:Table")[number]
        make.add(f"f_{number}", cls, texts[0] * number, "s_1", floatNumber="1", floatLabel=texts[0][:2000])
        make.put(f"f_{number}", "kag:imageDescription", texts[-1])
        make.add(f"c_{number}", "deo:Caption", texts[-1], "s_1")
        make.link(f"c_{number}", "kag:describes", f"f_{number}")
    return make.paper()


def told(call):
    """What a caller gets: the result, or the refusal as data; anything else that is raised fails the test."""
    try:
        return call()
    except InvalidOperation as refused:
        return error_data(refused)


def small(result):
    assert size(result) <= MAX_BYTES
    assert len(result.get("items", [])) <= MAX_ITEMS
    assert json.loads(json.dumps(result, ensure_ascii=False).encode()) == result


@settings(max_examples=15, deadline=None)
@given(papers(), st.one_of(WILD, st.just("ice kind:paragraph"), st.just('"ice" -kind:caption')))
def test_results_are_small_and_paging_visits_each_item_once(paper, query):
    views = Views(paper)
    assert size(overview(paper)) <= 6000
    sample = [*paper.nodes][:3] + [*paper.nodes][-6:]
    for iri in sample:
        small(views.g_node_detail(iri))
        small(views.g_node_detail(iri, 7))
    for node in paper.of_kind("Figure", "Table"):
        small(views.g_figure_info(node.iri))
    calls = [(views.g_section_content, iri) for iri in ("", *paper.sections)]
    calls += [(views.g_node_refs, iri) for iri in (*sample, *paper.sections, paper.document)]
    if query.strip() and len(query) <= 1000:
        calls.append((lambda asked, cursor="": views.g_search(asked, 20, cursor), query))
    for view, argument in calls:
        seen, cursor, total = [], "", 0
        while True:
            result = view(argument, cursor=cursor)
            small(result)
            assert result == view(argument, cursor=cursor)
            seen += [json.dumps(item) for item in result["items"]]
            cursor, total = result["cursor"], result["total"]
            if not cursor:
                break
            assert result["items"], "each page goes on"
        assert len(seen) == total


@settings(max_examples=60, deadline=None)
@given(papers(), st.lists(ARGUMENTS, min_size=3, max_size=3))
def test_no_argument_breaks_a_view(paper, arguments):
    views, (first, second, third) = Views(paper), arguments
    calls = (
        lambda: views.g_section_content(first, second),
        lambda: views.g_node_detail(first, second),
        lambda: views.g_search(first, second, third),
        lambda: views.g_search(first),
        lambda: views.g_figure_info(first),
        lambda: views.g_node_refs(first, second),
        lambda: views.g_node_refs(first),
    )
    for call in calls:
        result = told(call)
        small(result)
        assert result["ok"] or result["hint"]


@settings(max_examples=30, deadline=None)
@given(st.lists(WILD, min_size=1, max_size=5), WILD)
def test_hits_print_what_they_say(texts, query):
    make = Maker()
    for number, text in enumerate(texts):
        make.add(f"b_{number}", "doco:Paragraph", text)
    paper = make.paper()
    results = SearchIndex(passages(paper)).search(query, 50)
    assert len(results.hits) == min(results.total, 50)
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in results.hits:
        for iri, start, end in (*hit.spans, hit.snippet):
            assert 0 <= start < end <= len(paper.nodes[iri].text)
