"""Write what agents did as Markdown: `python scripts/dump_trajectory.py RUN... [--out-dir DIR]`.

RUN is a run folder, a folder of answers (`qa`), or a trajectory.jsonl, also of a run that was killed. The same as
`kag trajectory`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.cli.ending import run
from kag.cli.report import trajectory

if __name__ == "__main__":
    run(trajectory, name="dump_trajectory.py")
