from __future__ import annotations

import pytest

from kag.indexing.structure.nesting import Clue, best_depths

OPEN = (2, 3, 4)


def test_depths_that_are_given_stay() -> None:
    assert best_depths([Clue("A", (1,)), Clue("B", (3,), adjacent=True), Clue("C", (1,))]) == (1, 3, 1)


def test_each_heading_right_under_another_lies_below_it() -> None:
    under = [Clue(title, OPEN, adjacent=True) for title in ("Sites", "Lakes", "Depths")]
    assert best_depths([Clue("Methods", (1,)), *under, Clue("Ice", OPEN)]) == (1, 2, 3, 4, 4)


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


def test_equals_stay_beside_each_other() -> None:
    assert under(*(Clue(title, OPEN) for title in ("Sites", "Lakes", "Depths"))) == (2, 2, 2)


def test_behind_a_heading_right_under_another_the_next_stays_beside_it() -> None:
    assert under(Clue("Sites", OPEN), Clue("Lakes", OPEN, adjacent=True), Clue("Depths", OPEN)) == (2, 3, 3)


def test_a_heading_that_opens_a_group_goes_up() -> None:
    """ "Dates" is right above "Spring", as "Sites" was right above "Lakes": both open groups."""
    clues = (
        Clue("Sites", OPEN),
        Clue("Lakes", OPEN, adjacent=True),
        Clue("Dates", OPEN, text="words"),
        Clue("Spring", OPEN, adjacent=True),
    )
    assert under(*clues)[:2] == (2, 3)
    assert under(*clues)[3] == under(*clues)[2] + 1


def test_a_series_stays_on_one_level() -> None:
    cases = [Clue("Case 1", OPEN), Clue("Case 2", OPEN), Clue("Case 3", OPEN)]
    assert under(Clue("Sites", OPEN), *cases, Clue("Ice", OPEN)) == (2, 3, 3, 3, 2)
    apart = [Clue("Case 1", OPEN), Clue("Fog", OPEN), Clue("Case 2", OPEN)]
    assert under(Clue("Sites", OPEN), *apart) == (2, 2, 2, 2), "a series with others between opens nothing"
    assert under(Clue("Sites", OPEN), Clue("Case 1", OPEN)) == (2, 2), "one is no series"


def test_the_same_title_comes_back_at_the_depth_it_had() -> None:
    clues = (
        Clue("Sites", OPEN),
        Clue("Lakes", OPEN, adjacent=True),
        Clue("Rivers", OPEN),
        Clue("Dates", OPEN),
        Clue("Lakes", OPEN, adjacent=True),
        Clue("Rivers", OPEN),
    )
    assert under(*clues) == (2, 3, 3, 2, 3, 3)


def test_what_a_text_names_lies_below_its_heading() -> None:
    named = Clue("Sites", OPEN, text="Lakes and rivers are described below.")
    assert under(named, Clue("Lakes", OPEN), Clue("Rivers", OPEN)) == (2, 3, 3)
    assert under(named, Clue("Weather", OPEN), Clue("Rainfall", OPEN)) == (2, 2, 2), "others are announced"
    silent = Clue("Sites", OPEN, text="Lakes and rivers were seen.")
    assert under(silent, Clue("Lakes", OPEN)) == (2, 2), "one name is too little"
    assert under(named, Clue("Sites", OPEN)) == (2, 2), "its own words are none that it names"


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


def test_the_last_of_a_group_is_followed_by_what_stands_above_it() -> None:
    group = [Clue("Case 1", OPEN), Clue("Case 2", OPEN)]
    opened = [Clue("Sites", OPEN), Clue("Case 1", OPEN, adjacent=True), Clue("Case 2", OPEN)]
    assert under(*opened, Clue("Ice", OPEN)) == (2, 3, 3, 2)
    assert under(*opened, Clue("Case 3", OPEN), Clue("Ice", OPEN), Clue("Fog", OPEN)) == (2, 3, 3, 3, 2, 2)
    assert under(*group, Clue("Ice", OPEN))[0] == under(*group, Clue("Ice", OPEN))[1]
    plain = [Clue("Sites", OPEN), Clue("Lakes", OPEN, adjacent=True), Clue("Rivers", OPEN)]
    assert under(*plain, Clue("Ice", OPEN)) == (2, 3, 3, 3), "nothing says that the group has ended"


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


def test_no_level_is_left_out_even_where_that_would_fit_better() -> None:
    """At depth 3 the cases would end in a step up, as a series should; but nothing lies at depth 2 above them."""
    cases = [Clue("Case 1", OPEN, adjacent=True), Clue("Case 2", OPEN)]
    assert under(*cases, Clue("Ice", OPEN)) == (2, 2, 2)


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


def test_a_heading_whose_depth_is_given_says_nothing_of_the_next() -> None:
    others = [Clue(title, OPEN) for title in ("Visits", "Blinding", "Weather", "Fences", "Numbers")]
    sure = Clue("Sites", (2,), text="Lakes and rivers are described below.")
    assert under(sure, Clue("Lakes", OPEN), Clue("Rivers", OPEN)) == (2, 2, 2), "what its text names may lie beside it"
    group = [Clue("Sites", (2,)), Clue("Inclusion criteria", (3,)), Clue("Exclusion criteria", (3,))]
    assert under(*group, *others) == (2, 3, 3, 3, 3, 3, 3, 3), "nor do words that titles have in common end its group"
