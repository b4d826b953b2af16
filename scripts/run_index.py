"""Index papers: `python scripts/run_index.py --ocr-dir DIR --out-dir runs`, the same as `kag index`."""

import sys

from kag.cli.main import main

main(["index", *sys.argv[1:]])
