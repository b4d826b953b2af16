"""Units of measurement as papers print them: a small grammar of factors with exponents.

`MBq/mg`, `MBq mg-1` and `MBq per mg` are one unit, written `MBq.mg-1`; `MBq/g` is another. The canonical form is
UCUM's notation for the most part; a unit that QUDT defines has its IRI. Texts are given in the form of
`search_text(..., fold_case=False)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_PREFIXES = ("f", "p", "n", "u", "m", "c", "d", "h", "k", "M", "G", "T", "")
_PREFIXED = "g m s L l mol Bq Ci Sv Gy eV V A W Hz J Pa N F H S T Da M cal U IU B Omega Wh bar bp K rad"
_PLAIN = """
    min h d wk mo a % ‰ ppm ppb ppt rpm Å atm Torr mmHg psi dB °C °F ° cells copies CFU fold wt% vol% mol% eq equiv
"""
_NAMES = """
    days=d day=d hours=h hour=h hr=h hrs=h minutes=min minute=min mins=min seconds=s second=s sec=s weeks=wk week=wk
    months=mo month=mo years=a year=a yr=a yrs=a °c=°C K=K °F=°F percent=% grams=g gram=g kilograms=kg milligrams=mg
    micrograms=ug nanograms=ng litres=L liters=L litre=L liter=L millilitres=mL milliliters=mL microlitres=uL
    microliters=uL metres=m meters=m metre=m meter=m kilometres=km kilometers=km centimetres=cm centimeters=cm
    millimetres=mm millimeters=mm micrometres=um micrometers=um nanometres=nm nanometers=nm microns=um degrees=°
    moles=mol milliseconds=ms cfu=CFU cell=cells copy=copies x_g=[g] w/v=w/v w/w=w/w v/v=v/v wt_%=wt% vol_%=vol%
    mol_%=mol% %w/v=w/v equivalents=equiv Angstrom=Å Kd=kDa hectares=ha hectare=ha ha=ha
    k-Omega=kOmega M-Omega=MOmega m-Omega=mOmega cc=mL kbp=kbp kb=kbp Mb=Mbp
"""
_NO_UNITS = "cd Td Gg Tg dm hm hs cs ds a hL TM GM cM dM hM hd"  # spelled like a unit, but something else
# "3 H", "2 A", "15 N": as often a label or an isotope; these count only with a decimal number or in a compound
_DOUBTFUL = frozenset("AFHSCNTBMlat")


def _spellings() -> dict[str, str]:
    table = {prefix + base: prefix + base for base in _PREFIXED.split() for prefix in _PREFIXES}
    table |= {unit: unit for unit in _PLAIN.split()}
    pairs = (pair.split("=") for pair in _NAMES.split())
    table |= {name.replace("_", " "): unit for name, unit in pairs}
    for spelling in _NO_UNITS.split():
        table.pop(spelling, None)
    return table


_SPELLINGS = _spellings()
_ATOM = re.compile(
    r"(?P<unit>x[ ]g|(?:wt|vol|mol)[ ]?%|%(?:[ ]?w/v)?|[wv]/[wv]|[kMm]-Omega|°[CFc]?|‰|[A-Za-zÅ]+)(?![A-Za-z_])"
    r"(?P<power>\^?(?:-[1-4]|[1-4])(?!\.?\d))?"
)
_TIMES = re.compile(r"[ ]?[·.*][ ]?|[ ]")
_OVER = re.compile(r"[ ]?/[ ]?|[ ]per[ ]")
_AREA = re.compile(r"1\.73[ ]?(?=m2)")  # of a body: mL/min/1.73 m2


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in canonical form, such as `mg.kg-1`; `iri` is QUDT's, empty where QUDT has none."""

    canonical: str
    iri: str = ""


def is_unit(word: str) -> bool:
    """Whether a word can begin a unit."""
    return word in _SPELLINGS or word in ("wt", "vol", "x")


