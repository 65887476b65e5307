"""Which system calls the sandboxed interpreter may still make, as a seccomp filter.

The filter is a list of what is allowed, by number; nothing on it takes a path, opens, connects,
signals or starts anything, so that what Python code, ctypes or machine code tries makes no
difference. What only hostile code does ends the process, which the other side sees and no code
inside can hide; all else fails with EPERM. Numbers: Linux `asm/unistd_64.h` for x86_64,
`asm-generic/unistd.h` for aarch64. Filter format: `linux/seccomp.h`, `linux/bpf_common.h`.
"""

import errno
import struct
from collections.abc import Mapping
from types import MappingProxyType

ALLOWED = (
    *("read", "readv", "write", "writev", "close", "lseek", "poll", "ppoll", "select", "pselect6"),
    *("mmap", "mprotect", "munmap", "mremap", "madvise", "brk", "futex", "rseq", "set_robust_list"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time"),
    *("getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getrusage"),
    *("times", "sysinfo", "sched_yield", "sched_getaffinity", "getrandom", "exit", "exit_group"),
)
FATAL = (
    *("fork", "vfork", "execve", "execveat", "kill", "tkill", "tgkill", "pidfd_open"),
    *("socket", "socketpair", "connect", "bind", "ptrace", "process_vm_readv", "process_vm_writev"),
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "bpf", "io_uring_setup"),
    *("memfd_create", "perf_event_open", "userfaultfd", "prctl", "seccomp", "capset", "setuid"),
)
"""What ends the process. `clone` without a thread does so too."""

_X86_64 = """
    read 0 write 1 close 3 poll 7 lseek 8 mmap 9 mprotect 10 munmap 11 brk 12 rt_sigaction 13
    rt_sigprocmask 14 rt_sigreturn 15 readv 19 writev 20 select 23 sched_yield 24 mremap 25
    madvise 28 nanosleep 35 getpid 39 socket 41 connect 42 bind 49 socketpair 53 clone 56 fork 57
    vfork 58 execve 59 exit 60 kill 62 gettimeofday 96 getrusage 98 sysinfo 99 times 100
    ptrace 101 getuid 102 getgid 104 setuid 105 geteuid 107 getegid 108 getppid 110 capset 126
    sigaltstack 131 pivot_root 155 prctl 157 chroot 161 mount 165 umount2 166 gettid 186 tkill 200
    time 201 futex 202 sched_getaffinity 204 restart_syscall 219 clock_gettime 228
    clock_getres 229 clock_nanosleep 230 exit_group 231 tgkill 234 pselect6 270 ppoll 271
    unshare 272 set_robust_list 273 perf_event_open 298 setns 308 process_vm_readv 310
    process_vm_writev 311 seccomp 317 getrandom 318 memfd_create 319 bpf 321 execveat 322
    userfaultfd 323 rseq 334 io_uring_setup 425 pidfd_open 434 clone3 435
"""
_AARCH64 = """
    umount2 39 mount 40 pivot_root 41 chroot 51 close 57 lseek 62 read 63 write 64 readv 65
    writev 66 pselect6 72 ppoll 73 capset 91 exit 93 exit_group 94 unshare 97 futex 98
    set_robust_list 99 nanosleep 101 clock_gettime 113 clock_getres 114 clock_nanosleep 115
    ptrace 117 sched_getaffinity 123 sched_yield 124 restart_syscall 128 kill 129 tkill 130
    tgkill 131 sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139 setuid 146
    times 153 getrusage 165 prctl 167 gettimeofday 169 getpid 172 getppid 173 getuid 174
    geteuid 175 getgid 176 getegid 177 gettid 178 sysinfo 179 socket 198 socketpair 199 bind 200
    connect 203 brk 214 munmap 215 mremap 216 clone 220 execve 221 mmap 222 mprotect 226
    madvise 233 perf_event_open 241 setns 268 process_vm_readv 270 process_vm_writev 271
    seccomp 277 getrandom 278 memfd_create 279 bpf 280 execveat 281 userfaultfd 282 rseq 293
    io_uring_setup 425 pidfd_open 434 clone3 435
"""


def _numbers(table: str) -> Mapping[str, int]:
    words = table.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


ARCHITECTURES: Mapping[str, tuple[int, Mapping[str, int]]] = MappingProxyType(
    {"x86_64": (0xC000003E, _numbers(_X86_64)), "aarch64": (0xC00000B7, _numbers(_AARCH64))}
)
"""By machine: its number in `linux/audit.h`, and its system calls. One that a machine lacks is
left out there (aarch64 has no fork)."""

_KILL = 0x80000000
_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000
_CLONE_THREAD = 0x00010000


def seccomp_filter(machine: str) -> bytes:
    """Return the filter program, 8 bytes an instruction.

    Args:
        machine: As `platform.machine()` names it.

    Raises:
        KeyError: No table for that machine.
    """
    architecture, numbers = ARCHITECTURES[machine]
    return b"".join(
        [
            _instruction(_LOAD, _ARCHITECTURE),
            _instruction(_EQUAL, architecture, yes=1),
            _instruction(_RETURN, _KILL),
            _instruction(_LOAD, _NUMBER),
            *_when(_AT_LEAST, _X32, _KILL),
            *_of(ALLOWED, numbers, _ALLOW),
            *_of(FATAL, numbers, _KILL),
            *_when(_EQUAL, numbers["clone3"], _FAIL | errno.ENOSYS),
            _instruction(_EQUAL, numbers["clone"], no=3),
            _instruction(_LOAD, _FIRST_ARGUMENT),
            _instruction(_ANY_BIT, _CLONE_THREAD, yes=1),
            _instruction(_RETURN, _KILL),
            _instruction(_RETURN, _FAIL | errno.EPERM),
        ]
    )


def _of(names: tuple[str, ...], numbers: Mapping[str, int], result: int) -> list[bytes]:
    return [
        part for name in names if name in numbers for part in _when(_EQUAL, numbers[name], result)
    ]


def _when(test: int, value: int, result: int) -> tuple[bytes, bytes]:
    return _instruction(test, value, no=1), _instruction(_RETURN, result)


def _instruction(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)
