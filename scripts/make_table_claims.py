"""Prints claims about table cells, true and false, for `test_data/claims.jsonl` and `claims_shared.jsonl`.

    python scripts/make_table_claims.py test_data                    # papers of the project
    python scripts/make_table_claims.py ../shared/data/jats_gold     # papers beside it

A line of `MEASURES` was written by hand: a table, one of its columns, and a sentence for a cell of it. Each row of the
table gives a true claim in turn; the false ones take the value of the next row or column, or turn a comparison about.
Evidence is the whole table: whoever checks must find row and column for himself.
"""

import hashlib
import json
import re
import sys
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from lxml import html

TAG = re.compile(r"<\|ref\|>.*?<\|/ref\|><\|det\|>.*?<\|/det\|>")


@dataclass(frozen=True, slots=True)
class Measure:
    """A sentence for a column (from 0) of a table; `more` compares two rows (empty: no quantities)."""

    paper: str
    block: str
    column: int
    cell: str
    more: str = ""
    first: int = 1


MEASURES = (
    Measure(
        "reservoir_sensors",
        "b_p003_0003",
        3,
        "{row} had {value} candidate sites.",
        "{a} had more candidate sites than {b}.",
    ),
    Measure(
        "reservoir_sensors", "b_p003_0003", 2, "The greatest depth of {row} is {value} m.", "{a} is deeper than {b}."
    ),
    Measure(
        "urban_pollinators",
        "b_p002_0003",
        1,
        "For the habitat {row} there were {value} species per site (standard deviation in brackets).",
    ),
    Measure("urban_pollinators", "b_p002_0003", 3, "Rarefied richness for the habitat {row} was {value}."),
    Measure("zirconium_tracers", "b_p003_0003", 2, "{row} took up {value} %IA/g of HX4-VNB7 at 24 h."),
    Measure("zirconium_tracers", "b_p003_0003", 4, "{row} took up {value} %IA/g of DFO-VNB7 at 72 h."),
    Measure(
        "journal.pmed.1000431",
        "b_p003_0006",
        1,
        "The table lists {value} complaints against {row}.",
        "More complaints are listed against {a} than against {b}.",
    ),
    Measure("journal.pmed.1000431", "b_p003_0006", 4, "Case status of {row}: {value}."),
    Measure(
        "PMC6398430",
        "b_p006_0007",
        2,
        "{row} were seen in subgroups of {value} individuals (mean and standard deviation).",
    ),
    Measure(
        "PMC6398430",
        "b_p006_0007",
        1,
        "The comparison of subgroup sizes rests on {value} cases for {row}.",
        "There were more cases for {a} than for {b}.",
    ),
    Measure(
        "journal.pone.0100977",
        "b_p004_0009",
        5,
        "HPLC recovery for plasmid no. {row} was {value} per cent.",
        "HPLC recovery was higher for plasmid no. {a} than for no. {b}.",
    ),
    Measure(
        "journal.pone.0100977",
        "b_p004_0009",
        3,
        "For plasmid no. {row} the pellet held {value} cpm.",
        "The pellet held more radioactivity for plasmid no. {a} than for no. {b}.",
    ),
    Measure(
        "journal.pntd.0001969", "b_p005_0002", 5, "In the back piece the mean count of {row} eggs was {value} EPG."
    ),
    Measure("journal.pntd.0001969", "b_p004_0012", 1, "{row}: {value} infected (number and per cent).", "", 2),
    Measure("peerj_1", "b_p002_0017", 2, "{row} in February 2012 was {value} (mean and standard error).", "", 2),
    Measure("peerj_1", "b_p002_0017", 4, "{row} in July 2012 was {value} (mean and standard error).", "", 2),
    Measure(
        "peerj_1",
        "b_p004_0002",
        6,
        "For {row} the mean dissimilarity was {value} per cent.",
        "Mean dissimilarity was greater for {a} than for {b}.",
    ),
    Measure(
        "journal.pone.0067227", "b_p003_0009", 1, "{row} correlated with leukocyte mtDNA copy number with r = {value}."
    ),
    Measure(
        "journal.pone.0055490",
        "b_p004_0006",
        2,
        "Haplotype {row} was observed {value} times in the 75 sheep.",
        "Haplotype {a} was observed more often than haplotype {b}.",
    ),
    Measure(
        "journal.pone.0055490",
        "b_p004_0006",
        3,
        "Haplotype {row} occurred in {value} of the groups.",
        "Haplotype {a} occurred in more groups than haplotype {b}.",
    ),
)
MOST = 7  # claims of a measure


def block_text(folder: Path, block: str) -> str:
    """The text of a block (`b_pPPP_NNNN`: page, order on it) as it stands in its page."""
    page = (folder / f"page_{block[3:6]}.md").read_text(encoding="utf-8")
    return TAG.split(page)[int(block[7:])].strip()


def plain(cell: str) -> str:
    """A cell's words without formulas: here they are notes' marks.

    >>> plain(r"2.3 \\( ^{c} \\) ")
    '2.3'
    """
    return " ".join(re.sub(r"\\\(.*?\\\)", "", cell).split())


def rows_of(text: str) -> list[list[str]]:
    """The rows of a table whose cells span nothing, as plain words."""
    rows = html.fromstring(text).iter("tr")
    return [[plain("".join(map(str, cell.itertext()))) for cell in row.iter("td")] for row in rows]


def quantity(cell: str) -> float | None:
    return float(cell.replace(",", "")) if re.fullmatch(r"\d[\d,]*\.?\d*", cell) else None


def claims(measure: Measure, rows: list[list[str]]) -> list[tuple[bool, str, str]]:
    """(true, kind, claim) of a measure, true and false in turn, two to one."""
    column = measure.column
    usable = [row for row in rows[measure.first :] if len(row) > column and row[0] and re.search(r"\d", row[column])]
    found: list[tuple[bool, str, str]] = []
    for (row, after), turn in zip(zip(usable, [*usable[1:], *usable[:1]], strict=True), cycle(range(3)), strict=False):
        here, there, beside = row[column], after[column], row[column - 1]
        if turn < 2:
            found.append((True, "row_column", measure.cell.format(row=row[0], value=here)))
        elif there != here:
            found.append((False, "row_column", measure.cell.format(row=row[0], value=there)))
        elif column > 1 and beside != here:
            found.append((False, "row_column", measure.cell.format(row=row[0], value=beside)))
        one, two = quantity(here), quantity(there)
        if measure.more and one is not None and two is not None and one != two:
            sides = {"a": row[0], "b": after[0]}
            found.append((one > two, "comparative", measure.more.format(**sides)))
    return found[:MOST]


def lines(root: Path) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for number, measure in enumerate(MEASURES):
        folder = root / measure.paper
        if not folder.is_dir():
            continue
        text = block_text(folder, measure.block)
        quote: dict[str, Any] = {
            "block": measure.block,
            "start": 0,
            "end": len(text),
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }
        if root.name == "test_data":  # texts of other people's papers are not copied
            quote["quote"] = text
        for turn, (true, kind, claim) in enumerate(claims(measure, rows_of(text))):
            identity = f"{measure.paper}.t{number:02d}{turn}"
            half = "ab"[hashlib.sha256(measure.paper.encode()).digest()[0] % 2]
            made.append(
                {
                    "id": identity,
                    "paper": measure.paper,
                    "half": half,
                    "label": true,
                    "kind": kind,
                    "claim": claim,
                    "by": "template",
                    "quotes": [quote],
                }
            )
    return made


if __name__ == "__main__":
    for line in lines(Path(sys.argv[1])):
        print(json.dumps(line, ensure_ascii=False, sort_keys=True))
