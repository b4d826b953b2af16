"""Answer questions about indexed papers: `python scripts/run_qa.py --graph-dir RUN --questions FILE [--lm MODEL]`.

With a model the RLM agent answers through five bounded views of the graph; without one you get exact answers from the
graph, and passages. The same as `kag qa`, which has more options.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import kag


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph-dir", required=True, help="a run folder, or a folder of run folders")
    parser.add_argument("--questions", required=True, help="a JSON list of questions, or one object a line")
    parser.add_argument("--paper", help="the name that the file has for the paper of a single run")
    parser.add_argument("--out-dir", help="where answers go (default: GRAPH_DIR/qa)")
    parser.add_argument("--lm", default=os.environ.get("KAG_LM", ""), help="model, or offline (default: KAG_LM)")
    given = parser.parse_args()
    try:
        answers = kag.answer_all(given.questions, given.graph_dir, given.out_dir, paper=given.paper, lm=given.lm)
        for answer in answers:
            print(f"{answer.id}: {answer.question}\n{answer.text}\n")
    except kag.KagError as error:
        print(f"error: {error.message}\n  {error.hint}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    print(given.out_dir or f"{given.graph_dir}/qa")


if __name__ == "__main__":
    main()
