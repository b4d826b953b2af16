"""Start and end of a command: addresses of object stores become folders, errors become messages and exit codes.

0 done, 1 does not conform or hold, 2 bad input or a system that refuses (disk full, no rights, no memory),
3 model or sandbox failure, 70 a bug in kag, 129/130/143 ended by a signal, 141 whoever read the output went away.

What is at an address (`kag ask "..." s3://bucket/runs`) is brought here before the command, which is given the folder,
and published after it, unless it is only read there (`--read-only`, and agents' tools).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import StringIO
from types import FrameType
from typing import NoReturn

import click

from kag.cli.terminal import complain, note, say
from kag.core.errors import BUG, KagError, fault
from kag.core.files import hint_for, reason
from kag.core.secrets import load_env_file

SCHEMES = ("s3://", "gs://", "az://", "file://")
READS_ONLY = "mcp"  # the command that never writes
READ_ONLY = "--read-only"


@contextmanager
def brought_here(arguments: Sequence[str]) -> Iterator[list[str]]:
    """The arguments with folders of this machine in place of addresses; also after a command that found fault."""
    given = [argument for argument in arguments if argument.startswith(SCHEMES)]
    if not given:
        yield list(arguments)
        return
    from kag.indexing.mirror import mirrored
    from kag.indexing.objects import URL

    with ExitStack() as stack:
        addresses = [url for url in dict.fromkeys(given) if URL.fullmatch(url)]
        publish = READ_ONLY not in arguments and arguments[0] != READS_ONLY
        folders = {url: str(stack.enter_context(mirrored(url, publish=publish))) for url in addresses}
        for url, folder in folders.items():
            note(f"{url} is at {folder}")
        try:
            yield [folders.get(argument, argument) for argument in arguments]
        except SystemExit:  # a command's own end: what it did is published
            stack.close()
            raise


READER_GONE = 141
_SOON = 0.02  # seconds
_AGAIN = "give the same command again to go on"


def run(command: click.Command, arguments: Sequence[str] | None = None, *, name: str = "kag") -> NoReturn:
    """Run a command line to its end; the only place where errors become messages and exit codes."""
    _end_in_order()
    try:
        code = _ended(lambda: _called(command, arguments, name))
    except OSError:  # not even the message can be written
        code = READER_GONE
    sys.exit(code)


def _called(command: click.Command, arguments: Sequence[str] | None, name: str) -> int:
    if sys.stdout is None or sys.stdout.closed:
        complain("standard output is closed", "Send it to a file, or to /dev/null if nobody wants it.")
        return 2
    try:
        if "_KAG_COMPLETE" in os.environ:  # the shell asks what could come next
            command.main(prog_name=name)
        load_env_file()
        given = list(sys.argv[1:] if arguments is None else arguments)
        with brought_here(given) as known, command.make_context(name, known) as context:
            command.invoke(context)  # command.main() would do the same, and make a plain 1 of a reader that went away
        return 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    finally:
        sys.stdout.flush()  # a full disk behind a pipe or a file shows here at the latest


def _ended(called: Callable[[], int]) -> int:
    """The exit code of a call, after a message where it failed."""
    try:
        return called()
    except (KeyboardInterrupt, click.Abort):
        say(f"interrupted; {_AGAIN}", err=True)
        return 128 + signal.SIGINT
    except click.ClickException as error:
        words = StringIO()
        error.show(words)
        say(words.getvalue(), err=True, nl=False)
        return 2
    except KagError as error:
        complain(error.message, error.hint)
        return error.exit_code
    except BrokenPipeError:
        _forget_output()
        return READER_GONE
    except OSError as error:
        _forget_output()
        complain(reason(error), hint_for(error))
        return 2
    except MemoryError:
        complain("there is not enough memory", "Give fewer papers at a time, or use fewer workers.")
        return 2
    except Exception as error:
        if os.environ.get("KAG_TRACEBACK"):
            say(traceback.format_exc(), err=True)
        bug = "This is a bug in kag; please report it (with KAG_TRACEBACK=1 it tells more)."
        complain(fault(error), bug)
        return BUG


def _forget_output() -> None:
    """Nothing more can be written to standard output: Python must not try it again when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return


def _end_in_order() -> None:
    """Let a request to end (SIGTERM, a closed terminal) run through all that cleans up behind a command."""
    reported: set[int] = set()

    def leave(number: int, frame: FrameType | None) -> None:
        if number not in reported:
            reported.add(number)
            say(f"ended by {signal.Signals(number).name}; {_AGAIN}", err=True)
        sys.exit(128 + number)

    def lost(ignored: sys.UnraisableHookArgs) -> None:
        # In the callback of a weak reference, as importlib has them, nothing can be raised: the signal comes again.
        number = _signal_of(ignored.exc_value)
        if number is None:
            sys.__unraisablehook__(ignored)
            return
        again = threading.Timer(_SOON, os.kill, [os.getpid(), number])
        again.daemon = True
        again.start()

    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = lost

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def _signal_of(error: BaseException | None) -> int | None:
    """The signal that an exception ends a command for; None for any other exception."""
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
        return error.code - 128
    return None
