from __future__ import annotations

import pytest

from kag.indexing.structure.nesting import Clue, best_depths

OPEN = (2, 3, 4)


def clues(outline: str) -> list[Clue]:
    """Headings in a line: `^` marks one right under another, `=2` a given depth, `: words` the text below."""
    made = []
    for heading in outline.split(" / "):
        title, _, text = heading.removeprefix("^").partition(": ")
        title, _, depth = title.partition("=")
        made.append(Clue(title, (int(depth),) if depth else OPEN, adjacent=heading.startswith("^"), text=text))
    return made


@pytest.mark.parametrize(
    ("outline", "depths"),
    [
        # depths that are given stay
        ("A=1 / ^B=3 / C=1", "131"),
        # each heading right under another lies below it
        ("Methods=1 / ^Sites / ^Lakes / ^Depths / Ice", "12344"),
        # equals stay beside each other
        ("Methods=1 / Sites / Lakes / Depths", "1222"),
        # behind a heading right under another the next stays beside it
        ("Methods=1 / Sites / ^Lakes / Depths", "1233"),
        # a heading that opens a group goes up
        ("Methods=1 / Sites / ^Lakes / Dates: words / ^Spring", "12323"),
        # a series stays on one level
        ("Methods=1 / Sites / Case 1 / Case 2 / Case 3 / Ice", "123332"),
        ("Methods=1 / Sites / Case 1 / Fog / Case 2", "12222"),
        ("Methods=1 / Sites / Case 1", "122"),
        # the same title comes back at the depth it had
        ("Methods=1 / Sites / ^Lakes / Rivers / Dates / ^Lakes / Rivers", "1233233"),
        # what a text names lies below its heading
        ("Methods=1 / Sites: Lakes and rivers are described below. / Lakes / Rivers", "1233"),
        ("Methods=1 / Sites: Lakes and rivers are described below. / Weather / Rainfall", "1222"),
        ("Methods=1 / Sites: Lakes and rivers were seen. / Lakes", "122"),
        ("Methods=1 / Sites: Lakes and rivers are described below. / Sites", "122"),
        # the last of a group is followed by what stands above it
        ("Methods=1 / Sites / ^Case 1 / Case 2 / Ice", "12332"),
        ("Methods=1 / Sites / ^Case 1 / Case 2 / Case 3 / Ice / Fog", "1233322"),
        ("Methods=1 / Case 1 / Case 2 / Ice", "1222"),
        ("Methods=1 / Sites / ^Lakes / Rivers / Ice", "12333"),
        # no level is left out even where that would fit better
        ("Methods=1 / ^Case 1 / Case 2 / Ice", "1222"),
        # a heading whose depth is given says nothing of the next
        ("Methods=1 / Sites=2: Lakes and rivers are described below. / Lakes / Rivers", "1222"),
        (
            "Methods=1 / Sites=2 / Inclusion criteria=3 / Exclusion criteria=3 / "
            "Visits / Blinding / Weather / Fences / Numbers",
            "123333333",
        ),
    ],
)
def test_depths(outline: str, depths: str) -> None:
    assert "".join(map(str, best_depths(clues(outline)))) == depths


def test_a_long_text_announces_nothing() -> None:
    words = "We looked at lakes and rivers. "
    sites = [Clue("Methods", (1,)), Clue("Sites", OPEN, text=words + "They are described below.")]
    assert best_depths([*sites, Clue("Lakes", OPEN), Clue("Rivers", OPEN)]) == (1, 2, 3, 3)
    sites[1] = Clue("Sites", OPEN, text=words * 80 + "They are described below.")
    assert best_depths([*sites, Clue("Lakes", OPEN), Clue("Rivers", OPEN)]) == (1, 2, 2, 2)


def under(*clues: Clue) -> tuple[int, ...]:
    """Depths behind "Methods" at the top."""
    return best_depths([Clue("Methods", (1,)), *clues])[1:]


def test_no_heading_gives_no_depth() -> None:
    assert best_depths([]) == ()


def test_no_heading_lies_two_levels_below_the_one_before() -> None:
    assert best_depths([Clue("A", (1,)), Clue("B", (2, 3, 4), adjacent=True)]) == (1, 2)
    assert best_depths([Clue("A", (1,)), Clue("B", (3, 4))]) == (1, 3), "the highest that is possible"
    assert best_depths([Clue("A", OPEN)]) == (2,)


def test_a_long_paper_keeps_the_rules() -> None:
    group = (Clue("Sites", OPEN), Clue("Lakes", OPEN, adjacent=True), Clue("Rivers", OPEN))
    clues = [clue for n in range(40) for clue in (Clue(f"Part {chr(65 + n % 26)}{n}", (1,)), *group)]
    assert best_depths(clues) == (1, 2, 3, 3) * 40


def test_a_title_comes_back_over_many_headings() -> None:
    """What a heading was is found again however many stand between, and only by its own title."""
    for between in (1, 2, 5, 9, 16):
        others = [Clue(f"Other {'abcdefghijklmnopqrst'[n]}", OPEN) for n in range(between)]
        clues = (
            Clue("Sites", OPEN),
            Clue("Lakes", OPEN, adjacent=True),
            Clue("Dates", (2,)),
            *others,
            Clue("Lakes", OPEN),
        )
        assert under(*clues)[-1] == 3, between


@pytest.mark.parametrize(
    ("titles", "announced", "below"),
    [
        (["Lakes", "Depths"], True, True),
        (["Lakes", "Depths"], False, False),
        (["Lakes", "Depths", "Rivers"], False, True),
        (["Lakes storms", "Depths winds"], True, False),  # half of their words
        (["Lakes storms", "Depths winds", "Rivers hail"], True, True),
        (["Lakes storms winds", "Depths hail snow", "Rivers rain sun fog"], True, False),  # a third
        (["Wind", "Hail", "Rain", "Snow"], True, False),
    ],
)
def test_how_much_of_what_lies_below_is_named(titles: list[str], announced: bool, below: bool) -> None:
    says = "Rivers, lakes and depths are " + ("described below." if announced else "described here.")
    depth = 3 if below else 2
    assert under(Clue("Sites", OPEN, text=says), *(Clue(title, OPEN) for title in titles)) == (
        2,
        *[depth] * len(titles),
    )


def test_a_heading_below_a_part_is_on_top_only_where_its_role_allows() -> None:
    anywhere = (1, 2, 3, 4)
    assert under(Clue("Sites", anywhere, role="below")) == (2,)
    assert under(Clue("Ethics", anywhere, role="behind")) == (1,)
    assert under(Clue("Lakes", anywhere, role="perhaps below")) == (1,)
    assert under(Clue("Lakes", anywhere, adjacent=True, role="behind")) == (2,)


def test_a_heading_with_two_possible_depths_names_what_lies_below_it() -> None:
    named = Clue("Sites", (2, 3), text="Lakes and rivers are described below.")
    assert under(named, Clue("Lakes", OPEN), Clue("Rivers", OPEN)) == (2, 3, 3)


@pytest.mark.parametrize(("role", "depth"), [("", 1), ("behind", 1), ("perhaps below", 2), ("below", 2)])
def test_two_headings_with_a_role_stand_together(role: str, depth: int) -> None:
    anywhere = (1, 2, 3)
    assert under(Clue("Sites", anywhere, role=role), Clue("Ethics", anywhere, role=role)) == (depth, depth)
    assert under(Clue("Sites", (2,)), Clue("Ethics", anywhere, role=role)) == (2, 2)
    assert under(Clue("Sites", (2,)), Clue("Lakes", (3,)), Clue("Ethics", anywhere, role=role)) == (2, 3, 2)
