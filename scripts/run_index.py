"""Build the knowledge graph of a paper: `python scripts/run_index.py --ocr-dir DIR [--out-dir runs] [--lm MODEL]`.

With a model the RLM agent builds the graph from the blocks by op_* calls until SHACL conforms; without one rules build
it. DIR may also be a PDF or a publisher's XML. The same as `kag index`, which has more options.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import kag


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ocr-dir", required=True, help="the paper: a folder of OCR pages, a PDF, or JATS or TEI")
    parser.add_argument("--out-dir", default="runs", help="where the run folder goes (default: runs)")
    parser.add_argument("--lm", default=os.environ.get("KAG_LM", ""), help="model, or offline (default: KAG_LM)")
    parser.add_argument("--builder", choices=("rlm", "review", "baseline"), help="(default: rlm with a model)")
    parser.add_argument("--vision", default="", help="model that describes the figures")
    given = parser.parse_args()
    try:
        paper = kag.index(given.ocr_dir, given.out_dir, lm=given.lm, builder=given.builder, vision=given.vision)
    except kag.KagError as error:
        print(f"error: {error.message}\n  {error.hint}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    print(f"{paper.title}\n{len(paper.sections)} sections, {len(paper.figures)} figures, {len(paper.tables)} tables")
    print(f"{len(paper.references)} references\n{paper.path}")


if __name__ == "__main__":
    main()
