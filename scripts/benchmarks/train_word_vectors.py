"""Train the word vectors of the passage ranking: a table that imitates a network, word by word.

    python -m scripts.benchmarks.train_word_vectors DATA [--out FOLDER]

DATA is the folder of the shared sets; texts are those of `scifact` (abstracts, ODC-By), `jats_gold` (CC BY, CC0),
`pubmedqa` (MIT) and `musique_small` (CC BY). They are cut into pieces of 8 to 80 words, and the teacher,
bge-small-en-v1.5 (MIT), makes a vector of each. Gradient descent then looks for word vectors whose sum points where the
teacher's vector of the piece does (as in model2vec). A word that few pieces print is placed by a linear map from the
teacher's vector of the word alone. The figure is the mean cosine with the teacher on pieces left out. No step draws by
chance.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from kag.retrieval import word_vectors as home
from kag.retrieval.embedders import BgeSmall
from kag.text.words import FUNCTION_WORDS, stems

SIZE = 96  # numbers of a word's vector
SHARES = {"scifact": 3, "jats_gold": 1, "pubmedqa": 2, "musique_small": 1}  # one piece of so many is taken
LENGTHS = (12, 25, 50, 80, 8, 15, 40)  # words of pieces
PRINTED = 4  # times that a word of the table is printed
FEW = 3.0  # pieces that count as much as the linear map
ROUNDS, BATCH, RATE = 3, 512, 0.004
HELD_OUT = 1000  # pieces

Array = np.ndarray[Any, np.dtype[Any]]


def main() -> None:
    """Train, measure and write."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--out", type=Path, default=home.WORDS.parent)
    given = arguments.parse_args()
    texts = {name: list(_texts(given.data, name)) for name in SHARES}
    forms = _vocabulary(text for some in texts.values() for text in some)
    pieces = [piece for name, some in texts.items() for piece in _pieces(some, SHARES[name])]
    pieces.sort(key=lambda piece: zlib.crc32(piece.encode()))
    print(f"{len(forms)} words, {len(pieces)} pieces", flush=True)
    teacher = BgeSmall(threads=1)
    of_words, of_pieces = teacher(list(forms.values())), teacher(pieces)
    table, cosine = _trained(list(forms), pieces, of_words, of_pieces)
    print(f"mean cosine with the teacher on {HELD_OUT} pieces left out: {cosine:.3f}")
    card = {
        "what": "word vectors for ranking passages",
        "version": 1,
        "licence": "Apache-2.0",
        "teacher": f"{teacher.id} (MIT)",
        "trained on": "texts of SciFact (ODC-By 1.0), articles of PLOS, eLife and JOSE (CC BY, CC0), PubMedQA (MIT), "
        "MuSiQue (CC BY 4.0)",
        "by": "scripts/benchmarks/train_word_vectors.py",
        "pieces": len(pieces),
        "figures": {"cosine with the teacher, pieces left out": round(cosine, 3)},
    }
    home.write(given.out, list(forms), table, card)


def _texts(data: Path, name: str) -> Iterator[str]:
    """The running texts of a set."""
    if name == "scifact":
        yield from (" ".join(row["abstract"]) for row in _rows(data / name / "corpus.jsonl.gz"))
    elif name == "jats_gold":
        for file in sorted((data / name).glob("*/document.md")):
            if "__" not in file.parent.name:
                text = re.sub(r"<\|det\|>.*?<\|/det\|>|<\|.*?\|>", "", file.read_text(encoding="utf-8"))
                yield from (block for block in text.split("\n\n") if len(block.split()) > 8)
    elif name == "pubmedqa":
        for row in _rows(data / name / "pqal_dev.jsonl.gz"):
            yield from (row["question"], *(context["text"] for context in row["contexts"]))
    else:
        yield from (row["text"] for row in _rows(data / name / "corpus.jsonl.gz"))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _pieces(texts: Sequence[str], share: int) -> Iterator[str]:
    """One of so many pieces of the texts, by their checksum."""
    lengths = cycle(LENGTHS)
    for text in texts:
        words, at = text.split(), 0
        while at < len(words):
            size = next(lengths)
            piece = " ".join(words[at : at + size])
            at += size
            if zlib.crc32(piece.encode()) // 7 % share == 0:
                yield piece


def _vocabulary(texts: Iterator[str]) -> dict[str, str]:
    """The stems of words that are printed often enough, each with its commonest form."""
    counts = Counter(word for text in texts for word in re.findall(r"[a-z]{3,24}", text.lower()))
    forms: dict[str, str] = {}
    totals: Counter[str] = Counter()
    for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        found = stems(word)
        if word not in FUNCTION_WORDS and len(found) == 1:
            forms.setdefault(found[0], word)
            totals[found[0]] += count
    return {stem: forms[stem] for stem in sorted(forms) if totals[stem] >= PRINTED}


def _trained(names: Sequence[str], pieces: Sequence[str], of_words: Array, of_pieces: Array) -> tuple[Array, float]:
    """The table, and its mean cosine with the teacher on the pieces left out."""
    places = {name: place for place, name in enumerate(names)}
    ids = [np.array([places[word] for word in stems(piece) if word in places]) for piece in pieces]
    known = [number for number, some in enumerate(ids) if len(some) > 2]
    held_out, known = known[:HELD_OUT], known[HELD_OUT:]
    centred = of_pieces - of_pieces.mean(0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:SIZE].T
    wanted = _unit(centred @ axes)
    alone = _unit(of_words - of_words.mean(0))
    seen = np.bincount(np.concatenate([ids[number] for number in known]), minlength=len(names))
    table = _unit(alone @ axes) * (1e-3 / (1e-3 + seen / seen.sum()))[:, None]
    mean, spread = np.zeros_like(table), np.zeros_like(table)
    step = 0
    for turn in range(ROUNDS):
        for at in range(0, len(known), BATCH):
            step += 1
            slope = _slope(table, [ids[number] for number in known[at : at + BATCH]], wanted[known[at : at + BATCH]])
            mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
            table -= RATE * (1 - turn / ROUNDS) * mean / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-7)
    weight = np.sqrt(np.minimum(seen, 50.0))[:, None] * (seen >= FEW)[:, None]
    left = alone * weight
    linear = np.linalg.solve(left.T @ left + 3 * np.eye(left.shape[1]), left.T @ (table * weight))
    trust = (seen / (seen + FEW))[:, None]
    table = trust * table + (1 - trust) * (alone @ linear)
    sums = np.array([table[ids[number]].sum(0) for number in held_out])
    return table.astype(np.float32), float((_unit(sums) * wanted[held_out]).sum(1).mean())


def _slope(table: Array, ids: Sequence[Array], wanted: Array) -> Array:
    """The gradient of the mean cosine distance between the sums of words and what is wanted."""
    sizes = np.array([len(some) for some in ids])
    flat = np.concatenate(ids)
    means = np.add.reduceat(table[flat], np.cumsum(sizes) - sizes) / sizes[:, None]
    lengths = np.linalg.norm(means, axis=1, keepdims=True) + 1e-9
    cosines = (means / lengths * wanted).sum(1, keepdims=True)
    of_means = -(wanted - cosines * means / lengths) / lengths / len(ids)
    slope = np.zeros_like(table)
    np.add.at(slope, flat, np.repeat(of_means / sizes[:, None], sizes, axis=0))
    return slope


def _unit(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    found: Array = rows / lengths
    return found


if __name__ == "__main__":
    main()
