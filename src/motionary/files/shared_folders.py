"""Folders that several processes share: one writes at a time, and only what the manifest says counts."""

import fcntl
import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LOCK = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While it lasts, nobody else writes to the folder, which is made if need be; waits for whoever does."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def put_manifest(path: Path, content: Mapping[str, Any]) -> None:
    """Write a manifest so that after a power cut, too, it is the old one or the new one."""
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def delete_others(folder: Path, pattern: str, kept: Collection[Path]) -> None:
    """Delete the files of that pattern that are not to be kept; who has one open keeps it."""
    for path in folder.glob(pattern):
        if path not in kept:
            with suppress(OSError):
                path.unlink()
