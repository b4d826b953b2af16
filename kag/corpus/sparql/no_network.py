"""Take the network from this process for good, by the system itself.

What holds where: on Linux, on x86-64 and on 64-bit ARM, a seccomp filter refuses (EPERM) every call that makes, joins
or sends to a socket, and io_uring, which could make one aside from these. It holds for all threads and processes that
are started later, and cannot be taken back. Other systems give an ordinary process no such filter: there, and where a
kernel or a container does not allow one, nothing is changed, `take_network` says False, and the check of the query's
tree stands alone. Needs no other module of kag: the worker loads it from its file.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

# For each machine: its number for audits, and those of the calls socket, socketpair, bind, connect, listen, accept,
# accept4, sendto, sendmsg, sendmmsg and io_uring_setup.
_CALLS = {
    "x86_64": (0xC000003E, (41, 53, 49, 42, 50, 43, 288, 44, 46, 307, 425)),
    "aarch64": (0xC00000B7, (198, 199, 200, 203, 201, 202, 242, 206, 211, 269, 425)),
}
_SECOND_TABLE = 0x40000000  # on x86-64, numbers from here on are the same calls once more
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def has_filter() -> bool:
    """Whether this kind of system and machine knows the filter, unless its kernel or a container forbids it."""
    return sys.platform == "linux" and os.uname().machine in _CALLS and sys.maxsize > 2**32


def take_network() -> bool:
    """Refuse this thread, and what it starts from now on, every socket; False where the system has no way to."""
    if not has_filter():
        return False
    steps = _steps(*_CALLS[os.uname().machine])
    program = _Program(len(steps) // 8, steps)
    control = ctypes.CDLL(None, use_errno=True).prctl
    control.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return not control(_SECCOMP, _FILTER, ctypes.addressof(program), 0, 0)


def _steps(machine: int, calls: tuple[int, ...]) -> bytes:
    """The filter: other machines' calls, the second table and the listed calls are refused, all else is allowed."""
    refuse = len(calls) + 5  # its place; the number of a call stands at byte 0 of what is tested, the machine at 4
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 0, refuse - 2, machine), (_LOAD, 0, 0, 0)]
    steps.append((_AT_LEAST, refuse - 4, 0, _SECOND_TABLE))
    steps += [(_EQUAL, refuse - at - 1, 0, call) for at, call in enumerate(calls, len(steps))]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
