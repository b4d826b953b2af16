"""Write the papers of `test_data/` from their sources in `scripts/test_data/papers/`.

    python scripts/make_test_data.py [--out test_data] [--paper NAME]

Needs matplotlib and pillow (the `dev` extra). Running it twice gives the same bytes on the same versions of both.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import matplotlib
import PIL
from test_data.write import paper_files

SOURCES = Path(__file__).parent / "test_data" / "papers"
HOME = Path(__file__).resolve().parent.parent / "test_data"


def main() -> None:
    """Write each paper's folder; files of a paper that are no longer made are deleted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HOME)
    names = sorted(path.name for path in SOURCES.iterdir() if path.is_dir())
    parser.add_argument("--paper", choices=names, help="only this one")
    options = parser.parse_args()
    for source in (SOURCES / name for name in names):
        if options.paper in (None, source.name):
            write(options.out / source.name, paper_files(source))
    versions = {"matplotlib": matplotlib.__version__, "pillow": PIL.__version__}
    (options.out / "made_with.json").write_text(json.dumps(versions) + "\n", encoding="utf-8")


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Make `folder` hold exactly `files`."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in sorted(path for path in folder.iterdir() if path.name not in files):
        stale.unlink()
    for name, content in sorted(files.items()):
        (folder / name).write_bytes(content)
    print(f"{folder.name}: {len(files)} files, {sum(map(len, files.values())) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
