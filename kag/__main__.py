"""`kag` and `python -m kag`: until there is something to clean up, an interrupt ends the process without a word."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Import the command line and run it."""
    waiting = signal.getsignal(signal.SIGINT)
    if waiting is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from kag.cli import main as run

    if waiting is signal.default_int_handler:
        signal.signal(signal.SIGINT, waiting)
    run()


if __name__ == "__main__":
    sys.exit(main())
