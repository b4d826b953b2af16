"""`kag` and `python -m kag`: until there is something to clean up, an interrupt ends the process without a word."""

import _signal  # type: ignore[import-not-found] # `signal` rests on it, and takes long enough to be interrupted

_INTERRUPTS = _signal.getsignal(_signal.SIGINT)
if _INTERRUPTS is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def main() -> None:
    """Import the command line and run it; does not return."""
    from kag.cli.main import main as run

    if _INTERRUPTS is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
