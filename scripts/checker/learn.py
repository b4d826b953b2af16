"""Training: one pass over pairs, in half precision beside weights held in full, the batches of like length."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from scripts.checker.network import Network

ROWS, LONGEST = 32, 96  # of a step; word pieces of a row
WARM = 100  # steps until the rate is reached
SOFT = 0.04  # how far from 0 and 1 the labels are held, since those of made pairs are not always right

Batch = tuple[Tensor, Tensor, Tensor, Tensor]


def batches(rows: Sequence[dict[str, Any]], tokenizer_file: Path, seed: int) -> list[Batch]:
    """Pairs as rows of pieces, those of like length together, the batches in a random order."""
    tokenizer = tokenizer_of(tokenizer_file)
    encoded = tokenizer.encode_batch([(row["claim"], row["evidence"]) for row in rows])
    shown = sorted(zip(encoded, rows, strict=True), key=lambda one: len(one[0].ids))
    parts = [shown[at : at + ROWS] for at in range(0, len(shown) - ROWS + 1, ROWS)]
    Random(seed).shuffle(parts)
    return [
        (*pieces_of([one for one, _ in part]), torch.tensor([float(row["supported"]) for _, row in part]))
        for part in parts
    ]


def tokenizer_of(path: Path) -> Tokenizer:
    """The tokenizer of a file, which cuts the evidence and pads nothing."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def pieces_of(encoded: Sequence[Any]) -> tuple[Tensor, Tensor, Tensor]:
    """Pieces, segments and mask, rows x the longest row."""
    length = max(len(one.ids) for one in encoded)
    pieces = [[*one.ids, *[0] * (length - len(one.ids))] for one in encoded]
    segments = [[*one.type_ids, *[0] * (length - len(one.ids))] for one in encoded]
    mask = [[at < len(one.ids) for at in range(length)] for one in encoded]
    return torch.tensor(pieces), torch.tensor(segments), torch.tensor(mask)


def learn(
    network: Network, steps: Sequence[Batch], rates: tuple[float, float], said: Callable[[int, float], None]
) -> None:
    """Go once over the steps, at a rate that falls from the first to the second; `said` is told step and mean loss."""
    whole = [one for one in network.parameters() if one.requires_grad]
    masters = [one.detach().clone().float() for one in whole]
    network.to(torch.bfloat16)
    network.train()
    optimiser = torch.optim.AdamW(masters, lr=1.0, weight_decay=0.0)
    first, last = rates

    def rate(at: int) -> float:
        return min(1.0, (at + 1) / WARM) * (first + (last - first) * at / len(steps))

    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    mean = 0.69
    for at, (pieces, segments, mask, labels) in enumerate(steps, start=1):
        aims = labels * (1 - 2 * SOFT) + SOFT
        loss = binary_cross_entropy_with_logits(network(pieces, segments, mask).float(), aims)
        loss.backward()
        for master, one in zip(masters, whole, strict=True):
            master.grad, one.grad = one.grad.float() if one.grad is not None else None, None
        torch.nn.utils.clip_grad_norm_(masters, 1.0)
        optimiser.step()
        plan.step()
        with torch.no_grad():
            for master, one in zip(masters, whole, strict=True):
                one.copy_(master)
        mean = 0.98 * mean + 0.02 * loss.item()
        said(at, mean)
    network.float()
    with torch.no_grad():
        for master, one in zip(masters, whole, strict=True):
            one.copy_(master)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The pairs of a file, a JSON object a line."""
    for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
        yield json.loads(line)


def scores(network: Network, pairs: Sequence[tuple[str, str]], tokenizer_file: Path, rows: int = 64) -> list[float]:
    """A logit for each pair of claim and evidence, in their order; in half precision, as it was trained."""
    tokenizer = tokenizer_of(tokenizer_file)
    encoded = tokenizer.encode_batch(list(pairs))
    order = sorted(range(len(pairs)), key=lambda at: len(encoded[at].ids))
    found = [0.0] * len(pairs)
    network.to(torch.bfloat16)
    network.eval()
    with torch.no_grad():
        for begin in range(0, len(order), rows):
            part = order[begin : begin + rows]
            for at, logit in zip(part, network(*pieces_of([encoded[one] for one in part])).tolist(), strict=True):
                found[at] = logit
    network.float()
    return found