def read_unit(text: str, at: int = 0, *, exact: bool = False) -> tuple[Unit, int] | None:
    """The unit that begins at a place and where it ends; None when there is none.

    `exact` says that the unit belongs to a measured number beyond doubt (one with decimals, a header in brackets), so
    that single letters count.

    >>> read_unit("mol L-1 was")
    (Unit(canonical='mol.L-1', iri='http://qudt.org/vocab/unit/MOL-PER-L'), 7)
    """
    match = _atom(text, at)
    if match is None:
        return None
    factors = [_factor(match, 1)]
    end = match.end()
    while following := _next(text, end, factors):
        factor, end = following
        factors.append(factor)
    if not exact and len(factors) == 1 and factors[0][1] == 1 and match["unit"] in _DOUBTFUL:
        return None
    return _unit(tuple(factors)), end


def _atom(text: str, at: int) -> re.Match[str] | None:
    match = _ATOM.match(text, at)
    if match is None or match["unit"] not in _SPELLINGS:
        return None
    raised = (match["power"] or "1").lstrip("^")
    return match if raised == "1" or raised[0] == "-" or match["unit"][-1] in "msÅ" else None  # "3T3" is no power


def _next(text: str, at: int, factors: list[tuple[str, int]]) -> tuple[tuple[str, int], int] | None:
    """The next factor: behind "/" or "per"; behind a point or blank when it has an exponent or QUDT knows the two."""
    if len(factors) > 4:
        return None
    over = _OVER.match(text, at)
    if over:
        area = _AREA.match(text, over.end())
        match = _atom(text, area.end() if area else over.end())
        return (_factor(match, -1), match.end()) if match else None
    times = _TIMES.match(text, at)
    match = _atom(text, times.end()) if times else None
    if match is None:
        return None
    factor = _factor(match, 1)
    joined = match["power"] or f"{factors[0][0]}.{factor[0]}" in UNITS
    return (factor, match.end()) if joined else None


def _factor(match: re.Match[str], sign: int) -> tuple[str, int]:
    return _SPELLINGS[match["unit"]], sign * int((match["power"] or "1").lstrip("^"))


@lru_cache(maxsize=4096)
def _unit(factors: tuple[tuple[str, int], ...]) -> Unit:
    powers: dict[str, int] = {}
    for name, power in factors:
        name = name[:-1] + "L" if name.endswith("l") and name[:-1] in _PREFIXES else name
        parts = [(name[:-1] + "mol", power), ("L", -power)] if name[-1:] == "M" else [(name, power)]  # molar
        for part, exponent in parts:
            powers[part] = powers.get(part, 0) + exponent
    ordered = sorted((item for item in powers.items() if item[1]), key=lambda item: (item[1] < 0, item[0]))
    canonical = ".".join(name + (str(power) if power != 1 else "") for name, power in ordered)
    local = UNITS.get(canonical, "")
    return Unit(canonical, QUDT + local if local else "")


QUDT = "http://qudt.org/vocab/unit/"

