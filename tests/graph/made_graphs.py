"""Small graphs that nobody moved."""

import numpy as np

from motionary.graph import TRANSITION, MotionGraph, Ways


def made_graph(
    seed: int, *, n_clips: int = 3, n_frames: int = 12, n_transitions: int = 8, dwell: int = 0, half: int = 1
):
    """Clips that wander about, and random transitions between them."""
    rng = np.random.default_rng(seed)
    ways = Ways.joined(
        [
            (np.cumsum(rng.normal(scale=0.05, size=n)), np.cumsum(1j * 0.04 + 0.01 * rng.normal(size=n)))
            for n in rng.integers(max(4, n_frames // 2), n_frames + 1, size=n_clips)
        ]
    )
    inside = np.concatenate(
        [np.arange(a + half, b - half) for a, b in zip(ways.starts[:-1], ways.starts[1:], strict=True)]
    )
    pairs = {tuple(rng.choice(inside, 2).tolist()) for _ in range(n_transitions)}
    table = np.zeros(len(pairs), dtype=TRANSITION)
    for row, (source, target) in zip(table, sorted(pairs), strict=True):
        row["source"], row["target"], row["before"], row["after"] = source, target, half, half
        row["cost"] = rng.uniform(0.0, 0.01)
    labels = {"first": np.array([[0, int(ways.starts[1])]])}
    return MotionGraph(ways, table, 30.0, dwell, tuple(range(1, n_clips + 1)), labels)
