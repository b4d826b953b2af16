"""Short forms that share few letters with what they stand for: elements, gases, hormones, drugs.

Usual in chemistry and medicine; an alignment of letters cannot find them ("oestradiol (E2)").
"""

from __future__ import annotations

import re

_USUAL = """
Na, Na+: sodium
K, K+: potassium
Fe: iron
Cu: copper
Ag: silver
Au: gold
Sn: tin
Sb: antimony
Hg: mercury
Pb: lead
W: tungsten
O2: oxygen
N2: nitrogen
H2: hydrogen
O3: ozone
H2O: water
D2O: heavy water
H2O2: hydrogen peroxide
CO2: carbon dioxide
SO2: sulfur dioxide, sulphur dioxide
NO2: nitrogen dioxide
N2O: nitrous oxide
NH3: ammonia
NaCl: sodium chloride
KCl: potassium chloride
VO2: oxygen uptake, oxygen consumption
VO2max, VO2 max: maximal oxygen uptake, maximum oxygen uptake, maximal oxygen consumption, maximal aerobic power
VCO2: carbon dioxide production, carbon dioxide output
PO2, pO2: oxygen tension, oxygen pressure
PaO2: arterial oxygen tension
PCO2, pCO2: carbon dioxide tension
SaO2, SpO2: oxygen saturation
E1: estrone, oestrone
E2: estradiol, oestradiol
E3: estriol, oestriol
P4: progesterone
T3: triiodothyronine
T4: thyroxine
5-HT, 5HT: serotonin
A, AD: adrenaline
ADH: vasopressin
ASA: aspirin
B6: pyridoxine
B12: cobalamin, cyanocobalamin
CsA, CyA: cyclosporin, cyclosporine, ciclosporin
FK506, FK-506: tacrolimus
Ara-C, ara-C, AraC: cytarabine
CDDP: cisplatin
CTX, CY: cyclophosphamide
ADM, ADR: doxorubicin
VP-16, VP16: etoposide
CPT-11: irinotecan
ATRA: tretinoin
AZT: zidovudine
ddI: didanosine
ddC: zalcitabine
3TC: lamivudine
RBC, RBCs: erythrocyte, erythrocytes
WBC, WBCs: leukocyte, leukocytes, leucocyte, leucocytes
"""


def _read() -> dict[str, re.Pattern[str]]:
    lines = (line.split(": ") for line in _USUAL.strip().split("\n"))
    pairs = [(short, longs.replace(", ", "|")) for shorts, longs in lines for short in shorts.split(", ")]
    return {short: re.compile(rf"(?<![\w-])(?:{longs})\Z", re.IGNORECASE) for short, longs in pairs}


_STANDS_FOR = _read()


def usual(text: str, short: str, first: int, last: int) -> int | None:
    """Where the usual long form of a short form begins that ends at `last`; None if none stands there.

    >>> usual("raised oestradiol (E2) levels", "E2", 0, 17)
    7
    """
    pattern = _STANDS_FOR.get(short)
    found = pattern.search(text, first, last) if pattern else None
    return found.start() if found else None
