"""Rows that are made to go with another: mirrored, and moved in time."""

from dataclasses import replace

import numpy as np

from motionary.alignment import Match, warp_of
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
        floor=None if row.floor is None else row.floor.mirrored,
    )


def aligned(row: Row, match: Match) -> Row:
    """The row of a match on the clock of its query: what goes together stands at the same time.

    The row's own rate does not matter; gaps of the alignment are crossed evenly.
    """
    if match.n_query == 1 or match.n_frames == 1 or row.motion.n_frames == 1:
        return row
    to_query = warp_of(match.alignment.completed(match.n_query, match.n_frames)).inverse()
    frames = np.arange(row.motion.n_frames) * row.motion.frame_time * match.rate_hz
    return replace(row, clock=to_query(frames) / match.rate_hz)
