"""Build the pages as a web site: `python scripts/build_docs.py SITE`. Needs the docs extra (mkdocs-material).

The pages are copied to where mkdocs may read them, in the places that they have here: so their links to each other,
to reports and to the ontology hold on the site as they do in the repository. A link that leads nowhere ends the build.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
READMES = (f"{folder}/README.md" for folder in ("ontology", "scripts", "test_data"))
PAGES = ("README.md", "CONTRIBUTING.md", "docs", "reports", *READMES)


def build(site: Path) -> int:
    """Write the site into a folder; returns mkdocs' exit code."""
    with TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        for name in PAGES:
            target = pages / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile)(ROOT / name, target)
        settings = Path(work) / "mkdocs.yml"
        shutil.copyfile(ROOT / ".mkdocs.yml", settings)
        options = ["--strict", "--config-file", str(settings), "--site-dir", str(site.absolute())]
        return subprocess.run([sys.executable, "-m", "mkdocs", "build", *options], check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(build(Path(sys.argv[1])))
