"""Names that are known by their form: variants, accession numbers, grants, formulas, labels of compounds, versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple


class Spot(NamedTuple):
    """Characters from `start` to before `end` of one text, its kind, how sure, and what found it."""

    start: int
    end: int
    kind: str
    score: float
    rule: str


def standing(spots: Iterable[Spot]) -> list[Spot]:
    """Return the spots that stay: the most certain first, then the longest; none overlaps another.

    >>> standing([Spot(0, 4, "gene", 0.9, "a"), Spot(2, 8, "term", 0.5, "b"), Spot(9, 11, "place", 0.4, "c")])
    [Spot(start=0, end=4, kind='gene', score=0.9, rule='a'), Spot(start=9, end=11, kind='place', score=0.4, rule='c')]
    """
    kept: list[Spot] = []
    taken: set[int] = set()
    for one in sorted(set(spots), key=lambda spot: (-round(spot.score, 2), spot.start - spot.end, spot)):
        if one.end > one.start and taken.isdisjoint(range(one.start, one.end)):
            taken.update(range(one.start, one.end))
            kept.append(one)
    return sorted(kept)


SYMBOLS = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb"
    " Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au"
    " Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv"
    " Ts Og D"
)
"""The symbols of the elements, and D for deuterium."""

_SYMBOL = "|".join(sorted(SYMBOLS.split(), key=lambda one: (-len(one), one)))
_COUNT = r"(?:\d+(?:\.\d+)?(?:[-−–]?[xyzδ])?|[xyzδ](?![a-z])|[₀-₉]+)"
_ELEMENT = re.compile(rf"({_SYMBOL})({_COUNT})?")
_FORMULA = re.compile(
    rf"(?:\d(?:\.\d+)?)?(?:[(\[](?:(?:{_SYMBOL}){_COUNT}?,?)+[)\]]{_COUNT}?|(?:{_SYMBOL}){_COUNT}?)+"
    r"(?:[-−–±][xδ]|[-−–+]\d?δ|\d?[+-]|[⁰-⁹⁺⁻²³¹]+)?"
)


@lru_cache(maxsize=16_384)
def is_formula(text: str) -> bool:
    """Whether a text is the formula of a substance of at least two elements, or of one with a count.

    >>> [is_formula(one) for one in ("La0.6Sr0.4CoO3-δ", "H2O", "CO2", "NaCl", "Ca2+", "(NH4)2SO4")]
    [True, True, True, True, True, True]
    >>> [is_formula(one) for one in ("In", "No", "CV", "HIV", "On", "S1", "B2", "Fig2")]
    [False, False, False, False, False, False, False, False]
    """
    if not _FORMULA.fullmatch(text):
        return False
    found = _ELEMENT.findall(text)
    counted = any(count for _, count in found)
    long = any(len(symbol) == 2 for symbol, _ in found)
    if len(found) == 1:
        return text in _PLAIN or (text[-1] in "+-⁺⁻" and bool(found[0][1] or text[-2:-1].isdigit() or long))
    if counted:
        return any(symbol not in _LETTERS for symbol, _ in found)
    return text in _PLAIN or (long and len(found) == 2 and text not in _NO_FORMULA)


_LETTERS = frozenset("BCDFHIKPSUVWY")  # of which codes of samples are made, too
_PLAIN_FORMULAS = """
    CO NO HF HCN NaOH KOH HBr KF KI KBr CuO ZnO NiO MgO CaO BaO FeO H2 N2 O2 O3 F2 Cl2 Br2 I2 C60 C70 S8 P4 D2
