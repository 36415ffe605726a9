"""Arrays beside the bank that can be deleted at any time: they are computed again when they are asked for."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from motionary.bank.bank import Bank
from motionary.bank.clips import Clip


def derived_array(bank: Bank, clip: Clip, *, kind: str, version: int, build: Callable[[], np.ndarray]) -> np.ndarray:
    """The array `kind` of a clip, memory-mapped; built if it is missing, damaged or of another version.

    Its file is named by what it was built from, the recording's digest, so that a changed clip never meets an
    old array. Where the folder cannot be written, the array is built and not kept.
    """
    path = bank.derived_path / f"{kind}-v{version}" / f"{bank.frames_digest(clip).hex()}.npy"
    kept = _load(path)
    if kept is None:
        kept = np.ascontiguousarray(build())
        _keep(path, kept)
    return kept


def _load(path: Path) -> np.ndarray | None:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    assert isinstance(array, np.ndarray)
    return array


def _keep(path: Path, array: np.ndarray) -> None:
    part = path.with_name(f"{path.stem}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.save(file, array, allow_pickle=False)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
