"""Precision and recall of call-outs on plain text."""

from scripts.benchmarks.references.callouts import Span, score_callouts

TEXT = "Ice [1], [2] melts (Lima 2001; Roe 2003), see Fig. 2 and Table 1."


def span(kind, surface):
    return Span(kind, TEXT.index(surface), TEXT.index(surface) + len(surface))


def score(gold, found, kind="citation"):
    return next(each for each in score_callouts([(TEXT, gold, found)]) if each.kind == kind)


def test_perfect():
    gold = [span("citation", "[1]"), span("citation", "[2]")]
    result = score(gold, gold)
    assert (result.precision, result.recall, result.exact_precision, result.exact_recall) == (1, 1, 1, 1)


def test_one_missed_and_one_too_many():
    result = score(
        [span("citation", "[1]"), span("citation", "Roe 2003")], [span("citation", "[1]"), span("citation", "melts")]
    )
    assert (result.asked, result.asked_touched, result.given, result.given_touched) == (2, 1, 2, 1)
    assert (result.precision, result.recall) == (0.5, 0.5)


def test_touching_is_found_but_not_exact():
    result = score([span("citation", "Lima 2001")], [span("citation", "2001")])
    assert (result.recall, result.exact_recall) == (1, 0)


def test_a_group_is_exact_however_it_is_parted():
    gold = [span("citation", "(Lima 2001; Roe 2003)")]
    result = score(gold, [span("citation", "Lima 2001"), span("citation", "Roe 2003")])
    assert (result.exact, result.groups_asked, result.groups_given) == (1, 1, 1)


def test_the_word_before_a_number_does_not_count():
    result = score([Span("figure", TEXT.index("2 and"), TEXT.index("2 and") + 1)], [span("figure", "Fig. 2")], "figure")
    assert result.exact == 1


def test_kinds_are_kept_apart():
    result = score([span("figure", "Fig. 2")], [span("table", "Fig. 2")], "figure")
    assert (result.recall, result.given) == (0, 0)


def test_nothing_asked_and_nothing_given():
    assert (score([], []).precision, score([], []).recall) == (1, 1)
