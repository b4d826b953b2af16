"""A finding is doubtful where nothing else is said."""

from kag.read.checking.rules.finding import Finding


def test_a_finding_contradicts_where_that_is_said() -> None:
    assert Finding("name", "it is nowhere").contradicts is False
    assert Finding("name", "it is nowhere", contradicts=True).contradicts is True
