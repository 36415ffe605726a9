"""Rows that are made to go with another: mirrored, and moved in time."""

from dataclasses import replace

import numpy as np

from motionary.alignment import Alignment, warp_of
from motionary.motion import mirror
from motionary.picture.scene import Row
from motionary.rig import mirror_partners, symmetric_pose


def mirrored(row: Row) -> Row:
    """The row with left for right, which its title tells."""
    skeleton, body_map = row.motion.skeleton, row.body_map
    partners = mirror_partners(skeleton, body_map=body_map)
    rest = symmetric_pose(skeleton, body_map=body_map, motion=row.motion)
    return replace(
        row,
        motion=mirror(row.motion, partners, rest_world=rest),
        title=f"{row.title} (mirrored)",
        contacts=None if row.contacts is None else row.contacts[:, ::-1],
    )


def aligned(row: Row, alignment: Alignment, *, n_query: int, n_match: int, rate_hz: float) -> Row:
    """The row on the clock of a query of `n_query` frames: what goes together stands at the same time.

    The row shows `n_match` frames at the same rate, whatever its own; gaps of the alignment are crossed evenly.
    """
    if n_query == 1 or n_match == 1 or row.motion.n_frames == 1:
        return row
    to_query = warp_of(alignment.completed(n_query, n_match)).inverse()
    frames = np.arange(row.motion.n_frames) * row.motion.frame_time * rate_hz
    return replace(row, clock=to_query(frames) / rate_hz)
