"""How sure a field is, by what it was read from."""

import pytest

from kag.references.parser import parse_reference

LABELLED = "E. Poe, “Ice on lakes,” J. Ice, vol. 3, no. 2, pp. 1–4, 2004. doi:10.1234/ice"


def sure(text):
    return dict(parse_reference(text).confidence)


def test_the_order_of_the_fields_is_fixed():
    names = [name for name, _ in parse_reference(LABELLED).confidence]
    assert names == ["authors", "title", "year", "container", "volume", "issue", "pages", "kind", "doi"]
    assert all(0 < share <= 1 for share in sure(LABELLED).values())


def test_shares_of_a_labelled_entry():
    assert sure(LABELLED) == {
        "authors": 0.98, "title": 0.97, "year": 0.99, "container": 0.9, "volume": 0.97, "issue": 0.95, "pages": 0.97,
        "kind": 0.8, "doi": 0.98,
    }  # fmt: skip


@pytest.mark.parametrize(("surer", "other", "field"), [
    (LABELLED, "Poe E. Ice on lakes and rivers", "title"),
    ("Poe E, Roe F. A title of it. J Ice. 2001;3:4-5.", "World Health Organization. A title of it. 2001.", "authors"),
    ("Poe E, Roe F. A title of it. J Ice. 2001;3:4-5.", "Poe E, Roe F. A title of ice. J Ice. 2001;3:4.", "volume"),
    ("Poe E, Roe F. A title of it. J Ice. 2001;3:4-5.", "Poe E, Roe F. A title of it. J Ice. 2001.", "container"),
])  # fmt: skip
def test_what_is_surer(surer, other, field):
    assert sure(surer)[field] > sure(other).get(field, 0.0)
