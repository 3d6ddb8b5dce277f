"""Starts a program that may read and write named places alone: Linux's Landlock, which any account may use.

    python -I confinement.py '{"read": [...], "write": [...], "run": MODULE}'

A process so confined, and all that it starts, opens no other file, looks into no process outside, sends none
a signal, and makes no TCP connection. It cannot be undone. This file imports the standard library alone:
threads that a library has started before would stay free.
"""

import ctypes
import json
import os
import runpy
import sys
from pathlib import Path

# Linux's numbers on all machines: landlock_create_ruleset, landlock_add_rule, landlock_restrict_self.
CREATE, ADD, RESTRICT = 444, 445, 446
NO_NEW_PRIVILEGES, BENEATH = 38, 1
EXECUTE, WRITE, READ, LIST, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
# The rights on files that each version of Landlock knows, less that to list a folder: imports look for names.
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
NETWORK, SCOPED = 0b11, 0b11
# From which version on it holds files; TCP; abstract sockets and signals.
CONFINES, HOLDS_TCP, HOLDS_SIGNALS = 3, 4, 6
SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc",
    "/opt",
    "/sys",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
)
# Of the process that is confined, whatever its number.
OWN = "/proc/self"


def version():
    """Landlock's version here; 0 where the system has none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, ctypes.CDLL(None, use_errno=True).syscall(CREATE, None, ctypes.c_size_t(0), 1))


def without(root, hidden):
    """The paths that make up a folder without those that are hidden in it.

    Parameters
    ----------
    root : Path
        Without links, as the hidden ones.
    hidden : list of Path
    """
    if root in hidden or not root.exists():
        return []
    if not any(root in each.parents for each in hidden):
        return [root]
    inside = [child for child in sorted(root.iterdir()) if not child.is_symlink()]
    return [path for child in inside for path in without(child, hidden)]


def confine(read, write):
    """Let this process, which must have one thread, open files beneath these paths alone."""
    level = version()
    libc = ctypes.CDLL(None, use_errno=True)
    rights = RIGHTS[min(level, 3)] & ~LIST
    attributes = (ctypes.c_uint64 * 3)(rights, NETWORK if level >= HOLDS_TCP else 0, SCOPED)
    size = 24 if level >= HOLDS_SIGNALS else 16 if level >= HOLDS_TCP else 8
    rules = _call(libc, CREATE, ctypes.byref(attributes), ctypes.c_size_t(size), 0)
    for paths, allowed in (([OWN, *read], READ | EXECUTE), (write, rights), (["/dev/null"], READ | WRITE)):
        for path in paths:
            of_files = EXECUTE | WRITE | READ | TRUNCATE
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            granted = allowed & rights & (-1 if os.path.isdir(path) else of_files)
            rule = granted.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
            _call(libc, ADD, rules, BENEATH, rule, 0)
            os.close(place)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    _call(libc, RESTRICT, rules, 0)
    os.close(rules)


def _call(libc, number, *arguments):
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result


def command(module, write, hidden):
    """The command that runs a module, confined where the system can to what is installed beside Python."""
    hidden = [Path(os.path.realpath(each)) for each in hidden]
    package = Path(__file__).resolve().parents[1]
    # A clone is known by the file beside its package, and has the figures of the lessons there.
    beside = [package.parent / "pyproject.toml", package.parent / "lessons" / "figures"]
    roots = [*SYSTEM, sys.prefix, sys.base_prefix, package, *beside]
    real = sorted({Path(os.path.realpath(root)) for root in roots})
    read = [str(path) for root in real for path in without(root, hidden)] if version() else []
    job = {"read": read, "write": [str(each) for each in write], "run": module}
    return [sys.executable, "-I", __file__, json.dumps(job)]


def main(job):
    job = json.loads(job)
    if job["read"]:
        confine(job["read"] + job["write"], job["write"])
    sys.argv = [job["run"]]
    runpy.run_module(job["run"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1])
