"""Features of a few clips for the tests of the index, in memory or kept in a folder."""

from dataclasses import replace

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore
from motionary.artefacts.manifest import Manifest
from motionary.features import descriptions
from motionary.library import LibraryFeatures
from motionary.search.exact.index_store import KIND, IndexFiles, updated
from search.tiny_libraries import library

KNOWN = descriptions()


def walk(rng: np.random.Generator, n_frames: int, n_dimensions: int) -> np.ndarray:
    """A smooth movement, in fewer directions than dimensions."""
    inner = np.cumsum(rng.normal(size=(n_frames, 12)) * 0.1, axis=0)
    return (
        inner @ rng.normal(size=(12, n_dimensions)) * 0.3 + rng.normal(size=(n_frames, n_dimensions)) * 0.01
    ).astype(np.float32)


def walks(
    seed: int, lengths: list[int], *, names: tuple[str, ...] = ("root", "positions"), id: str = "one"
) -> LibraryFeatures:
    """Clips of these lengths; those of the same seed begin alike, so that longer lists go on where shorter ones end."""
    clips = [
        {name: walk(np.random.default_rng([seed, c, d]), n, KNOWN[name].n_dimensions) for d, name in enumerate(names)}
        for c, n in enumerate(lengths)
    ]
    return replace(library(clips), artefact=Artefact(Manifest("features", 1, "30hz", None, id), {}))


def indexed(features: LibraryFeatures, store: ArtefactStore) -> IndexFiles:
    """The index of features, brought up to date in a store."""
    with store.writing(KIND, "30hz") as draft:
        return updated(features, draft)
