"""What a source says itself is not guessed: captions of floats, entries, what continues what, what is no text."""

from __future__ import annotations

from kag.core.types import Box, Document
from kag.indexing.build_plan import plan_sections
from kag.indexing.structure.floats import find_floats
from kag.indexing.structure.page_layout import find_noise
from kag.indexing.structure.reference_list import find_entries
from kag.rdf.namespaces import DEO
from kag.sources.draft import Draft, Parsed, assemble


def document(*drafts: Draft) -> Document:
    return assemble("a", Parsed(drafts, 1, "0" * 64, "test"))


def draft(label: str, text: str = "", *, key: str = "", of: str = "", after: str = "", boxed: bool = True) -> Draft:
    boxes = (Box(100, 100, 900, 200),) if boxed else ()
    return Draft(1, label, text, boxes, key=key, caption_of=of, continues=after)


def floats(*drafts: Draft) -> list[tuple[str, list[int], list[int]]]:
    found = find_floats(document(*drafts).blocks)
    return [(one.kind, [b.order for b in one.blocks], [b.order for b in one.caption]) for one in found]


def test_a_caption_goes_to_the_float_that_it_names_however_far() -> None:
    assert floats(
        draft("image", key="a"),
        draft("text", "Body."),
        draft("image", key="b"),
        draft("caption", "Fig. 1. Ice.", of="b"),
        draft("caption", "Fig. 2. Snow.", of="a"),
    ) == [("figure", [1], [5]), ("figure", [3], [4])]


def test_pictures_with_captions_of_their_own_are_not_one_figure() -> None:
    captions = [draft("caption", "Fig. 1. Ice.", of="a"), draft("caption", "Fig. 2. Snow.", of="b")]
    assert floats(draft("image", key="a"), draft("image", key="b"), *captions) == [
        ("figure", [1], [3]),
        ("figure", [2], [4]),
    ]
    assert floats(draft("image"), draft("image", key="b"), captions[1]) == [("figure", [1, 2], [3])], "panels of one"


def test_parts_of_one_caption() -> None:
    parts = [draft("caption", "Fig. 1. Ice.", of="a"), draft("caption", "(a) May.", of="a")]
    assert floats(draft("image", key="a"), *parts) == [("figure", [1], [2, 3])]


def test_a_picture_without_a_box_counts_if_it_has_a_caption() -> None:
    named = [draft("image", key="a", boxed=False), draft("caption", "Fig. 1. Ice.", of="a", boxed=False)]
    bare = draft("image", boxed=False)
    assert floats(*named, draft("text", "Body."), bare) == [("figure", [1], [2])]
    blocks = document(*named, bare).blocks
    assert [skipped.reason for skipped in find_noise(blocks).values()] == ["picture without a readable box"]


def test_what_is_no_text_is_left_out_with_the_reason() -> None:
    found = find_noise(
        document(draft("metadata", "ISSN 1"), draft("figure_text", "axis"), draft("text", "Ice.")).blocks
    )
    assert [skipped.reason for skipped in found.values()] == ["data about the paper", "printed inside of a picture"]


def test_entries_that_are_told_are_neither_cut_nor_joined() -> None:
    told = document(
        draft("reference", "[1] Poe E. Ice. 2001. [2] is not meant.", key="a"),
        draft("reference", "and more in lower case."),
        draft("reference", "Roe E. Snow.", key="b"),
        draft("reference", "2002.", after="b"),
    )
    assert [[block.order for block in entry.blocks] for entry in find_entries(told.blocks)] == [[1], [2], [3, 4]]
    assert all(entry.start is None for entry in find_entries(told.blocks))


def test_entries_without_a_heading_are_a_section_and_notes_among_them_are_no_entries() -> None:
    told = document(
        draft("title", "Ice on rivers"),
        draft("sub_title", "Introduction"),
        draft("text", "Ice fails."),
        draft("reference", "Poe E. Ice. 2001."),
    )
    (_, introduction, references) = plan_sections(told).sections
    assert (introduction.title, references.title) == ("Introduction", "References")
    assert [node.cls for node in references.nodes] == [DEO.BibliographicReference]
    noted = document(
        draft("sub_title", "Introduction"),
        draft("text", "Ice fails."),
        draft("sub_title", "References"),
        draft("reference", "Poe E. Ice. 2001."),
        draft("footnote", "1 A note."),
    )
    nodes = plan_sections(noted).sections[-1].nodes
    assert [node.cls == DEO.BibliographicReference for node in nodes] == [True, False]


def test_what_continues_what_is_believed() -> None:
    told = document(
        draft("sub_title", "Introduction"),
        draft("text", "We set a value.", key="a"),
        draft("equation", "\\[ a = b \\]"),
        draft("text", "Where it holds.", after="a"),
    )
    nodes = plan_sections(told).sections[0].nodes
    assert [node.continues for node in nodes] == ["", "", told.blocks[1].id]


def test_texts_that_no_graph_could_take_are_cut() -> None:
    told = document(draft("text", "ice " * 600_000))
    assert [len(block.text) <= 1_000_000 for block in told.blocks] == [True] * 3
    assert "".join(block.text for block in told.blocks) == "ice " * 600_000
    assert told.repairs[0].action == "cut into 3 blocks of text"
