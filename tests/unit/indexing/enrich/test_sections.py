"""Section titles and what they say."""

import pytest

from kag.core.types import Document
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
