"""Libraries in which motions recur, or nearly, and adversarial ones."""

import numpy as np
from hypothesis import strategies as st

from motionary.features import descriptions
from motionary.library import LibraryFeatures
from search.tiny_libraries import library

KNOWN = descriptions()
KINDS = ("smooth", "ties", "constant", "spikes", "repeated", "huge", "tiny")


def frames(rng: np.random.Generator, kind: str, n_frames: int, n_dimensions: int) -> np.ndarray:
    if kind == "constant":
        return np.tile(rng.integers(-1, 2, size=n_dimensions), (n_frames, 1)).astype(np.float32)
    if kind == "ties":
        return rng.integers(-1, 2, size=(n_frames, n_dimensions)).astype(np.float32)
    if kind == "repeated":
        return np.tile(rng.normal(size=(7, n_dimensions)), (n_frames // 7 + 1, 1))[:n_frames].astype(np.float32)
    walk = np.cumsum(rng.normal(size=(n_frames, n_dimensions)) * 0.1, axis=0)
    if kind == "spikes":
        walk[rng.integers(0, n_frames, size=2)] = 1e4
    return (walk * {"huge": 1e5, "tiny": 1e-5}.get(kind, 1.0)).astype(np.float32)


@st.composite
def libraries(draw) -> LibraryFeatures:
    """Some clips with `root` and `positions`, of one frame too; some may be copies of others, in whole or in part."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.sampled_from([1, 8, 20, 70, 160]), min_size=1, max_size=4))
    clips = []
    for n in lengths:
        kind = draw(st.sampled_from(KINDS))
        clips.append({name: frames(rng, kind, n, KNOWN[name].n_dimensions) for name in ("root", "positions")})
    if draw(st.booleans()):
        source, at = clips[draw(st.integers(0, len(clips) - 1))], draw(st.integers(0, 5))
        clips.append({name: rows[min(at, len(rows) - 1) :] for name, rows in source.items()})
    return library(clips)
