"""Section titles and what they say."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.bibliography import following, in_order, list_length
from kag.indexing.enrich.sections import is_reference_heading, title_types, type_sections
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace


def names(title):
    return [str(kind).rpartition("/")[2] for kind in title_types(title)]


@pytest.mark.parametrize(("title", "expected"), [
    ("1. Introduction", ["Introduction"]),
    ("A B S T R A C T", ["Abstract"]),
    ("M A T E R I A L S A N D M E T H O D S", ["Materials", "Methods"]),
    ("2 Patients, Materials and Methods", ["Materials", "Methods"]),
    ("RESULTS & DISCUSSION", ["Discussion", "Results"]),
    ("METHODOLOGY/PRINCIPAL FINDINGS", ["Methods", "Results"]),
    ("IV. Results", ["Results"]),
    ("Acknowledgments", ["Acknowledgements"]),
    ("Acknowledgements", ["Acknowledgements"]),
    ("Appendix A: Proofs", ["Appendix"]),
    ("Data availability", ["Data"]),
    ("Supplemental Data", ["SupplementaryInformationDescription"]),
    ("Authors’ contributions", ["AuthorContribution"]),
    ("Introduction (long version)", ["Introduction"]),
    ("Résumé", ["Abstract"]),
    ("2 Material und Methoden", ["Materials", "Methods"]),
    ("3. Résultats et discussion", ["Discussion", "Results"]),
    ("Danksagung", ["Acknowledgements"]),
    ("Remerciements", ["Acknowledgements"]),
    ("Anhang A", ["Appendix"]),
    ("Bibliographie", ["Bibliography"]),
    ("Methods references", ["Bibliography"]),
    ("STAR Methods: References", ["Bibliography"]),
    ("References cited in the Supplementary Information", ["Bibliography"]),
    ("References for the Appendix", ["Bibliography"]),
    ("Online references", ["Bibliography"]),
    ("Reference values", []),
    ("References of the king", []),
    ("Cultural references", []),
    ("Ergebnisse der Umfrage", []),
    ("State-of-the-art", ["RelatedWork"]),
    ("Summary and conclusions", ["Conclusion"]),
    ("Discussion of previous methods", []),
    ("Results of the survey", []),
    ("Model organisms", []),
    ("Methods and madness", []),
    ("Summary", []),
    ("Results and", []),
    ("1.", []),
    ("", []),
    ("1 引言", ["Introduction"]),
    ("二、材料与方法", ["Materials", "Methods"]),
    ("2.1研究方法", ["Methods"]),
    ("参 考 文 献", ["Bibliography"]),
    ("結果と考察", ["Discussion", "Results"]),
    ("3种方法", []),
    ("3. РЕЗУЛЬТАТЫ И ОБСУЖДЕНИЕ", ["Discussion", "Results"]),
    ("Список литературы", ["Bibliography"]),
    ("4. 결론", ["Conclusion"]),
    ("المراجع", ["Bibliography"]),
    ("Introdução", ["Introduction"]),
    ("Schlußfolgerung", ["Conclusion"]),
    ("Özet", ["Abstract"]),
])  # fmt: skip
def test_title_types(title, expected):
    assert names(title) == expected


@pytest.mark.parametrize("title", ["References", "8. REFERENCES", "Literature Cited", "Notes and references",
                                   "R E F E R E N C E S", "Bibliography", "Literaturverzeichnis"])  # fmt: skip
def test_reference_headings(title):
    assert is_reference_heading(title)


@pytest.mark.parametrize("title", ["Reference genome", "Frames of reference", "Literature review", "Notes"])
def test_not_reference_headings(title):
    assert not is_reference_heading(title)


def test_hostile_titles_end():
    assert title_types("a " * 50_000) == ()
    assert title_types("(" * 50_000) == ()
    assert title_types("1." * 50_000) == ()


def test_apply_adds_types_once():
    workspace = Workspace(Document("paper", (), (), (), 1, ""))
    section, title = workspace.node("s1"), workspace.node("t1")
    workspace.add(section, RDF.type, DOCO.Section)
    workspace.add(section, KAG.containsAsHeader, title)
    workspace.put(title, KAG.mainText, "Results and Discussion")
    assert type_sections(workspace) == 2
    assert type_sections(workspace) == 0
    assert workspace.is_a(section, DEO.Results)
    assert workspace.is_a(section, DEO.Discussion)


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
