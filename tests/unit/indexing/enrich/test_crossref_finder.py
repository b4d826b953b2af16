"""What a call-out names, where it begins and ends, and what is none: lists, ranges, panels, supplements."""

from __future__ import annotations

import pytest

from kag.indexing.enrich.crossref_finder import between, find_crossrefs

UP_TO_31 = ",".join(map(str, range(1, 32)))


def told(text: str) -> list[str]:
    """Kind, numbers, panels and surface of each call-out, in a line."""
    return [" | ".join((c.kind, ",".join(c.numbers), *c.panels, c.surface)) for c in find_crossrefs(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # the kind behind its number
        ("S1 Fig", ["figure | S1 | S1 Fig"]),
        ("(S1 Fig)", ["figure | S1 | S1 Fig"]),
        ("xS1 Fig", []),
        ("S1–S3, S5 Figs", ["figure | S1,S2,S3,S5 | S1–S3, S5 Figs"]),
        ("S1–S32 Figs", ["figure | S1,S32 | S1–S32 Figs"]),  # too many to be meant
        # letters of a supplement
        ("Fig. C in S1", ["figure | S1—C | Fig. C"]),
        ("Figs A, B, and D in the S2 Text", [
            "figure | S2—A,S2—B,S2—D | Figs A, B, and D", "supplement | S2 | S2 Text"]),
        # of other works
        ("see [12], Fig. 3", ["figure | 3 | Fig. 3"]),
        ("[123, Fig. 3", []),
        ("refs. 12, Fig. 3", []),
        ("[12 and Fig. 3", ["figure | 3 | Fig. 3"]),
        ("see their Fig. 3", []),
        ("Fig. 3 by Lee et al.", []),
        ("Fig. 3, of ref. 2", []),
        ("Fig. 3 in Lee", ["figure | 3 | Fig. 3"]),
        # files: with a capital, of a supplement, or with its number
        ("movie 1", []),
        ("Movie 1", ["supplement | 1 | Movie 1"]),
        ("Video 2", ["supplement | 2 | Video 2"]),
        ("file S1", ["supplement | S1 | file S1"]),
        ("File 1", []),
        ("Supplementary data 3", ["supplement | 3 | Supplementary data 3"]),
        ("Box 1 data 3", ["box | 1 | Box 1"]),
        # what stands before
        ("supplementary (Fig. 3)", ["figure | 3 | Fig. 3"]),
        ("Electronic supplementary Table 5", ["table | S5 | Electronic supplementary Table 5"]),
        ("Supporting   Information   Fig. 4", ["figure | S4 | Supporting   Information   Fig. 4"]),
        ("Extended data Table 6", ["table | ED6 | Extended data Table 6"]),
        ("Supplementary Figure S4", ["figure | S4 | Supplementary Figure S4"]),
        ("Extended Data Fig. S4", ["figure | S4 | Extended Data Fig. S4"]),
        ("Box 1 Fig. 2", ["figure | box 1—2 | Box 1 Fig. 2"]),
        ("Box 1 Fig. S2", ["figure | box 1—S2 | Box 1 Fig. S2"]),
        ("Box 1, Fig. 2", ["box | 1 | Box 1", "figure | 2 | Fig. 2"]),
        ("Appendix 2—table 3", ["table | appendix 2—3 | Appendix 2—table 3"]),
        ("apendix figure 1", ["figure | appendix—1 | apendix figure 1"]),
        ("Appendix 2 - Fig", []),
        # in other scripts
        ("见图1和表1。", ["figure | 1 | 图1", "table | 1 | 表1"]),
        ("如表1、2所示", ["table | 1,2 | 表1、2"]),
        ("代表1个", []),
        ("(рис. 1, табл. 2)", ["figure | 1 | рис. 1", "table | 2 | табл. 2"]),
        ("На рисунке 2 и в таблице 1", ["figure | 2 | рисунке 2", "table | 1 | таблице 1"]),
        ("Рисование 3", []),
        ("그림 1 및 표 2", ["figure | 1 | 그림 1", "table | 2 | 표 2"]),
        # brackets and panels
        ("Fig. (2)", ["figure | 2 | Fig. (2)"]),
        ("Fig. (2", ["figure | 2 | Fig. (2"]),
        ("Fig. (2a) x", ["figure | 2 | a | Fig. (2a)"]),
        ("Fig. 2 (a, b)", ["figure | 2 | a, b | Fig. 2 (a, b)"]),
        ("Fig. 2 A,B)", ["figure | 2 | A,B | Fig. 2 A,B"]),
        ("Fig. 2 A mouse", ["figure | 2 | Fig. 2"]),
        ("Fig. 2 panels a and b", ["figure | 2 | a and b | Fig. 2 panels a and b"]),
        ("Fig. 2 panel c", ["figure | 2 | c | Fig. 2 panel c"]),
        ("Fig. 2a'", ["figure | 2 | a' | Fig. 2a'"]),
        ("Figs. 2a and 3b", ["figure | 2,3 | a | b | Figs. 2a and 3b"]),
        ("Figs. 2, 2 and 3", ["figure | 2,3 | Figs. 2, 2 and 3"]),
        # what counts something
        ("Fig. 3 mm", []),
        ("sections 5 h", []),
        ("Sections 4 × 4", []),
        ("Section 12°", []),
        # lists
        ("Fig. 3, 4 mice", ["figure | 3 | Fig. 3"]),
        ("Figs. 3, 4 mice", ["figure | 3,4 | Figs. 3, 4"]),
        ("Fig. 3, 4.", ["figure | 3,4 | Fig. 3, 4"]),
        ("Figs. 3, 4, and 5", ["figure | 3,4,5 | Figs. 3, 4, and 5"]),
        ("Figs. 3 and 4 %", ["figure | 3 | Figs. 3"]),
        ("Figs. 3–2", ["figure | 3 | Figs. 3"]),
        ("Figs. 4–4", ["figure | 4 | Figs. 4"]),
        ("Figs. 3, 2", ["figure | 3,2 | Figs. 3, 2"]),
        ("Fig. 4-6 mice", ["figure | 4 | Fig. 4"]),
        ("Fig. 4–6", ["figure | 4,5,6 | Fig. 4–6"]),
        ("Figs. 2.1 to 2.4", ["figure | 2.1,2.4 | Figs. 2.1 to 2.4"]),
        ("Figs. 1–31", [f"figure | {UP_TO_31} | Figs. 1–31"]),
        ("Figs. 1–32", ["figure | 1,32 | Figs. 1–32"]),
        ("Figs. 1 vs. 2; 3/4", ["figure | 1,2,3,4 | Figs. 1 vs. 2; 3/4"]),
        ("Figs. S1, 4", ["figure | S1,4 | Figs. S1, 4"]),
        ("Figs. 4, S1 and S2", ["figure | 4,S1,S2 | Figs. 4, S1 and S2"]),
        ("Fig. 4, S1", ["figure | 4,S1 | Fig. 4, S1"]),
        ("Fig. 4, S1 mice", ["figure | 4 | Fig. 4"]),
        ("Figs. 4, I saw", ["figure | 4 | Figs. 4"]),
        ("Figs. 4–S1", ["figure | 4 | Figs. 4"]),
        ("Figs. 4, B12", ["figure | 4 | Figs. 4"]),
        # formulas and sections
        ("Eq. (1), (2)", ["equation | 1,2 | Eq. (1), (2)"]),
        ("Eq. (1), 2", ["equation | 1 | Eq. (1)"]),
        ("Eq. 1, (2)", ["equation | 1,2 | Eq. 1, (2)"]),
        ("Eq. (1a,b)", ["equation | 1 | a,b | Eq. (1a,b)"]),
        ("Eq. (1')", ["equation | 1 | ' | Eq. (1')"]),
        ("Eq. [1], [2]", ["equation | 1,2 | Eq. [1], [2]"]),
        ("Eqs. (A1)-(A3)", ["equation | A1,A2,A3 | Eqs. (A1)-(A3)"]),
        ("Eqs. A1, B2", ["equation | A1,B2 | Eqs. A1, B2"]),
        ("§§ 2, 3 x", ["section | 2,3 | §§ 2, 3"]),
        ("§ 2, 3 x", ["section | 2 | § 2"]),
        ("Section A.2", ["section | A2 | Section A.2"]),
        ("Section 2.1.3", ["section | 2.1.3 | Section 2.1.3"]),
        # supplements of floats
        ("Figure 3—figure supplements 1–3", [
            "figure | 3—figure supplement 1,3—figure supplement 2,3—figure supplement 3 | "
            "Figure 3—figure supplements 1–3"]),
        ("Figure 3 - source data 1 and 2", [
            "figure | 3—source data 1,3—source data 2 | Figure 3 - source data 1 and 2"]),
        ("Figures 2 and 3—source data 1", ["figure | 2,3—source data 1 | Figures 2 and 3—source data 1"]),
        ("Figure 3--fig. supplement 2", ["figure | 3—figure supplement 2 | Figure 3--fig. supplement 2"]),
        ("Figure 3—Video 2", ["figure | 3—video 2 | Figure 3—Video 2"]),
        ("Figure 3—figure supplement", ["figure | 3 | Figure 3"]),
        ("Figure 3—figure supplement 1, 4 mice", ["figure | 3—figure supplement 1 | Figure 3—figure supplement 1"]),
        ("Figure 3—figure supplements 1, 4 mice", [
            "figure | 3—figure supplement 1,3—figure supplement 4 | Figure 3—figure supplements 1, 4"]),
        # numbers
        ("Fig. S 1", ["figure | S1 | Fig. S 1"]),
        ("Fig. 1234", []),
        ("Table 1.23", ["table | 1.23 | Table 1.23"]),
        ("Table IVa", []),
        ("Tables I–IV", ["table | I,II,III,IV | Tables I–IV"]),
        ("Figs. 1 and Table 2", ["figure | 1 | Figs. 1", "table | 2 | Table 2"]),
        ("Box 4 Table 5", ["table | box 4—5 | Box 4 Table 5"]),
    ],
)  # fmt: skip
def test_what_is_named(text: str, found: list[str]) -> None:
    assert told(text) == found
    moved = find_crossrefs(f"Ice: {text}")
    assert [c.surface for c in moved] == [c.surface for c in find_crossrefs(text)]
    assert all(f"Ice: {text}"[c.start : c.end] == c.surface for c in moved)


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        ("1", "4", ["2", "3"]),
        ("S1", "S3", ["S2"]),
        ("1", "2", []),
        ("3", "1", []),
        ("S1", "T3", []),
        ("2.1", "2.4", []),
        ("I", "III", ["II"]),
        ("IX", "I", []),
        ("I", "IIX", []),
        ("2", "32", [str(n) for n in range(3, 32)]),
        ("2", "33", []),
    ],
)
def test_numbers_between(first: str, last: str, found: list[str]) -> None:
    assert between(first, last) == found
