from pathlib import Path

import pytest

from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa.chunks import MOST, chunks
from kag.qa.paper import PaperGraph
from kag.qa.passages import passages
from kag.retrieval.chunking import Chunk, ChunkKind
from tests.papers import PAGES, write_paper


def read(folder: Path, pages=PAGES) -> PaperGraph:
    """The paper of these pages, indexed."""
    indexed = index_paper(write_paper(folder / "paper", pages))
    return PaperGraph.load(write_run(folder / "runs", indexed.paper_id, indexed.files))


@pytest.fixture(scope="module")
def paper(tmp_path_factory) -> PaperGraph:
    return read(tmp_path_factory.mktemp("bridge"))


@pytest.fixture(scope="module")
def found(paper: PaperGraph) -> tuple[Chunk, ...]:
    return chunks(paper)


def with_text(found, words: str) -> Chunk:
    (one,) = [chunk for chunk in found if words in chunk.text]
    return one


def test_everything_printed_is_in_a_chunk(paper: PaperGraph, found) -> None:
    covered = {node for chunk in found for node in chunk.sources}
    printed = {part.node for one in passages(paper) if one.kind != "sectiontitle" for part in one.parts}
    assert printed <= covered
    assert len({chunk.id for chunk in found}) == len(found)


def test_a_continued_paragraph_is_one_text_with_all_its_nodes(found) -> None:
    one = with_text(found, "Sensors fail under ice")
    assert "as was expected from earlier winters" in one.text
    assert (one.topic, one.title, one.kind) == ("1 Introduction", "Sensors under river ice", ChunkKind.DOCUMENT)
    assert (len(one.sources), one.metadata["pages"]) == (2, "1 2")


def test_a_table_is_read_behind_its_caption_and_header(paper: PaperGraph, found) -> None:
    (table,) = [chunk for chunk in found if chunk.kind == ChunkKind.TABLE]
    assert table.text == "Table 1. Losses by site.\nSite | Lost\nUpper | 3"
    assert table.columns == ("Site", "Lost")
    assert [paper.nodes[node].kind for node in table.sources] == ["Table", "Caption"]
    assert table.topic == "2 Methods > 2.1 Sites"


def test_a_caption_has_its_figure_and_a_reference_is_a_record(paper: PaperGraph, found) -> None:
    caption = with_text(found, "Sensors lost in each month")
    assert [paper.nodes[node].kind for node in caption.sources] == ["Caption", "Figure"]
    assert [chunk.text[:8] for chunk in found if chunk.kind == ChunkKind.RECORD] == ["[1] Poe ", "[2] Roe ", "[3] Doe "]


def test_call_outs_link_chunks(found) -> None:
    links = with_text(found, "Sensors fail under ice").links
    wanted = ["Table 1. Losses", "Fig. 1. Sensors", "[1] Poe", "[2] Roe"]
    assert set(links) == {with_text(found, words).id for words in wanted}


def test_small_neighbours_of_one_section_are_read_together(tmp_path: Path) -> None:
    def text(top: int, words: str) -> tuple[str, str, str]:
        return "text", f"[[100, {top}, 900, {top + 30}]]", words

    def title(top: int, words: str) -> tuple[str, str, str]:
        return "sub_title", f"[[100, {top}, 300, {top + 20}]]", words

    long = "A sentence of exactly eight words stands here. " * 30
    pages = (
        (
            ("title", "[[100, 60, 900, 100]]", "# On owls"),
            title(150, "## 1 Introduction"),
            text(200, "Owls hunt at night."),
            text(250, "They hear the mice."),
            title(300, "## 2 Methods"),
            text(350, "Nets were set."),
            text(400, long.strip()),
        ),
    )
    found = chunks(read(tmp_path, pages))
    assert with_text(found, "Owls hunt").text == "Owls hunt at night.\nThey hear the mice."
    assert with_text(found, "Nets were set").text == "Nets were set."
    cut = [chunk for chunk in found if "exactly eight" in chunk.text]
    assert [len(chunk.text.split()) for chunk in cut] == [120, 120]
    assert max(len(chunk.text.split()) for chunk in found) <= MOST
    assert cut[0].sources == cut[1].sources
    assert cut[1].id == cut[0].id + "#1"
