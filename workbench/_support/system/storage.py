"""Files written whole or not at all, a cache that gives way, folders that go with their process."""

import atexit
import contextlib
import json
import os
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from workbench._support.errors import InputError, WorkbenchWarning

CACHE = "WORKBENCH_CACHE"
NAME = "duality-workbench"
# In each temporary folder, the process that it goes with.
OWNER = "owner.json"
# Of folders whose owner cannot be told, such as one that runs in another container.
FORGOTTEN_SECONDS = 24 * 3600
UNFINISHED = ".part"


# --- files


@contextlib.contextmanager
def whole(path, sync=True):
    """A binary file that takes the place of `path` once it is complete; where it fails nothing is left.

    Parameters
    ----------
    path : path
        A pipe or a device is written to as it is.
    sync : bool
        Whether it must survive a loss of power: what a cache can make anew need not.

    Raises
    ------
    InputError
        There is no such folder, or the path names one.
    OSError
        With the path as its `filename`: a full disk, a folder that cannot be written to.
    """
    # Through a link to what it names, which may lie on another disk.
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(f"{path}: there is no folder {Path(path).parent}; create it first")
    if target.is_dir():
        raise InputError(f"{path} is a folder; name a file in it")
    try:
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
            return
        with _draft(target, sync) as file:
            yield file
    except OSError as error:
        if error.filename in (None, target) or str(error.filename).endswith(UNFINISHED):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise


@contextlib.contextmanager
def _draft(target, sync):
    # Not from tempfile, whose files nobody else may read.
    draft = target.with_name(f".{secrets.token_hex(8)}{UNFINISHED}")
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write(path, content, sync=True):
    """Write bytes, or text as UTF-8, to a file, whole or not at all."""
    with whole(path, sync) as file:
        file.write(content.encode() if isinstance(content, str) else content)


# --- the cache

_usable = {}


def cache(*names):
    """A folder of the user's cache for one kind of file; ``WORKBENCH_CACHE`` moves its parent.

    Machine code is taken from it. So where it cannot be made or written to, or another user can write to it
    or put another folder in its place, a temporary folder that is this user's alone takes the place of the
    parent, with a `WorkbenchWarning`. Access lists are not looked at.
    """
    folder = _cache_parent().joinpath(*names)
    if folder not in _usable:
        # Through all links, which somebody else may change.
        path = Path(os.path.realpath(folder))
        try:
            _check(path)
        except OSError as error:
            give_up_cache(error)
            folder = path = _cache_parent().joinpath(*names)
            make(path)
        _usable[folder] = path
    return _usable[folder]


def make(folder):
    """Make a folder and those that it lies in, where they are missing, for this user alone."""
    for place in reversed((folder, *folder.parents)):
        if not place.is_dir():
            place.mkdir(mode=0o700, exist_ok=True)


def give_up_cache(error):
    """Go on with a temporary folder as the cache's parent, in this process and those that it starts."""
    parent, folder = _cache_parent(), temporary("cache")
    os.environ[CACHE] = str(folder)
    warnings.warn(
        f"{parent} cannot serve as the cache ({error.strerror or error}), and a temporary folder does until "
        f"this process ends; set {CACHE} to a folder that you alone can write to",
        WorkbenchWarning,
        stacklevel=3,
    )


def keep_newest(parent, count, newest):
    """Of the entries of a folder leave those that were used last, the newest now."""
    with contextlib.suppress(OSError):
        os.utime(newest)
        for stale in sorted(parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[count:]:
            shutil.rmtree(stale, ignore_errors=True)


def keep_bytes(folder, pattern, most):
    """Where files take more than so many bytes, take those away that were not used for the longest time.

    Three quarters of that stay, so that the next file does not begin it anew.
    """
    entries = []
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):  # another process was faster
            status = path.stat()
            entries.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in entries)
    if total > most:
        for _, size, path in sorted(entries):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            total -= size
            if total <= 0.75 * most:
                break


def _cache_parent():
    import platformdirs

    value = os.environ.get(CACHE)
    return Path(os.path.expanduser(value)) if value else platformdirs.user_cache_path(NAME)


def _check(folder):
    """Make the folder; an OSError where others can write to it or above it, or it takes no file."""
    make(folder)
    for place in (folder, *folder.parents) if hasattr(os, "getuid") else ():
        status = place.stat()
        if status.st_uid not in (os.getuid(), 0):
            raise PermissionError(0, f"{place} belongs to another user")
        others = stat.S_IWOTH if _is_own_group(status.st_gid) else stat.S_IWOTH | stat.S_IWGRP
        # What lies in a sticky folder stays its owner's.
        if status.st_mode & others and (place == folder or not status.st_mode & stat.S_ISVTX):
            raise PermissionError(0, f"others can write to {place}")
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(4096))
        probe.flush()


def _is_own_group(number):
    """Whether a group is the superuser's, or has this user alone, as many systems make one for each."""
    import grp
    import pwd

    if number == 0:
        return True
    try:
        group, name = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == name and {*group.gr_mem} <= {name}


# --- temporary folders

_made = {}


def temporary(purpose):
    """Make a private folder that goes when this process ends.

    Folders of processes that were killed and could not clear up go whenever another one is made.

    Returns
    -------
    Path
    """
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{NAME}-{purpose}-"))
    owner = {"process": os.getpid(), "start": _start(os.getpid()), **_namespace()}
    (folder / OWNER).write_text(json.dumps(owner), encoding="utf-8")
    if not _made:
        atexit.register(discard)
    _made[folder] = os.getpid()
    return folder


def discard(folder=None):
    """Take away a temporary folder, or all of them, unless a process that this one comes from made them."""
    for each in [folder] if folder is not None else list(_made):
        if _made.pop(each, None) == os.getpid():
            shutil.rmtree(each, ignore_errors=True)


def sweep():
    """Take away this user's temporary folders whose process has ended."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(f"{NAME}-"):
                with contextlib.suppress(OSError):
                    if _is_ours(entry.stat(follow_symlinks=False)) and _is_abandoned(Path(entry.path)):
                        shutil.rmtree(entry.path, ignore_errors=True)


def _is_ours(status):
    return stat.S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _is_abandoned(folder):
    """Whether a folder's process has ended; where that cannot be told, whether it was left alone for long."""
    here = _namespace()
    try:
        owner = json.loads((folder / OWNER).read_text(encoding="utf-8"))
        process, start, boot, space = int(owner["process"]), owner["start"], owner["boot"], owner["space"]
    except (OSError, ValueError, KeyError, TypeError):
        start = None
    if start is None or (boot == here["boot"] and space != here["space"]):
        touched = max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
        return time.time() - touched > FORGOTTEN_SECONDS
    return boot != here["boot"] or _start(process) != start


def _namespace():
    """What a process's number and start count from: the machine's start, and the container."""
    namespace = {"boot": "", "space": ""}
    with contextlib.suppress(OSError):
        namespace["boot"] = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace["space"] = os.readlink("/proc/self/ns/pid")
    return namespace


def _start(process):
    """When a process started, as a text that no later one of its number has; "" where there is none.

    None where the system does not tell.
    """
    if sys.platform == "linux":
        try:
            text = Path(f"/proc/{process:d}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return ""
        # The name before the parenthesis may hold anything; the state is the third field, the start the 22nd.
        fields = text.rpartition(")")[2].split()
        return "" if fields[0] in "ZX" else fields[19]
    if os.name == "posix":
        result = subprocess.run(["ps", "-o", "lstart=", "-p", f"{process:d}"], capture_output=True, text=True)
        return result.stdout.strip()
    return None