_TABLE = """
    % PERCENT  %.K-1 PERCENT-PER-K  %.a-1 PERCENT-PER-YR  %.d-1 PERCENT-PER-DAY  %.h-1 PERCENT-PER-HR
    %.m-1 PERCENT-PER-M  %.mm-1 PERCENT-PER-MilliM  %.s-1 PERCENT-PER-SEC  %.°C-1 PERCENT-PER-DEG_C  A A
    A.K-1 A-PER-K  A.cm-1 A-PER-CentiM  A.cm-2 A-PER-CentiM2  A.g-1 A-PER-GM  A.h A-HR  A.kg-1 A-PER-KiloGM
    A.m-1 A-PER-M  A.m-2 A-PER-M2  A.mm-1 A-PER-MilliM  A.°C-1 A-PER-DEG_C  B B  Bq BQ  Bq.L-1 BQ-PER-L
    Bq.kg-1 BQ-PER-KiloGM  Bq.m-2 BQ-PER-M2  Bq.m-3 BQ-PER-M3  Ci CI  Da U  F FARAD  GA GigaA  GBq GigaBQ
    GF FARAD_Ab  GHz GigaHZ  GJ GigaJ  GN GigaN  GOmega GigaOHM  GPa GigaPA  GS S_Ab  GV GigaV  GW GigaW
    Gcal TonEnergy  GeV GigaEV  Gy GRAY  Gy.h-1 GRAY-PER-HR  Gy.min-1 GRAY-PER-MIN  Gy.s-1 GRAY-PER-SEC  H H  Hz HZ
    IU IU  IU.L-1 IU-PER-L  IU.mL-1 IU-PER-MilliL  IU.mg-1 IU-PER-MilliGM  J J  J.K-1 J-PER-K
    J.K-1.kg-1 J-PER-KiloGM-K  J.K-1.mol-1 J-PER-MOL-K  J.cm-2 J-PER-CentiM2  J.d-1 J-PER-DAY  J.g-1 J-PER-GM
    J.h-1 J-PER-HR  J.kg-1 J-PER-KiloGM  J.m-1 J-PER-M  J.m-2 J-PER-M2  J.m-3 J-PER-M3  J.min-1 J-PER-MIN
    J.mol-1 J-PER-MOL  J.s J-SEC  J.s-1 J-PER-SEC  K K  K-1 PER-K  K.h-1 K-PER-HR  K.m-1 K-PER-M  K.min-1 K-PER-MIN
    K.s-1 K-PER-SEC  K.s-2 K-PER-SEC2  L L  L-1 PER-L  L.K-1 L-PER-K  L.d-1 L-PER-DAY  L.h-1 L-PER-HR
    L.ha-1 L-PER-HA  L.kg-1 L-PER-KiloGM  L.min-1 L-PER-MIN  L.mol-1 L-PER-MOL  L.mol-1.s-1 L-PER-MOL-SEC
    L.s-1 L-PER-SEC  MA MegaA  MBq MegaBQ  MBq.kg-1 MegaBQ-PER-KiloGM  MGy MegaGRAY  MHz MegaHZ  MJ MegaJ  MK MegaK
    ML MegaL  MN MegaN  MOmega MegaOHM  MPa MegaPA  MS MegaS  MV MegaV  MW MegaW  Mbar MegaBAR  MeV MegaEV  Mg MegaGM
    Ms MegaSEC  N N  N.cm-1 N-PER-CentiM  N.cm-2 N-PER-CentiM2  N.kg-1 N-PER-KiloGM  N.m N-M  N.m-1 N-PER-M
    N.m-2 N-PER-M2  N.m-3 N-PER-M3  N.mm-1 N-PER-MilliM  Omega OHM  Pa PA  Pa.s PA-SEC  S S  S.m-1 S-PER-M  Sv SV
    T T  THz TeraHZ  TW TeraW  U ENZ  U.L-1 ENZ-PER-L  V V  V.K-1 V-PER-K  V.cm-1 V-PER-CentiM  V.m-1 V-PER-M
    V.m-2 V-PER-M2  V.mm-1 V-PER-MilliM  V.s-1 V-PER-SEC  W W  W.K-1 W-PER-K  W.K-1.m-1 W-PER-M-K
    W.K-1.m-2 W-PER-M2-K  W.cm-2 W-PER-CentiM2  W.g-1 W-PER-GM  W.h W-HR  W.kg-1 W-PER-KiloGM  W.m-1 W-PER-M
    W.m-2 W-PER-M2  W.m-3 W-PER-M3  W.s W-SEC  [g] G  a YR  atm ATM  bar BAR  cGy CentiGRAY  cL CentiL  cN CentiN
    cbar CentiBAR  cg CentiGM  cm CentiM  cm-1 PER-CentiM  cm-3 PER-CentiM3  cm.K-1 CentiM-PER-K
    cm.a-1 CentiM-PER-YR  cm.h-1 CentiM-PER-HR  cm.s-1 CentiM-PER-SEC  cm.s-2 CentiM-PER-SEC2  cm2 CentiM2
    cm2.g-1 CentiM2-PER-GM  cm2.s-1 CentiM2-PER-SEC  cm3 CentiM3  cm3.K-1 CentiM3-PER-K  cm3.d-1 CentiM3-PER-DAY
    cm3.g-1 CentiM3-PER-GM  cm3.h-1 CentiM3-PER-HR  cm3.m-3 CentiM3-PER-M3  cm3.min-1 CentiM3-PER-MIN
    cm3.mol-1 CentiM3-PER-MOL  cm3.s-1 CentiM3-PER-SEC  cmol CentiMOL  d DAY  d-1 PER-DAY  dB DeciB
    dL DeciL  eV EV  fg FemtoGM  fg.L-1 FemtoGM-PER-L  fg.kg-1 FemtoGM-PER-KiloGM  fm FemtoM  fmol FemtoMOL
    fmol.L-1 FemtoMOL-PER-L  fmol.kg-1 FemtoMOL-PER-KiloGM  fs FemtoSEC  g GM  g.K-1 GM-PER-K  g.L-1 GM-PER-L
    g.cm-2 GM-PER-CentiM2  g.cm-3 GM-PER-CentiM3  g.d-1 GM-PER-DAY  g.dL-1 GM-PER-DeciL  g.h-1 GM-PER-HR
    g.ha-1 GM-PER-HA  g.kg-1 GM-PER-KiloGM  g.m-1 GM-PER-M  g.m-2 GM-PER-M2  g.m-3 GM-PER-M3  g.mL-1 GM-PER-MilliL
    g.min-1 GM-PER-MIN  g.mm-1 GM-PER-MilliM  g.mol-1 GM-PER-MOL  g.s-1 GM-PER-SEC  g.°C-1 GM-PER-DEG_C  h HR
    h-1 PER-HR  hPa HectoPA  kA KiloA  kBq KiloBQ  kBq.kg-1 KiloBQ-PER-KiloGM  kCi KiloCI  kF KiloFARAD  kGy KiloGRAY
    kH KiloH  kHz KiloHZ  kJ KiloJ  kJ.K-1 KiloJ-PER-K  kJ.d-1 KiloJ-PER-DAY  kJ.h-1 KiloJ-PER-HR
    kJ.kg-1 KiloJ-PER-KiloGM  kJ.min-1 KiloJ-PER-MIN  kJ.mol-1 KiloJ-PER-MOL  kJ.s-1 KiloJ-PER-SEC  kL KiloL
    kN KiloN  kOmega KiloOHM  kPa KiloPA  kS KiloS  kT KiloT  kV KiloV  kW KiloW  kbar KiloBAR  kcal KiloCAL
    kcal.cm-2 KiloCAL-PER-CentiM2  kcal.g-1 KiloCAL-PER-GM  kcal.min-1 KiloCAL-PER-MIN  kcal.mol-1 KiloCAL-PER-MOL
    kcal.s-1 KiloCAL-PER-SEC  keV KiloEV  kg KiloGM  kg.K-1 KiloGM-PER-K  kg.L-1 KiloGM-PER-L  kg.a-1 KiloGM-PER-YR
    kg.cm-2 KiloGM-PER-CentiM2  kg.cm-3 KiloGM-PER-CentiM3  kg.d-1 KiloGM-PER-DAY  kg.h-1 KiloGM-PER-HR
    kg.ha-1 KiloGM-PER-HA  kg.m-1 KiloGM-PER-M  kg.m-2 KiloGM-PER-M2  kg.m-3 KiloGM-PER-M3
    kg.m2.s-1 KiloGM-M2-PER-SEC  kg.min-1 KiloGM-PER-MIN  kg.mm-1 KiloGM-PER-MilliM  kg.mol-1 KiloGM-PER-MOL
    kg.s-1 KiloGM-PER-SEC  kg.s-2 KiloGM-PER-SEC2  km KiloM  km-1 PER-KiloM  km.d-1 KiloM-PER-DAY
    km.h-1 KiloM-PER-HR  km.s-1 KiloM-PER-SEC  km.s-2 KiloM-PER-SEC2  km2 KiloM2  kmol KiloMOL  ks KiloSEC  m M
    m-1 PER-M  m-2 PER-M2  m-3 PER-M3  m.K-1 M-PER-K  m.a-1 M-PER-YR  m.d-1 M-PER-DAY  m.h-1 M-PER-HR
    m.ha-1 M-PER-HA  m.min-1 M-PER-MIN  m.s-1 M-PER-SEC  m.s-2 M-PER-SEC2  m2 M2  m2.K-1 M2-PER-K  m2.g-1 M2-PER-GM
    m2.h-1 M2-PER-HR  m2.ha-1 M2-PER-HA  m2.kg-1 M2-PER-KiloGM  m2.mol-1 M2-PER-MOL  m2.s-1 M2-PER-SEC
    m2.s-2 M2-PER-SEC2  m3 M3  m3.K-1 M3-PER-K  m3.a-1 M3-PER-YR  m3.d-1 M3-PER-DAY  m3.h-1 M3-PER-HR
    m3.ha-1 M3-PER-HA  m3.kg-1 M3-PER-KiloGM  m3.kg-1.s-2 M3-PER-KiloGM-SEC2  m3.min-1 M3-PER-MIN
    m3.mol-1 M3-PER-MOL  m3.s-1 M3-PER-SEC  m3.s-2 M3-PER-SEC2  mA MilliA  mA.K-1 MilliA-PER-K
    mA.mm-1 MilliA-PER-MilliM  mBq MilliBQ  mCi MilliCI  mF MilliFARAD  mGy MilliGRAY  mGy.h-1 MilliGRAY-PER-HR
    mGy.min-1 MilliGRAY-PER-MIN  mGy.s-1 MilliGRAY-PER-SEC  mH MilliH  mHz MilliHZ  mJ MilliJ  mK MilliK  mL MilliL
    mL-1 PER-MilliL  mL.K-1 MilliL-PER-K  mL.L-1 MilliL-PER-L  mL.d-1 MilliL-PER-DAY  mL.g-1 MilliL-PER-GM
    mL.h-1 MilliL-PER-HR  mL.kg-1 MilliL-PER-KiloGM  mL.m-3 MilliL-PER-M3  mL.min-1 MilliL-PER-MIN
    mL.s-1 MilliL-PER-SEC  mN MilliN  mOmega MilliOHM  mPa MilliPA  mPa.s MilliPA-SEC  mS MilliS  mSv MilliSV
    mSv.h-1 MilliSV-PER-HR  mSv.min-1 MilliSV-PER-MIN  mSv.s-1 MilliSV-PER-SEC  mT MilliT  mV MilliV
    mV.m-1 MilliV-PER-M  mV.min-1 MilliV-PER-MIN  mW MilliW  mW.m-2 MilliW-PER-M2  mW.mg-1 MilliW-PER-MilliGM
    mbar MilliBAR  mg MilliGM  mg.K-1 MilliGM-PER-K  mg.L-1 MilliGM-PER-L  mg.cm-2 MilliGM-PER-CentiM2
    mg.d-1 MilliGM-PER-DAY  mg.d-1.kg-1 MilliGM-PER-KiloGM-DAY  mg.dL-1 MilliGM-PER-DeciL  mg.g-1 MilliGM-PER-GM
    mg.h-1 MilliGM-PER-HR  mg.ha-1 MilliGM-PER-HA  mg.kg-1 MilliGM-PER-KiloGM  mg.m-1 MilliGM-PER-M
    mg.m-2 MilliGM-PER-M2  mg.m-3 MilliGM-PER-M3  mg.mL-1 MilliGM-PER-MilliL  mg.min-1 MilliGM-PER-MIN
    mg.s-1 MilliGM-PER-SEC  min MIN  min-1 PER-MIN  mm MilliM  mm-1 PER-MilliM  mm-3 PER-MilliM3  mm.K-1 MilliM-PER-K
    mm.a-1 MilliM-PER-YR  mm.d-1 MilliM-PER-DAY  mm.h-1 MilliM-PER-HR  mm.m-1 MilliM-PER-M  mm.m-2 MilliM-PER-M2
    mm.min-1 MilliM-PER-MIN  mm.s-1 MilliM-PER-SEC  mm.s-2 MilliM-PER-SEC2  mm2 MilliM2  mm2.s-1 MilliM2-PER-SEC
    mm3 MilliM3  mm3.g-1 MilliM3-PER-GM  mm3.kg-1 MilliM3-PER-KiloGM  mm3.m-3 MilliM3-PER-M3  mmHg MilliM_HG
    mmol MilliMOL  mmol.L-1 MilliMOL-PER-L  mmol.g-1 MilliMOL-PER-GM  mmol.kg-1 MilliMOL-PER-KiloGM
    mmol.m-2 MilliMOL-PER-M2  mmol.m-3 MilliMOL-PER-M3  mmol.mol-1 MilliMOL-PER-MOL  mo MO  mol MOL  mol-1 PER-MOL
    mol.L-1 MOL-PER-L  mol.h-1 MOL-PER-HR  mol.kg-1 MOL-PER-KiloGM  mol.m-2 MOL-PER-M2  mol.m-3 MOL-PER-M3
    mol.min-1 MOL-PER-MIN  mol.s-1 MOL-PER-SEC  mrad MilliRAD  ms MilliSEC  nA NanoA  nBq NanoBQ  nF NanoFARAD
    nGy NanoGRAY  nH H_Ab  nJ NanoJ  nL NanoL  nN NanoN  nOmega OHM_Ab  nS NanoS  nSv NanoSV  nT NanoT  nV NanoV
    nW NanoW  ng NanoGM  ng.L-1 NanoGM-PER-L  ng.cm-2 NanoGM-PER-CentiM2  ng.d-1 NanoGM-PER-DAY
    ng.dL-1 NanoGM-PER-DeciL  ng.kg-1 NanoGM-PER-KiloGM  ng.m-3 NanoGM-PER-M3  ng.mL-1 NanoGM-PER-MilliL
    ng.mg-1 NanoGM-PER-MilliGM  ng.uL-1 NanoGM-PER-MicroL  nm NanoM  nm-1 PER-NanoM  nm2 NanoM2  nmol NanoMOL
    nmol.L-1 NanoMOL-PER-L  nmol.g-1 NanoMOL-PER-GM  nmol.kg-1 NanoMOL-PER-KiloGM  ns NanoSEC  pA PicoA  pCi PicoCI
    pF PicoFARAD  pH PicoH  pJ PicoJ  pL PicoL  pPa PicoPA  pS PicoS  pV PicoV  pW PicoW  pg PicoGM
    pg.L-1 PicoGM-PER-L  pg.g-1 PicoGM-PER-GM  pg.kg-1 PicoGM-PER-KiloGM  pg.mL-1 PicoGM-PER-MilliL
    pg.mg-1 PicoGM-PER-MilliGM  pm PicoM  pm-1 PER-PicoM  pmol PicoMOL  pmol.L-1 PicoMOL-PER-L
    pmol.kg-1 PicoMOL-PER-KiloGM  pmol.m-3 PicoMOL-PER-M3  ppb PPB  ppm PPM  ps PicoSEC  psi PSI  rad RAD
    rpm REV-PER-MIN  s SEC  s-1 PER-SEC  s-2 PER-SEC2  s2 SEC2  uA MicroA  uBq MicroBQ  uCi MicroCI  uF MicroFARAD
    uGy MicroGRAY  uH MicroH  uJ MicroJ  uL MicroL  uL.L-1 MicroL-PER-L  uN MicroN  uOmega MicroOHM  uPa MicroPA
    uS MicroS  uSv MicroSV  uT MicroT  uV MicroV  uW MicroW  ubar MicroBAR  ug MicroGM  ug.L-1 MicroGM-PER-L
    ug.cm-2 MicroGM-PER-CentiM2  ug.dL-1 MicroGM-PER-DeciL  ug.g-1 MicroGM-PER-GM  ug.kg-1 MicroGM-PER-KiloGM
    ug.m-3 MicroGM-PER-M3  ug.mL-1 MicroGM-PER-MilliL  ug.mg-1 MicroGM-PER-MilliGM  um MicroM  um-1 PER-MicroM
    um.K-1 MicroM-PER-K  um.m-1 MicroM-PER-M  um.mL-1 MicroM-PER-MilliL  um.min-1 MicroM-PER-MIN
    um.s-1 MicroM-PER-SEC  um.s-2 MicroM-PER-SEC2  um2 MicroM2  um3 MicroM3  umol MicroMOL  umol.L-1 MicroMOL-PER-L
    umol.g-1 MicroMOL-PER-GM  umol.kg-1 MicroMOL-PER-KiloGM  umol.m-2 MicroMOL-PER-M2
    umol.m-2.s-1 MicroMOL-PER-M2-SEC  umol.mol-1 MicroMOL-PER-MOL  umol.s-1 MicroMOL-PER-SEC  urad MicroRAD
    us MicroSEC  wk WK  ° DEG  °C DEG_C  °C.K-1 DEG_C-PER-K  °C.a-1 DEG_C-PER-YR  °C.h-1 DEG_C-PER-HR
    °C.m-1 DEG_C-PER-M  °C.min-1 DEG_C-PER-MIN  °C.s-1 DEG_C-PER-SEC  °F DEG_F  Å ANGSTROM  ‰ PERMILLE
"""
_WORDS = _TABLE.split()
UNITS = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
