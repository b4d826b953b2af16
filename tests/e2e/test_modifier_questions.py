"""Questions with a word that changes the answer, put to the bundled papers: never answered as if it were not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kag.core.evidence import Answer
from kag.qa.checking.verify import verify
from kag.qa.exact.compose import look_up
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.questions.reader import read_question
from kag.qa.questions.structured_query import Query
from tests.conftest import BUNDLED
from tests.property.printed import KAG, Printed, crowded, fitting
from tests.unit.qa.questions.told import table

PAPERS = sorted(path.parent.name for path in BUNDLED.glob("*/gold.json"))
ASKED = table("modifiers.txt")  # `tests/unit/qa/questions/test_reader.py` holds what each of them means
MODIFIED = [(question, read_question(question).queries[0]) for expected, question in ASKED if expected != "none"]
UNREAD = [question for expected, question in ASKED if expected == "none"]
ROLES = {"Introduction": "introduction", "Methods": "method", "Results": "results"}


@pytest.fixture(scope="module", params=PAPERS)
def read(request: pytest.FixtureRequest, bundled_runs: Path) -> tuple[PaperGraph, Printed, dict[str, Any]]:
    run = next(bundled_runs.glob(f"{request.param}_*"))
    printed, names = Printed(run), dict[str, Any]()
    for role, words in ROLES.items():
        found = [one for one in printed.all("section") if words in printed.title(one).lower()]
        names[f"section {role}"] = min(found, key=lambda one: (printed.value(one, "depth"), printed.order(one)))
    for entry in printed.all("reference"):
        names[f"reference {printed.value(entry, 'number')}"] = entry
    for kind in ("figure", "table"):
        for node in reversed(printed.all(kind)):
            if kind[:3] in printed.one(node, KAG.floatLabel).lower():
                names[f"{kind} {printed.one(node, KAG.floatNumber)}"] = node
    return PaperGraph.load(run), printed, names


def is_sure(given: Answer) -> bool:
    return bool(given.claims)


def wanted(printed: Printed, query: Query, names: dict[str, Any]) -> object:
    """The right answer as data, where brute force has the relations for it; None for any other."""
    if (
        query.get
        or query.each
        or query.kind not in ("reference", "section", "figure", "table")
        or query.ask not in ("list", "count")
    ):
        return None
    try:
        found, maybe = fitting(printed, query, names)
        if maybe or crowded(printed, query, names):
            return None
    except (KeyError, TypeError, AttributeError, ValueError):
        return None
    if query.ask == "count":
        return len(found)
    return {str(one) for one in found} if query.kind == "reference" else None


def test_a_modifier_is_never_passed_over(read: tuple[PaperGraph, Printed, dict[str, Any]]) -> None:
    paper, printed, names = read
    answered = compared = 0
    for text, query in MODIFIED:
        given = look_up(Question("q", text), paper)
        if given is None:
            continue
        answered += 1
        assert given.dropped == (), text
        assert verify(given, {paper.id: paper}).issues == (), text
        right = wanted(printed, query, names)
        if right is None or not is_sure(given):
            continue
        compared += 1
        if isinstance(right, set):
            assert isinstance(given.value, list), text
            assert len(given.value) == len(right), text
            shown = {place.node for claim in given.claims for place in claim.evidence}
            marked = {target for node in shown for target in paper.targets(node, "http://purl.org/spar/cito/cites")}
            assert right <= shown | marked, text
        else:
            assert given.value == right, text
    assert answered >= 0.8 * len(MODIFIED)
    assert compared > 15


def test_what_is_not_read_whole_is_not_answered(read: tuple[PaperGraph, Printed, dict[str, Any]]) -> None:
    paper, _, _ = read
    assert [text for text in UNREAD if look_up(Question("q", text), paper) is not None] == []


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("How often is reference 6 cited?", 4),  # once of these in a cell of Table 2
        ("How many references are cited exactly once?", 13),
        ("How many references are cited in Section 2?", 6),
        ("How many references does Section 2.1 cite?", 3),
        ("Are there more than two tables?", "yes"),
        ("Are there more than three tables?", "no"),
        ("Are there fewer than 30 references?", "yes"),
        ("Which references are cited before 2010?", ["5", "6", "7", "12", "19", "21"]),
    ],
)
def test_counts_and_bounds_are_those_of_the_page(asked: str, value: object, bundled_runs: Path) -> None:
    paper = PaperGraph.load(next(bundled_runs.glob("reservoir_sensors_*")))
    given = look_up(Question("q", asked), paper)
    assert given is not None
    assert (given.value, given.dropped) == (value, ())
    assert verify(given, {paper.id: paper}).conforms


def test_a_section_in_capitals_is_known_by_the_entries_it_cites(bundled_runs: Path) -> None:
    paper = PaperGraph.load(next(bundled_runs.glob("urban_pollinators_*")))
    given = look_up(Question("q", "How many of the references are cited in the Results?"), paper)
    assert given is not None
    claim = given.claims[0]
    assert (claim.text, given.value) == ("RESULTS cites 1 reference.", 1)
