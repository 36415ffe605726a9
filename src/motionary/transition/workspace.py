"""The workspace of kernels: everything that one blend at a time needs, allocated once."""

from typing import NamedTuple

import numpy as np

from motionary.transition.body_lanes import BodyLanes

MOST_SOURCES = 4
MOST_PARTS = 128  # plants that a blend may have to choose from
MOST_PIECES = 128
COLUMNS = 320  # rotations whose means are taken at once: so many and their sources lie in the nearest cache


class Workspace(NamedTuple):
    """Arrays for one blend of up to F frames."""

    clock: np.ndarray  # (2, P)
    cells: np.ndarray  # (N, F) int64: where each source is, whole frames
    share: np.ndarray  # (N, F) and parts of a frame
    weights: np.ndarray  # (N, F)
    heaviest: np.ndarray  # (F,) int64
    signs: np.ndarray  # (N, J) of each source's rotations, by which their mean goes the shorter way round
    says: np.ndarray  # (F,) int64: the frame at which a source tells where feet stand
    own: np.ndarray  # (N, 4, F) of each source: x, z, cosine and sine of the turn to the blend's heading
    roots: np.ndarray  # (3, F) of the blend
    facing: np.ndarray  # (F,)
    each: np.ndarray  # (N, 4, Q) rotations of a few joints of all sources: all frames of each, one after the other
    wide: np.ndarray  # (N, Q) their weights
    vector: np.ndarray  # (3, Q)
    mean: np.ndarray  # (4, Q)
    local: np.ndarray  # (J, 4, F)
    world: np.ndarray  # (J, 4, F)
    places: np.ndarray  # (J, 3, F)
    point: np.ndarray  # (3, F)
    soles: np.ndarray  # (F, 6, 3)
    across: np.ndarray  # (F, 6, 2)
    contacts: np.ndarray  # (F, 4)
    sums: np.ndarray  # (4, F + 1) up to each frame, of the placement of a source's torso in the blend
    part_spans: np.ndarray  # (parts, 2) int64 frames of the blend
    part_places: np.ndarray  # (parts, 3)
    part_plants: np.ndarray  # (parts,) int64
    candidates: np.ndarray  # (parts, 4) float64: error, first part, last part, foot
    taken: np.ndarray  # (F,) uint8
    piece_points: np.ndarray  # (pieces,) int64
    piece_spans: np.ndarray  # (pieces, 2) int64
    piece_places: np.ndarray  # (pieces, 3)
    centres: np.ndarray  # (F + 2 C, 3 M)
    accelerations: np.ndarray  # (3 M,) of one frame
    hull: np.ndarray  # (80,)
    flown: np.ndarray  # (F, 3)
    curve: np.ndarray  # (F,) ZMP error of each frame, NaN where there is none
    parts: np.ndarray  # (8,) what the score is made of


def make_workspace(n_poses: int, lanes: BodyLanes) -> Workspace:
    """Workspace for blends of windows of so many poses: they take at most twice their time."""
    n, s, m, n_joints = 2 * n_poses, MOST_SOURCES, 3 * len(lanes.shares), len(lanes.parents)
    n_columns = max(COLUMNS, n)
    return Workspace(
        clock=np.empty((2, n_poses)),
        cells=np.empty((s, n), np.int64),
        share=np.empty((s, n)),
        weights=np.empty((s, n)),
        heaviest=np.empty(n, np.int64),
        signs=np.empty((s, n_joints)),
        says=np.empty(n, np.int64),
        own=np.empty((s, 4, n)),
        roots=np.empty((3, n)),
        facing=np.empty(n),
        each=np.empty((s, 4, n_columns)),
        wide=np.empty((s, n_columns)),
        vector=np.empty((3, n_columns)),
        mean=np.empty((4, n_columns)),
        local=np.empty((n_joints, 4, n)),
        world=np.empty((n_joints, 4, n)),
        places=np.empty((n_joints, 3, n)),
        point=np.empty((3, n)),
        soles=np.empty((n, 6, 3)),
        across=np.empty((n, 6, 2)),
        contacts=np.empty((n, 4)),
        sums=np.empty((4, n + 1)),
        part_spans=np.empty((MOST_PARTS, 2), np.int64),
        part_places=np.empty((MOST_PARTS, 3)),
        part_plants=np.empty(MOST_PARTS, np.int64),
        candidates=np.empty((MOST_PARTS, 4)),
        taken=np.empty(n, np.uint8),
        piece_points=np.empty(MOST_PIECES, np.int64),
        piece_spans=np.empty((MOST_PIECES, 2), np.int64),
        piece_places=np.empty((MOST_PIECES, 3)),
        centres=np.empty((n + 2 * lanes.reach, m)),
        accelerations=np.empty(m),
        hull=np.empty(80),
        flown=np.empty((n, 3)),
        curve=np.empty(n),
        parts=np.empty(8),
    )
