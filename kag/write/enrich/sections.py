"""Rhetorical types of sections, read off their titles.

A title says what its section does only when the whole of it is a known phrase ("Materials and
Methods"); a known word inside another phrase ("Discussion of earlier methods") says nothing.
"""

from __future__ import annotations

import re
import unicodedata

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO, RDF
from kag.rdf.workspace import Workspace

# Singular, American; alternatives separated by bars.
_PHRASES: dict[URIRef, str] = {
    DOCO.Abstract: "abstract|author summary|executive summary|graphical abstract|lay summary|plain language summary"
    "|elife digest|digest|editor summary|synopsis|resumen|resume|zusammenfassung",
    DOCO.Appendix: "appendix|appendice|anhang|annexe",
    DOCO.Bibliography: "reference|bibliography|literature cited|work cited|reference cited|cited literature"
    "|cited reference|reference list|list of reference|literature|literature reference|reference and note"
    "|note and reference|bibliographical reference|bibliographic reference|references and further reading"
    "|further reading|supplementary reference|supplemental reference|additional reference|method reference"
    "|literatur|literaturverzeichnis|quellenverzeichnis|bibliographie"
    "|referencias|referencia|bibliografia|referências|references bibliographiques",
    DOCO.Glossary: "glossary|glossary of term|abbreviation|list of abbreviation|acronym|nomenclature|notation"
    "|abbreviation used|nonstandard abbreviation",
    DEO.Acknowledgements: "danksagung|remerciement|agradecimiento"
    "|acknowledgment|acknowledgement|thanks|acknowledgment of support",
    DEO.AuthorContribution: "author contribution|contribution of author|author contribution statement|contributor"
    "|credit authorship contribution statement|credit author statement|authorship contribution|authors role"
    "|credit authorship statement|contribution statement|author role",
    DEO.Background: "background|theoretical background|background information|scientific background"
    "|preliminary|preliminaries|theory|theoretical framework|clinical background|historical background",
    DEO.Biography: "biography|author biography|about the author|biographical sketch|biographical note",
    DEO.Conclusion: "schlussfolgerung|schlussfolgerungen|fazit"
    "|conclusion|concluding remark|conclusion remark|closing remark|final remark|significance"
    "|take home message|conclusion and outlook|summary and conclusion|principal conclusion"
    "|main conclusion|overall conclusion"
    "|general conclusion|concluding discussion|conclusion section",
    DEO.Data: "data|dataset|data set|data availability|data availability statement|availability of data|data access"
    "|availability of data and material|data and code availability|data and software availability|data deposition"
    "|code availability|code and data availability|data and material availability|data sharing|data sharing statement"
    "|major dataset|data accessibility|data statement|data and resource availability"
    "|data archiving|accession number|data description|description of data|material and data availability",
    DEO.Discussion: "discussion|diskussion|discusion|general discussion|discussion section|overall discussion",
    DEO.Evaluation: "evaluation|experimental evaluation|empirical evaluation|performance evaluation|system evaluation"
    "|evaluation and result|validation|experimental validation|model evaluation",
    DEO.FutureWork: "future work|future direction|future research|outlook|perspective|future perspective"
    "|future development|future plan|future prospect|next step|direction for future research|future study",
    DEO.Introduction: "introduction|general introduction|introductory remark|einleitung|introduccion|introducao",
    DEO.Materials: "material|materiel|materiale"
    "|patient|participant|subject|study participant|study population|animal|reagent|chemical"
    "|sample|specimen|study site|study area|biological material|plant material|study subject",
    DEO.Methods: "methode|methoden|metodo|methodik"
    "|method|methodology|methodologie|experimental procedure|experimental section|experimental"
    "|experimental method|experimental design|experimental setup|experimental detail|experimental part|procedure"
    "|computational method|computational detail|statistical method|online method|star method|research method"
    "|research design|method summary|general method|study design|protocol|approach|method detail|experiment design"
    "|method and protocol|detailed method|supplementary method|experimental methodology|research methodology",
    DEO.Model: "model|mathematical model|theoretical model|the model|model description|proposed model"
    "|system model|computational model|model formulation|model architecture",
    DEO.Motivation: "motivation|statement of need|rationale|need statement|aim and motivation|purpose",
    DEO.ProblemStatement: "problem statement|problem formulation|problem definition|statement of the problem"
    "|problem description|research problem",
    DEO.RelatedWork: "related work|previous work|prior work|related research|related literature|literature review"
    "|review of literature|review of the literature|prior research|state of the art|related study|earlier work",
    DEO.Results: "resultat|resultate|resultado|ergebnis|ergebnisse"
    "|result|finding|principal finding|main result|experimental result|main finding|key finding"
    "|key result|experiment result|numerical result|simulation result|result section|empirical result",
    DEO.SupplementaryInformationDescription: "supporting information|supplementary material|supplementary information"
    "|supplementary data|supplemental information|supplemental material|supplemental data|additional file"
    "|supplementary file|supporting data|supplementary online material|supporting material"
    "|electronic supplementary material|electronic supplementary information"
    "|appendix supplementary data|appendix supplementary material|supplement"
    "|supporting information available|associated content|supporting online material|supporting file",
}

