"""Write the papers of `test_data/` from their sources in `scripts/test_data/papers/`.

    python scripts/make_test_data.py [--out test_data] [--paper NAME]

Needs matplotlib, pillow and fpdf2 (the `dev` extra). Running it twice gives the same bytes on the same versions.
"""

from __future__ import annotations

import argparse
import json
from importlib.metadata import version
from pathlib import Path

from test_data.write import paper_files, paper_pdf

SOURCES = Path(__file__).parent / "test_data" / "papers"
PRINTED = "zirconium_tracers"  # is there as a PDF, too
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
            if source.name == PRINTED:
                (options.out / f"{PRINTED}.pdf").write_bytes(paper_pdf(source))
    versions = {name: version(name) for name in ("matplotlib", "pillow", "fpdf2", "fonttools")}
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
