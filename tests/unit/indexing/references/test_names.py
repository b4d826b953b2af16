"""Names at the start of a reference, in the styles journals print."""

import pytest

from kag.indexing.references.names import NOBODY, group_name, read_names


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
    ("Smith J Jr, Lee K. T.", ["Smith, J, Jr", "Lee, K"], ". T."),
    ("1000 Genomes Project Consortium, Abecasis, G. R., & Auton, A. (2010). T.",
     ["1000 Genomes Project Consortium", "Abecasis, G. R.", "Auton, A."], " (2010). T."),
    ("Thurmond J, Lee P, FlyBase Consortium. T.", ["Thurmond, J", "Lee, P", "FlyBase Consortium"], ". T."),
    ("Roy S, Wapinski, Pfiffner J. T.", ["Roy, S", "Wapinski", "Pfiffner, J"], ". T."),
    ("Poe E et al. Ice", ["Poe, E"], " Ice"),
    ("Poe E, Lee S (eds) Ice", ["Poe, E", "Lee, S"], " Ice"),
    ("王小明, 李华. 湖泊", ["王小明", "李华"], ". 湖泊"),
    ("Poe E", ["Poe, E"], ""),
    ("Ice on lakes. J. Ice", [], "Ice on lakes. J. Ice"),
    ("ICE Collaboration, E. Poe, Search", ["ICE Collaboration", "Poe, E."], ", Search"),
    ("ICE Collaboration (E. Poe et al.), Search", ["ICE Collaboration", "Poe, E."], " Search"),
    ("ICE Collaboration: E. Poe, F. Roe, Search", ["ICE Collaboration", "Poe, E.", "Roe, F."], ", Search"),
    ("ICE Collaboration. Search for ice", ["ICE Collaboration"], ". Search for ice"),
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


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("River Council. Ice on lakes and rivers", "River Council"),
        ("River Council, Ice on lakes and rivers", "River Council"),
        ("Those who sail on the lakes (2001). Ice", "Those who sail on the lakes"),
        ("a b c d e f g h i j k (2001). Ice", "a b c d e f g h i j k"),
        ("a b c d e f g h i j k l (2001). Ice", ""),  # twelve words are no name
        ("Ice on lakes. J. Ice", ""),
        ("Sailors. Ice (2001). Lakes", ""),
    ],
)
def test_a_group_wrote_what_stands_behind_it(text: str, group: str) -> None:
    assert [name.family for name in group_name(text).people] == ([group] if group else [])


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Hao Li. 2020. Ice on lakes.", ["Li, Hao"]),
        ("Anna B. Berg. Loads of small streams. J Ice. 2001.", ["Berg, Anna B."]),
        ("Anna B. García Olmedo and Seo-yeon Park, Ice on", ["García Olmedo, Anna B.", "Park, Seo-yeon"]),
        ("Anneke van ’t Hof and Şule Şahin. Ice on", ["van ’t Hof, Anneke", "Şahin, Şule"]),
        ("Heck, Stuart / Leo Zorn (Hg.) 1994: Ort", ["Heck, Stuart", "Zorn, Leo"]),
        ("G. M. Selwyn Jr., and R. A. Quill, Jr. Ice", ["Selwyn, G. M., Jr", "Quill, R. A., Jr"]),
        ("Lee S. Weirs of stone. Water. 2001", ["Lee, S"]),
        ("Nature Methods. 2011;3:4", []),
    ],
)
def test_given_names_in_full_and_names_parted_by_slashes(text: str, people: list[str]) -> None:
    assert [str(name) for name in read_names(text).people] == people
