"""A shelf of small papers that cite and repeat each other, and questions put to it without a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kag.core.evidence import Answer
from kag.corpus.search_index import make_index
from kag.corpus.store import open_shelf
from kag.corpus.transaction import open_writer
from kag.qa.answering import answer_across
from kag.qa.checking.verify import verify
from kag.qa.library import Shelf
from kag.qa.questions.file import Question
from tests.papers import write_paper
from tests.unit.corpus.runs import indexed

Ask = Callable[..., Answer]
MOSS = "Moss on the piers of northern bridges"
RAIN = "Rain and what becomes of it on old stone bridges"
DOI = "10.5555/moss.2018.1"
REPEATED = "Every third bridge of the northern towns has a nest of gulls below its deck"


def pages(title: str, doi: str, body: tuple[str, ...], references: tuple[str, ...] = ()) -> tuple:
    """A paper on one page: a heading, paragraphs, and a reference list."""
    blocks = [("title", f"# {title}"), ("text", "Ida Holm, Ole Vik"), ("text", f"https://doi.org/{doi}")]
    blocks += [("sub_title", "## 1 Results"), *(("text", text) for text in body)]
    blocks += [("sub_title", "## References")] if references else []
    blocks += [("text", text) for text in references]
    return (
        tuple(
            (label, f"[[100, {50 + 70 * place}, 900, {100 + 70 * place}]]", text)
            for place, (label, text) in enumerate(blocks)
        ),
    )


PAPERS = {
    "moss": pages(
        MOSS,
        DOI,
        (
            "The moss on a pier holds forty litres of rain for a day and gives it back slowly after that.",
            f"{REPEATED}.",
        ),
    ),
    "rain": pages(
        RAIN,
        "10.5555/rain.2020.2",
        (
            "How rain is held on a pier by moss was measured before [1]. Nothing else on a pier holds as much rain.",
            "Two of the bridges were closed to carts in the wet spring of the second year.",
            f"{REPEATED} [2].",
        ),
        (
            f"[1] Holm I, Vik O. {MOSS}. Bridges. 2018;1:1-9. doi:{DOI}.",
            "[2] Poe E. Gulls of the towns. Birds. 1999;3:1-9.",
        ),
    ),
    "ink": pages(
        "Ink made from the galls of oaks", "10.5555/ink.2001.3", ("Ink of oak galls turns black in a week of light.",)
    ),
}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The papers as a corpus with a text index."""
    folder = tmp_path_factory.mktemp("across")
    runs = [
        indexed(folder / name, write_paper(folder / "pages" / name, printed), name) for name, printed in PAPERS.items()
    ]
    with open_writer(folder / "corpus", create=True) as writer:
        assert [change.state for change in writer.put(runs)] == ["added"] * len(runs)
        make_index(writer)
    return folder / "corpus"


@pytest.fixture(scope="session")
def shelf(corpus: Path) -> Shelf:
    return open_shelf(corpus)


@pytest.fixture(scope="session")
def ask(shelf: Shelf) -> Ask:
    """Answers that have been verified on their way."""

    def put(text: str) -> Answer:
        given = answer_across(Question("q", text), shelf, lambda question: None)
        assert verify(given, shelf.library).issues == ()
        assert given.question == text
        return given

    return put
