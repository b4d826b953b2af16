"""Words written into Markdown are read from it as they were, whatever marks they hold."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kag.export.documents.markdown import _begun, escaped
from kag.export.documents.runs import runs_of
from kag.sources.flow import Flow
from kag.sources.markdown import add_markdown
from kag.text.plain import plain

MARKS = (
    *"*_`<>[]()#-+|~$\\&!{}^=:\"'%@", "1.", "1)", "lt;", "](", "\\(", "\\)", "\\[", "**", "$$", "--", "<b>", "<table",
    "<!--", "![a](b)", "[1]: x", "[^1]", "&amp;", "http://x", "a", "b c", " ", "é",
)  # fmt: skip


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=12))
def test_words_come_back_from_markdown(pieces: list[str]) -> None:
    words = " ".join("".join(pieces).split())
    flow = Flow.of(Path("paper.md"))
    add_markdown(flow, 1, _begun(escaped(words)))
    found = [(draft.label, "".join(plain(draft.text).split())) for draft in flow.drafts if draft.text.strip()]
    assert [text for _, text in found] == ["".join(words.split())] * bool(words)
    assert {label for label, _ in found} <= {"text", "list_item"}


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=40))
def test_a_text_without_formulas_is_one_run_of_its_words(text: str) -> None:
    bare = text.replace("\\", "").replace("$", "")
    assert "".join(run.words for run in runs_of(bare)) == plain(bare)


def test_signs_for_private_use_stay() -> None:
    found = runs_of("a\U000f0000b \\( ^{1} \\)  c\U00100000\ue000")
    assert "".join(run.words for run in found) == "a\U000f0000b1 c\U00100000\ue000"
    every = "".join(map(chr, range(0xF0000, 0x110000, 3000)))
    assert [run.words for run in runs_of(f"{every} \\( ^{{1}} \\) ")] == [f"{every}¹"]
