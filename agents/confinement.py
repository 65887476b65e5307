"""What Linux offers to confine the calling process, through system calls alone.

Three layers: namespaces (user, mount, network, IPC, host name) with an empty folder as the root of
all files; Landlock, which lets no file be touched; seccomp, which leaves no system call that could.
Sources: man pages unshare(2), landlock(7), seccomp(2), capabilities(7), prctl(2).
"""

import ctypes
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from agents.errors import SandboxError
from agents.syscalls import ARCHITECTURES, seccomp_filter

Layer = Literal["namespaces", "landlock", "seccomp"]
LAYERS: tuple[Layer, ...] = ("namespaces", "landlock", "seccomp")

_NEW_USER = 0x10000000
_NEW_OTHERS = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000
_SET_DEATH_SIGNAL, _DROP_BOUND, _NO_NEW_PRIVILEGES, _SET_SECCOMP = 1, 24, 38, 22
_FILTER_MODE = 2
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446
_LANDLOCK_VERSION_FLAG = 1
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63


def enough(layers: Sequence[Layer]) -> bool:
    """Return whether layers confine: seccomp, and one of the two that guard files."""
    return "seccomp" in layers and ("landlock" in layers or "namespaces" in layers)


def enter_namespaces() -> bool:
    """Move into new namespaces, where the kernel lets an ordinary process do so.

    Has to come before any thread is started. The user is mapped onto itself.
    """
    user, group = os.getuid(), os.getgid()
    if _libc().unshare(_NEW_USER | _NEW_OTHERS) != 0:
        return False
    try:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    except OSError:
        return False
    return True


def leave_files(empty_folder: str) -> bool:
    """Make an empty folder the root of all files. Needs the namespaces."""
    try:
        os.chroot(empty_folder)
        os.chdir("/")
    except OSError:
        return False
    return True


def landlock_version() -> int:
    """Return the version of Landlock's interface, 0 where there is none."""
    return max(0, int(_syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_VERSION_FLAG)))


def deny_files() -> bool:
    """Deny every file, TCP and signals to others through Landlock, where the kernel has it.

    Older versions know fewer kinds of access; each handles what it knows.
    """
    version = landlock_version()
    if not version:
        return False
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        files |= (1 << bit) if version >= since else 0
    fields = [files, *([3] if version >= 4 else []), *([3] if version >= 6 else [])]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = int(_syscall(_LANDLOCK_CREATE, attributes, len(attributes), 0))
    if ruleset < 0:
        return False
    done = int(_syscall(_LANDLOCK_RESTRICT, ruleset, 0)) == 0
    os.close(ruleset)
    return done


def give_up_privileges() -> None:
    """Drop every capability for good, and die with the process that started this one.

    Raises:
        SandboxError: The kernel refuses.
    """
    libc = _libc()
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        raise SandboxError("the kernel cannot forbid new privileges (prctl)")
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_DROP_BOUND, capability, 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    if libc.capset(header, struct.pack("=6I", *[0] * 6)) != 0:
        raise SandboxError("the kernel refuses to drop capabilities (capset)")
    libc.prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


def limit_resources(memory_bytes: int) -> None:
    """Limit memory beyond what is in use now; allow no files, processes or core dumps."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    address_space = pages * resource.getpagesize() + memory_bytes
    for kind, limit in (
        (resource.RLIMIT_AS, address_space),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (limit, limit))


def filter_system_calls() -> bool:
    """Install the seccomp filter; nothing can take it off. Has to come last."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        return False
    program = seccomp_filter(machine)
    code = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    return bool(_libc().prctl(_SET_SECCOMP, _FILTER_MODE, head, 0, 0) == 0)


def _libc() -> ctypes.CDLL:
    if sys.platform != "linux":
        raise SandboxError(f"{sys.platform} offers no confinement that is known here; use Linux")
    return ctypes.CDLL(None, use_errno=True)


def _syscall(number: int, *arguments: object) -> int:
    libc = _libc()
    libc.syscall.restype = ctypes.c_long
    sized = [
        ctypes.c_size_t(argument) if isinstance(argument, int) else argument
        for argument in arguments
    ]
    return int(libc.syscall(ctypes.c_long(number), *sized))
