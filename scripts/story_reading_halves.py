"""The figures of reading fiction by halves of the documents: `python scripts/story_reading_halves.py story_litbank`.

Rules were made with half a in view (documents whose id has an even SHA-256); half b was only counted.
"""

import hashlib
import sys
from pathlib import Path

from kag.evaluate.domains.stories import reading
from kag.evaluate.statistics import score


def half(document: str) -> str:
    """The half that a document is in."""
    return "ab"[int(hashlib.sha256(document.encode()).hexdigest(), 16) % 2]


def main(folder: Path) -> None:
    """Print a line for each figure and half."""
    for what, counts in reading(folder).items():
        for name in "ab":
            one = score({key: value for key, value in counts.items() if half(key) == name and any(value)}, share=False)
            shares = f"precision {one.precision:.2f}, recall {one.recall:.2f}, F1 {one.f1:.2f}"
            print(f"{what}, half {name}: {shares} ({one.low:.2f} to {one.high:.2f}), {one.papers} documents")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
