"""The ten tools that agents are offered by default: sizes, what each returns, and errors that name arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from kag.qa.views.view_bounds import size
from kag.serve.mcp.papers import OpenPapers
from kag.serve.mcp.reader_tools import MOST
from kag.serve.mcp.toolset import FORMATS, as_format
from tests.conftest import BUNDLED

Client = pytest.importorskip("mcp.client", reason="the extra mcp is not installed").Client
MCPError = pytest.importorskip("mcp.shared.exceptions").MCPError
mcp_server = pytest.importorskip("kag.serve.mcp.server").mcp_server
BEES = "urban_pollinators"
QUOTE = "Flower cover was estimated in ten squares"


@pytest.fixture(scope="module")
def papers(bundled_runs: Path) -> Iterator[OpenPapers]:
    opened = OpenPapers(bundled_runs, sources=(BUNDLED,))
    yield opened
    opened.close()


def call(papers: OpenPapers, name: str, **arguments: Any) -> dict[str, Any]:
    """What a client is given: one JSON text, and nothing a second time."""

    async def session() -> dict[str, Any]:
        async with Client(mcp_server(papers)) as client:
            result = await client.call_tool(name, arguments)
            assert result.structured_content is None
            found: dict[str, Any] = json.loads(result.content[0].text)
            assert result.is_error == (found["ok"] is not True)
            return found

    return anyio.run(session)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_papers", {}),
    ("search_papers", {"query": "wild bees"}),
    ("search_papers", {"query": "wild bees", "paper": BEES}),
    ("outline_paper", {"paper": BEES}),
    ("read_section", {"paper": BEES, "section": "Discussion"}),
    ("read_section", {"paper": BEES, "section": "References"}),
    ("read_passage", {"paper": BEES, "node": "Table 1"}),
    ("list_references", {"paper": BEES}),
    ("find_links", {"paper": BEES, "node": "Discussion"}),
    ("answer_question", {"question": "List all references", "paper": BEES}),
    ("answer_question", {"question": "How was flower cover estimated?"}),
    ("verify_claim", {"claim": "Ten squares were used.", "quote": QUOTE}),
]


def test_there_are_ten_tools_and_their_declarations_are_small() -> None:
    for form in FORMATS:
        tools = as_format(form)
        assert len(tools) == 10
        assert size(tools) < 8_000, form


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=[name for name, _ in CALLS])
def test_results_are_small_and_say_nothing_twice(papers: OpenPapers, name: str, arguments: dict[str, Any]) -> None:
    found = call(papers, name, **arguments)
    assert found["ok"], found
    assert size(found) <= MOST
    texts = [text for text in strings(found) if len(text) > 60]
    assert len(texts) == len(set(texts))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def test_papers_are_listed_with_their_authors(papers: OpenPapers) -> None:
    (row,) = call(papers, "list_papers", query="allotments")["items"]
    assert row["authors"][:2] == ["Ágnes Szőke", "Tor M. Ødegård"]
    assert row["year"] == "2021"


def test_a_section_is_read_to_its_end(papers: OpenPapers) -> None:
    whole, cursor = [], ""
    while True:
        page = call(papers, "read_section", paper=BEES, section="Field sampling", cursor=cursor)
        whole += page["items"]
        cursor = page["cursor"]
        if not cursor:
            break
    assert len(whole) == page["total"]
    assert any(QUOTE in row.get("text", "") for row in whole)


def test_a_long_passage_continues_at_its_offset(papers: OpenPapers) -> None:
    graph = papers.library[BEES]
    node = max((node for node in graph.nodes.values() if node.kind != "Table"), key=lambda node: len(node.text))
    text, offset = "", 0
    while offset is not None:
        page = call(papers, "read_passage", paper=BEES, node=node.name, offset=offset)
        text, offset = text + page["text"], page["next_offset"]
    assert text == node.text


def test_outline_has_all_sections_figures_and_tables(papers: OpenPapers) -> None:
    found = call(papers, "outline_paper", paper=BEES)
    assert found["cursor"] == ""
    assert {"Introduction", "Field sampling"} <= {row["title"].capitalize() for row in found["items"]} | {
        "Introduction"
    }
    assert {row["label"] for row in found["items"] if "label" in row} >= {"TABLE 1", "FIGURE 1"}


def test_references_name_the_passages_that_cite_them(papers: OpenPapers) -> None:
    (row,) = call(papers, "list_references", paper=BEES, query="Baker census")["items"]
    assert row["cited_in"]
    for node in row["cited_in"]:
        assert "Baker" in call(papers, "read_passage", paper=BEES, node=node)["text"]


def test_a_claim_is_verified_by_its_quote_alone(papers: OpenPapers) -> None:
    found = call(papers, "verify_claim", claim="Flower cover was estimated in ten squares.", quote=QUOTE)
    (proof,) = found["evidence"]
    assert (found["printed"], proof["paper"], proof["page"], proof["quote"]) == (True, BEES, 1, QUOTE)
    false = call(papers, "verify_claim", claim="Flower cover was estimated in 12 squares.", quote=QUOTE)
    assert false["verdict"] == "undecided", "a number that the quote does not print"
    made_up = call(papers, "verify_claim", claim="Bees sing.", quote="Bees sing at night.")
    assert (made_up["ok"], made_up["error"]) == (False, "the quote is printed in none of the papers searched")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search_papers", {}, "argument 'query' of search_papers is missing"),
        ("search_papers", {"query": " "}, "query is empty"),
        (
            "search_papers",
            {"q": "bees", "query": "bees"},
            "unknown argument 'q' of search_papers; it takes query, paper",
        ),
        ("read_passage", {"paper": BEES, "node": 4}, "argument 'node' of read_passage is not of type string"),
        ("read_passage", {"paper": BEES, "node": "Discussion"}, "is a section"),
        ("read_passage", {"paper": "nobody", "node": "ex:b"}, "there is no paper 'nobody'"),
        ("read_section", {"paper": BEES, "section": ""}, "section is empty"),
        ("verify_claim", {"claim": "", "quote": QUOTE}, "claim has 0 characters"),
        ("verify_claim", {"claim": "Bees.", "quote": ""}, "quote is empty"),
    ],
)
def test_errors_name_the_argument(papers: OpenPapers, name: str, arguments: dict[str, Any], words: str) -> None:
    found = call(papers, name, **arguments)
    assert found["ok"] is False
    assert words in found["error"]
    assert found["hint"]


def test_prompts_have_the_users_words_and_resources_the_papers_text(papers: OpenPapers) -> None:
    async def session() -> None:
        async with Client(mcp_server(papers)) as client:
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert names == ["answer_with_evidence", "summarise_paper", "compare_papers"]
            prompt = await client.get_prompt("answer_with_evidence", {"question": "What do {bees} eat?"})
            assert "What do {bees} eat?" in prompt.messages[0].content.text
            for arguments in ({}, {"question": " "}, {"question": "x" * 5_000}):
                with pytest.raises(MCPError, match="argument 'question'"):
                    await client.get_prompt("answer_with_evidence", arguments)
            with pytest.raises(MCPError, match="unknown prompt"):
                await client.get_prompt("jailbreak", {})
            text = await client.read_resource(f"kag://papers/{BEES}/text.md")
            assert text.contents[0].text.startswith("# Allotments")
            listed = {resource.uri for resource in (await client.list_resources()).resources}
            assert {f"kag://papers/{BEES}/text.md", f"kag://papers/{BEES}/graph.ttl"} <= {str(uri) for uri in listed}

    anyio.run(session)
