"""Writing files that nobody ever sees half written."""

import os
import threading
from pathlib import Path

from motionary.errors import UsageError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, and the folders above it, so that it is there whole or not at all."""
    part = path.with_name(f".{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(data)
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written ({error.strerror}); check the folder, its permissions and the free space"
        ) from error


def check_can_write(path: Path) -> None:
    """Raise if a file could not be written there, as far as that can be told before."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    problem = ""
    if path.is_dir():
        problem = "it is a folder"
    elif not folder.is_dir():
        problem = f"{folder} is no folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        problem = f"nothing can be written to {folder}"
    if problem:
        raise UsageError(f"{path}: cannot be written ({problem}); choose another file")
