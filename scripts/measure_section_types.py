"""How many of the sections that a publisher types are typed so by their titles alone.

    python scripts/measure_section_types.py GOLD...

GOLD is as for `measure_outlines.py`. Papers that were looked at when the titles were listed (every other one) are told
apart from the rest. The publishers' types "results|discussion" are two; what they say of supplements is left out.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kag.rdf.namespaces import DEO
from kag.write.enrich.sections import title_types

TYPES = {"intro": DEO.Introduction, "methods": DEO.Methods, "materials": DEO.Materials, "results": DEO.Results,
         "discussion": DEO.Discussion, "conclusions": DEO.Conclusion, "conclusion": DEO.Conclusion}  # fmt: skip


def main(roots: Sequence[str]) -> None:
    """Print shares and the titles that say nothing."""
    sums: Counter[tuple[str, str]] = Counter()
    missed: Counter[str] = Counter()
    for root in map(Path, roots):
        papers = sorted(path.parent for path in root.glob("*/gold.json") if "__" not in path.parent.name)
        for n, folder in enumerate(papers):
            kind = f"{root.name}, {'not looked at' if n % 2 else 'looked at'}"
            for section in json.loads((folder / "gold.json").read_text(encoding="utf-8"))["sections"]:
                for name in (section.get("type") or "").split("|"):
                    if name in TYPES and section["title"]:
                        right = TYPES[name] in title_types(section["title"])
                        sums[kind, "right"] += right
                        sums[kind, "all"] += 1
                        missed[f"{name}: {section['title']}"] += not right
    for kind in sorted({kind for kind, _ in sums}):
        print(f"{sums[kind, 'right']} of {sums[kind, 'all']}  {kind}")
    print(*(f"  {title}" for title, count in sorted(missed.items()) if count), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
