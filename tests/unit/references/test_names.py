"""Names at the start of a reference, in the styles journals print."""

import pytest

from kag.references.names import NOBODY, Name, read_names


@pytest.mark.parametrize(("text", "names", "rest"), [
    ("Coffelt SB, de Visser KE. Title.", ["Coffelt, SB", "de Visser, KE"], ". Title."),
    ("Nunes da Fonseca R, van der Zee M, Roth S. Title.", ["Nunes da Fonseca, R", "van der Zee, M", "Roth, S"],
     ". Title."),
    ("Family, A. B., & Other, C. (2006). T.", ["Family, A. B.", "Other, C."], " (2006). T."),
    ("P. J. Boul, P. Reutenauer and J.-M. Lehn, Org. Lett., 2005", ["Boul, P. J.", "Reutenauer, P.", "Lehn, J.-M."],
     ", Org. Lett., 2005"),
    ("Kotha S.; Banerjee S. Title.", ["Kotha, S.", "Banerjee, S."], " Title."),
    ("JonesKE, PatelNG, McElroyD (2008) Title.", ["Jones, KE", "Patel, NG", "McElroy, D"], " (2008) Title."),
    ("vanEngelsdorp D, O'Neill B, Mühlhaus HB. T.", ["vanEngelsdorp, D", "O'Neill, B", "Mühlhaus, HB"], ". T."),
    ("Ashish Vaswani, Noam Shazeer, and Niki Parmar. 2017. T.",
     ["Vaswani, Ashish", "Shazeer, Noam", "Parmar, Niki"], ". 2017. T."),
    ("Adams, K. L., B. Bossak, and C. D. Roe, 2001: T.", ["Adams, K. L.", "Bossak, B.", "Roe, C. D."], ", 2001: T."),
    ("Thornton, Brett F. and Shawn Burdette (2010). T.", ["Thornton, Brett F.", "Burdette, Shawn"], " (2010). T."),
    ("Kostecka, Keith (2008). T.", ["Kostecka, Keith"], " (2008). T."),
    ("Smith J Jr, Lee K. T.", ["Smith, J", "Lee, K"], ". T."),
    ("1000 Genomes Project Consortium, Abecasis, G. R., & Auton, A. (2010). T.",
     ["1000 Genomes Project Consortium", "Abecasis, G. R.", "Auton, A."], " (2010). T."),
    ("Thurmond J, Lee P, FlyBase Consortium. T.", ["Thurmond, J", "Lee, P", "FlyBase Consortium"], ". T."),
    ("Roy S, Wapinski, Pfiffner J. T.", ["Roy, S", "Wapinski", "Pfiffner, J"], ". T."),
])  # fmt: skip
def test_styles(text, names, rest):
    found = read_names(text)
    assert [str(name) for name in found.people] == names
    assert text[found.end :] == rest


@pytest.mark.parametrize("text", ["Smith J, et al. T.", "Smith J et al. T.", "Smith, J., et al. (2001). T.",
                                  "Smith, J., Lee, K., & … Roe, M. (2001). T."])  # fmt: skip
def test_et_al(text):
    assert read_names(text).people[0].family == "Smith"


def test_et_al_is_noted():
    assert read_names("Smith J, Lee K, et al. T.").more
    assert not read_names("Smith J, Lee K. T.").more


@pytest.mark.parametrize("text", [
    "", "The state of the world. Penguin.", "R Core Team (2017). R.", "Blackboard Help (2024).",
    "Nature of things, a survey. 2001.", "12345",
])  # fmt: skip
def test_no_person(text):
    assert read_names(text) == NOBODY


def test_a_container_is_no_author():
    assert [str(name) for name in read_names("L. Smal and M. Singleton, J. Am. Chem. Soc., 2020, 1, 2.").people] == [
        "Smal, L.",
        "Singleton, M.",
    ]


def test_name_as_text():
    assert str(Name("World Health Organization")) == "World Health Organization"
    assert str(Name("Lee", "K.")) == "Lee, K."
