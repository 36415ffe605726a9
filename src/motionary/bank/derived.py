"""Arrays beside the bank that can be deleted at any time: they are computed again when they are asked for."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
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
    array = _load(path)
    if array is None:
        built = np.ascontiguousarray(build())
        _keep(path, built)
        array = _load(path)
        if array is None:
            built.flags.writeable = False  # as it is when it comes from the file
            array = built
    return array


def _load(path: Path) -> np.ndarray | None:
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError, SyntaxError):
        return None
    return array


def _keep(path: Path, array: np.ndarray) -> None:
    part = path.with_name(f"{path.stem}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.lib.format.write_array(file, array, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())  # or a power cut could leave a file of the right size, full of zeros
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink()