_TYPES: dict[str, tuple[URIRef, ...]] = {}
for _type, _listed in _PHRASES.items():
    for _phrase in _listed.split("|"):
        _TYPES[_phrase] = (*_TYPES.get(_phrase, ()), _type)
_FILLERS = frozenset(
    {
        "summary",
        "statistic",
        "technique",
        "implementation",
        "limitation",
        "implication",
        "ethic",
        "note",
        "recommendation",
        "application",
        "statistical analysis",
        "analysis",
        "experiment",
        "declaration",
    }
)

_NUMBER = re.compile(
    r"(?:(?:section|chapter|part)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-h])\s*[.):]\s*|\d{1,3}(?:\.\d{1,3})*\s+"
)
_APPENDIX = re.compile(
    r"(?:appendix|annexe?|appendices|anhang)(?:\s+(?:[a-z]|\d{1,2}|[ivx]{1,5}))?(?:\s*[.:\-–—]\s*.*)?"
)
_SPACED = re.compile(r"(?:\b\w ){3,}\w\b")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_JOINT = re.compile(r"\s*(?:/|,|;|&|\b(?:and|und|et|y)\b)\s*")
_WORD = re.compile(r"[^\W_]+")
_SPELLINGS = {"acknowledgement": "acknowledgment", "supplemental": "supplementary", "modelling": "modeling"}


def title_types(title: str) -> tuple[URIRef, ...]:
    """Types of the section under a title, sorted; none when the title says nothing about it.

    >>> [str(t).rpartition("/")[2] for t in title_types("2. MATERIALS AND METHODS")]
    ['Materials', 'Methods']
    """
    text = _normal(title)
    whole = _TYPES_BY_KEY.get(_key(text))
    if whole:
        return tuple(sorted(whole))
    if _APPENDIX.fullmatch(text):
        return (DOCO.Appendix,)
    return _joint_types(_JOINT.split(text)) or (_joint_types(text.split("and")) if " " not in text else ())


def is_reference_heading(title: str) -> bool:
    """True for the title of a list of references."""
    return DOCO.Bibliography in title_types(title)


def apply(workspace: Workspace) -> int:
    """Type the sections by their titles; returns the number of types added."""
    return sum(
        workspace.add(section, RDF.type, kind)
        for section in workspace.of_type(DOCO.Section)
        for kind in title_types(workspace.title_of(section))
    )


def _joint_types(parts: list[str]) -> tuple[URIRef, ...]:
    """Types of a title joined from known phrases; none when any part is unknown or all are fillers."""
    keys = [_key(part) for part in parts]
    known = [_TYPES_BY_KEY.get(key) for key in keys]
    if not all(types or key in _FILLERS for types, key in zip(known, keys, strict=True)):
        return ()
    return tuple(sorted({kind for types in known if types for kind in types}))


def _normal(title: str) -> str:
    """The title folded to lower case, without number, letter spacing, closing parenthesis and accents."""
    text = unicodedata.normalize("NFKD", title).casefold()
    text = "".join(char for char in text if not unicodedata.combining(char)).strip()
    text = _SPACED.sub(lambda found: found.group().replace(" ", ""), text)
    text = text.replace("’", "'").replace("'s", "").replace("s'", "s")
    number = _NUMBER.match(text)
    if number and number.end() < len(text):
        text = text[number.end() :]
    return _PARENTHESIS.sub("", text).strip(" .:;–—-*#_")


def _key(text: str) -> str:
    """Words in the singular and one spelling, so that variants of a phrase are equal."""
    return " ".join(_SPELLINGS.get(word, word) for word in map(_singular, _WORD.findall(text)))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_TYPES_BY_KEY = {_key(phrase): types for phrase, types in _TYPES.items()}
# letter-spaced titles lose the blanks between their words as well
_TYPES_BY_KEY |= {key.replace(" ", ""): types for key, types in _TYPES_BY_KEY.items()}
