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
        raise UsageError(f"{path}: cannot be written ({error.strerror}); check folder, rights and room") from error
