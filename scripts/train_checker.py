"""Train the small model that judges whether quotes bear a claim, on pairs that are made and pairs that people judged.

    python scripts/train_checker.py pairs SHARED RUNS PAIRS.jsonl     # in the environment of kag
    python scripts/train_checker.py train PAIRS.jsonl WEIGHTS OUT     # with torch (CPU), safetensors and tokenizers

SHARED is the folder of the evaluation data: `scifact` (abstracts, ODC-By), `jats_gold` (papers under CC BY and CC0; the
others are left out) and, of `claim_check`, SciFact's claims (CC BY) and SciTab's (MIT), half a alone. RUNS is a folder
of folders of runs, for the claims of `test_data`, of which half a is used. WEIGHTS is the folder of all-MiniLM-L6-v2.
Seeds are fixed: the same input and libraries give the same pairs and weights. What came of it: decision 0051.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SEED = 15
STEPS, ROWS, LONGEST = 300, 32, 112  # of training; rows of a step, word pieces of a row
FROZEN = 2  # layers, beside the table of words, that are left as they are
RATE = 1e-4
HELD = 3  # of ten documents of people's claims, which calibrate and are not trained on
TIMES = 2  # how often a pair that people judged is shown
OURS = ("claims.jsonl", "claims_shared.jsonl")
THEIRS = ("scifact", "scitab")


def is_held(doc: str) -> bool:
    """Whether a document is kept for calibration."""
    return sha256(f"held {doc}".encode()).digest()[0] % 10 < HELD


def write_pairs(shared: Path, runs: Path, out: Path) -> None:
    """Make all pairs, in a random order, a JSON object a line."""
    random = Random(SEED)
    rows = [asdict(pair) for pair in _made(shared, random)]
    random.shuffle(rows)
    judged = [asdict(pair) for pair in _judged(shared, runs)]
    rows.sort(
        key=lambda row: not row["how"].startswith(("title", "abstract"))
    )  # these tell it in other words, and are few
    rows = rows[: STEPS * ROWS - TIMES * len(judged)] + judged * TIMES
    random.shuffle(rows)
    out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    digest = sha256(out.read_bytes()).hexdigest()
    print(f"{len(rows)} pairs, {TIMES * len(judged)} of them of people's claims; sha256 {digest}")


def _made(shared: Path, random: Random) -> Iterator[Any]:
    from scripts.checker.pairs import abstracts, of_abstracts, of_paper

    yield from of_abstracts(abstracts(shared / "scifact/corpus.jsonl.gz"), random)
    measured = {row["paper"] for name in OURS for row in _rows(name) if row["half"] == "b"}
    for path in sorted((shared / "jats_gold").glob("*/gold.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        is_open = str(gold["source"].get("licence", "")).startswith(("CC BY 4", "CC BY 3", "CC BY 2", "CC0"))
        name = path.parent.name
        if is_open and "__" not in name and name not in measured and gold["paper_id"] not in measured:
            yield from of_paper(gold, random)


def _judged(shared: Path, runs: Path) -> Iterator[Any]:
    from kag.evaluate.claim_sets import read_claims
    from kag.read.library import open_library
    from scripts.checker.pairs import of_case

    papers = {name: paper for folder in sorted(runs.iterdir()) for name, paper in open_library(folder).items()}
    sets = [Path("test_data") / name for name in OURS] + [shared / f"claim_check/{name}.jsonl.gz" for name in THEIRS]
    for path in sets:
        for case in read_claims(path, papers):
            if case.half == "a" and not is_held(case.group):
                yield of_case(case)


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path("test_data") / name).read_text(encoding="utf-8").splitlines()]


def train(pairs: Path, weights: Path, out: Path, threads: int) -> None:
    """Train, one pass over the pairs, and write the network's state; prints the loss as it goes."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    from scripts.checker.network import Network

    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    network = Network()
    network.read(weights / "model.safetensors")
    for part in (network.words, network.places, network.segments, network.norm, *network.layers[:FROZEN]):
        part.requires_grad_(False)
    steps = list(_batches(pairs, weights / "tokenizer.json"))
    learned = [one for one in network.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=RATE, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, RATE, total_steps=len(steps), pct_start=0.1, anneal_strategy="linear"
    )
    began, mean = time.process_time(), 0.0
    for at, (pieces, segments, mask, labels) in enumerate(steps, start=1):
        loss = binary_cross_entropy_with_logits(network(pieces, segments, mask), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        plan.step()
        optimiser.zero_grad()
        mean = loss.item() if at == 1 else 0.97 * mean + 0.03 * loss.item()
        if at % 20 == 0:
            print(f"{at}/{len(steps)} loss {mean:.3f} cpu {time.process_time() - began:.0f} s", flush=True)
        if at % 60 == 0 or at == len(steps):
            torch.save(network.state_dict(), out)


def _batches(path: Path, tokenizer_file: Path) -> Iterator[tuple[Any, ...]]:
    """The pairs as rows of pieces, those of like length together, the batches in a random order."""
    import torch
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    shown = [(tokenizer.encode(row["claim"], row["evidence"]), float(row["supported"])) for row in rows]
    shown.sort(key=lambda one: len(one[0].ids))
    batches = [shown[at : at + ROWS] for at in range(0, len(shown) - ROWS + 1, ROWS)]
    Random(SEED).shuffle(batches)
    for batch in batches:
        length = max(len(one.ids) for one, _ in batch)
        rows = [[*one.ids, *[0] * (length - len(one.ids))] for one, _ in batch]
        segments = [[*one.type_ids, *[0] * (length - len(one.ids))] for one, _ in batch]
        mask = [[at < len(one.ids) for at in range(length)] for one, _ in batch]
        labels = [label for _, label in batch]
        yield torch.tensor(rows), torch.tensor(segments), torch.tensor(mask), torch.tensor(labels)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make pairs, or train on them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["pairs", "train"])
    parser.add_argument("paths", type=Path, nargs=3)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.step == "pairs":
        write_pairs(*given.paths)
    else:
        train(*given.paths, threads=given.threads)


if __name__ == "__main__":
    main()
