"""PDFs as scans: each page a grey JPEG, and no text. For reports/pdf.md.

    python -m scripts.benchmarks.make_scans GOLD OUT PAPER:DOTS_AN_INCH ...

GOLD holds a folder a paper with paper.pdf and gold.json; OUT gets the same with the PDF of pictures, which
`scripts/benchmarks/measure_pdf.py OUT SCORER --only kag` reads by tesseract.
"""

from __future__ import annotations

import argparse
import io
import shutil
from pathlib import Path

import pypdfium2
from PIL import Image

QUALITY = 75  # of JPEG


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("papers", nargs="+")
    options = parser.parse_args()
    for paper in options.papers:
        name, _, dots = paper.partition(":")
        folder = options.out / name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(options.gold / name / "gold.json", folder / "gold.json")
        first, *others = pictures(options.gold / name / "paper.pdf", int(dots))
        first.save(folder / "paper.pdf", save_all=True, append_images=others, resolution=int(dots))


def pictures(path: Path, dots: int) -> list[Image.Image]:
    """The pages in grey, as JPEG leaves them."""
    found: list[Image.Image] = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            stream = io.BytesIO()
            page.render(scale=dots / 72).to_pil().convert("L").save(stream, "JPEG", quality=QUALITY)
            found.append(Image.open(stream))
    return found


if __name__ == "__main__":
    main()
