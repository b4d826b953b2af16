"""What cited numbers say about a list that is not at hand, and which of them count."""

import pytest

from kag.indexing.enrich.bibliography import following, in_order, list_length


@pytest.mark.parametrize(("cited", "length"), [
    ([], 0),
    ([1], 1),
    ([2], 0),  # half of 1..2
    ([1, 3, 3, 3], 1),  # two of three are too few, and a number counts once
    ([8, 2], 0),  # in whatever order they are cited
        ([1, 2, 4], 4),  # three of four
    ([7, 5, 4, 3, 2, 1], 7),
    ([1, 2, 3, 4, 5, 6, 7, 10], 10),  # 8 of 10
    ([1, 2, 3, 4, 5, 6, 10], 10),  # 7 of 10 are enough
    ([1, 2, 3, 4, 5, 10], 5),  # 6 of 10 are not
    ([1, 2, 3, 4, 90], 4),
])  # fmt: skip
def test_the_length_of_a_list(cited, length):
    assert list_length(cited) == length


@pytest.mark.parametrize(("cited", "share"), [
    ([], 0.0),
    ([(1, 2), (3,)], 1.0),
    ([(3,)], 1.0),  # two may be missing
    ([(4,)], 0.0),
    ([(1,), (4,)], 1.0),
    ([(1,), (5,)], 0.5),
    ([(2,), (1,)], 0.5),  # back behind the largest
    ([(1,), (1,), (2,)], 1.0),  # what is cited again is not new
    ([(1,), (9,), (10,)], 2 / 3),  # the count goes on from the jump
    ([(3,), (1,), (4,)], 2 / 3),  # and from the largest
])  # fmt: skip
def test_the_share_in_order(cited, share):
    assert in_order(cited) == pytest.approx(share)


@pytest.mark.parametrize(("cited", "kept"), [
    ([], []),
    ([(1,), (2,), (3,)], [0, 1, 2]),
    ([(1,), (90,), (2,), (3,)], [0, 2, 3]),  # a jump that nothing follows
    ([(1,), (2,), (1,), (3,)], [0, 1, 2, 3]),  # going back is citing again
    ([(1,), (2, 4), (5,)], [0, 1, 2]),  # a range counts by its last number
    ([(40,), (1,), (2,)], [1, 2]),
    ([(1,), (1,), (2,)], [0, 1, 2]),
    ([(2,), (1,), (3,)], [1, 2]),
])  # fmt: skip
def test_what_counts_upwards(cited, kept):
    assert following(cited) == kept
