"""The trained labeller of front matter, and what is checked behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.core.types import NO_METADATA
from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text import front
from kag.sources.pdf.text.front import front_lines, label_front
from kag.sources.pdf.text.front_groups import front_groups
from tests.unit.sources.pdf.typeset import BODY, BOLD, lines, text, words

SHEET = (600.0, 800.0)


def roles(made: list[Word]) -> dict[str, str]:
    found = label_front(front_lines([(1, lines(made))]), SHEET, BODY, NO_METADATA)
    return {line.text: role for line, role in found.roles.items()}


def first_page(*names: str, kind: str = "Original Article") -> list[Word]:
    made = [*words(50, 60, kind, 12), *words(50, 90, "Losses of Ice on Small Rivers", 17, BOLD)]
    for n, row in enumerate(names):
        made += words(50, 130 + 14 * n, row, 12)
    made += words(50, 190, "Institute of Ice, University of Norland, 1234 Arden, Norland")
    made += [*words(50, 240, "Abstract", 12, BOLD), *text(50, 260, 6, 80)]
    return [*made, *words(50, 370, "1 Introduction", 14, BOLD), *text(50, 394, 20, 80)]


def test_title_authors_and_affiliation_are_told_apart() -> None:
    found = roles(first_page("Ann Lee, Bo Chen and Cy Diaz"))
    assert found["Losses of Ice on Small Rivers"] == "title"
    assert found["Ann Lee, Bo Chen and Cy Diaz"] == "author"
    assert found["Institute of Ice, University of Norland, 1234 Arden, Norland"] == "affiliation"


@pytest.mark.parametrize("kind", ["Original Article", "Research Article", "Review"])
def test_the_kind_of_a_paper_is_neither_title_nor_author(kind: str) -> None:
    assert roles(first_page("Ann Lee and Bo Chen", kind=kind)).get(kind) not in ("title", "author")


def test_titles_of_parts_have_no_role() -> None:
    assert not {"Abstract", "1 Introduction"} & set(roles(first_page("Ann Lee and Bo Chen")))


def test_a_line_of_a_name_and_its_place_is_two_blocks() -> None:
    found = front_groups(lines(words(50, 100, "Ann Lee, Institute of Ice, Norland")), "author")
    assert [(role, " ".join(line.text for line in own)) for role, own in found] == [
        ("author", "Ann Lee,"),
        ("affiliation", "Institute of Ice, Norland"),
    ]


def test_weights_of_another_training_are_refused(tmp_path: Path) -> None:
    (tmp_path / "front.json").write_text('{"sha256": "0"}', encoding="utf-8")
    (tmp_path / "front.crfsuite").write_bytes(b"weights")
    with pytest.raises(SourceError, match="SHA-256"):
        front._weights.__wrapped__(tmp_path)
