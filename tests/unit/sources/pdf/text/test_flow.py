"""Paragraphs and floats in reading order, and which paragraph goes on which."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.content import Rect, Word
from kag.sources.pdf.floats.regions import Region
from kag.sources.pdf.text.flow import Float, Flow, columns_of, flow_of
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BODY, BOLD, lines, page, words

LEFT, RIGHT = 50, 320
WIDTH = 230


def set_below(x: float, top: float, *rows: str, size: float = 10, indent: float = 0, last: float = 1.0) -> list[Word]:
    """Rows of words that fill a column, but for the first, which may be set in, and the last, which may end short."""
    made = []
    for n, row in enumerate(rows):
        left = x + (indent if n == 0 else 0)
        found = words(left, top + 1.2 * size * n, row, size)
        share = last if n == len(rows) - 1 else 1.0
        # A word with wide letters fills the line.
        found[-1] = found[-1]._replace(x1=x + share * WIDTH)
        made += found
    return made


def flow(*pages: list[Word], regions: tuple[tuple[Region, ...], ...] = ()) -> Flow:
    contents = [page(made, number=n) for n, made in enumerate(pages, start=1)]
    columns = columns_of(contents, [lines(made) for made in pages], regions or [()] * len(pages), (), BODY)
    return flow_of(columns, BODY, {})


def told(found: Flow) -> list[str]:
    """Each part by its first word or its kind; the place of the one that it goes on."""
    names = [one.lines[0].words[0].text if isinstance(one, Paragraph) else one[1].kind for one in found.parts]
    return [f"{name}<{names[found.goes_on[n]]}" if n in found.goes_on else name for n, name in enumerate(names)]


ROWS = ("the river was frozen in", "may and the gauges were", "read by hand at dawn by")


def two_columns(end: str, begin: str, **how: float) -> list[str]:
    left = set_below(LEFT, 100, "Left the river was frozen", *ROWS, f"both of us and {end}", last=how.pop("last", 1.0))
    return told(flow([*left, *set_below(RIGHT, 100, f"{begin} hard and the gauges", *ROWS, "both of us.", **how)]))


@pytest.mark.parametrize(
    ("end", "begin"),
    [
        ("then", "froze"),
        ("then", "Icebergs"),  # a name
        ("then.", "froze"),
        ("tempera-", "tures"),
        ("(Hale", "2010)"),
    ],
)
def test_a_paragraph_goes_on_in_the_next_column(end: str, begin: str) -> None:
    assert two_columns(end, begin) == ["Left", f"{begin}<Left"]


@pytest.mark.parametrize("end", ["then.", "then?", "then:", "then.”", "then.12,14", "then.)"])
def test_a_paragraph_that_ended_does_not(end: str) -> None:
    assert two_columns(end, "Icebergs") == ["Left", "Icebergs"]


def test_a_paragraph_that_is_set_in_goes_on_nothing() -> None:
    assert two_columns("then", "Icebergs", indent=12) == ["Left", "Icebergs"]
    assert two_columns("tempera-", "tures", indent=12) == ["Left", "tures<Left"], "a cut word goes on anyway"


def test_where_first_lines_are_set_in_one_that_is_not_goes_on() -> None:
    def read(**how: float) -> list[str]:
        inner = [word for n in range(4) for word in set_below(LEFT, 220 + 36 * n, f"In{n} was", *ROWS[:2], indent=12)]
        left = [*inner, *set_below(LEFT, 364, "Last was", *ROWS[:2], "by us.", indent=12, last=how.pop("last", 1.0))]
        right = set_below(RIGHT, 220, "Icebergs were", *ROWS, *ROWS, *ROWS, **how)
        return told(flow([*left, *right]))[-1:]

    assert read() == ["Icebergs<Last"], "the line before is full"
    assert read(last=0.5) == ["Icebergs"]
    assert read(indent=12) == ["Icebergs"]


def test_it_goes_on_over_floats_and_small_print() -> None:
    figure = Region("figure", Rect(RIGHT, 90, RIGHT + WIDTH, 200), (), ())
    left = set_below(LEFT, 100, "Left the river was frozen", *ROWS, "both of us and then")
    note = set_below(LEFT, 300, "Note on the ice and snow", size=8)
    right = set_below(RIGHT, 220, "froze hard and the gauges", *ROWS)
    assert told(flow([*left, *note, *right], regions=((figure,),))) == ["Left", "Note", "figure", "froze<Left"]


def test_it_goes_on_over_pages_but_not_over_a_heading() -> None:
    one = set_below(LEFT, 100, "Left the river was frozen", *ROWS, "both of us and then")
    two = set_below(LEFT, 100, "froze hard and the gauges", *ROWS)
    assert told(flow(one, two)) == ["Left", "froze<Left"]
    heading = words(LEFT, 400, "Sites", 12, BOLD)
    assert told(flow([*one, *heading], two)) == ["Left", "Sites", "froze"]
    bold = words(LEFT, 400, "Sites of ice", 10, BOLD)
    assert told(flow([*one, *bold], two)) == ["Left", "Sites", "froze"]
    assert told(flow(one, [*words(LEFT, 60, "froze", 12, BOLD), *two])) == ["Left", "froze", "froze"], (
        "a heading is none"
    )


def test_small_print_goes_on_nothing() -> None:
    one = set_below(LEFT, 100, "Left the river was frozen", *ROWS, "both of us and then")
    assert told(flow(one, set_below(LEFT, 100, "froze hard and the", *ROWS, size=8))) == ["Left", "froze"]


def test_twelve_notes_may_be_between() -> None:
    one = set_below(LEFT, 100, "Left the river was frozen", *ROWS, "both of us and then")
    two = set_below(LEFT, 100, "froze hard and the gauges", *ROWS)

    def notes(count: int) -> list[Word]:
        return [word for n in range(count) for word in words(LEFT, 200 + 24 * n, f"n{n} ice on the river", 8)]

    assert told(flow([*one, *notes(11)], two))[-1] == "froze<Left"
    assert told(flow([*one, *notes(12)], two))[-1] == "froze"


def test_each_column_has_a_number() -> None:
    found = flow(
        [*set_below(LEFT, 100, *ROWS, *ROWS), *set_below(RIGHT, 100, *ROWS, *ROWS)], set_below(LEFT, 100, *ROWS)
    )
    assert found.columns == (0, 1, 2)
    assert [one.page for one in found.parts if isinstance(one, Paragraph)] == [1, 1, 2]


def test_a_float_fills_its_caption_and_its_notes() -> None:
    caption, note = Line(tuple(words(50, 215, "Figure 1. Ice"))), Line(tuple(words(50, 230, "a of rivers", 8)))
    region = Region("figure", Rect(60, 100, 290, 200), (), (caption,), notes=(note,))
    assert Float(region).rect == (50, 100, 290, 231.6)
    bare = Region("figure", Rect(60, 100, 60, 100), (), (caption,))
    assert Float(bare).rect == caption.rect, "a caption without its picture"
    assert Float(Region("table", Rect(60, 100, 290, 200), (), ())).rect == (60, 100, 290, 200)


def test_titles_of_a_structured_abstract_are_parts_of_their_own() -> None:
    def abstract(number: int, *, colon: bool = False, title: str = "Abstract") -> Flow:
        made = words(LEFT, 100, title, 12, BOLD)
        for n, label in enumerate(("Objective", "Methods", "Results")[:number]):
            at = words(LEFT, 130 + 30 * n, label + ":" * colon, font=BOLD)
            made += [*at, *words(at[-1].x1 + 3, 130 + 30 * n, "Ice was looked for here")]
        return flow(made)

    found = abstract(2)
    assert told(found) == ["Abstract", "Objective", "Ice", "Methods", "Ice"]
    assert found.labels == {1, 3}
    assert told(abstract(1)) == ["Abstract", "Objective"], "one alone may be a run-in heading"
    assert abstract(3, title="Keywords").labels == frozenset(), "the abstract is over, or there is none"
    late = flow(*([set_below(LEFT, 100, *ROWS)] * 2), [*words(LEFT, 100, "Abstract", 12, BOLD), *abstract_rows()])
    assert late.labels == frozenset(), "on the first two pages"


def test_a_face_of_its_own_sets_a_label_apart_in_bold_text() -> None:
    made = words(LEFT, 100, "Summary", 12, BOLD)
    made += words(LEFT, 115, "Keywords")
    for n, label in enumerate(("Background", "Methods")):
        at = words(LEFT, 140 + 30 * n, label, font=BOLD._replace(name="Other-Bold"))
        made += [*at, *words(at[-1].x1 + 3, 140 + 30 * n, "Ice was looked for here.", font=BOLD)]
    assert told(flow(made)) == ["Summary", "Keywords", "Background", "Ice", "Methods", "Ice"]


def test_headings_side_by_side_are_two_paragraphs() -> None:
    left, right = words(LEFT, 100, "ARTICLE INFO", 8, BOLD), words(LEFT + 120, 100, "A B S T R A C T", 8, BOLD)
    assert told(flow([*left, *right, *set_below(LEFT + 120, 130, *ROWS)]))[:2] == ["ARTICLE", "ABSTRACT"]


def abstract_rows() -> list[Word]:
    return [
        word
        for n, label in enumerate(("Objective:", "Methods:"))
        for word in (
            *words(LEFT, 130 + 30 * n, label, font=BOLD),
            *words(LEFT + 60, 130 + 30 * n, "Ice was looked for"),
        )
    ]


def test_a_paragraph_goes_on_none_of_another_role() -> None:
    left = set_below(LEFT, 100, "Left the river was frozen", *ROWS, "both of us and")
    right = set_below(RIGHT, 100, "at last the gauges were", *ROWS, "both of us.")
    contents = [page([*left, *right])]
    columns = columns_of(contents, [lines([*left, *right])], [()], (), BODY)
    keywords = {line: "keywords" for line in columns[0][1]}
    assert flow_of(columns, BODY, {}).goes_on == {1: 0}
    assert not flow_of(columns, BODY, keywords).goes_on
