"""Print made-up references in many styles and write down all that is read of them: a change shows in the file.

    python scripts/make_reference_examples.py [--count 240] [--seed 11]

Titles, people, journals and publishers are invented here. A third of the entries is damaged as by a scan, or lacks a
field. The file, `tests/unit/references/entries.jsonl`, holds what is read today, not what is right: the share of
printed values that are read as printed is told, and `git diff` of the file tells what a change gains and loses.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from kag.references.parser import parse_reference
from scripts.references.styles import Labelled, Person, damaged, render, without_field

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "unit" / "references" / "entries.jsonl"

FAMILIES = (
    "Poe",
    "Roe",
    "Doe",
    "van der Moor",
    "O'Lake",
    "Ekström",
    "Nuñez-Vila",
    "Li",
    "Brandt",
    "de Wit",
    "McKay",
    "Żak",
)
GIVEN = ("Edgar", "Fay M.", "G.", "Hana", "Ivo J. K.", "Jean-Luc", "K. L.", "Mia", "Noor", "O.")
TITLES = (
    "Ice on lakes: a review of 40 winters", "Sensors under ice in cold rivers", "Does moss warm a roof?",
    "Über das Eis der Seen", "Mesure de la glace dans les rivières du Nord", "Owls, bats and the length of the night",
    "A model of N2O in soils (part II)", "Effects of pH 5.5 on eel growth in 1990–1995", "What is a lake",
    "Deep learning for the reading of river gauges", "Snow", "On the \"wet\" side of moss: 3 trials",
    "Los lagos fríos y sus peces", "Growth of Anguilla obscura in warm water",
    "Time series of bee counts, 2001 to 2010",
)  # fmt: skip
JOURNALS = (
    "Journal of Cold Science", "J. Ice", "Nature Rivers", "Acta Lacustria", "Proc. Natl. Moss Soc. B", "Roofs",
    "PLoS Lakes", "Zeitschrift für Eiskunde", "Revue de la glace", "IEEE Trans. Gauges", "Ann. Bee. Res.",
    "Water & Moss", "The Lake",
)  # fmt: skip
BOOKS = (
    "A Handbook of Ice",
    "Lakes of the North",
    "Die Seen",
    "Principles of River Gauging",
    "Moss: A History",
    "Bees in Towns",
)
PUBLISHERS = (
    "Lantern Press",
    "North University Press",
    "Eisverlag",
    "Moss & Sons",
    "Presses du Lac",
    "University of Lakes",
)
PLACES = ("Turku", "New Haven", "Bern", "Oxford", "Lund", "Cambridge, MA")
NOTES = ("2nd ed.", "Third edition", "vol. 2", "3. Aufl.")


def record(draw: random.Random) -> dict[str, str]:
    """The fields of a made-up work: an article, a letter without a title, a book, a chapter or a thesis."""
    first = draw.randint(1, 900)
    values = {
        "date": draw.choice((str(draw.randint(1931, 2024)), f"{draw.randint(1990, 2024)}{draw.choice('abc')}")),
        "pages": draw.choice(
            (f"{first}–{first + draw.randint(1, 30)}", f"{first}-{first + 9}", str(first), f"e{first}0{first}")
        ),
    }
    kind = draw.choice(("article", "article", "article", "letter", "book", "chapter", "thesis"))
    if kind in ("article", "letter"):
        values |= {
            "journal": draw.choice(JOURNALS),
            "volume": str(draw.randint(1, 210)),
            "issue": str(draw.randint(1, 24)),
        }
    else:
        values |= {"book": draw.choice(BOOKS), "publisher": draw.choice(PUBLISHERS), "place": draw.choice(PLACES)}
        values |= {"note": draw.choice(NOTES)} if draw.random() < 0.5 else {}
    if kind in ("article", "chapter"):
        values["title"] = draw.choice(TITLES)
    if kind == "chapter":
        values["editor"] = "F. Roe and G. Doe"
    if kind == "thesis":
        values["thesis"] = "yes"
    return values


def people(draw: random.Random) -> list[Person]:
    return [(draw.choice(FAMILIES), draw.choice(GIVEN)) for _ in range(draw.choice((1, 1, 2, 3, 4, 8)))]


def printed(draw: random.Random) -> Labelled:
    """An entry in a style that is drawn, whole, damaged or without a field."""
    found = render(record(draw), people(draw), draw)
    state = draw.random()
    return damaged(found, draw) if state < 0.2 else without_field(found, draw) if state < 0.33 else found


def read(text: str) -> dict[str, object]:
    """All fields that are read of an entry, and how sure each is."""
    return {name: value for name, value in asdict(parse_reference(text)).items() if value}


def _said(fields: Mapping[str, object], field: str) -> str:
    return f"{fields.get(field, '')}{fields.get('suffix', '') if field == 'year' else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    draw, rows = random.Random(given.seed), list[dict[str, object]]()
    right = whole = 0
    while len(rows) < given.count:
        if entry := printed(draw):
            text = "".join(char for char, _ in entry)
            rows.append({"text": text, "read": (fields := read(text))})
            asked = (("title", "title"), ("container", "journal"), ("volume", "volume"), ("year", "date"))
            for field, label in asked:
                value = "".join(char for char, name in entry if name == label)
                right += bool(value) and _said(fields, field) == value
                whole += bool(value)
    FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{FILE.relative_to(ROOT)}: {len(rows)} entries; {right} of {whole} values as printed")


if __name__ == "__main__":
    main()
