"""Bounds of all windows from groups of poses, for descriptions of which few components tell too little."""

from dataclasses import dataclass

import numpy as np

from motionary.alignment import GROUP, GroupBands, PoseGroups, group_lanes
from motionary.search.exact.bounding import Bounds, Weighting
from motionary.search.exact.projections import Columns, Projection, blocks_of
from motionary.search.exact.variants import Variant

GROUPED = ("learned",)  # 24 components have 64 % of its variance, of other descriptions 95 %
LEAST_FRAMES = 2 * GROUP  # of a query: fewer may have no whole group
MOST_FRAMES = 2400  # all costs of a tile are kept at once


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Some rows of a library in groups, and the means of these as a projection in all dimensions."""

    groups: PoseGroups
    projection: Projection

    @property
    def n_bytes(self) -> int:
        return self.groups.n_bytes


def can_be_grouped(columns: Columns, n_frames: int) -> bool:
    """Whether windows of so many frames are bounded in groups, where costs are not below 0."""
    return len(columns) == 1 and columns[0][0] in GROUPED and LEAST_FRAMES <= n_frames <= MOST_FRAMES


def group_bounds(
    variant: Variant,
    weighting: Weighting,
    rows: GroupedRows,
    spans: np.ndarray,
    *,
    warped: bool,
    longer: float,
    limit: float = np.inf,
) -> np.ndarray:
    """What distances (G,) of windows that begin in each group are not below; infinite where that is above `limit`, and
    where none begin, going by the rows [first, stop) of `spans` (N, 2), from the first row of the groups on."""
    even = Weighting(np.ones(variant.n_frames), weighting.dimensions, weighting.size)
    bounds = Bounds.of(variant, even, rows.projection, warped=warped, longer=longer)
    form = rows.projection.form(blocks_of(variant.columns, weighting.dimensions))
    frames = rows.projection.query(blocks_of(variant.columns, variant.rows)) * np.sqrt(form)
    radii = variant.radii if warped else np.zeros_like(variant.radii)
    out = np.full(rows.groups.n_groups, np.inf, dtype=np.float32)
    group_lanes(
        *(bounds.lane_query, rows.groups, GroupBands.of(frames, weighting.frames, radii)),
        np.stack([spans[:, 0] // GROUP, -(-spans[:, 1] // GROUP)], axis=1),
        least=float(form.min()),
        largest=float(form.max()),
        limit=bounds.at_most(limit),
        out=out,
    )
    return bounds.distances(out)
