"""Folders for a while: gone when their process ends, at the latest when the next one starts."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "motionary-unpacked-"
LOCK = ".motionary-lock"
YOUNGEST_SECS = 60.0  # a folder may be new and not locked yet


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder that is deleted afterwards; leftovers of processes that were killed are deleted first."""
    remove_leftovers()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name, (Path(name) / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def remove_leftovers() -> int:
    """Delete the scratch folders of this user that no living process holds; returns how many."""
    n_removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            status = folder.lstat()
            if folder.is_symlink() or status.st_uid != os.getuid() or time.time() - status.st_mtime < YOUNGEST_SECS:
                continue
            with (folder / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
                n_removed += 1
        except OSError:  # held by somebody, or gone meanwhile
            continue
    return n_removed
