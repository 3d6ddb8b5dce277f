"""Files written whole or not at all, a cache that gives way, folders that go with their process."""

import atexit
import contextlib
import os
import secrets
import shutil
import stat
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from workbench._support.errors import InputError, WorkbenchWarning

CACHE = "WORKBENCH_CACHE"
NAME = "duality-workbench"
# In each temporary folder: a file that the process holds locked for as long as it lives.
OWNER = "owner.lock"
# After this time an unlocked folder goes where locks cannot tell.
FORGOTTEN_SECONDS = 24 * 3600
UNFINISHED = ".part"


# --- files


@contextlib.contextmanager
def whole(path, sync=True):
    """Yield a binary file that replaces `path` once it is complete; a failure leaves nothing.

    Parameters
    ----------
    path : path
        A pipe or a device is written to as it is.
    sync : bool
        Whether it must survive a loss of power: what a cache can make anew need not.

    Raises
    ------
    InputError
        The folder is missing, or the path names a folder.
    OSError
        With the path as its `filename`: a full disk, a folder that cannot be written to.
    """
    # Through a link to what it names, which may lie on another disk.
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {Path(path).parent} does not exist; create it first")
    if target.is_dir():
        raise InputError(f"{path} is a folder; name a file in it")
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
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
        with draft.open("xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write(path, content, sync=True):
    """Write bytes, or text as UTF-8, to a file, whole or not at all."""
    with whole(path, sync) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def locked(path):
    """Hold the lock of a file, which is made, against other processes; Windows lacks such a lock."""
    with Path(path).open("ab") as file:
        _lock(file, wait=True)
        yield


# --- the cache

_usable: dict[Any, Any] = {}


def cache(*names, keep=None):
    """Return a folder of the user's cache for one kind of file; ``WORKBENCH_CACHE`` moves its parent.

    Machine code is taken from it. So where it cannot be made or written to, or another user can write to it
    or put another folder in its place, a temporary folder that is this user's alone takes the place of the
    parent, with a `WorkbenchWarning`. Access lists are not looked at.

    Parameters
    ----------
    keep : int, optional
        How many of the folders beside this one stay, those used last; others go at the first call.
    """
    folder = _cache_parent().joinpath(*names)
    if folder not in _usable:
        # Through all links, which somebody else may change.
        path = Path(os.path.realpath(folder))
        try:
            _check(path)
        except OSError as error:
            _give_up_cache(error)
            folder = path = _cache_parent().joinpath(*names)
            make(path)
        _usable[folder] = path
        if keep is not None:
            _keep_newest(path, keep)
    return _usable[folder]


def make(folder):
    """Make a folder and those that it lies in, where they are missing, for this user alone."""
    for place in reversed((folder, *folder.parents)):
        if not place.is_dir():
            place.mkdir(mode=0o700, exist_ok=True)


def _give_up_cache(error):
    """Go on with a temporary folder as the cache's parent, in this process and those that it starts."""
    parent, folder = _cache_parent(), temporary("cache")
    os.environ[CACHE] = str(folder)
    warnings.warn(
        f"{parent} cannot serve as the cache ({error.strerror or error}), and a temporary folder does until "
        f"this process ends; set {CACHE} to a folder that you alone can write to",
        WorkbenchWarning,
        stacklevel=3,
    )


def _keep_newest(folder, count):
    with contextlib.suppress(OSError):
        os.utime(folder)
        beside = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for stale in beside[count:]:
            shutil.rmtree(stale, ignore_errors=True)


def keep_bytes(folder, pattern, most):
    """Delete the files that were not used for the longest time, until the rest takes at most `most` bytes.

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
    return Path(value).expanduser() if value else platformdirs.user_cache_path(NAME)


def _check(folder):
    """Make the folder; an OSError where others can write to it or above it, or it takes no file."""
    make(folder)
    for place in (folder, *folder.parents) if hasattr(os, "getuid") else ():
        status = place.stat()
        if status.st_uid not in (os.getuid(), 0):
            raise PermissionError(0, f"{place} belongs to another user")
        others = stat.S_IWOTH if _is_own_group(status.st_gid) else stat.S_IWOTH | stat.S_IWGRP
        # In a sticky folder a file stays its owner's.
        if status.st_mode & others and (place == folder or not status.st_mode & stat.S_ISVTX):
            raise PermissionError(0, f"others can write to {place}")
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(4096))
        probe.flush()


def _is_own_group(number):
    """Return whether a group is the superuser's or this user's own, which many systems make for each user."""
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

_made: dict[Any, Any] = {}  # folder -> the process that made it, the file that it holds locked


def temporary(purpose):
    """Make a private folder that goes when this process ends.

    Folders of processes that were killed and could not clear up go whenever another one is made.

    Returns
    -------
    Path
    """
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{NAME}-{purpose}-"))
    # A fork holds the lock as well, so that the folder lives as long as one of them.
    file = (folder / UNFINISHED).open("wb")
    _lock(file)
    with contextlib.suppress(PermissionError):  # Windows renames no open file
        (folder / UNFINISHED).rename(folder / OWNER)
    if not _made:
        atexit.register(discard)
    _made[folder] = os.getpid(), file
    return folder


def discard(folder=None):
    """Remove a temporary folder, or all of them, unless a parent process made them."""
    for made in [folder] if folder is not None else list(_made):
        process, file = _made.pop(made, (None, None))
        if process == os.getpid():
            file.close()
            shutil.rmtree(made, ignore_errors=True)


def sweep():
    """Remove this user's temporary folders whose process has ended."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(f"{NAME}-"):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    is_ours = not hasattr(os, "getuid") or status.st_uid == os.getuid()
                    if is_ours and stat.S_ISDIR(status.st_mode) and _is_abandoned(Path(entry.path)):
                        shutil.rmtree(entry.path, ignore_errors=True)


def _is_abandoned(folder):
    """Return whether a folder's process has ended or, where a lock cannot tell, the folder is old."""
    with contextlib.suppress(FileNotFoundError), (folder / OWNER).open("rb") as file:
        if (is_free := _lock(file)) is not None:
            return is_free
    touched = max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
    return time.time() - touched > FORGOTTEN_SECONDS


def _lock(file, wait=False):
    """Lock a file, if nobody else has; returns whether it is locked now, None without support for locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
