"""Arrays beside the bank that can be deleted at any time: they are computed again when they are asked for."""

import os
import threading
import tokenize
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from motionary.bank.bank import Bank
from motionary.bank.clips import Clip

Shape = tuple[int | None, ...]  # None: any length


def derived_array(
    bank: Bank,
    clip: Clip,
    *,
    kind: str,
    version: int,
    build: Callable[[], np.ndarray],
    shape: Shape | None = None,
    dtype: np.dtype | type | None = None,
) -> np.ndarray:
    """The array `kind` of a clip, memory-mapped; built if it is missing, damaged or of another version.

    Its file is named by what it was built from, the recording's digest, so that a changed clip never meets an
    old array. A file of another `shape` or `dtype` than the caller knows it must have is damaged. Where the folder
    cannot be written, the array is built and not kept.
    """
    path = bank.derived_path / f"{kind}-v{version}" / f"{bank.frames_digest(clip).hex()}.npy"
    array = _load(path)
    if array is None or not _fits(array, shape, dtype):
        built = np.ascontiguousarray(build())
        if not _fits(built, shape, dtype):
            raise AssertionError(f"{kind} was built as {built.dtype} {built.shape}, not as {dtype} {shape}")
        _keep(path, built)
        array = _load(path)
        if array is None or not _fits(array, built.shape, built.dtype):
            built.flags.writeable = False  # as it is when it comes from the file
            array = built
    return array


def _load(path: Path) -> np.ndarray | None:
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError, SyntaxError, TypeError, tokenize.TokenError):  # numpy's, of a damaged header
        return None
    return array


def _fits(array: np.ndarray, shape: Shape | None, dtype: np.dtype | type | None) -> bool:
    if dtype is not None and array.dtype != dtype:
        return False
    if shape is None:
        return True
    return array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))


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