"""
_PLAIN = frozenset(_PLAIN_FORMULAS.split())
_NO_FORMULA = frozenset({"CoS", "InC", "CoP", "PoS", "AsH", "NoH", "HeY", "InN", "BeH", "AtO", "NoW", "HoW", "HeW"})


RULE = "pattern"
_AMINO = "Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter|Stop"
VARIANT = re.compile(
    rf"\brs\d{{3,10}}\b|\bp\.\(?(?:{_AMINO}|[A-Z])\d+(?:{_AMINO}|[A-Z*=]|fs)[\w*]*\)?"
    r"|\b[cgmn]\.[-*]?\d+(?:[-+_]\d+)*(?:[ACGT]\s?>\s?[ACGT]|del[ACGT]*|ins[ACGT]+|dup[ACGT]*)+"
    rf"|\b(?:{_AMINO})-?\d{{1,4}}-?(?:{_AMINO})\b|\b\d{{1,5}}[ACGT]\s?>\s?[ACGT]\b"
)
_SHORT_VARIANT = re.compile(r"\b([ACDEFGHIKLMNPQRSTVWY])\d{2,4}([ACDEFGHIKLMNPQRSTVWYX*])\b")
_OF_VARIANTS = re.compile(r"mutat|variant|mutant|substitution|polymorphism|allele|SNP", re.IGNORECASE)
ACCESSIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("geo", re.compile(r"\bG(?:SE|SM|PL|DS)\d{2,8}\b")),
    ("sra", re.compile(r"\b[SED]R[APRSXZ]\d{5,9}\b")),
    ("bioproject", re.compile(r"\bPRJ(?:NA|EB|DB)\d{2,8}\b")),
    ("arrayexpress", re.compile(r"\bE-[A-Z]{4}-\d{1,6}\b")),
    ("clinicaltrials", re.compile(r"\bNCT\d{8}\b")),
    (
        "pdb",
        re.compile(
            r"\b(?:PDB|Protein Data Bank)(?:\s+(?:IDs?|codes?|entry|accession|file))*[:\s]+\(?(\d[A-Za-z0-9]{3})\b"
        ),
    ),
    (
        "uniprot",
        re.compile(
            r"\b(?:UniProt|Swiss-?Prot|UniProtKB)[\w\s,:/.#]{0,24}?\b([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d[A-Z][A-Z0-9]{2}\d)\b"
        ),
    ),
    (
        "ena.embl",
        re.compile(
            r"\b(?:GenBank|EMBL|DDBJ|NCBI|RefSeq|accession)[\w\s,:;/.#()]{0,40}?\b([A-Z]{1,2}_?\d{5,9}(?:\.\d)?)\b"
        ),
    ),
    ("", re.compile(r"\bEMD-\d{4,5}\b|\bEMPIAR-\d{5}\b|\bPXD\d{6}\b|\bCHEMBL\d{2,8}\b|\bSAM[END][A-Z]?\d{5,12}\b")),
    ("", re.compile(r"\bCCDC[\w\s:.#-]{0,20}?\b(\d{6,7})\b|\bMTBLS\d{1,5}\b")),
)
_ACCESSION_GATE = re.compile(r"[A-Z]{2}[-_ ]?\d|PDB|UniProt|Swiss|accession|GenBank|CCDC|Protein Data Bank")
_CODE = r"(?=[\w/.-]*\d)[A-Z0-9][\w/.-]{3,24}(?<![.,-])"
GRANT = re.compile(
    r"\b(?:grants?|contracts?|awards?|funding|fellowships?)\b"
    r"(?:\s+(?:agreement|award|contract|number|numbers|nos?|nr|id|code|under)\b)*"
    rf"\.?[\s:#(]*({_CODE}(?:\s*(?:,|;|and|,\s*and)\s+{_CODE})*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(_CODE, re.IGNORECASE)
_LABEL = r"(?:\d{1,2}[a-z]?|[IVX]{1,4})"
COMPOUND = re.compile(
    r"\b([Cc]ompounds?|[Cc]omplex(?:es)?|[Ll]igands?|[Pp]roducts?|[Ii]ntermediates?)\s+"
    rf"({_LABEL}(?:(?:\s*,\s*|\s+and\s+|\s*[-–]\s*){_LABEL})*)(?![\w%°.]|\s*(?:%|mg|g|mL|h|mM|nm|°))"
)
_RUN = re.compile(r"(?<![\w.,()\[\]+−–₀-₉δ-])[\w.,()\[\]+−–₀-₉δ-]{0,60}[A-Z][\w.,()\[\]+−–₀-₉δ⁺⁻-]{0,60}")


def by_form(text: str) -> Iterator[Spot]:
    """The names of a text that are known by their form."""
    yield from variants(text)
    yield from accessions(text)
    yield from compounds(text)
    if "grant" in text.lower() or "fund" in text.lower() or "contract" in text.lower():
        yield from grants(text)


def variants(text: str) -> Iterator[Spot]:
    """Return sequence variants; those of two letters and a number only in texts about variants.

    >>> text = "The V600E mutation (c.1799T>A, rs113488022) and Gly12Asp."
    >>> [text[one.start : one.end] for one in variants(text)]
    ['c.1799T>A', 'rs113488022', 'Gly12Asp', 'V600E']
    """
    for match in VARIANT.finditer(text):
        yield Spot(*match.span(), "variant", 0.95, RULE)
    if _OF_VARIANTS.search(text):
        for match in _SHORT_VARIANT.finditer(text):
            if match[1] != match[2]:
                yield Spot(*match.span(), "variant", 0.8, RULE)


def accessions(text: str) -> Iterator[Spot]:
    """Accession numbers of entries of databases."""
    if not _ACCESSION_GATE.search(text):
        return
    for _, pattern in ACCESSIONS:
        for match in pattern.finditer(text):
            yield Spot(*match.span(match.lastindex or 0), "accession", 0.95, RULE)


def curie_of(accession: str, text: str, at: int) -> str:
    """Return the CURIE of an accession number at a place of a text; "" if its database has no prefix."""
    for prefix, pattern in ACCESSIONS:
        for match in pattern.finditer(text, max(0, at - 60), at + len(accession)):
            if match.start(match.lastindex or 0) == at:
                return f"{prefix}:{accession}" if prefix else ""
    return ""


def compounds(text: str) -> Iterator[Spot]:
    """Labels of a paper's own compounds, and formulas.

    >>> text = "Compound 3a was made from LaCoO3 and Ca2+ in NaCl."
    >>> [text[one.start : one.end] for one in compounds(text)]
    ['Compound 3a', 'LaCoO3', 'Ca2+', 'NaCl']
    """
    for match in COMPOUND.finditer(text):
        yield Spot(*match.span(), "chemical", 0.7 if match[1][0] in "CcLl" else 0.5, RULE)
    for match in _RUN.finditer(text):
        start, end = match.span()
        while end > start and text[end - 1] in ".,)-–(" and not is_formula(text[start:end]):
            end -= 1
        while start < end and text[start] in "([,." and not is_formula(text[start:end]):
            start += 1
        if is_formula(text[start:end]):
            yield Spot(start, end, "chemical", 0.85, RULE)


def grants(text: str) -> Iterator[Spot]:
    """Numbers of grants.

    >>> text = "Supported by NSF grant DMS-1234567 and NIH grants R01 GM123, R01-GM456."
    >>> [text[one.start : one.end] for one in grants(text)][:1]
    ['DMS-1234567']
    """
    for match in GRANT.finditer(text):
        for number in _NUMBER.finditer(text, *match.span(1)):
            yield Spot(*number.span(), "grant", 0.85, RULE)
