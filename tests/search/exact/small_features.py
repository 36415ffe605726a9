"""Features of a few clips for the tests of the index, in memory or kept in a folder."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionary.features import LibraryFeatures, descriptions
from search.tiny_libraries import library

KNOWN = descriptions()


def walk(rng: np.random.Generator, n_frames: int, n_dimensions: int) -> np.ndarray:
    """A smooth movement, in fewer directions than dimensions."""
    inner = np.cumsum(rng.normal(size=(n_frames, 12)) * 0.1, axis=0)
    return (
        inner @ rng.normal(size=(12, n_dimensions)) * 0.3 + rng.normal(size=(n_frames, n_dimensions)) * 0.01
    ).astype(np.float32)


def walks(
    seed: int, lengths: list[int], *, names: tuple[str, ...] = ("root", "positions"), folder: Path | None = None
) -> LibraryFeatures:
    """Clips of these lengths; those of the same seed begin alike, so that longer lists go on where shorter ones end."""
    clips = [
        {name: walk(np.random.default_rng([seed, c, d]), n, KNOWN[name].n_dimensions) for d, name in enumerate(names)}
        for c, n in enumerate(lengths)
    ]
    return replace(library(clips), folder=folder, generation=1)
