"""What is rendered as a call-out, in any style and spelling, is found again, and nothing else is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.indexing.enrich.citations import find_citations
from kag.indexing.references.parser import parse_reference

pytestmark = pytest.mark.slow

FAMILIES = (
    "Abel", "Baker", "Cohen", "Dupont", "Eriksen", "Fischer", "Garcia", "Haas", "Ivanov", "Jansen", "Kowalski", "Lima",
    "Moreau", "Novak", "O'Brien", "Petrov", "Quist", "Rossi", "Schmidt", "Tanaka", "Ueda", "Vogel", "Weber", "Zhang",
)  # fmt: skip
WORDS = ("Rivers freeze", "the ice was thin", "sensors failed", "losses grew", "nobody knew why", "models agree")
NUMERIC = {
    "bracket": ("{words} [{list}].", "{words} [see {list}].", "{words} [ {list} ],", "{words}[{list}]"),
    "paren": ("{words} ({list}).", "{words} (see {list}),", "{words} (refs. {list})."),
    "superscript": (
        "{words} \\( ^{{{list}}} \\) .", "{words}.\\( ^{{[{list}]}} \\)", "{words} \\( {{}}^{{{list}}} \\)",
        "{words}^{{{list}}}", "{words} $^{{{list}}}$.", "{words}<sup>{list}</sup>",
    ),
}  # fmt: skip
DASHES = ("-", "–", "--", "−")


def rendered(numbers, comma, dash):
    """Numbers as they are printed: runs of three or more as ranges."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [
        part
        for run in runs
        for part in ([f"{run[0]}{dash}{run[-1]}"] if len(run) > 2 else [str(number) for number in run])
    ]
    return comma.join(parts)


cited = st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=6), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(
    style=st.sampled_from(sorted(NUMERIC)), groups=cited, listed=st.integers(4, 30), comma=st.sampled_from((",", ", ")),
    dash=st.sampled_from(DASHES), data=st.data(),
)  # fmt: skip
def test_numbers(style, groups, listed, comma, dash, data):
    groups = [[number for number in group if number <= listed] for group in groups]
    groups = [group for group in groups if group] + [[number] for number in range(1, listed + 1)]
    references = {n: parse_reference(f"{n}. Author{n} A. Title {n}. J. 2000;1:2.") for n in range(1, listed + 1)}
    texts = [
        data.draw(st.sampled_from(NUMERIC[style])).format(
            words=data.draw(st.sampled_from(WORDS)), list=rendered(group, comma, dash)
        )
        for group in groups
    ]
    beyond = f"sensors failed [{listed + 1}] and ({listed + 1})."
    found = find_citations([*texts, beyond], references)
    assert found.style == style
    assert [(c.host, set(c.numbers)) for c in found.found] == [(host, set(group)) for host, group in enumerate(groups)]


FORMS = {
    1: ("({a}, {y})", "({a} {y})", "{a} ({y})", "{a}'s ({y})", "(e.g., {a} {y})", "(see also {a}, {y}, p. 3)"),
    2: ("({a} and {b}, {y})", "({a} & {b} {y})", "{a} and {b} ({y})"),
    3: ("({a} et al., {y})", "({a} et al. {y})", "{a} et al. ({y})", "{a} and colleagues ({y})"),
}


@settings(max_examples=40, deadline=None)
@given(
    people=st.lists(
        st.tuples(st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=3, unique=True), st.integers(1950, 2020)),
        min_size=1, max_size=12, unique_by=lambda one: (one[0][0], one[1]),
    ),
    data=st.data(),
)  # fmt: skip
def test_names_and_years(people, data):
    printed = {
        number: ", ".join(f"{name}, A." for name in names) + f" ({year}). A title of ice. Nature, 1, 2–3."
        for number, (names, year) in enumerate(people, 1)
    }
    references = {number: parse_reference(text) for number, text in printed.items()}
    texts = []
    for names, year in people:
        form = data.draw(st.sampled_from(FORMS[len(names)]))
        call = form.format(a=names[0], b=names[-1], y=year)
        texts.append(f"{data.draw(st.sampled_from(WORDS))}, {call} and so on in Winter {year}.")
    found = find_citations(texts, references, printed)
    assert [(c.host, c.numbers) for c in found.found] == [(host, (host + 1,)) for host in range(len(people))]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="[](){}^\\$ ,;-–12390aZ.éß¹²<>sup", max_size=300), st.integers(1, 9))
def test_any_text_links_to_the_list_only(text, listed):
    references = {n: parse_reference(f"Author{n} A. Title. J. 2000;1:2.") for n in range(1, listed + 1)}
    for citation in find_citations([text], references).found:
        assert citation.numbers
        assert set(citation.numbers) <= set(references)
        assert 0 <= citation.start < citation.end <= len(text)
