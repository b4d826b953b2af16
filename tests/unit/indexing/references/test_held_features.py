"""What the labeller is told of made-up entries is what it was told when it was trained: held as it was, by digests.

A difference means that the labeller reads other words than it learnt from: train it anew
(`scripts/benchmarks/train_references.py`), measure, and only then write what is held with `KAG_UPDATE_GOLDEN=1`.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from kag.indexing.references.features import features, tokens
from kag.indexing.references.parser import cleaned

ENTRIES = Path(__file__).with_name("entries.jsonl")
FILE = Path(__file__).with_name("features.txt")
MORE = (  # styles that no entry of the file has
    "J Doe et al. Ice. 2001.",
    "ICE Collaboration, E. Poe and F. Roe, Search for ice, J. Cold Phys. 3 (2008) 4.",
    "1000 Lakes Project Consortium, Poe, E., & Roe, F. (2010). Ice on lakes. Rivers, 3, 4–5.",
    "World Ice Organization. Ice on lakes and rivers. Geneva: WIO; 2011.",
    "Jane Poe, “Ice on lakes”, Rivers 3, 2001.",
    "Roy S, Wapinski, Pfiffner J. Ice on lakes. Rivers 2001;3(Suppl 2):S4-S9.",
    "Poe E, Roe F, editors. Ice on lakes. 2nd ed. Oslo: Example Press; 1999. p. 3-9.",
    "Poe, E. (in press). Ice on lakes. In F. Roe & G. Doe (Eds.), Lakes (pp. 3–9). New York, NY: Springer.",
    "E. Poe. Ice on lakes. PhD thesis, University of Oslo, Oslo, 1999.",
    "E. Poe, F. Roe, Phys. Rev. D61, 053605 (2000).",
    "Poe E et al., “Is it 'ice'?”, vol. 3, no. 4, pp. 5–6, Mar. 2004",
    "王小明, 李华. 湖泊冰层研究[J]. 冰川学报, 2017, 33(12): 1764-1766.",
    "Poe E., Ice on lakes 1999 Journal of Ice 8 12",
    "Poe, E.: Ice? On lakes, Rivers, Bd. 7, S. 12–19, 1931.",
    "12 3 45",
    "Ice",
)


def told(text: str) -> str:
    """A digest of what is told of an entry's tokens."""
    words = cleaned(text)[1]
    said = json.dumps([*map(sorted, features(words, tokens(words)))], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def test_the_labeller_is_told_what_it_was_trained_with() -> None:
    texts = [json.loads(line)["text"] for line in ENTRIES.read_text(encoding="utf-8").splitlines()]
    now = [told(text) for text in (*texts, *MORE)]
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        FILE.write_text("".join(f"{one}\n" for one in now), encoding="utf-8")
    held = FILE.read_text(encoding="utf-8").split()
    assert [text for text, one, old in zip((*texts, *MORE), now, held, strict=True) if one != old] == []
