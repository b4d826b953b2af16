"""Answer questions: `python scripts/run_qa.py --graph-dir RUN --questions FILE`, the same as `kag qa`."""

import sys

from kag.cli.main import main

main(["qa", *sys.argv[1:]])
