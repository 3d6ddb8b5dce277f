"""The places of data files: the folder that WORKBENCH_DATA names, the user's cache, the network."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from workbench._support.errors import InputError, shown
from workbench._support.system import storage

VARIABLE = "WORKBENCH_DATA"
# Seconds without a byte after which a download is given up.
TIMEOUT = 30


def user_path(path: str | os.PathLike[str]) -> Path:
    """Expand a leading ~ of a path; the ~name of an unknown user stays."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def is_file(path: Path) -> bool:
    """Check if a path is that of a file; False for a path that the system refuses, such as a long one."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Check if a path is that of a folder; False for a path that the system refuses."""
    try:
        return path.is_dir()
    except OSError:
        return False


def data_folder() -> Path | None:
    """Return the folder that WORKBENCH_DATA names, or None when it names none.

    Raises
    ------
    InputError
        It names something that is not a folder.
    """
    value = os.environ.get(VARIABLE, "")
    if not value:
        return None
    folder = user_path(value)
    if not is_folder(folder):
        raise InputError(
            f"{VARIABLE} names {shown(value)}, which is not a folder; set it to a folder or unset it."
        )
    return folder


def cache_folder() -> Path:
    """Return the folder for downloads."""
    return storage.cache("data")


def find_file(names: Iterable[str]) -> Path | None:
    """Return the first of the names that is a file in the folder of WORKBENCH_DATA, or None."""
    folder = data_folder()
    if folder is None:
        return None
    return next((folder / name for name in names if is_file(folder / name)), None)


def download(url: str, sha256: str, file_name: str, progress: bool = False) -> Path:
    """Download one file into the cache folder, under the name given, and return its path.

    Parameters
    ----------
    url, file_name : str
    sha256 : str
        The digest in hexadecimal; a file with another one is thrown away.
    progress : bool
        Whether to show a bar on the error stream.

    Raises
    ------
    InputError
        No network, a server's refusal, or another file than expected; it says what to do by hand.
    """
    import pooch

    logger = pooch.get_logger()
    level = logger.level
    # pooch announces every download on the error stream; only the command line talks here.
    logger.setLevel("ERROR")
    try:
        path = pooch.retrieve(
            url,
            known_hash=f"sha256:{sha256}",
            fname=file_name,
            path=cache_folder(),
            downloader=pooch.HTTPDownloader(timeout=TIMEOUT, progressbar=progress),
        )
    except (ValueError, OSError) as error:
        # requests' exceptions are OSErrors; pooch reports a wrong digest by a ValueError.
        raise InputError(
            f"{file_name} could not be downloaded from {url} ({_reason(error)}); get it another way, put it "
            f"into a folder and set the environment variable {VARIABLE} to that folder."
        ) from error
    finally:
        logger.setLevel(level)
    return Path(path)


def _reason(error: Exception) -> str:
    """Return why a download failed, in a few words."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code}"
    if isinstance(error, requests.Timeout):
        return f"no answer within {TIMEOUT} seconds"
    if isinstance(error, requests.RequestException):
        return "no connection"
    if "hash" in str(error).lower():
        return "the file's SHA-256 is not the expected one"
    return str(error).split("\n")[0] or type(error).__name__
