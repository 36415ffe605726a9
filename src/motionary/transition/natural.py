"""What natural motion scores: real windows of the library, measured like blends."""

import numpy as np

from motionary.transition.blending import FALL_ERROR, PLANT_ERROR, SCORE, ZMP_ERROR, run_blends
from motionary.transition.body_lanes import body_lanes
from motionary.transition.pool import Pool
from motionary.transition.room import make_room
from motionary.transition.searching import NONE, unaligned
from motionary.transition.sources import gather_windows
from motionary.transition.windows import complete_windows

BATCH = 256
KEPT = [SCORE, PLANT_ERROR, ZMP_ERROR, FALL_ERROR]


def natural_scores(pool: Pool, n_frames: int, *, n: int, rng: np.random.Generator) -> np.ndarray:
    """Scores and their parts (N, 4) of up to n real windows, drawn at random."""
    return score_windows(pool, np.sort(rng.permutation(complete_windows(pool, n_frames))[:n]), n_frames)


def score_windows(pool: Pool, drawn: np.ndarray, n_frames: int) -> np.ndarray:
    """Scores and their parts (N, 4) of windows by their first frames (N,); each counts as a blend of itself."""
    lanes = body_lanes(pool.body, pool.frame_time)
    places = np.array([(pool.clip_of(int(first)), int(first)) for first in drawn])
    room = make_room(n_frames + 1, lanes)
    found = []
    for begin in range(0, len(places), BATCH):
        windows = gather_windows(pool, lanes, places[begin : begin + BATCH], n_frames)
        numbers = np.arange(len(windows.facing))
        recipes = np.stack([numbers, numbers, np.full_like(numbers, NONE), np.full_like(numbers, NONE)], axis=1)
        out = np.zeros((len(numbers), 8))
        run_blends(lanes, windows, *unaligned(*windows.facing.shape), recipes, False, np.full(2, np.inf), out, room)
        found.append(out[:, KEPT])
    return np.concatenate(found)
