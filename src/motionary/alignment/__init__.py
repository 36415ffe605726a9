"""Distances of one query and one candidate, the alignments behind them, and bounds that never exceed them.

Searches go by the lanes and by the bits of LCSS. Envelopes, rectangles and one bound for all scales are those of the
paper (Cardle 2004), as they really bound: the benchmarks of its figures search by them, and tests hold each.
"""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.alignment.dtw import Warped, dtw, dtw_alignment
    from motionary.alignment.envelopes import Envelope, query_envelope
    from motionary.alignment.euclid import euclid
    from motionary.alignment.frame_bounds import keogh_bound
    from motionary.alignment.lanes import LARGEST, MOST_WIDE, VECTOR_MATH, WIDE, LaneQuery, Poses
    from motionary.alignment.lanes_dtw import dtw_lanes, lanes_for
    from motionary.alignment.lanes_euclid import euclid_lanes
    from motionary.alignment.lanes_groups import GROUP, GroupBands, PoseGroups, group_lanes
    from motionary.alignment.lanes_lengths import lengths_lanes, room_for_lengths
    from motionary.alignment.lcss import Likeness, lcss, lcss_alignment
    from motionary.alignment.lcss_bits import MatchTables, common_at_most, pose_words
    from motionary.alignment.lcss_bounds import MatchEnvelope, lcss_bound, match_envelope
    from motionary.alignment.match import Match, Result, suggested_cut
    from motionary.alignment.pairs import Alignment, completed, composed
    from motionary.alignment.projections import plain_projection, principal_basis, tight_projection
    from motionary.alignment.rectangles import (
        Rectangles,
        envelope_rectangles,
        even_edges,
        match_rectangles,
        merged_edges,
        rectangle_bound,
        rectangle_likeness,
        rectangle_limit,
        rectangles,
    )
    from motionary.alignment.roundings import DOUBLE, SINGLE
    from motionary.alignment.scaling import (
        sampled_frames,
        sampled_rows,
        scaled_bound,
        scaled_envelope,
        scaled_lengths,
    )
    from motionary.alignment.warp import Warp, smooth_warp, warp_of, write_unwarped, write_warped
    from motionary.alignment.windows import dtw_at, euclid_at, lcss_at
else:
    import_on_use(__name__)

__all__ = [
    "DOUBLE",
    "GROUP",
    "LARGEST",
    "MOST_WIDE",
    "SINGLE",
    "VECTOR_MATH",
    "WIDE",
    "Alignment",
    "Envelope",
    "GroupBands",
    "LaneQuery",
    "Likeness",
    "Match",
    "MatchEnvelope",
    "MatchTables",
    "PoseGroups",
    "Poses",
    "Rectangles",
    "Result",
    "Warp",
    "Warped",
    "common_at_most",
    "completed",
    "composed",
    "dtw",
    "dtw_alignment",
    "dtw_at",
    "dtw_lanes",
    "envelope_rectangles",
    "euclid",
    "euclid_at",
    "euclid_lanes",
    "even_edges",
    "group_lanes",
    "keogh_bound",
    "lanes_for",
    "lcss",
    "lcss_alignment",
    "lcss_at",
    "lcss_bound",
    "lengths_lanes",
    "match_envelope",
    "match_rectangles",
    "merged_edges",
    "plain_projection",
    "pose_words",
    "principal_basis",
    "query_envelope",
    "rectangle_bound",
    "rectangle_likeness",
    "rectangle_limit",
    "rectangles",
    "room_for_lengths",
    "sampled_frames",
    "sampled_rows",
    "scaled_bound",
    "scaled_envelope",
    "scaled_lengths",
    "smooth_warp",
    "suggested_cut",
    "tight_projection",
    "warp_of",
    "write_unwarped",
    "write_warped",
]
