"""Ordinary files only: a FIFO or device under a file's name would hang whoever reads it, or never end."""

import os
import stat
from pathlib import Path

LARGEST_BYTES = 4 << 30


def read_ordinary(path: Path, *, max_bytes: int = LARGEST_BYTES) -> bytes:
    """The file's bytes; an OSError that says why if it is no ordinary file, or a larger one."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "it is not a regular file", str(path))
        if status.st_size > max_bytes:
            raise OSError(None, f"it has more than {max_bytes >> 20:,} MB", str(path))
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(None, f"it has more than {max_bytes >> 20:,} MB", str(path))
    return data
